#: br-values-in-order | parallel
#> {"xs": ["a", "b", "c"]}
#> {"xs": []}
def main(xs):
    return parallel(lambda x: http.Get(x).body, xs, limit=2)

#: br-functions | parallel
#> {}
def one():
    return http.Get("a").body
def main():
    def two():
        return http.Get("b").body
    return parallel([one, two])

#: br-settle | parallel settle
#> {}
def ask(x):
    if x == "v":
        raise ValueError("no")
    return http.Get(x).body
def main():
    return parallel(ask, ("a", "b", "v"), settle=True)

#: br-first-failure-by-order | parallel raises
#> {}
def ask(x):
    return http.Get(x).body if x != "b" else {}["missing"]
def main():
    try:
        return parallel(ask, ["a", "b", "c"])
    except KeyError as e:
        return ["first", str(e)]

#: br-items-of-all-kinds | parallel
#> {}
def main():
    double = lambda x: x * 2
    return [parallel(double, range(3)), parallel(double, {"a": 1}), parallel(double, (x + 1 for x in [1, 2])), parallel(double, (1.5,))]

#: br-shares-what-it-reads | parallel
#> {}
LIMIT = {"most": 3}
def main():
    known = [1, 2, 3]
    rows = [{"n": 1}, {"n": 5}]
    def check(row):
        own = []
        own.append(row["n"] in known)
        return [own, row["n"] < LIMIT["most"], row]
    got = parallel(check, rows)
    got[0][2]["seen"] = True
    return [got, rows]

#: br-nested | parallel
#> {}
def inner(x):
    return parallel(lambda y: x * 10 + y, [1, 2])
def main():
    return parallel(inner, [1, 2, 3])

#: br-in-a-retry | parallel retry
#> {}
def main():
    with retry(1):
        return parallel(lambda x: http.Get(x).body, ["a", "b"])

#: br-wrong-arguments | parallel
#> {"items": 5, "limit": 2}
#> {"items": [1], "limit": 2}
def main(items, limit):
    try:
        return parallel(lambda: 1, items, limit)
    except TypeError as e:
        return "TypeError"

#: br-missing | parallel | refused 2 TypeError
#> {}
def main():
    return parallel()

#: br-value | parallel | refused 2
#> {}
def main():
    many = parallel
    return 1
