#: co-dict-order | order
def main():
    d = {"b": 1, "a": 2}
    d["c"] = 3
    d["b"] = 9
    del d["a"]
    d["a"] = 4
    d.update({"c": 0, "z": 1})
    return [list(d), list(d.values()), list(d.items()), list(reversed(d)), next(iter(d)), d]

#: co-int-keys | keys
def main():
    d = {}
    for k in [3, 1, 2, "10", 10, "b", 0, -1]:
        d[k] = str(k)
    return [list(d), list(d.values()), d.get("3"), d.get(3), 1 in d, "1" in d, d[10], d["10"] == d[10], sorted(k for k in d if isinstance(k, int)), len(d)]

#: co-key-equality | keys
def main():
    d = {1: "int", True: "bool", 1.0: "float", "1": "text", 0: "z", False: "f", None: "n", (1, 2): "t", 2.5: "h"}
    return [[str(k) for k in d], list(d.values()), d[1], d[True], d[(1, 2)], d[None], len(d), d.get((1,)), 1.0 in d]

#: co-key-out | keys
def main():
    return {2: "a", 1: "b", "x": {3: 4}, True: "c", None: 1, 1.5: 2, "10": 5}

#: co-number-like-keys | order
#> {"xs": ["10", "9", "b", "1", "a", "9"]}
def main(xs):
    counts = {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
    return [counts, list(counts), ",".join(counts)]

#: co-dict-methods | methods
def main():
    d = {"a": 1, "b": None}
    out = [d.get("a"), d.get("b", 5), d.get("x"), d.get("x", 0), d.setdefault("b", 7), d.setdefault("c", 8), d.pop("a"), d.pop("zz", "no"), d.popitem(), d, "b" in d, len(d), bool({}), d == {"b": None}, {"a": 1, "b": 2} == {"b": 2, "a": 1}, dict([("x", 1)]), dict(x=1, y=2), dict({"x": 1}, z=3), dict(zip("ab", [1, 2]))]
    for f in (lambda: d.pop("q"), lambda: {}.popitem(), lambda: d[[1]], lambda: {[]: 1}, lambda: dict([1]), lambda: dict("ab")):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: co-dict-iter | methods
#> {"d": {"x": 1, "y": 2}}
def main(d):
    out = []
    for k in d:
        out.append(k)
    for v in d.values():
        out.append(v)
    for k, v in d.items():
        out.append([k, v])
    for i, (k, v) in enumerate(d.items()):
        out.append([i, k, v])
    a, b = d
    (k1, v1), *rest = d.items()
    return [out, a, b, k1, v1, rest, [k for k in d.keys() if d[k] > 1], sum(d.values()), max(d, key=d.get), sorted(d, reverse=True), {v: k for k, v in d.items()}, min(d.items(), key=lambda kv: kv[1])]

#: co-views | views
def main():
    a = {"x": 1, "y": 2}
    b = {"y": 3, "z": 4}
    return [sorted(a.keys() & b.keys()), sorted(a.keys() | b.keys()), sorted(a.keys() - b.keys()), "x" in a.keys(), 2 in a.values(), ("x", 1) in a.items(), len(a.items()), a.keys() == {"x", "y"}, sorted(set(a) ^ set(b)), list(a.keys())[0], a.keys() <= b.keys()]

#: co-sets | sets
#> {"a": [1, 2, 2, 3], "b": [3, 4]}
def main(a, b):
    s, t = set(a), set(b)
    u = s.copy()
    u.add(9)
    u.discard(1)
    u.discard(100)
    u.update([7, 8], {9})
    u -= {8}
    return [len(s), sorted(s | t), sorted(s & t), sorted(s - t), sorted(s ^ t), s <= s | t, s < s, {1} < s, s.isdisjoint({7}), s.issubset([1, 2, 3, 4]), s.issuperset([1]), sorted(u), 2 in s, s == {3, 2, 1, True}, sum(s), max(s), min(t), sorted(s.union(b, [0])), sorted(s.symmetric_difference(b)), any(x > 2 for x in s), bool(set()), sorted({x % 2 for x in a})]

#: co-set-errors | sets
def main():
    s = {1, 2}
    out = []
    for f in (lambda: {[1]}, lambda: s.remove(5), lambda: s + {3}, lambda: s[0], lambda: s & [1], lambda: set(5), lambda: {{1}}, lambda: s < [1], lambda: set([[]]), lambda: set().pop()):
        try:
            out.append(str(f()))
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: co-set-kept-member | sets
def main():
    s = {1, 2} & {True}
    t = {1.0} | {1}
    f = frozenset([1, 2])
    d = {f: "x"}
    return [[str(x) for x in s], [str(x) for x in t], d[frozenset([2, 1])], f == {1, 2}, len({1, True, 1.0, "1"}), (1, 2) in {(1, 2)}]

#: co-dedup | jobs
#> {"xs": ["b", "a", "b", "c", "a"]}
def main(xs):
    seen = set()
    out = []
    for x in xs:
        if x in seen:
            continue
        seen.add(x)
        out.append(x)
    return [out, list(dict.fromkeys(xs)), [x for x in xs if not (x in seen and seen.remove(x))], len(set(xs)) == len(xs), sorted(set(xs))]

#: co-set-order | set order
def main():
    return list({"a", "b", "c"})
#: co-tuples | tuples
def main():
    t = (1, "a", [2])
    a, b, c = t
    u = t + (3,)
    return [t, len(u), u[-1], t[:2], t * 2, (1, 2) == (1, 2), (1, 2) == [1, 2], (1, 2) < (1, 3), () < (0,), 1 in t, t.index("a"), t.count(1), tuple("ab"), tuple([1]), isinstance(t, tuple), type(t).__name__, str(t), hash((1, 2)) == hash((1, 2)), max((1, 5), (2, 0)), sorted([(2, "a"), (1, "z"), (1, "b")]), tuple(x * 2 for x in range(3)), (5), (5,)]

#: co-tuple-errors | tuples
def main():
    t = (1, [2])
    out = []
    def put():
        t[0] = 5
    def dele():
        del t[0]
    for f in (put, dele, lambda: t.append(1), lambda: t + [1], lambda: {t: 1}, lambda: (1, "a") < (1, 2), lambda: t[5], lambda: (1, 2) + 3):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: co-list-methods | lists
def main():
    xs = [3, 1, 2]
    xs.append(4)
    xs.extend((5, 6))
    xs.extend("a")
    xs.insert(0, 0)
    xs.insert(-1, "x")
    xs.insert(100, "end")
    p = [xs.pop(), xs.pop(0), xs.pop(-2)]
    xs.remove(1)
    n = [xs.index(2), xs.count(5), xs.index(6, 1)]
    ys = xs.copy()
    ys.clear()
    xs.reverse()
    out = [xs, p, n, ys]
    for f in (lambda: [].pop(), lambda: xs.remove(99), lambda: xs.index(99), lambda: xs.pop(50), lambda: xs.pop("a"), lambda: xs.append(), lambda: xs.extend(5), lambda: xs + (1,), lambda: [1, 2].sort(5)):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: co-list-slices | lists
def main():
    xs = list(range(8))
    a = xs[:]
    a[2:4] = []
    b = xs[:]
    b[::3] = ["a", "b", "c"]
    c = xs[:]
    del c[1::2]
    d = xs[:]
    d[5:2] = ["n"]
    e = [1, 2] + [3] * 2
    out = [a, b, c, d, e, xs[-3:], xs[::-2], xs[6:1:-2], xs[20:], [] * 3, [[]] * 2, [1] == [1.0], [1, 2] < [1, 3], [1] < [1, 0], 3 in xs, [3] in xs]
    try:
        xs[::2] = [1]
    except ValueError:
        out.append("size")
    return out

#: co-nested | lists
#> {"m": [[1, 2, 3], [4, 5, 6]]}
def main(m):
    return [[list(r) for r in zip(*m)], [[row[i] for row in m] for i in range(3)], [x for row in m for x in row], [x for row in m if sum(row) > 6 for x in row if x % 2], sum(sum(r) for r in m), [r[::-1] for r in m[::-1]], [[x * y for x in r] for r, y in zip(m, [1, 10])], max(max(r) for r in m), {(i, j): v for i, r in enumerate(m) for j, v in enumerate(r)}[(1, 2)]]

#: co-comprehension-scope | scope
def main():
    x = "outer"
    ys = [x for x in range(3)]
    d = {x: x for x in "ab"}
    for z in range(2):
        pass
    n = 10
    ws = [n * i for i in range(3) if i < n]
    fs = [(lambda: i) for i in range(3)]
    return [x, ys, d, z, ws, fs[0](), [[i * j for j in range(i)] for i in range(4)], [(a, b) for a, b in [(1, 2), (3, 4)]], [a for a, *_ in ["xyz"]]]

#: co-counter | Counter
#> {"words": ["a", "b", "a", "c", "b", "a"]}
from collections import Counter
def main(words):
    c = Counter(words)
    d = Counter("abca")
    e = c + d
    c["z"] += 2
    c.update(["b", "q"])
    c.subtract({"a": 1})
    return [c.most_common(2), d.most_common(), c["nope"], "nope" in c, e, c - d, c & d, c | d, sum(c.values()), list(c.elements())[:4], dict(d), len(c), isinstance(c, dict), c.total(), d.most_common()[-1], Counter(x=3, y=1), sorted(c), Counter() == {}, list(Counter([3, 1, 3]).items())]

#: co-defaultdict | defaultdict
#> {"rows": [{"k": "x", "v": 1}, {"k": "y", "v": 2}, {"k": "x", "v": 3}]}
from collections import defaultdict
def main(rows):
    g = defaultdict(list)
    n = defaultdict(int)
    s = defaultdict(set)
    nested = defaultdict(lambda: defaultdict(int))
    for r in rows:
        g[r["k"]].append(r["v"])
        n[r["k"]] += r["v"]
        s[r["k"]].add(r["v"] % 2)
        nested[r["k"]]["n"] += 1
    before = len(g)
    g["read"]
    return [g, n, {k: sorted(v) for k, v in s.items()}, nested, before, len(g), g.get("none"), "none" in g, dict(n), n["zz"], isinstance(g, dict), list(n)]

#: co-deque | deque
from collections import deque
def main():
    d = deque([1, 2, 3])
    d.append(4)
    d.appendleft(0)
    a = [d.popleft(), d.pop()]
    d.extend([7, 8])
    d.extendleft(["x", "y"])
    d.rotate(1)
    last = deque(maxlen=2)
    for i in range(5):
        last.append(i)
    out = [list(d), a, len(d), d[0], d[-1], list(last), last.maxlen, 7 in d, list(reversed(last)), last, bool(deque()), d.count(7), d.index(7)]
    d[1] = "set"
    d.remove(7)
    d.clear()
    try:
        d.popleft()
    except IndexError:
        out.append("empty")
    return out

#: co-ordered | OrderedDict
from collections import OrderedDict
def main():
    d = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
    d.move_to_end("a")
    d["d"] = 4
    first = d.popitem(last=False)
    return [d, list(d), first, d == {"c": 3, "a": 1, "d": 4}]

#: co-lru | jobs
#> {"ops": [["put", "a", 1], ["put", "b", 2], ["get", "a"], ["put", "c", 3], ["get", "b"], ["get", "c"]]}
def main(ops):
    cap, cache, out = 2, {}, []
    for op, key, *rest in ops:
        if op == "get":
            if key in cache:
                cache[key] = cache.pop(key)
            out.append(cache.get(key, -1))
        else:
            cache.pop(key, None)
            cache[key] = rest[0]
            if len(cache) > cap:
                oldest = next(iter(cache))
                del cache[oldest]
    return [out, list(cache)]

#: co-bfs | graph
#> {"edges": [["a", "b"], ["b", "c"], ["a", "d"], ["d", "c"], ["c", "e"]], "start": "a"}
from collections import deque, defaultdict
def main(edges, start):
    graph = defaultdict(list)
    for a, b in edges:
        graph[a].append(b)
        graph[b].append(a)
    dist = {start: 0}
    prev = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for nxt in graph[node]:
            if nxt not in dist:
                dist[nxt] = dist[node] + 1
                prev[nxt] = node
                queue.append(nxt)
    path, n = [], "e"
    while n is not None:
        path.append(n)
        n = prev.get(n)
    return [dist, path[::-1]]

#: co-topo | graph
#> {"deps": {"app": ["lib", "log"], "lib": ["core"], "log": ["core"], "core": []}}
#> {"deps": {"a": ["b"], "b": ["a"]}}
def main(deps):
    done, order, active = set(), [], set()
    def visit(n):
        if n in done:
            return
        if n in active:
            raise ValueError(f"cycle at {n}")
        active.add(n)
        for d in deps.get(n, []):
            visit(d)
        active.discard(n)
        done.add(n)
        order.append(n)
    for n in deps:
        visit(n)
    return order

#: co-group | jobs
#> {"orders": [{"c": "x", "t": 10, "d": "2024-01-05"}, {"c": "y", "t": 2.5, "d": "2024-02-01"}, {"c": "x", "t": 1, "d": "2024-01-20"}]}
def main(orders):
    out = {}
    for o in orders:
        month = o["d"][:7]
        slot = out.setdefault(o["c"], {"total": 0, "n": 0, "months": {}})
        slot["total"] += o["t"]
        slot["n"] += 1
        slot["months"][month] = slot["months"].get(month, 0) + o["t"]
    for c, slot in out.items():
        slot["avg"] = round(slot["total"] / slot["n"], 2)
    return dict(sorted(out.items(), key=lambda kv: kv[1]["total"], reverse=True))

#: co-flatten | jobs
#> {"o": {"a": {"b": [1, {"c": 2}]}, "d": null, "e": []}}
def flat(o, prefix=""):
    out = {}
    items = o.items() if isinstance(o, dict) else enumerate(o)
    for k, v in items:
        path = f"{prefix}.{k}" if prefix else str(k)
        if isinstance(v, (dict, list)) and v:
            out.update(flat(v, path))
        else:
            out[path] = v
    return out
def main(o):
    return flat(o)

#: co-diff | jobs
#> {"a": {"x": 1, "y": 2, "z": {"k": [1]}}, "b": {"y": 3, "z": {"k": [1]}, "w": null}}
def main(a, b):
    added = sorted(b.keys() - a.keys())
    removed = sorted(set(a) - set(b))
    changed = {k: {"from": a[k], "to": b[k]} for k in a if k in b and a[k] != b[k]}
    return {"added": added, "removed": removed, "changed": changed, "same": [k for k in a if k in b and a[k] == b[k]]}
