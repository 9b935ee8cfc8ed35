"""A plugin in another language: the whole protocol with the standard library alone."""
import json
import sys

SPEC = {
    "api_version": 1,
    "name": "weather",
    "version": "1.2.0",
    "summary": "Current weather",
    "privilege": "network",
    "sandbox_safe": False,
    "network_facing": True,
    "durable": False,
    "settings": {
        "allow_cities": {
            "schema": {"type": "array", "items": {"type": "string"}},
            "optional": True,
            "merge": "intersect",
        },
    },
    "secrets": {"WEATHER_KEY": {"summary": "API key", "required": False}},
    "verbs": {
        "current": {
            "summary": "Weather now",
            "effect": "io-read",
            "kind": "http",
            "determinism": "external",
            "args": [{"name": "city", "schema": {"type": "string", "minLength": 1}}],
            "options": {
                "type": "object",
                "properties": {"units": {"enum": ["si", "us"], "default": "si"}},
                "additionalProperties": False,
            },
            "result": {"type": "object"},
            "examples": [
                {"source": 'R weather.current "Oslo" ->w', "result": {"city": "Oslo", "degrees": 3, "units": "si"}}
            ],
        },
    },
}


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


instances = {}
for line in sys.stdin:
    message = json.loads(line)
    kind, number = message["type"], message.get("id")
    if kind == "spec":
        send({"id": number, "result": SPEC})
    elif kind == "open":
        instances[message["instance"]] = message["settings"]
        send({"id": number, "result": None})
    elif kind == "call":
        city = message["args"][0]
        allowed = instances[message["instance"]].get("allow_cities")
        if allowed is not None and city not in allowed:
            error = {"code": "ADAPTER_NOT_ALLOWED", "message": "the city is not on the list", "retryable": False}
            send({"id": number, "error": error})
        else:
            send({"type": "log", "level": "info", "event": "asked", "fields": {"verb": message["verb"]}})
            result = {"city": city, "degrees": 3, "units": message["options"]["units"]}
            send({"id": number, "result": result})
    else:
        send({"id": number, "result": None})
