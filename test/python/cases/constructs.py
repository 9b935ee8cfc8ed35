#: len() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return len(xs)

#: sorted() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return sorted(xs)

#: tuple value | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return (1, 2)

#: tuple value 2 | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    t = 1, n
    return t

#: generator expression | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return sum(x for x in xs)

#: a, b = … | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    a, b = n, 2
    return [a, b]

#: main not first | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def h(x):
    return x + 1


def main(xs, d, s, n):
    return h(n)

#: lambda | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    f = lambda x: x + 1
    return f(n)

#: key= | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return sorted(xs, key=abs)

#: key= + lambda | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return sorted(xs, key=lambda x: -x)

#: reverse= | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return sorted(xs, reverse=True)

#: int() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return int("5")

#: sum() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return sum(xs)

#: import re | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    import re
    return 1

#: import re (top) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
import re


def main(xs, d, s, n):
    return 1

#: default argument | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n, q=4):
    return q

#: range() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [i for i in range(3)]

#: max() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return max(xs)

#: max(a, b) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return max(n, 3)

#: raise Type(text) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    if n > 3:
        raise ValueError("x")
    return 1

#: tuple target in comprehension | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [k for k, v in d.items()]

#: tuple target in comprehension (no method) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [k + str(i) for i, k in enumerate(["a"])]

#: round() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return round(2.675, 2)

#: str() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return str(n)

#: set | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return len({1, 2})

#: set() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return len(set(xs))

#: enumerate() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    out = []
    for i, x in enumerate(xs):
        out += [i]
    return out

#: isinstance/type | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return isinstance(n, int)

#: f-string format spec | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return f"{n:.2f}"

#: f-string | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return f"{n} {s}"

#: except by type | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    try:
        y = 1 / 0
    except ZeroDivisionError:
        y = 2
    return y

#: except | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    try:
        y = 1 / 0
    except:
        y = 2
    return y

#: except Exception | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    try:
        y = 1 / 0
    except Exception:
        y = 2
    return y

#: except as e: text/type of e | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    try:
        y = 1 / 0
    except Exception as e:
        y = str(e)
    return y

#: list() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return list(d)

#: list(range) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return list(range(3))

#: min() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return min(xs)

#: seq * n | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [0] * n

#: str * n | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return "-" * n

#: zip() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [a + b for a, b in zip(xs, xs)]

#: dict() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return dict([["a", 1]])

#: dict(zip) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return dict(zip(["a"], [1]))

#: for a, b in list of pairs | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    out = []
    for a, b in [[1, 2]]:
        out += [a]
    return out

#: for a, b in d.items() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    out = []
    for a, b in d.items():
        out += [a]
    return out

#: nested function (closure) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    def f(x):
        return x + n
    return f(1)

#: float() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return float("2.5")

#: | & ^ (sets, dicts, bits) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return n | 2

#: call of a local/nested function | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    f = len
    return f(xs)

#: module constant/global | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
LIMIT = 3


def main(xs, d, s, n):
    return LIMIT

#: f"{x!r}" | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return f"{s!r}"

#: bool() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return bool(xs)

#: for a, b, c / nested target | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    out = []
    for a, b, c in [[1, 2, 3]]:
        out += [c]
    return out

#: {**d} | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return {**d, "z": 1}

#: default= of min/max | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return max([], default=0)

#: slice step | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return xs[::-1]

#: slice | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return xs[1:]

#: all() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return all(xs)

#: any() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return any(xs)

#: loop else | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    for x in xs:
        if x == 9:
            break
    else:
        return "none"
    return "found"

#: star argument/element | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [*xs, 4]

#: f(*xs) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return max(*xs)

#: next() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return next(iter(xs))

#: star unpack | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    a, *b = xs
    return b

#: enumerate(start=) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [i for i, x in enumerate(xs, start=1)]

#: enumerate(xs, 1) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [i for i, x in enumerate(xs, 1)]

#: abs() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return abs(-n)

#: comprehension with two for | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [x + y for x in xs for y in xs]

#: yield | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def g(n):
    yield n


def main(xs, d, s, n):
    return list(g(n))

#: filter() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return list(filter(None, xs))

#: map() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return list(map(str, xs))

#: divmod() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    q, r = divmod(n, 2)
    return [q, r]

#: del | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    del d["a"]
    return d

#: try: finally/else | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    try:
        y = 1
    finally:
        z = 2
    return y

#: annotations, docstring | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs: list, d: dict, s: str, n: int) -> int:
    """Doc."""
    y: int = 3
    return y

#: int(s, base) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return int("ff", 16)

#: keyword-only parameter | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, *, n):
    return n

#: assert | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    assert n > 1, "x"
    return 1

#: chr() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return chr(65)

#: ord() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return ord("A")

#: reversed() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [x for x in reversed(xs)]

#: bin() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return bin(n)

#: hex() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return hex(n)

#: repr() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return repr(s)

#: tuple() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return tuple(xs)

#: % formatting | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return "%d" % n

#: nested format spec | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return f"{s:{n}}"

#: mutable default | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def h(x, acc=[]):
    return acc + [x]


def main(xs, d, s, n):
    return h(n)

#: nonlocal | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    def f():
        nonlocal n
        n += 1
    f()
    return n

#: exception class | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
class E(Exception):
    pass


def main(xs, d, s, n):
    return 1

#: x[i], x[j] = … | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    xs[0], xs[1] = xs[1], xs[0]
    return xs

#: global statement | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
g = 0


def main(xs, d, s, n):
    global g
    g += 1
    return g

#: print() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    print(n)
    return 1

#: walrus | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    if (m := n) > 2:
        return m
    return 0

#: match statement | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    match n:
        case 5:
            return "five"
        case _:
            return "x"

#: *args, **kwargs | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def h(*a):
    return len(a)


def main(xs, d, s, n):
    return h(1, 2)

#: named argument of own function | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def h(a, b=2):
    return a - b


def main(xs, d, s, n):
    return h(n, b=1)

#: tuple key | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    d2 = {}
    d2[(1, 2)] = 3
    return d2[(1, 2)]

#: class | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
class A:
    def __init__(self):
        self.x = 1


def main(xs, d, s, n):
    return A().x

#: a = b = v | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    a = b = n
    return [a, b]

#: int key | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    c = {}
    c[n] = 1
    return c[n]

#: ternary | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return 1 if n > 2 else 0

#: chained comparison | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return 1 < n < 9

#: while | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    i = 0
    while i < n:
        i += 1
    return i

#: while True | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    i = 0
    while True:
        i += 1
        if i > 5:
            break
    return i

#: x in y | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return 3 in xs

#: not in | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return 9 not in xs

#: is None | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return n is None

#: aug assign subscript | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    d["a"] += 1
    return d

#: assign subscript | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    d["z"] = 1
    return d

#: nested subscript | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    d["z"] = {}
    d["z"]["y"] = 1
    return d

#: and/or value | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return n and s

#: list comp | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [x * 2 for x in xs if x > 1]

#: dict comp | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return {k: 1 for k in d}

#: // % ** | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return [n // 2, n % 2, n ** 2]

#: continue | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    t = 0
    for x in xs:
        if x == 1:
            continue
        t += x
    return t

#: triple quoted | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return """a"""

#: raw string | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return r"\d"

#: implicit concat | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return ("a" "b")

#: escape \u | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return "\u00e9"

#: return nothing | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return

#: is | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return xs is d

#: list + list | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return xs + [1]

#: unary not | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return not n

#: compare chain == | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return n == 5 == 5

#: d.x attribute | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return 1

#: in dict | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return "a" in d

#: for over dict | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    out = []
    for k in d:
        out += [k]
    return out

#: for over text | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    out = []
    for c in s:
        out += [c]
    return out

#: list.append | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    xs.append(1)
    return xs

#: list.extend | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    xs.extend([1])
    return xs

#: list.insert/remove/sort/reverse/clear | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    xs.sort()
    return xs

#: dict methods: get items keys values | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return d.get("a", 0)

#: str methods: strip lower split join replace startswith … | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return s.lower()

#: str methods: zfill ljust removeprefix translate … | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return s.zfill(9)

#: str tests: isdigit isalpha … | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return s.isdigit()

#: str.find/index/count | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return s.find("b")

#: .index() .count() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return xs.index(1)

#: setdefault | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return d.setdefault("q", 1)

#: dict.update | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    d.update({"q": 1})
    return d

#: pop | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return xs.pop()

#: popitem | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return d.popitem()

#: .copy() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return xs.copy()

#: dict.fromkeys | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return dict.fromkeys(["a"])

#: "".format() | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return "{}".format(n)

#: mutation at a path: d[k].append(v) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    d["q"] = []
    d["q"].append(1)
    return d

#: mutation of a call result: d.setdefault(k, []).append(v) | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    d.setdefault("q", []).append(1)
    return d

#: join literal | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
def main(xs, d, s, n):
    return ",".join(["a"])

#: datetime.* | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
from datetime import datetime


def main(xs, d, s, n):
    return datetime.fromisoformat("2024-01-01").year

#: re.* | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
import re


def main(xs, d, s, n):
    return re.sub("b", "x", s)

#: json.* | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
import json


def main(xs, d, s, n):
    return json.dumps(xs)

#: math.* | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
import math


def main(xs, d, s, n):
    return math.floor(2.5)

#: heapq.* | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
import heapq


def main(xs, d, s, n):
    return heapq.nlargest(1, xs)

#: Counter | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
from collections import Counter


def main(xs, d, s, n):
    return Counter(xs)[3]

#: import collections.defaultdict | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
from collections import defaultdict


def main(xs, d, s, n):
    c = defaultdict(int)
    c["a"] += 1
    return c["a"]

#: deque | construct
#> {"xs": [3, 1, 2], "d": {"b": 2, "a": 1}, "s": "Ab c", "n": 5}
from collections import deque


def main(xs, d, s, n):
    q = deque(xs)
    return q.popleft()
