def tier_of(low):
    if low:
        return "low"
    return "high"


def other(e, a):
    if e:
        return a + 1
    return a + 2


def sum_of(a, b, d):
    w = a + b
    w = w + d
    return w


def main(x):
    a = x + 5
    b = a * 3
    d = b - x
    tier = tier_of(d < 100)
    name = "bob"
    k = "user_" + name
    o = {"id": x}
    o["name"] = k
    o["tier"] = tier
    g = o["name"]
    e = g == "user_bob"
    ok = other(e, a)
    items = []
    items.append(a)
    items.append(b)
    items.append(d)
    z = len(items) + d
    z = z * 2
    total = sum_of(a, b, d)
    h = o["tier"]
    o["y"] = h + "-done"
    o["sum"] = total
    return o
