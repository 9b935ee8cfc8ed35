"""Serves an adapter class of the predecessor as a plugin: wrap.py MODULE:CLASS NAME VERB[,VERB...]"""
import asyncio
import importlib
import inspect
import json
import sys

place, name, verbs = sys.argv[1:4]
wire, sys.stdout = sys.stdout, sys.stderr  # what the class prints must not reach the protocol
ANY = {"items": [], "rest": {"name": "arg", "schema": {}, "optional": True}}
SPEC = {  # the worst is stated; lower it for classes that you know
    "api_version": 1, "name": name, "version": "1.0.0", "summary": f"The adapter {place} of the predecessor.",
    "privilege": "operator_sensitive", "network_facing": True, "sandbox_safe": False, "durable": True,
    "verbs": {verb: {"summary": f"Calls {verb}.", "effect": "io-write", "kind": name, "determinism": "external",
                     "destructive": True, "idempotent": False, "args": ANY, "result": {}}
              for verb in verbs.split(",")},
}


def call(adapter, message):
    context = {key: message[key] for key in ("call_id", "trace_id", "attempt", "deadline_ms")}
    result = adapter.call(message["verb"], message["args"], context)
    return asyncio.run(result) if inspect.isawaitable(result) else result


adapter = None
for line in sys.stdin:
    message = json.loads(line)
    answer = {"id": message["id"], "result": None}
    try:
        if message["type"] == "spec":
            answer["result"] = SPEC
        elif message["type"] == "open" and adapter is None:
            module, cls = place.split(":")
            adapter = getattr(importlib.import_module(module), cls)()
        elif message["type"] == "call":
            answer["result"] = call(adapter, message)
        text = json.dumps(answer, allow_nan=False)
    except Exception as fault:  # every error of the class is an error of the call, which `Err` can handle
        text = json.dumps({"id": message["id"], "error": {"code": "ADAPTER_FAILED", "message": f"{type(fault).__name__}: {fault}"}})
    if message["type"] != "cancel":
        print(text, file=wire, flush=True)
