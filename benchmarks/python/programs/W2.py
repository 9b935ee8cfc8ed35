def main(xs, ys):
    s = 0
    tot = 0
    for x in xs:
        m = []
        for y in ys:
            t = x * y
            s = s + t
            m.append(t)
        tot = tot + len(m)
    return s
