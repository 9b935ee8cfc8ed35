"""The story of story.ts, as the Python client lives through it: once with threads, once with asyncio. Prints what it came to."""

import asyncio
import inspect
import json
import sys

from weft_client import AsyncClient, Client, WeftError

DOUBLE = "# frame: n: number\nL1:\n  X m mul n 2\n  J m\n"
ODD = "def main(n: int):\n    return [None, {'summary': True, 'error': 'no', 'message': 'no'}, {'ok': False, 'index': 7}][n]\n"
FAILS = 'L1:\n  X m fail "no"\n  J m\n'
SLEEPS = "L1:\n  R core.SLEEP 60000 ->none\n  J 1\n"
WAITS = 'L1:\n  R signal.wait ["go", "stop"] {"timeout": "1d"} ->news\n  J news.data\n'
WAITS_BY_KEY = 'L1:\n  R signal.wait "paid" {"key": "%s", "timeout": "1d"} ->news\n  J news.data\n'
ASKS = 'L1:\n  R approval.ask "Pay?" {"timeout": "1d"} ->a\n  J [a.decision, a.comment]\n'
NIGHTLY = '# frame: n: number\nCr L1 "0 3 * * *"\nL1:\n  X m add 40 2\n  J m\n'


async def story(weft, key):
    async def ask(answer):
        return await answer if inspect.isawaitable(answer) else answer

    async def each(answers):
        if hasattr(answers, "__aiter__"):
            return [one async for one in answers]
        return list(answers)

    async def until_it_waits(job):
        events = weft.events(job)
        if hasattr(events, "__aiter__"):
            async for one in events:
                if one["event"] == "waiting":
                    break
            await events.aclose()
        else:
            next(one for one in events if one["event"] == "waiting")
            events.close()

    async def code_of(call):
        try:
            await ask(call())
        except WeftError as error:
            return error.code
        return "no error"

    told = {}
    told["run"] = (await ask(weft.run({"code": DOUBLE, "frame": {"n": 21}})))["ok"]
    told["value"] = await ask(weft.value({"code": DOUBLE, "frame": {"n": 21}}))
    failed = await ask(weft.run({"code": FAILS}))
    told["failed"] = None if failed["ok"] else failed["error"]
    told["failed value"] = await code_of(lambda: weft.value({"code": FAILS}))
    told["bad program"] = await code_of(lambda: weft.run({"code": "L1:\n  Nonsense\n"}))
    told["bad input"] = await code_of(lambda: weft.run({"code": DOUBLE, "frame": {"n": "x"}}))

    frames = [{"n": "x" if n == 500 else n} for n in range(1000)]
    lines = await each(weft.batch({"code": DOUBLE}, frames, chunk=300))
    results = {line["index"]: line["out"] if line["ok"] else line["error"] for line in lines}
    told["batch"] = [len(results), results[0], results[500], results[999]]

    values = await each(weft.batch({"code": DOUBLE}, frames, chunk=300, rows="out"))
    told["values"] = [len(values), values[999], values[500]["index"]]
    lean = await each(weft.batch({"code": DOUBLE}, frames, chunk=300, rows="lean"))
    told["lean"] = [lean[301], lean[500]["error"]]
    told["odd values"] = await each(weft.batch({"code": ODD}, [{"n": 0}, {"n": 1}, {"n": 2}], rows="out"))
    stops = {"code": DOUBLE, "on_error": "stop"}
    told["stopped"] = len(await each(weft.batch(stops, frames, chunk=501, rows="out")))

    job = await ask(weft.enqueue({"code": DOUBLE, "frame": {"n": 4}, "name": key}, key=key))
    again = await ask(weft.enqueue({"code": DOUBLE, "frame": {"n": 4}, "name": key}, key=key))
    told["same job"] = job["job_id"] == again["job_id"]
    over = await ask(weft.wait(job["job_id"]))
    told["job"] = [over["status"], over["result"]["out"]]
    told["events"] = (await each(weft.events(job["job_id"])))[-1]["event"]
    told["found"] = len((await ask(weft.jobs(name=key)))["jobs"])
    told["retry"] = await code_of(lambda: weft.retry(job["job_id"]))

    many = await ask(weft.enqueue_many({"code": DOUBLE, "frames": [{"n": 1}, {"n": 2}, {"n": 3}]}))
    told["many"] = [(await ask(weft.wait(one)))["result"]["out"] for one in many["job_ids"]]

    slow = await ask(weft.enqueue({"code": SLEEPS}))
    told["not over"] = await code_of(lambda: weft.wait(slow["job_id"], timeout=0.05))
    await ask(weft.cancel(slow["job_id"]))
    told["cancelled"] = (await ask(weft.wait(slow["job_id"])))["status"]
    told["unknown job"] = await code_of(lambda: weft.job("none"))

    waiting = await ask(weft.enqueue({"code": WAITS, "durable": True, "lifetime_s": 600, "on_unknown": "ask"}))
    waiting = waiting["job_id"]
    told["parked"] = (await ask(weft.wait(waiting, until="parked")))["status"]
    told["waits"] = [[one["kind"], one["names"]] for one in (await ask(weft.waits(waiting)))["waits"]]
    frame = await ask(weft.frame(waiting))
    told["frame"] = [frame["shown"], frame["frame"]]
    state = await ask(weft.state(waiting))
    told["state"] = [state["at"], state["shown"], state["state"]]
    told["journal"] = (await ask(weft.journal(waiting, after=0, limit=1)))["next_after"]
    told["no values"] = await code_of(lambda: weft.journal(waiting, values=True))
    told["not asked"] = await code_of(lambda: weft.decide_outcome(waiting, {"seq": 1, "decision": "make"}))
    told["signal"] = (await ask(weft.signal(waiting, "go", {"data": {"door": True}})))["delivered"]
    told["signalled"] = (await ask(weft.wait(waiting)))["result"]["out"]
    told["late signal"] = await code_of(lambda: weft.signal(waiting, "go"))
    broken = await ask(weft.wait((await ask(weft.enqueue({"code": FAILS, "durable": True})))["job_id"]))
    code = FAILS.replace('fail "no"', "add 1 2")
    fixed = await ask(weft.retry(broken["job_id"], start={"seq": 1}, code=code))
    told["fixed"] = [broken["status"], (await ask(weft.wait(fixed["job_id"])))["result"]["out"]]
    keyed = (await ask(weft.enqueue({"code": WAITS_BY_KEY % key})))["job_id"]
    await until_it_waits(keyed)
    told["signal by key"] = (await ask(weft.signal_key("paid", {"key": key, "data": 7})))["jobs"]
    told["paid"] = (await ask(weft.wait(keyed)))["result"]["out"]

    asks = (await ask(weft.enqueue({"code": ASKS, "adapters": {"enable": ["approval"]}})))["job_id"]
    await ask(weft.wait(asks, until="parked"))
    question = (await ask(weft.approvals(job=asks)))["approvals"][0]["approval_id"]
    asked = await ask(weft.approval(question))
    told["asked"] = [asked["state"], asked["choices"]]
    told["no link"] = await code_of(lambda: weft.link_approval(question, {"for": "user:ann"}))
    told["decided"] = (await ask(weft.decide_approval(question, {"decision": "reject", "comment": "late"})))["decision"]
    told["too late"] = await code_of(lambda: weft.decide_approval(question, {"decision": "approve"}))
    told["decision"] = (await ask(weft.wait(asks)))["result"]["out"]

    told["dry run"] = (await ask(weft.deploy(key, {"code": DOUBLE}, dry_run=True)))["version"]
    told["deployed"] = (await ask(weft.deploy(key, {"code": DOUBLE})))["version"]
    told["next"] = (await ask(weft.deploy(key, {"code": NIGHTLY}, if_version=1)))["version"]
    told["conflict"] = await code_of(lambda: weft.deploy(key, {"code": DOUBLE}, if_version=1))
    told["by name"] = await ask(weft.value({"program": key}))
    schedule = (await ask(weft.schedules(program=key)))["schedules"][0]["id"]
    told["schedule"] = [schedule, len((await ask(weft.next_times(schedule, count=3)))["next"])]
    told["paused"] = (await ask(weft.change_schedule(schedule, {"paused": True})))["paused"]
    fired = await ask(weft.run_schedule(schedule))
    told["scheduled"] = (await ask(weft.wait(fired["job_id"])))["result"]["out"]
    told["rolled back"] = (await ask(weft.rollback(key, 1)))["version"]
    told["staged"] = (await ask(weft.deploy(key, {"code": DOUBLE}, as_next=True)))["version"]
    told["share"] = (await ask(weft.set_next(key, {"version": 2, "weight": 10})))["next"]["weight"]
    told["ended"] = (await ask(weft.abort_next(key)))["next"]
    await ask(weft.set_next(key, {"version": 2, "weight": 20}))
    told["promoted"] = (await ask(weft.promote_next(key, 2)))["version"]
    await ask(weft.rollback(key, 1))
    versions = (await ask(weft.versions(key)))["versions"]
    told["versions"] = [[one["version"], one["current"]] for one in versions]
    told["by name again"] = await ask(weft.value({"program": key, "frame": {"n": 8}}))
    told["disabled"] = (await ask(weft.change_program(key, {"enabled": False})))["enabled"]
    told["programs"] = [one["name"] for one in (await ask(weft.programs()))["programs"]]
    told["removed"] = (await ask(weft.remove_program(key)))["name"]
    told["gone"] = await code_of(lambda: weft.program(key))
    told["adapters"] = "core" in (await ask(weft.capabilities()))["adapters"]
    return told


async def both(server):
    threads = await story(Client(server), "threads")
    async with AsyncClient(server) as weft:
        tasks = await story(weft, "tasks")
    print(json.dumps([threads, tasks]))


asyncio.run(both(sys.argv[1]))
