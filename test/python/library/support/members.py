"""Records the public members of the modules that programs may import: `python3 members.py` writes ../members.json."""
import importlib
import json
import pathlib
import sys
import types

assert sys.version_info[:2] == (3, 11), "the members are those of CPython 3.11"
MODULES = (
    "json re math datetime time collections itertools functools operator random uuid string textwrap heapq bisect statistics hashlib csv io "
    "decimal difflib graphlib html unicodedata hmac base64 urllib urllib.parse zoneinfo copy asyncio contextlib concurrent "
    "concurrent.futures calendar enum dataclasses abc"
).split()


def members(name):
    module = importlib.import_module(name)
    listed = set(getattr(module, "__all__", []))
    return [name for name in dir(module) if name in listed or is_own(module, name, listed)]


def is_own(module, name, listed):
    """Not a module, and not imported for the module's own use."""
    value = getattr(module, name)
    if name.startswith("_") or isinstance(value, types.ModuleType):
        return False
    owner = getattr(value, "__module__", None)
    return not listed or owner is None or owner == module.__name__ or owner.startswith("_")


if __name__ == "__main__":
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(members(name))}" for name in MODULES)
    (pathlib.Path(__file__).parent.parent / "members.json").write_text("{\n" + lines + "\n}\n")
