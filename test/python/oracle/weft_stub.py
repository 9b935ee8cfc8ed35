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
    # adapter -> verb -> [positional parameters, options]; "!" marks a required one, "?" an optional one.
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


def records(value):
    if isinstance(value, dict):
        return Record((key, records(item)) for key, item in value.items())
    if isinstance(value, list):
        return [records(item) for item in value]
    return value


def answer(value):
    made = records(value)
    return Answer(made) if isinstance(made, dict) else made


class AdapterError(RuntimeError):
    def __init__(self, message, code="ADAPTER_FAILED", status=None, details=None, retryable=False):
        super().__init__(message)
        self.code, self.status, self.details, self.retryable = code, status, records(details), retryable


class _Timeout(AdapterError, TimeoutError):
    pass


class _Connection(AdapterError, ConnectionError):
    pass


class _Permission(AdapterError, PermissionError):
    pass


class _Missing(AdapterError, FileNotFoundError):
    pass


CLASSES = {
    "ADAPTER_TIMEOUT": _Timeout,
    "ADAPTER_TRANSPORT": _Connection,
    "ADAPTER_NOT_ALLOWED": _Permission,
    "ADAPTER_WRITE_FORBIDDEN": _Permission,
    "ADAPTER_DELETE_FORBIDDEN": _Permission,
    "ADAPTER_PATH_ESCAPE": _Permission,
    "ADAPTER_HOST_BLOCKED": _Permission,
    "ADAPTER_NOT_FOUND": _Missing,
}
for made in CLASSES.values():
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
        names, options = VERBS[adapter][verb]
        positions = [name.rstrip("!?") for name in names]
        if len(args) > len(positions):
            raise TypeError(f"{adapter}.{verb}: surplus argument")
        given, chosen = dict(zip(positions, args)), {}
        for key, value in keywords.items():
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
        bound = [given.get(name) for name in positions]
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
            made = CLASSES.get(error["code"], AdapterError)
            raise made(error["message"], error["code"], error.get("status"), error.get("details"), error.get("retryable", False))
        return answer(copy.deepcopy(outcome["answer"]))


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


def names_for(run):
    """What a program sees as globals and in `from weft import …`."""
    adapters = {name: Adapter(name, run) for name in VERBS}
    return {**adapters, "parallel": parallel_of(run), "retry": not_called, "AdapterError": AdapterError}


HIDDEN = {"_Attempts": Attempts, "_AdapterError": AdapterError}
