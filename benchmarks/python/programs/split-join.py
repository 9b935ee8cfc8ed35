def main(n):
    text = "\n".join([f"line {i} of the text" for i in range(n)])
    lines = []
    for line in text.split("\n"):
        parts = line.upper().split(" ")
        lines.append("-".join(parts))
    return len("\n".join(lines))
