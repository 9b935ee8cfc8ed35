#: texts-of-wrong-counts | calls
def said(call):
    try:
        return call()
    except TypeError as error:
        return str(error)

def main():
    return [
        said(lambda: "a".join()),
        said(lambda: "a".join("b", "c")),
        said(lambda: [].append()),
        said(lambda: [].append(1, 2)),
        said(lambda: [].copy(1)),
        said(lambda: {}.pop()),
        said(lambda: {}.pop(1, 2, 3)),
        said(lambda: sum()),
        said(lambda: sum([], 1, 2)),
        said(lambda: round()),
        said(lambda: "a".split(1, 2, 3)),
        said(lambda: "a".find()),
        said(lambda: "a".find("a", 1, 2, 3)),
        said(lambda: range()),
        said(lambda: range(1, 2, 3, 4)),
        said(lambda: list(1, 2)),
        said(lambda: isinstance(1)),
        said(lambda: divmod(1)),
        said(lambda: len()),
        said(lambda: "a".upper(1)),
    ]

#: texts-of-wrong-names | calls
def said(call):
    try:
        return call()
    except TypeError as error:
        return str(error)

def main():
    return [
        said(lambda: "a".join(iterable="b")),
        said(lambda: print("x", file_name="y")),
        said(lambda: "a".split(separator=",")),
        said(lambda: "a".split(",", sep=",")),
        said(lambda: {}.get("a", default=1)),
        said(lambda: {}.setdefault("a", default=1)),
        said(lambda: bool(x=1)),
        said(lambda: int(x=1)),
        said(lambda: list(sequence=[])),
        said(lambda: [].sort(lambda value: value)),
        said(lambda: [].sort(cmp=1)),
        said(lambda: max([1], by=len)),
        said(lambda: zip([1], stric=True)),
    ]

#: texts-of-wrong-calls-of-modules | calls
import bisect
import functools
import heapq
import json
import math
import operator
import re
import statistics
import textwrap
from collections import Counter, deque
from datetime import date, timedelta
from itertools import accumulate

def said(call):
    try:
        return call()
    except TypeError as error:
        return str(error)

def main():
    return [
        said(lambda: math.sqrt()),
        said(lambda: math.isclose(1)),
        said(lambda: math.isclose(1, 2, 3)),
        said(lambda: re.sub("a", "b")),
        said(lambda: re.sub("a", "b", "c", 0, 0, 0)),
        said(lambda: re.match("a", "b", flag=1)),
        said(lambda: json.dumps()),
        said(lambda: json.dumps(1, 2)),
        said(lambda: statistics.mean()),
        said(lambda: statistics.mean([1], [2])),
        said(lambda: textwrap.shorten("a")),
        said(lambda: heapq.heappush([])),
        said(lambda: heapq.nlargest(1)),
        said(lambda: heapq.heappop([], key=1)),
        said(lambda: bisect.bisect([1])),
        said(lambda: bisect.insort([1], 2, high=1)),
        said(lambda: functools.reduce(1)),
        said(lambda: operator.add(1)),
        said(lambda: operator.add(a=1, b=2)),
        said(lambda: Counter([1], [2])),
        said(lambda: Counter().most_common(1, 2)),
        said(lambda: deque(1, 2, 3)),
        said(lambda: deque().append()),
        said(lambda: deque().popleft(1)),
        said(lambda: date(2024)),
        said(lambda: date(2024, 1, 1, 1)),
        said(lambda: date(2024, 1, 1).replace(century=1)),
        said(lambda: date.fromisoformat()),
        said(lambda: date(2024, 1, 1).isoformat(1)),
        said(lambda: timedelta(1, day=2)),
        said(lambda: accumulate()),
    ]

#: texts-of-unbound-methods | calls
def said(call):
    try:
        return call()
    except TypeError as error:
        return str(error)

def main():
    return [
        said(lambda: str.upper()),
        said(lambda: str.split()),
        said(lambda: dict.get()),
        said(lambda: list(map(str.join, [","], [["a"]]))),
        said(lambda: list(map(str.upper, [","], [["a"]]))),
        said(lambda: dict.fromkeys()),
        said(lambda: bytes.fromhex()),
    ]

#: texts-of-wrong-calls-of-functions | calls
def said(call):
    try:
        return call()
    except TypeError as error:
        return str(error)

def one(a):
    return a

def many(a, b=2, *, c, d=4):
    return (a, b, c, d)

def placed(a, /, b):
    return (a, b)

def open_end(*args, key):
    return (args, key)

def main():
    return [
        said(lambda: one()),
        said(lambda: one(1, 2)),
        said(lambda: one(1, a=1)),
        said(lambda: one(b=1)),
        said(lambda: many()),
        said(lambda: many(1)),
        said(lambda: many(1, 2, 3)),
        said(lambda: many(1, 2, 3, c=1)),
        said(lambda: many(1, 2, 3, c=1, d=1)),
        said(lambda: many(b=1, c=2)),
        said(lambda: placed(a=1, b=2)),
        said(lambda: placed(1)),
        said(lambda: placed()),
        said(lambda: open_end(1, 2)),
        said(lambda: open_end(1, 2, word=1)),
        said(lambda: (lambda: 1)(2)),
    ]

#: same-functions | calls
import bisect

def main():
    return [
        bisect.bisect == bisect.bisect_right,
        bisect.bisect == bisect.bisect_left,
        bisect.insort == bisect.insort_right,
        bisect.bisect.__name__,
        [bisect.bisect_left, bisect.bisect].index(bisect.bisect_right),
    ]

#: bools-from-bytes | calls
def main():
    return [
        bool.from_bytes(b"\x00\x00", "big"),
        bool.from_bytes(b"\x00\x01"),
        bool.from_bytes([0, 3], "little"),
        type(bool.from_bytes(b"", "big")).__name__,
        int.from_bytes(b"\x01", "big"),
    ]

#: list-changed-and-restored-while-sorting | calls
from functools import cmp_to_key

def main():
    log = []
    values = [3, 1, 2]

    def by(x, y):
        values.append(3)
        values.pop()
        return x - y

    def looks(x, y):
        log.append(len(values))
        values.clear()
        return x - y

    for compare in (by, looks):
        try:
            values.sort(key=cmp_to_key(compare))
            log.append("sorted")
        except ValueError as error:
            log.append(str(error))
        log.append(list(values))

    def cleared(value):
        values.insert(0, value)
        del values[:]
        return value

    try:
        values.sort(key=cleared)
    except ValueError as error:
        log.append(str(error))
    log.append(values)
    return log

#: ordered-dict-by-name | calls
from collections import OrderedDict

def main():
    members = OrderedDict(a=1)
    log = [members.setdefault("b", default=2), members.setdefault(key="a"), members.setdefault("c")]
    log.append(members.pop("b", default=5))
    log.append(members.pop("b", default=5))
    log.append(members.pop(key="a"))
    try:
        members.pop("x")
    except KeyError as error:
        log.append(str(error))
    return [log, list(members.items())]

#: fields-of-urls | calls
from urllib.parse import urldefrag, urlparse, urlsplit, ParseResult

def main():
    parts = urlparse("https://u:p@host.example:81/a;b?c=1#d")
    return [
        parts._asdict(),
        list(parts._fields),
        list(ParseResult._fields),
        dict(zip(urlsplit("//h/p")._fields, urlsplit("//h/p"))),
        urldefrag("http://a/#x")._asdict(),
        type(parts._asdict()).__name__,
    ]

#: dialects-of-readers | calls
import csv
import io

def main():
    reader = csv.reader(["a;b"], delimiter=";", quoting=csv.QUOTE_ALL)
    writer = csv.writer(io.StringIO(), "excel-tab")
    again = csv.reader(["c;d"], dialect=reader.dialect)
    return [
        reader.dialect.delimiter,
        reader.dialect.quoting,
        reader.dialect.quotechar,
        reader.dialect.escapechar,
        reader.dialect.doublequote,
        reader.dialect.lineterminator,
        reader.dialect.skipinitialspace,
        reader.dialect.strict,
        writer.dialect.delimiter == "\t",
        reader.dialect == reader.dialect,
        list(again),
    ]

#: sequence-patterns-look-at-what-they-name | calls
from collections import deque

def main():
    log = []
    for value in (range(1 << 30), [1, 2], (1,), deque([1, 2, 3]), "ab", [1, [2, 3], 4]):
        match value:
            case [first, second, *_, last] if first != last:
                log.append([first, second, last])
            case [x, *_, [a, b], _]:
                log.append([x, a, b])
            case [x, y, *_]:
                log.append([x, y])
            case [*_, x]:
                log.append(x)
            case _:
                log.append(None)
    return log

#: looks-in-patterns | re
import re

def main():
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", "orderLineTotal").lower()
    snake_of_acronyms = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", "HTTPResponseCode").lower()
    strong = re.compile(r"^(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$")
    return [
        snake,
        snake_of_acronyms,
        re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", "1234567"),
        re.sub(r"(?<=\d)(?=(?:\d{3})+(?!\d))", "_", "cost 1234567.25 or 9876543"),
        re.split(r"(?<=[.!?])\s+", "One. Two!  Three? Four"),
        re.findall(r"(?<![\w.])@(\w+)", "mail a@b.c, ask @ann and @bob"),
        [bool(strong.match(word)) for word in ("Secret#12", "secret#12", "Short#1", "NoDigits##")],
        re.findall(r"\b(?!the\b)\w+", "the cat and the other dog"),
        re.findall(r"(?=(\w\w))", "abcd"),
        [m.span() for m in re.finditer(r"(?<!\d)\d{2}(?!\d)", "12 345 67 8 90")],
        [m.groups() for m in re.finditer(r"(?=(a|b)(c)?)\w", "acb")],
        re.search(r"(?<=(\d))x", "a1x").groups(),
        re.search(r"(?!(b))a", "ba").groups(),
        re.search(r"(?=(a))(?=(.b))ab", "cab").lastindex,
        re.findall(r"(?<=\U0001F600)a", "\U0001F600a ba"),
        re.fullmatch(r"(?=a)\w+(?<=z)", "abcz") is not None,
        re.compile("(?<=ab)c").match("abc", 2) is not None,
        re.compile("ab(?=c)").match("abc", 0, 2) is None,
    ]

#: wrong-looks-in-patterns | re
import re

def main():
    log = []
    for pattern in ("(?<=a+)b", "(?<!a|bc)b", "(?<=a{2})b", "(?<=a", "(?<a)b", "(?=a", "(?!", "(?<", "(?<=a+)b(", "(?=a)*b", "(?!)", "(?<=(?=a+))b"):
        try:
            compiled = re.compile(pattern)
            log.append([pattern, compiled.findall("aab b")])
        except re.error as error:
            log.append([pattern, str(error), error.msg, error.pos, error.lineno])
    return log

#: word-edges-after-lazy-beginnings | re
import re

def main():
    return [
        re.findall(r"a??\b[ab]", "aca1aa b"),
        re.findall(r"a??\B[ab]", "aca1aa b"),
        re.findall(r"(?m)x??^[ab]", "ab\nba\nxa"),
    ]

#: caches-say-what-they-hold | library
from functools import cache, lru_cache

@lru_cache(maxsize=2)
def double(n):
    return n * 2

@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

@lru_cache(maxsize=0, typed=True)
def plain(n):
    return n

def main():
    for n in (1, 2, 1, 3, 1, 2):
        double(n)
    fib(30)
    plain(1)
    plain(1)
    hits, misses, maxsize, currsize = double.cache_info()
    log = [hits, misses, maxsize, currsize, str(fib.cache_info()), repr(plain.cache_info()), fib.cache_info().hits]
    fib.cache_clear()
    info = fib.cache_info()
    return log + [list(info), type(info).__name__, info == (0, 0, None, 0), double.cache_parameters(), plain.cache_parameters()]

#: causes-of-exceptions | exceptions
class ConfigError(Exception):
    pass

def main():
    log = []
    try:
        try:
            int("x")
        except ValueError as error:
            raise ConfigError("bad port") from error
    except ConfigError as error:
        log.append([str(error), type(error.__cause__).__name__, str(error.__cause__), error.__cause__.__cause__])
    try:
        raise ConfigError("no cause") from None
    except ConfigError as error:
        log.append(error.__cause__)
        log.append(getattr(error, "__cause__"))
    chain = ValueError("outer")
    try:
        raise chain from KeyError("inner")
    except ValueError as error:
        found = error
        while found is not None:
            log.append(repr(found))
            found = found.__cause__
    return log

#: exceptions-of-the-system | exceptions
import json

def main():
    log = []
    for error in (
        IOError(2, "No such file", "a.txt"), OSError(104, "reset"), OSError(32, "broken"), OSError(111, "refused"), OSError(20, "no"), OSError(21, "is"),
        OSError(3, "p"), OSError(4, "i"), OSError(10, "c"), OSError(103, "a"), OSError(108, "s"),
        ImportError("no module", name="x"), ModuleNotFoundError("none"), SystemError("s"), BufferError(), ReferenceError("r"), FloatingPointError("f"),
    ):
        log.append([repr(error), str(error), isinstance(error, OSError), isinstance(error, ConnectionError), isinstance(error, ImportError)])
    for raises in (ConnectionResetError("gone"), IsADirectoryError(21, "Is a directory"), ModuleNotFoundError("none", name="m", path="p"), EnvironmentError("e")):
        try:
            raise raises
        except ConnectionResetError as error:
            log.append(str(error))
        except ImportError as error:
            log.append([error.name, error.path, error.msg])
        except IOError as error:
            log.append([error.errno, str(error)])
    try:
        json.loads("{")
    except json.decoder.JSONDecodeError as error:
        log.append([error.pos, error.msg])
    log.append([IOError == OSError, EnvironmentError == OSError, json.decoder.JSONDecodeError == json.JSONDecodeError, IOError.__name__])
    try:
        ImportError("a", nam="b")
    except TypeError as error:
        log.append(str(error))
    return log

#: texts-with-a-byte-order-mark | bytes
def main():
    log = [
        "a\u00e9".encode("utf-8-sig").hex(),
        b"\xef\xbb\xbfa".decode("utf-8-sig"),
        b"a".decode("UTF-8-SIG"),
        b"\xef\xbb\xbf\xef\xbb\xbfa".decode("utf-8-sig") == "\ufeffa",
        b"\xef\xbb\xbfa".decode("utf-8") == "\ufeffa",
        b"\xef\xbb".decode("utf-8-sig", "ignore"),
        "".encode("utf_8_sig").hex(),
    ]
    for data in (b"\xef\xbb\xbfa\xff", b"\xef\xbb", b"a\xff"):
        try:
            data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            log.append([str(error), error.encoding, error.start, error.object.hex()])
    return log

#: escapes-without-names-in-patterns | re
import re

def main():
    log = []
    for pattern in ("\\N", "a\\N", "[\\N]", "\\Nx", "\\"):
        try:
            log.append(re.compile(pattern).pattern)
        except re.error as error:
            log.append(str(error))
    return log

#: classes-of-values | types
class OrderError(Exception):
    pass

def main():
    log = []
    for value in (1, True, None, 1.5, "a", [], {}, (1,), {1}, int, len, main, range(2), OrderError("x")):
        log.append([value.__class__.__name__, value.__class__ == type(value), getattr(value, "__class__") == type(value)])
    try:
        {}["k"]
    except Exception as error:
        log.append(f"{error.__class__.__name__}: {error}")
    try:
        raise OrderError("late")
    except OrderError as error:
        log.append([error.__class__ == OrderError, error.__class__ is OrderError, str(error.__class__.__name__).lower()])
    return log
