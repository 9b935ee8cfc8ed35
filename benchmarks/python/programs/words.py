def main(n):
    words = [f"word{i * 7919 % 1000}" for i in range(n)]
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return len(counts) + max(counts.values())
