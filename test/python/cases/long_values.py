#: long-case | long texts
def main():
    import hashlib
    h = lambda t: hashlib.sha256(t.encode()).hexdigest()[:12]
    out = []
    for unit in ["aB c", "ΑΣ ", "ΣΑΣ", "é😀ß", "ǆ x'Y ", "ab"]:
        s = ("x" + unit * 50000)[:140000]
        out.append([h(f(s)) for f in (str.upper, str.lower, str.title, str.capitalize, str.casefold, str.swapcase)])
    return out

#: long-kinds | long texts
def main():
    out = []
    for unit, end in [("ab", ""), ("ab", "1"), ("ab", " "), ("AB", ""), ("12", "½"), (" \t", ""), ("Ab ", ""), ("é😀", ""), ("x_", ""), ("x_", "-"), ("ab", "\n"), ("12", "")]:
        s = unit * 60000 + end
        out.append([f(s) for f in (str.isalpha, str.isalnum, str.isdigit, str.isnumeric, str.isdecimal, str.isspace, str.isupper, str.islower, str.istitle, str.isidentifier, str.isprintable, str.isascii)])
    return out

#: long-replace | long texts
def main():
    import hashlib
    h = lambda t: hashlib.sha256(t.encode()).hexdigest()[:12]
    s = "abcaab" * 30000
    u = "é😀" * 50000
    return [[h(s.replace(*a)), len(s.replace(*a))] for a in [("a", "xyz"), ("ab", ""), ("aa", "a"), ("b", "c", 5), ("b", "c", 40000), ("", "-"), ("", "-", 3), ("", "-", 100000), ("zz", "y"), ("a", "a"), ("abcaab", "q")]] + [h(u.replace("😀", "")), h(u.replace("", ".")), h(u.replace("", ".", 99999))]

#: long-split | long texts
def main():
    import hashlib
    h = lambda t: hashlib.sha256(repr(t).encode()).hexdigest()[:12]
    s = "ab  c\td\n" * 20000
    t = "a,b,,aa" * 20000
    return [h(x[:500] + x[-500:]) + str(len(x)) for x in [s.split(), s.rsplit(), s.split(None, 30000), s.rsplit(None, 30000), s.split(" "), s.rsplit(" "), t.split(","), t.rsplit(","), t.split("aa"), ("a" * 100001).rsplit("aa"), ("a" * 100001).split("aa"), t.rsplit(",", 30000), s.splitlines(), s.splitlines(True), ("a\r\nb\r" * 30000).splitlines(), (" " * 100000).split(), ("x" * 100000).split(), ("é😀 " * 40000).split()]]

#: long-edges | long texts
def main():
    import hashlib
    h = lambda t: hashlib.sha256(t.encode()).hexdigest()[:12]
    s = "a\tbc\r\n\té😀" * 20000
    return [h(s.expandtabs()), h(s.expandtabs(3)), h(s.expandtabs(0)), h(s.translate({97: "xx", 9: None, 128512: 66})), h(s[::-1]), h(s[5:90000:7]), h(s[::2]), h(("ab" * 70000)[::-1]), h(("ab" * 70000)[3::5]), s.strip("a\n"), len((" " * 90000 + "x" + "é" * 80000).strip(" é")), len(("😀" * 70000 + "x").lstrip("😀")), s.count("é"), s.find("zz"), ("ab" * 70000 + "c").index("c")][:9] + [len(s)]

#: long-patterns | long texts
def main():
    import re
    s = "ab" * 60000
    w = "one two-three  4\n" * 8000
    return [len(re.findall("a", s)), re.search("c", s), re.search("[xyz]", s), re.search("c", s + "c").start(), re.fullmatch("[ab]*", s).end(), re.fullmatch("(a|b)*c", s), re.match("(ab)*", s).span(), len(re.findall(r"\w+", w)), len(re.split(r"\s+", w)), re.sub(r"\s+", " ", w)[-20:], [m.start() for m in re.finditer("three", w)][-3:], len(list(re.finditer("(a|b)+c", s + "c"))), len([1 for m in re.finditer("b", s)]), re.compile("x$").search(s + "x").span(), re.sub("b", lambda m: "", s).count("b")]

#: long-lists | long lists
def main():
    import heapq, json, math, statistics
    from collections import Counter
    xs = [(i * 7919) % 60013 for i in range(60000)]
    ys = [x / 8 for x in xs]
    return [statistics.mean(xs), statistics.fmean(ys), statistics.stdev(xs[:30000]), statistics.mode(xs + [5]), statistics.multimode(xs + [5, 6]), statistics.harmonic_mean([x + 1 for x in xs]), round(statistics.geometric_mean([x + 1 for x in xs]), 6), statistics.median(ys), heapq.nlargest(3, xs), heapq.nsmallest(3, xs, key=lambda x: -x), math.gcd(*[x * 6 for x in xs]), math.fsum(ys), len(json.dumps(xs)), len(json.dumps([[x] for x in xs], indent=1)), json.dumps({str(x): x for x in xs})[:30], len(list(zip(*[[x, x] for x in xs]))[0]), Counter(xs).most_common(1), sorted(xs, reverse=True)[:2], sorted(ys)[:2], sorted(map(str, xs))[-2:]]
