def main(n):
    seen = set()
    twice = set()
    for i in range(n):
        key = i * 7919 % 5003
        if key in seen:
            twice.add(key)
        seen.add(key)
    return len(seen | twice) + len(seen & twice)
