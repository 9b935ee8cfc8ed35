"""Records what CPython 3.11 says of calls with wrong arguments: reads the rows of the library as JSON lines and writes a record of each.

A row is called with too few and too many arguments, and with names that are unknown, given twice or not to be used. What is called, and with which arguments,
is taken from the row's example. A record holds the module that a function says it is from, and the texts by how the call was made: `2 a b` is a call with two
arguments by position and those of the names `a` and `b`.
"""
import ast
import json
import re
import sys
import types

import record

# Says of a wrong argument, not of how arguments are taken.
SAYS_OF_ARGUMENTS = re.compile(r"NoneType|not None|must be ")
MODULES = {name: module for name, module in vars(record).items() if isinstance(module, types.ModuleType)}


def names_for(row):
    """Modules, and members of the row's own module, which its example may use alone."""
    own = MODULES.get(row["name"].partition(".")[0])
    return {**(vars(own) if own else {}), **vars(record)}


def parameters(params):
    """The parameters of a row: name, kind (position, any, name, rest, names) and whether it is required."""
    found = []
    for part in ast.parse(f"def f({params.replace('=...', '=0')}): 0").body:
        args = part.args
        defaults = [None] * (len(args.posonlyargs) + len(args.args) - len(args.defaults)) + list(args.defaults)
        kinds = ["position"] * len(args.posonlyargs) + ["any"] * len(args.args)
        for arg, kind, default in zip(args.posonlyargs + args.args, kinds, defaults):
            found.append((arg.arg, kind, default is None))
        if args.vararg:
            found.append((args.vararg.arg, "rest", False))
        for arg, default in zip(args.kwonlyargs, args.kw_defaults):
            found.append((arg.arg, "name", default is None))
        if args.kwarg:
            found.append((args.kwarg.arg, "names", False))
    return found


def call_of(row):
    """The call of the row in its example: source of what is called, arguments by position, arguments by name."""
    word = row["name"].rpartition(".")[2]
    for node in ast.walk(ast.parse(row["example"], mode="eval")):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
            if called == word and not any(isinstance(arg, ast.Starred) for arg in node.args):
                function = ast.unparse(node.func)
                # Rows of frozenset share the examples of set.
                if row["name"].startswith("frozenset.") and not function.startswith("frozenset"):
                    function = f"frozenset({function.rpartition('.')[0]}).{word}"
                return (
                    function,
                    [ast.unparse(arg) for arg in node.args],
                    {arg.arg: ast.unparse(arg.value) for arg in node.keywords if arg.arg},
                )
    return None


def attempts(row, given, named):
    own = [one for one in parameters(row["params"]) if one[0] != "self"]
    by_place = [one for one in own if one[1] in ("position", "any")]
    required = [one for one in by_place if one[2]]
    takes_rest = any(kind == "rest" for _, kind, _ in own)
    takes_names = any(kind == "names" for _, kind, _ in own)
    full = given + ["None"] * (len(by_place) + 2)
    base = full[: max(len(given), len(required))] if not named else given
    for count in range(len(required)):
        yield full[:count], {}
    if not takes_rest:
        yield full[: len(by_place) + 1], {}
        yield full[: len(by_place) + 2], {"unknown": "1"}
    if not takes_names:
        yield full[:1], {"unknown": "1"}
        yield base, {**named, "unknown": "1"}
    for at, (name, kind, _) in enumerate(by_place):
        if kind == "position":
            if not takes_names:
                yield full[:at], {name: full[at]}
        else:
            yield full[: at + 1], {name: full[at]}
    for name, kind, is_required in own:
        if kind == "any" and not is_required and len(by_place) > 1:
            yield [], {name: "None"}


def recorded(row):
    call = call_of(row)
    if call is None:
        return None
    function, given, named = call
    names = names_for(row)
    texts = {}
    for args, keywords in attempts(row, given, named):
        source = f"{function}({', '.join([*args, *(f'{name}={value}' for name, value in keywords.items())])})"
        try:
            eval(source, dict(names))
        except TypeError as error:
            if not SAYS_OF_ARGUMENTS.search(str(error)):
                texts[" ".join([str(len(args)), *keywords])] = str(error)
        except Exception:
            pass
    module = getattr(eval(function, dict(names)), "__module__", None)
    return {"module": module, "texts": texts}


for line in sys.stdin:
    row = json.loads(line)
    if row["name"].startswith(("weft.", "host.")):
        continue
    try:
        made = recorded(row)
    except (SyntaxError, NameError):
        made = None
    if made is not None:
        print(json.dumps([row["name"], made]), flush=True)
