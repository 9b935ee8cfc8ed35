#: nu-kinds | kinds
def main():
    return [5, 5.0, 10 / 2, 7 // 2, 7.0 // 2, 7 % 2.0, 2 ** 3, 2 ** -1, 2.0 ** 3, 3 * 1.0, 1e3, int(5.9), float(5), round(2.5), round(2.5, 0), sum([1, 2.0]), abs(-5.0), max(1, 1.0), min(2.0, 2), True + 1, True * 1.0]

#: nu-texts | texts
def main():
    return [str(5.0), str(0.1 + 0.2), repr(1e16), str(1e15), str(123456789012345680.0), repr(1e-5), str(0.0001), str(-0.0), str(1e22), repr(2.5e-8), f"{5.0}", "%s" % 1e100, str(10 ** 20), str(1.0e10), repr(100000.0 * 10), str(3.14159265358979)]

#: nu-floor | division
def main():
    return [[a // b, a % b, divmod(a, b)] for a, b in [(7, 2), (-7, 2), (7, -2), (-7, -2), (7.5, 2), (-7.5, 2), (7.5, -2), (0, -5), (-1, 3), (5, 5.0)]]

#: nu-zero | negative zero
def main():
    a = 0 * -5
    b = 0.0 * -5
    c = -0.0 + 0
    return [a, b, c, str(b), -a, str(-0.0 // 1), str(0 / -3), str(round(-0.4)), str(round(-0.4, 0)), abs(-0.0), int(-0.0), str(-0.0 % 5), b == 0]

#: nu-big | big
def main():
    n = 2 ** 64
    f = 1
    for i in range(1, 26):
        f *= i
    return [n, n - 1, -n, f, f // 10 ** 20, f % 97, n * n, n // 3, -n // 7, -n % 7, str(n), len(str(f)), int("123456789012345678901234567890") + 1, 2 ** 53 + 1, (2 ** 53 + 1) - 2 ** 53, n > 2 ** 63, n == float(n), int(1e20), 9007199254740993 * 3]

#: nu-big-ops | big
def main():
    a = 123456789012345678901
    return [a & 0xFF, a | 1, a ^ a, a >> 3, a << 2, ~a, -a >> 1, a.bit_length(), bin(2 ** 60), hex(a), a / 10, a // 2.0, float(a), divmod(a, 1000), pow(a, 2, 97), a % -10, abs(-a), sum([a, 1]), max([a, 1]), int(str(a)) == a]

#: nu-round | rounding
def main():
    return [round(x, n) for x, n in [(2.675, 2), (1.005, 2), (0.5, 0), (1.5, 0), (2.5, 0), (-2.5, 0), (1234.5678, -2), (15, -1), (25, -1), (35, -1), (1e20, 2), (0.15, 1), (2.345, 2), (1.25, 1), (5.015, 2)]] + [round(0.5), round(1.5), round(-1.5), round(2.4999), round(5), round(1e300) % 1000, round(7, 2), round(True)]

#: nu-parse | parsing
def text(f, x):
    try:
        return f(x)
    except Exception as e:
        return type(e).__name__
def main():
    ints = ["5", " 7 ", "-3", "+4", "1_000", "4.5", "", "0x1f", "12a", "1 2", "--1", "\n8\t", "1__0", "٣", None, 3.99, -3.99, True, "1e3"]
    floats = ["5", " 7.5 ", "-.5", "1e3", "1_0.5", "inf", "-Infinity", "nan", "", "1,5", "0x1", "1e400", "+1.", None, 3, True, "1e", "٣.٥"]
    out = [text(int, x) for x in ints] + [str(text(float, x)) for x in floats]
    return out + [int("ff", 16), int("0xff", 16), int("101", 2), int("z", 36), int("0b11", 0), text(lambda x: int(x, 8), "9")]

#: nu-bool | bool
def main():
    return [True + True, sum([True, False, True]), True == 1, False == 0.0, True is True, [10, 20][True], {1: "a"}[True], {True: "x", 1: "y"}, str(True), f"{True:d}", f"{True:>6}", int(True), float(False), True & False, True | 2, ~True, True < 2, max(True, 2), isinstance(True, int), type(True).__name__, not 0, -True, True / 2, bool("False"), bool(""), bool([0]), bool(0.0)]

#: nu-compare | comparison
def main():
    nan = float("nan")
    inf = float("inf")
    return [1 == 1.0, 1 < 1.5, nan == nan, nan != nan, nan in [nan], inf > 10 ** 400, -inf < 0, min([3, nan, 1]) == 3, sorted([inf, 1, -inf]) == [-inf, 1, inf], 0.1 + 0.2 == 0.3, 10 ** 16 == 1e16, 2 ** 53 == 2.0 ** 53 + 1, 9007199254740993 == 9007199254740992.0, 1 <= True, 0.0 == -0.0]

#: nu-math | math
import math
def main():
    return [math.floor(-1.5), math.ceil(1.2), math.trunc(-1.7), math.sqrt(16), math.isqrt(17), math.gcd(12, 18), math.lcm(4, 6), math.factorial(20), math.factorial(25), math.comb(5, 2), math.perm(5, 2), math.prod([2, 3, 4]), math.fabs(-3), math.fmod(-7, 3), math.hypot(3, 4), math.isclose(0.1 + 0.2, 0.3), math.copysign(3, -0.0), math.fsum([0.1] * 10), sum([0.1] * 10), math.inf > 1, math.isnan(math.nan), round(math.pi, 5), math.floor(1e20), math.log10(1000), math.log2(8), math.degrees(math.pi), math.modf(2.5), math.dist([0, 0], [3, 4])]

#: nu-math-errors | math
import math
def main():
    out = []
    for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.floor(float("inf")), lambda: math.floor(float("nan")), lambda: int(float("inf")), lambda: 2.0 ** 5000, lambda: math.exp(1000), lambda: 0 ** -1, lambda: 0.0 ** -2, lambda: math.gcd(1.5, 2), lambda: round("x"), lambda: 1 << -1, lambda: pow(2, -1, 4), lambda: int("9" * 5000)):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: nu-format | formats
def main():
    n, x, b = 1234567, 3.14159, 0.000012345
    return [f"{n:,}", f"{n:_}", f"{n:>12,}", f"{n:012,}", f"{n:e}", f"{n:.1e}", f"{x:.2f}", f"{x:8.3f}|", f"{x:<8.1f}|", f"{x:+.1f}", f"{-x:=+9.2f}", f"{x:.0f}", f"{x:#.0f}", f"{x:g}", f"{n:g}", f"{b:g}", f"{b}", f"{0.5:%}", f"{0.1234:.1%}", f"{255:x} {255:#X} {255:o} {255:#b}", f"{65:c}", f"{5:^7}|{5:*<4}|{5:05}", f"{-5:05}", f"{x:.3}", f"{100.0:.3g}", f"{1e20:,.0f}", f"{n!r:>9}", f"{x:{8}.{2}f}", f"{True:,}"]

#: nu-format-old | formats
def main():
    return ["%d" % 3.99, "%5d|%-5d|%05d" % (42, 42, 42), "%.2f" % 2.675, "%s %r" % ("a", "a"), "%x %X %o" % (255, 255, 8), "%e" % 12345.678, "%g" % 0.00001, "%c%c" % (65, "b"), "%%", "%5.1f%%" % 12.345, "%(a)s-%(b)03d" % {"a": 1, "b": 2}, "%+d" % 5, "% d" % 5, "%*d" % (5, 42), "%s" % [1, "x"], "%s" % (None,), "%i" % True]

#: nu-format-errors | formats
def main():
    out = []
    for f in (lambda: f"{'a':d}", lambda: f"{1.5:d}", lambda: f"{None:5}", lambda: f"{[]:>5}", lambda: "%d" % "x", lambda: "%s %s" % "a", lambda: "%s" % (1, 2), lambda: "{} {}".format(1), lambda: "{a}".format(b=1), lambda: f"{5:,s}", lambda: f"{'x':,}", lambda: format(3, "q"), lambda: f"{2.5:x}", lambda: "{".format()):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: nu-statistics | statistics
import statistics
def main():
    xs = [3, 1, 4, 1, 5, 9, 2, 6]
    return [statistics.mean(xs), statistics.median(xs), statistics.median([1, 3, 2]), statistics.mode([1, 1, 2]), round(statistics.stdev(xs), 6), round(statistics.pstdev(xs), 6), statistics.mean([1, 2]), statistics.mean([1, 3]), statistics.median_low(xs), statistics.fmean([1, 2, 4]), statistics.variance([1, 2, 3, 4])]

#: nu-int-methods | methods
def main():
    return [(255).bit_length(), (0).bit_length(), (-5).bit_length(), (2.0).is_integer(), (2.5).is_integer(), (0.75).as_integer_ratio(), (5).bit_count(), (3.7).__class__.__name__, (10).conjugate(), hash(1) == hash(1.0), (1.5).hex() != ""]

#: nu-base | texts
def main():
    return [bin(10), oct(8), hex(255), bin(-5), hex(-255), int("-0b11", 2), chr(97), ord("€"), chr(128512), f"{10:b}".zfill(8), format(255, "08b"), bin(0)[2:], str(0b101), 0x1F, 0o17, 1_000_000]

#: nu-percent | money
#> {"items": [{"price": 19.99, "qty": 3}, {"price": 5, "qty": 2}, {"price": 0.1, "qty": 3}], "tax": 0.19}
#> {"items": [], "tax": 0}
def main(items, tax):
    net = sum(i["price"] * i["qty"] for i in items)
    gross = round(net * (1 + tax), 2)
    return {"net": net, "net2": round(net, 2), "tax": round(gross - net, 2), "gross": gross, "text": f"{gross:,.2f} EUR", "avg": net / len(items) if items else 0, "cents": int(round(gross * 100))}

#: nu-average | money
#> {"xs": [1, 2, 3, 4]}
#> {"xs": [1, 2]}
#> {"xs": [5]}
#> {"xs": []}
def main(xs):
    mean = sum(xs) / len(xs) if xs else 0
    var = sum((x - mean) ** 2 for x in xs) / max(len(xs) - 1, 1)
    return {"mean": mean, "var": var, "std": round(var ** 0.5, 3), "text": f"{mean:.1f}", "str": str(mean)}

#: nu-sum-start | sum
def main():
    out = [sum([], 5), sum([1, 2], 0.5), sum((x for x in range(4)), 10), sum([[1], [2]], []), sum([0.1, 0.2, 0.3]), sum([True, 2.5]), sum([10 ** 20, 1])]
    for f in (lambda: sum(["a"]), lambda: sum(["a"], ""), lambda: sum(5), lambda: sum([None])):
        try:
            out.append(f())
        except TypeError:
            out.append("TypeError")
    return out

#: nu-range | range
def main():
    r = range(10, 0, -3)
    return [list(r), len(r), 4 in r, 5 in r, r[1], r[-1], list(r[1:]), list(range(0)), list(range(3, 3)), sum(range(101)), list(reversed(range(3))), range(3) == range(0, 3), str(range(2)), bool(range(0)), max(range(5)), list(range(-2, 3, 2)), range(10).index(4), 10 ** 15 in range(10 ** 18)]

#: nu-collatz | loops
#> {"n": 27}
def main(n):
    steps = 0
    peak = n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        peak = max(peak, n)
        steps += 1
    return [steps, peak, n]

#: nu-fib | big
def main(n=90):
    a, b = 0, 1
    out = []
    for i in range(n):
        a, b = b, a + b
        if i % 30 == 29:
            out.append(a)
    return [out, a % 1000007, len(str(a ** 3))]

#: nu-iban | big
#> {"iban": "DE89 3704 0044 0532 0130 00"}
#> {"iban": "GB82 WEST 1234 5698 7654 32"}
#> {"iban": "DE00 3704 0044 0532 0130 00"}
def main(iban):
    s = iban.replace(" ", "").upper()
    moved = s[4:] + s[:4]
    digits = "".join(str(int(c, 36)) for c in moved)
    return [int(digits) % 97 == 1, digits[:6]]

#: nu-luhn | digits
#> {"n": "4539 1488 0343 6467"}
#> {"n": "8273123273520569"}
def main(n):
    digits = [int(c) for c in n if c.isdigit()]
    total = 0
    for i, d in enumerate(reversed(digits)):
        if i % 2 == 1:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0
