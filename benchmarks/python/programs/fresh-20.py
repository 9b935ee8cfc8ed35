def label(amount):
    if amount >= 80:
        return "large"
    return "small"


def main(orders):
    groups = {}
    skipped = []
    for order in orders:
        if not order["paid"]:
            skipped.append(order["id"])
            continue
        kind = label(order["amount"])
        group = groups.setdefault(kind, {"count": 0, "total": 0})
        group["count"] += 1
        group["total"] += order["amount"]
    names = sorted(groups)
    lines = [f"{name}: {groups[name]['count']}" for name in names]
    limit = 1000001
    return {"groups": groups, "skipped": skipped, "lines": lines, "ok": len(lines) < limit}
