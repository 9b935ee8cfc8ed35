#: jo-invoice | report
#> {"lines": [{"sku": "A1", "qty": 2, "price": 9.99}, {"sku": "B2", "qty": 1, "price": 100}, {"sku": "A1", "qty": 1, "price": 9.99}], "discount": 0.1}
#> {"lines": [], "discount": 0}
def main(lines, discount):
    merged = {}
    for line in lines:
        entry = merged.setdefault(line["sku"], {"sku": line["sku"], "qty": 0, "sum": 0})
        entry["qty"] += line["qty"]
        entry["sum"] = round(entry["sum"] + line["qty"] * line["price"], 2)
    net = sum(e["sum"] for e in merged.values())
    total = round(net * (1 - discount), 2)
    text = "\n".join(f"{e['sku']:<5}{e['qty']:>3} x {e['sum'] / e['qty']:>8.2f} = {e['sum']:>9.2f}" for e in merged.values())
    return {"lines": list(merged.values()), "net": net, "total": total, "text": text}

#: jo-paginate | paging
#> {"items": [1, 2, 3, 4, 5, 6, 7], "size": 3}
#> {"items": [], "size": 3}
#> {"items": [1, 2, 3], "size": 3}
def main(items, size):
    pages = [items[i:i + size] for i in range(0, len(items), size)]
    count = -(-len(items) // size)
    return {"pages": pages, "count": count, "last": pages[-1] if pages else None, "nav": [f"{i}/{count}" for i, _ in enumerate(pages, 1)]}

#: jo-validate | validate
#> {"user": {"name": " Ann ", "email": "ann@x.org", "age": "31", "tags": ["a", "A", "b"]}}
#> {"user": {"name": "", "email": "bad", "age": "x"}}
#> {"user": {"email": null, "age": 17.5, "tags": "no"}}
import re
EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$", re.I)
def main(user):
    errors, clean = {}, {}
    name = (user.get("name") or "").strip()
    if not name:
        errors["name"] = "required"
    clean["name"] = name
    email = user.get("email")
    if not isinstance(email, str) or not EMAIL.match(email):
        errors.setdefault("email", []).append("invalid")
    try:
        age = int(user["age"])
        if not 18 <= age < 120:
            raise ValueError("out of range")
        clean["age"] = age
    except KeyError:
        errors["age"] = "missing"
    except (ValueError, TypeError) as e:
        errors["age"] = "not a number" if "invalid literal" in str(e) else str(e)
    tags = user.get("tags", [])
    if isinstance(tags, list):
        clean["tags"] = sorted({t.lower() for t in tags})
    else:
        errors["tags"] = type(tags).__name__
    return {"ok": not errors, "errors": errors, "clean": clean}

#: jo-join | join
#> {"users": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}], "orders": [{"uid": 2, "t": 5}, {"uid": 1, "t": 7}, {"uid": 2, "t": 1}, {"uid": 9, "t": 1}]}
def main(users, orders):
    names = {u["id"]: u["name"] for u in users}
    inner = [{**o, "name": names[o["uid"]]} for o in orders if o["uid"] in names]
    left = [dict(u, total=sum(o["t"] for o in orders if o["uid"] == u["id"])) for u in users]
    orphans = [o for o in orders if o["uid"] not in names]
    return {"inner": inner, "left": left, "orphans": orphans, "none": [u["name"] for u in users if not any(o["uid"] == u["id"] for o in orders)]}

#: jo-pivot | reshape
#> {"rows": [["n", "q1", 5], ["s", "q1", 2], ["n", "q2", 7], ["n", "q1", 1]]}
def main(rows):
    regions = sorted({r[0] for r in rows})
    quarters = sorted(set(q for _, q, _ in rows))
    table = {r: {q: 0 for q in quarters} for r in regions}
    for region, quarter, amount in rows:
        table[region][quarter] += amount
    totals = {q: sum(table[r][q] for r in regions) for q in quarters}
    csv = [",".join(["region", *quarters])] + [",".join([r, *(str(table[r][q]) for q in quarters)]) for r in regions]
    return {"table": table, "totals": totals, "csv": csv}

#: jo-schedule | dates
#> {"tasks": [{"id": "a", "due": "2024-03-01", "days": 3}, {"id": "b", "due": "2024-02-28", "days": 1}, {"id": "c", "due": null, "days": 2}], "today": "2024-02-26"}
from datetime import date, timedelta
def main(tasks, today):
    now = date.fromisoformat(today)
    out = []
    for t in sorted(tasks, key=lambda t: (t["due"] is None, t["due"] or "")):
        due = date.fromisoformat(t["due"]) if t["due"] else None
        start = due - timedelta(days=t["days"]) if due else now
        left = (due - now).days if due else None
        out.append({"id": t["id"], "start": start.isoformat(), "left": left, "late": due is not None and start < now, "weekday": start.strftime("%A")})
    return out

#: jo-router | dispatch
#> {"events": [{"type": "order.created", "data": {"id": 1, "total": 50}}, {"type": "order.paid", "data": {"id": 1}}, {"type": "user.deleted", "data": {"id": 7}}, {"type": "order.created", "data": {"total": 5}}]}
def on_created(state, data):
    state["orders"][data["id"]] = {"total": data["total"], "paid": False}
def on_paid(state, data):
    state["orders"][data["id"]]["paid"] = True
HANDLERS = {"order.created": on_created, "order.paid": on_paid}
def main(events):
    state = {"orders": {}}
    skipped, failed = [], []
    for i, event in enumerate(events):
        handler = HANDLERS.get(event["type"])
        if handler is None:
            skipped.append(event["type"])
            continue
        try:
            handler(state, event["data"])
        except KeyError as e:
            failed.append({"event": i, "missing": e.args[0]})
    return {"state": state, "skipped": skipped, "failed": failed}

#: jo-retry | control
#> {"plan": [false, false, true]}
#> {"plan": [false, false, false, false]}
def main(plan, attempts=3):
    log, delay = [], 1
    for n in range(1, attempts + 1):
        ok = plan[n - 1]
        log.append({"attempt": n, "ok": ok, "delay": delay})
        if ok:
            return {"status": "done", "log": log}
        delay = min(delay * 2, 3)
    else:
        log.append("gave up")
    return {"status": "failed", "log": log, "waited": sum(l["delay"] for l in log if isinstance(l, dict))}

#: jo-parse-config | parse
#> {"text": "# comment\n[db]\nhost = localhost\nport=5432\n\n[web]\ndebug = yes\nurl = http://x/?a=b ; note\nbad line\n"}
def convert(v):
    low = v.lower()
    if low in ("yes", "true", "on"):
        return True
    if low in ("no", "false", "off"):
        return False
    try:
        return int(v)
    except ValueError:
        return v
def main(text):
    out, section, errors = {}, None, []
    for n, raw in enumerate(text.splitlines(), 1):
        line = raw.split(";", 1)[0].strip()
        if not line or line.startswith("#"):
            continue
        if line[0] == "[" and line[-1] == "]":
            section = out.setdefault(line[1:-1], {})
        elif "=" in line and section is not None:
            key, _, value = line.partition("=")
            section[key.strip()] = convert(value.strip())
        else:
            errors.append((n, line))
    return {"config": out, "errors": errors}

#: jo-query-string | parse
#> {"qs": "a=1&b=two+words&c=%20x&flag&a=2&=z"}
def main(qs):
    out = {}
    for part in qs.split("&"):
        key, sep, value = part.partition("=")
        if not key:
            continue
        value = value.replace("+", " ").replace("%20", " ") if sep else True
        if key in out:
            if not isinstance(out[key], list):
                out[key] = [out[key]]
            out[key].append(value)
        else:
            out[key] = value
    return out

#: jo-money-split | numeric
#> {"total": 100, "people": ["a", "b", "c"]}
#> {"total": 0.1, "people": ["x", "y"]}
#> {"total": 5, "people": []}
def main(total, people):
    cents = round(total * 100)
    base, extra = divmod(cents, len(people))
    shares = {p: (base + (1 if i < extra else 0)) / 100 for i, p in enumerate(people)}
    assert round(sum(shares.values()), 2) == round(total, 2)
    return shares

#: jo-stats | numeric
#> {"xs": [4, 8, 15, 16, 23, 42]}
#> {"xs": [1.5]}
#> {"xs": []}
def median(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2
def main(xs):
    mean = sum(xs) / len(xs)
    return {"mean": mean, "median": median(xs), "min": min(xs), "max": max(xs), "range": max(xs) - min(xs), "var": sum((x - mean) ** 2 for x in xs) / len(xs), "rounded": [round(x / mean, 3) for x in xs]}

#: jo-moving-average | numeric
#> {"xs": [1, 2, 3, 4, 5, 10], "k": 3}
def main(xs, k):
    window, out = [], []
    for x in xs:
        window.append(x)
        if len(window) > k:
            window.pop(0)
        out.append(round(sum(window) / len(window), 2))
    trend = ["up" if b > a else "down" if b < a else "flat" for a, b in zip(out, out[1:])]
    return {"avg": out, "trend": trend, "jump": max(range(1, len(xs)), key=lambda i: xs[i] - xs[i - 1])}

#: jo-histogram | numeric
#> {"xs": [1, 5, 12, 18, 7, 3, 25, 11], "step": 10}
def main(xs, step):
    buckets = {}
    for x in xs:
        low = x // step * step
        buckets[low] = buckets.get(low, 0) + 1
    lines = [f"{low:>3}-{low + step - 1:<3} {'#' * n} {n / len(xs):.0%}" for low, n in sorted(buckets.items())]
    return {"buckets": buckets, "lines": lines}

#: jo-tree-walk | tree
#> {"tree": {"name": "root", "size": 1, "children": [{"name": "a", "size": 5}, {"name": "b", "size": 2, "children": [{"name": "c", "size": 10, "children": []}]}]}}
def size(node):
    return node["size"] + sum(size(c) for c in node.get("children", []))
def walk(node, depth=0, path=()):
    path = path + (node["name"],)
    yield_ = [("  " * depth) + "/".join(path)]
    for c in node.get("children", []):
        yield_.extend(walk(c, depth + 1, path))
    return yield_
def find(node, name):
    if node["name"] == name:
        return node
    for c in node.get("children") or []:
        hit = find(c, name)
        if hit:
            return hit
    return None
def main(tree):
    return {"size": size(tree), "lines": walk(tree), "c": find(tree, "c"), "none": find(tree, "zz")}

#: jo-path-get | tree
#> {"doc": {"a": {"b": [{"c": 1}, {"c": null}]}}, "paths": ["a.b.0.c", "a.b.1.c", "a.x.y", "a.b.5.c", "a"]}
def get(doc, path, default=None):
    cur = doc
    for part in path.split("."):
        try:
            cur = cur[int(part)] if isinstance(cur, list) else cur[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return default
    return cur
def main(doc, paths):
    return {p: get(doc, p, "missing") for p in paths}

#: jo-set-path | tree
#> {"pairs": [["a.b", 1], ["a.c.d", 2], ["e", 3], ["a.b", 9]]}
def put(doc, path, value):
    *parents, last = path.split(".")
    for p in parents:
        doc = doc.setdefault(p, {})
    doc[last] = value
def main(pairs):
    doc = {}
    for path, value in pairs:
        put(doc, path, value)
    return doc

#: jo-merge-config | tree
#> {"base": {"a": 1, "n": {"x": 1, "y": [1, 2]}}, "over": {"n": {"y": [3], "z": null}, "b": 2}}
def merge(a, b):
    out = dict(a)
    for k, v in b.items():
        if isinstance(v, dict) and isinstance(out.get(k), dict):
            out[k] = merge(out[k], v)
        elif isinstance(v, list):
            out[k] = out.get(k, []) + v
        else:
            out[k] = v
    return out
def main(base, over):
    merged = merge(base, over)
    merged["n"]["x"] = 99
    return {"merged": merged, "base": base}

#: jo-inventory | state
#> {"moves": [["in", "bolt", 10], ["out", "bolt", 3], ["in", "nut", 5], ["out", "nut", 9], ["scrap", "nut", 1]]}
class StockError(Exception):
    pass
def main(moves):
    stock, rejected = {}, []
    for kind, item, n in moves:
        try:
            have = stock.get(item, 0)
            if kind == "in":
                stock[item] = have + n
            elif kind == "out":
                if n > have:
                    raise StockError(f"{item}: {n} wanted, {have} there")
                stock[item] -= n
            else:
                raise ValueError(kind)
        except StockError as e:
            rejected.append(str(e))
        except ValueError as e:
            rejected.append(f"unknown {e}")
    return {"stock": stock, "rejected": rejected, "low": [k for k, v in stock.items() if v < 6]}

#: jo-cart | state
#> {"ops": [{"op": "add", "id": "x", "price": 5}, {"op": "add", "id": "y", "price": 2.5}, {"op": "add", "id": "x", "price": 5}, {"op": "remove", "id": "y"}, {"op": "coupon", "pct": 20}, {"op": "nope"}]}
def main(ops):
    cart = {"items": {}, "coupon": 0, "errors": []}
    def add(id, price, **_):
        item = cart["items"].setdefault(id, {"qty": 0, "price": price})
        item["qty"] += 1
    def remove(id, **_):
        cart["items"].pop(id, None)
    actions = {"add": add, "remove": remove, "coupon": lambda pct, **_: cart.update(coupon=pct / 100)}
    for op in ops:
        f = actions.get(op["op"])
        if not f:
            cart["errors"].append(op["op"])
            continue
        f(**{k: v for k, v in op.items() if k != "op"})
    total = sum(i["qty"] * i["price"] for i in cart["items"].values())
    cart["total"] = round(total * (1 - cart["coupon"]), 2)
    return cart

#: jo-tokenize | parse
#> {"s": "3 + 4*(2 - 1) / 5"}
#> {"s": "2 * x"}
#> {"s": "(1+2"}
import re
PREC = {"+": 1, "-": 1, "*": 2, "/": 2}
def tokens(s):
    out = []
    for num, op, bad in re.findall(r"(\d+(?:\.\d+)?)|([-+*/()])|(\S)", s):
        if bad:
            raise ValueError(f"unexpected {bad!r}")
        out.append(float(num) if num else op)
    return out
def evaluate(s):
    nums, ops = [], []
    def apply():
        op, b, a = ops.pop(), nums.pop(), nums.pop()
        nums.append({"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else float("nan")}[op])
    for t in tokens(s):
        if isinstance(t, float):
            nums.append(t)
        elif t == "(":
            ops.append(t)
        elif t == ")":
            while ops[-1] != "(":
                apply()
            ops.pop()
        else:
            while ops and ops[-1] != "(" and PREC[ops[-1]] >= PREC[t]:
                apply()
            ops.append(t)
    while ops:
        apply()
    return nums[0]
def main(s):
    return evaluate(s)

#: jo-dijkstra | graph
#> {"edges": [["a", "b", 4], ["a", "c", 1], ["c", "b", 2], ["b", "d", 5]], "start": "a", "goal": "d"}
#> {"edges": [["a", "b", 4]], "start": "a", "goal": "z"}
import heapq
def main(edges, start, goal):
    graph = {}
    for a, b, w in edges:
        graph.setdefault(a, []).append((b, w))
        graph.setdefault(b, []).append((a, w))
    best = {start: (0, None)}
    heap = [(0, start)]
    done = set()
    while heap:
        cost, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        if node == goal:
            break
        for nxt, w in graph.get(node, []):
            new = cost + w
            if nxt not in best or new < best[nxt][0]:
                best[nxt] = (new, node)
                heapq.heappush(heap, (new, nxt))
    if goal not in best:
        return None
    path, node = [], goal
    while node:
        path.append(node)
        node = best[node][1]
    return {"cost": best[goal][0], "path": list(reversed(path))}

#: jo-knapsack | dynamic
#> {"items": [[12, 4], [2, 2], [1, 1], [4, 10], [1, 2]], "cap": 15}
def main(items, cap):
    best = [[0] * (cap + 1) for _ in range(len(items) + 1)]
    for i, (w, v) in enumerate(items, 1):
        for c in range(cap + 1):
            best[i][c] = best[i - 1][c]
            if w <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - w] + v)
    chosen, c = [], cap
    for i in range(len(items), 0, -1):
        if best[i][c] != best[i - 1][c]:
            chosen.append(i - 1)
            c -= items[i - 1][0]
    return [best[-1][-1], chosen[::-1]]

#: jo-levenshtein | dynamic
#> {"a": "kitten", "b": "sitting"}
#> {"a": "", "b": "abc"}
def main(a, b):
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        cur = [i]
        for j, cb in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (ca != cb)))
        prev = cur
    longest = max(len(a), len(b)) or 1
    return {"distance": prev[-1], "ratio": round(1 - prev[-1] / longest, 3)}

#: jo-markdown | format
#> {"rows": [{"name": "a|b", "n": 1}, {"name": "c", "n": null}, {"n": 2.50}]}
def main(rows):
    cols = []
    for r in rows:
        for k in r:
            if k not in cols:
                cols.append(k)
    def cell(v):
        return "" if v is None else str(v).replace("|", "\\|")
    lines = ["| " + " | ".join(cols) + " |", "|" + "---|" * len(cols)]
    lines += ["| " + " | ".join(cell(r.get(c)) for c in cols) + " |" for r in rows]
    return "\n".join(lines)

#: jo-html | format
#> {"items": ["<b>", "a & b", "\"q\""]}
def esc(s):
    for a, b in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        s = s.replace(a, b)
    return s
def main(items):
    return "<ul>" + "".join(f"<li>{esc(i)}</li>" for i in items) + "</ul>"

#: jo-duration | format
#> {"secs": [0, 59, 3661, 90061, 86400]}
def human(s):
    parts = []
    for name, size in [("d", 86400), ("h", 3600), ("m", 60), ("s", 1)]:
        n, s = divmod(s, size)
        if n:
            parts.append(f"{n}{name}")
    return " ".join(parts) or "0s"
def main(secs):
    return [human(s) for s in secs] + [f"{s // 3600:02}:{s % 3600 // 60:02}:{s % 60:02}" for s in secs]

#: jo-bytes | format
#> {"ns": [0, 1023, 1024, 1536, 1048576, 123456789012]}
def main(ns):
    out = []
    for n in ns:
        size, unit = n, 0
        while size >= 1024 and unit < 4:
            size /= 1024
            unit += 1
        out.append(f"{size:.1f} {['B', 'KB', 'MB', 'GB', 'TB'][unit]}" if unit else f"{n} B")
    return out

#: jo-plural | format
#> {"n": 1}
#> {"n": 0}
#> {"n": 1234}
def main(n):
    return f"{n:,} item{'s' if n != 1 else ''} {'is' if n == 1 else 'are'} left" + (" (none)" if not n else "")

#: jo-roman | numeric
#> {"ns": [1, 4, 9, 14, 40, 90, 400, 1994, 3999]}
def to_roman(n):
    out = ""
    for v, r in zip([1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1], "M CM D CD C XC L XL X IX V IV I".split()):
        while n >= v:
            out += r
            n -= v
    return out
def from_roman(s):
    vals = dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000)
    total = 0
    for a, b in zip(s, s[1:] + "I"):
        total += vals[a] if vals[a] >= vals[b] else -vals[a]
    return total
def main(ns):
    return [[to_roman(n), from_roman(to_roman(n))] for n in ns]

#: jo-matrix | numeric
#> {"a": [[1, 2], [3, 4]], "b": [[0, 1], [1, 0]]}
def mul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
def main(a, b):
    p = [[int(i == j) for j in range(2)] for i in range(2)]
    for _ in range(10):
        p = mul(p, [[1, 1], [1, 0]])
    return [mul(a, b), [list(c) for c in zip(*a)], p, sum(a[i][i] for i in range(2)), [list(reversed(r)) for r in a]]

#: jo-spiral | grid
#> {"n": 4}
def main(n):
    grid = [[0] * n for _ in range(n)]
    r = c = 0
    dr, dc = 0, 1
    for i in range(1, n * n + 1):
        grid[r][c] = i
        nr, nc = r + dr, c + dc
        if not (0 <= nr < n and 0 <= nc < n) or grid[nr][nc]:
            dr, dc = dc, -dr
        r, c = r + dr, c + dc
    return ["".join(f"{v:>3}" for v in row) for row in grid]

#: jo-life | grid
#> {"rows": [".....", "..#..", "..#..", "..#..", "....."], "steps": 1}
def main(rows, steps):
    alive = {(r, c) for r, row in enumerate(rows) for c, ch in enumerate(row) if ch == "#"}
    for _ in range(steps):
        counts = {}
        for r, c in sorted(alive):
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if dr or dc:
                        counts[r + dr, c + dc] = counts.get((r + dr, c + dc), 0) + 1
        alive = {p for p, n in counts.items() if n == 3 or n == 2 and p in alive}
    return ["".join("#" if (r, c) in alive else "." for c in range(len(rows[0]))) for r in range(len(rows))]

#: jo-flood | grid
#> {"grid": ["110", "010", "001"]}
def main(grid):
    seen, islands = set(), []
    for r in range(len(grid)):
        for c in range(len(grid[r])):
            if grid[r][c] == "1" and (r, c) not in seen:
                stack, size = [(r, c)], 0
                while stack:
                    p = stack.pop()
                    if p in seen:
                        continue
                    seen.add(p)
                    size += 1
                    y, x = p
                    for ny, nx in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                        if 0 <= ny < len(grid) and 0 <= nx < len(grid[ny]) and grid[ny][nx] == "1":
                            stack.append((ny, nx))
                islands.append(size)
    return islands

#: jo-leaderboard | ranking
#> {"games": [["ann", "bob", 3, 1], ["bob", "cy", 2, 2], ["cy", "ann", 0, 4]]}
from collections import defaultdict
def main(games):
    table = defaultdict(lambda: {"p": 0, "w": 0, "gd": 0})
    for a, b, x, y in games:
        for name, mine, theirs in ((a, x, y), (b, y, x)):
            row = table[name]
            row["p"] += 3 if mine > theirs else 1 if mine == theirs else 0
            row["w"] += mine > theirs
            row["gd"] += mine - theirs
    order = sorted(table, key=lambda n: (-table[n]["p"], -table[n]["gd"], n))
    return [{"rank": i, "name": n, **table[n]} for i, n in enumerate(order, start=1)]

#: jo-anagrams | group
#> {"words": ["listen", "silent", "enlist", "google", "elgoog", "abc"]}
def main(words):
    groups = {}
    for w in words:
        groups.setdefault("".join(sorted(w)), []).append(w)
    return sorted([sorted(g) for g in groups.values() if len(g) > 1], key=lambda g: (-len(g), g))

#: jo-email-digest | report
#> {"mails": [{"from": "a@x.com", "subject": "Re: Hi", "unread": true}, {"from": "b@y.org", "subject": "FWD: Hi", "unread": false}, {"from": "a@x.com", "subject": "Bill #12", "unread": true}]}
import re
def main(mails):
    by_domain, threads = {}, {}
    for m in mails:
        domain = m["from"].split("@")[-1]
        d = by_domain.setdefault(domain, {"unread": 0, "total": 0})
        d["total"] += 1
        d["unread"] += m["unread"]
        topic = re.sub(r"^((re|fwd?):\s*)+", "", m["subject"], flags=re.IGNORECASE)
        threads.setdefault(topic, []).append(m["from"])
    numbers = [int(n) for m in mails for n in re.findall(r"#(\d+)", m["subject"])]
    return {"domains": by_domain, "threads": threads, "numbers": numbers}

#: jo-rate-limit | state
#> {"calls": [["a", 0], ["a", 1], ["b", 1], ["a", 2], ["a", 11], ["a", 12]], "limit": 2, "window": 10}
from collections import deque, defaultdict
def main(calls, limit, window):
    seen = defaultdict(deque)
    out = []
    for key, t in calls:
        q = seen[key]
        while q and q[0] <= t - window:
            q.popleft()
        ok = len(q) < limit
        if ok:
            q.append(t)
        out.append((key, t, ok))
    return {"out": out, "left": {k: list(q) for k, q in seen.items()}}

#: jo-batch | control
#> {"items": [5, 0, "x", 2, null], "stop_on": 3}
def process(x):
    if x is None:
        raise TypeError("nothing to do")
    return 10 / x
def main(items, stop_on):
    done, failed = [], []
    for i, item in enumerate(items):
        try:
            done.append(process(item))
        except ZeroDivisionError as e:
            failed.append((i, "zero", str(e)))
        except TypeError as e:
            failed.append((i, "type", str(e)))
        finally:
            if len(failed) >= stop_on:
                break
    return {"done": done, "failed": failed, "seen": i + 1}

#: jo-bracket | parse
#> {"s": "a(b[c]{d})"}
#> {"s": "(]"}
#> {"s": "(("}
def main(s):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for i, ch in enumerate(s):
        if ch in pairs.values():
            stack.append((ch, i))
        elif ch in pairs:
            if not stack or stack.pop()[0] != pairs[ch]:
                return {"ok": False, "at": i}
    return {"ok": not stack, "open": [i for _, i in stack]}

#: jo-version-sort | sort
#> {"vs": ["1.10.0", "1.2", "1.2.10", "1.2.9-rc1", "2.0"]}
def key(v):
    core, _, pre = v.partition("-")
    parts = tuple(int(p) for p in core.split("."))
    return parts + (0,) * (3 - len(parts)), pre == "", pre
def main(vs):
    return {"sorted": sorted(vs, key=key), "latest": max(vs, key=key), "keys": [key(v) for v in vs]}

#: jo-checksum | digits
#> {"isbn": "978-3-16-148410-0", "data": "hello"}
def main(isbn, data):
    ds = [int(c) for c in isbn if c.isdigit()]
    ok = sum(d * (3 if i % 2 else 1) for i, d in enumerate(ds)) % 10 == 0
    h = 5381
    for c in data:
        h = ((h << 5) + h + ord(c)) & 0xFFFFFFFF
    crc = 0
    for c in data.encode():
        crc ^= c
    fnv = 0xcbf29ce484222325
    for c in data:
        fnv = ((fnv ^ ord(c)) * 0x100000001b3) % 2 ** 64
    return [ok, h, f"{h:08x}", crc, hex(fnv)]

#: jo-weighted | numeric
#> {"scores": {"a": [3, 5], "b": [4], "c": []}, "weights": {"a": 2, "b": 0.5}}
def main(scores, weights):
    out = {}
    for k, xs in scores.items():
        avg = sum(xs) / len(xs) if xs else None
        out[k] = None if avg is None else round(avg * weights.get(k, 1), 2)
    best = max((v, k) for k, v in out.items() if v is not None)
    return {"out": out, "best": best, "sum": sum(v or 0 for v in out.values()), "text": ", ".join(f"{k}={v}" for k, v in out.items())}

#: jo-compact | reshape
#> {"o": {"a": null, "b": [], "c": {"d": null, "e": [1, null, {"f": ""}]}, "g": 0, "h": false, "i": "x"}}
def clean(v):
    if isinstance(v, dict):
        out = {k: clean(x) for k, x in v.items()}
        return {k: x for k, x in out.items() if x not in (None, "", [], {})}
    if isinstance(v, list):
        return [clean(x) for x in v if x is not None]
    return v
def main(o):
    return clean(o)

#: jo-camel | reshape
#> {"o": {"userName": "x", "homeAddress": {"zipCode": "1", "lines": [{"lineText": "a"}]}, "HTTPCode": 5}}
import re
def snake(s):
    return re.sub(r"(?<!^)([A-Z][a-z]|(?<=[a-z])[A-Z])", r"_\1", s).lower()
def simple(s):
    return "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(s))
def keys(v, f):
    if isinstance(v, dict):
        return {f(k): keys(x, f) for k, x in v.items()}
    return [keys(x, f) for x in v] if isinstance(v, list) else v
def main(o):
    return keys(o, simple)

#: jo-chunk-words | text
#> {"text": "one two three four five six seven", "width": 12}
def main(text, width):
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) + bool(line) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return [l.ljust(width, ".") for l in lines]

#: jo-window-max | numeric
#> {"xs": [1, 3, -1, -3, 5, 3, 6, 7], "k": 3}
from collections import deque
def main(xs, k):
    q, out = deque(), []
    for i, x in enumerate(xs):
        while q and xs[q[-1]] <= x:
            q.pop()
        q.append(i)
        if q[0] == i - k:
            q.popleft()
        if i >= k - 1:
            out.append(xs[q[0]])
    return out

#: jo-two-sum | search
#> {"xs": [2, 7, 11, 15], "t": 9}
#> {"xs": [3, 3], "t": 6}
#> {"xs": [1], "t": 2}
def main(xs, t):
    seen = {}
    for i, x in enumerate(xs):
        if t - x in seen:
            return [seen[t - x], i]
        seen[x] = i

#: jo-binary-search | search
#> {"xs": [1, 3, 5, 7, 9], "t": 7}
#> {"xs": [1, 3], "t": 4}
def main(xs, t):
    lo, hi, steps = 0, len(xs) - 1, 0
    while lo <= hi:
        steps += 1
        mid = (lo + hi) // 2
        if xs[mid] == t:
            return {"at": mid, "steps": steps}
        if xs[mid] < t:
            lo = mid + 1
        else:
            hi = mid - 1
    return {"at": -1 - lo, "steps": steps}

#: jo-permissions | logic
#> {"user": {"roles": ["editor"], "id": 5}, "doc": {"owner": 5, "public": false}, "action": "delete"}
#> {"user": {"roles": [], "id": 1}, "doc": {"owner": 5, "public": true}, "action": "read"}
#> {"user": {"roles": ["admin"], "id": 1}, "doc": {}, "action": "x"}
RULES = {"read": lambda u, d: d.get("public") or "editor" in u["roles"], "delete": lambda u, d: d["owner"] == u["id"]}
def main(user, doc, action):
    allowed = "admin" in user["roles"] or bool(RULES.get(action, lambda u, d: False)(user, doc))
    return {"allowed": allowed, "why": "admin" if "admin" in user["roles"] else action if allowed else None}

#: jo-bits | numeric
#> {"flags": ["read", "exec"]}
READ, WRITE, EXEC = 1, 2, 4
NAMES = {READ: "read", WRITE: "write", EXEC: "exec"}
def main(flags):
    mask = 0
    for f in flags:
        mask |= next(k for k, v in NAMES.items() if v == f)
    return [mask, f"{mask:03b}", [n for b, n in NAMES.items() if mask & b], mask ^ WRITE, mask & ~EXEC, bool(mask & WRITE), mask << 2, ~mask]

#: jo-json-lines | parse
#> {"text": "{\"a\": 1}\n\n{bad}\n[1, 2]\n{\"a\": 2.0, \"b\": \"x\"}"}
import json
def main(text):
    good, bad = [], []
    for n, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            bad.append(n)
        else:
            if isinstance(row, dict):
                good.append(row)
    return {"good": good, "bad": bad, "sum": sum(r["a"] for r in good), "dump": json.dumps(good, sort_keys=True)}
