#: so-stable | stable
#> {"rows": [["b", 2], ["a", 1], ["c", 2], ["d", 1]]}
def main(rows):
    return [sorted(rows, key=lambda r: r[1]), sorted(rows, key=lambda r: r[1], reverse=True), sorted(rows, key=lambda r: (-r[1], r[0])), sorted(rows), sorted(sorted(rows, key=lambda r: r[0]), key=lambda r: r[1]), list(reversed(sorted(rows, key=lambda r: r[1])))]

#: so-kinds | order
def main():
    return [sorted([3, 1.5, True, 0, -2]), sorted("hello"), sorted({"b": 1, "a": 2}), sorted([(1, "b"), (1, "a"), (0, "z")]), sorted([[2], [1, 5], [1]]), sorted(["10", "9", "1"]), sorted([], reverse=True), sorted(range(5), key=lambda x: -x), sorted([True, False, True]), sorted(["a", "B", "c"], key=str.lower), sorted(["bb", "a", "ccc"], key=len, reverse=True), sorted([0.0, -0.0, 0], key=str), sorted([1, 1.0, True], key=lambda x: 0)]

#: so-errors | errors
def main():
    out = []
    for f in (lambda: sorted([1, "a"]), lambda: sorted([None, 1]), lambda: sorted([{}, {}]), lambda: sorted([{}]), lambda: sorted([1, 2], key=5), lambda: sorted(5), lambda: sorted([(1, None), (1, 2)]), lambda: sorted([(1, None), (2, 2)]), lambda: max([]), lambda: min(1), lambda: max([1, "a"]), lambda: max([], default="d"), lambda: max("", key=len, default=0), lambda: max(1, 2, default=3), lambda: sorted([1], lambda x: x), lambda: [2, "x"].sort()):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: so-list-empty | in place
def main():
    xs = [1, 2, 2, 3, 3, 3]
    ys = sorted(xs, key=lambda v: -xs.count(v))
    xs.sort(key=lambda v: -xs.count(v))
    return [xs, ys]

#: so-list-changed | in place
def main():
    xs = [3, 1, 2]
    out = []
    try:
        xs.sort(key=lambda v: xs.append(v) or v)
    except ValueError as e:
        out.append(str(e))
    return [xs, out]

#: so-partly | in place
def main():
    out = []
    for xs in ([3, 1, 2, "a", 0], [5, 3, 9, 1, [2], 7], [2, None, 1], ["b", "a", 1]):
        try:
            xs.sort()
        except TypeError:
            out.append(xs)
    ys = [3, 1, 2]
    try:
        ys.sort(key=lambda v: 1 / (v - 1))
    except ZeroDivisionError:
        out.append(ys)
    return out

#: so-nan | order
def main():
    nan = float("nan")
    a = [str(x) for x in sorted([3, nan, 1, 2])]
    b = [str(x) for x in sorted([nan, 2, 1, nan, 0])]
    return [a, b, str(max([1, nan, 3])), str(max([nan, 1])), str(min(nan, 0))]

#: so-min-max | min max
#> {"rows": [{"n": "a", "v": 3}, {"n": "b", "v": 9}, {"n": "c", "v": 9}, {"n": "d", "v": 1}]}
def main(rows):
    return [max(rows, key=lambda r: r["v"])["n"], min(rows, key=lambda r: r["v"])["n"], max(r["v"] for r in rows), max((r["v"], r["n"]) for r in rows), min(3, 1, 2), max("b", "a"), max([1, 1.0, True]), min([0, False]), max("hello"), max({"x": 1, "y": 0}), max([[1, 2], [1, 3]]), max((1,), (0, 9)), max(rows, key=lambda r: (r["v"], r["n"]))["n"]]

#: so-top-n | jobs
#> {"scores": {"ann": 5, "bob": 9, "cy": 5, "di": 7}, "n": 3}
def main(scores, n):
    ranked = sorted(scores.items(), key=lambda kv: (-kv[1], kv[0]))
    out, last, rank = [], None, 0
    for i, (name, s) in enumerate(ranked[:n], 1):
        if s != last:
            rank, last = i, s
        out.append(f"{rank}. {name} ({s})")
    return out

#: so-operator | keys
from operator import itemgetter, attrgetter
from functools import cmp_to_key
def main():
    rows = [{"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 1}]
    pairs = [(2, "x"), (1, "z"), (1, "y")]
    return [sorted(rows, key=itemgetter("a")), sorted(rows, key=itemgetter("a", "b")), sorted(pairs, key=itemgetter(1)), itemgetter(0, 1)([5, 6, 7]), sorted([3, 10, 2], key=cmp_to_key(lambda a, b: b - a))]

#: so-key-functions | keys
def score(x):
    return (x % 3, -x)
def main():
    d = {"a": 3, "b": 1, "c": 2}
    order = ["low", "mid", "high"]
    return [sorted(range(7), key=score), sorted(d, key=d.get), sorted(d, key=d.__getitem__) if False else None, sorted(["high", "low", "mid"], key=order.index), sorted(["b2", "a10", "a9"], key=lambda s: (s[0], int(s[1:]))), sorted([[1, 2], [0]], key=sum), sorted(["B", "a"], key=lambda s: s.casefold()), sorted([-3, 2, -1], key=abs), sorted([None, 3, 1], key=lambda x: (x is None, x or 0)), max([-5, 3], key=abs), sorted(["x", None, "a"], key=lambda v: v or "")]

#: so-heap | heapq
import heapq
def main():
    h = []
    for x in [5, 1, 8, 3, 2]:
        heapq.heappush(h, x)
    a = list(h)
    b = [heapq.heappop(h) for _ in range(3)]
    c = [9, 4, 7, 1]
    heapq.heapify(c)
    jobs = []
    heapq.heappush(jobs, (2, "b"))
    heapq.heappush(jobs, (1, "z"))
    heapq.heappush(jobs, (1, "a"))
    return [a, b, h, c, heapq.heappushpop(c, 0), heapq.heapreplace(c, 5), c, heapq.nlargest(2, [3, 9, 1]), heapq.nsmallest(2, [3, 9, 1], key=lambda x: -x), [heapq.heappop(jobs)[1] for _ in range(3)], list(heapq.merge([1, 4], [2, 3]))]

#: so-bisect | bisect
import bisect
def main():
    xs = [1, 3, 3, 5]
    bisect.insort(xs, 4)
    grades = "".join("FDCBA"[bisect.bisect([60, 70, 80, 90], s)] for s in [33, 99, 77, 70, 89, 90])
    return [xs, bisect.bisect_left(xs, 3), bisect.bisect_right(xs, 3), bisect.bisect(xs, 100), bisect.bisect_left(xs, 0), grades]

#: so-set-keys | set order
def main():
    return sorted({"bb", "aa", "cc"}, key=len)

#: so-merge-intervals | jobs
#> {"spans": [[5, 8], [1, 3], [2, 4], [10, 11], [8, 9]]}
#> {"spans": []}
def main(spans):
    out = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out
