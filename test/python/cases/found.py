#: order-1 | evaluation order
def main():
    a = 1
    def bump():
        nonlocal a
        a = 10
        return 1
    return a + bump()

#: key-of-whole-float | borders
def main():
    return {1e16: 1, 5.0: 2, 1e-7: 3, 0.5: 4, -0.0: 5}

#: constant-of-type | attributes
from datetime import datetime, date, timezone
def main():
    zone = timezone
    return [str(timezone.utc), str(zone.utc), str(date.min), str(date(2024, 1, 1).max), str(datetime.min)]

#: lookup-before-comprehension | evaluation order
def main():
    log = []
    try:
        {1}.append([log.append(q) for q in [1]])
    except AttributeError:
        log.append("AttributeError")
    xs = []
    xs.append([q * 2 for q in (1, 2)])
    xs.extend(*[[q] for q in "a"])
    return [log, xs, "-".join([str(q) for q in (1, 2)]), {"a": 1}.get(*[k for k in "ab"])]

#: int-and-tiny-float | numbers
def main():
    one, tiny, total = 1, 1e-20, 5
    total += 1e-17
    sums = [one + tiny, one - tiny, tiny + one, 1 + 5e-324, 1 - 5e-324, -1 - tiny, total]
    for n in range(3):
        sums.append(n - tiny)
    return [repr(s) for s in sums]

#: displays-in-parts | evaluation order
def main():
    log = []

    def seen(value):
        log.append(str(value))
        return value

    def refused(display):
        try:
            display()
        except TypeError as error:
            log.append(type(error).__name__)

    refused(lambda: {(): 0, seen(1): seen(2), **seen({}), tuple([[]]): seen(3), seen(4): seen(5)})
    refused(lambda: {tuple([[]]): 0, 0: seen(6), **seen(7)})
    refused(lambda: {seen(8): 0, **seen(9), seen(10): 0})
    refused(lambda: {seen(11), tuple([[]]), *seen([12])})
    refused(lambda: {*seen([13]), tuple([[]]), seen(14)})
    refused(lambda: {*(seen(n) for n in [15, [], 16])})
    refused(lambda: [seen(17), *seen(18), seen(19)])
    v = 0
    try:
        [*0, (v := 10)]
    except TypeError as error:
        log.append(str(error))
    try:
        dict(**0, x=(v := 20))
    except TypeError:
        log.append(v)
    return log

#: long-displays-one-by-one | evaluation order
def main():
    log = []

    def seen(value):
        log.append(value)
        return value

    def refused(display):
        log.append("-")
        try:
            display()
        except TypeError:
            pass

    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0})
    refused(lambda: {**{}, tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, **{}})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0})
    refused(lambda: {**{}, tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, **{}})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0})
    refused(lambda: {**{}, tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, **{}})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0})
    refused(lambda: {**{}, tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, **{}})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0})
    refused(lambda: {**{}, tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0, **{}})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0, seen(33): 0})
    refused(lambda: {tuple([[]]): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0, seen(33): 0, seen(34): 0})
    refused(lambda: {tuple([[]]), seen(1), seen(2), seen(3), seen(4), seen(5), seen(6), seen(7), seen(8), seen(9), seen(10), seen(11), seen(12), seen(13), seen(14), seen(15), seen(16), seen(17), seen(18), seen(19), seen(20), seen(21), seen(22), seen(23), seen(24), seen(25), seen(26), seen(27), seen(28), seen(29)})
    refused(lambda: {tuple([[]]), seen(1), seen(2), seen(3), seen(4), seen(5), seen(6), seen(7), seen(8), seen(9), seen(10), seen(11), seen(12), seen(13), seen(14), seen(15), seen(16), seen(17), seen(18), seen(19), seen(20), seen(21), seen(22), seen(23), seen(24), seen(25), seen(26), seen(27), seen(28), seen(29), seen(30)})
    refused(lambda: {seen(0): 0, seen(1): 0, seen(2): 0, tuple([[]]): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0})
    refused(lambda: {seen(0): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, tuple([[]]): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0})
    refused(lambda: {seen(0): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, tuple([[]]): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0})
    refused(lambda: {seen(0): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, tuple([[]]): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, seen(32): 0})
    refused(lambda: {seen(0): 0, seen(1): 0, seen(2): 0, seen(3): 0, seen(4): 0, seen(5): 0, seen(6): 0, seen(7): 0, seen(8): 0, seen(9): 0, seen(10): 0, seen(11): 0, seen(12): 0, seen(13): 0, seen(14): 0, seen(15): 0, seen(16): 0, seen(17): 0, seen(18): 0, seen(19): 0, seen(20): 0, seen(21): 0, seen(22): 0, seen(23): 0, seen(24): 0, seen(25): 0, seen(26): 0, seen(27): 0, seen(28): 0, seen(29): 0, seen(30): 0, seen(31): 0, tuple([[]]): 0})
    return log

#: functools-wraps | decorators
import functools
from functools import wraps

def deco(f):
    @wraps(f)
    def inner(*args, **kwargs):
        """doc"""
        return [f.__name__, f(*args, **kwargs)]
    return inner

def times(n):
    def outer(f):
        @functools.wraps(f)
        def run(*args, **kwargs):
            return [f(*args, **kwargs) for _ in range(n)]
        return run
    return outer

@deco
def g(x, *, y=2):
    return x + y

@times(2)
@deco
def h(a, b):
    return a * b

def main():
    log = [g(1), g(1, y=5), h(2, 3), g.__name__, h.__name__, functools.wraps(len)(lambda x: x)(4)]
    def inner(a):
        return a
    make = lambda a, b: a
    for call in (lambda: inner(), lambda: inner(1, 2), lambda: inner(b=1), lambda: g(), lambda: h(1), lambda: make(), lambda: deco(), lambda: (lambda q: q)(), lambda: inner(1, a=2)):
        try:
            call()
        except TypeError as e:
            log.append(str(e))
    return log

#: type-aliases | annotations
from typing import Any, Callable, Dict, List, NewType, Optional, TypeVar, Union

Json = Dict[str, Any]
Number = Union[int, float]
Rows = list[dict]
Handler = Callable[[Json], Number]
Maybe = int | None
Id = NewType("Id", int)
T = TypeVar("T")
MERGED = {"a": 1} | {"b": 2}
FIRST = MERGED["a"]

def count(rows: Rows, by: Optional[str] = None) -> Number:
    return len(rows)

def main(limit: Maybe = None):
    return [count([{}]), limit, MERGED, FIRST]

#: none-in-a-variable-of-the-file | names
state = None
max = None
unset = state

def main():
    before = [state, max, unset]
    globals_are_read = [x is None for x in (state, unset)]
    return [before, globals_are_read, state == max]

#: raise-alone-in-finally | exceptions
def main():
    log = []

    def again(entered):
        try:
            try:
                if entered == "return":
                    return "returned"
                if entered == "handled":
                    try:
                        raise KeyError("inner")
                    except KeyError:
                        return "handled"
                if entered == "raise":
                    raise ValueError("outer")
            finally:
                try:
                    raise
                except ValueError as error:
                    log.append(str(error))
                except RuntimeError as error:
                    log.append(str(error))
        except ValueError:
            return "left"
        return "end"

    def within():
        try:
            raise OSError("first")
        except OSError:
            for way in ("pass", "break", "raise"):
                try:
                    try:
                        if way == "raise":
                            raise TypeError("second")
                        if way == "break":
                            continue
                    finally:
                        raise
                except (OSError, TypeError) as error:
                    log.append(f"{way}: {error}")
        return "done"

    return [again(one) for one in ("return", "handled", "raise", "on")] + [within()] + log

#: generators-and-stop-iteration | generators
def main():
    log = []

    def seen(made):
        try:
            log.append(made())
        except Exception as error:
            log.append([type(error).__name__, str(error)])

    def ends():
        raise StopIteration("early")

    def stops():
        yield 1
        raise StopIteration

    def rest():
        return iter([1])

    lazy = (ends() for _ in [0])
    seen(lambda: next(lazy))
    seen(lambda: next(lazy, "closed"))
    seen(lambda: list(stops()))
    for consume in (sum, list, tuple, sorted, any, max, set):
        items = rest()
        seen(lambda: consume(next(items) - 1 for _ in range(3)))
    items = rest()
    seen(lambda: "".join(str(next(items)) for _ in range(3)))
    more = rest()
    seen(lambda: [x for x in (next(more) for _ in range(3))])
    last = rest()
    seen(lambda: [next(last) for _ in range(3)])
    return log

#: keys-of-one-value | collections
from collections import Counter, OrderedDict, defaultdict, deque

def main():
    made = defaultdict(list).fromkeys("ab", 0)
    ordered = OrderedDict.fromkeys("ab")
    log = [repr(made), repr(ordered), repr(defaultdict.fromkeys("c")), type(ordered).__name__]
    try:
        made["z"]
    except KeyError as error:
        log.append(str(error))
    for call in (
        lambda: deque(maxlen=2**70),
        lambda: deque([1, 2]).rotate(-2**70),
        lambda: deque([1]).rotate(2**70),
        lambda: deque([1, 2]).insert(2**70, 3),
        lambda: list(Counter({"a": -2**70}).elements()),
        lambda: Counter("aab").most_common(2**70),
        lambda: Counter("aab").most_common(-2**70),
        lambda: deque([1, 2])[2**70],
        lambda: "abc" % deque(),
    ):
        try:
            log.append(call())
        except Exception as error:
            log.append([type(error).__name__, str(error)])

    def shape(value):
        match value:
            case []:
                return "none"
            case [first, *rest]:
                return [first, rest]
            case _:
                return "other"

    return log + [shape(deque()), shape(deque([1, 2, 3])), shape(deque([(4, 5)])), shape({1, 2})]

#: limits-of-dates | dates
from datetime import date, datetime, time, timedelta, timezone

def main():
    east = timezone(timedelta(hours=2))
    west = timezone(timedelta(hours=-2))
    noon = datetime(2024, 6, 1, 12, tzinfo=east)
    log = [noon.isoformat(" "), time(1, 2).isoformat("minutes")]
    for call in (
        lambda: date(2**31, 1, 1),
        lambda: date(1, -2**31 - 1, 1),
        lambda: date(1, 1, 2**100),
        lambda: datetime(2024, 1, 1, -2**63 - 1),
        lambda: noon.replace(year=2**40),
        lambda: time(2**64),
        lambda: datetime(1, 1, 1, 1, tzinfo=east).astimezone(timezone(timedelta(hours=3))).isoformat(),
        lambda: datetime(9999, 12, 31, 23, tzinfo=west).astimezone(timezone(timedelta(hours=-3))).isoformat(),
        lambda: datetime(1, 1, 1, 3, tzinfo=east).astimezone(timezone.utc).isoformat(),
        lambda: noon.isoformat(5),
        lambda: noon.isoformat(None),
        lambda: noon.isoformat("TT"),
        lambda: noon.isoformat("T", 5),
        lambda: noon.isoformat("T", "weeks"),
        lambda: time(1).isoformat(5),
    ):
        try:
            log.append(call())
        except (TypeError, ValueError, OverflowError) as error:
            log.append([type(error).__name__, str(error)])
    return log

#: exceptions-outside-exception | exceptions
def main():
    log = []
    for made in (MemoryError("full"), EOFError("end"), SystemExit(3), KeyboardInterrupt("stop")):
        try:
            try:
                raise made
            except Exception as error:
                log.append(["Exception", repr(error)])
        except BaseException as error:
            log.append(["BaseException", repr(error), isinstance(error, Exception)])
    try:
        raise SystemExit
    except (KeyboardInterrupt, SystemExit) as error:
        log.append(str(error))
    return log

#: replacement-that-is-none | re
import re

def main():
    log = []
    for call in (
        lambda: re.sub(r"\d", 123, "1a2", -1),
        lambda: re.sub(r"\d", None, 456),
        lambda: re.compile(r"\d").subn(1.5, "a"),
        lambda: re.sub(r"\d", "x", 456),
    ):
        try:
            log.append(call())
        except TypeError as error:
            log.append(str(error))
    return log

#: names-given-twice | calls
def main():
    log = []
    for call in (lambda: max([1], key=abs, **{"key": len}), lambda: sorted([1], **5), lambda: dict(**{1: 2})):
        try:
            log.append(call())
        except TypeError:
            log.append("TypeError")
    return log

#: counters-changed-by-others | collections
from collections import Counter, defaultdict, deque

def main():
    log = []

    def tried(op, other, left=None):
        c = Counter(a=3, b=2) if left is None else left
        try:
            if op == "+":
                c += other
            elif op == "-":
                c -= other
            elif op == "|":
                c |= other
            else:
                c &= other
        except Exception as error:
            log.append([type(error).__name__, str(error)])
        log.append(dict(c))

    for op in "+-|&":
        for other in ({"a": 1}, Counter(a=1), [1, 2], 5, "text", None, deque()):
            tried(op, other)
    made = defaultdict(int, a=9)
    tried("&", made)
    tried("&", [1, 2], Counter())
    tried("&", [1, 7], Counter({0: 5, 1: 6}))
    return [log, dict(made)]

#: deques-that-are-walked | collections
from collections import deque

def main():
    log = []

    def walk(items, change):
        seen = []
        try:
            for item in items:
                seen.append(item)
                if len(seen) < 5:
                    change(items)
        except Exception as error:
            seen.append([type(error).__name__, str(error)])
        log.append([seen, list(items)])

    def put(items):
        items[0] = 9

    def twice(items):
        items *= 2

    def once(items):
        items *= 1

    def add(items):
        items += []

    for change in (
        lambda items: items.rotate(0),
        lambda items: items.rotate(3),
        lambda items: items.reverse(),
        lambda items: items.extend([]),
        lambda items: items.clear(),
        lambda items: items.count(1),
        lambda items: items.remove(1),
        put,
        twice,
        once,
        add,
    ):
        walk(deque([1, 2, 3]), change)
        walk(deque([1]), change)
    log.append([repr(deque([1, 2], 3) * 10**9), repr(10**9 * deque([1, 2, 3, 4], 3)), repr(deque([], 2) * 5), repr(deque([1], 0) * 3)])
    big = deque([1, 2, 3], 5)
    big *= 10**12
    log.append(repr(big))
    return log

#: spans-that-are-too-long | dates
from datetime import timedelta

def main():
    log = []
    for call in (
        lambda: timedelta(days=10**9),
        lambda: timedelta(days=-(10**9)),
        lambda: timedelta(days=-999999999, microseconds=-1),
        lambda: timedelta(days=2**31 - 1, hours=23),
        lambda: timedelta(days=2**31),
        lambda: timedelta(days=-(2**31)),
        lambda: timedelta(days=-(2**31), seconds=-1),
        lambda: timedelta(weeks=2**100),
        lambda: timedelta(days=1e300),
        lambda: timedelta(days=999999999) + timedelta(days=1),
        lambda: timedelta.min - timedelta(microseconds=1),
        lambda: -timedelta.max - timedelta(days=2),
        lambda: -timedelta.min * 2,
        lambda: timedelta.max * 10,
        lambda: timedelta.max / 0.5,
        lambda: abs(timedelta.min),
        lambda: timedelta(days=999999999, hours=24),
    ):
        try:
            log.append(str(call()))
        except OverflowError as error:
            log.append(str(error))
    return log

#: texts-of-calls-with-positional-only-names | functions
def main():
    def both(a, b=1, /, *, c=2, d=3):
        return [a, b, c, d]

    def mixed(a, /, b):
        return [a, b]

    def named(*, c=1):
        return c

    log = []
    for call in (
        lambda: both(1, 2, 3, c=1),
        lambda: both(1, 2, 3, c=1, d=2),
        lambda: both(1, 2, 3, 4),
        lambda: both(**{"b": 2, "a": 1}),
        lambda: both(**{"x": 2, "a": 1}),
        lambda: both(1, **{"x": 2}),
        lambda: mixed(**{"a": 1, "b": 2}),
        lambda: mixed(*[1, 2], **{"b": 3}),
        lambda: mixed(*[1, 2, 3], **{"b": 3}),
        lambda: named(*[1]),
        lambda: named(*[1], c=2),
        lambda: named(*[1, 2], c=2),
        lambda: mixed(1, b=2),
    ):
        try:
            log.append(call())
        except TypeError as error:
            log.append(str(error))
    return log

#: raise-what-is-no-exception | exceptions
def main():
    log = []
    try:
        raise ValueError("a") from 5
    except TypeError as error:
        log.append(str(error))
    value = 5
    try:
        raise value
    except TypeError as error:
        log.append(str(error))
    return log

#: exceptions-made-with-parts | exceptions
class Own(OSError):
    pass

def main():
    log = []
    for error in (
        OSError(),
        OSError("x"),
        OSError(2, "no file", "a.txt"),
        OSError(17, "there", "a", None, "b"),
        OSError(None, None),
        OSError(0, ""),
        OSError(1, "no", None),
        OSError(1, 2, 3, 4, 5, 6),
        OSError(999, "x"),
        PermissionError(2, "x", "f"),
        Own(2, "x", "f"),
        TimeoutError("late"),
    ):
        log.append([type(error).__name__, str(error), repr(error), error.errno, error.strerror, error.filename])
    try:
        raise OSError(2, "no", "f")
    except FileNotFoundError as error:
        log.append(str(error))
    for error in (SyntaxError(), SyntaxError("bad"), SyntaxError("a", "b", "c")):
        log.append([str(error), repr(error), error.msg, error.lineno, error.filename])
    for error in (SystemExit(), SystemExit(3), SystemExit(1, 2)):
        log.append([str(error), error.code])
    for error in (AttributeError("x"), AttributeError("x", name="n", obj=1), NameError("x", name="n")):
        log.append([str(error), error.name])
    try:
        raise AttributeError
    except AttributeError as error:
        log.append([error.name, error.obj])
    for make in (lambda: KeyError("x", name="n"), lambda: NameError("x", obj=1), lambda: AttributeError("x", named=1)):
        try:
            log.append(str(make()))
        except TypeError as error:
            log.append(str(error))
    return log

#: unicode-errors-made-by-a-program | exceptions
def main():
    log = []
    for make in (
        lambda: UnicodeEncodeError("baz", "xxxxx", 1, 5, "foo"),
        lambda: UnicodeEncodeError("u", "x\xe4", 1, 2, "why"),
        lambda: UnicodeEncodeError("u", "x\u1234", 1, 2, "why"),
        lambda: UnicodeEncodeError("u", "x\U00012345", 1, 2, "why"),
        lambda: UnicodeEncodeError("u", "x", 5, 9, "why"),
        lambda: UnicodeDecodeError("u", b"a\xff", 1, 2, "why"),
        lambda: UnicodeDecodeError("u", b"a", 1, 2, "why"),
        lambda: UnicodeDecodeError("u", b"abc", 0, 3, "why"),
        lambda: UnicodeDecodeError("u", "a", 1, 2, "why"),
        lambda: UnicodeEncodeError("u", 1, 1, 2, "why"),
        lambda: UnicodeEncodeError(None, "a", 1, 2, "why"),
        lambda: UnicodeEncodeError("u"),
    ):
        try:
            error = make()
            log.append([str(error), repr(error), error.encoding, error.start, error.end, error.reason])
        except TypeError as error:
            log.append(str(error))
    return log

#: asking-for-special-members | builtins
from collections import Counter, deque

def main():
    def f():
        yield 1

    log = []
    values = [None, 1, True, 1.5, "a", b"a", [], (), {}, {1}, range(3), f, f(), len, [].append, iter([]), {}.keys()]
    for value in values + [ValueError(), Counter(), deque(), map(f, []), lambda: 1]:
        log.append([hasattr(value, name) for name in ("__iter__", "__len__", "__next__", "__call__", "__getitem__")])
        log.append([hasattr(value, name) for name in ("__class__", "__str__", "__eq__", "__nope__")])
    for value in (None, 1, True, 1.5, "a", [], (), {}, {1}):
        names = ("__contains__", "__index__", "__add__", "__dict__", "__enter__", "__name__", "__setitem__", "__or__")
        log.append([hasattr(value, name) for name in names])
        log.append(getattr(value, "__nope__", "absent"))
    log.append([hasattr(list, "__iter__"), hasattr(int, "__str__"), hasattr(f, "__name__"), hasattr(int, "__name__")])
    return log

#: ignoring-case-of-letters-that-equal-ascii | regex
import re

def main():
    log = []
    for pattern in ("S", "s", "[R-T]", "[q-t]", "\u017f", "K", "k", "[J-L]", "I", "i", "\u0131", "[^S]"):
        found = [bool(re.fullmatch(pattern, text, re.I)) for text in ("S", "s", "\u017f", "K", "k", "\u212a", "I", "i", "\u0131")]
        log.append([pattern, found])
    return log

#: names-of-groups-are-read-only | regex
import re

def main():
    log = []
    groups = re.compile("(?P<first>a)(?P<other>b)").groupindex
    log.append([repr(groups), groups == {"first": 1, "other": 2}, groups["other"], list(groups.items()), len(groups)])
    log.append(type(groups | {"x": 3}).__name__)

    def put():
        groups["x"] = 1

    def remove():
        del groups["first"]

    for change in (put, remove):
        try:
            log.append(change())
        except TypeError as error:
            log.append(str(error))
    log.append(dict(groups))
    return log

#: sums-of-nan-and-inf | math
import math
import statistics

def main():
    log = []
    nan, inf = float("nan"), float("inf")
    for values in ([nan, inf], [inf, nan, 1.0], [inf, inf], [-inf, 2.0], [inf, -inf], [nan, inf, -inf], [nan]):
        for total in (math.fsum, statistics.fmean):
            try:
                log.append(str(total(values)))
            except ValueError as error:
                log.append(str(error))
    log.append(str(statistics.geometric_mean([nan, inf])))
    return log

#: named-arguments-of-what-natives-make | functions
import functools
import operator

def main():
    log = []
    for call in (
        lambda: operator.itemgetter(1)([1, 2], key=3),
        lambda: operator.attrgetter("real")(1, key=3),
        lambda: operator.methodcaller("upper")("a", key=3),
        lambda: operator.itemgetter(1)(),
    ):
        try:
            log.append(call())
        except TypeError as error:
            log.append(str(error))
    part = functools.partial(sorted)
    part.keywords["reverse"] = True
    log.append(part([1, 2]))
    part.keywords[5] = True
    try:
        log.append(part([1]))
    except TypeError as error:
        log.append(str(error))
    log.append(functools.cmp_to_key(lambda a, b: a - b)(4).obj)
    log.append([slice(None, None, 2**100).indices(10), slice(-(2**100), 2**100).indices(7)])
    return log

#: texts-of-errors-of-encodings | text
def main():
    log = []
    for data in (
        b"\xff", b"a\x80", b"\xc3", b"\xc3(", b"\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x9f\x98", b"\xf0\x28\x8c\xbc",
        b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80", b"ab\xe2\x82x", b"\xe2", b"\xed\xa0",
    ):
        for encoding in ("utf-8", "ascii", "UTF8"):
            try:
                log.append(data.decode(encoding))
            except UnicodeDecodeError as error:
                log.append([str(error), error.encoding, error.start, error.end, error.object == data])
    for text in ("a\xe9\xe9\u2192b", "\u2192", "\U00012345\U00012345x", "\U00012345\xe9"):
        for encoding in ("ascii", "L1", "us-ascii"):
            for errors in ("strict", "surrogateescape"):
                try:
                    log.append(len(text.encode(encoding, errors)))
                except UnicodeEncodeError as error:
                    log.append([str(error), error.reason, error.start, error.end])
    return log

#: handlers-with-a-wrong-class | exceptions
def main():
    log = []
    for kinds in ((ValueError, 42), (42, ValueError), (KeyError, (ValueError, TypeError)), (), (KeyError, ValueError), 5):
        try:
            try:
                raise ValueError("x")
            except kinds as error:
                log.append(["caught", str(error)])
        except TypeError as error:
            log.append(str(error))
        except ValueError as error:
            log.append(["passed", str(error)])
    return log

#: flags-of-patterns-that-disagree | regex
import re

def main():
    log = []
    for pattern in ("(?u)x", "(?a)x", "(?i)x", "(?u:x)", "(?u)(", "(?xu) x"):
        for flags in (0, re.A, re.U, re.I):
            try:
                log.append(re.compile(pattern, flags).flags)
            except ValueError as error:
                log.append(str(error))
            except re.error as error:
                log.append(error.msg)
    return log

#: weeks-far-outside-the-calendar | dates
from datetime import date, datetime

def main():
    log = []
    for year, week, day in (
        (2**33, 1, 1), (2019, 2**33, 1), (2019, 1, 2**33), (2**31, 1, 1), (9999999, 1, 1), (-(2**70), 1, 1), (2019, 1, -(2**31) - 1),
    ):
        for kind in (date, datetime):
            try:
                log.append(str(kind.fromisocalendar(year, week, day)))
            except ValueError as error:
                log.append(str(error))
    return log

#: what-generators-return | generators
def inner(n):
    for i in range(n):
        yield i
    return n * 10
def outer(n):
    got = yield from inner(n)
    yield got
    return (yield from inner(1)) + got
def nothing():
    yield 1
def value_of(iterator):
    try:
        while True:
            next(iterator)
    except StopIteration as stop:
        return [stop.value, list(stop.args), str(stop)]
def total(tree):
    if isinstance(tree, int):
        yield tree
        return tree
    found = 0
    for part in tree:
        found += yield from total(part)
    return found
def main():
    read = inner(1)
    seen = [x for x in read]
    after = value_of(read)
    again = inner(0)
    lists = iter([1])
    def plain():
        x = yield from [1, 2]
        yield x
        y = yield from "ab"
        yield y
        z = yield from inner(0)
        yield z
    return [
        list(outer(2)), value_of(outer(1)), value_of(nothing()), seen, after,
        next(again, "none"), value_of(again), value_of(lists), list(plain()), value_of(total([1, [2, 3], [[4]]])),
    ]

#: loops-that-leave-generators | generators
def numbers(log):
    for i in range(5):
        log.append(i)
        try:
            yield i
        except ValueError:
            log.append("value")
    log.append("end")
def main():
    log = []
    for n in numbers(log):
        if n == 2:
            break
    first = next(numbers(log))
    return [log, first, any(n > 1 for n in numbers(log)), log]

#: blocks-that-suppress | exceptions
from contextlib import suppress
import contextlib
def first(d, *keys):
    for key in keys:
        with suppress(KeyError, TypeError):
            return d[key]
    return "none"
def main():
    log = []
    with suppress(ValueError):
        log.append("in")
        int("x")
        log.append("never")
    with contextlib.suppress(ZeroDivisionError) as nothing:
        log.append(nothing)
    with suppress():
        log.append("empty")
    try:
        with suppress(LookupError):
            [][1]
        with suppress(LookupError):
            int("y")
    except ValueError as error:
        log.append(str(error))
    kinds = (KeyError, IndexError)
    for n in range(4):
        with suppress(kinds, ValueError):
            if n == 1:
                continue
            if n == 3:
                break
            log.append(n)
            {}[n]
    try:
        with suppress(ValueError):
            try:
                int("z")
            finally:
                log.append("finally")
            log.append("never")
        log.append("after")
    finally:
        log.append("end")
    return [log, first({"a": 1}, "b", [], "a"), first({}, "x")]

#: fo-abstract-types | annotations
#> {"mode": "a"}
#> {"mode": "b", "rows": [{"n": 1.5}, {"n": 2}]}
import collections.abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias, Union
Mode: TypeAlias = Literal["a", "b"]
Number = Union[int, float]
def total(rows: Sequence[Mapping[str, Number]], of: Callable[[Number], Number]) -> Number:
    return sum(of(row["n"]) for row in rows)
def numbers(rows: collections.abc.Iterable) -> Iterator[Number]:
    yield from (row["n"] for row in rows)
def main(mode: Mode, rows: Sequence[dict] = ({"n": 2},)):
    return [mode, total(rows, lambda n: n * 2), list(numbers(rows))]

#: fo-abstract-type-as-value | annotations | refused 3
from collections.abc import Mapping
def main():
    types = [dict, Mapping]
    return isinstance({}, types[1])

#: fo-sentinel | identity | refused 1
MISSING = object()
def main():
    return {"a": 1}.get("b", MISSING) == MISSING

#: set-of-tuples-taken-apart | sets
#> {"urls": ["http://a.com/x", "https://b.org/", "http://a.com/y"]}
from urllib.parse import urlsplit
def main(urls):
    seen = set()
    for url in urls:
        parts = urlsplit(url)
        seen.add((parts.scheme, parts.netloc, len(parts.path)))
    hosts = {key[1] for key in seen}
    return [sorted(hosts), sorted({scheme for scheme, _, _ in seen}), sum(n for _, _, n in seen), max(k[-1] for k in seen), sorted({h[0] for h in hosts})]

#: is-type-in-a-variable | types
def main():
    defaults = {"debug": False, "n": 1, "name": "x", "rate": 0.5, "tags": []}
    found = []
    for name, value in defaults.items():
        kind = type(value)
        if kind is bool:
            found.append("flag " + name)
        elif kind is not list and str is not kind:
            found.append(name)
    return [found, {int: "int", str: "str"}[type(1)], 5 is int, None is str]
