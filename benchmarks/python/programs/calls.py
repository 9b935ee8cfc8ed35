def main(n):
    total = 0
    for i in range(n):
        total += noop.now(i)
    return total
