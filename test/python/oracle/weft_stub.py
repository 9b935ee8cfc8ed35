"""
The module `weft` for CPython: adapters that record their calls and return scripted answers. It is the oracle of programs with effects, and the
norm for what they mean in Python: `Answer`, `Record`, `AdapterError`, `parallel` and `retry`.
"""

import ast
import copy
import json
import os
import threading

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "verbs.json"), encoding="utf-8") as file:
    # adapter -> verb -> [positional parameters, options, whether the answer is always an object]; "!" marks a required parameter, "?" an
    # optional one, "*" one that may be repeated. Made from the catalog by oracle-verbs.test.ts.
    VERBS = json.load(file)


class Record(dict):
    """Data that Weft made: a dict whose members can be read as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"'dict' object has no attribute '{name}'") from None


class Answer(Record):
    """An answer that is always an object: it has no truth value and equals no plain value."""

    def __bool__(self):
        raise TypeError("an answer has no truth value; read one of its members")

    def __eq__(self, other):
        if other is None or isinstance(other, (str, int, float)):
            raise TypeError("an answer cannot be compared with a plain value; read one of its members")
        return dict.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None


class Headers(Record):
    """Headers of an answer of http: their names are found in any letter case."""

    def _name(self, key):
        return next((name for name in self if name.lower() == str(key).lower()), key)

    def __getitem__(self, key):
        return dict.__getitem__(self, self._name(key))

    def __contains__(self, key):
        return dict.__contains__(self, self._name(key))

    def get(self, key, default=None):
        return dict.get(self, self._name(key), default)


class Response(Answer):
    """An answer of http, with the methods that answers of requests have."""

    def json(self, **_options):
        if self["body"] is not None and not isinstance(self["body"], str):
            return self["body"]
        kind = self["headers"].get("content-type") or ""
        return self["body"] if "json" in kind and self["body"] is not None else json.loads(self["body"] or "")

    def raise_for_status(self):
        if self["status"] >= 400:
            retryable = self["status"] >= 500 or self["status"] in (408, 425, 429)
            raise AdapterError(f"the server answered {self['status']}", "ADAPTER_HTTP_STATUS", self["status"], dict(self), retryable)


def records(value):
    if isinstance(value, dict):
        return Record((key, records(item)) for key, item in value.items())
    if isinstance(value, list):
        return [records(item) for item in value]
    return value


def answer(value, adapter, is_object):
    """The answer of a verb as the program gets it."""
    made = records(value)
    if not isinstance(made, dict):
        return made
    if adapter == "http":
        return Response({**made, "headers": Headers(made.get("headers") or {})})
    return Answer(made) if is_object else made


# Second names of parameters and options.
SECOND_NAMES = {
    "timeout": ["timeout_s"],
    "json": ["body"],
    "params": ["query"],
    "from_": ["from"],
    "ttl": ["ttl_s", "ttl_seconds"],
    "delay": ["delay_s"],
    "messages": ["prompt"],
}


def without_namespace(verb, args, keywords):
    """A call of cache whose namespace is left out or given by name: its arguments as with one, and whether there is one."""
    needed = [name for name in ("key", "value")[: 2 if verb == "set" else 1] if name not in keywords]
    if "namespace" in keywords:
        return [keywords.pop("namespace"), *args], True
    is_short = len(args) <= len(needed) or (len(args) == len(needed) + 1 and isinstance(args[1], (dict, list, tuple)))
    return ([None, *args], False) if is_short else (list(args), True)


class AdapterError(RuntimeError):
    def __init__(self, message, code="ADAPTER_FAILED", status=None, details=None, retryable=False):
        super().__init__(message)
        self.message, self.adapter, self.verb, self.retry_after_ms = message, None, None, None
        self.code, self.status, self.details, self.retryable = code, status, records(details), retryable


class _Timeout(AdapterError, TimeoutError):
    pass


class _Connection(AdapterError, ConnectionError):
    pass


class _Permission(AdapterError, PermissionError):
    pass


class _Missing(AdapterError, FileNotFoundError):
    pass


class _Existing(AdapterError, FileExistsError):
    pass


CLASSES = {
    "ADAPTER_TIMEOUT": _Timeout,
    "ADAPTER_TRANSPORT": _Connection,
    "ADAPTER_NOT_ALLOWED": _Permission,
    "ADAPTER_WRITE_FORBIDDEN": _Permission,
    "ADAPTER_DELETE_FORBIDDEN": _Permission,
    "ADAPTER_PATH_ESCAPE": _Permission,
    "ADAPTER_HOST_BLOCKED": _Permission,
}
# Codes that speak of files only where fs said them.
OF_FILES = {"ADAPTER_NOT_FOUND": _Missing, "ADAPTER_CONFLICT": _Existing}
for made in [*CLASSES.values(), *OF_FILES.values()]:
    made.__name__ = made.__qualname__ = "AdapterError"


def fold(word):
    return word.lower().replace("_", "").replace(".", "")


class Unscripted(BaseException):
    """The program made a call for which the script has no answer."""


class Scripted:
    """The calls of one run and the answers that are left for it."""

    def __init__(self, script):
        self.left = [list(entry) for entry in script]
        self.calls = []
        self.unordered = False
        self.lock = threading.Lock()

    def bind(self, adapter, verb, args, keywords):
        """The arguments as the call of an adapter gets them: by position, and the options as one object after them."""
        names, options, _ = VERBS[adapter][verb]
        has_namespace = True
        if names[:1] == ["namespace_or_key!"]:
            args, has_namespace = without_namespace(verb, args, keywords)
            names = ["namespace?", "key!", *(["value!", "ttl_s?"] if verb == "set" else [])]
        positions = [name.rstrip("!?") for name in names]
        if len(args) > len(positions):
            raise TypeError(f"{adapter}.{verb}: surplus argument")
        given, chosen = dict(zip(positions, args)), {}
        for written, value in keywords.items():
            key = written
            if written not in options and written not in positions:
                key = next((name for name in SECOND_NAMES.get(written, []) if name in options or name in positions), written)
            if key in given or key in chosen:
                raise TypeError(f"{adapter}.{verb}: '{key}' twice")
            if key in options:
                chosen[key] = value
            elif key in positions:
                given[key] = value
            else:
                raise TypeError(f"{adapter}.{verb}() got an unexpected keyword argument '{key}'")
        for name in names:
            if name.endswith("!") and name.rstrip("!?") not in given and name.rstrip("!?") not in chosen:
                raise TypeError(f"{adapter}.{verb}: missing {name.rstrip('!?')}")
        given, chosen = json.loads(json.dumps([given, chosen]))
        if not has_namespace and given.get("ttl_s") is not None:
            chosen["ttl_s"] = given.pop("ttl_s")
        bound = [given.get(name) for name in positions[0 if has_namespace else 1 :]]
        while bound and bound[-1] is None:
            bound.pop()
        chosen = {key: value for key, value in chosen.items() if value is not None}
        return bound + [chosen] if chosen else bound

    def call(self, adapter, verb, args, keywords):
        bound = self.bind(adapter, verb, args, keywords)
        name = f"{adapter}.{verb}"
        with self.lock:
            found = next((entry for entry in self.left if entry[0] == name and entry[1] == bound), None)
            if found is None:
                raise Unscripted(f"{name} {json.dumps(bound)}")
            self.left.remove(found)
            self.calls.append([name, bound])
        outcome = found[2]
        if "error" in outcome:
            error = outcome["error"]
            made = CLASSES.get(error["code"]) or (OF_FILES.get(error["code"]) if adapter == "fs" else None) or AdapterError
            raised = made(error["message"], error["code"], error.get("status"), error.get("details"), error.get("retryable", False))
            raised.adapter, raised.verb = adapter, verb
            raise raised
        return answer(copy.deepcopy(outcome["answer"]), adapter, VERBS[adapter][verb][2])


class Adapter:
    def __init__(self, name, run):
        self._name, self._run = name, run

    def __getattr__(self, word):
        for verb in VERBS[self._name]:
            if fold(verb) == fold(word):
                return lambda *args, **keywords: self._run.call(self._name, verb, args, keywords)
        raise AttributeError(f"{self._name} has no verb {word}")


def parallel_of(run):
    def parallel(functions, items=None, limit=8, settle=False):
        run.unordered = True
        if items is None:
            todo = [lambda function=function: function() for function in functions]
        else:
            todo = [lambda item=item: functions(item) for item in items]
        results, first = [], None
        for work in todo:
            try:
                value = work()
                results.append({"ok": True, "value": value} if settle else value)
            except Exception as error:
                first = first or error
                described = {
                    "type": type(error).__name__,
                    "code": getattr(error, "code", None),
                    "message": str(error),
                    "status": getattr(error, "status", None),
                    "details": getattr(error, "details", None),
                }
                results.append({"ok": False, "error": described})
        if first is not None and not settle:
            raise first
        return results

    return parallel


class Attempts:
    def __init__(self, times=3, backoff_ms=0, strategy="fixed"):
        if type(times) is not int or type(backoff_ms) not in (int, float):
            raise TypeError("times of retry must be an int, and backoff_ms a number")
        if times < 0 or not backoff_ms >= 0 or strategy not in ("fixed", "exponential"):
            raise ValueError("times and backoff_ms of retry must not be negative; strategy must be 'fixed' or 'exponential'")
        self.left = times

    def again(self, error):
        if not error.retryable or self.left == 0:
            return False
        self.left -= 1
        return True


class LeavingBlocks(ast.NodeTransformer):
    """`break` and `continue` of a block that becomes the body of a loop: they leave that loop, and `way` says how to continue after it."""

    def __init__(self, way):
        self.way = way

    def leave(self, node):
        number = 1 if isinstance(node, ast.Break) else 2
        return [*ast.parse(f"{self.way} = {number}").body, ast.Break()]

    visit_Break = visit_Continue = leave

    def visit_For(self, node):
        node.orelse = [one for part in node.orelse for one in self.parts(part)]
        return node

    visit_While = visit_For

    def parts(self, node):
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef


def is_retry(called):
    if not isinstance(called, ast.Call):
        return False
    name = called.func
    if isinstance(name, ast.Attribute) and isinstance(name.value, ast.Name) and name.value.id == "weft":
        return name.attr == "retry"
    return isinstance(name, ast.Name) and name.id == "retry"


class RepeatedBlocks(ast.NodeTransformer):
    """`with retry(n): BLOCK` becomes a loop, because a context manager of Python cannot repeat its block (amendment 17)."""

    count = 0

    def visit_With(self, node):
        self.generic_visit(node)
        called = node.items[0].context_expr
        if not is_retry(called):
            return node
        self.count += 1
        kept, way, error = f"_retry{self.count}", f"_way{self.count}", f"_error{self.count}"
        loop = ast.parse(
            f"{kept} = 0\n{way} = 0\nwhile True:\n    try:\n        pass\n    except _AdapterError as {error}:\n"
            f"        if not {kept}.again({error}): raise\n        continue\n    break"
        ).body
        loop[0].value = ast.Call(ast.Name("_Attempts", ast.Load()), called.args, called.keywords)
        leaving = LeavingBlocks(way)
        loop[2].body[0].body = [one for part in node.body for one in leaving.parts(part)]
        for number, word in (1, ast.Break), (2, ast.Continue):
            if any(isinstance(one, ast.Assign) and ast.unparse(one) == f"{way} = {number}" for one in ast.walk(loop[2])):
                loop.append(ast.If(ast.parse(f"{way} == {number}", mode="eval").body, [word()], []))
        return loop


def not_called(*_args, **_keywords):
    raise TypeError("retry stands in front of a block: with retry(3):")


class Shown:
    """What a run shows of itself: bounded as in Weft, and kept nowhere."""

    def __init__(self):
        self.sizes = {}

    def progress(self, value, text=None):
        if type(value) not in (int, float):
            raise TypeError(f"progress() argument 'value' must be int or float, not {type(value).__name__}")
        if text is not None and type(text) is not str:
            raise TypeError(f"progress() argument 'text' must be str, not {type(text).__name__}")
        if not 0 <= value <= 1:
            raise ValueError("progress() takes a number from 0 to 1")
        if text is not None and len(text) > 1000:
            raise ValueError("the text of progress() has at most 1000 characters")

    def set_state(self, name, value):
        if type(name) is not str:
            raise TypeError(f"set_state() argument 'name' must be str, not {type(name).__name__}")
        if not 1 <= len(name) <= 64:
            raise ValueError("names of set_state() have 1 to 64 characters")
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        sizes = {**self.sizes, name: len(name.encode()) + len(text.encode())}
        if len(sizes) > 64 or sum(sizes.values()) > 65536:
            raise ValueError("set_state() keeps at most 64 names and 65536 bytes")
        self.sizes = sizes


def names_for(run):
    """What a program sees as globals and in `from weft import …`."""
    adapters = {name: Adapter(name, run) for name in VERBS}
    shown = Shown()
    own = {"progress": shown.progress, "set_state": shown.set_state}
    return {**adapters, **own, "parallel": parallel_of(run), "retry": not_called, "AdapterError": AdapterError}


HIDDEN = {"_Attempts": Attempts, "_AdapterError": AdapterError}
