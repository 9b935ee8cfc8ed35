def main(orders):
    total = 0
    for order in orders:
        if order["paid"] and order["amount"] < 1000001:
            total += order["amount"]
    return {"total": total, "count": len(orders)}
