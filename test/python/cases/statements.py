#: st-for-else | loops
#> {"xs": [1, 5, 7]}
#> {"xs": [2, 4]}
#> {"xs": []}
def main(xs):
    for x in xs:
        if x % 5 == 0:
            found = x
            break
    else:
        found = None
    n = len(xs)
    while n > 0:
        n -= 1
        if n == 1:
            break
    else:
        n = "none"
    return [found, n]

#: st-loop-var | loops
def main():
    for i in range(3):
        i += 10
    for j, k in [(1, 2), (3, 4)]:
        pass
    for x in []:
        pass
    out = [i, j, k]
    try:
        out.append(x)
    except UnboundLocalError as e:
        out.append("unset")
    for i in "ab":
        for i in [9]:
            pass
    return out + [i]

#: st-for-targets | loops
def main():
    out = []
    for a, (b, c) in [(1, (2, 3)), (4, [5, 6])]:
        out.append(a + b + c)
    for first, *rest in [[1, 2, 3], "xy"]:
        out.append([first, rest])
    d = {}
    for d["k"] in range(3):
        pass
    xs = [0, 0]
    for xs[0], xs[1] in [(1, 2), (3, 4)]:
        out.append(sum(xs))
    for i, (k, v) in enumerate({"p": 1, "q": 2}.items(), start=5):
        out.append([i, k, v])
    for n in range(5, 0, -2):
        out.append(n)
    for c in "hé😀":
        out.append(c)
    return [out, d]

#: st-unpack | unpacking
def main():
    a, *b = [1, 2, 3]
    *c, d = "xyz"
    e, *f, g = (1, 2)
    (h, i), j = [4, 5], 6
    [k, l] = {"m": 1, "n": 2}
    o, = [9]
    *p, = range(3)
    q = r = s = 0
    t, u = v = [7, 8]
    return [a, b, c, d, e, f, g, h, i, j, k, l, o, p, q, r, s, t, u, v]

#: st-star | unpacking
def f(*args, sep="-", **kw):
    return sep.join(str(a) for a in args) + "".join(f"{k}={v}" for k, v in kw.items())
def main():
    xs = [1, 2]
    d = {"sep": "+", "z": 9}
    return [[*xs, 0, *"ab", *range(2)], (*xs,), {**d, "z": 1, "y": 2}, f(*xs), f(0, *xs, 3, **d), f(), f(sep=""), [*{"k": 1}], len([*xs, *xs]), max(*xs, 0), {**{"a": 1}, **{"a": 2}}]

#: st-match | match
#> {"xs": [0, 1, 5, -1, "a", "quit", null, true, 2.0, [], [1], [1, 2], [1, 2, 3], {"t": "c", "r": 2}, {"t": "s", "w": 2, "h": 3}, {}, ["go", "north"], ["go", "up", "fast"], "other"]}
def kind(x):
    match x:
        case True | False:
            return "bool"
        case 0 | 1:
            return "small"
        case int() as n if n < 0:
            return f"neg {n}"
        case int(n):
            return f"int {n}"
        case "quit" | "exit":
            return "leave"
        case str():
            return f"text {x}"
        case None:
            return "none"
        case float():
            return "float"
        case []:
            return "empty"
        case ["go", direction]:
            return f"go {direction}"
        case ["go", direction, *rest]:
            return f"go {direction} {rest}"
        case [a]:
            return f"one {a}"
        case [a, b]:
            return f"two {a + b}"
        case [a, *_, z]:
            return f"many {a}..{z}"
        case {"t": "c", "r": r}:
            return f"circle {r}"
        case {"t": t, **rest}:
            return f"{t} {sorted(rest)}"
        case _:
            return "other"
def main(xs):
    return [kind(x) for x in xs]

#: st-match-plain | match
#> {"xs": [200, 301, 404, 500, 418]}
def main(xs):
    out = []
    for x in xs:
        match x:
            case 200:
                out.append("ok")
            case 301 | 302:
                out.append("moved")
            case 404:
                out.append("missing")
            case code if code >= 500:
                out.append(f"server {code}")
            case _:
                out.append("?")
    return out

#: st-match-guard | match
def main():
    v = "unset"
    match {"k": 5}:
        case {"k": v} if v > 9:
            r = "big"
        case {"k": w}:
            r = ["small", w]
    match (1, [2, 3]):
        case (1, [x, y]):
            r2 = x + y
    match "ab":
        case ["a", "b"]:
            r3 = "list"
        case "ab":
            r3 = "str"
    match {"a": 1, "b": 2}:
        case {"a": 1}:
            r4 = "subset"
    match 5:
        case 6:
            pass
    return [v, r, r2, r3, r4]

#: st-global | scope
count = 0
names = []
def bump(by=1):
    global count
    count += by
    names.append(count)
    return count
def main():
    bump()
    bump(5)
    return [count, names]

#: st-local-shadow | scope
x = "global"
def f():
    x = "local"
    return x
def g():
    return x
def h():
    try:
        y = x
        x = 1
        return y
    except UnboundLocalError:
        return "unbound"
def main():
    return [f(), g(), h(), x]

#: st-branch-unset | scope
#> {"n": 1}
#> {"n": 0}
def main(n):
    if n:
        label = "yes"
    return label

#: st-if-unset-caught | scope
#> {"n": 1}
#> {"n": 0}
def main(n):
    if n:
        v = 1
    try:
        return v
    except NameError:
        return "nothing"

#: st-builtin-names | scope
def main():
    list_ = [3, 1]
    str = "text"
    sum = 5
    max_value = max(list_)
    def len(x):
        return "mine"
    out, err, call, state, config, id, type_, input, format = 1, 2, 3, 4, 5, 6, 7, 8, 9
    return [str, sum + 1, max_value, len([1]), out + err + call + state + config + id + input + format]

#: st-recursion | functions
def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)
def depth(x):
    if not isinstance(x, list):
        return 0
    return 1 + max((depth(y) for y in x), default=0)
def hanoi(n, a="A", b="B", c="C", moves=None):
    moves = [] if moves is None else moves
    if n:
        hanoi(n - 1, a, c, b, moves)
        moves.append(a + c)
        hanoi(n - 1, b, a, c, moves)
    return moves
def perms(xs):
    if len(xs) <= 1:
        return [xs]
    return [[x] + p for i, x in enumerate(xs) for p in perms(xs[:i] + xs[i + 1:])]
def main():
    return [fact(20), fact(30), depth([1, [2, [3]], []]), hanoi(2), perms([1, 2, 3])]

#: st-function-values | functions
def twice(f):
    return lambda x: f(f(x))
def compose(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x
    return run
def main():
    ops = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "max": max}
    handlers = [str.upper, str.strip, len]
    f = "a,b".split
    g = [].append
    inc = lambda x, by=1: x + by
    return [twice(inc)(5), compose(inc, str, len)(99), ops["+"](1, 2), ops["max"](4, 9), [h(" x ") for h in handlers], f(","), list(map(inc, [1, 2])), list(map(lambda a, b: a * b, [1, 2], [3, 4])), inc(1, by=5), (lambda *a, **k: [len(a), sorted(k)])(1, 2, z=3), callable(inc), g(1), list(filter(None, [0, 1, "", "a"]))]

#: st-decorator | functions
from functools import lru_cache, cache
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
@cache
def sq(x):
    return x * x
def main(n=60):
    return [fib(n), sq(4), sq(4)]

#: st-params | functions
def f(a, /, b, c=3, *args, d, e=5, **kw):
    return [a, b, c, list(args), d, e, kw]
def main():
    return [f(1, 2, d=4), f(1, 2, 3, 4, 5, d=6, e=7, z=8), f(1, b=2, d=0), f(*[1, 2], **{"d": 4, "a": 9})]

#: st-annotations | functions
from typing import Optional, Any
LIMIT: int = 3
def pick(xs: list[int], n: int = LIMIT, label: Optional[str] = None, **extra: Any) -> dict[str, Any]:
    """Picks."""
    head: list[int] = xs[:n]
    rest: list[int]
    rest = xs[n:]
    return {"head": head, "rest": rest, "label": label}
def main(xs: list[int] = [1, 2, 3, 4]) -> dict:
    return pick(xs)

#: st-while | loops
def main():
    n, out = 10, []
    while n:
        n -= 1
        if n % 2:
            continue
        if n < 3:
            break
        out.append(n)
    while True:
        n += 1
        if n > 5: break
    while False:
        n = -1
    else:
        out.append("else")
    return [n, out]

#: st-semicolon | layout
def main():
    a = 1; b = 2
    if a: b = 3
    else: b = 4
    for i in range(2): a += i
    c = (1 +
         2 +

         # note
         3)
    d = [1,
         2,
        ]
    e = "a" \
        "b"
    if (a and
            b):
        f = {
            "x": 1,
            "y": 2,
        }
    pass
    return [a, b, c, d, e, f]; a = 9

#: st-nested-closures | closures
def outer(n):
    def middle(m):
        def inner(k):
            nonlocal n
            n += 1
            return [n, m, k]
        return inner
    return middle
def main():
    m = outer(10)
    i, j = m(1), m(2)
    return [i(0), j(0), i(5)]

#: st-comprehension-nest | comprehensions
def main():
    grid = [[(r, c) for c in range(3) if c != r] for r in range(2)]
    flat = [x for row in grid for x in row if x[0] < x[1]]
    d = {k: [v for _, v in g] for k, g in {"a": [(1, 2)], "b": []}.items()}
    s = sorted({x % 3 for x in range(10) if x > 4})
    t = tuple(x for x in "abc" if x != "b")
    primes = [n for n in range(2, 30) if all(n % p for p in range(2, int(n ** 0.5) + 1))]
    triples = [(a, b, c) for c in range(1, 14) for b in range(1, c) for a in range(1, b) if a * a + b * b == c * c]
    return [grid, flat, d, s, t, primes, triples, {i: c for i, c in enumerate("ab")}, [y for x in [1, 2] if (y := x * 3) > 3]]

#: st-class-refused | classes | refused 1
class P:
    def __init__(self, x):
        self.x = x
def main():
    return P(1).x

#: st-state-machine | jobs
#> {"events": ["start", "pause", "resume", "stop", "start"]}
#> {"events": ["pause"]}
TRANSITIONS = {
    "idle": {"start": "running"},
    "running": {"pause": "paused", "stop": "idle"},
    "paused": {"resume": "running", "stop": "idle"},
}
def main(events):
    state, log = "idle", []
    for n, e in enumerate(events):
        nxt = TRANSITIONS[state].get(e)
        if nxt is None:
            raise ValueError(f"event {n}: cannot {e} while {state}")
        log.append((state, e, nxt))
        state = nxt
    return {"state": state, "log": log}

#: st-script | script
#> {"xs": [1, 2, 3]}
total = 0
for x in xs:
    total += x
label = "big" if total > 5 else "small"
{"total": total, "label": label}

#: st-script-result | script
#> {"n": 3}
result = [i * i for i in range(n)]
if n > 2:
    result.append("more")

#: st-script-print | script
#> {"items": ["b", "a"]}
names = sorted(items)
print("sorted")
print(names)

#: st-helpers-script | script
#> {"xs": [1, 2, 3, 4]}
def mean(v):
    return sum(v) / len(v)
m = mean(xs)
[m, [x for x in xs if x > m]]

#: st-main-guard | file
import json
def helper(x):
    return x + 1
def main(n=1):
    return helper(n)
if __name__ == "__main__":
    print(json.dumps(main()))
