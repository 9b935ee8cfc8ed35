def main(orders):
    total = 0
    for order in orders:
        if order["paid"]:
            total += order["amount"]
    return {"total": total, "count": len(orders)}
