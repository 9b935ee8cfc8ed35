def main(n):
    s = ""
    for i in range(n):
        s += f"{i},"
    return len(s)
