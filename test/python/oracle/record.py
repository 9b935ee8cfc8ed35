"""
Records what CPython 3.11 makes of the programs in `test/python/cases`:

    python3 test/python/oracle/record.py [--check] [NAME…]

Each NAME.py gets a NAME.json. With `--check` nothing is written; what differs is listed, and the exit code is 1. Every program runs in two
processes whose hashes of strings differ, so that a program that shows the order of a set is noticed.

In a case file `#: id | kind` begins a case, lines of `#> {…}` give the inputs of its runs (without them it runs once, without inputs), and
the program follows. A line `#= lib/mail.py` begins a file that the program imports. A kind may be followed by `| refused LINE[,LINE] [CLASS]`: Weft must refuse the program at one of these lines, or fail
as CPython does with CLASS. The kind "set order" is for programs whose values depend on the order of a set. NAME.answers.json holds the scripted answers of adapters, by id and run.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(os.path.dirname(HERE), "cases")
VERSION = (3, 11)
BATCH = 200


def cases_of(path):
    cases = []
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    for line in text.split("\n"):
        if line.startswith("#: "):
            parts = line[3:].split(" | ")
            cases.append({"id": parts[0].strip(), "kind": parts[1].strip(), "refused": len(parts) > 2, "frames": [], "lines": []})
        elif line.startswith("#> ") and cases and not cases[-1]["lines"]:
            cases[-1]["frames"].append(line[3:])
        elif cases:
            cases[-1]["lines"].append(line)
    for case in cases:
        case["source"], case["files"] = files_of(case["lines"])
        case["frames"] = case["frames"] or ["{}"]
    return cases


def files_of(lines):
    """The program, and the files that it imports by their paths."""
    parts = {"": []}
    for line in lines:
        if line.startswith("#= "):
            parts[line[3:].strip()] = []
        else:
            list(parts.values())[-1].append(line)
    texts = {path: "\n".join(part).rstrip("\n") + "\n" for path, part in parts.items()}
    return texts.pop(""), texts


def outcomes_of(programs, seed):
    """The outcomes of all programs in one process."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1"}
    batches = [programs[start : start + BATCH] for start in range(0, len(programs), BATCH)]
    given = "".join(json.dumps(batch) + "\n" for batch in batches)
    command = [sys.executable, os.path.join(HERE, "cpython.py")]
    done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", env=environment, check=True)
    return [outcome for line in done.stdout.splitlines() for outcome in json.loads(line)]


def text_of(recorded):
    lines = [f"{json.dumps(key)}: {json.dumps(runs, ensure_ascii=False)}" for key, runs in recorded.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def without_order(case, outcomes):
    """The outcomes; no value of a program of the kind "set order" can be exact."""
    if case["kind"] != "set order":
        return outcomes
    return [{"inexact": "the order of a set"} if "value" in outcome else outcome for outcome in outcomes]


def faults_of(case, first, second):
    if first != second and case["kind"] != "set order":
        yield "differs between two processes"
    for outcome in first:
        if "unscripted" in outcome:
            yield f"makes a call without an answer: {outcome['unscripted']}"
        if "unused" in outcome and not case["refused"]:
            yield f"leaves answers unused: {outcome['unused']}"
        if outcome.get("raises") == "TooLong":
            yield "runs too long"


def read_json(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    if sys.version_info[:2] != VERSION:
        sys.exit(f"CPython {VERSION[0]}.{VERSION[1]} is needed; this is {sys.version.split()[0]}")
    check = "--check" in sys.argv
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not names:
        names = sorted(name[:-3] for name in os.listdir(CASES) if name.endswith(".py"))
    files = []
    programs = []
    seen = {}
    faults = []
    for name in names:
        cases = cases_of(os.path.join(CASES, name + ".py"))
        scripts = read_json(os.path.join(CASES, name + ".answers.json"))
        for case in cases:
            if case["id"] in seen:
                faults.append(f"{name}: {case['id']} is also in {seen[case['id']]}")
            seen[case["id"]] = name
            runs = [{"frame": frame} for frame in case["frames"]]
            if scripts:
                for number, run in enumerate(runs):
                    run["script"] = scripts[case["id"]][number]
            programs.append({"source": case["source"], "files": case["files"], "runs": runs})
        files.append((name, cases))
    first, second = outcomes_of(programs, 1), outcomes_of(programs, 2)
    at = 0
    for name, cases in files:
        recorded = {}
        for case in cases:
            faults.extend(f"{name}: {case['id']} {fault}" for fault in faults_of(case, first[at], second[at]))
            recorded[case["id"]] = without_order(case, first[at])
            at += 1
        path = os.path.join(CASES, name + ".json")
        known = read_json(path)
        changed = [key for key in {**known, **recorded} if known.get(key) != recorded.get(key)]
        if check:
            faults.extend(f"{name}: {key} is not as recorded" for key in changed)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text_of(recorded))
            print(f"{name}: {len(recorded)} cases, {len(changed)} changed")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
