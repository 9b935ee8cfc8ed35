def main(ids):
    rows = []
    for i in ids:
        name = "user_" + str(i)
        t = i * 7919
        q = t // 100
        q = q * 100
        score = t - q
        r = {"id": i}
        r["name"] = name
        r["score"] = score
        first = r["id"]
        rows.append(r)
    f = [row for row in rows if row["score"] >= 50]
    g = sorted(f, key=lambda row: row["name"], reverse=True)
    return len(g)
