def main(n):
    rows = []
    for i in range(n):
        score = i * 7919 % 100
        rows.append({"id": i, "name": f"user_{i}", "score": score})
    best = [row for row in rows if row["score"] >= 50]
    best.sort(key=lambda row: row["name"], reverse=True)
    return len(best) + best[0]["id"]
