def main():
    n = 25
    acc = 0

    def descend():
        nonlocal n, acc
        if n < 2:
            acc = acc + n
            return
        n = n - 1
        descend()
        n = n - 1
        descend()
        n = n + 2

    descend()
    return acc
