#: t-alias-12 | alias
#> {"rows": [{"v": 1}, {"v": 3}]}
def main(rows):
    best = rows[0]
    for r in rows:
        if r["v"] > best["v"]:
            best = r
    best["best"] = True
    return rows

#: t-alias-5 | alias
#> {"d": {"items": [1, 2]}}
def main(d):
    inner = d["items"]
    inner[0] = 99
    return d

#: t-alias-7 | alias
#> {"a": [1]}
def main(a):
    b = a
    b += [2]
    return a

#: t-alias-10 | alias
#> {"m": [[1, 2]]}
def main(m):
    row = m[0]
    m[0][0] = 9
    return row

#: t-alias-11 | alias
#> {"d": {"list": [1]}}
def main(d):
    a = d["list"]
    d["list"] += [3]
    return a

#: t-alias-9 | alias
#> {"x": {"k": 1}}
def main(x):
    cfg = {"a": x}
    hist = []
    for i in range(2):
        cfg["i"] = i
        hist.append(cfg)
    return hist

#: t-alias-3 | alias
#> {"rows": [{"id": 1}, {"id": 2}]}
def main(rows):
    for r in rows:
        r["seen"] = True
    return rows

#: t-alias-1 | alias
#> {"a": [1]}
def main(a):
    b = a
    b.append(4)
    return a

#: t-attr-2 | attribute
#> {"rows": [{"id": 1}, {"id": 2}]}
def main(rows):
    return [r.id for r in rows if r.id > 1]

#: t-attr-3 | attribute
#> {"o": {}}
def main(o):
    o.name = "x"
    return o

#: t-attr-4 | attribute
#> {"d": {"items": [1]}}
def main(d):
    return d.items

#: t-fn-3 | builtin
#> {"xs": "hello"}
#> {"xs": {"b": 1, "a": 2}}
#> {"xs": [[2, 1], [1, 9]]}
def main(xs):
    return min(xs)

#: t-fn-6 | builtin
#> {"x": 2.675}
#> {"x": "2.5"}
#> {"x": 1.005}
def main(x):
    return round(x, 2)

#: t-fn-1 | builtin
#> {"x": null}
#> {"x": 123}
#> {"x": "añ😀"}
def main(x):
    return len(x)

#: t-fn-7 | builtin
#> {"xs": ["a", "b"]}
#> {"xs": "ab"}
def main(xs):
    return [x for x in zip(xs, [1, 2, 3])]

#: t-fn-9 | builtin
#> {"xs": {"b": 1, "a": 2}}
#> {"xs": "cab"}
#> {"xs": null}
def main(xs):
    return sorted(xs)

#: t-fn-5 | builtin
#> {"x": 3}
#> {"x": 2.0}
#> {"x": "3"}
#> {"x": -1}
def main(x):
    return [i for i in range(x)]

#: t-fn-4 | builtin
#> {"xs": ["", "0"]}
#> {"xs": "a"}
#> {"xs": null}
def main(xs):
    return any(xs)

#: t-cmp-3 | compare
#> {"x": 5}
#> {"x": true}
#> {"x": "5"}
def main(x):
    return 1 < x < 10

#: t-cmp-2 | compare
#> {"a": [1], "b": [1]}
def main(a, b):
    return [a is b, a == b]

#: t-cmp-7 | compare
#> {"xs": [10, 9, "1"]}
#> {"xs": ["b", "A", "a"]}
#> {"xs": [true, 0, 2]}
#> {"xs": [[2], [1, 5]]}
def main(xs):
    return sorted(xs)

#: t-cmp-4 | compare
#> {"a": [], "b": 1}
#> {"a": "x", "b": 0}
def main(a, b):
    return a and b

#: t-cmp-8 | compare
#> {"x": []}
#> {"x": " "}
#> {"x": -0.0}
def main(x):
    if x:
        return "yes"
    return "no"

#: t-default-4 | default
#> {"x": 1}
def helper(a, b=2, c=3):
    return [a, b, c]


def main(x):
    return helper(x, c=5)

#: t-default-1 | default
#> {"xs": [1, 2]}
def add(x, acc=[]):
    acc += [x]
    return acc


def main(xs):
    for x in xs:
        out = add(x)
    return out

#: t-default-3 | default
#> {"a": 1}
#> {"a": 1, "b": 2, "c": 3}
def main(a, b):
    return [a, b]

#: t-err-4 | error
#> {"x": 1}
def main(x):
    raise "problem"

#: t-err-3 | error
#> {"x": 0}
#> {"x": "a"}
def main(x):
    try:
        return 1 / x
    except Exception as e:
        return f"error: {e}"

#: t-err-2 | error
#> {"x": 0}
#> {"x": 2}
def main(x):
    try:
        y = 1 / x
    except e:
        return "caught"
    return y

#: t-esc-6 | escape
#> {"x": "q"}
def main(x):
    return f"{{x}} {x!r} {'a' + 'b'} {x:{5}}"

#: t-esc-5 | escape
#> {"x": 0}
def main(x):
    return """line1
  line2"""

#: t-esc-4 | escape
#> {"x": 0}
def main(x):
    return ("one " "two "
            "three")

#: t-esc-2 | escape
#> {"x": 0}
def main(x):
    return '\n' + 'a\tb'

#: t-intkey-4 | intkey
#> {"x": 7}
def main(x):
    d = {}
    d[x] = 1
    d[str(x)] = 2
    return len(d)

#: t-intkey-2 | intkey
#> {"x": 0}
def main(x):
    d = {1: "a"}
    return "1" in d

#: t-intkey-1 | intkey
#> {"xs": [3, 1]}
def main(xs):
    counts = {}
    for x in xs:
        counts[x] = 1
    return [k + 1 for k in counts]

#: t-intkey-7 | intkey
#> {"d": {"1": "a"}, "k": 1}
#> {"d": {"1": "a"}, "k": "1"}
def main(d, k):
    return d[k]

#: t-intkey-3 | intkey
#> {"x": 1}
#> {"x": "1"}
def main(x):
    d = {"1": "a"}
    return x in d

#: t-iter-5 | iterate
#> {"pairs": [[1, 2], [3]]}
#> {"pairs": [[1, 2, 3]]}
#> {"pairs": ["ab"]}
def main(pairs):
    out = []
    for a, b in pairs:
        out += [a]
    return out

#: t-iter-7 | iterate
#> {"n": 20000}
def main(n):
    i = 0
    while i < n:
        i += 1
    return i

#: t-iter-1 | iterate
#> {"xs": [-1, -2, 3]}
def main(xs):
    for x in xs:
        if x < 0:
            xs.remove(x)
    return xs

#: t-iter-3 | iterate
#> {"xs": [1, 2]}
def main(xs):
    for x in xs:
        if len(xs) < 5:
            xs += [x * 2]
    return xs

#: t-iter-4 | iterate
#> {"x": "añ😀"}
#> {"x": null}
#> {"x": 5}
#> {"x": {"a": 1}}
def main(x):
    out = []
    for c in x:
        out += [c]
    return out

#: t-order-1 | keyorder
#> {"xs": ["10", "b", "9"]}
def main(xs):
    counts = {}
    for x in xs:
        counts[x] = len(counts)
    return list(counts)

#: t-order-4 | keyorder
#> {"x": 0}
def main(x):
    d = {"b": 1, "100": 2, "a": 3}
    return f"{[k for k in d]}"

#: t-order-2 | keyorder
#> {"d": {"z": 1, "2": 2, "1": 3}}
def main(d):
    return [k for k in d]

#: t-key-6 | missing
#> {"d": {}}
def main(d):
    d["a"]["b"] = 1
    return d

#: t-key-4 | missing
#> {"xs": [1]}
def main(xs):
    return xs[5]

#: t-key-5 | missing
#> {"xs": [1]}
def main(xs):
    return xs[-2]

#: t-key-3 | missing
#> {"rows": [{"x": 1}, {}]}
def main(rows):
    return [r["x"] for r in rows if r["x"] is not None]

#: t-key-1 | missing
#> {"d": {"a": 1}}
def main(d):
    return d["missing"]

#: t-key-10 | missing
#> {"xs": [1, 2]}
def main(xs):
    xs[3] = 1
    return xs

#: t-key-8 | missing
#> {"d": {"a": {}}}
#> {"d": {"a": null}}
def main(d):
    x = d["a"]["b"]["c"]
    return x

#: t-num-11 | number
#> {"a": -7, "b": 2}
#> {"a": 7, "b": -2}
#> {"a": 7.5, "b": 2}
def main(a, b):
    return [a // b, a % b, int(a / b)]

#: t-num-15 | number
#> {"x": 1}
#> {"x": 1.0}
#> {"x": true}
def main(x):
    return type(x) == int

#: t-num-20 | number
#> {"a": "%d items"}
#> {"a": -1}
#> {"a": 5.5}
def main(a):
    return a % 3

#: t-num-8 | number
#> {"x": null}
#> {"x": "abc"}
#> {"x": "1e3"}
#> {"x": "inf"}
def main(x):
    return float(x)

#: t-num-13 | number
#> {"xs": ["1", "2"]}
#> {"xs": [true, 1]}
#> {"xs": [0.1, 0.2, 0.3]}
def main(xs):
    return sum(xs)

#: t-num-12 | number
#> {"xs": [0.5, 1.5, 2.5, -0.5, -1.5]}
def main(xs):
    return [round(x) for x in xs]

#: t-num-14 | number
#> {"xs": [1, "a"]}
#> {"xs": []}
#> {"xs": [true, 2]}
def main(xs):
    return max(xs)

#: t-num-10 | number
#> {"x": 9007199254740992}
#> {"x": 12345678901234567890}
def main(x):
    return x + 1

#: t-num-6 | number
#> {"x": true}
#> {"x": 1.0}
#> {"x": "1"}
def main(x):
    return x in [1, 2]

#: t-num-1 | number
#> {"x": "5"}
#> {"x": true}
#> {"x": null}
def main(x):
    return x + 1

#: t-num-5 | number
#> {"a": 1, "b": true}
#> {"a": 0, "b": false}
#> {"a": 1, "b": "1"}
#> {"a": 1, "b": 1.0}
def main(a, b):
    return a == b

#: t-num-9 | number
#> {"n": 10}
#> {"n": 53}
#> {"n": 70}
def main(n):
    return 2 ** n

#: t-num-2 | number
#> {"a": "ab", "b": 2}
#> {"a": [0], "b": 3}
#> {"a": "3", "b": "4"}
def main(a, b):
    return a * b

#: t-num-16 | number
#> {"x": 1}
#> {"x": 1.0}
#> {"x": true}
def main(x):
    return isinstance(x, int)

#: t-dup-4 | other
#> {"list": [1, 2]}
def main(list):
    return [x for x in list if x in list]

#: t-ops-3 | other
#> {"a": 1, "b": 2}
def main(a, b):
    return not a == b

#: t-dup-5 | other
#> {"n": 5}
def main(n):
    true = n
    return true

#: t-ops-9 | other
#> {"fast": 3}
def main(fast):
    return fast-track

#: t-ops-1 | other
#> {"a": 6, "b": 3}
def main(a, b):
    return [a & b, a | b, a ^ b, a << 1, ~a]

#: t-ops-2 | other
#> {"a": 3}
def main(a):
    return -a ** 2

#: t-dup-1 | other
#> {"x": {"c": 1}}
def main(x):
    return {"a": 1, "a": 2, "b": {**x}}

#: t-dup-3 | other
#> {"items": [1]}
def main(items):
    len = 3
    return len + items[0]

#: t-ops-6 | other
#> {"xs": [1, 2]}
def main(xs):
    xs[0], xs[1] = xs[1], xs[0]
    return xs

#: t-ops-7 | other
#> {"i": 0, "xs": [1, 2]}
def main(i, xs):
    i, xs[i] = 1, "z"
    return xs

#: t-ret-3 | return
#> {"x": 1}
def main(x):
    out = x

#: t-ret-1 | return
#> {"x": 1}
#> {"x": 2}
def main(x):
    if x > 1:
        return
    return 5

#: t-scope-3 | scope
#> {"xs": [1, 2]}
def main(xs):
    x = "outer"
    squares = [x * 2 for x in xs]
    return {"x": x, "squares": squares}

#: t-scope-5 | scope
#> {"xs": [1, 2, 3]}
#> {"xs": []}
def main(xs):
    i = "before"
    for i in range(len(xs)):
        if xs[i] == 2:
            break
    return i

#: t-scope-8 | scope
#> {"k": "zz"}
def main(k):
    for k, v in {"a": 1, "b": 2}.items():
        pass
    return k

#: t-scope-7 | scope
#> {"xs": [4, 5]}
def main(xs):
    for i, x in enumerate(xs):
        y = x * i
    return {"i": i, "x": x, "y": y}

#: t-scope-2 | scope
#> {"n": 4}
def helper(n):
    total = n * 2
    return total


def main(n):
    total = 1
    helper(n)
    return total

#: t-scope-9 | scope
#> {"x": "a"}
def main(x):
    try:
        int(x)
    except ValueError as e:
        msg = str(e)
    return e

#: t-slice-5 | slice
#> {"xs": [1, 2], "i": true}
#> {"xs": [1, 2], "i": 1.0}
#> {"xs": "ab", "i": -1}
#> {"xs": [1, 2], "i": "0"}
def main(xs, i):
    return xs[i]

#: t-slice-2 | slice
#> {"s": "añ😀"}
#> {"s": [1, 2, 3]}
def main(s):
    return s[::-1]

#: t-slice-3 | slice
#> {"xs": [1, 2, 3], "n": null}
#> {"xs": [1, 2, 3], "n": -1}
#> {"xs": [1, 2, 3], "n": 1.5}
def main(xs, n):
    return xs[:n]

#: t-str-7 | text
#> {"xs": [true, null, 1.0, "a"]}
def main(xs):
    return ", ".join(str(x) for x in xs)

#: t-str-12 | text
#> {"x": 4}
#> {"x": 4.0}
def main(x):
    return f"{x:5d}"

#: t-str-4 | text
#> {"x": 5}
def main(x):
    y = x * 1.0
    return f"value {y}"

#: t-str-1 | text
#> {"x": true}
#> {"x": null}
#> {"x": [1, "a"]}
#> {"x": {"a": null}}
def main(x):
    return f"{x}"

#: t-str-10 | text
#> {"x": "ab"}
#> {"x": 12}
#> {"x": true}
def main(x):
    return f"{x:>8}|{x:<8}|{x:^8}"

#: t-str-8 | text
#> {"x": 2}
#> {"x": 2.0}
#> {"x": 2.25}
def main(x):
    return "n: " + str(round(x, 1))

#: t-str-11 | text
#> {"x": 1}
#> {"x": "1"}
#> {"x": null}
def main(x):
    return f"{x:.2f}"

#: t-str-6 | text
#> {"x": 3}
#> {"x": "3"}
def main(x):
    return f"{float(x)} {int(x)}"

#: t-upper-1 | unicode
#> {"s": "ß ǆ straße"}
def main(s):
    return [s.upper(), s.lower(), s.title(), s.capitalize()]

#: t-unset-1 | unset
#> {"rows": []}
#> {"rows": [1]}
def main(rows):
    for r in rows:
        last = r
    return last

#: t-unset-4 | unset
#> {"items": [1]}
def main(items):
    out = [status for i in items]
    return out

#: t-unset-2 | unset
#> {"x": 1}
#> {"x": 9}
def main(x):
    if x > 5:
        label = "big"
    return {"label": label}

#: u-dict-5 | dict
#> {"d": {"a": null, "b": 1}}
def main(d):
    for k in list(d):
        if d[k] is None:
            del d[k]
    return d

#: u-exc-4 | except
#> {"x": 1}
def main(x):
    try:
        try:
            raise ValueError("inner")
        except KeyError:
            return "key"
        else:
            return "else"
    except Exception as e:
        return [str(e), e.args[0], isinstance(e, ValueError)]

#: u-tuple-2 | tuples
#> {"xs": []}
def main(xs):
    t = (1, 2)
    t[0] = 5
    return t

#: u-gen-5 | lazy
#> {"xs": [1, 2, 3]}
def main(xs):
    it = zip(xs, xs[1:])
    a = list(it)
    b = list(it)
    return [a, b]

#: u-num-1 | numbers
#> {"a": -7.5, "b": 2}
#> {"a": 7, "b": -2.5}
#> {"a": 0.3, "b": 0.1}
#> {"a": 1, "b": 0}
#> {"a": 1e308, "b": 0.1}
def main(a, b):
    return [a // b, a % b, divmod(a, b)]

#: u-dict-2 | dict
#> {"d": {"a": null, "b": 2}}
def main(d):
    e = d | {"b": 5, "0": 1}
    d.update(c=3)
    return [list(e), list(d), d.pop("b", None), d.get("q"), d.get("q", 0), d.setdefault("a", 7)]

#: u-name-3 | names
#> {"xs": [1, 2]}
def main(xs):
    T = 0
    for x in xs:
        T += x
    return T

#: u-json-2 | json
#> {"x": {"b": [], "a": {}, "c": "é\u2028\"", "d": 1e16}}
import json


def main(x):
    return [json.dumps(x), json.dumps(x, indent=1), json.dumps(x, sort_keys=True, ensure_ascii=False)]

#: u-name-2 | names
#> {"config": {"a": false}, "key": "b"}
def main(config, key):
    config[key] = True
    return config

#: u-title-1 | strings
#> {"s": "they're bill's ßx ǆo"}
#> {"s": "ΌΔΟΣ İi"}
def main(s):
    return [s.title(), s.capitalize(), s.swapcase(), s.casefold()]

#: u-alias-6 | sharing
#> {"xs": [0]}
def grow(xs):
    xs += [1]
    return xs


def main(xs):
    ys = grow(xs)
    ys.append(2)
    return [xs, ys]

#: u-replace-1 | strings
#> {"s": "aaa"}
#> {"s": ""}
def main(s):
    return [s.replace("", "-"), s.replace("a", "b", 1), s.count(""), s.find(""), s.count("aa")]

#: u-col-2 | collections
#> {"xs": [1, 2, 3]}
from collections import deque


def main(xs):
    q = deque(xs, maxlen=2)
    q.append(9)
    q.appendleft(7)
    q.rotate(1)
    return list(q)

#: u-re-4 | regex
#> {"s": "😀 2024-"}
#> {"s": "x"}
import re


def main(s):
    m = re.search(r"(?P<y>\d{4})-(?P<m>\d\d)?", s)
    return [m.group(0), m.group("y"), m.group("m"), m.groups(), m.groupdict(), m.span(), m.start("y"), m[1]] if m else None

#: u-while-1 | loops
#> {"n": 4}
#> {"n": 6}
def main(n):
    while n > 0:
        n -= 3
        if n == 1:
            break
    else:
        return "ran out"
    return "broke"

#: u-num-5 | numbers
#> {"x": 2.0}
#> {"x": 2.5}
#> {"x": 0.0}
def main(x):
    return [x == int(x), int(x), x.is_integer(), str(x // 1), str(x * 2), str(-x)]

#: u-set-2 | sets
#> {"a": [1, 2], "b": [2, 3]}
#> {"a": [1], "b": [1, 2]}
def main(a, b):
    a, b = set(a), set(b)
    return [sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a <= b, a < b, a == b]

#: u-kw-2 | calls
#> {"x": 0}
def f(a, b):
    return a - b


def main(x):
    return f(x, a=1)

#: u-exc-8 | except
#> {"xs": [1]}
#> {"xs": [1, 2, 3]}
#> {"xs": "ab"}
def main(xs):
    try:
        a, b = xs
    except ValueError as e:
        return str(e)
    return a

#: u-num-2 | numbers
#> {"h": "hello world"}
def main(h):
    x = 5381
    for c in h:
        x = (x * 33 + ord(c)) % 2 ** 32
    return [x, (x << 5) ^ (x >> 3), x & 0xFF, ~x]

#: u-clos-4 | closure
#> {"n": 1}
def main(n):
    total = 0
    def add(x):
        total += x
    add(n)
    return total

#: u-starts-1 | strings
#> {"s": "ab"}
#> {"s": ""}
def main(s):
    return [s.startswith(("a", "b")), s.endswith(""), s.startswith("b", 1), "" in s]

#: u-alias-7 | sharing
#> {"d": {}}
def main(d):
    d["self"] = d
    return len(d)

#: u-re-6 | regex
#> {"s": "ẞ K] aaa.b-c"}
import re


def main(s):
    return [re.findall(r"(?i)ß|k", s), re.findall(r"[]a]", s), re.findall(r"a{,2}", s), re.escape(s)]

#: u-dict-6 | dict
#> {"d": {"a": 1}}
def main(d):
    keys = d.keys()
    d["new"] = 1
    return [list(keys), len(keys), "new" in keys]

#: u-name-4 | names
#> {"xs": [2, 3]}
def main(xs):
    A = 1
    S = 0
    for x in xs:
        A *= x
        S -= x
    return [A, S]

#: u-dict-7 | dict
#> {"d": {"a": 1, "10": 2, "9": 3}}
#> {"d": {}}
def main(d):
    return d.popitem()

#: u-float-1 | strings
#> {"s": "1_0.5"}
#> {"s": ".5"}
#> {"s": "5."}
#> {"s": "1e400"}
#> {"s": "0x1p3"}
def main(s):
    return float(s) + 0

#: u-exc-9 | except
#> {"x": "a"}
#> {"x": null}
#> {"x": [1]}
#> {"x": 1}
def main(x):
    try:
        return x + 1
    except TypeError as e:
        return str(e)

#: u-name-6 | names
#> {"xs": [2, 3]}
def main(xs):
    state = 0
    for x in xs:
        state += x
    return state

#: u-fmt-1 | formats
#> {"x": 1234567}
#> {"x": -0.5}
#> {"x": 1e10}
#> {"x": 0}
def main(x):
    return [f"{x:,}", f"{x:_}", f"{x:+}", f"{x: }", f"{x:08.2f}", f"{x:.3e}", f"{x:%}", f"{x:g}"]

#: u-clos-1 | closure
#> {"n": 3}
def main(n):
    fs = [lambda: i for i in range(n)]
    return [f() for f in fs]

#: u-sort-4 | sorting
#> {"xs": [2, 1]}
#> {"xs": [2, "1"]}
def main(xs):
    ys = xs.sort()
    return [ys, xs]

#: u-gen-2 | lazy
#> {"xs": [2, 0]}
#> {"xs": [5]}
def main(xs):
    return next((x for x in xs if 10 / x > 3), None)

#: u-gen-4 | lazy
#> {"xs": [2, 0]}
def main(xs):
    m = map(lambda x: 10 / x, xs)
    return [r for r in m][:1]

#: u-set-3 | sets
#> {"xs": [1]}
def main(xs):
    return set(xs)

#: u-date-1 | dates
#> {"s": "2024-03-01T00:00:00.5"}
#> {"s": "2024-W10-1"}
#> {"s": "20240301"}
#> {"s": "2024-03-01T10:00:00Z"}
from datetime import datetime, timedelta


def main(s):
    d = datetime.fromisoformat(s)
    return [d.isoformat(), str(d), str(d - timedelta(days=1, seconds=-5)), str(timedelta(seconds=-90)), d.strftime("%j %U %p %y")]

#: u-clos-5 | closure
#> {"n": 5}
def main(n):
    x = 1
    def f():
        return x
    x = n
    return f()

#: u-gen-1 | lazy
#> {"xs": [2, 0]}
#> {"xs": [0, 2]}
def main(xs):
    return any(10 / x > 3 for x in xs)

#: u-alias-4 | sharing
#> {"n": 3}
def main(n):
    node = {"next": None}
    head = node
    for i in range(n):
        node["next"] = {"v": i, "next": None}
        node = node["next"]
    return head

#: u-re-5 | regex
#> {"s": "x"}
import re


def main(s):
    return re.search("(", s) is None

#: u-int-1 | strings
#> {"s": "٣"}
#> {"s": "-0"}
#> {"s": "+5"}
#> {"s": "0x10"}
#> {"s": "5 5"}
#> {"s": "007"}
def main(s):
    return int(s)

#: u-date-3 | dates
#> {"s": "1 Mar 2024", "f": "%d %b %Y"}
#> {"s": "29/02/2023", "f": "%d/%m/%Y"}
#> {"s": "2024-3-1 7:05 PM", "f": "%Y-%m-%d %I:%M %p"}
#> {"s": "68", "f": "%y"}
from datetime import datetime


def main(s, f):
    return datetime.strptime(s, f).isoformat()

#: u-col-3 | collections
#> {"xs": [5, 1, 4, 2, 3, 0]}
import heapq


def main(xs):
    h = []
    for x in xs:
        heapq.heappush(h, x)
    return h

#: u-re-3 | regex
#> {"s": "abc"}
import re


def main(s):
    return [re.findall(r"(a)|(b)", s), re.sub(r"(a)|(b)", r"[\1\2]", s), re.sub(r"a", r"\g<0>\n", s)]

#: u-re-7 | regex
#> {"s": "a,a,a"}
#> {"s": "a"}
import re


def main(s):
    return [re.split(",", s, maxsplit=1), re.sub("a", "b", s, count=1), re.subn("a", "b", s), re.fullmatch("a,?", s) is not None]

#: u-math-1 | numbers
#> {"x": 2}
#> {"x": 2.5}
#> {"x": -1}
import math


def main(x):
    return [math.floor(x), math.ceil(x), math.sqrt(x), x ** 2, x ** 0.5, math.isclose(x, 2.0000000001)]

#: u-name-7 | names
#> {"xs": 1}
def main(xs):
    err = []
    err += [xs]
    call = {}
    call["n"] = 1
    return [err, call]

#: u-sort-1 | sorting
#> {"rows": [[1, "a"], [2, "b"], [1, "c"], [2, "d"]]}
def main(rows):
    return [sorted(rows, key=lambda r: r[0], reverse=True), sorted(rows, key=lambda r: -r[0])]

#: u-dict-1 | dict
#> {"d": {"a": 1, "b": 2}}
def main(d):
    d["z"] = 1
    del d["a"]
    d["a"] = 2
    d["b"] = 9
    return list(d.items())

#: u-tuple-3 | tuples
#> {"xs": []}
def main(xs):
    x = 1,
    y = (1)
    return [x, y, (1, 2) < (1, 3), (1, "a") < (2, None)]

#: u-exc-2 | except
#> {"x": 1}
def main(x):
    try:
        return "try"
    finally:
        return "finally"

#: u-strip-2 | strings
#> {"s": "abbaxaab"}
#> {"s": "ab"}
def main(s):
    return [s.strip("ab"), s.lstrip("ab"), s.removeprefix("ab"), s.removesuffix("ab")]

#: u-alias-2 | sharing
#> {"rows": [{"tags": []}]}
def main(rows):
    copy = [dict(r) for r in rows]
    copy[0]["tags"].append("x")
    copy[0]["n"] = 5
    return [rows, copy]

#: u-gen-3 | lazy
#> {"xs": [2, 1, 3]}
def main(xs):
    log = []
    def f(x):
        log.append(x)
        return x > 1
    r = all(f(x) for x in xs)
    return [r, log]

#: u-exc-1 | except
#> {"x": 2}
#> {"x": 0}
def f(x):
    try:
        return 1 / x
    finally:
        log.append("done")


log = []


def main(x):
    try:
        r = f(x)
    except ZeroDivisionError:
        r = None
    return [r, log]

#: u-col-1 | collections
#> {"xs": ["b", "a", "b", "a", "c"]}
from collections import Counter, defaultdict


def main(xs):
    c = Counter(xs)
    d = defaultdict(list)
    missing = c["zz"]
    d["q"]
    return [c.most_common(2), missing, list(c), dict(d), len(d)]

#: u-clos-2 | closure
#> {"n": 3}
def main(n):
    fs = [lambda x, i=i: x + i for i in range(n)]
    return [f(10) for f in fs]

#: u-repr-1 | repr
#> {"x": "it's"}
#> {"x": "a\"b'c"}
#> {"x": "tab\t\n\\ \u0001 \u00a0 é 😀"}
#> {"x": 1.0}
#> {"x": null}
def main(x):
    return [f"{x!r}", str([x])]

#: u-alias-1 | sharing
#> {"rows": [{"id": 1}, {"id": 2}]}
def main(rows):
    seen = {}
    for r in rows:
        seen[r["id"]] = r
    seen[1]["hit"] = True
    return rows

#: u-fmt-4 | formats
#> {"x": 0.5}
#> {"x": 2.5}
#> {"x": 1.005}
#> {"x": 1e-7}
#> {"x": 123456789.5}
def main(x):
    return [f"{x:.0f}", f"{x:.1f}", f"{x:.2f}", f"{x:.3g}", f"{x:.10}"]

#: u-strmul-1 | strings
#> {"n": 2}
#> {"n": -1}
#> {"n": true}
#> {"n": 1.0}
def main(n):
    return "ab" * n

#: u-set-4 | sets
#> {"a": [1], "b": [2]}
def main(a, b):
    return sorted(set(a) | b)

#: u-sort-3 | sorting
#> {"words": ["bb", "B", "a", "é", "Z", "aa"]}
def main(words):
    return [sorted(words), sorted(words, key=str.lower), max(words, key=len), min(words, key=len)]

#: u-num-3 | numbers
#> {"n": 1000}
def main(n):
    return sum(range(n)) * 10 ** 15 % 7

#: u-dict-3 | dict
#> {"x": 0}
def main(x):
    d = {1: "a", True: "b", 1.0: "c", "1": "d", None: "e", (1, 2): "f"}
    return [len(d), d[1], [str(k) for k in d]]

#: u-match-1 | other
#> {"x": {"type": "a", "n": 5, "z": 1}}
#> {"x": [7, 8]}
#> {"x": null}
#> {"x": 1.5}
def main(x):
    match x:
        case {"type": "a", "n": n}:
            return n
        case [first, *_]:
            return first
        case str() | None:
            return "text"
        case _:
            return "other"

#: u-strip-1 | strings
#> {"s": "\u001c a\u0085b \ufeff"}
#> {"s": "\u2028"}
#> {"s": "a\r\nb\u000bc\n"}
def main(s):
    return [s.strip(), s.split(), s.isspace(), s.splitlines()]

#: u-unpack-1 | loops
#> {"xs": [[1, 2], 3, 4, 5]}
#> {"xs": [[1, 2], 3]}
def main(xs):
    (a, b), *rest = xs
    first, *mid, last = rest
    return [a, b, first, mid, last]

#: u-fmt-2 | formats
#> {"x": 65}
#> {"x": true}
#> {"x": 6.0}
def main(x):
    return [f"{x:d}", f"{x:x}", f"{x:#b}", f"{x:c}", f"{x:>5}", f"{x:05}"]
