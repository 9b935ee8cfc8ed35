"""Times one row in CPython: reads a task as JSON, prints its figures as JSON. Processor time of this process."""
import json
import sys
import time


class noop:
    @staticmethod
    def now(value):
        return value


def main():
    task = json.load(sys.stdin)
    pace, arguments, kind = task["pace"], task["frame"], task["kind"]
    numbers = iter(range(1000002, 10**9))

    def text():
        if kind == "prepared":
            return task["source"]
        return task["source"].replace("1000001", str(next(numbers)))

    def loaded():
        names = {"noop": noop}
        exec(compile(text(), "program", "exec"), names)
        return names["main"]

    def fresh():
        return loaded()(**arguments)

    program = loaded() if kind == "prepared" else None

    def prepared():
        return program(**arguments)

    run = {"prepared": prepared, "fresh": fresh, "compiled": lambda: compile(text(), "program", "exec") and None}[kind]

    def timed(runs):
        start = time.process_time()
        for _ in range(runs):
            result = run()
        return (time.process_time() - start) * 1000, result

    runs, spent, best = 1, 0, float("inf")
    while True:
        ms, result = timed(runs)
        spent += ms
        if ms < pace["repetition_ms"] / 2:
            runs *= 2
            continue
        best = min(best, ms / runs)
        if spent >= pace["warm_ms"]:
            break
    runs = max(1, int(pace["repetition_ms"] / best))
    samples = [timed(runs)[0] / runs for _ in range(pace["repetitions"])]
    print(json.dumps({"samples": samples, "result": result}))


main()
