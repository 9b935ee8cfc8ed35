def main(n):
    items = []
    for i in range(n):
        items.append(i)
    return len(items)
