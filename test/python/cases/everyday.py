#: ev-log-summary | logs
#> {"text": "2026-01-03T10:00:01Z INFO  api GET /orders 200 12ms\n2026-01-03T10:00:02Z ERROR db connection refused\n2026-01-03T10:00:04Z WARN  api slow query took 1530ms\n2026-01-03T11:20:00Z INFO  api POST /orders 201 40ms\nbroken line\n2026-01-03T11:21:00Z ERROR api GET /orders 500 7ms\n"}
import re
from collections import Counter, defaultdict
from datetime import datetime, timezone
from typing import Any, Iterable, NamedTuple, Optional

LINE = re.compile(r"^(?P<ts>\S+)\s+(?P<level>[A-Z]+)\s+(?P<service>\w+)\s+(?P<message>.*)$")
DURATION = re.compile(r"(\d+)ms\b")


def parse_line(line: str) -> Optional[dict[str, Any]]:
    m = LINE.match(line)
    if m is None:
        return None
    record = m.groupdict()
    record["ts"] = datetime.fromisoformat(record["ts"].replace("Z", "+00:00"))
    d = DURATION.search(record["message"])
    record["ms"] = int(d.group(1)) if d else None
    return record


def main(text: str) -> dict:
    records = [r for r in map(parse_line, text.splitlines()) if r]
    by_level = Counter(r["level"] for r in records)
    per_hour: defaultdict[str, Counter] = defaultdict(Counter)
    for r in records:
        per_hour[r["ts"].strftime("%Y-%m-%d %H:00")][r["level"]] += 1
    durations = sorted(r["ms"] for r in records if r["ms"] is not None)
    p95 = durations[min(len(durations) - 1, int(len(durations) * 0.95))] if durations else None
    first, *_, last = records
    return {
        "levels": dict(by_level.most_common()),
        "hours": {h: dict(c) for h, c in sorted(per_hour.items())},
        "p95": p95,
        "span_minutes": (last["ts"] - first["ts"]).total_seconds() / 60,
        "errors": [f"{r['ts']:%H:%M:%S} {r['service']}: {r['message']}" for r in records if r["level"] == "ERROR"],
        "skipped": len(text.splitlines()) - len(records),
    }

#: ev-csv-by-hand | csv
#> {"text": "name,amount,note\n\"Smith, J.\",12.50,\"said \"\"hi\"\"\"\nDoe,7,\n\nMüller,abc,x\n"}
def parse_csv(text, delimiter=","):
    rows, row, field, quoted = [], [], [], False
    i = 0
    while i < len(text):
        ch = text[i]
        if quoted:
            if ch == '"':
                if text[i + 1:i + 2] == '"':
                    field.append('"')
                    i += 1
                else:
                    quoted = False
            else:
                field.append(ch)
        elif ch == '"':
            quoted = True
        elif ch == delimiter:
            row.append("".join(field)); field = []
        elif ch == "\n":
            row.append("".join(field)); field = []
            if any(row):
                rows.append(row)
            row = []
        else:
            field.append(ch)
        i += 1
    if field or row:
        row.append("".join(field))
        rows.append(row)
    return rows


def main(text):
    header, *body = parse_csv(text)
    records = [dict(zip(header, r)) for r in body]
    total, bad = 0.0, []
    for n, rec in enumerate(records, start=2):
        try:
            total += float(rec["amount"])
        except ValueError as exc:
            bad.append({"line": n, "error": str(exc)})
    return {"records": records, "total": round(total, 2), "bad": bad}

#: ev-business-days | dates
#> {"start": "2026-12-21", "days": 10, "holidays": ["2026-12-25", "2027-01-01"]}
from datetime import date, timedelta
import calendar

def add_business_days(start: date, n: int, holidays: set[date]) -> date:
    step = 1 if n >= 0 else -1
    remaining = abs(n)
    current = start
    while remaining > 0:
        current += timedelta(days=step)
        if current.weekday() >= 5 or current in holidays:
            continue
        remaining -= 1
    return current

def main(start: str, days: int, holidays: list[str]):
    h = {date.fromisoformat(x) for x in holidays}
    s = date.fromisoformat(start)
    due = add_business_days(s, days, h)
    _, last = calendar.monthrange(due.year, due.month)
    month_end = due.replace(day=last)
    q = (due.month - 1) // 3 + 1
    return {
        "due": due.isoformat(),
        "weekday": due.strftime("%A"),
        "back": str(add_business_days(due, -days, h)),
        "month_end": month_end.isoformat(),
        "quarter": f"Q{q} {due.year}",
        "week": due.isocalendar()[1],
        "iso": tuple(due.isocalendar()),
        "days_left": (month_end - due).days,
        "text": f"{due:%d.%m.%Y}",
        "is_leap": calendar.isleap(due.year),
    }

#: ev-topological | graph
#> {"deps": {"app": ["lib", "cfg"], "lib": ["core"], "cfg": [], "core": [], "docs": ["app"]}}
#> {"deps": {"a": ["b"], "b": ["c"], "c": ["a"]}}
from collections import deque

class CycleError(ValueError):
    pass

def topo(deps):
    nodes = set(deps) | {d for ds in deps.values() for d in ds}
    indegree = {n: 0 for n in sorted(nodes)}
    users = {n: [] for n in sorted(nodes)}
    for n, ds in deps.items():
        for d in ds:
            indegree[n] += 1
            users[d].append(n)
    ready = deque(sorted(n for n, k in indegree.items() if k == 0))
    order = []
    while ready:
        n = ready.popleft()
        order.append(n)
        for u in sorted(users[n]):
            indegree[u] -= 1
            if not indegree[u]:
                ready.append(u)
    if len(order) != len(nodes):
        stuck = sorted(nodes - set(order))
        raise CycleError(f"cycle among {', '.join(stuck)}")
    return order

def main(deps):
    try:
        return {"order": topo(deps)}
    except CycleError as e:
        return {"error": str(e), "type": type(e).__name__}

#: ev-flatten | json
#> {"doc": {"a": {"b": [1, {"c": null}], "d": {}}, "e": "x", "f": []}}
from typing import Union
def flatten(obj, prefix="", sep="."):
    items = {}
    if isinstance(obj, dict) and obj:
        for k, v in obj.items():
            items.update(flatten(v, f"{prefix}{sep}{k}" if prefix else k, sep))
    elif isinstance(obj, (list, tuple)) and obj:
        for i, v in enumerate(obj):
            items |= flatten(v, f"{prefix}[{i}]", sep)
    else:
        items[prefix] = obj
    return items

def unflatten(flat):
    import re
    root = {}
    for path, value in flat.items():
        parts = [int(p[1:-1]) if p.startswith("[") else p for p in re.findall(r"\[\d+\]|[^.\[\]]+", path)]
        node = root
        for here, nxt in zip(parts, parts[1:]):
            empty = [] if isinstance(nxt, int) else {}
            if isinstance(node, list):
                while len(node) <= here:
                    node.append(None)
                if node[here] is None:
                    node[here] = empty
                node = node[here]
            else:
                node = node.setdefault(here, empty)
        last = parts[-1]
        if isinstance(node, list):
            while len(node) <= last:
                node.append(None)
        node[last] = value
    return root

def main(doc):
    flat = flatten(doc)
    back = unflatten(flat)
    return {"flat": flat, "back": back, "same": back == doc, "keys": len(flat)}

#: ev-diff | json
#> {"old": {"a": 1, "b": {"x": [1, 2], "y": true}, "c": null}, "new": {"a": 1.0, "b": {"x": [1, 3], "z": 0}, "d": "n"}}
def diff(old, new, path=()):
    if type(old) is not type(new) and not (isinstance(old, (int, float)) and isinstance(new, (int, float))):
        return [("changed", path, old, new)]
    match old, new:
        case dict(), dict():
            out = []
            for key in sorted(old.keys() | new.keys()):
                if key not in new:
                    out.append(("removed", (*path, key), old[key], None))
                elif key not in old:
                    out.append(("added", (*path, key), None, new[key]))
                else:
                    out += diff(old[key], new[key], (*path, key))
            return out
        case list(), list():
            return [d for i, (a, b) in enumerate(zip(old, new)) for d in diff(a, b, (*path, i))] + (
                [("length", path, len(old), len(new))] if len(old) != len(new) else []
            )
        case _ if old == new:
            return []
        case _:
            return [("changed", path, old, new)]

def main(old, new):
    changes = diff(old, new)
    return [f"{kind:<8} {'/'.join(map(str, path)):<10} {a!r} -> {b!r}" for kind, path, a, b in changes]

#: ev-evaluator | parser
#> {"expressions": ["1 + 2 * 3", "(1 + 2) * -3", "2 ^ 3 ^ 2", "10 / 4", "1 / 0", "2 * (3", "x + 1", "7 % 4 - 1"], "variables": {"x": 41}}
import operator
import re
from typing import Callable

OPS: dict[str, tuple[int, str, Callable]] = {
    "+": (1, "left", operator.add),
    "-": (1, "left", operator.sub),
    "*": (2, "left", operator.mul),
    "/": (2, "left", operator.truediv),
    "%": (2, "left", operator.mod),
    "^": (3, "right", operator.pow),
}
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(.))")

class ParseError(Exception):
    """An expression that cannot be read."""

def tokenize(text):
    for number, name, other in TOKEN.findall(text):
        if number:
            yield ("num", float(number) if "." in number else int(number))
        elif name:
            yield ("name", name)
        elif other.strip():
            yield ("op", other)
    yield ("end", None)

def evaluate(text, variables):
    tokens = list(tokenize(text))
    pos = 0

    def peek():
        return tokens[pos]

    def advance():
        nonlocal pos
        pos += 1
        return tokens[pos - 1]

    def primary():
        kind, value = advance()
        if kind == "num":
            return value
        if kind == "name":
            if value not in variables:
                raise ParseError(f"unknown name {value!r}")
            return variables[value]
        if value == "-":
            return -primary()
        if value == "(":
            result = expression(0)
            if advance() != ("op", ")"):
                raise ParseError("missing )")
            return result
        raise ParseError(f"unexpected {value!r}")

    def expression(minimum):
        left = primary()
        while True:
            kind, op = peek()
            if kind != "op" or op not in OPS:
                return left
            precedence, side, apply = OPS[op]
            if precedence < minimum:
                return left
            advance()
            right = expression(precedence + (side == "left"))
            left = apply(left, right)

    value = expression(0)
    if peek()[0] != "end":
        raise ParseError(f"trailing {peek()[1]!r}")
    return value

def main(expressions, variables):
    results = []
    for text in expressions:
        try:
            results.append(evaluate(text, variables))
        except ParseError as e:
            results.append(f"parse error: {e}")
        except ZeroDivisionError as e:
            results.append(f"{type(e).__name__}: {e}")
    return results

#: ev-lru | structures
#> {"ops": [["put", "a", 1], ["put", "b", 2], ["get", "a"], ["put", "c", 3], ["get", "b"], ["keys"]], "capacity": 2}
from collections import OrderedDict
def make_cache(capacity):
    data = OrderedDict()
    stats = {"hits": 0, "misses": 0}

    def get(key):
        if key not in data:
            stats["misses"] += 1
            return None
        data.move_to_end(key)
        stats["hits"] += 1
        return data[key]

    def put(key, value):
        data[key] = value
        data.move_to_end(key)
        if len(data) > capacity:
            data.popitem(last=False)

    return get, put, lambda: list(data), stats

def main(ops, capacity):
    get, put, keys, stats = make_cache(capacity)
    out = []
    for name, *args in ops:
        if name == "get":
            out.append(get(*args))
        elif name == "put":
            out.append(put(*args))
        else:
            out.append(keys())
    return {"out": out, **stats}

#: ev-markdown | text
#> {"rows": [{"name": "Ann", "total": 1234.5, "paid": true}, {"name": "Bö|b", "total": null, "paid": false}, {"name": "C", "total": 7}], "title": "Open   orders: Q1/2026!"}
import re
import textwrap
def main(rows, title):
    columns = list(dict.fromkeys(k for row in rows for k in row))
    def cell(v):
        if v is None:
            return ""
        if isinstance(v, bool):
            return "yes" if v else "no"
        if isinstance(v, float):
            return f"{v:,.2f}"
        return str(v).replace("|", "\\|")
    table = [[cell(row.get(c)) for c in columns] for row in rows]
    widths = [max(len(c), *(len(r[i]) for r in table)) for i, c in enumerate(columns)]
    def line(cells):
        return "| " + " | ".join(c.ljust(w) for c, w in zip(cells, widths)) + " |"
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    body = "\n".join([line(columns), "|" + "|".join("-" * (w + 2) for w in widths) + "|", *map(line, table)])
    return {"slug": slug, "body": body, "short": textwrap.shorten(title, width=14, placeholder="…"), "wrapped": textwrap.fill("the quick brown fox jumps over the lazy dog", 16)}

#: ev-luhn | checks
#> {"numbers": ["4539 1488 0343 6467", "8273 1232 7352 0569", "", "abc"], "ibans": ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "DE00"]}
import string
def luhn(number: str) -> bool:
    digits = [int(c) for c in number if c.isdigit()]
    if not digits or any(c not in string.digits + " " for c in number):
        return False
    checksum = sum(digits[-1::-2]) + sum(sum(divmod(d * 2, 10)) for d in digits[-2::-2])
    return checksum % 10 == 0

def iban_ok(iban: str) -> bool:
    s = "".join(iban.split()).upper()
    if len(s) < 15 or not s[:2].isalpha() or not s[2:4].isdigit():
        return False
    rearranged = s[4:] + s[:4]
    return int("".join(str(int(c, 36)) for c in rearranged)) % 97 == 1

def main(numbers, ibans):
    return {"luhn": [luhn(n) for n in numbers], "iban": [iban_ok(i) for i in ibans], "roman": [roman(n) for n in (1, 4, 1994, 3999)]}

def roman(n):
    out = ""
    for value, sign in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        count, n = divmod(n, value)
        out += sign * count
    return out

#: ev-inventory | state
#> {"events": [{"type": "in", "sku": "a", "qty": 5}, {"type": "out", "sku": "a", "qty": 7}, {"type": "move", "sku": "a", "qty": 2, "to": "b"}, {"type": "??"}, {"type": "out", "sku": "zz", "qty": 1}]}
class StockError(Exception):
    """More was asked for than there is."""

def apply(stock, event):
    match event:
        case {"type": "in", "sku": sku, "qty": int(qty)} if qty > 0:
            stock[sku] = stock.get(sku, 0) + qty
        case {"type": "out", "sku": sku, "qty": qty}:
            have = stock.get(sku, 0)
            if have < qty:
                raise StockError(sku, qty - have)
            stock[sku] -= qty
        case {"type": "move", "sku": src, "to": dst, "qty": qty}:
            apply(stock, {"type": "out", "sku": src, "qty": qty})
            apply(stock, {"type": "in", "sku": dst, "qty": qty})
        case {"type": other, **rest}:
            raise ValueError(f"unknown event {other!r} with {len(rest)} members")

def main(events):
    stock, problems = {}, []
    for i, event in enumerate(events):
        try:
            apply(stock, event)
        except StockError as e:
            problems.append((i, str(e), *e.args))
        except ValueError as e:
            problems.append((i, str(e)))
    return {"stock": stock, "problems": problems}

#: ev-stats | numbers
#> {"values": [3.5, 1, 4, 1.5, 9, 2.6, 5, 3.5], "window": 3}
import math
import statistics as st
from itertools import accumulate, pairwise
def main(values, window):
    moving = [round(st.fmean(values[max(0, i - window + 1):i + 1]), 3) for i in range(len(values))]
    mean = st.mean(values)
    sd = st.stdev(values)
    return {
        "moving": moving,
        "mean": round(mean, 4),
        "sd": round(sd, 4),
        "median": st.median(values),
        "mode": st.mode(values),
        "quartiles": st.quantiles(values, n=4),
        "z": [round((v - mean) / sd, 2) for v in values],
        "running": list(accumulate(values)),
        "highs": list(accumulate(values, max)),
        "changes": [b - a for a, b in pairwise(values)],
        "geo": round(st.geometric_mean(values), 4),
        "hyp": math.hypot(3, 4),
        "isclose": math.isclose(sum([0.1] * 10), 1),
        "fsum": math.fsum([0.1] * 10),
        "log": [round(math.log10(v), 3) for v in values[:3]],
        "bins": {f"{lo}-{lo + 2}": sum(lo <= v < lo + 2 for v in values) for lo in range(0, 10, 2)},
    }

#: ev-levenshtein-own | text
#> {"word": "recieve", "choices": ["receive", "relieve", "recipe", "deceive"]}
from functools import lru_cache
def main(word, choices):
    def distance(a, b):
        @lru_cache(maxsize=None)
        def d(i, j):
            if i == 0 or j == 0:
                return i + j
            return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
        return d(len(a), len(b))
    ranked = sorted(choices, key=lambda c: (distance(word, c), c))
    return {"best": ranked[0], "all": [(c, distance(word, c)) for c in ranked]}

#: ev-schedule-own | scheduling
#> {"meetings": [["09:00", "10:30", "a"], ["10:00", "11:00", "b"], ["10:30", "12:15", "c"], ["15:00", "15:00", "x"]], "day": ["08:00", "17:00"]}
import heapq
def to_min(text):
    h, m = text.split(":")
    return int(h) * 60 + int(m)

def to_text(m):
    return "{:02d}:{:02d}".format(*divmod(m, 60))

def main(meetings, day):
    busy = sorted((to_min(a), to_min(b), t) for a, b, t in meetings)
    conflicts = [(x[2], y[2]) for i, x in enumerate(busy) for y in busy[i + 1:] if x[0] < y[1] and y[0] < x[1]]
    free, cursor = [], to_min(day[0])
    for start, end, _ in busy:
        if start > cursor:
            free.append(f"{to_text(cursor)}-{to_text(start)}")
        cursor = max(cursor, end)
    if cursor < (close := to_min(day[1])):
        free.append(f"{to_text(cursor)}-{to_text(close)}")
    rooms = []
    for start, end, _ in busy:
        if rooms and rooms[0] <= start:
            heapq.heapreplace(rooms, end)
        else:
            heapq.heappush(rooms, end)
    return {"conflicts": conflicts, "free": free, "rooms": len(rooms)}

#: ev-template | text
#> {"template": "Dear {{ name|title }},\nyou owe {{amount|money}} since {{ since }}.{{missing}}", "data": {"name": "ann lee", "amount": 1234.5, "since": "May"}}
import re
FILTERS = {"title": str.title, "upper": str.upper, "money": lambda v: f"€{v:,.2f}", "len": len}
def main(template, data):
    missing = []
    def replace(m):
        name, _, flt = (p.strip() for p in m.group(1).partition("|"))
        if name not in data:
            missing.append(name)
            return m.group(0)
        value = data[name]
        return FILTERS[flt](value) if flt else str(value)
    text = re.sub(r"\{\{(.*?)\}\}", replace, template)
    return {"text": text, "missing": missing}

#: ev-signature | hashing
#> {"secret": "s3cr3t", "body": "{\"id\": 7}", "ts": 1700000000}
import base64, hashlib, hmac, json, urllib.parse
def main(secret, body, ts):
    signed = f"{ts}.{body}".encode()
    digest = hmac.new(secret.encode("utf-8"), signed, hashlib.sha256)
    sig = digest.hexdigest()
    token = base64.urlsafe_b64encode(json.dumps({"sub": 1, "exp": ts + 60}, separators=(",", ":")).encode()).rstrip(b"=").decode()
    padded = token + "=" * (-len(token) % 4)
    claims = json.loads(base64.urlsafe_b64decode(padded))
    q = urllib.parse.urlencode({"a b": "c&d", "e": [1, 2], "ü": "ß"}, doseq=True)
    parsed = urllib.parse.urlparse(f"https://user@example.com:8443/p/a?{q}#frag")
    return {"sig": sig, "b64": base64.b64encode(digest.digest()).decode(), "ok": hmac.compare_digest(sig, digest.hexdigest()), "token": token, "claims": claims, "query": q,
            "back": urllib.parse.parse_qs(parsed.query), "host": parsed.hostname, "port": parsed.port, "frag": parsed.fragment, "md5": hashlib.md5(body.encode()).hexdigest(), "quoted": urllib.parse.quote("a/b c?"), "joined": urllib.parse.urljoin("https://x.org/a/b", "../c?d=1")}

#: ev-zones | dates
#> {"when": "2026-03-29T00:30:00Z", "zones": ["Europe/Berlin", "America/New_York", "Asia/Kolkata"]}
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
def human(delta):
    seconds = int(delta.total_seconds())
    sign = "-" if seconds < 0 else ""
    seconds = abs(seconds)
    parts = []
    for name, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{name}")
    return sign + (" ".join(parts) or "0s")

def main(when, zones):
    t = datetime.fromisoformat(when)
    later = t + timedelta(hours=1, minutes=5)
    out = {}
    for z in zones:
        a, b = t.astimezone(ZoneInfo(z)), later.astimezone(ZoneInfo(z))
        out[z] = [a.isoformat(), b.strftime("%a %d %b %Y %H:%M %Z %z"), human(b - a), a.utcoffset() // timedelta(minutes=1)]
    start = t.replace(hour=0, minute=0, second=0, microsecond=0)
    return {"zones": out, "epoch": int(t.timestamp()), "back": datetime.fromtimestamp(1774744200, tz=timezone.utc).isoformat(), "day": start.isoformat(), "age": human(start - later), "monday": (t - timedelta(days=t.weekday())).date().isoformat(), "parsed": datetime.strptime("03/29/26 02:07 PM", "%m/%d/%y %I:%M %p").isoformat()}

#: ev-matrix | numbers
#> {"m": [[2, 1], [7, 4]]}
def mul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * det([row[:j] + row[j + 1:] for row in m[1:]]) for j in range(len(m)))
def main(m):
    identity = [[int(i == j) for j in range(len(m))] for i in range(len(m))]
    power = identity
    for _ in range(10):
        power = mul(power, m)
    d = det(m)
    rotated = [list(r) for r in zip(*m[::-1])]
    spiral = []
    grid = [[r * 4 + c for c in range(4)] for r in range(3)]
    while grid:
        spiral += grid.pop(0)
        grid = list(zip(*grid))[::-1]
        grid = [list(r) for r in grid]
    return {"power": power, "det": d, "inv": [[m[1][1] / d, -m[0][1] / d], [-m[1][0] / d, m[0][0] / d]], "rot": rotated, "spiral": spiral, "big": det([[3, 1, 2], [1, 5, 9], [2, 6, 5]]) ** 50}

#: ev-pipeline | functional
#> {"orders": [{"id": 1, "region": "EU", "total": 50, "tags": ["x", "y"]}, {"id": 2, "region": "US", "total": 20, "tags": []}, {"id": 3, "region": "EU", "total": 5.5, "tags": ["y"]}, {"id": 4, "region": "US", "total": 20, "tags": ["z", "x"]}]}
from functools import partial, reduce
from itertools import chain, groupby, islice, product, starmap, takewhile, zip_longest
from operator import attrgetter, itemgetter
def pipe(value, *steps):
    return reduce(lambda acc, step: step(acc), steps, value)

def where(items, **conditions):
    return [i for i in items if all(i.get(k) == v for k, v in conditions.items())]

def top(n, items, *, key, reverse=True):
    return list(islice(sorted(items, key=key, reverse=reverse), n))

def main(orders):
    by_region = {k: [o["id"] for o in g] for k, g in groupby(sorted(orders, key=itemgetter("region")), key=itemgetter("region"))}
    best = pipe(orders, partial(where, region="US"), partial(top, 1, key=itemgetter("total")), lambda xs: [x["id"] for x in xs])
    tags = sorted(set(chain.from_iterable(o["tags"] for o in orders)))
    grid = [f"{a}{b}" for a, b in product("ab", repeat=2)]
    return {"by_region": by_region, "best": best, "tags": tags, "grid": grid, "star": list(starmap(pow, [(2, 3), (3, 2)])), "taken": list(takewhile(lambda o: o > 10, (o["total"] for o in orders))), "pairs": list(zip_longest([1, 2, 3], "ab", fillvalue="-")), "max": max(orders, key=itemgetter("total", "id"))["id"], "sum": reduce(lambda a, o: a + o["total"], orders, 0)}

#: ev-generator | generators
#> {"n": 10}
def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1

def chunks(items, size):
    for i in range(0, len(items), size):
        yield items[i:i + size]

def walk(tree):
    yield tree["name"]
    for child in tree.get("children", []):
        yield from walk(child)

def main(n):
    out = []
    for p in primes():
        if p > n:
            break
        out.append(p)
    return {"primes": out, "chunks": list(chunks(list(range(7)), 3)), "walk": list(walk({"name": "r", "children": [{"name": "a", "children": [{"name": "b"}]}, {"name": "c"}]})), "first": next((p for p in primes() if p > 20), None)}

#: ev-tokens-own | text
#> {"text": "The rain in Spain falls mainly; the RAIN stays. It's 3.14!"}
import re, string
from collections import Counter
def main(text):
    snake = "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate("someCamelCase"))
    camel = "".join(w.capitalize() if i else w for i, w in enumerate(snake.split("_")))
    rle = re.sub(r"a+|b+|c+", lambda m: f"{m[0][0]}{len(m[0])}", "aaabccd")
    vowels = sum(map(text.lower().count, "aeiou"))
    mask = re.sub(r"\d", "#", "call 555-1234")
    pal = (lambda s: s == s[::-1])([c for c in "A man, a plan".lower() if c.isalnum()])
    return [snake, camel, rle, vowels, mask, pal, text.swapcase(), Counter("mississippi").most_common(2), text.split(maxsplit=2), "a-b_c".replace("-", "_").split("_"), text.rfind("rain"), text.index("S"), f"{'x':^7}|{'y':>4}|{3.14159:.3g}|{1234567:_}|{0.256:.1%}|{255:#x}|{-5:+d}"]

#: ev-retry-loop | control
#> {"responses": [503, 500, 200], "limit": 5}
#> {"responses": [503, 500, 503, 503], "limit": 3}
def call(responses, attempt):
    status = responses[attempt]
    if status >= 500:
        raise ConnectionError(f"status {status}")
    return status

def main(responses, limit):
    log = []
    for attempt in range(limit):
        try:
            result = call(responses, attempt)
        except (ConnectionError, TimeoutError) as error:
            delay = min(2 ** attempt * 100, 1000)
            log.append(f"attempt {attempt + 1}: {error}; waiting {delay} ms")
            last = error
        else:
            log.append("ok")
            break
        finally:
            log.append(f"end {attempt}")
    else:
        raise RuntimeError(f"gave up after {limit} attempts") from last
    return {"result": result, "log": log}
