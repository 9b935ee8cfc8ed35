"""
Runs programs in CPython as Weft runs them. One process serves many programs: each line of standard input is a JSON list of programs, and
each gets a line of JSON with their outcomes.

A program is {"source", "files": texts by path, or absent, "runs": [{"frame": JSON text, "script": scripted answers or absent}]}. An outcome is {"value": JSON text},
{"raises": class, "message"} or {"inexact": why the value has no exact JSON text}; it has "prints" when the program printed and "calls" when
it has a script.
"""

import ast
import asyncio
import collections
import contextlib
import importlib
import inspect
import io
import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import types
import warnings

import weft_stub

SECONDS_OF_A_RUN = 10
MEMORY_BYTES = 4 << 30
# Above the largest result of a run of Weft. A batch of outcomes is one line, which the reader holds as one text.
MOST_OF_AN_OUTCOME = 8 << 20
RECURSION = 6000


class TooLong(BaseException):
    pass


def out_of_time(_signal, _frame):
    raise TooLong()


def is_guard(node):
    """`if __name__ == "__main__":`"""
    return isinstance(node, ast.If) and any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(node.test))


def acts(node, functions):
    """Whether a statement of the top level makes a file with functions a script."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, (ast.For, ast.While, ast.Try, ast.With)):
        return True
    if isinstance(node, ast.If):
        return not is_guard(node)
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
        called = (n.func for n in ast.walk(node.value) if isinstance(n, ast.Call))
        return any(isinstance(f, ast.Name) and f.id in functions for f in called)
    return False


def value_of_script(tree, scope):
    """The value of the last line: of an expression, of `print(x)` x, else of the variable `result`."""
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "program", "exec"), scope)
        return scope.get("result")
    exec(compile(ast.Module(tree.body[:-1], []), "program", "exec"), scope)
    shown = last.value
    if isinstance(shown, ast.Call) and isinstance(shown.func, ast.Name) and shown.func.id == "print":
        if len(shown.args) != 1 or shown.keywords or isinstance(shown.args[0], ast.Starred):
            eval(compile(ast.Expression(shown), "program", "eval"), scope)
            return None
        value = eval(compile(ast.Expression(shown.args[0]), "program", "eval"), scope)
        print(value)
        return value
    return eval(compile(ast.Expression(shown), "program", "eval"), scope)


def value_of(source, frame, run):
    tree = ast.parse(source)
    scope = {"__name__": "program"}
    if run is not None:
        tree = ast.fix_missing_locations(weft_stub.RepeatedBlocks().visit(tree))
        names = weft_stub.names_for(run)
        module = types.ModuleType("weft")
        module.__dict__.update(names)
        sys.modules["weft"] = module
        scope.update(names, **weft_stub.HIDDEN)
        run.unordered = "gather" in source or "ThreadPool" in source
    functions = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not functions or ("main" not in functions and any(acts(node, functions) for node in tree.body)):
        scope.update(frame)
        return value_of_script(tree, scope)
    exec(compile(tree, "program", "exec"), scope)
    value = scope["main" if "main" in functions else functions[0]](**frame)
    return asyncio.run(value) if inspect.iscoroutine(value) else value


class Inexact(Exception):
    """The value has a JSON text that no JSON reader takes back as it was."""


def without_twins(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise Inexact("two keys have one text")


def as_list(value):
    """What leaves a run of Weft as a list, although json.dumps refuses it."""
    if isinstance(value, (collections.deque, range)):
        return list(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def json_text(value):
    text = json.dumps(value, ensure_ascii=False, default=as_list)
    if "Infinity" in text or "NaN" in text:
        with contextlib.suppress(ValueError):
            json.dumps(value, allow_nan=False, default=as_list)
            return text
        raise Inexact("not a finite number")
    if isinstance(value, (dict, list, tuple)):
        json.loads(text, object_pairs_hook=without_twins)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value, default=as_list)
    return text


def class_name(error):
    return "AdapterError" if isinstance(error, weft_stub.AdapterError) else type(error).__name__


def outcome_of(source, given):
    script = given.get("script")
    run = None if script is None else weft_stub.Scripted(script)
    printed = io.StringIO()
    signal.setitimer(signal.ITIMER_REAL, SECONDS_OF_A_RUN)
    try:
        with contextlib.redirect_stdout(printed):
            value = value_of(source, json.loads(given["frame"]), run)
            text = json_text(value)
            if len(text) + printed.tell() > MOST_OF_AN_OUTCOME:
                raise TooLong()
            outcome = {"value": text}
    except Inexact as error:
        outcome = {"inexact": str(error)}
    except (Exception, SystemExit) as error:
        outcome = {"raises": class_name(error)}
        with contextlib.suppress(Exception):
            outcome["message"] = str(error).encode("utf-8", "backslashreplace").decode()
        if isinstance(error, weft_stub.AdapterError):
            outcome["code"] = error.code
    except TooLong:
        outcome = {"raises": "TooLong"}
    except weft_stub.Unscripted as error:
        outcome = {"unscripted": str(error)}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if printed.getvalue() and outcome.get("raises") != "TooLong":
        outcome["prints"] = printed.getvalue()
    if run is not None:
        outcome["calls"] = run.calls
        if run.unordered:
            outcome["unordered"] = True
        if run.left:
            outcome["unused"] = [entry[0] for entry in run.left]
    return outcome


@contextlib.contextmanager
def folder_with(files):
    """A folder that the program imports from, as if it was the folder of the script; its name."""
    if not files:
        yield None
        return
    # A module that an earlier program has loaded is not found in place of a file of its name.
    tops = {path.split("/")[0].removesuffix(".py") for path in files}
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in tops}
    known = set(sys.modules)
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = os.path.join(folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            yield folder
        finally:
            sys.path.remove(folder)
            for name in set(sys.modules) - known:
                places = list(getattr(sys.modules[name], "__path__", None) or [])
                place = getattr(sys.modules[name], "__file__", None) or (places[0] if places else "")
                if place.startswith(folder):
                    del sys.modules[name]
            sys.modules.update(hidden)


def outcome_in_folder(program, given):
    with folder_with(program.get("files")) as folder:
        outcome = outcome_of(program["source"], given)
    if folder is not None and "message" in outcome:
        outcome["message"] = outcome["message"].replace(folder + os.sep, "")
    return outcome


def serve():
    signal.signal(signal.SIGALRM, out_of_time)
    for line in sys.stdin:
        programs = json.loads(line)
        outcomes = [[outcome_in_folder(p, given) for given in p["runs"]] for p in programs]
        sys.__stdout__.write(json.dumps(outcomes) + "\n")
        sys.__stdout__.flush()


def main():
    os.environ["TZ"] = "UTC"
    time.tzset()
    time.sleep = lambda seconds: None
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    sys.setrecursionlimit(RECURSION)
    serve()


if __name__ == "__main__":
    main()
