"""Trees and verdicts of CPython, as texts that a tree of the parser is compared with.

Reads a JSON object from standard input and writes a JSON list to standard output:
    {"trees": [source, ...]}    -> the text of each tree, or null where CPython refuses the source
    {"accepts": [source, ...]}  -> true, or the message of the refusal
    {"files": [path, ...]}      -> {"source", "tree"}, or null for a file that is not UTF-8 without a mark
    {"names": [text, ...]}      -> two for each: whether it is a name, and whether it can follow a letter in one

    python3 test/python/grammar/oracle.py --record

writes recorded.json: the verdict of each source of probes.txt, and for those of constructs.txt and of the case files the hash of the tree.
"""

import ast
import hashlib
import json
import re
import struct
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
sys.set_int_max_str_digits(0)

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.MatMult: "@", ast.UAdd: "+", ast.USub: "-", ast.Invert: "~",
    ast.Not: "not", ast.And: "and", ast.Or: "or", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
# Fields of a node in the order of tree.ts; a kind that is not named has those of ast.
FIELDS = {
    "FunctionDef": ["name", "args", "body", "decorator_list", "returns"],
    "AsyncFunctionDef": ["name", "args", "body", "decorator_list", "returns"],
    "ClassDef": ["name", "bases", "keywords", "body", "decorator_list"],
    "Assign": ["targets", "value"],
    "For": ["target", "iter", "body", "orelse"],
    "AsyncFor": ["target", "iter", "body", "orelse"],
    "With": ["items", "body"],
    "AsyncWith": ["items", "body"],
    "Attribute": ["value", "attr"],
    "Subscript": ["value", "slice"],
    "Starred": ["value"],
    "Name": ["id"],
    "List": ["elts"],
    "Tuple": ["elts"],
    "arg": ["arg", "annotation"],
    "Module": ["body"],
}


class Dump:
    def __init__(self, source):
        self.lines = re.split(r"\r\n|\r|\n", source)
        self.starts = []
        length = 0
        previous = 0
        for match in re.finditer(r"\r\n|\r|\n|\Z", source):
            self.starts.append(length)
            length += utf16(source[previous : match.end()])
            previous = match.end()

    def offset(self, line, column):
        text = self.lines[line - 1]
        if not text.isascii():
            column = utf16(text.encode()[:column].decode())
        return self.starts[line - 1] + column

    def place(self, node, hidden):
        if hidden or not hasattr(node, "lineno"):
            return ""
        return f"@{self.offset(node.lineno, node.col_offset)}-{self.offset(node.end_lineno, node.end_col_offset)}"

    def text(self, value, hidden=False):
        if value is None:
            return "-"
        if isinstance(value, list):
            return "[" + " ".join(self.text(one, hidden) for one in value) + "]"
        if type(value) in OPERATORS:
            return OPERATORS[type(value)]
        if isinstance(value, ast.Constant):
            return f"(Constant{self.place(value, hidden)} {constant(value.value)})"
        if isinstance(value, ast.MatchSingleton):
            return f"(MatchSingleton{self.place(value, hidden)} {constant(value.value)})"
        if isinstance(value, ast.FormattedValue):
            conversion = "-" if value.conversion == -1 else chr(value.conversion)
            return f"(FormattedValue {self.text(value.value, hidden)} {conversion} {self.text(value.format_spec, hidden)})"
        if isinstance(value, ast.AST):
            kind = type(value).__name__
            inner = hidden or kind == "JoinedStr"
            fields = [getattr(value, name) for name in FIELDS.get(kind, value._fields)]
            parts = "".join(" " + self.text(one, inner) for one in fields)
            return f"({kind}{self.place(value, hidden)}{parts})"
        if isinstance(value, (bool, int)):
            return str(int(value))
        return json.dumps(value, ensure_ascii=False)


def utf16(text):
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def constant(value):
    if value is Ellipsis:
        return "ellipsis"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return f"bool {str(value).lower()}"
    if isinstance(value, int):
        return f"int {value:x}"
    if isinstance(value, float):
        return f"float {bits(value)}"
    if isinstance(value, complex):
        return f"complex {bits(value.imag)}"
    if isinstance(value, bytes):
        return f"bytes {json.dumps(value.decode('latin-1'), ensure_ascii=False)}"
    return f"str {json.dumps(value, ensure_ascii=False)}"


def bits(number):
    return struct.pack(">d", number).hex()


def tree(source):
    return Dump(source).text(ast.parse(source)) if accepts(source) is True else None


def accepts(source):
    try:
        compile(source, "f", "exec")
        return True
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


def read(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            source = file.read()
    except (UnicodeDecodeError, OSError):
        return None
    # As a text for compile() a file must not begin with a byte order mark.
    return None if source.startswith("\ufeff") else {"source": source, "tree": tree(source)}


HERE = Path(__file__).parent
SEPARATOR = "\n---\n"


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def case_sources():
    sys.path.insert(0, str(HERE.parent / "oracle"))
    from record import cases_of

    for name in ("corpus", "traps", "constructs", "effects"):
        for case in cases_of(HERE.parent / "cases" / f"{name}.py"):
            yield case["source"]


def record():
    trees = {}
    for source in [*(HERE / "constructs.txt").read_text(encoding="utf-8").split(SEPARATOR), *case_sources()]:
        made = tree(source)
        trees[sha(source)] = None if made is None else sha(made)
    probes = (HERE / "probes.txt").read_text(encoding="utf-8").split(SEPARATOR)
    verdicts = {sha(source): accepts(source) is True for source in probes}
    lines = [f"{json.dumps(name)}: {json.dumps(one, indent=0)}" for name, one in (("trees", trees), ("accepted", verdicts))]
    (HERE / "recorded.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main():
    sys.setrecursionlimit(20000)
    if sys.argv[1:] == ["--record"]:
        record()
        return
    asked = json.load(sys.stdin)
    if "trees" in asked:
        answer = [tree(source) for source in asked["trees"]]
    elif "names" in asked:
        answer = [accepted for point in asked["names"] for accepted in (point.isidentifier(), f"a{point}".isidentifier())]
    elif "accepts" in asked:
        answer = [accepts(source) for source in asked["accepts"]]
    else:
        answer = [read(path) for path in asked["files"]]
    json.dump(answer, sys.stdout, ensure_ascii=True)


main()
