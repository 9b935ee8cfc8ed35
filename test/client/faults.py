"""What the Python client makes of a server that misbehaves; faults.test.ts says how. Prints the outcome of one scenario."""

import asyncio
import json
import sys
import threading

from weft_client import AsyncClient, Cancellation, Cancelled, Client, WeftError

FRAMES = [{"n": 0}, {"n": 1}, {"n": 2}]


def outcome(scenario, server):
    waits = []
    weft = Client(server, sleep=waits.append, chance=lambda: 1.0, retries=2)
    try:
        return {"result": SCENARIOS[scenario](weft), "waits": waits}
    except WeftError as error:
        return {"code": error.code, "issues": error.issues, "waits": waits}


def cut(weft):
    seen = []
    try:
        for line in weft.batch({"code": "x"}, FRAMES):
            seen.append(line["index"])
    except WeftError as error:
        return [error.code, seen]
    return seen


def cancelled(weft):
    cancel = Cancellation()
    timer = threading.Timer(0.1, cancel.cancel)
    timer.start()
    try:
        weft.run({"code": "x"}, cancel=cancel)
    except Cancelled:
        return "cancelled"


def cancelled_task(server):
    async def ask():
        async with AsyncClient(server) as weft:
            task = asyncio.ensure_future(weft.run({"code": "x"}))
            await asyncio.sleep(0.1)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return "cancelled"

    return {"result": asyncio.run(ask()), "waits": []}


SCENARIOS = {
    "run": lambda weft: weft.run({"code": "x"})["out"],
    "remove": lambda weft: weft.remove_program("x")["name"],
    "batch": cut,
    "repeated batch": lambda weft: [one["index"] for one in weft.batch({"code": "x"}, FRAMES, repeat_cut=True)],
    "events": lambda weft: [one["event"] for one in weft.events("x")],
    "cancelled": cancelled,
}

name, address = sys.argv[1:]
print(json.dumps(cancelled_task(address) if name == "cancelled task" else outcome(name, address)))
