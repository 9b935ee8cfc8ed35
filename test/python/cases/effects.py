#: http-01-order-totals | http
#> {"customer": "ada"}
#> {"customer": "bob"}
def main(customer: str):
    r = http.Get("https://api.example.com/orders", query={"customer": customer, "state": "paid"}, timeout_s=10)
    totals = {}
    for order in r.body["items"]:
        month = order["date"][:7]
        totals[month] = round(totals.get(month, 0) + order["total"], 2)
    return {"customer": customer, "months": totals, "orders": len(r.body["items"])}

#: http-02-cursor-paging | http paging
#> {"team": "core"}
#> {"team": "ops"}
BASE = "https://api.example.com/v2/users"

def fetch_all(team):
    users = []
    cursor = None
    while True:
        query = {"team": team, "limit": 2}
        if cursor is not None:
            query["cursor"] = cursor
        page = http.Get(BASE, query=query)
        users.extend(page.body["data"])
        cursor = page.body.get("next_cursor")
        if not cursor:
            return users

def main(team: str):
    users = fetch_all(team)
    active = [u["name"] for u in users if u["active"]]
    return {"count": len(users), "active": sorted(active)}

#: http-04-create-ticket | http
#> {"title": " Disk full ", "severity": 4}
#> {"title": "Slow", "severity": 1, "reporter": "ann"}
def main(title: str, severity: int, reporter=None):
    """Opens a ticket for an incident."""
    labels = ["incident"]
    if severity >= 3:
        labels.append("urgent")
    body = {"title": title.strip(), "labels": labels, "meta": {"severity": severity, "reporter": reporter or "unknown"}}
    r = http.Post("https://tickets.example.com/api/tickets", body, headers={"X-Source": "weft"}, timeout_s=15)
    return {"id": r.body["id"], "url": f"https://tickets.example.com/t/{r.body['id']:05d}"}

#: http-05-accept-404 | http
#> {"sku": "A1"}
#> {"sku": "B2"}
def main(sku: str):
    r = http.Get(f"https://shop.example.com/stock/{sku}", accept_status=[404])
    if r.status == 404:
        return {"sku": sku, "known": False, "available": 0}
    qty = sum(w["qty"] for w in r.body["warehouses"])
    return {"sku": sku, "known": True, "available": qty}

#: http-06-status-in-except | http errors
#> {"user_ids": [1, 2, 3]}
#> {"user_ids": [1, 2]}
def load_profile(user_id):
    try:
        return http.Get(f"https://api.example.com/profiles/{user_id}").body
    except AdapterError as e:
        if e.status == 404:
            return None
        raise

def main(user_ids: list):
    found, missing = [], []
    for uid in user_ids:
        profile = load_profile(uid)
        if profile is None:
            missing.append(uid)
        else:
            found.append(profile["name"].title())
    return {"found": found, "missing": missing}

#: http-07-retry-block | http retry
#> {"currency": "USD", "amount": 20.0}
#> {"currency": "USD", "amount": 1}
#> {"currency": "XXX", "amount": 1}
def main(currency: str, amount: float):
    with retry(3, backoff_ms=10, strategy="exponential"):
        r = http.Get("https://rates.example.com/latest", query={"base": currency}, timeout_s=3)
    rate = r.body["rates"]["EUR"]
    return {"eur": round(amount * rate, 2), "rate": rate}

#: http-09-idempotent-payments | http idempotency
#> {"run_id": "r7", "payouts": [{"to": "ann", "amount": 12.34}, {"to": "bob", "amount": 0}, {"to": "cy", "amount": 5.1}]}
def main(run_id: str, payouts: list[dict]):
    done, failed = [], []
    for p in payouts:
        if p["amount"] <= 0:
            failed.append({"to": p["to"], "reason": "amount"})
            continue
        try:
            with retry(2, backoff_ms=5):
                r = http.Post("https://bank.example.com/transfers", {"to": p["to"], "cents": int(round(p["amount"] * 100))},
                              idempotency_key=f"{run_id}:{p['to']}")
            done.append({"to": p["to"], "ref": r.body["ref"]})
        except AdapterError as e:
            failed.append({"to": p["to"], "reason": e.code, "status": e.status})
    return {"done": done, "failed": failed, "paid": sum(p["amount"] for p in payouts if any(d["to"] == p["to"] for d in done))}

#: http-12-secret-and-except-kinds | http errors
#> {"urls": ["https://a.example", "https://b.example", "https://c.example", "https://d.example"]}
def probe(url):
    try:
        r = http.Head(url, auth={"secret": "monitor", "scheme": "bearer"}, timeout_s=2)
        return "up" if r.status < 300 else "odd"
    except TimeoutError:
        return "slow"
    except ConnectionError:
        return "unreachable"
    except AdapterError as err:
        return f"error {err.status}"

def main(urls):
    states = {u.split("//")[1]: probe(u) for u in urls}
    worst = [u for u, s in states.items() if s != "up"]
    return {"states": states, "alert": len(worst) > len(urls) / 2}

#: http-16-missing-member-raises | http raises
#> {"order_id": 7}
#> {"order_id": 8}
def main(order_id: int):
    order = http.Get(f"https://api.example.com/orders/{order_id}").body
    http.Post("https://audit.example.com/seen", {"order": order_id})
    return {"total": order["total"], "vat": round(order["total"] * 0.2, 2)}

#: sql-01-report | sqlite
#> {"year": 2026}
#> {"year": 1999}
def main(year: int):
    rows = sqlite.query("SELECT region, month, total FROM sales WHERE year = ? ORDER BY region, month", [year])
    report = {}
    for row in rows:
        report.setdefault(row["region"], []).append((row["month"], row["total"]))
    return {region: {"best": max(items, key=lambda it: it[1])[0], "sum": sum(t for _, t in items)} for region, items in report.items()}

#: fs-01-csv-to-json | fs
#> {"source": "in.csv", "target": "out.json"}
import json

def main(source: str, target: str):
    lines = fs.readlines(source)
    header = [h.strip() for h in lines[0].split(",")]
    rows = []
    for line in lines[1:]:
        if not line.strip():
            continue
        rows.append(dict(zip(header, [c.strip() for c in line.split(",")])))
    w = fs.write(target, json.dumps(rows, indent=2))
    return {"rows": len(rows), "columns": header, "ok": w.ok}

#: fs-04-claim-once | fs errors
#> {"day": "2026-11-28"}
#> {"day": "d"}
def main(day: str):
    lock = f"locks/{day}.lock"
    try:
        fs.write(lock, "taken", mode="create")
    except AdapterError as e:
        if e.code == "ADAPTER_CONFLICT":
            return {"ran": False, "reason": "already done"}
        raise
    entries = fs.list("inbox", details=True)
    big = [x["name"] for x in entries if x["type"] == "file" and x["size"] > 1000]
    for name in big:
        fs.move(f"inbox/{name}", f"archive/{day}/{name}", overwrite=True)
    return {"ran": True, "moved": big}

#: mem-01-cache-aside | cache
#> {"amounts": {"USD": 10, "CHF": 5}}
def rate_for(currency):
    cached = cache.get("rates", currency)
    if cached is not None:
        return cached, True
    r = http.Get("https://rates.example.com/latest", query={"symbols": currency})
    value = r.body["rates"][currency]
    cache.set("rates", currency, value, 3600)
    return value, False

def main(amounts: dict[str, float]):
    total, hits = 0.0, 0
    for currency, amount in amounts.items():
        rate, hit = rate_for(currency)
        total += amount / rate
        hits += hit
    return {"total": round(total, 2), "hits": hits}

#: mem-03-resume-state | memory
#> {"job": "j1", "items": ["a", "b"]}
#> {"job": "j1", "items": ["a", "b", "c"]}
def main(job: str, items: list):
    saved = memory.get("workflow", "import.state", job)
    start = saved.record.payload["next"] if saved.found else 0
    for i in range(start, len(items)):
        queue.Put("imports", {"job": job, "item": items[i]})
        memory.put("workflow", "import.state", job, {"next": i + 1}, ttl_seconds=86400)
    return {"resumed": saved.found, "sent": len(items) - start}

#: queue-01-take-ack | queue
#> {}
def handle(job):
    if job["payload"]["kind"] != "resize":
        raise ValueError(f"unknown kind {job['payload']['kind']}")
    return job["payload"]["w"] * job["payload"]["h"]

def main(limit: int = 2):
    pixels, bad = 0, []
    for job in queue.take("jobs", max=limit, lease_s=60):
        try:
            pixels += handle(job)
            queue.ack("jobs", job.message_id, job.lease)
        except ValueError as e:
            queue.nack("jobs", job.message_id, job.lease, delay_s=30 * job.attempts)
            bad.append(str(e))
    return {"pixels": pixels, "bad": bad, "ready": queue.len("jobs").ready}

#: llm-02-triage-mail | llm email
#> {}
CATEGORIES = ["invoice", "support", "spam"]

def main(limit: int = 3):
    counts = {c: 0 for c in CATEGORIES}
    for mail in email.read("INBOX", limit, unread_only=True):
        kind = llm.classify(f"{mail.subject}\n\n{mail.body}", CATEGORIES)
        counts[kind] += 1
        if kind == "spam":
            email.move(mail.id, "Junk")
        elif kind == "support":
            draft = llm.chat([{"role": "user", "content": mail["body"]}], system="Answer kindly.", max_tokens=200)
            email.reply(mail.id, draft.text.strip(), idempotency_key=f"reply-{mail.id}")
        else:
            queue.Put("invoices", {"from": mail["from"], "subject": mail.subject})
    return counts

#: wait-01-refund | approval
#> {"order_id": 7, "amount": 120.5}
#> {"order_id": 8, "amount": 60}
#> {"order_id": 9, "amount": 10}
def main(order_id: int, amount: float):
    if amount <= 50:
        r = http.Post("https://pay.example.com/refunds", {"order": order_id, "amount": amount}, idempotency_key=f"refund-{order_id}")
        return {"status": "refunded", "id": r.body["id"], "by": "auto"}
    answer = approval.ask(f"Refund {amount:.2f} for order {order_id}?", details={"order": order_id, "amount": amount}, to=["group:support-leads"], timeout="3d", form={"amount": "number"})
    if answer.decision == "expired":
        return {"status": "expired"}
    if not answer.approved:
        return {"status": "rejected", "why": answer.comment or "no reason"}
    final = (answer.data or {}).get("amount", amount)
    r = http.Post("https://pay.example.com/refunds", {"order": order_id, "amount": final}, idempotency_key=f"refund-{order_id}")
    return {"status": "refunded", "id": r.body["id"], "by": answer.by}

#: par-01-parallel-fetch | parallel
#> {"cities": ["Lund", "Graz", "Rome"]}
def fetch(city):
    r = http.Get("https://weather.example.com/now", query={"city": city})
    return {"city": city, "temp": r.body["temp"]}

def main(cities: list[str]):
    readings = parallel(fetch, cities, limit=4)
    warmest = max(readings, key=lambda x: x["temp"])
    return {"warmest": warmest["city"], "mean": round(sum(r["temp"] for r in readings) / len(readings), 1), "order": [r["city"] for r in readings]}

#: bad-01-approval-truth | always true | refused 2
#> {"order": 7, "amount": 5}
def main(order: int, amount: float):
    if approval.ask(f"Refund {amount} for order {order}?", to="group:leads"):
        http.Post("https://pay.example.com/refunds", {"order": order, "amount": amount})
        return "refunded"
    return "rejected"

#: bad-02-memory-is-none | always true | refused 3
#> {"user": "u"}
def main(user: str):
    seen = memory.get("long_term", "visitor", user)
    if seen is None:
        memory.put("long_term", "visitor", user, {"visits": 1})
        return 1
    return seen.record.payload["visits"] + 1

#: http-json-method | http
#> {"city": "Graz"}
def main(city: str):
    r = http.Get("https://weather.example.com/now", query={"city": city})
    data = r.json()
    return {"city": city, "temp": data["temp"]}

#: bad-09-status-without-accept | status | refused 3
#> {"sku": "A"}
def main(sku: str):
    r = http.Get(f"https://shop.example.com/stock/{sku}")
    if r.status == 404:
        return {"sku": sku, "known": False}
    return {"sku": sku, "known": True, "qty": r.body["qty"]}

#: bad-10-unknown-verb | unknown verb | refused 2 AttributeError
#> {"table": "t"}
def main(table: str):
    rows = sqlite.fetchall(f"SELECT * FROM {table}")
    return len(rows)

#: bad-15-enum-decision | enum | refused 3
#> {"text": "t"}
def main(text: str):
    answer = approval.ask("Publish?", details={"text": text})
    if answer.decision == "approved":
        return http.Post("https://cms.example.com/posts", {"text": text}).body["id"]
    return None

#: rows-01-by-name | sqlite
#> {"kind": "open"}
def main(kind: str):
    rows = sqlite.query("SELECT id, title, spent FROM tasks WHERE kind = ?", [kind])
    by_id = {row["id"]: row["title"] for row in rows}
    first, *others = rows
    values = [tuple(row.values()) for row in rows]
    spent = sum(spent for _, _, spent in values)
    longest = max(rows, key=lambda row: row["spent"])
    return [by_id, dict(first), len(others), spent, longest.title, any(row["title"] == "b" for row in rows)]

#: bad-21-rows-unpacked | rows | refused 3
def main():
    out = {}
    for key, count in sqlite.query("SELECT key, count FROM counts"):
        out[key] = count
    return out

#: bad-22-rows-as-pairs | rows | refused 2
def main():
    return dict(sqlite.query("SELECT key, count FROM counts"))

#: bad-23-row-by-place | rows | refused 2
def main():
    return sqlite.query("SELECT count(*) FROM counts")[0][0]

#: bad-24-text-among-rows | rows | refused 2
def main():
    return "a" in sqlite.query("SELECT key FROM counts")

#: bad-25-branches-called | parallel | refused 4
def size(url):
    return http.Get(url).body["size"]
def main(urls=("a",)):
    return parallel([size(url) for url in urls])

#: verb-01-as-function | http
#> {"urls": ["a", "b"]}
from concurrent.futures import ThreadPoolExecutor
from weft import cache, http, parallel
def main(urls):
    pages = parallel(http.get, urls, limit=2)
    with ThreadPoolExecutor(max_workers=2) as pool:
        again = list(pool.map(http.get, urls))
    first = next(map(http.Get, urls))
    list(map(cache.set, urls, [page.body for page in pages]))
    tried = parallel(http.get, ["down"], settle=True)
    return [[page.body for page in pages], [page.status for page in again], first.body, tried[0]["error"]["code"]]

#: bad-26-verb-stored | http | refused 2
def main():
    fetch = http.get
    return fetch("a")

#: bad-27-verb-as-key | cache | refused 2
def main():
    return sorted(["b", "a"], key=cache.get)

#: bad-28-truth-of-what-a-verb-gives | approval | refused 3
def main():
    answers = parallel(approval.ask, ["Send it?"])
    if answers[0]:
        return "sent"
    return "kept"

#: bad-29-verb-of-the-wrong-size | cache | refused 2
def main():
    return list(map(cache.set, ["a"]))
