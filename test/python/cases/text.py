#: tx-slices | slices
#> {"s": "hello world"}
#> {"s": ""}
#> {"s": "ab"}
#> {"s": "a😀é"}
def main(s):
    return [s[:3], s[-3:], s[2:-2], s[::-1], s[::2], s[5:2], s[-100:100], s[3:3], s[-1:0:-1], s[:], s[1:][:1], s[10 ** 20:], len(s)]

#: tx-methods | methods
#> {"s": "  Hello, World  "}
#> {"s": "a-b_c d"}
#> {"s": "ÀÉß ǆ ﬁ"}
#> {"s": ""}
def main(s):
    return [s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), s.casefold(), s.strip(), s.lstrip(), s.rstrip(), s.strip(" H,d"), s.isupper(), s.islower(), s.istitle(), len(s.upper())]

#: tx-split | split
def main():
    return ["a,b,,c".split(","), "a b  c ".split(), "a b  c ".split(" "), "".split(), "".split(","), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), " a b c ".split(None, 1), " a b c ".rsplit(None, 1), "a--b--c".split("--"), "abc".split("x"), "a\tb\nc".split(), "a\x1cb\x85c\u2003d".split(), "x".rsplit("x"), "1 2 3".split(maxsplit=1), "a,b".split(sep=",")]

#: tx-splitlines | split
def main():
    s = "a\nb\r\nc\rd\x0be\x0cf\x1cg\x85h\u2028i\n"
    return [s.splitlines(), s.splitlines(True), "".splitlines(), "\n".splitlines(), "a\n\nb".splitlines(), s.split("\n"), "x".splitlines(keepends=True)]

#: tx-partition | split
def main():
    return [list("k=v=w".partition("=")), list("k=v=w".rpartition("=")), list("kv".partition("=")), list("kv".rpartition("=")), "a.b.c".rpartition(".")[0], list("".partition("x"))]

#: tx-find | search
def main():
    s = "banana"
    out = [s.find("an"), s.find("an", 2), s.find("x"), s.rfind("an"), s.rfind("an", 0, 4), s.index("n"), s.rindex("n"), s.count("a"), s.count("ana"), s.count(""), s.find(""), s.find("", 10), s.find("a", -2), s.startswith(("x", "ba")), s.endswith("na"), s.startswith("an", 1), s.endswith(("x", "y")), "nan" in s, "" in s, s.find("a", 1, 3)]
    for f in (lambda: s.index("z"), lambda: s.rindex("z"), lambda: 1 in s):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: tx-replace | replace
def main():
    return ["aaa".replace("a", "b", 2), "aaa".replace("aa", "b"), "abc".replace("", "-"), "abc".replace("x", "y"), "a.b".replace(".", ""), "".replace("", "x"), "abc".replace("b", "", 0), "ab".replace("", "-", 2), "$1".replace("$1", "$&"), "aXa".replace("X", "\\")]

#: tx-pad | pad
def main():
    return ["x".center(4, "-"), "x".center(5, "-"), "xy".center(5, "-"), "abc".center(2), "5".zfill(3), "-5".zfill(4), "+5".zfill(4), "--5".zfill(5), "abc".zfill(2), "a".ljust(3) + "|", "a".rjust(3, "*"), "a\tb".expandtabs(), "ab\tc".expandtabs(4), "".center(3, "*"), "é".rjust(3, ".")]

#: tx-join | join
def main():
    out = [", ".join(["a", "b"]), "".join([]), "-".join("abc"), "x".join({"k": 1, "j": 2}), "+".join(str(i) for i in range(3)), " ".join(map(str, [1, 2.0, None])), ",".join(("a",)), "\n".join(["a", "", "b"])]
    for f in (lambda: ",".join([1, 2]), lambda: ",".join(["a", None]), lambda: ",".join(5)):
        try:
            out.append(f())
        except TypeError:
            out.append("TypeError")
    return out

#: tx-tests | tests
#> {"xs": ["abc", "ABC", "a1", "12", "½", "²", "٣", "", " ", "\t\n", "a b", "Ab", "_x", "é", "ß", "Ⅷ", "漢", "1.5", "-1", "A1", "\u00a0", "\ufeff", "\u001f"]}
def main(xs):
    return [[x.isalpha(), x.isdigit(), x.isdecimal(), x.isnumeric(), x.isalnum(), x.isspace(), x.isupper(), x.islower(), x.istitle(), x.isidentifier(), x.isascii(), x.isprintable()] for x in xs]

#: tx-strip-chars | strip
def main():
    return ["xxabcxx".strip("x"), "abcba".strip("ab"), "www.example.com".lstrip("w."), "example.com".rstrip("moc."), "test.txt".removesuffix(".txt"), "test".removesuffix(".txt"), "pre-x".removeprefix("pre-"), "\u00a0 x\u3000".strip(), "\ufeffx".strip(), "x\x1c\x1f".strip(), "".strip("a"), "  ".strip(), "--a-b--".strip("-")]

#: tx-repr | repr
def main():
    return [repr("a"), repr("it's"), repr('say "hi"'), repr("both ' and \""), repr("tab\tnl\n\r\\"), repr("\x00\x1f\x7f\x80\xa0é\u200b😀"), repr(""), str(["a", 'b"', 1.0, None, True, ("x",), {"k": [1]}]), repr({1: "a", (1, 2): None}), repr((1,)), repr(()), repr(set()), repr({1}), str(range(3)), repr("\ue000\ufeff")]

#: tx-fstring | f-strings
#> {"name": "Ada", "n": 3, "x": 2.5, "d": {"k": "v", "xs": [1, 2]}}
def main(name, n, x, d):
    w = 8
    return [f"{name}", f"{name!r}", f"{name:>{w}}|", f"{name:*^10}", f"{d['k']}", f"{d['xs'][0] + 1}", f"{n + 1:03d}", f"{x:.{n}f}", f"{{{n}}}", f"{n=}", f"{name = }", f"{x = :.2f}", f"{'a' if n else 'b'}", f"{name.upper():<6}|", f"a{''}b", f"{[i * 2 for i in d['xs']]}", f"{n!s:>4}", f"{None} {True} {()}", f'{", ".join(str(i) for i in d["xs"])}', f"{x:>{w}.{1}f}", f"""{
        n}""", f"{lambda_ if (lambda_ := 5) else 0}", rf"\d{n}", f"{n:d}{x:g}" "tail"]

#: tx-format-method | format
def main():
    out = ["{} {}".format("a", 1), "{1} {0}".format("a", "b"), "{n:>5}|".format(n=3), "{0[k]} {0[xs][1]}".format({"k": 1, "xs": [5, 6]}), "{:.2f}".format(3.14159), "{{}}".format(), "{!r}".format("x"), "{:>{w}}".format("a", w=4), "{a}{b}".format(**{"a": 1, "b": 2}), "{:,}".format(10 ** 6), "{:%Y}".format(__import__("datetime").date(2024, 1, 2)) if False else "", "{:^7}|{:<3}|".format("x", "y"), "{0}{0}".format("r"), "{:05.1f}".format(2.345), "%s" % "p"]
    return out

#: tx-escapes | literals
def main():
    return ["\x41\u00e9\U0001F600", "\101\7", r"\n\t", "a\
b", 'it''s', "a" 'b' """c""", "\'\"\\", "\a\b\f\v".__len__(), """line1
line2""", "\N{EURO SIGN}" if False else "€", len("\0"), b"x" == b"x", "a\tb".split("\t")]

#: tx-compare | compare
def main():
    xs = ["b", "B", "a", "é", "z", "10", "9", "", " ", "😀", "\uffff", "aa"]
    return [sorted(xs), min(xs), max(xs), "a" < "b", "a" < "B", "abc" < "abd", "ab" < "abc", "Z" < "a", "10" < "9", "\uffff" < "😀", "" < "a"]

#: tx-index | index
#> {"s": "héllo"}
def main(s):
    out = [s[0], s[-1], s[1], "😀x"[0], "😀x"[1], len("😀x"), s.index("l"), list("a😀"), [c for c in "ß"], "a😀b".find("b"), ord("😀"), "😀" * 2]
    for i in (10, -10):
        try:
            s[i]
        except IndexError:
            out.append(i)
    return out

#: tx-multiply | operators
def main():
    out = ["ab" * 3, 2 * "x", "a" * 0, "a" * -1, "a" + "b", "a" * True, "-" * 3 + ">"]
    for f in (lambda: "a" + 1, lambda: "a" * 1.0, lambda: "a" * "b", lambda: "a" - "b", lambda: 1 + "1"):
        try:
            out.append(f())
        except TypeError:
            out.append("TypeError")
    return out

#: tx-translate | methods
def main():
    t = str.maketrans("abc", "xyz", "d")
    return ["aabbccdd".translate(t), "hello".translate(str.maketrans({"l": "L", "o": None, "h": "<h>"})), "abc".translate({97: "A", 98: None}), "é".encode("utf-8").hex(), "a b".title(), "they're bill's".title(), "3rd x".capitalize(), "ǆ".title(), "ß".upper(), "İ".lower(), "ΑΣ".lower()]

#: tx-slug | jobs
#> {"title": "  Hello, Wörld! -- It's 100% new  "}
#> {"title": "___"}
def main(title):
    out = []
    for ch in title.lower():
        if ch.isalnum():
            out.append(ch)
        elif out and out[-1] != "-":
            out.append("-")
    return "".join(out).strip("-")

#: tx-template | jobs
#> {"t": "Hi {name}, you owe {amount:.2f} {cur}", "v": {"name": "Bo", "amount": 3, "cur": "EUR"}}
#> {"t": "{missing}", "v": {}}
def main(t, v):
    return t.format(**v)

#: tx-table | jobs
#> {"rows": [{"name": "alpha", "qty": 3, "price": 9.5}, {"name": "b", "qty": 120, "price": 1000}]}
def main(rows):
    width = max(len(r["name"]) for r in rows)
    lines = [f"{'name':<{width}} | {'qty':>4} | {'price':>9}", "-" * (width + 20)]
    for r in rows:
        lines.append(f"{r['name']:<{width}} | {r['qty']:>4d} | {r['price']:>9,.2f}")
    lines.append(f"{'total':<{width}} | {sum(r['qty'] for r in rows):>4} | {sum(r['qty'] * r['price'] for r in rows):>9,.2f}")
    return "\n".join(lines)

#: tx-words | jobs
#> {"text": "The quick brown fox. The lazy dog! the end?"}
def main(text):
    words = [w.strip(".,!?").lower() for w in text.split()]
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    top = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:3]
    return {"top": top, "longest": max(words, key=len), "unique": len(counts), "initials": "".join(w[0] for w in words).upper(), "avg": round(sum(map(len, words)) / len(words), 2)}

#: tx-caesar | jobs
#> {"s": "Hello, Zed!", "k": 3}
#> {"s": "Khoor, Chg!", "k": -3}
def main(s, k):
    def shift(c):
        if c.isupper():
            return chr((ord(c) - ord("A") + k) % 26 + ord("A"))
        if c.islower():
            return chr((ord(c) - 97 + k) % 26 + 97)
        return c
    return "".join(shift(c) for c in s)

#: tx-rle | jobs
#> {"s": "aaabccd"}
#> {"s": ""}
def main(s):
    out = []
    i = 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        out.append(f"{s[i]}{j - i}" if j - i > 1 else s[i])
        i = j
    return "".join(out)

#: tx-csv | jobs
#> {"text": "id,name,price\n1,Bolt,0.5\n2, Nut ,\n\n3,\"Big, red\",2\n"}
def main(text):
    lines = text.strip().splitlines()
    head = lines[0].split(",")
    rows = []
    for n, line in enumerate(lines[1:], 2):
        if not line:
            continue
        cells = [c.strip() for c in line.split(",")]
        if len(cells) != len(head):
            rows.append({"error": f"line {n}: {len(cells)} cells"})
            continue
        row = dict(zip(head, cells))
        row["price"] = float(row["price"]) if row["price"] else None
        rows.append(row)
    return rows

#: tx-wrap | library
import textwrap
def main():
    s = "The quick brown fox jumps over the lazy dog and runs away"
    return [textwrap.wrap(s, 20), textwrap.fill(s, 30), textwrap.shorten(s, 25), textwrap.dedent("    a\n      b\n    c\n"), textwrap.indent("a\n\nb", "> "), textwrap.shorten(s, 20, placeholder="...")]

#: tx-mask | jobs
#> {"card": "4111-1111-1111-1234", "mail": "jane.doe@example.com"}
def main(card, mail):
    digits = card.replace("-", "")
    user, _, domain = mail.partition("@")
    return ["*" * (len(digits) - 4) + digits[-4:], user[0] + "*" * (len(user) - 2) + user[-1] + "@" + domain, " ".join(digits[i:i + 4] for i in range(0, len(digits), 4))]
