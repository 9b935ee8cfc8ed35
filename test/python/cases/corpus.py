#: col-06 | collections
#> {"coords": [[1, 2], [3, 4], [-5, 0]]}
#> {"coords": []}
from collections import namedtuple

Point = namedtuple("Point", ["x", "y"])


def main(coords):
    points = [Point(*c) for c in coords]
    far = max(points, key=lambda p: p.x ** 2 + p.y ** 2)
    return {"far": [far.x, far.y], "all": points}

#: col-10 | collections
#> {"items": [1, 2, "swap", "dup", "pop", 5]}
#> {"items": ["dup"]}
def main(items):
    stack = []
    for item in items:
        if item == "pop":
            if stack:
                stack.pop()
        elif item == "dup":
            stack.append(stack[-1])
        elif item == "swap":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        else:
            stack.append(item)
    return stack

#: col-12 | collections
#> {"items": [1, 2, 3, 4, 5]}
#> {"items": []}
def main(items):
    it = iter(items)
    pairs = list(zip(it, it))
    squares = list(map(lambda x: x * x, items))
    evens = list(filter(lambda x: x % 2 == 0, items))
    return {"pairs": pairs, "squares": squares, "evens": evens, "any": any(x > 3 for x in items), "all": all(items)}

#: col-09 | collections
#> {"lists": [[1, 2], [3], []]}
#> {"lists": []}
from itertools import chain, accumulate, islice


def main(lists):
    flat = list(chain.from_iterable(lists))
    return {"flat": flat, "acc": list(accumulate(flat)), "first": list(islice(flat, 2))}

#: col-05 | collections
#> {"a": [1, 2, 3], "b": [2, 3, 4]}
#> {"a": [], "b": []}
def main(a, b):
    sa, sb = set(a), set(b)
    union = sa | sb
    return {
        "jaccard": round(len(sa & sb) / len(union), 3) if union else 0,
        "subset": sa <= sb,
        "disjoint": sa.isdisjoint(sb),
        "sym": sorted(sa ^ sb),
    }

#: col-03 | collections
#> {"values": [1, 2, 3, 4], "size": 2}
#> {"values": [], "size": 2}
from collections import deque


def main(values, size):
    window = deque(maxlen=size)
    out = []
    for v in values:
        window.append(v)
        out.append(sum(window) / len(window))
    return out

#: col-04 | collections
#> {"rows": [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "a", "v": 3}]}
#> {"rows": []}
from collections import defaultdict


def main(rows):
    totals = defaultdict(lambda: {"n": 0, "sum": 0})
    for r in rows:
        totals[r["k"]]["n"] += 1
        totals[r["k"]]["sum"] += r["v"]
    return dict(totals)

#: col-07 | collections
#> {"items": [1, 9, 5, 5, 3]}
#> {"items": []}
from itertools import combinations


def main(items):
    return [[a, b] for a, b in combinations(items, 2) if a + b == 10]

#: date-05 | date
#> {"start": "2024-05-03", "count": 3}
#> {"start": "2024-05-03", "count": 0}
from datetime import date, timedelta


def main(start, count):
    d = date.fromisoformat(start)
    result = []
    while len(result) < count:
        if d.weekday() < 5:
            result.append(d.isoformat())
        d += timedelta(days=1)
    return result

#: date-15 | date
#> {"day": "2024-12-30"}
#> {"day": "2024-05-05"}
from datetime import date, timedelta


def main(day):
    d = date.fromisoformat(day)
    monday = d - timedelta(days=d.weekday())
    year, week, weekday = d.isocalendar()
    return {"monday": str(monday), "week": f"{year}-W{week:02d}", "weekday": weekday}

#: date-19 | date
#> {"hours": ["2024-05-01T10:00:00", "2024-05-01T10:59:00", "2024-05-01T11:00:00"]}
#> {"hours": []}
from datetime import datetime


def main(hours):
    histogram = [0] * 24
    for ts in hours:
        histogram[datetime.fromisoformat(ts).hour] += 1
    busiest = histogram.index(max(histogram))
    return {"busiest": busiest, "count": histogram[busiest]}

#: date-17 | date
#> {"start": "2024-01-31", "count": 3}
#> {"start": "2023-11-30", "count": 4}
from datetime import date


def add_months(d, n):
    month = d.month - 1 + n
    year = d.year + month // 12
    month = month % 12 + 1
    day = min(d.day, [31, 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1])
    return date(year, month, day)


def main(start, count):
    d = date.fromisoformat(start)
    return [add_months(d, i).isoformat() for i in range(count)]

#: date-08 | date
#> {"year": 2024, "month": 2}
#> {"year": 2023, "month": 12}
#> {"year": 2023, "month": 13}
from datetime import date
import calendar


def main(year, month):
    first = date(year, month, 1)
    last_day = calendar.monthrange(year, month)[1]
    return {"first": first.isoformat(), "last": date(year, month, last_day).isoformat(), "weekday": first.strftime("%A")}

#: date-01 | date
#> {"timestamps": ["2024-05-01T10:00:00", "2024-05-01T11:30:00", "2024-05-02"]}
#> {"timestamps": ["bad"]}
from datetime import datetime


def main(timestamps):
    days = {}
    for ts in timestamps:
        d = datetime.fromisoformat(ts)
        days.setdefault(d.strftime("%Y-%m-%d"), 0)
        days[d.strftime("%Y-%m-%d")] += 1
    return days

#: date-14 | date
#> {"values": ["2024-05-01", "01.05.2024", "05/01/24", "nope"]}
#> {"values": []}
from datetime import datetime


def main(values):
    formats = ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y"]
    out = []
    for v in values:
        for f in formats:
            try:
                out.append(datetime.strptime(v, f).date().isoformat())
                break
            except ValueError:
                continue
        else:
            out.append(None)
    return out

#: date-03 | date
#> {"invoices": [{"id": 1, "due": "2024-01-01"}, {"id": 2, "due": "2024-03-15"}], "today": "2024-03-01"}
#> {"invoices": [], "today": "2024-03-01"}
from datetime import date


def main(invoices, today):
    now = date.fromisoformat(today)
    overdue = []
    for inv in invoices:
        due = date.fromisoformat(inv["due"])
        late = (now - due).days
        if late > 0:
            overdue.append({"id": inv["id"], "days": late})
    return sorted(overdue, key=lambda o: -o["days"])

#: date-06 | date
#> {"birth": "10/12/1990", "today": "09/12/2024"}
#> {"birth": "10/12/1990", "today": "10/12/2024"}
#> {"birth": "1990-12-10", "today": "10/12/2024"}
from datetime import datetime


def main(birth, today):
    b = datetime.strptime(birth, "%d/%m/%Y")
    t = datetime.strptime(today, "%d/%m/%Y")
    age = t.year - b.year - ((t.month, t.day) < (b.month, b.day))
    return age

#: date-10 | date
#> {"epochs": [0, 1714557600, 1714557600.5]}
#> {"epochs": []}
from datetime import datetime, timezone


def main(epochs):
    return [datetime.fromtimestamp(e, tz=timezone.utc).isoformat() for e in epochs]

#: date-18 | date
#> {"last_seen": {"b": "2024-05-01T10:00:00", "a": "2024-05-01T09:00:00", "c": "2024-05-01T10:20:00"}, "now": "2024-05-01T10:30:00"}
#> {"last_seen": {}, "now": "2024-05-01T10:30:00"}
from datetime import datetime, timedelta


def main(last_seen, now, timeout_minutes=15):
    now = datetime.fromisoformat(now)
    limit = timedelta(minutes=timeout_minutes)
    return sorted(host for host, ts in last_seen.items() if now - datetime.fromisoformat(ts) > limit)

#: date-13 | date
#> {"durations": [{"h": 1, "m": 30}, {"h": 23, "m": 45}]}
#> {"durations": []}
from datetime import timedelta


def main(durations):
    total = sum((timedelta(hours=d["h"], minutes=d["m"]) for d in durations), timedelta())
    return {"text": str(total), "seconds": int(total.total_seconds())}

#: date-23 | date
#> {"times": ["08:30", "1:45"]}
#> {"times": ["8"]}
def main(times):
    total = 0
    for t in times:
        h, m = t.split(":")
        total += int(h) * 60 + int(m)
    return f"{total // 60:02d}:{total % 60:02d}"

#: date-11 | date
#> {"rows": [{"date": "2024-01-31", "amount": 5}, {"date": "2024-04-01", "amount": 6}, {"date": "2024-03-31", "amount": 1}]}
#> {"rows": []}
from datetime import date


def main(rows):
    quarters = {}
    for r in rows:
        d = date.fromisoformat(r["date"])
        q = f"{d.year}-Q{(d.month - 1) // 3 + 1}"
        quarters[q] = quarters.get(q, 0) + r["amount"]
    return quarters

#: date-20 | date
#> {"a": "2024-05-01T10:00:00", "b": "2024-05-01T08:30:15"}
#> {"a": "2024-05-01T10:00:00", "b": "2024-04-01T10:00:00.250000"}
from datetime import datetime


def main(a, b):
    x, y = datetime.fromisoformat(a), datetime.fromisoformat(b)
    earlier = min(x, y)
    return {"same_day": x.date() == y.date(), "earlier": earlier.isoformat(), "gap": str(abs(x - y))}

#: date-24 | date
#> {"rows": [{"id": 1, "created": "2024-05-01T10:00:00", "closed": "2024-05-01T12:15:00"}, {"id": 2, "created": "2024-05-01T10:00:00"}]}
#> {"rows": []}
from datetime import datetime


def main(rows):
    out = []
    for row in rows:
        created = datetime.fromisoformat(row["created"])
        closed = row.get("closed")
        if closed:
            hours = (datetime.fromisoformat(closed) - created).total_seconds() / 3600
            out.append({"id": row["id"], "hours": round(hours, 1)})
    average = sum(r["hours"] for r in out) / len(out) if out else None
    return {"rows": out, "average": average}

#: dedup-05 | dedup
#> {"names": ["b", "a", "b"]}
#> {"names": [2, 10, 2, 1]}
def main(names):
    return list(dict.fromkeys(names))

#: dedup-10 | dedup
#> {"customers": [{"id": 1, "name": "Ada", "zip": "1"}, {"id": 2, "name": "ADA", "zip": "1"}, {"id": 3, "name": "Bo"}]}
#> {"customers": []}
def main(customers):
    index = {}
    for c in customers:
        key = (c["name"].casefold(), c.get("zip", ""))
        index.setdefault(key, []).append(c["id"])
    groups = [ids for ids in index.values() if len(ids) > 1]
    return {"groups": groups, "unique": len(index)}

#: dedup-02 | dedup
#> {"emails": ["A@x.org ", "a@x.org", "", "b@x.org"]}
#> {"emails": []}
def main(emails):
    seen = {}
    for e in emails:
        key = e.strip().lower()
        if key and key not in seen:
            seen[key] = e.strip()
    return list(seen.values())

#: dedup-08 | dedup
#> {"lines": ["a", "a", "b", "a"]}
#> {"lines": []}
def main(lines):
    result = []
    for line in lines:
        if not result or result[-1] != line:
            result.append(line)
    return result

#: dedup-06 | dedup
#> {"values": [4, 4, 1, 2, 2]}
#> {"values": []}
def main(values):
    duplicates = sorted({v for v in values if values.count(v) > 1})
    return {"duplicates": duplicates, "has": len(values) != len(set(values))}

#: dedup-04 | dedup
#> {"pairs": [[1, 2], [2, 1], [3, 4]]}
#> {"pairs": [[1, "a"]]}
def main(pairs):
    seen = set()
    out = []
    for a, b in pairs:
        key = (min(a, b), max(a, b))
        if key in seen:
            continue
        seen.add(key)
        out.append([a, b])
    return {"pairs": out, "dropped": len(pairs) - len(out)}

#: dedup-07 | dedup
#> {"docs": [{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1}]}
#> {"docs": []}
import json


def main(docs):
    seen = set()
    kept = []
    for doc in docs:
        fingerprint = json.dumps(doc, sort_keys=True)
        if fingerprint in seen:
            continue
        seen.add(fingerprint)
        kept.append(doc)
    return kept

#: conf-03 | dict
#> {"data": {"a": ["x", "y"], "b": ["x"]}}
#> {"data": {"a": [10, 2]}}
def main(data):
    inverted = {}
    for key, values in data.items():
        for v in values:
            inverted.setdefault(v, []).append(key)
    return inverted

#: conf-07 | dict
#> {"d": {"a": 1, "b": 2}, "keys": ["a", "z"]}
#> {"d": {}, "keys": []}
def main(d, keys):
    for k in keys:
        if k in d:
            del d[k]
    d["size"] = len(d)
    return d

#: conf-12 | dict
#> {"prices": [20, 40.5], "discount_codes": ["HALF"], "code": "HALF"}
#> {"prices": [60], "discount_codes": []}
def main(prices, discount_codes, code=None):
    discounts = {"SAVE10": 0.1, "HALF": 0.5}
    total = sum(prices)
    if code is not None and code in discount_codes:
        total -= total * discounts.get(code, 0)
    return {"total": round(total, 2), "free_shipping": total >= 50}

#: conf-13 | dict
#> {"counts": {"a": 5, "b": 1, "c": 3, "d": 2}}
#> {"counts": {}}
def main(counts):
    while len(counts) > 2:
        smallest = min(counts, key=counts.get)
        counts.pop(smallest)
    last = counts.popitem() if counts else None
    return {"left": counts, "last": last}

#: conf-11 | dict
#> {"codes": [200, 500, 302]}
#> {"codes": ["200"]}
def main(codes):
    status = {200: "ok", 404: "missing", 500: "error"}
    return [status.get(c, "unknown") for c in codes]

#: conf-14 | dict
#> {"keys": ["k1", "k2"]}
#> {"keys": []}
def main(keys):
    d = dict.fromkeys(keys, 0)
    d2 = dict(a=1, b=2)
    d3 = dict([("x", 1), ("y", 2)])
    d2.update(c=3)
    return [d, d2, d3, list(d2.items()), "a" in d2]

#: conf-02 | dict
#> {"a": {"x": 1, "y": 2}, "b": {"y": 5}}
#> {"a": {}, "b": {"z": 1}}
def main(a, b):
    return {"merged": a | b, "common": sorted(a.keys() & b.keys()), "only_a": sorted(a.keys() - b.keys())}

#: conf-10 | dict
#> {"rules": [{"when": {"country": "se", "vip": true}, "then": "fast"}, {"when": {"country": "se"}, "then": "normal"}], "request": {"country": "se"}}
#> {"rules": [], "request": {}}
def main(rules, request):
    for rule in rules:
        if all(request.get(k) == v for k, v in rule["when"].items()):
            return rule["then"]
    return "default"

#: conf-01 | dict
#> {"defaults": {"a": 1, "b": 2}, "overrides": {"b": 3, "c": 4}}
#> {"defaults": {}, "overrides": {}}
def main(defaults, overrides):
    config = defaults.copy()
    config.update(overrides)
    return {"config": config, "changed": [k for k in overrides if defaults.get(k) != overrides[k]]}

#: conf-04 | dict
#> {"stock": {"a": 1, "b": 2}, "sku": "a"}
#> {"stock": {"a": 1}, "sku": "z"}
def main(stock, sku):
    removed = stock.pop(sku, None)
    if removed is None:
        return {"removed": False, "left": len(stock)}
    first = next(iter(stock), None)
    return {"removed": True, "value": removed, "left": len(stock), "first": first}

#: conf-06 | dict
#> {"d": {"a": 3, "b": 1, "c": 2}}
#> {"d": {}}
def main(d):
    by_value = sorted(d, key=d.get)
    swapped = {v: k for k, v in d.items()}
    biggest = max(d.items(), key=lambda kv: kv[1])
    return {"by_value": by_value, "swapped": swapped, "biggest": list(biggest)}

#: diff-06 | diff
#> {"local": {"a": "h1", "b": "h2"}, "remote": {"a": "h1", "b": "zz", "c": "q"}}
#> {"local": {}, "remote": {}}
def main(local, remote):
    to_upload = [f for f in local if f not in remote or local[f] != remote[f]]
    to_delete = [f for f in remote if f not in local]
    unchanged = len(local) - len(to_upload)
    return {"upload": to_upload, "delete": to_delete, "unchanged": unchanged}

#: diff-10 | diff
#> {"snapshot": {"cpu": 50, "mem": 100, "disk": 0}, "current": {"cpu": 60, "mem": 101, "disk": 3}}
#> {"snapshot": {"cpu": 50}, "current": {"cpu": 20}}
def main(snapshot, current, tolerance=0.05):
    alerts = []
    for name, value in current.items():
        base = snapshot.get(name)
        if not base:
            continue
        change = (value - base) / base
        if abs(change) > tolerance:
            direction = "up" if change > 0 else "down"
            alerts.append(f"{name} {direction} {change:+.1%}")
    return alerts

#: diff-05 | diff
#> {"expected": [1, "a", null, true], "actual": [1, "b", 2.0]}
#> {"expected": [], "actual": []}
def main(expected, actual):
    problems = []
    if len(expected) != len(actual):
        problems.append(f"length {len(expected)} != {len(actual)}")
    for i, (e, a) in enumerate(zip(expected, actual)):
        if e != a:
            problems.append(f"at {i}: {e!r} != {a!r}")
    return problems

#: diff-04 | diff
#> {"a": {"x": 1, "y": {"z": 2}}, "b": {"x": 1, "y": {"z": 3, "w": 4}}}
#> {"a": {"x": null}, "b": {"x": true}}
#> {"a": {"x": [1, "a"]}, "b": {"x": 1.5}}
def diff(a, b, path=""):
    out = []
    if isinstance(a, dict) and isinstance(b, dict):
        for k in sorted(a.keys() | b.keys()):
            p = f"{path}/{k}"
            if k not in a:
                out.append(f"+ {p}")
            elif k not in b:
                out.append(f"- {p}")
            else:
                out.extend(diff(a[k], b[k], p))
    elif a != b:
        out.append(f"~ {path}: {a} -> {b}")
    return out


def main(a, b):
    return diff(a, b)

#: diff-03 | diff
#> {"old": [{"id": 1, "v": 1}, {"id": 2, "v": 2}], "new": [{"id": 2, "v": 3}, {"id": 3, "v": 1}]}
#> {"old": [], "new": []}
def main(old, new):
    old_by = {r["id"]: r for r in old}
    new_by = {r["id"]: r for r in new}
    created = [r for i, r in new_by.items() if i not in old_by]
    deleted = [r for i, r in old_by.items() if i not in new_by]
    updated = []
    for i in old_by:
        if i in new_by and old_by[i] != new_by[i]:
            fields = [f for f in new_by[i] if new_by[i][f] != old_by[i].get(f)]
            updated.append({"id": i, "fields": fields})
    return {"created": created, "deleted": deleted, "updated": updated}

#: diff-09 | diff
#> {"old": ["a", "b", "c"], "new": ["c", "b", "a"]}
#> {"old": [], "new": ["x"]}
def main(old, new):
    moved = {}
    for i, item in enumerate(new):
        if item in old:
            j = old.index(item)
            if i != j:
                moved[item] = {"from": j, "to": i, "delta": i - j}
    return moved

#: diff-08 | diff
#> {"required": ["read", "write"], "granted": ["read"]}
#> {"required": [], "granted": ["read"]}
def main(required, granted):
    missing = [p for p in required if p not in granted]
    return {"ok": not missing, "missing": missing, "extra": list(set(granted).difference(required)) or None}

#: exc-12 | except
#> {"text": "a = 1"}
#> {"text": "a=b=c"}
#> {"text": "a"}
def main(text):
    try:
        key, value = text.split("=")
    except ValueError:
        return {"error": "expected key=value"}
    return {key.strip(): value.strip()}

#: exc-14 | except
#> {"values": [1, 2.5]}
#> {"values": [1, null]}
def main(values):
    total = 0
    for v in values:
        try:
            total += v
        except:
            return f"cannot add {v!r}"
    return total

#: exc-13 | except
#> {"source": {"a": 1}, "names": ["a", "b"]}
#> {"source": {}, "names": ["x", "y"]}
def load(source, name):
    if name not in source:
        raise LookupError(f"no {name}")
    return source[name]


def main(source, names):
    found = []
    missing = []
    for n in names:
        try:
            found.append(load(source, n))
        except LookupError as err:
            missing.append(str(err))
    if missing and not found:
        raise LookupError("; ".join(missing))
    return {"found": found, "missing": missing}

#: exc-08 | except
#> {"values": ["1", "2.5", "x", " 7 ", "1e3", "nan?"]}
#> {"values": []}
def parse(value):
    try:
        return int(value)
    except ValueError:
        try:
            return float(value)
        except ValueError:
            return value


def main(values):
    return [parse(v) for v in values]

#: exc-09 | except
#> {"config": {"db": {"hosts": ["h1"]}}}
#> {"config": {"db": {"hosts": []}}}
#> {"config": {"db": null}}
def main(config):
    try:
        return config["db"]["hosts"][0]
    except (KeyError, IndexError, TypeError):
        return "localhost"

#: exc-07 | except
#> {"data": [1, 2]}
#> {"data": [1, "x"]}
def main(data):
    log = []
    try:
        log.append("open")
        total = sum(data)
        log.append("sum")
    except TypeError:
        log.append("type error")
        total = None
    finally:
        log.append("close")
    return {"total": total, "log": log}

#: exc-05 | except
#> {"balance": 10, "amounts": [3, 20, 7]}
#> {"balance": 0, "amounts": []}
class InsufficientFunds(Exception):
    pass


def withdraw(balance, amount):
    if amount > balance:
        raise InsufficientFunds(f"need {amount - balance} more")
    return balance - amount


def main(balance, amounts):
    log = []
    for a in amounts:
        try:
            balance = withdraw(balance, a)
            log.append(balance)
        except InsufficientFunds as e:
            log.append(str(e))
    return log

#: exc-10 | except
#> {"limit": 3}
#> {"limit": 6}
def step(n):
    if n == 3:
        raise ValueError("three")
    return n * 10


def main(limit):
    done = []
    try:
        for i in range(limit):
            done.append(step(i))
    except Exception as e:
        return {"done": done, "error": type(e).__name__, "msg": str(e)}
    return {"done": done, "error": None}

#: exc-02 | except
#> {"records": [{"value": "5"}, {}, {"value": "x"}, {"value": "-1"}]}
#> {"records": []}
def main(records):
    ok = 0
    errors = []
    for i, rec in enumerate(records):
        try:
            value = int(rec["value"])
            if value < 0:
                raise ValueError("negative value")
            ok += value
        except KeyError as e:
            errors.append(f"record {i}: missing key {e}")
        except ValueError as e:
            errors.append(f"record {i}: {e}")
    return {"ok": ok, "errors": errors}

#: fmt-03 | format
#> {"seconds": 3725}
#> {"seconds": 59}
#> {"seconds": 60.5}
def main(seconds):
    h, rest = divmod(seconds, 3600)
    m, s = divmod(rest, 60)
    if h:
        return f"{h}h {m:02d}m {s:02d}s"
    return f"{m}m {s}s"

#: fmt-05 | format
#> {"rows": [{"id": 1, "name": "Ada", "ok": true}, {"id": 22, "name": null}], "columns": ["id", "name", "ok"]}
#> {"rows": [], "columns": ["a"]}
def main(rows, columns):
    widths = {c: max(len(c), max((len(str(r.get(c, ""))) for r in rows), default=0)) for c in columns}
    header = " | ".join(c.ljust(widths[c]) for c in columns)
    sep = "-+-".join("-" * widths[c] for c in columns)
    body = [" | ".join(str(r.get(c, "")).ljust(widths[c]) for c in columns) for r in rows]
    return "\n".join([header, sep] + body)

#: fmt-06 | format
#> {"temp": 21.55}
#> {"temp": -3}
def main(temp):
    return f"Temp: {temp:.1f}°C ({temp * 9 / 5 + 32:.0f}°F), feels {'warm' if temp > 20 else 'cold'}"

#: fmt-17 | format
#> {"price": 3.14159, "width": 10, "prec": 2}
#> {"price": 2, "width": 6, "prec": 0}
def main(price, width, prec):
    return [f"{price:{width}.{prec}f}", f"{price:>+{width}.1f}", f"{price:^{width}}", f"{price:e}"]

#: fmt-14 | format
#> {"order": {"id": 42, "total": 1234567.891, "express": true}}
#> {"order": {"id": 7, "total": 3}}
def main(order):
    parts = [f"Order {order['id']:05d}"]
    if order.get("express"):
        parts.append("EXPRESS")
    parts.append(f"{order['total']:,.2f} {order.get('currency', 'EUR')}")
    return " / ".join(parts)

#: fmt-22 | format
#> {"a": 7, "b": 2}
#> {"a": -7, "b": 2}
#> {"a": 7.5, "b": 2}
#> {"a": 2, "b": -2}
def main(a, b):
    return f"{a} + {b} = {a + b}; {a} / {b} = {a / b}; {a} // {b} = {a // b}; {a} % {b} = {a % b}; {a} ** {b} = {a ** b}"

#: fmt-04 | format
#> {"build": {"ok": true, "repo": "a/b", "number": 12, "seconds": 125}}
#> {"build": {"ok": false, "repo": "a/b", "number": 13, "failed": ["lint", "test"], "seconds": 61}}
def main(build):
    status = "✅" if build["ok"] else "❌"
    msg = f"{status} *{build['repo']}* #{build['number']}"
    if not build["ok"]:
        failed = ", ".join(f"`{j}`" for j in build["failed"])
        msg += f"\nFailed jobs: {failed}"
    msg += f"\nDuration: {build['seconds'] // 60}m{build['seconds'] % 60}s"
    return msg

#: fmt-18 | format
#> {"items": [{"x": 1, "debug": true}, {"x": "a", "debug": true}, {"x": null}]}
#> {"items": []}
def main(items):
    result = []
    for i in items:
        result.append(f"{i['x']=}" if i.get("debug") else f"{i['x']}")
    return result

#: fmt-10 | format
#> {"values": {"cpu": 50, "mem": 25.5, "disk": 3}}
#> {"values": {"cpu": 0}}
def main(values):
    peak = max(values.values())
    bars = []
    for name, v in values.items():
        n = int(v / peak * 10)
        bars.append(f"{name:>6} {'█' * n}{'░' * (10 - n)} {v:5.1f}")
    return bars

#: fmt-01 | format
#> {"items": [{"name": "pen", "qty": 2, "price": 1.5}, {"name": "desk", "qty": 10, "price": 199.99}]}
#> {"items": []}
def main(items):
    lines = []
    total = 0
    for item in items:
        cost = item["qty"] * item["price"]
        total += cost
        lines.append(f"{item['name']:<10}{item['qty']:>4}{cost:>10.2f}")
    lines.append("-" * 24)
    lines.append(f"{'Total':<14}{total:>10,.2f}")
    return "\n".join(lines)

#: fmt-08 | format
#> {"total": 10, "count": 2}
#> {"total": 10, "count": 3}
#> {"total": 1, "count": 0}
def main(total, count):
    average = total / count
    return {"text": f"Average: {average}", "rounded": f"{average:.2f}", "pct": f"{count / total:.1%}", "str": str(average)}

#: fmt-15 | format
#> {"metrics": [{"name": "a", "value": 1234567}, {"name": "b", "value": 0.000123456}, {"name": "c", "value": 12345.678}]}
#> {"metrics": []}
def main(metrics):
    lines = []
    for m in metrics:
        value = m["value"]
        if isinstance(value, float):
            text = f"{value:.3g}"
        else:
            text = f"{value:,}"
        lines.append(f"{m['name']}={text}")
    return lines

#: fmt-07 | format
#> {"user": {"name": "Ada", "active": true, "tags": ["a", "b"]}}
#> {"user": {"name": "Bo", "age": 4.0, "active": false, "tags": []}}
def main(user):
    return f"Name: {user['name']}, Age: {user.get('age')}, Active: {user['active']}, Tags: {user['tags']}"

#: fmt-09 | format
#> {"sections": [{"title": "Intro", "points": ["a", "b"]}, {"title": "More", "level": 2}]}
#> {"sections": []}
def main(sections):
    md = []
    for s in sections:
        md.append("#" * s.get("level", 1) + " " + s["title"])
        for i, p in enumerate(s.get("points", []), start=1):
            md.append(f"{i}. {p}")
        md.append("")
    return "\n".join(md).rstrip()

#: fmt-21 | format
#> {"alerts": [{"severity": "warning", "service": "api", "message": "slow"}, {"severity": "critical", "service": "db", "message": "down"}, {"severity": "info", "service": "x", "message": "y"}]}
#> {"alerts": []}
def main(alerts):
    severity = {"critical": "🔴", "warning": "🟡"}
    grouped = {}
    for a in alerts:
        grouped.setdefault(a["severity"], []).append(a)
    text = ""
    for level in ("critical", "warning", "info"):
        if level in grouped:
            text += f"{severity.get(level, '⚪')} {level.upper()} ({len(grouped[level])})\n"
            for a in grouped[level]:
                text += f"  • {a['service']}: {a['message']}\n"
    return text

#: graph-06 | graph
#> {"graph": {"a": [["b", 2], ["c", 1]], "c": [["b", 0.5]]}, "source": "a"}
#> {"graph": {}, "source": "a"}
import heapq


def main(graph, source):
    heap = [(0, source)]
    best = {}
    while heap:
        cost, node = heapq.heappop(heap)
        if node in best:
            continue
        best[node] = cost
        for nxt, w in graph.get(node, []):
            if nxt not in best:
                heapq.heappush(heap, (cost + w, nxt))
    return best

#: graph-01 | graph
#> {"graph": {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, "start": "a", "goal": "d"}
#> {"graph": {}, "start": "a", "goal": "b"}
from collections import deque


def main(graph, start, goal):
    queue = deque([[start]])
    visited = {start}
    while queue:
        path = queue.popleft()
        node = path[-1]
        if node == goal:
            return path
        for nxt in graph.get(node, []):
            if nxt not in visited:
                visited.add(nxt)
                queue.append(path + [nxt])
    return None

#: graph-09 | graph
#> {"intervals": [[5, 8], [1, 3], [2, 4]]}
#> {"intervals": []}
def main(intervals):
    intervals.sort()
    merged = []
    for start, end in intervals:
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged

#: graph-04 | graph
#> {"grid": [[1, 1, 0], [0, 0, 1], [1, 0, 1]]}
#> {"grid": [[0]]}
def main(grid):
    rows, cols = len(grid), len(grid[0])
    seen = [[False] * cols for _ in range(rows)]
    islands = 0
    for r in range(rows):
        for c in range(cols):
            if grid[r][c] == 1 and not seen[r][c]:
                islands += 1
                stack = [(r, c)]
                while stack:
                    y, x = stack.pop()
                    if y < 0 or y >= rows or x < 0 or x >= cols or seen[y][x] or grid[y][x] == 0:
                        continue
                    seen[y][x] = True
                    stack.extend([(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)])
    return islands

#: graph-03 | graph
#> {"edges": [["a", "b"], ["a", "c"], ["b", "d"], ["c", "d"]]}
#> {"edges": [["a", "b"], ["b", "a"]]}
def main(edges):
    graph = {}
    indegree = {}
    for a, b in edges:
        graph.setdefault(a, []).append(b)
        indegree[b] = indegree.get(b, 0) + 1
        indegree.setdefault(a, 0)
    ready = sorted(n for n, d in indegree.items() if d == 0)
    order = []
    while ready:
        n = ready.pop(0)
        order.append(n)
        for m in graph.get(n, []):
            indegree[m] -= 1
            if indegree[m] == 0:
                ready.append(m)
    if len(order) != len(indegree):
        raise ValueError("cycle detected")
    return order

#: graph-02 | graph
#> {"tasks": {"deploy": ["build", "test"], "build": [], "test": ["build"]}}
#> {"tasks": {"a": ["b"], "b": ["a"]}}
def main(tasks):
    order = []
    done = set()

    def visit(name, trail):
        if name in done:
            return
        if name in trail:
            raise ValueError(f"cycle: {' -> '.join(trail + [name])}")
        for dep in tasks.get(name, []):
            visit(dep, trail + [name])
        done.add(name)
        order.append(name)

    for name in sorted(tasks):
        visit(name, [])
    return order

#: graph-08 | graph
#> {"friends": {"a": ["b", "c"], "b": ["a", "d", "e"], "c": ["d"]}, "person": "a"}
#> {"friends": {}, "person": "a"}
def main(friends, person):
    direct = set(friends.get(person, []))
    suggestions = {}
    for f in direct:
        for ff in friends.get(f, []):
            if ff != person and ff not in direct:
                suggestions[ff] = suggestions.get(ff, 0) + 1
    return sorted(suggestions.items(), key=lambda x: (-x[1], x[0]))

#: graph-07 | graph
#> {"pairs": [[0, 1], [1, 2], [3, 4]], "n": 6}
#> {"pairs": [], "n": 0}
def main(pairs, n):
    parent = list(range(n))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b in pairs:
        ra, rb = find(a), find(b)
        if ra != rb:
            parent[ra] = rb
    groups = {}
    for i in range(n):
        groups.setdefault(find(i), []).append(i)
    return sorted(groups.values())

#: group-09 | group
#> {"scores": [95, 80, 79.5, 12, 90]}
#> {"scores": []}
def main(scores):
    buckets = {"A": 0, "B": 0, "C": 0, "F": 0}
    for s in scores:
        if s >= 90:
            buckets["A"] += 1
        elif s >= 80:
            buckets["B"] += 1
        elif s >= 70:
            buckets["C"] += 1
        else:
            buckets["F"] += 1
    return buckets

#: group-21 | group
#> {"items": [1, 2, 3.5]}
#> {"items": []}
def main(items):
    total = 0
    running = []
    for item in items:
        total += item
        running.append(total)
    return running

#: group-11 | group
#> {"requests": [{"status": 200, "ms": 10, "path": "/a"}, {"status": 503, "ms": 1500, "path": "/b"}, {"status": 200, "ms": 1200, "path": "/b"}]}
#> {"requests": []}
def main(requests):
    total = len(requests)
    errors = sum(1 for r in requests if r["status"] >= 500)
    slow = [r["path"] for r in requests if r["ms"] > 1000]
    rate = errors / total * 100 if total else 0
    return {"total": total, "errors": errors, "error_rate": f"{rate:.1f}%", "slow": sorted(set(slow))}

#: group-13 | group
#> {"students": [{"name": "a", "grades": [3, 4, 4]}, {"name": "b", "grades": []}, {"name": "c", "grades": [5]}]}
#> {"students": []}
def main(students):
    averages = {}
    for s in students:
        if s["grades"]:
            averages[s["name"]] = round(sum(s["grades"]) / len(s["grades"]), 1)
        else:
            averages[s["name"]] = None
    ranked = sorted((n for n in averages if averages[n] is not None), key=lambda n: averages[n], reverse=True)
    return {"averages": averages, "ranked": ranked}

#: group-19 | group
#> {"rows": [{"country": "se", "city": "Lund", "sales": 3}, {"country": "se", "city": "Lund", "sales": 2}, {"country": "no", "city": "Oslo", "sales": 1}]}
#> {"rows": []}
def main(rows):
    result = {}
    for row in rows:
        country = row["country"]
        city = row["city"]
        result.setdefault(country, {}).setdefault(city, 0)
        result[country][city] += row["sales"]
    summary = {c: sum(cities.values()) for c, cities in result.items()}
    return {"detail": result, "summary": summary}

#: group-10 | group
#> {"numbers": [3, 1, 3, 2, 1, 3]}
#> {"numbers": []}
def main(numbers):
    counts = {}
    for n in numbers:
        counts[n] = counts.get(n, 0) + 1
    most = max(counts, key=counts.get)
    return {"counts": counts, "mode": most, "times": counts[most]}

#: group-15 | group
#> {"edges": [["a", "b"], ["a", "c"], ["b", "c"]]}
#> {"edges": []}
from collections import defaultdict


def main(edges):
    indegree = defaultdict(int)
    outdegree = defaultdict(int)
    for src, dst in edges:
        outdegree[src] += 1
        indegree[dst] += 1
    nodes = sorted(set(indegree) | set(outdegree))
    return {n: [indegree[n], outdegree[n]] for n in nodes}

#: group-16 | group
#> {"items": [{"name": "a", "weight": 2, "price": 1.5, "qty": 2, "type": "t"}, {"name": "b", "weight": 5, "price": 3.0, "qty": 1, "type": "u"}]}
#> {"items": []}
def main(items):
    total_weight = 0
    total_price = 0.0
    by_type = {}
    for item in items:
        total_weight += item["weight"] * item["qty"]
        total_price += item["price"] * item["qty"]
        by_type[item["type"]] = by_type.get(item["type"], 0) + item["qty"]
    heaviest = max(items, key=lambda i: i["weight"])["name"] if items else None
    return {"weight": total_weight, "price": total_price, "types": by_type, "heaviest": heaviest}

#: group-12 | group
#> {"visits": [{"at": "2024-05-02T10:00:00Z", "user": "b"}, {"at": "2024-05-01T10:00:00Z", "user": "a"}, {"at": "2024-05-02T11:00:00Z", "user": "a"}, {"at": "2024-05-02T12:00:00Z", "user": "b"}]}
#> {"visits": []}
def main(visits):
    by_day = {}
    for v in visits:
        day = v["at"][:10]
        by_day.setdefault(day, set()).add(v["user"])
    return [{"day": d, "unique": len(users), "users": sorted(users)} for d, users in sorted(by_day.items())]

#: group-24 | group
#> {"groups": {"a": [3, 1, 2], "b": [4, 1], "c": []}}
#> {"groups": {}}
def median(xs):
    s = sorted(xs)
    n = len(s)
    mid = n // 2
    if n % 2 == 1:
        return s[mid]
    return (s[mid - 1] + s[mid]) / 2


def main(groups):
    return {name: median(vals) for name, vals in groups.items() if vals}

#: group-17 | group
#> {"votes": [["a", "b", "c"], ["b", "a", "c"]]}
#> {"votes": []}
def main(votes):
    tally = {}
    for ballot in votes:
        for rank, choice in enumerate(ballot):
            tally[choice] = tally.get(choice, 0) + (3 - rank)
    best = max(tally.values(), default=0)
    winners = sorted(c for c, p in tally.items() if p == best)
    return {"tally": tally, "winners": winners, "tie": len(winners) > 1}

#: group-25 | group
#> {"sessions": [{"user": "a", "minutes": 5, "day": "2024-01-02"}, {"user": "a", "minutes": 7, "day": "2024-01-01"}, {"user": "b", "minutes": 1, "day": "2024-01-03"}]}
#> {"sessions": []}
def main(sessions):
    users = {}
    for s in sessions:
        u = users.get(s["user"])
        if u is None:
            users[s["user"]] = {"sessions": 1, "minutes": s["minutes"], "last": s["day"]}
        else:
            u["sessions"] += 1
            u["minutes"] += s["minutes"]
            u["last"] = max(u["last"], s["day"])
    return users

#: group-08 | group
#> {"logs": [{"level": "warn", "msg": "a"}, {"level": "error", "msg": "b"}, {"level": "warn", "msg": "c"}]}
#> {"logs": []}
from itertools import groupby


def main(logs):
    logs.sort(key=lambda l: l["level"])
    return {level: [l["msg"] for l in items] for level, items in groupby(logs, key=lambda l: l["level"])}

#: group-06 | group
#> {"rows": [{"product": "pen", "month": "jan", "units": 3}, {"product": "ink", "month": "feb", "units": 1}, {"product": "pen", "month": "jan", "units": 2}]}
#> {"rows": []}
def main(rows):
    pivot = {}
    months = []
    for r in rows:
        if r["month"] not in months:
            months.append(r["month"])
        pivot.setdefault(r["product"], {})
        pivot[r["product"]][r["month"]] = pivot[r["product"]].get(r["month"], 0) + r["units"]
    table = []
    for product in sorted(pivot):
        table.append([product] + [pivot[product].get(m, 0) for m in months])
    return {"header": ["product"] + months, "rows": table}

#: group-22 | group
#> {"orders": [{"skus": ["a", "b"]}, {"skus": ["b"]}]}
#> {"orders": []}
from collections import Counter


def main(orders):
    counter = Counter()
    for order in orders:
        for sku in order["skus"]:
            counter[sku] += 1
    top, n = counter.most_common(1)[0] if counter else (None, 0)
    return {"top": top, "n": n, "all": dict(counter)}

#: group-07 | group
#> {"transactions": [{"category": "food", "amount": 12}, {"category": "food", "amount": 7}, {"category": "rent", "amount": 700}]}
#> {"transactions": []}
def main(transactions):
    stats = {}
    for t in transactions:
        s = stats.setdefault(t["category"], {"count": 0, "total": 0, "max": None})
        s["count"] += 1
        s["total"] += t["amount"]
        if s["max"] is None or t["amount"] > s["max"]:
            s["max"] = t["amount"]
    return stats

#: group-23 | group
#> {"latencies": [12, 5, 99, 40, 41]}
#> {"latencies": []}
def percentile(values, p):
    if not values:
        return None
    ordered = sorted(values)
    index = int(len(ordered) * p / 100)
    return ordered[min(index, len(ordered) - 1)]


def main(latencies):
    return {"p50": percentile(latencies, 50), "p95": percentile(latencies, 95), "max": max(latencies, default=None)}

#: join-04 | join
#> {"authors": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}], "books": [{"title": "t1", "author_id": 2}, {"title": "t2", "author_id": 2}]}
#> {"authors": [], "books": []}
def main(authors, books):
    for author in authors:
        author["books"] = [b["title"] for b in books if b["author_id"] == author["id"]]
        author["count"] = len(author["books"])
    return sorted(authors, key=lambda a: a["count"], reverse=True)

#: join-12 | join
#> {"prs": [{"number": 1, "draft": false}, {"number": 2, "draft": true}, {"number": 3, "draft": false}, {"number": 4, "draft": false}], "reviews": [{"pr": 1, "state": "APPROVED"}, {"pr": 2, "state": "APPROVED"}, {"pr": 3, "state": "CHANGES_REQUESTED"}]}
#> {"prs": [], "reviews": []}
def main(prs, reviews):
    approved = {r["pr"] for r in reviews if r["state"] == "APPROVED"}
    rejected = {r["pr"] for r in reviews if r["state"] == "CHANGES_REQUESTED"}
    out = {"ready": [], "blocked": [], "waiting": []}
    for pr in prs:
        n = pr["number"]
        if n in rejected:
            out["blocked"].append(n)
        elif n in approved and not pr["draft"]:
            out["ready"].append(n)
        else:
            out["waiting"].append(n)
    return out

#: join-07 | join
#> {"tasks": [{"name": "t1", "hours": 3}, {"name": "t2", "hours": 5}, {"name": "t3", "hours": 2}], "people": ["ada", "bo"]}
#> {"tasks": [], "people": []}
def main(tasks, people):
    load = {p: 0 for p in people}
    assigned = {}
    for task in sorted(tasks, key=lambda t: -t["hours"]):
        person = min(load, key=lambda p: load[p])
        assigned[task["name"]] = person
        load[person] += task["hours"]
    return {"assigned": assigned, "load": load}

#: join-05 | join
#> {"left": [{"k": 1, "a": "x"}, {"k": 2, "a": "y"}], "right": [{"k": 1, "b": "p"}, {"k": 1, "b": "q"}], "on": "k"}
#> {"left": [{"a": "x"}], "right": [], "on": "k"}
def main(left, right, on):
    index = {}
    for row in right:
        index.setdefault(row[on], []).append(row)
    joined = []
    for row in left:
        matches = index.get(row[on], [])
        if not matches:
            joined.append({**row, "matched": False})
        for m in matches:
            joined.append({**row, **m, "matched": True})
    return joined

#: join-14 | join
#> {"items": [{"name": "pen", "cat": 1}, {"name": "x", "cat": 7}, {"name": "ink", "cat": 1}], "categories": [{"id": 1, "name": "office"}]}
#> {"items": [], "categories": []}
def main(items, categories):
    names = {}
    for c in categories:
        names[c["id"]] = c["name"]
    result = {}
    for item in items:
        label = names.get(item["cat"], "other")
        if label not in result:
            result[label] = []
        result[label] += [item["name"]]
    return result

#: join-01 | join
#> {"users": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "orders": [{"id": 10, "user_id": 2, "total": 5}, {"id": 11, "user_id": 9, "total": 1}]}
#> {"users": [], "orders": []}
def main(users, orders):
    by_id = {u["id"]: u for u in users}
    result = []
    for o in orders:
        user = by_id.get(o["user_id"])
        if user is None:
            continue
        result.append({"order": o["id"], "name": user["name"], "total": o["total"]})
    return result

#: join-11 | join
#> {"names": ["a", "b"], "ages": [3, 4, 5], "cities": ["x", "y"]}
#> {"names": [], "ages": [], "cities": []}
def main(names, ages, cities):
    people = []
    for i, (name, age, city) in enumerate(zip(names, ages, cities)):
        people.append({"row": i, "name": name, "age": age, "city": city})
    return people

#: join-10 | join
#> {"inventory": {"a": 3, "b": 1}, "order": {"a": 2, "b": 4, "c": 1}}
#> {"inventory": {}, "order": {}}
def main(inventory, order):
    remaining = dict(inventory)
    shipped = {}
    for sku, qty in order.items():
        available = remaining.get(sku, 0)
        take = min(available, qty)
        if take:
            shipped[sku] = take
            remaining[sku] = available - take
    back = {s: q - shipped.get(s, 0) for s, q in order.items() if q > shipped.get(s, 0)}
    return {"shipped": shipped, "back_order": back, "remaining": remaining, "inventory": inventory}

#: join-06 | join
#> {"rates": {"EUR": 1.0, "USD": 0.92}, "amounts": [{"currency": "USD", "value": 10}, {"currency": "GBP", "value": 1}, {"currency": "EUR", "value": 5}]}
#> {"rates": {}, "amounts": []}
def main(rates, amounts):
    total = 0
    skipped = []
    for a in amounts:
        try:
            rate = rates[a["currency"]]
        except KeyError:
            skipped.append(a["currency"])
            continue
        total += a["value"] * rate
    return {"total": round(total, 2), "skipped": skipped}

#: join-15 | join
#> {"purchases": [{"id": "p1", "amount": 10}, {"id": "p2", "amount": 3}], "refunds": [{"purchase": "p2", "amount": 5}, {"purchase": "zz", "amount": 1}]}
#> {"purchases": [], "refunds": []}
def main(purchases, refunds):
    balance = {}
    for p in purchases:
        balance[p["id"]] = p["amount"]
    for r in refunds:
        if r["purchase"] in balance:
            balance[r["purchase"]] -= r["amount"]
    over = [pid for pid, b in balance.items() if b < 0]
    return {"net": sum(balance.values()), "over": over}

#: misc-11 | misc
#> {"queue": [1, [2, 3], [[4]]]}
#> {"queue": []}
def main(queue):
    processed = []
    while queue:
        item = queue.pop()
        if isinstance(item, list):
            queue.extend(item)
        else:
            processed.append(item)
    else:
        processed.append("empty")
    return processed

#: misc-05 | misc
#> {"lines": ["a", "b", "END", "c"]}
#> {"lines": []}
def main(lines):
    result = []
    it = iter(lines)
    while (line := next(it, None)) is not None:
        if line.startswith("END"):
            break
        result.append(line.upper())
    return result

#: misc-01 | misc
#> {"names": ["a", "b"]}
counter = 0


def next_id():
    global counter
    counter += 1
    return counter


def main(names):
    return [{"id": next_id(), "name": n} for n in names]

#: misc-04 | misc
#> {"items": ["a", "b"]}
#> {"items": []}
def main(items):
    for item in items:
        print(f"processing {item}")
    print("done", len(items), sep=": ")
    return len(items)

#: misc-06 | misc
#> {"items": [{"id": 1}, {"id": 2}]}
#> {"items": [{"id": 1}]}
def add_tag(item, tag, tags=None):
    if tags is None:
        tags = []
    tags.append(tag)
    item["tags"] = tags
    return item


def main(items):
    shared = ["x"]
    a = add_tag(items[0], "t1")
    b = add_tag(items[1], "t2", shared)
    return {"a": a, "b": b, "shared": shared}

#: misc-14 | misc
#> {"a": 1, "b": "two"}
def main(a, b):
    a, b = b, a
    x = y = []
    x.append(a)
    y.append(b)
    return {"a": a, "b": b, "x": x, "same": x is y}

#: misc-16 | misc
#> {"rows": [1, 2]}
#> {"rows": []}
def main(rows):
    row_template = {"status": "new", "tags": []}
    out = []
    for r in rows:
        item = row_template.copy()
        item["id"] = r
        item["tags"].append(r)
        out.append(item)
    return out

#: misc-03 | misc
#> {"rows": [{"name": " a ", "age": "3"}]}
#> {"rows": []}
def main(rows):
    pipeline = [
        lambda r: {**r, "name": r["name"].strip()},
        lambda r: {**r, "age": int(r["age"])},
    ]
    out = []
    for row in rows:
        for step in pipeline:
            row = step(row)
        out.append(row)
    return out

#: misc-07 | misc
#> {"command": "go north"}
#> {"command": "take a b"}
#> {"command": ""}
def main(command):
    match command.split():
        case ["go", direction]:
            return f"going {direction}"
        case ["take", *items]:
            return f"taking {len(items)}"
        case []:
            return "nothing"
        case _:
            return "unknown"

#: misc-02 | misc
#> {"values": [1, 2.5]}
#> {"values": []}
def make_multiplier(factor):
    def multiply(x):
        return x * factor
    return multiply


def main(values):
    double = make_multiplier(2)
    triple = make_multiplier(3)
    return [double(v) + triple(v) for v in values]

#: misc-12 | misc
#> {"values": [1, 2, 4]}
#> {"values": []}
def stats(values: list[float]) -> dict[str, float]:
    """Return basic statistics."""
    total: float = 0.0
    for v in values:
        total += v
    return {"n": len(values), "total": total}


def main(values: list) -> dict:
    # compute everything
    s = stats(values)
    s["mean"] = s["total"] / s["n"] if s["n"] > 0 else 0.0
    return s

#: num-06 | numeric
#> {"lat1": 55.7, "lon1": 13.2, "lat2": 59.3, "lon2": 18.1}
#> {"lat1": 0, "lon1": 0, "lat2": 0, "lon2": 0}
import math


def main(lat1, lon1, lat2, lon2):
    r = 6371
    p1, p2 = math.radians(lat1), math.radians(lat2)
    dp = p2 - p1
    dl = math.radians(lon2 - lon1)
    a = math.sin(dp / 2) ** 2 + math.cos(p1) * math.cos(p2) * math.sin(dl / 2) ** 2
    return round(2 * r * math.asin(math.sqrt(a)), 1)

#: num-14 | numeric
#> {"principal": 200000, "annual_rate": 0.04, "months": 360}
#> {"principal": 1200, "annual_rate": 0, "months": 12}
def main(principal, annual_rate, months):
    r = annual_rate / 12
    payment = principal * r / (1 - (1 + r) ** -months) if r else principal / months
    return round(payment, 2)

#: num-02 | numeric
#> {"cents": 87}
#> {"cents": 0}
def main(cents):
    coins = [50, 20, 10, 5, 2, 1]
    result = {}
    for coin in coins:
        n, cents = divmod(cents, coin)
        if n > 0:
            result[coin] = n
    return result

#: num-17 | numeric
#> {"n": 255, "base": 16}
#> {"n": 0, "base": 2}
def main(n, base):
    if n == 0:
        return "0"
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    out = ""
    while n > 0:
        out = digits[n % base] + out
        n //= base
    return out

#: num-16 | numeric
#> {"weights": [1, 3], "values": [10, 20]}
#> {"weights": [1], "values": []}
#> {"weights": [], "values": []}
def main(weights, values):
    if len(weights) != len(values):
        raise ValueError("length mismatch")
    total = sum(w * v for w, v in zip(weights, values))
    norm = sum(weights)
    return total / norm

#: num-24 | numeric
#> {"id_number": 41}
#> {"id_number": 9007199254740993}
def main(id_number):
    next_id = id_number + 1
    return {"id": id_number, "next": next_id, "text": str(next_id), "mod": id_number % 1000}

#: num-15 | numeric
#> {"steps": [1, -2, 5]}
#> {"steps": []}
def main(steps):
    position = 0
    highest = 0
    for s in steps:
        position += s
        highest = max(highest, position)
    return {"end": position, "highest": highest, "net_positive": position > 0}

#: num-22 | numeric
#> {"amounts": ["1.005", "2.10"]}
#> {"amounts": []}
from decimal import Decimal, ROUND_HALF_UP


def main(amounts):
    total = sum((Decimal(a) for a in amounts), Decimal(0))
    return str(total.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))

#: num-04 | numeric
#> {"a": 48, "b": 18}
#> {"a": -7, "b": 5}
#> {"a": 0, "b": 0}
def main(a, b):
    steps = []
    while b:
        steps.append([a, b])
        a, b = b, a % b
    return {"gcd": a, "steps": steps}

#: num-08 | numeric
#> {"income": 50000}
#> {"income": 9000}
#> {"income": 0}
def main(income):
    brackets = [(10000, 0.0), (40000, 0.2), (None, 0.4)]
    tax = 0
    lower = 0
    for upper, rate in brackets:
        if upper is None or income <= upper:
            tax += (income - lower) * rate
            break
        tax += (upper - lower) * rate
        lower = upper
    return {"tax": tax, "net": income - tax, "effective": round(tax / income, 4) if income else 0}

#: num-18 | numeric
#> {"prices": [7, 1, 5, 3, 6, 4]}
#> {"prices": []}
def main(prices):
    best = 0
    lowest = float("inf")
    for p in prices:
        lowest = min(lowest, p)
        best = max(best, p - lowest)
    return best

#: num-20 | numeric
#> {"a": 1, "b": -3, "c": 2}
#> {"a": 1, "b": 2, "c": 1}
#> {"a": 0, "b": 2, "c": 1}
def main(a, b, c):
    disc = b ** 2 - 4 * a * c
    if disc < 0:
        return []
    root = disc ** 0.5
    return sorted({(-b - root) / (2 * a), (-b + root) / (2 * a)})

#: num-13 | numeric
#> {"n": 472}
#> {"n": 100}
#> {"n": -5}
def main(n):
    digits = [int(d) for d in str(n)]
    return {"sum": sum(digits), "product": eval_product(digits), "reversed": int(str(n)[::-1])}


def eval_product(digits):
    p = 1
    for d in digits:
        p *= d
    return p

#: num-01 | numeric
#> {"amount": 1000, "rate": 0.05, "years": 3}
#> {"amount": 1000, "rate": 0.05, "years": 0}
def main(amount, rate, years):
    balance = amount
    schedule = []
    for year in range(1, years + 1):
        interest = balance * rate
        balance += interest
        schedule.append({"year": year, "interest": round(interest, 2), "balance": round(balance, 2)})
    return schedule

#: num-12 | numeric
#> {"values": ["1", "2.5", "3.0"]}
#> {"values": ["x"]}
def main(values):
    return [int(float(v)) if float(v).is_integer() else float(v) for v in values]

#: num-03 | numeric
#> {"n": 30}
#> {"n": 1}
def main(n):
    primes = []
    for candidate in range(2, n + 1):
        for p in primes:
            if p * p > candidate:
                primes.append(candidate)
                break
            if candidate % p == 0:
                break
        else:
            primes.append(candidate)
    return primes

#: page-06 | paging
#> {"total": 10, "current": 5}
#> {"total": 3, "current": 1}
#> {"total": 0, "current": 1}
def main(total, current, window=2):
    start = max(1, current - window)
    end = min(total, current + window)
    links = list(range(start, end + 1))
    if links[0] > 1:
        links.insert(0, "...")
        links.insert(0, 1)
    if links[-1] != total:
        links += ["...", total]
    return links

#: page-08 | paging
#> {"link_header": "<https://x/?page=2>; rel=\"next\", <https://x/?page=9>; rel=\"last\""}
#> {"link_header": ""}
def main(link_header):
    links = {}
    for part in link_header.split(","):
        if ";" not in part:
            continue
        url, rel = part.split(";", 1)
        name = rel.strip()[5:-1]
        links[name] = url.strip()[1:-1]
    return links

#: page-04 | paging
#> {"pages": {"start": {"items": [1, 2], "next": "p2"}, "p2": {"items": [3]}}}
#> {"pages": {"start": {"items": [], "next": "start"}}}
#> {"pages": {}}
def main(pages):
    results = []
    cursor = "start"
    seen = 0
    while cursor is not None:
        page = pages[cursor]
        results.extend(page["items"])
        cursor = page.get("next")
        seen += 1
        if seen > 10:
            raise RuntimeError("too many pages")
    return {"results": results, "pages": seen}

#: page-02 | paging
#> {"items": [1, 2, 3, 4, 5], "size": 2}
#> {"items": [], "size": 3}
#> {"items": [1], "size": 0}
def main(items, size):
    return [items[i:i + size] for i in range(0, len(items), size)]

#: page-01 | paging
#> {"items": [1, 2, 3, 4, 5], "page": 3}
#> {"items": []}
#> {"items": [1], "per_page": 0}
def main(items, page=1, per_page=2):
    start = (page - 1) * per_page
    chunk = items[start:start + per_page]
    pages = (len(items) + per_page - 1) // per_page
    return {"items": chunk, "page": page, "pages": pages, "has_next": page < pages}

#: page-03 | paging
#> {"total": 25, "per_page": 10}
#> {"total": 0, "per_page": 10}
#> {"total": 3, "per_page": 0}
import math


def main(total, per_page):
    pages = math.ceil(total / per_page)
    return [{"page": p + 1, "offset": p * per_page, "limit": min(per_page, total - p * per_page)} for p in range(pages)]

#: json-04 | parse
#> {"lines": ["1.1.1.1 - - 200 512", "1.1.1.1 - - 404 -", "2.2.2.2 - - 500 10"]}
#> {"lines": ["bad"]}
def main(lines):
    stats = {}
    for line in lines:
        ip, _, _, status, size = line.split(" ")
        entry = stats.setdefault(ip, {"hits": 0, "bytes": 0, "errors": 0})
        entry["hits"] += 1
        entry["bytes"] += int(size) if size != "-" else 0
        if status.startswith(("4", "5")):
            entry["errors"] += 1
    return stats

#: json-02 | parse
#> {"csv_text": "sku,price,qty\na,1.5,2\nb,3,1\n"}
#> {"csv_text": "sku,price,qty\na,x,2"}
def main(csv_text):
    lines = csv_text.strip().split("\n")
    header = lines[0].split(",")
    rows = []
    for line in lines[1:]:
        values = line.split(",")
        row = dict(zip(header, values))
        row["price"] = float(row["price"])
        row["qty"] = int(row["qty"])
        rows.append(row)
    return {"rows": rows, "total": sum(r["price"] * r["qty"] for r in rows)}

#: json-06 | parse
#> {"payload": {"a": [1, 2.5, null, true], "b": "é\n"}}
#> {"payload": {}}
import json


def main(payload):
    body = json.dumps(payload, indent=2)
    compact = json.dumps(payload, separators=(",", ":"))
    return {"lines": len(body.splitlines()), "compact": compact, "plain": json.dumps(payload)}

#: json-12 | parse
#> {"markdown": "# Top\ntext\n## Sub One\n### Deep"}
#> {"markdown": ""}
def main(markdown):
    toc = []
    for line in markdown.split("\n"):
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            title = line[level:].strip()
            anchor = title.lower().replace(" ", "-")
            toc.append(f"{'  ' * (level - 1)}- [{title}](#{anchor})")
    return toc

#: json-07 | parse
#> {"text": "a\n  b\n    c\n  d\ne"}
#> {"text": ""}
def main(text):
    lines = [l for l in text.split("\n") if l.strip()]
    root = []
    stack = [(-1, root)]
    for line in lines:
        indent = len(line) - len(line.lstrip())
        while stack[-1][0] >= indent:
            stack.pop()
        node = {"name": line.strip(), "children": []}
        stack[-1][1].append(node)
        stack.append((indent, node["children"]))
    return root

#: json-01 | parse
#> {"text": "{\"items\": [1, 2], \"b\": null, \"a\": 1.0}"}
#> {"text": "{}"}
#> {"text": "{bad"}
import json


def main(text):
    data = json.loads(text)
    data["count"] = len(data.get("items", []))
    return json.dumps(data, sort_keys=True)

#: json-08 | parse
#> {"raw": "a=1; theme=\"dark\"; x; t=a=b"}
#> {"raw": ""}
def main(raw):
    cookies = {}
    for part in raw.split(";"):
        if "=" in part:
            name, value = part.strip().split("=", 1)
            cookies[name] = value.strip('"')
    return cookies

#: json-10 | parse
#> {"env_text": "# c\nport=80\nname=\"My App\"\nempty="}
#> {"env_text": "oops"}
def main(env_text):
    env = {}
    for n, line in enumerate(env_text.splitlines(), 1):
        line = line.strip()
        if not line or line[0] == "#":
            continue
        if "=" not in line:
            raise ValueError(f"line {n}: missing '='")
        key, value = line.split("=", maxsplit=1)
        if value[:1] == value[-1:] == '"':
            value = value[1:-1]
        env[key.strip().upper()] = value
    return env

#: re-21 | regex
#> {"ids": ["AB-12", "ABCD-1", "AB-", "ABC-9x", "XY-7\n"]}
#> {"ids": []}
import re


def main(ids):
    return [i for i in ids if re.match(r"^[A-Z]{2,3}-\d+$", i)]

#: re-02 | regex
#> {"log": "10:00 [INFO] started\nbad line\n10:01 [ERROR] it broke"}
#> {"log": ""}
import re


def main(log):
    pattern = re.compile(r"^(\S+) \[(\w+)\] (.*)$")
    rows = []
    for line in log.splitlines():
        m = pattern.match(line)
        if m:
            rows.append({"time": m.group(1), "level": m.group(2), "msg": m.group(3)})
    return rows

#: re-23 | regex
#> {"template": "Hi {{ name }}, {{count}} new", "data": {"name": "Ada", "count": 3}}
#> {"template": "{{x}}", "data": {}}
import re


def main(template, data):
    def repl(match):
        key = match.group(1)
        if key not in data:
            raise KeyError(key)
        return str(data[key])
    return re.sub(r"\{\{\s*(\w+)\s*\}\}", repl, template)

#: re-15 | regex
#> {"text": "Grand TOTAL: 1,234 items"}
#> {"text": "nothing"}
import re


def main(text):
    m = re.search(r"total:\s*(?P<n>[\d,]+)", text, re.IGNORECASE)
    return int(m.group("n").replace(",", "")) if m else 0

#: re-28 | regex
#> {"words": ["file10", "file2", "file1"]}
#> {"words": []}
import re


def main(words):
    return sorted(words, key=lambda w: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", w)])

#: re-19 | regex
#> {"markdown": "See [docs](https://x/d) and [home](/)."}
#> {"markdown": ""}
import re


def main(markdown):
    links = re.findall(r"\[([^\]]+)\]\(([^)]+)\)", markdown)
    return [{"text": t, "url": u} for t, u in links]

#: re-13 | regex
#> {"name": "getHTTPResponseCode"}
#> {"name": "x"}
import re


def main(name):
    s = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", s).lower()

#: re-08 | regex
#> {"text": " a, b;c  d "}
#> {"text": ""}
import re


def main(text):
    return [p for p in re.split(r"[;,\s]+", text.strip()) if p]

#: re-18 | regex
#> {"text": "  a \n b\t\tc "}
#> {"text": "a\u00a0b"}
import re


def main(text):
    return re.sub(r"\s+", " ", text).strip()

#: re-14 | regex
#> {"lines": ["x ERROR db: down", "INFO ok", "y ERROR db: slow", "ERROR api: 500"]}
#> {"lines": []}
import re


def main(lines):
    errors = {}
    for line in lines:
        m = re.search(r"ERROR (\w+):", line)
        if m:
            errors[m.group(1)] = errors.get(m.group(1), 0) + 1
    return errors

#: re-17 | regex
#> {"text": "3 + 4.5*(2-1)"}
#> {"text": ""}
import re


def main(text):
    tokens = []
    for kind, value in re.findall(r"(\d+\.?\d*)|([-+*/()])", text):
        tokens.append(("num", kind) if kind else ("op", value))
    return tokens

#: re-24 | regex
#> {"text": "banana 😀 na"}
#> {"text": ""}
import re


def main(text):
    spans = [(m.start(), m.end(), m.group()) for m in re.finditer(r"na", text)]
    return spans

#: re-10 | regex
#> {"text": "Pay $12.50 and $3 today"}
#> {"text": "free"}
import re


def main(text):
    prices = re.findall(r"\$(\d+(?:\.\d{2})?)", text)
    return {"prices": [float(p) for p in prices], "total": sum(map(float, prices))}

#: re-05 | regex
#> {"text": "level=info user=ada id=42"}
#> {"text": "nothing"}
import re


def main(text):
    return {m.group("key"): m.group("value") for m in re.finditer(r"(?P<key>\w+)=(?P<value>\S+)", text)}

#: re-27 | regex
#> {"s": "- a\n- b c\nx\n- d"}
#> {"s": ""}
import re


def main(s):
    return re.findall(r"(?m)^- (.+)$", s)

#: re-11 | regex
#> {"url": "https://x.org:8080/a/b?c=1"}
#> {"url": "http://x.org"}
#> {"url": "ftp://x"}
import re


def main(url):
    m = re.match(r"^(https?)://([^/:]+)(?::(\d+))?(/.*)?$", url)
    if not m:
        return None
    return {"scheme": m[1], "host": m[2], "port": int(m[3]) if m[3] else None, "path": m[4] or "/"}

#: re-25 | regex
#> {"password": "Abcdefg1!"}
#> {"password": "abc"}
import re


def main(password):
    return bool(re.search(r"[A-Z]", password) and re.search(r"\d", password) and re.match(r"^(?=.*[!@#]).{8,}$", password))

#: re-04 | regex
#> {"version": "v1.20.3-beta"}
#> {"version": "1.2.3"}
#> {"version": "1.2"}
import re


def main(version):
    m = re.match(r"v?(\d+)\.(\d+)\.(\d+)(?:-(\w+))?$", version)
    if m is None:
        raise ValueError(f"invalid version: {version}")
    major, minor, patch, pre = m.groups()
    return {"major": int(major), "minor": int(minor), "patch": int(patch), "pre": pre}

#: re-20 | regex
#> {"text": "Damn, this C++ is darn hard", "words": ["damn", "darn", "c++"]}
#> {"text": "x", "words": ["y"]}
import re


def main(text, words):
    pattern = re.compile("|".join(re.escape(w) for w in words), re.I)
    return pattern.sub("***", text)

#: reshape-26 | reshape
#> {"rows": [1, 2, 3, 4, 5]}
#> {"rows": [1, 2, 3]}
#> {"rows": [1, 2]}
def main(rows):
    *body, last = rows
    first, second, *rest = body
    return {"first": first, "second": second, "rest": rest, "last": last}

#: reshape-29 | reshape
#> {"a": {"x": 1, "y": 2}, "b": {"y": 3, "z": 4}}
#> {"a": {}, "b": {}}
def main(a, b):
    merged = {**a, **b}
    merged["keys"] = list(merged.keys())
    return merged

#: reshape-27 | reshape
#> {"options": ["red", "dark blue"], "selected": ["red"]}
#> {"options": ["red"]}
def main(options, selected=None):
    selected = selected or []
    return [{"label": o.title(), "value": o, "checked": o in selected} for o in options]

#: reshape-22 | reshape
#> {"weather": {"hourly": {"time": ["2024-05-01T08:00", "2024-05-01T09:00"], "temperature": [11.5, 14], "rain": [0, 0.3]}}}
#> {"weather": {"hourly": {"time": [], "temperature": [], "rain": []}}}
def main(weather):
    hours = weather["hourly"]
    readings = []
    for time, temp, rain in zip(hours["time"], hours["temperature"], hours["rain"]):
        readings.append({"time": time[-5:], "temp": temp, "wet": rain > 0})
    warmest = max(readings, key=lambda r: r["temp"])
    return {"warmest": warmest["time"], "wet_hours": [r["time"] for r in readings if r["wet"]]}

#: reshape-10 | reshape
#> {"user": {"id": 1, "name": "Ada", "email": "a@x", "password": "s"}}
#> {"user": {"id": 1, "name": "Ada", "nickname": ""}}
#> {"user": {"id": 1, "name": "Ada", "nickname": "ad"}}
def main(user):
    allowed = ["id", "name", "email"]
    public = {k: user[k] for k in allowed if k in user}
    public["display"] = user.get("nickname") or user["name"]
    return public

#: reshape-12 | reshape
#> {"issues": [{"number": 4, "title": "Bug", "labels": [{"name": "ui"}, {"name": "p1"}], "assignee": {"login": "ada"}}, {"number": 5, "title": "Doc", "labels": [], "assignee": null}]}
#> {"issues": []}
def main(issues):
    summary = []
    for issue in issues:
        labels = [l["name"] for l in issue["labels"]]
        assignee = issue["assignee"]["login"] if issue.get("assignee") else "unassigned"
        summary.append(f"#{issue['number']} {issue['title']} ({assignee}) [{', '.join(labels)}]")
    return summary

#: reshape-20 | reshape
#> {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image"}, {"type": "text", "text": "there"}]}]}
#> {"messages": []}
def main(messages):
    return [
        {
            "role": m["role"],
            "text": " ".join(part["text"] for part in m["content"] if part["type"] == "text"),
            "images": sum(1 for part in m["content"] if part["type"] == "image"),
        }
        for m in messages
    ]

#: reshape-18 | reshape
#> {"settings": {"db.host": "x", "db.port": 5432, "debug": true}}
#> {"settings": {"a.b.c": 1, "a.b.d": 2, "a.e": 3}}
def main(settings):
    nested = {}
    for path, value in settings.items():
        node = nested
        parts = path.split(".")
        for part in parts[:-1]:
            node = node.setdefault(part, {})
        node[parts[-1]] = value
    return nested

#: reshape-25 | reshape
#> {"tickets": [{"title": "a", "status": "Open"}, {"title": "b", "status": " done "}]}
#> {"tickets": [{"title": "a", "status": "blocked"}]}
def main(tickets):
    board = {"open": [], "doing": [], "done": []}
    for t in tickets:
        status = t["status"].strip().lower()
        board[status].append(t["title"])
    return board

#: reshape-14 | reshape
#> {"products": [{"name": "Red Pen", "price": 1.25, "quantity": 3}, {"name": "Ink", "price": 10}]}
#> {"products": [{"name": "Red Pen"}]}
def main(products):
    for p in products:
        p["price_cents"] = int(round(p.pop("price") * 100))
        p["in_stock"] = p.get("quantity", 0) > 0
        p["slug"] = p["name"].lower().replace(" ", "-")
    return products

#: reshape-17 | reshape
#> {"people": [{"id": 10, "name": "Ada"}, {"id": 2, "name": "Bo"}]}
#> {"people": [{"id": "x", "name": "Ada"}, {"id": "x", "name": "Bo"}]}
def main(people):
    return {p["id"]: p["name"] for p in people}

#: reshape-13 | reshape
#> {"sensors": [{"room": "a", "type": "temp", "value": 20.5}, {"room": "a", "type": "hum", "value": 40}, {"room": "b", "type": "temp", "value": 19}]}
#> {"sensors": []}
def main(sensors):
    result = {}
    for s in sensors:
        room = s["room"]
        if room not in result:
            result[room] = {}
        result[room][s["type"]] = s["value"]
    return result

#: reshape-19 | reshape
#> {"config": {"db": {"host": "x", "auth": {"user": "u", "pw": null}}, "n": 1}}
#> {"config": {}}
def flatten(obj, prefix=""):
    items = {}
    for k, v in obj.items():
        key = f"{prefix}.{k}" if prefix else k
        if isinstance(v, dict):
            items.update(flatten(v, key))
        else:
            items[key] = v
    return items


def main(config):
    return flatten(config)

#: reshape-03 | reshape
#> {"repos": [{"full_name": "a/b", "stargazers_count": 3, "topics": ["x", "a"]}, {"full_name": "c/d", "stargazers_count": 9, "topics": null, "archived": 1}]}
#> {"repos": [{"full_name": "a/b"}]}
def main(repos):
    out = []
    for repo in repos:
        topics = repo.get("topics") or []
        out.append({
            "name": repo["full_name"],
            "stars": repo.get("stargazers_count", 0),
            "topics": ", ".join(sorted(topics)),
            "archived": bool(repo.get("archived")),
        })
    out.sort(key=lambda r: r["stars"], reverse=True)
    return out

#: reshape-07 | reshape
#> {"event": {"type": "PushEvent", "actor": {"login": "ada"}, "payload": {"commits": [{"message": "fix"}, {"message": "x"}]}}}
#> {"event": {"type": "WatchEvent", "actor": null, "payload": {}}}
#> {"event": {"type": "WatchEvent"}}
def main(event):
    payload = event["payload"]
    actor = event.get("actor")
    return {
        "type": event["type"].replace("Event", ""),
        "who": actor["login"] if actor else "unknown",
        "commits": len(payload.get("commits", [])),
        "first": payload["commits"][0]["message"] if payload.get("commits") else None,
    }

#: reshape-21 | reshape
#> {"matrix": [[1, 2, 3], [4, 5, 6]]}
#> {"matrix": []}
def main(matrix):
    return [list(col) for col in zip(*matrix)]

#: reshape-11 | reshape
#> {"doc": {"a": "  x ", "b": null, "c": [" y", {"d": null, "e": 1}]}}
#> {"doc": [1, true, null]}
def clean(value):
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return [clean(v) for v in value]
    if isinstance(value, dict):
        return {k: clean(v) for k, v in value.items() if v is not None}
    return value


def main(doc):
    return clean(doc)

#: reshape-09 | reshape
#> {"rows": [{"fname": "Ada", "lname": "King", "age": 3}, {"dob": "1815-12-10"}]}
#> {"rows": []}
RENAMES = {"fname": "first_name", "lname": "last_name", "dob": "birth_date"}


def main(rows):
    return [{RENAMES.get(k, k): v for k, v in row.items()} for row in rows]

#: reshape-05 | reshape
#> {"rows": [[1, "a"], [2, "b"]], "headers": ["id", "name"]}
#> {"rows": [[1], [2, "b", "c"]], "headers": ["id", "name"]}
def main(rows, headers):
    return [dict(zip(headers, row)) for row in rows]

#: reshape-30 | reshape
#> {"articles": [{"title": "A very long headline about pens", "words": 950}, {"title": "Short", "words": 10}]}
#> {"articles": [], "max_len": 5}
def main(articles, max_len=20):
    cards = []
    for index, article in enumerate(articles, start=1):
        title = article["title"]
        short = title if len(title) <= max_len else title[:max_len - 3].rstrip() + "..."
        cards.append({"pos": index, "title": short, "read": max(1, article["words"] // 200)})
    return cards

#: sm-07 | state
#> {"events": [{"kind": "start", "id": "a", "t": 1}, {"kind": "start", "id": "b", "t": 2}, {"kind": "end", "id": "a", "t": 5}, {"kind": "end", "id": "z", "t": 6}]}
#> {"events": []}
def main(events):
    open_at = {}
    durations = {}
    for e in events:
        if e["kind"] == "start":
            open_at[e["id"]] = e["t"]
        elif e["kind"] == "end" and e["id"] in open_at:
            durations[e["id"]] = e["t"] - open_at.pop(e["id"])
    return {"durations": durations, "open": sorted(open_at)}

#: sm-11 | state
#> {"cells": [0, 0, 0, 1, 0, 0, 0], "generations": 2}
#> {"cells": [], "generations": 3}
def main(cells, generations):
    for _ in range(generations):
        nxt = []
        for i in range(len(cells)):
            left = cells[i - 1] if i > 0 else 0
            right = cells[i + 1] if i < len(cells) - 1 else 0
            nxt.append(1 if left != right else 0)
        cells = nxt
    return "".join("#" if c else "." for c in cells)

#: sm-08 | state
#> {"text": "Hi { name }, bye"}
#> {"text": "Hi {x"}
#> {"text": ""}
def main(text):
    state = "text"
    tokens = []
    buf = ""
    for ch in text:
        if state == "text":
            if ch == "{":
                if buf:
                    tokens.append(["text", buf])
                buf = ""
                state = "var"
            else:
                buf += ch
        elif state == "var":
            if ch == "}":
                tokens.append(["var", buf.strip()])
                buf = ""
                state = "text"
            else:
                buf += ch
    if state == "var":
        raise SyntaxError("unclosed brace")
    if buf:
        tokens.append(["text", buf])
    return tokens

#: sm-06 | state
#> {"program": ["set a 3", "inc b", "dec a", "jnz a -2"]}
#> {"program": []}
#> {"program": ["inc q"]}
def main(program):
    registers = {"a": 0, "b": 0}
    pc = 0
    steps = 0
    while 0 <= pc < len(program) and steps < 1000:
        op, *args = program[pc].split()
        steps += 1
        if op == "set":
            registers[args[0]] = int(args[1])
        elif op == "inc":
            registers[args[0]] += 1
        elif op == "dec":
            registers[args[0]] -= 1
        elif op == "jnz" and registers[args[0]] != 0:
            pc += int(args[1])
            continue
        pc += 1
    return {"registers": registers, "steps": steps}

#: sm-05 | state
#> {"readings": [50, 81, 70, 59, 90]}
#> {"readings": []}
def main(readings, high=80, low=60):
    alarm = False
    changes = []
    for i, r in enumerate(readings):
        if not alarm and r > high:
            alarm = True
            changes.append((i, "on"))
        elif alarm and r < low:
            alarm = False
            changes.append((i, "off"))
    return {"alarm": alarm, "changes": changes}

#: sm-12 | state
#> {"jobs": [{"id": "a", "fails": 0}, {"id": "b", "fails": 2}, {"id": "c", "fails": 9}]}
#> {"jobs": []}
def main(jobs):
    queue = [dict(j, tries=0) for j in jobs]
    done, dead = [], []
    while queue:
        job = queue.pop(0)
        job["tries"] += 1
        if job["tries"] > job["fails"]:
            done.append((job["id"], job["tries"]))
        elif job["tries"] >= 3:
            dead.append(job["id"])
        else:
            queue.append(job)
    return {"done": done, "dead": dead, "jobs": jobs}

#: sm-10 | state
#> {"board": [["X", "O", "X"], ["O", "X", "O"], ["O", " ", "X"]]}
#> {"board": [["X", "O", "X"], [" ", " ", " "], [" ", " ", " "]]}
#> {"board": [["X", "O"]]}
def main(board):
    lines = []
    for i in range(3):
        lines.append(board[i])
        lines.append([board[0][i], board[1][i], board[2][i]])
    lines.append([board[i][i] for i in range(3)])
    lines.append([board[i][2 - i] for i in range(3)])
    for line in lines:
        if line[0] != " " and line[0] == line[1] == line[2]:
            return line[0]
    return "draw" if all(c != " " for row in board for c in row) else "open"

#: sm-01 | state
#> {"events": ["submit", "reject", "submit", "approve"]}
#> {"events": ["approve"]}
#> {"events": []}
TRANSITIONS = {
    "draft": {"submit": "review"},
    "review": {"approve": "published", "reject": "draft"},
    "published": {"archive": "archived"},
}


def main(events, state="draft"):
    history = [state]
    for event in events:
        nxt = TRANSITIONS.get(state, {}).get(event)
        if nxt is None:
            raise ValueError(f"cannot {event} from {state}")
        state = nxt
        history.append(state)
    return {"state": state, "history": history}

#: str-03 | string
#> {"query": "?a=1&b=2&a=3&c"}
#> {"query": ""}
def main(query):
    params = {}
    for pair in query.lstrip("?").split("&"):
        if not pair:
            continue
        key, _, value = pair.partition("=")
        if key in params:
            if not isinstance(params[key], list):
                params[key] = [params[key]]
            params[key].append(value)
        else:
            params[key] = value
    return params

#: str-27 | string
#> {"text": "a<b & c>d"}
#> {"text": ""}
def main(text):
    table = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})
    return text.translate(table)

#: str-08 | string
#> {"text": "aaabccd"}
#> {"text": ""}
def main(text):
    encoded = []
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        encoded.append(f"{text[i]}{j - i}")
        i = j
    return "".join(encoded)

#: str-21 | string
#> {"a": "Dormitory", "b": "dirty room"}
#> {"a": "x", "b": "y"}
def main(a, b):
    a = a.lower().replace(" ", "")
    b = b.lower().replace(" ", "")
    return sorted(a) == sorted(b)

#: str-06 | string
#> {"s": "A man, a plan, a canal: Panama"}
#> {"s": "ab"}
def main(s):
    cleaned = "".join(c.lower() for c in s if c.isalnum())
    return cleaned == cleaned[::-1]

#: str-02 | string
#> {"text": "the quick brown fox"}
#> {"text": ""}
#> {"text": "it's o'neil's café 😀 x"}
def main(text):
    words = text.split()
    return {
        "words": len(words),
        "chars": len(text),
        "longest": max(words, key=len) if words else "",
        "title": text.title(),
        "initials": "".join(w[0].upper() for w in words),
    }

#: str-28 | string
#> {"first": "interview", "second": "internet"}
#> {"first": "", "second": "x"}
def main(first, second):
    common = 0
    for x, y in zip(first, second):
        if x != y:
            break
        common += 1
    return {"prefix": first[:common], "rest": [first[common:], second[common:]]}

#: str-07 | string
#> {"message": "Hello, xyz!"}
#> {"message": "Khoor", "key": -3}
def main(message, key=3):
    out = []
    for ch in message:
        if ch.isalpha() and ch.isascii():
            base = ord("A") if ch.isupper() else ord("a")
            out.append(chr((ord(ch) - base + key) % 26 + base))
        else:
            out.append(ch)
    return "".join(out)

#: str-22 | string
#> {"roman": "MCMXCIV"}
#> {"roman": "iv"}
#> {"roman": "A"}
def main(roman):
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    prev = 0
    for ch in reversed(roman.upper()):
        v = values[ch]
        if v < prev:
            total -= v
        else:
            total += v
            prev = v
    return total

#: str-23 | string
#> {"n": 1994}
#> {"n": 0}
def main(n):
    numerals = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    result = ""
    for value, symbol in numerals:
        while n >= value:
            result += symbol
            n -= value
    return result

#: str-24 | string
#> {"s": "babad"}
#> {"s": ""}
def main(s):
    best = ""
    for i in range(len(s)):
        for j in range(i + 1, len(s) + 1):
            part = s[i:j]
            if part == part[::-1] and len(part) > len(best):
                best = part
    return best

#: str-25 | string
#> {"word": "aa", "text": "aaAa b aa"}
#> {"word": "x", "text": ""}
def main(word, text):
    text = text.casefold()
    positions = []
    start = text.find(word)
    while start != -1:
        positions.append(start)
        start = text.find(word, start + 1)
    return positions

#: str-11 | string
#> {"template": "Dear {{name}}, you owe {{amount}}.", "values": {"name": "Ada", "amount": 12.5}}
#> {"template": "{{x}} {{y}}", "values": {"x": null, "y": true}}
def main(template, values):
    for key, value in values.items():
        template = template.replace("{{" + key + "}}", str(value))
    return template

#: str-15 | string
#> {"csv_line": "a,\"b, c\",d"}
#> {"csv_line": ""}
def main(csv_line):
    fields = []
    current = ""
    quoted = False
    for ch in csv_line:
        if ch == '"':
            quoted = not quoted
        elif ch == "," and not quoted:
            fields.append(current)
            current = ""
        else:
            current += ch
    fields.append(current)
    return fields

#: str-04 | string
#> {"name": "userAccountId"}
#> {"name": "x"}
def main(name):
    snake = ""
    for i, ch in enumerate(name):
        if ch.isupper() and i > 0:
            snake += "_"
        snake += ch.lower()
    parts = snake.split("_")
    camel = parts[0] + "".join(p.capitalize() for p in parts[1:])
    return {"snake": snake, "camel": camel, "kebab": snake.replace("_", "-"), "const": snake.upper()}

#: str-18 | string
#> {"text": "banana"}
#> {"text": "xyz"}
def main(text):
    return {
        "find": text.find("an"),
        "rfind": text.rfind("an"),
        "count": text.count("an"),
        "index": text.index("b"),
        "split": text.split("an"),
        "rsplit": text.rsplit("an", 1),
    }

#: str-20 | string
#> {"text": "Ab c\nx\ty"}
#> {"text": ""}
#> {"text": "½"}
def main(text):
    return {
        "upper": text.isupper(),
        "space": text.isspace(),
        "numeric": text.isnumeric(),
        "title": text.istitle(),
        "ident": text.isidentifier(),
        "lines": text.splitlines(),
        "expand": text.expandtabs(4),
    }

#: str-29 | string
#> {"n": 10}
#> {"n": 255}
#> {"n": -5}
def main(n):
    return {"bin": bin(n), "hex": hex(n), "oct": oct(n), "bits": n.bit_length(), "f": f"{n:b} {n:x} {n:08b} {n:#x}"}

#: str-09 | string
#> {"filename": "photo.final.JPG"}
#> {"filename": "README"}
def main(filename):
    base, dot, ext = filename.rpartition(".")
    if not dot:
        base, ext = filename, ""
    return {"base": base, "ext": ext.lower(), "is_image": ext.lower() in {"png", "jpg", "gif"}}

#: str-17 | string
#> {"code": "abc"}
#> {"code": "-42"}
def main(code):
    return {
        "padded": code.zfill(6),
        "centered": code.center(7, "*"),
        "left": code.ljust(5) + "|",
        "swap": code.swapcase(),
        "prefix": code.removeprefix("ab"),
        "suffix": code.removesuffix("c"),
    }

#: topn-13 | topn
#> {"versions": ["1.10.0", "1.9.3", "1.9", "0.12"]}
#> {"versions": ["1.x"]}
def main(versions):
    def parse(v):
        return tuple(int(x) for x in v.split("."))
    return sorted(versions, key=parse)

#: topn-03 | topn
#> {"people": [{"first": "Bo", "last": "king"}, {"first": "Ada", "last": "King"}, {"first": "Cy", "last": "Abel"}]}
#> {"people": []}
def main(people):
    people.sort(key=lambda p: (p["last"].lower(), p["first"].lower()))
    return [f"{p['last']}, {p['first']}" for p in people]

#: topn-12 | topn
#> {"files": [{"name": ".git", "size": 9}, {"name": "b.txt", "size": 3}, {"name": "a.txt", "size": 1}]}
#> {"files": []}
def main(files):
    files = [f for f in files if not f["name"].startswith(".")]
    files.sort(key=lambda f: f["size"])
    total = sum(f["size"] for f in files)
    largest = files[-1]["name"] if files else ""
    share = [round(f["size"] / total, 3) for f in files] if total else []
    return {"order": [f["name"] for f in files], "largest": largest, "share": share}

#: topn-06 | topn
#> {"results": [{"name": "b", "points": 5}, {"name": "a", "points": 5}, {"name": "c", "points": 1}, {"name": "d", "points": 9}]}
#> {"results": []}
def main(results):
    ordered = sorted(results, key=lambda r: (-r["points"], r["name"]))
    rank = 0
    previous = None
    for position, r in enumerate(ordered, start=1):
        if r["points"] != previous:
            rank = position
            previous = r["points"]
        r["rank"] = rank
    return ordered

#: topn-15 | topn
#> {"values": [3, 9, 4]}
#> {"values": [1]}
def main(values):
    indexed = sorted(range(len(values)), key=lambda i: values[i], reverse=True)
    return {"argsort": indexed, "best": indexed[0], "second": values[indexed[1]]}

#: topn-07 | topn
#> {"tasks": [{"priority": "low", "due": "2024-01-01"}, {"priority": "high", "due": "2024-03-01"}, {"priority": "high", "due": "2024-02-01"}, {"priority": "?", "due": "2023-01-01"}]}
#> {"tasks": []}
PRIORITY = {"high": 0, "medium": 1, "low": 2}


def main(tasks):
    return sorted(tasks, key=lambda t: (PRIORITY.get(t["priority"], 99), t["due"]))

#: topn-04 | topn
#> {"words": ["pear", "Fig", "apple", "kiwi"]}
#> {"words": []}
#> {"words": ["a", ""]}
def main(words):
    return {
        "by_length": sorted(words, key=len),
        "by_last": sorted(words, key=lambda w: w[-1]),
        "alpha": sorted(words, key=str.lower),
        "reversed": sorted(words, reverse=True),
    }

#: topn-14 | topn
#> {"records": [{"id": 1, "created": "b", "priority": 1}, {"id": 2, "created": "a", "priority": 1}, {"id": 3, "created": "c", "priority": 2}]}
#> {"records": []}
def main(records):
    records.sort(key=lambda r: r["created"])
    records.sort(key=lambda r: r["priority"], reverse=True)
    return [r["id"] for r in records]

#: topn-01 | topn
#> {"products": [{"name": "a", "sales": 3}, {"name": "b", "sales": 9}, {"name": "c", "sales": 9}, {"name": "d", "sales": 1}]}
#> {"products": [], "n": 1}
def main(products, n=3):
    ranked = sorted(products, key=lambda p: p["sales"], reverse=True)
    return [p["name"] for p in ranked[:n]]

#: topn-09 | topn
#> {"rows": [{"id": 2, "date": "2024-01-01"}, {"id": 1, "date": "2024-01-01"}, {"id": 3, "date": "2023-01-01"}]}
#> {"rows": []}
from operator import itemgetter


def main(rows):
    rows = sorted(rows, key=itemgetter("date", "id"))
    return [r["id"] for r in rows]

#: topn-10 | topn
#> {"nums": [5, 3, 9, 1, 7.5]}
#> {"nums": []}
def main(nums):
    nums.sort()
    largest = nums[-3:]
    smallest = nums[:3]
    return {"largest": largest[::-1], "smallest": smallest, "middle": nums[len(nums) // 2] if nums else None}

#: tree-05 | tree
#> {"tree": {"id": 1, "children": [{"id": 2}, {"id": 3, "children": [{"id": 4}]}]}, "target": 4}
#> {"tree": {"id": 1}, "target": 9}
def find_path(node, target, path):
    path = path + [node["id"]]
    if node["id"] == target:
        return path
    for child in node.get("children", []):
        found = find_path(child, target, path)
        if found:
            return found
    return None


def main(tree, target):
    return find_path(tree, target, [])

#: tree-16 | tree
#> {"node": {"children": [{}, {"children": [{}]}]}}
#> {"node": {}}
def count_nodes(node):
    count = 0

    def visit(n):
        nonlocal count
        count += 1
        for child in n.get("children", []):
            visit(child)

    visit(node)
    return count


def main(node):
    return count_nodes(node)

#: tree-01 | tree
#> {"root": {"size": 1, "children": [{"size": 2}, {"size": 3, "children": [{"size": 4}]}]}}
#> {"root": {"size": 0}}
def total(node):
    return node["size"] + sum(total(c) for c in node.get("children", []))


def main(root):
    return total(root)

#: tree-13 | tree
#> {"items": [1, 3, 5, 9], "targets": [3, 9, 4]}
#> {"items": [], "targets": [1]}
def binary_search(items, target):
    lo, hi = 0, len(items) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if items[mid] == target:
            return mid
        if items[mid] < target:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1


def main(items, targets):
    return [binary_search(items, t) for t in targets]

#: tree-12 | tree
#> {"defaults": {"a": {"x": 1, "y": 2}, "b": 1}, "user": {"a": {"y": 3}, "c": null}}
#> {"defaults": {}, "user": {}}
def merge(base, override):
    result = dict(base)
    for k, v in override.items():
        if k in result and isinstance(result[k], dict) and isinstance(v, dict):
            result[k] = merge(result[k], v)
        else:
            result[k] = v
    return result


def main(defaults, user):
    return {"merged": merge(defaults, user), "defaults": defaults}

#: tree-10 | tree
#> {"items": ["a", "b", "c"]}
#> {"items": []}
def permutations(items):
    if len(items) <= 1:
        return [items]
    result = []
    for i in range(len(items)):
        rest = items[:i] + items[i + 1:]
        for p in permutations(rest):
            result.append([items[i]] + p)
    return result


def main(items):
    return permutations(items)

#: tree-03 | tree
#> {"tree": {"name": "r", "children": [{"name": "a"}, {"name": "b", "children": [{"name": "c"}]}]}}
#> {"tree": {"name": "r"}}
def depth(node):
    if not node.get("children"):
        return 1
    return 1 + max(depth(c) for c in node["children"])


def leaves(node):
    if not node.get("children"):
        return [node["name"]]
    result = []
    for c in node["children"]:
        result += leaves(c)
    return result


def main(tree):
    return {"depth": depth(tree), "leaves": leaves(tree)}

#: tree-06 | tree
#> {"nested": [1, [2, [3, []]], 4]}
#> {"nested": []}
def flatten(xs):
    out = []
    for x in xs:
        if isinstance(x, list):
            out.extend(flatten(x))
        else:
            out.append(x)
    return out


def main(nested):
    return flatten(nested)

#: tree-11 | tree
#> {"doc": {"a": {"b": [10, {"c": 5}]}}, "paths": ["a.b.1.c", "a.b.9", "x", "a"]}
#> {"doc": {}, "paths": []}
def get_path(obj, path, default=None):
    for part in path.split("."):
        if isinstance(obj, dict) and part in obj:
            obj = obj[part]
        elif isinstance(obj, list) and part.isdigit() and int(part) < len(obj):
            obj = obj[int(part)]
        else:
            return default
    return obj


def main(doc, paths):
    return {p: get_path(doc, p, "-") for p in paths}

#: tree-15 | tree
#> {"tree": {"id": 1, "kids": [{"id": 2, "kids": [{"id": 3}]}, {"id": 4}]}}
#> {"tree": {"id": 1}}
def walk(node):
    yield node["id"]
    for child in node.get("kids", []):
        yield from walk(child)


def main(tree):
    return list(walk(tree))

#: tree-07 | tree
#> {"n": 5}
#> {"n": 18}
#> {"n": 25}
#> {"n": -1}
def fact(n):
    if n < 0:
        raise ValueError("negative")
    return 1 if n <= 1 else n * fact(n - 1)


def main(n):
    return fact(n)

#: valid-14 | validate
#> {"amount": 5}
#> {"amount": 0.5, "currency": "USD"}
#> {"amount": 5, "currency": "XXX"}
def main(amount, currency="EUR", *, minimum=1):
    allowed = ("EUR", "USD", "GBP")
    if currency not in allowed:
        raise ValueError(f"unsupported currency: {currency}")
    if amount < minimum:
        return {"accepted": False, "reason": f"minimum is {minimum} {currency}"}
    return {"accepted": True, "reason": None}

#: valid-10 | validate
#> {"grid": [[1, 2, 3], [2, 3, 1], [3, 1, 2]]}
#> {"grid": [[1, 1], [2, 1]]}
#> {"grid": []}
def main(grid):
    problems = []
    for r, row in enumerate(grid):
        if len(set(row)) != len(row):
            problems.append(f"row {r + 1}")
    for c in range(len(grid[0])):
        col = [row[c] for row in grid]
        if len(set(col)) != len(col):
            problems.append(f"col {c + 1}")
    return problems or "ok"

#: valid-02 | validate
#> {"rows": [{"id": 1, "type": "a", "amount": 5}, {"id": "", "type": "b", "amount": -2}, {"id": 3, "amount": "4"}]}
#> {"rows": []}
REQUIRED = ["id", "type", "amount"]


def validate(row, index):
    errors = []
    for field in REQUIRED:
        if field not in row or row[field] in (None, ""):
            errors.append(f"row {index}: missing {field}")
    if isinstance(row.get("amount"), str):
        errors.append(f"row {index}: amount must be a number")
    elif row.get("amount", 0) < 0:
        errors.append(f"row {index}: amount {row['amount']} is negative")
    return errors


def main(rows):
    errors = []
    for i, row in enumerate(rows):
        errors.extend(validate(row, i))
    return errors

#: valid-16 | validate
#> {"ip": "192.168.1.1"}
#> {"ip": "256.1.1.1"}
#> {"ip": "1.2.3"}
#> {"ip": "01.2.3.4"}
def main(ip):
    parts = ip.split(".")
    if len(parts) != 4:
        return False
    for p in parts:
        if not p.isdigit() or int(p) > 255 or (len(p) > 1 and p[0] == "0"):
            return False
    return True

#: valid-05 | validate
#> {"card": "4539 1488 0343 6467"}
#> {"card": "8273 1232 7352 0569"}
#> {"card": ""}
def main(card):
    digits = [int(c) for c in card if c.isdigit()]
    digits.reverse()
    total = 0
    for i, d in enumerate(digits):
        if i % 2 == 1:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return len(digits) > 0 and total % 10 == 0

#: valid-07 | validate
#> {"config": {"host": "x", "port": "80", "extra": 1}}
#> {"config": {"host": "x", "port": 80, "debug": false}}
def main(config):
    schema = {"host": str, "port": int, "debug": bool}
    errors = []
    for key, typ in schema.items():
        if key not in config:
            errors.append(f"{key}: missing")
        elif not isinstance(config[key], typ):
            errors.append(f"{key}: expected {typ.__name__}, got {type(config[key]).__name__}")
    unknown = [k for k in config if k not in schema]
    return {"errors": errors, "unknown": unknown}

#: valid-06 | validate
#> {"isbn": "978-0-306-40615-7"}
#> {"isbn": "978-0-306-40615-8"}
#> {"isbn": "123"}
def main(isbn):
    s = isbn.replace("-", "").replace(" ", "")
    if len(s) != 13 or not s.isdigit():
        raise ValueError("bad isbn")
    total = sum(int(c) * (1 if i % 2 == 0 else 3) for i, c in enumerate(s))
    return {"isbn": s, "valid": total % 10 == 0}

#: valid-12 | validate
#> {"rows": [{"sku": " a1 ", "price": "4.50"}, {"sku": "", "price": "x"}, {"sku": "b", "price": "-1"}]}
#> {"rows": [{"sku": "a"}]}
def main(rows):
    valid = []
    errors = {}
    for n, row in enumerate(rows, 1):
        row_errors = []
        try:
            price = float(row["price"])
            if price <= 0:
                row_errors.append("price <= 0")
        except ValueError:
            row_errors.append("price not numeric")
        if not row.get("sku", "").strip():
            row_errors.append("sku empty")
        if row_errors:
            errors[n] = row_errors
        else:
            valid.append({"sku": row["sku"].strip().upper(), "price": price})
    return {"valid": valid, "errors": errors}

#: valid-17 | validate
#> {"events": [{"ts": 1}, {"ts": 1}, {"ts": 3}]}
#> {"events": [{"ts": 2}, {"ts": 1}]}
#> {"events": [{"ts": 2}, {"ts": "x"}]}
def main(events):
    last = None
    for i, e in enumerate(events):
        if last is not None and e["ts"] < last:
            raise ValueError(f"event {i} is out of order")
        last = e["ts"]
    return "sorted"

#: valid-18 | validate
#> {"ids": [1, 2]}
#> {"ids": [1, "2", 3.0, true]}
#> {"ids": "x"}
def main(ids):
    assert isinstance(ids, list), "ids must be a list"
    bad = [i for i in ids if type(i) is not int]
    assert not bad, f"bad ids: {bad}"
    return sum(ids)

#: valid-19 | validate
#> {"emails": ["a@x.org", "a@@x.org", "@x.org", "a@x.", "a@x"]}
#> {"emails": []}
def is_email(s):
    if s.count("@") != 1:
        return False
    local, domain = s.split("@")
    return bool(local) and "." in domain and not domain.startswith(".") and not domain.endswith(".")


def main(emails):
    return {"valid": [e for e in emails if is_email(e)], "invalid": [e for e in emails if not is_email(e)]}

#: valid-04 | validate
#> {"password": "Abcdef1!"}
#> {"password": "abc"}
#> {"password": ""}
def main(password):
    rules = {
        "length": len(password) >= 8,
        "upper": any(c.isupper() for c in password),
        "digit": any(c.isdigit() for c in password),
        "symbol": any(not c.isalnum() for c in password),
    }
    return {"valid": all(rules.values()), "failed": [name for name, ok in rules.items() if not ok]}

#: valid-01 | validate
#> {"form": {"name": "Ada", "email": "a@x", "age": 36}}
#> {"form": {"name": "", "email": "ax", "age": 200}}
#> {"form": {"age": "x"}}
def main(form):
    errors = []
    if not form.get("name"):
        errors.append("name is required")
    if "@" not in form.get("email", ""):
        errors.append("email is invalid")
    age = form.get("age")
    if age is not None and not 0 <= age <= 130:
        errors.append("age out of range")
    return {"ok": len(errors) == 0, "errors": errors}
