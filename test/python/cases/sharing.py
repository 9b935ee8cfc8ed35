#: sh-append-alias | alias
#> {"xs": [1]}
def main(xs):
    a = xs
    b = xs[:]
    a.append(2)
    b.append(3)
    return [xs, a, b, a == xs]

#: sh-grid | rows
def main():
    bad = [[0] * 3] * 2
    bad[0][1] = 5
    good = [[0] * 3 for _ in range(2)]
    good[0][1] = 5
    return [bad, good]

#: sh-loop-item | loop
#> {"rows": [{"n": 1}, {"n": 2, "done": false}]}
def main(rows):
    for r in rows:
        r["n"] *= 10
        r.setdefault("done", True)
    return rows

#: sh-argument | argument
#> {"cfg": {"tags": ["a"]}}
def add(cfg, tag, seen=None):
    seen = seen or []
    cfg["tags"].append(tag)
    seen.append(tag)
    cfg = {"tags": []}
    return seen
def main(cfg):
    return [add(cfg, "b"), add(cfg, "c"), cfg]

#: sh-default | default
def add(x, acc=[]):
    acc.append(x)
    return acc
def count(k, seen={}):
    seen[k] = seen.get(k, 0) + 1
    return dict(seen)
def main():
    a = add(1)
    b = add(2)
    return [a, b, add(3, []), add(4), count("x"), count("x"), count("y")]

#: sh-setdefault | dict
#> {"events": [["a", 1], ["b", 2], ["a", 3]]}
def main(events):
    groups = {}
    for k, v in events:
        bucket = groups.setdefault(k, [])
        bucket.append(v)
        if len(bucket) > 1:
            bucket[0] = -bucket[0]
    return groups

#: sh-shallow | copies
def main():
    import copy
    a = {"x": [1], "y": {"z": 2}}
    b = a.copy()
    c = dict(a)
    d = {**a}
    e = copy.deepcopy(a)
    f = copy.copy(a)
    a["x"].append(2)
    a["y"]["z"] = 3
    a["new"] = True
    return [a, b, c, d, e, f]

#: sh-deepcopy-shared | copies
def main():
    import copy
    x = [1]
    pair = [x, x]
    p = copy.deepcopy(pair)
    p[0].append(2)
    return [pair, p]

#: sh-best | reference
#> {"rows": [{"v": 3}, {"v": 9}, {"v": 5}]}
def main(rows):
    best = rows[0]
    for r in rows:
        if r["v"] > best["v"]:
            best = r
    best["winner"] = True
    top = max(rows, key=lambda r: r["v"])
    top["score"] = 1
    return rows

#: sh-index-by-id | reference
#> {"users": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}], "orders": [{"user": 2, "total": 5}, {"user": 1, "total": 7}, {"user": 2, "total": 1}]}
def main(users, orders):
    by_id = {u["id"]: u for u in users}
    for o in orders:
        u = by_id[o["user"]]
        u["total"] = u.get("total", 0) + o["total"]
        u.setdefault("orders", []).append(o)
    orders[0]["total"] = 0
    return users

#: sh-tree | tree
#> {"paths": ["a/b/c", "a/b/d", "e"]}
def main(paths):
    root = {}
    for p in paths:
        node = root
        for part in p.split("/"):
            node = node.setdefault(part, {})
        node["$"] = True
    return root

#: sh-tree-parents | tree
#> {"rows": [{"id": 1, "parent": null}, {"id": 2, "parent": 1}, {"id": 3, "parent": 2}, {"id": 4, "parent": 1}]}
def main(rows):
    nodes = {r["id"]: {"id": r["id"], "children": []} for r in rows}
    roots = []
    for r in rows:
        parent = nodes.get(r["parent"])
        (parent["children"] if parent else roots).append(nodes[r["id"]])
    return roots

#: sh-pop-and-change | reference
def main():
    q = [[1], [2], [3]]
    first = q.pop(0)
    first.append(9)
    q.append(first)
    last = q[-1]
    last.append(8)
    q[0], q[1] = q[1], q[0]
    q[0].append("s")
    return [first, q]

#: sh-aug-list | augmented
def main():
    a = [1]
    b = a
    a += (2, 3)
    a += "xy"
    c = a
    a = a + [4]
    t = (1,)
    u = t
    t += (2,)
    s = {1}
    w = s
    s |= {2}
    return [a, b, c, t, u, sorted(w), s == w]

#: sh-tuple-in | tuples
def main():
    t = ([], 1)
    t[0].append(5)
    try:
        t[0] += [6]
    except TypeError as e:
        err = type(e).__name__
    return [t, err]

#: sh-slice-assign | slices
def main():
    xs = [1, 2, 3, 4, 5]
    ys = xs
    xs[1:3] = ["a", "b", "c"]
    xs[::2] = [0, 0, 0]
    xs[len(xs):] = [7]
    xs[:0] = [-1]
    zs = xs[:]
    xs[:] = []
    return [ys, zs]

#: sh-iterate-change | iteration
def main():
    xs = [1, 2, 3, 4]
    seen = []
    for x in xs:
        seen.append(x)
        if x == 2:
            xs.remove(x)
        if x == 4 and len(xs) < 6:
            xs.append(9)
    return [xs, seen]

#: sh-dict-change-size | iteration
def main():
    d = {"a": 1, "b": 2}
    log = []
    try:
        for k in d:
            log.append(k)
            d[k + "x"] = 0
    except RuntimeError as e:
        log.append(type(e).__name__)
    for k in list(d):
        if k.endswith("x"):
            del d[k]
    for k in d:
        d[k] += 1
    return [d, log]

#: sh-closure | closures
def main():
    items = []
    def add(x):
        items.append(x)
        return len(items)
    count = 0
    def bump():
        nonlocal count
        count += 1
        return count
    add("a")
    items = ["new"]
    return [add("b"), items, bump(), bump(), count]

#: sh-shared-captures | closures
def make():
    total = 0
    def add(n):
        nonlocal total
        total += n
        return total
    def get():
        return total
    return add, get
def main():
    add, get = make()
    add2, get2 = make()
    add(5)
    add2(1)
    return [get(), get2(), add(1)]

#: sh-fromkeys | dict
def main():
    d = dict.fromkeys(["a", "b"], [])
    d["a"].append(1)
    e = {k: [] for k in "ab"}
    e["a"].append(1)
    return [d, e]

#: sh-return-inner | reference
store = {"x": [1]}
def get(k):
    return store[k]
def main():
    get("x").append(2)
    y = get("x")
    y.append(3)
    store["x"] = []
    y.append(4)
    return [store, y]

#: sh-filter-in-place | loop
#> {"xs": [1, 2, 3, 4, 5, 6]}
def main(xs):
    ys = xs
    xs[:] = [x for x in xs if x % 2]
    zs = xs
    xs = [x * 2 for x in xs]
    return [xs, ys, zs]

#: sh-comprehension | reference
#> {"rows": [{"id": 1}, {"id": 2}]}
def main(rows):
    picked = [r for r in rows if r["id"] > 1]
    copies = [dict(r) for r in rows]
    merged = [{**r, "x": 1} for r in rows]
    picked[0]["hit"] = True
    copies[0]["no"] = True
    return [rows, merged]

#: sh-enumerate-write | loop
#> {"xs": ["a", "b"]}
def main(xs):
    for i, x in enumerate(xs):
        xs[i] = x * 2
        x = "lost"
    for i in range(len(xs)):
        xs[i] += str(i)
    return xs

#: sh-sort-in-place | sort
#> {"xs": [3, 1, 2]}
def main(xs):
    ys = xs
    r = xs.sort()
    zs = sorted(xs, reverse=True)
    xs.reverse()
    return [r, xs, ys, zs]

#: sh-stack-of-states | reference
def main():
    board = [[".", "."], [".", "."]]
    history = []
    for r, c in [(0, 0), (1, 1)]:
        history.append(board)
        board[r][c] = "X"
    snap = [row[:] for row in board]
    board[0][1] = "O"
    return [history[0] == board, snap, "".join(history[0][0])]

#: sh-identity-none | identity
def main():
    a = None
    b = [] or None
    return [a is None, b is not None, [None] == [a], None is None, a is b]

#: sh-cycle | cycle
def main():
    a = [1]
    a.append(a)
    d = {}
    d["self"] = d
    return [repr(a), str(d), len(a), a[1][1][0]]

#: sh-cycle-out | cycle
def main():
    a = []
    a.append(a)
    return a

#: sh-update-view | dict
def main():
    a = {"x": 1, "y": 2}
    b = {"y": 3, "z": 4}
    c = a | b
    a.update(b, w=5)
    a |= {"x": 0}
    b.clear()
    return [a, b, c, list(a), {**c, "y": 9}]

#: sh-default-none | default
def log(msg, lines=None):
    if lines is None:
        lines = []
    lines.append(msg)
    return lines
def main():
    mine = ["start"]
    return [log("a"), log("b"), log("c", mine), mine]

#: sh-args-list | argument
def grow(*rows, **named):
    rows[0].append(1)
    named["x"].append(2)
    return [len(rows), sorted(named)]
def main():
    r = []
    x = []
    out = grow(r, [], x=x, y=[])
    pack = [r]
    grow(*pack, x=x)
    return [out, r, x]
