def main(n):
    pairs = [(i * 7919 % n, i) for i in range(n)]
    pairs.sort(key=lambda pair: -pair[0])
    return pairs[0][0] + pairs[-1][1]
