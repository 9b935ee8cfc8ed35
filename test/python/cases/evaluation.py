#: ev-read-then-call | operands
def main():
    n = 1
    def nx():
        nonlocal n
        n += 1
        return n
    return [n, nx(), n, nx(), n + nx(), nx() + n, (n, nx(), n)]

#: ev-global | operands
a = 1
def f():
    global a
    a = 10
    return 1
def main():
    return [a + f(), a, -a + f() * a]

#: ev-assign-order | assignment
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    d = {}
    d[g(3)] = g(4)
    xs = [0, 0, 0]
    xs[g(0)], xs[g(1)] = g(7), g(8)
    d[g("k")] = d[g("j")] = g("v")
    return [log, d.get(3), xs, d["k"]]

#: ev-augmented | assignment
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    xs = [1, 2, 3]
    xs[g(1)] += g(10)
    d = {"a": 1}
    try:
        d[g("k")] += g(1)
    except KeyError as e:
        log.append(str(e))
    return [log, xs, d]

#: ev-call-none | calls
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    for f in (lambda: None(g(1)), lambda: None.foo(g(2)), lambda: [].nope(g(3)), lambda: (5)(g(4))):
        try:
            f()
        except (TypeError, AttributeError) as e:
            log.append(type(e).__name__)
    return log

#: ev-call-parts | calls
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    def f(*args, **kw):
        return [list(args), kw]
    return [f(g(1), x=g(2), *[g(3)], **{"y": g(4)}), f(*[g(5)], g(6), z=g(7)), log]

#: ev-chained | comparison
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    r = [g(1) < g(2) < g(3), g(5) < g(4) < g(6), g(1) == g(1) != g(2) in [2, g(3)]]
    return [r, log]

#: ev-dict-display | displays
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    d = {g("a"): g(1), **{g("b"): g(2)}, g("a"): g(3)}
    e = {g(k): g(v) for k, v in [("x", 1), ("y", 2)]}
    return [d, e, log]

#: ev-short-circuit | logic
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    r = [g(0) or g("") or g(3), g(1) and g([]) and g(5), not g(0) and g("t"), g(1) if g(0) else g(2)]
    return [r, log]

#: ev-slices | subscripts
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    xs = [0, 1, 2, 3, 4, 5]
    ys = xs[g(1):g(5):g(2)]
    xs[g(0):g(2)] = [g(9)]
    del xs[g(-1)]
    return [ys, xs, log]

#: ev-default-order | functions
log = []
def g(x):
    log.append(x)
    return x
def f(a=g(1), *, b=g(2)):
    return a + b
def main():
    return [f(), f(b=5), f(3), log]

#: ev-walrus | walrus
#> {"xs": [1, 2, 3]}
def main(xs):
    log = []
    if (n := len(xs)) > 2 and (m := n * 2) > 5:
        log.append([n, m])
    ys = [y for x in xs if (y := x * 2) > 2]
    total = 0
    while (total := total + 3) < 10:
        log.append(total)
    return [log, ys, y, total, n + (n := 100) + n]
#: ev-walrus-frame | walrus
#> {"s": "a=1;b=2;c"}
def main(s):
    out = {}
    for part in s.split(";"):
        if (i := part.find("=")) >= 0:
            out[part[:i]] = part[i + 1:]
        else:
            out[part] = None
    return [out, i]

#: ev-folds-stop | folds
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    r = [any(g(x) > 1 for x in [1, 2, 3]), all(g(x) < 5 for x in [4, 5, 6])]
    for f in (lambda: max(g(x) for x in [1, "a", 5]), lambda: max([2, "b", 6], key=g), lambda: set(g(x) for x in [1, [2], 3]), lambda: sum(g(x) for x in [1, "q", 3])):
        try:
            f()
        except TypeError:
            log.append("!")
    return [r, log]

#: ev-map-lazy | folds
def main():
    log = []
    def g(x):
        log.append(x)
        return x
    for y in map(g, [1, 2, 3]):
        if y == 2:
            break
    for a, b in zip(map(g, [4, 5, 6]), filter(g, [0, 7])):
        log.append([a, b])
    return log

#: ev-zip-uneven | folds
def main():
    log = []
    def g(tag, xs):
        for x in xs:
            log.append(tag)
        return xs
    a = list(zip([1, 2, 3], [4, 5]))
    it = iter([1, 2, 3])
    b = [next(it), next(it, None), next(it, None), next(it, "end")]
    return [a, b, list(zip()), list(zip([1]))]

#: ev-next-genexp | folds
#> {"xs": [3, 8, 12]}
#> {"xs": []}
#> {"xs": [1]}
def main(xs):
    first = next((x for x in xs if x > 5), None)
    return [first, next(iter(xs), "none"), next((i for i, x in enumerate(xs) if x == 12), -1)]

#: ev-next-stop | folds
#> {"xs": [1]}
def main(xs):
    return next(x for x in xs if x > 5)

#: ev-unpack-order | assignment
def main():
    log = []
    class_names = ["a", "b"]
    i = 0
    xs = [10, 20, 30]
    i, xs[i] = 2, 99
    a, (b, *c), d = 1, "xyz", [4]
    (p, q), r = [1, 2], 3
    return [i, xs, a, b, c, d, p, q, r, class_names, log]

#: ev-swap | assignment
def main():
    a, b, c = 1, 2, 3
    a, b, c = c, a, b
    xs = [1, 2, 3]
    xs[0], xs[2] = xs[2], xs[0]
    x = y = []
    x.append(1)
    m = n = 5
    m += 1
    return [a, b, c, xs, x, y, m, n]

#: ev-finally-order | try
def main():
    log = []
    def f():
        try:
            log.append("try")
            return log.append("value") or "r"
        finally:
            log.append("finally")
    return [f(), log]

#: ev-ternary-nest | logic
#> {"n": 3}
#> {"n": -1}
#> {"n": 0}
def main(n):
    return ["pos" if n > 0 else "neg" if n < 0 else "zero", (n and "t") or "f", n or None, not n == 0, (1, 2) if n else ()]

#: ev-binding | precedence
def main():
    return [-2 ** 2, 2 ** -1, 2 ** 3 ** 2, -7 // 2, -7 % 3, 7 % -3, not 1 == 2, 1 + 2 << 1, 6 & 3 == 3, 1 | 2 ^ 3 & 4, ~5 + 1, -3 ** 2 % 5, 3 - -2, 2 * -3]

#: ev-compare-mix | precedence
def main():
    return [1 < 2 == True, (1 < 2) == True, 1 in [1] == True, not [] is None, 1 if [] else 2 or 3, "a" < "b" < "c", 3 > 2 > 1, 1 < 3 > 2, 2 == 2.0 == True + 1]

#: ev-lambda-default | closures
def main():
    fs = [lambda i=i: i for i in range(3)]
    gs = [lambda: i for i in range(3)]
    hs = []
    for j in range(3):
        hs.append(lambda k, j=j: k * 10 + j)
    return [[f() for f in fs], [g() for g in gs], [h(1) for h in hs], [h(1, 7) for h in hs]]

#: ev-print-order | print
def main(n=3):
    print("a", 1, 2.0, None, True)
    def f(x):
        print("f", x)
        return x
    print(f(1), f(2), sep="-", end="!\n")
    print()
    print([1, "x"], {"k": (1,)}, sep="")
    return n

#: ev-sort-key-calls | folds
def main():
    log = []
    def key(x):
        log.append(x)
        return -x
    xs = [3, 1, 2]
    r = sorted(xs, key=key)
    m = max(xs, key=key)
    xs.sort(key=key)
    return [r, m, xs, log]

#: ev-index-of-call | operands
def main():
    log = []
    def xs():
        log.append("xs")
        return [1, 2, 3]
    def i():
        log.append("i")
        return 1
    xs()[i()] = log.append("v")
    return [xs()[i()], log]

#: ev-del | del
def main():
    x = 1
    del x
    try:
        return x
    except NameError as e:
        x = type(e).__name__
    d = {"a": 1, "b": 2}
    del d["a"]
    xs = [1, 2, 3, 4]
    del xs[0], xs[-1]
    del xs[:1]
    return [x, d, xs]

#: ev-aug-name | assignment
def main():
    x = 5
    def f():
        nonlocal x
        x = 100
        return 1
    x += f()
    y = [1]
    z = y
    y += [2]
    y = y + [3]
    return [x, y, z]
