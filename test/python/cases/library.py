#: li-re-find | re
import re
def main(text="Call 555-1234 or 555-9876, id=A12 b_3 é9"):
    out = [re.findall(r"\d{3}-\d{4}", text), re.findall(r"(\d{3})-(\d{4})", text), re.findall(r"[a-z]+(\d)?", "ab1c"), re.findall(r"x", text), re.findall(r"\w+", "é_9 ß-a"), re.findall(r"\b\w", "ab cd-ef"), re.findall("", "ab"), re.findall(r"a*", "baac"), re.findall(r"(a)|(b)", "ab"), re.findall(r"(?i)CALL", text), re.findall(r"\d", "٣4"), re.findall(r"(?a)\d", "٣4"), re.findall(r"[^\W\d_]+", text), re.findall(r"\s", "a\u00a0b\x1cc")]
    return out

#: li-re-match | re
import re
def main():
    m = re.match(r"(?P<year>\d{4})-(?P<mon>\d\d)(-(\d\d))?", "2024-05 rest")
    n = re.search(r"(\w+)@(\w+)\.com", "mail bob@site.com now")
    f = re.fullmatch(r"[A-Z]{2}\d+", "AB12")
    return [m.group(), m.group("year"), m["mon"], m.group(1, 2), m.groups(), m.groups("x"), m.groupdict(), m.start(), m.end(), m.span(2), m.group(4), n.group(0), list(n.groups()), n.span(), n.start(1), f is not None, re.fullmatch(r"\d", "12"), re.match(r"b", "ab"), bool(re.search("z", "a")), m[1], n.string, re.match(r"a|ab", "ab").group(), m.lastindex, n.end("0") if False else n.end(2)]

#: li-re-sub | re
import re
def main():
    def up(m):
        return m.group(1).upper() + str(m.start())
    return [re.sub(r"\s+", " ", " a \n b  "), re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub(r"(?P<x>\d)", r"<\g<x>>", "a1b2"), re.sub(r"(b)", up, "abcb"), re.sub("a", "b", "aaa", count=2), re.subn("a", "x", "banana"), re.sub(r"x*", "-", "abc"), re.sub(r"(a)|b", r"[\1]", "ab"), re.sub(r"\.", r"\\.", "a.b"), re.sub("a", r"\n", "a"), re.sub(r"\d+", lambda m: str(int(m[0]) * 2), "3 and 10"), re.sub(r"[aeiou]", "", "education", flags=re.I), re.sub(r"\b", "|", "ab cd"), re.sub("$", "!", "a\n"), re.sub(r"^", "> ", "a\nb", flags=re.M)]

#: li-re-split | re
import re
def main():
    return [re.split(r"[,;]\s*", "a, b;c"), re.split(r"([,;])", "a,b;c"), re.split(r",", "a,b,c", 1), re.split(r"\s+", " a b "), re.split(r"x*", "axbc"), re.split(r"(x)|y", "axbyc"), re.split(",", ""), re.split(r"\b", "ab cd")]

#: li-re-iter | re
import re
PAT = re.compile(r"(?P<k>\w+)=(?P<v>[^;]*)(;|$)")
WORD = re.compile(r"\b[a-z]+\b", re.IGNORECASE)
def main(s="a=1;b=two;c="):
    pairs = {m.group("k"): m.group("v") for m in PAT.finditer(s)}
    spans = [m.span() for m in WORD.finditer("To be or")]
    return [pairs, spans, PAT.pattern, bool(PAT.match("zz")), WORD.findall("X yz 1"), PAT.sub("_", s), PAT.search(s).group("v"), WORD.fullmatch("abc") is None, PAT.groups, PAT.groupindex["v"], WORD.split("a1b"), WORD.search("1a b", 2).group()]

#: li-re-flags | re
import re
def main():
    text = "one\nTwo\nthree"
    return [re.findall(r"^t\w+", text, re.M | re.I), re.findall(r"o.T", text, re.S), re.search(r"e$", text) is not None, re.search(r"one$", text), re.findall(r"(?m)^.", text), re.match(r"(?x) a  b # c", "ab").group(), re.findall(r"(?s).+", text), re.search(r"\Athree", text), re.search(r"three\Z", text).start(), re.findall(r"e$", "e\n"), re.findall(r"e\Z", "e\n"), re.escape("a.b*c-d e_1"), re.findall(r"[a-c&&b]", "abc&"), re.findall(r"[]a]", "]ab"), re.findall(r"a{,2}", "aaa"), re.findall(r"a{2", "a{2"), re.findall(r"[\d.]+", "1.5 x2")]

#: li-re-lookaround | re
import re
def main():
    return [re.findall(r"\d+(?= EUR)", "5 EUR 6 USD"), re.findall(r"(?<=\$)\d+", "$5 7"), re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", "1234567"), re.findall(r"(\w)\1", "aabbc"), re.findall(r"q(?!u)", "qu qa")]

#: li-re-errors | re
import re
def main(p="("):
    out = []
    for f in (lambda: re.compile(p), lambda: re.findall("a", 5), lambda: re.match("a", "a").group(1), lambda: re.match("a", "a").group("x"), lambda: re.sub("a", r"\9", "a"), lambda: re.search("x", "a").group()):
        try:
            out.append(str(f()))
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: li-re-log | jobs
#> {"lines": ["2024-01-05 10:00:01 ERROR [db] timeout after 30s", "2024-01-05 10:00:02 INFO [web] GET /x 200", "garbage", "2024-01-06 11:00:00 ERROR [web] code=500 path=/y"]}
import re
LINE = re.compile(r"^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (\w+) \[(\w+)\] (.*)$")
def main(lines):
    out, bad = {}, 0
    for line in lines:
        m = LINE.match(line)
        if not m:
            bad += 1
            continue
        day, _time, level, part, msg = m.groups()
        if level == "ERROR":
            out.setdefault(day, []).append({"part": part, "msg": msg, "kv": dict(re.findall(r"(\w+)=(\S+)", msg))})
    return {"errors": out, "bad": bad}

#: li-date | datetime
from datetime import date, timedelta
def main(s="2024-02-28"):
    d = date.fromisoformat(s)
    e = d + timedelta(days=2)
    return [str(e), e.isoformat(), (e - d).days, d.weekday(), d.isoweekday(), list(d.isocalendar()), d.replace(year=2023).isoformat(), e > d, d == date(2024, 2, 28), d.strftime("%d.%m.%Y %a %b %j"), f"{d:%Y/%m/%d}", repr(d), str(e - d), d.timetuple().tm_yday, d.year + d.month, str(date(2024, 1, 31) - timedelta(weeks=1)), max(d, e).day, sorted([e, d])[0] == d, date.min.year, (date(2024, 12, 25) - d).days, d.ctime(), d.toordinal()]

#: li-datetime | datetime
from datetime import datetime, timedelta, timezone
def main():
    a = datetime(2024, 3, 10, 8, 5, 9)
    b = datetime.fromisoformat("2024-03-10T10:30:00.250000")
    c = datetime.strptime("10/Mar/2024 13:45", "%d/%b/%Y %H:%M")
    u = datetime(2024, 1, 1, tzinfo=timezone.utc)
    v = datetime.fromisoformat("2024-01-01T02:00:00+02:00")
    delta = b - a
    return [str(a), a.isoformat(), str(b), b.isoformat(timespec="seconds"), str(c), str(delta), delta.total_seconds(), delta.seconds, delta.days, str(a - b), (a - b).days, u == v, u.isoformat(), str(v.astimezone(timezone.utc)), a.strftime("%H:%M:%S %p %I %y %B %A %%"), a.date().isoformat(), str(a.time()), a.replace(hour=0, minute=0).isoformat(" "), u.timestamp(), datetime.fromtimestamp(0, tz=timezone.utc).isoformat(), datetime.utcfromtimestamp(86400).isoformat(), (a + timedelta(hours=20, minutes=1.5)).isoformat(), a < b, a.weekday(), str(v.utcoffset()), datetime.combine(a.date(), b.time()).isoformat(), repr(a), f"{a:%Y-%m-%d}", datetime.fromisoformat("20240102").day, datetime.fromisoformat("2024-01-02T03:04:05Z").tzname(), a.timestamp()]

#: li-timedelta | datetime
from datetime import timedelta
def main():
    t = timedelta(days=1, hours=2, seconds=3.5)
    return [str(t), repr(t), str(-t), t.total_seconds(), t.days, t.seconds, t.microseconds, str(t * 2), str(t / 2), t // timedelta(hours=1), str(t % timedelta(hours=1)), t / timedelta(hours=2), str(timedelta(minutes=90)), str(timedelta(seconds=-1)), str(timedelta(microseconds=1)), timedelta(hours=24) == timedelta(days=1), timedelta(1) > timedelta(0), bool(timedelta()), str(abs(timedelta(-1))), str(sum([timedelta(1), timedelta(2)], timedelta())), str(timedelta(seconds=0.1234565)), divmod(timedelta(5), timedelta(2))[0], str(timedelta(weeks=1, milliseconds=5))]

#: li-date-errors | datetime
from datetime import date, datetime, timedelta, timezone
def main():
    out = []
    for f in (lambda: date(2023, 2, 29), lambda: date.fromisoformat("2023-13-01"), lambda: datetime.strptime("x", "%Y"), lambda: date(2023, 1, 1) + 1, lambda: datetime(2024, 1, 1) < datetime(2024, 1, 1, tzinfo=timezone.utc), lambda: datetime(2024, 1, 1) == datetime(2024, 1, 1, tzinfo=timezone.utc), lambda: date(2024, 1, 1) < datetime(2024, 1, 1), lambda: datetime.strptime("2024-01-01 extra", "%Y-%m-%d"), lambda: timedelta(days="x"), lambda: date.max + timedelta(1), lambda: datetime(2024, 1, 1) - datetime(2024, 1, 1, tzinfo=timezone.utc), lambda: date("2024-01-01"), lambda: {date(2024, 1, 1): 1}[date(2024, 1, 1)]):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: li-date-out | datetime
from datetime import date
def main():
    return {"d": date(2024, 1, 1)}

#: li-zone | datetime
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
def main():
    tz = ZoneInfo("Europe/Berlin")
    a = datetime(2024, 3, 31, 1, 30, tzinfo=tz)
    b = datetime(2024, 3, 31, 4, 30, tzinfo=tz)
    return [str(b - a), (b.astimezone(timezone.utc) - a.astimezone(timezone.utc)).total_seconds(), a.isoformat(), (a + timedelta(hours=2)).isoformat(), a.tzname(), datetime(2024, 7, 1, 12, tzinfo=timezone.utc).astimezone(ZoneInfo("America/New_York")).isoformat(), str(tz), datetime(2024, 10, 27, 2, 30, tzinfo=tz, fold=1).isoformat()]

#: li-date-range | jobs
#> {"start": "2024-01-29", "end": "2024-02-06"}
from datetime import date, timedelta
def main(start, end):
    d, last = date.fromisoformat(start), date.fromisoformat(end)
    days, weeks = [], {}
    while d <= last:
        if d.weekday() < 5:
            days.append(d.isoformat())
            weeks.setdefault(f"W{d.isocalendar()[1]:02d}", []).append(d.strftime("%a"))
        d += timedelta(days=1)
    return {"days": days, "weeks": weeks}

#: li-age | jobs
#> {"born": "2000-02-29", "today": "2024-02-28"}
#> {"born": "1999-12-31", "today": "2024-01-01"}
from datetime import datetime
def main(born, today):
    b = datetime.strptime(born, "%Y-%m-%d").date()
    t = datetime.strptime(today, "%Y-%m-%d").date()
    age = t.year - b.year - ((t.month, t.day) < (b.month, b.day))
    return {"age": age, "days": (t - b).days}

#: li-json | json
import json
def main():
    d = {"b": [1, 2.0, None, True], "a": "é\"\n\u2028", 1: {"x": ()}, None: 0, True: 1.5}
    return [json.dumps(d), json.dumps(d, ensure_ascii=False), json.dumps({"b": 1, "a": [2, {}]}, sort_keys=True), json.dumps({"a": [1, {"b": []}], "c": {}}, indent=2), json.dumps([1, {"a": 2}], separators=(",", ":")), json.dumps("x"), json.dumps(1e16), json.dumps(float("inf")), json.dumps([], indent=2), json.dumps({"a": 1}, indent="\t"), json.loads('{"a": [1, 2.0, 1e2, "\\u00e9", null, true], "a2": 12345678901234567890}'), json.loads(" 5 "), json.loads('"x"'), json.loads("[1.0]"), json.dumps(json.loads('{"z":1,"a":2}')), json.loads("NaN") != 0, json.dumps((1, 2)), json.dumps({"k": 10 ** 20}), json.loads('{"a":1,"a":2}')]

#: li-json-errors | json
import json
def main():
    out = []
    for f in (lambda: json.loads("{a: 1}"), lambda: json.loads("[1,]"), lambda: json.loads(""), lambda: json.loads("'x'"), lambda: json.dumps({1, 2}), lambda: json.dumps({(1, 2): 3}), lambda: json.loads(None), lambda: json.dumps(print), lambda: json.loads("01"), lambda: json.loads("[1] x"), lambda: json.dumps(float("nan"), allow_nan=False), lambda: json.dumps({"a": {1}}, default=list), lambda: json.dumps({1: 2, (1,): 3}, skipkeys=True)):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out

#: li-itertools | itertools
import itertools
from itertools import chain, groupby, product, combinations, accumulate, islice, zip_longest, count
def main():
    rows = [("a", 1), ("a", 2), ("b", 3), ("a", 4)]
    return [list(chain([1], (2, 3), "x")), list(chain.from_iterable([[1], [2, 3]])), [(k, [v for _, v in g]) for k, g in groupby(rows, key=lambda r: r[0])], list(product("ab", [1, 2])), list(product([0, 1], repeat=2)), list(combinations([1, 2, 3], 2)), list(itertools.permutations("abc", 2))[:3], list(accumulate([1, 2, 3])), list(accumulate([1, 5, 2], max)), list(islice(range(10), 2, 8, 3)), list(islice(count(5), 3)), list(zip_longest([1, 2], "a", fillvalue="-")), list(itertools.takewhile(lambda x: x < 3, [1, 2, 5, 1])), list(itertools.dropwhile(lambda x: x < 3, [1, 2, 5, 1])), list(itertools.starmap(pow, [(2, 3), (3, 2)])), list(itertools.compress("abc", [1, 0, 1])), list(itertools.repeat("x", 3)), list(itertools.pairwise([1, 2, 3])), list(itertools.filterfalse(None, [0, 1, ""])), list(itertools.combinations_with_replacement("ab", 2)), dict(zip("ab", count(1))), list(accumulate([1, 2, 3], lambda a, b: a * b, initial=10)), list(islice("abc", 2))]

#: li-functools | functools
from functools import reduce, partial, lru_cache
import operator
def main():
    add = partial(lambda a, b, c=0: a + b + c, 10)
    return [reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(operator.add, ["a", "b"], ">"), reduce(lambda a, b: {**a, **b}, [{"x": 1}, {"y": 2}], {}), add(1), add(1, c=5), operator.mul(3, 4), operator.truediv(1, 4), operator.contains([1], 1), list(map(operator.neg, [1, -2])), operator.itemgetter("a")({"a": 5}), sorted([(1, "b"), (0, "c")], key=operator.itemgetter(1)), reduce(max, [3, 9, 2]), list(map(partial(round, ndigits=1), [1.25, 2.35]))]

#: li-reduce-empty | functools
from functools import reduce
def main():
    return reduce(lambda a, b: a + b, [])

#: li-hash | hashlib
import hashlib
import base64
def main(s="hello é"):
    b = s.encode("utf-8")
    e = base64.b64encode(b).decode()
    return [hashlib.sha256(b).hexdigest(), hashlib.md5(s.encode()).hexdigest(), hashlib.sha1(b"abc").hexdigest()[:10], e, base64.b64decode(e).decode("utf-8"), base64.urlsafe_b64encode(b"\xff\xfe").decode(), len(b), b[0], b.hex(), str(b"a'b\n"), b"x" in b"axb", bytes.fromhex("6869").decode(), hashlib.sha512(b"").hexdigest()[:8], list(b"ab"), "abc".encode("ascii") + b"d" == b"abcd"]

#: li-url | urllib
from urllib.parse import urlparse, parse_qs, urlencode, quote, unquote, urljoin, quote_plus, parse_qsl, urlsplit
def main():
    u = urlparse("https://user@ex.com:8080/a/b;p?x=1&y=2&x=3#frag")
    return [u.scheme, u.netloc, u.hostname, u.port, u.path, u.query, u.fragment, parse_qs(u.query), parse_qsl("a=1&b=&c=%20d", keep_blank_values=True), urlencode({"q": "a b&c", "n": 5}), urlencode([("k", "é"), ("k", "2")]), urlencode({"xs": [1, 2]}, doseq=True), quote("a b/ü?"), quote("a/b", safe=""), quote_plus("a b+c"), unquote("%C3%BC%20x+y"), urljoin("https://a.com/x/y", "../z"), urljoin("https://a.com/x/", "y?q=1"), urlsplit("//h/p").netloc, u.geturl()]

#: li-uuid | uuid
import uuid
def main():
    a = uuid.uuid5(uuid.NAMESPACE_DNS, "example.com")
    b = uuid.uuid3(uuid.NAMESPACE_URL, "x")
    return [str(a), str(b), a.hex, a.version, str(uuid.UUID("12345678123456781234567812345678"))]

#: li-uuid-names | uuid
import uuid
from uuid import NAMESPACE_URL, uuid5
def main():
    return [str(uuid5(NAMESPACE_URL, "http://x")), str(uuid.NAMESPACE_OID), uuid.uuid3(uuid.NAMESPACE_X500, "a").hex]

#: li-statistics-error | statistics
import statistics
from statistics import StatisticsError
def main(rows=[[], [1], [2, 4]]):
    out = []
    for row in rows:
        try:
            out.append([statistics.mean(row), statistics.stdev(row)])
        except statistics.StatisticsError as e:
            out.append(str(e))
    try:
        statistics.median([])
    except StatisticsError as e:
        out.append(isinstance(e, ValueError))
    return out

#: li-zone-error | zoneinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError
def main(names=["Europe/Vienna", "Mars/X"]):
    out = []
    for name in names:
        try:
            out.append(str(ZoneInfo(name)))
        except ZoneInfoNotFoundError as e:
            out.append(isinstance(e, KeyError))
    return out

#: li-calendar-error | calendar
import calendar
def main(months=[2, 13]):
    out = []
    for month in months:
        try:
            out.append(calendar.monthrange(2024, month))
        except calendar.IllegalMonthError as e:
            out.append(str(e))
    return out

#: li-types-of-modules | types
import re
from datetime import datetime, timezone, tzinfo
from urllib.parse import ParseResult, SplitResult, urldefrag, urlparse, urlsplit
def main():
    u = urlparse("http://a/b?c#d")
    return [isinstance(timezone.utc, tzinfo), isinstance(1, tzinfo), isinstance(u, ParseResult), isinstance(urlsplit("http://a"), SplitResult), isinstance(u, tuple), urldefrag("http://a#b").fragment, re.findall("A", "aA", re.NOFLAG), re.sub("a", "b", "Aa", flags=re.NOFLAG | re.I)]

#: li-string | string
import string
def main():
    t = string.Template("Hi $name, ${n}x $$5")
    return [string.ascii_lowercase[:3], string.digits, string.punctuation, string.ascii_letters[-2:], string.hexdigits, t.substitute(name="Bo", n=2), t.safe_substitute(name="X"), string.capwords("a bc  d"), string.whitespace == " \t\n\r\x0b\x0c", [c for c in "a1!" if c in string.punctuation]]

#: li-calendar | calendar
import calendar
def main():
    return [list(calendar.monthrange(2024, 2)), calendar.isleap(1900), calendar.day_name[0], calendar.month_name[12], calendar.month_abbr[1], calendar.weekday(2024, 1, 1), [calendar.monthrange(2023, m)[1] for m in range(1, 13)]]

#: li-deep | copy
import copy
def main():
    a = {"x": [1, {"y": 2}], "t": (1, [2])}
    b = copy.deepcopy(a)
    c = copy.copy(a)
    b["x"][1]["y"] = 9
    a["x"].append(3)
    a["t"][1].append(4)
    return [a, b, c, a == c, b == a]

#: li-typing | typing
from typing import TypedDict, Literal, Optional
class Order(TypedDict):
    id: int
    total: float
    state: Literal["open", "paid"]
def total(orders: list[Order], state: Optional[str] = None) -> float:
    return sum(o["total"] for o in orders if state is None or o["state"] == state)
def main(orders: list[Order] = [{"id": 1, "total": 5, "state": "paid"}, {"id": 2, "total": 2.5, "state": "open"}]):
    return [total(orders), total(orders, "paid")]

#: li-builtins | builtins
def main():
    xs = [3, 0, 2]
    return [all(xs), any(xs), all([]), any([]), list(enumerate("ab")), list(map(str, xs)), list(filter(lambda x: x, xs)), list(zip(xs, "abc")), abs(-3), divmod(7, 3), pow(2, 5), pow(2, 5, 7), chr(65) + chr(8364), ord("a"), list(reversed(xs)), sorted(xs), len({}), isinstance(xs, (list, tuple)), isinstance(None, type(None)), type(xs) is list, bool(0), int("7"), float("1.5"), str(None), list("ab"), tuple(xs), max(xs, default=0), callable(len), repr("x"), format(3.14159, ".2f"), hex(10), ascii("é"), list(iter(xs)), hasattr("x", "upper"), getattr("x", "upper")(), slice(1, 2) == slice(1, 2), [1, 2, 3][slice(0, 2)], min("b", "a"), sum(range(5)), round(2.567, 1), isinstance(True, int), isinstance(1.0, int), type(1.0).__name__, type(None).__name__]

#: li-isinstance | builtins
#> {"xs": [1, 1.5, true, null, "s", [1], {"a": 1}]}
def main(xs):
    def name(x):
        if x is None:
            return "none"
        if isinstance(x, bool):
            return "bool"
        if isinstance(x, (int, float)):
            return "number"
        if isinstance(x, str):
            return "str"
        if isinstance(x, list):
            return "list"
        return type(x).__name__
    return [[name(x), type(x).__name__, type(x) == int, isinstance(x, (dict, list))] for x in xs]

#: li-print-log | print
#> {"xs": [1, 2]}
import json
def main(xs):
    for x in xs:
        print(f"item {x}", x * 1.0, sep=": ")
    print("done", json.dumps({"n": len(xs)}), end="\n\n")
    return sum(xs)

#: li-csv-read | files
#> {"text": "Id,Full Name,Active,Score,Note\r\n1,\"Doe, Jane\",true,9.50,\"said \"\"hi\"\"\"\r\n2,Bob,FALSE,,\"two\nlines\"\r\n"}
import csv
import io
import json
def convert(value: str):
    value = value.strip()
    if value == "":
        return None
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value
def main(text: str):
    reader = csv.DictReader(io.StringIO(text))
    records = [{k.strip().lower().replace(" ", "_"): convert(v) for k, v in row.items()} for row in reader]
    header, *rows = csv.reader(text.splitlines(keepends=True))
    return {"records": records, "names": reader.fieldnames, "line": reader.line_num, "header": header, "rows": rows, "json": json.dumps(records[0])}

#: li-csv-write | files
#> {"rows": [{"id": 1, "name": "Ann \"A\" Lee", "tags": ["x", "y"]}, {"id": 2, "name": "Li, Wei", "extra": true}]}
import csv
from io import StringIO
def main(rows):
    out = StringIO()
    writer = csv.DictWriter(out, fieldnames=["id", "name", "tags"], extrasaction="ignore", restval="-")
    writer.writeheader()
    for row in rows:
        writer.writerow({**row, "tags": ";".join(row.get("tags", []))} if "tags" in row else row)
    plain = StringIO()
    csv.writer(plain, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([r["id"], r["name"], None] for r in rows)
    try:
        csv.DictWriter(out, ["id"]).writerow({"id": 3, "nme": "x"})
    except ValueError as error:
        problem = str(error)
    plain.seek(0)
    return [out.getvalue(), plain.readline(), plain.read(), problem, list(csv.reader(out.getvalue().splitlines()))]

#: li-csv-lines-of-a-generator | files
import csv
def lines(text):
    for line in text.split("|"):
        if not line.startswith("#"):
            yield line
def main():
    rows = []
    try:
        for number, row in enumerate(csv.DictReader(lines('a,b|# skipped|1,"2|x"|3'), restval=0), start=2):
            rows.append((number, row))
        list(csv.reader(lines("a|'b"), quotechar="'", strict=True))
    except csv.Error as error:
        rows.append(f"{type(error).__name__}: {error}")
    return rows

#: li-string-io | files
import io
def main():
    buffer = io.StringIO()
    for word in ("one", "two", "three"):
        buffer.write(f"{word}\n")
    size = buffer.tell()
    buffer.seek(0)
    first = buffer.readline()
    lines = [line.rstrip() for line in buffer]
    buffer.truncate(3)
    closed = buffer.getvalue()
    buffer.close()
    try:
        buffer.write("x")
    except ValueError as error:
        closed += f" {error}"
    return [size, first, lines, closed]

#: li-template | text
from string import Template
MAIL = Template("Hello $name,\n\nyou owe us ${amount} EUR ($$ accepted) for $what.")
def main():
    values = {"name": "Ada", "amount": 12.5}
    try:
        MAIL.substitute(values)
    except KeyError as missing:
        gap = str(missing)
    return [MAIL.substitute(values, what="tea"), MAIL.safe_substitute(values), gap, MAIL.get_identifiers()]

#: li-decimal-invoice | money
#> {"lines": [{"qty": 3, "price": "19.99"}, {"qty": "1.5", "price": "7.335"}, {"qty": 2, "price": "x"}], "tax": "0.19"}
#> {"lines": [], "tax": "0.077"}
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
CENT = Decimal("0.01")
def main(lines, tax):
    net, faults = Decimal(0), []
    for number, line in enumerate(lines, start=1):
        try:
            net += (Decimal(line["qty"]) * Decimal(line["price"])).quantize(CENT, rounding=ROUND_HALF_UP)
        except InvalidOperation as error:
            faults.append(f"{number}: {type(error).__name__} {error}")
    gross = (net * (1 + Decimal(tax))).quantize(CENT, ROUND_HALF_UP)
    parts = [(gross / 3).quantize(CENT) for _ in range(2)]
    parts.append(gross - sum(parts))
    return [str(net), f"{gross:,.2f} EUR", [str(p) for p in parts], float(gross), int(net * 100), gross > 50, faults]

#: li-decimal-keys | money
from decimal import Decimal
def main():
    totals = {}
    for amount in ("1.10", "1.1", "2", "2.00", "-0", "0"):
        totals[Decimal(amount)] = totals.get(Decimal(amount), 0) + 1
    ranked = sorted(totals, reverse=True)
    return [[str(k) for k in totals], list(totals.values()), 2 in totals, 1.1 in totals, [str(x) for x in ranked], str(max(ranked)), repr(sum(ranked, Decimal("0.5")))]

#: li-decimal-has-no-json | money
from decimal import Decimal
def main():
    return {"total": Decimal("1.5")}

#: li-difflib | text
#> {"wanted": ["appel", "orang", "xyz"], "known": ["apple", "ape", "orange", "range", "peach"]}
import difflib
BEFORE = """host: a
port: 80
debug: no
"""
AFTER = """host: a
port: 8080
debug: no
trace: yes
"""
def main(wanted, known):
    found = {w: difflib.get_close_matches(w, known, n=2) for w in wanted}
    diff = "".join(difflib.unified_diff(BEFORE.splitlines(True), AFTER.splitlines(True), "a", "b"))
    marked = list(difflib.ndiff(BEFORE.splitlines(), AFTER.splitlines()))
    matcher = difflib.SequenceMatcher(lambda c: c == " ", "private Thread current;", "private volatile Thread current;")
    parts = [[tag, matcher.a[i1:i2], matcher.b[j1:j2]] for tag, i1, i2, j1, j2 in matcher.get_opcodes()]
    block = matcher.find_longest_match(0, 10, 0, 10)
    return [found, diff, marked, round(matcher.ratio(), 4), parts, block.size, str(block)]

#: li-graphlib | graphs
#> {"needs": {"deploy": ["test", "build"], "test": ["build"], "build": ["fetch"]}}
#> {"needs": {"a": ["b"], "b": ["c"], "c": ["a"]}}
from graphlib import CycleError, TopologicalSorter
def main(needs):
    try:
        order = list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        return [str(error), error.args[1], isinstance(error, ValueError)]
    sorter = TopologicalSorter()
    for node, before in needs.items():
        sorter.add(node, *before)
    sorter.prepare()
    rounds = []
    while sorter.is_active():
        ready = sorter.get_ready()
        rounds.append(ready)
        sorter.done(*ready)
    return [order, rounds, bool(sorter)]

#: li-unicodedata | text
#> {"names": ["Müller", "Crème Brûlée", "Łódź", "ﬁne Ⅷ", "가나", "plain"]}
import unicodedata
def strip_accents(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
def main(names):
    ascii_only = [unicodedata.normalize("NFKD", n).encode("ascii", "ignore").decode("ascii") for n in names]
    marks = ["".join(c for c in unicodedata.normalize("NFD", n) if unicodedata.category(c) != "Mn") for n in names]
    return [[strip_accents(n) for n in names], ascii_only, marks, [unicodedata.is_normalized("NFC", n) for n in names], sorted(names, key=strip_accents)]

#: abc-isinstance | types
from collections import Counter, OrderedDict, defaultdict, deque
import collections.abc
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping, MutableMapping, MutableSequence, MutableSet, Sequence, Set, Sized
import typing
from datetime import date
from decimal import Decimal
from typing import Any, Dict, List, Tuple, cast
import csv
import io
import re


def numbers():
    yield 1


def main():
    d = {"a": 1}
    values = [
        None, True, 1, 1.5, "a", b"b", [1], (1,), d, {1}, frozenset({1}), range(3), deque([1]), Counter("a"), defaultdict(int), OrderedDict(),
        d.keys(), d.values(), d.items(), iter([1]), numbers(), map(str, [1]), zip([1]), enumerate([1]), reversed([1]), len, numbers, lambda: 1, str, "a".upper,
        date(2024, 1, 1), Decimal(1), ValueError("x"), re.compile("a"), re.match("a", "a"), io.StringIO("a"), csv.reader(["a"]), slice(1), (x for x in [1]),
    ]
    out = []
    for value in values:
        row = ""
        row += "C" if isinstance(value, Callable) else "-"
        row += "c" if isinstance(value, Collection) else "-"
        row += "o" if isinstance(value, Container) else "-"
        row += "H" if isinstance(value, Hashable) else "-"
        row += "I" if isinstance(value, Iterable) else "-"
        row += "i" if isinstance(value, Iterator) else "-"
        row += "M" if isinstance(value, Mapping) else "-"
        row += "m" if isinstance(value, MutableMapping) else "-"
        row += "Q" if isinstance(value, Sequence) else "-"
        row += "q" if isinstance(value, MutableSequence) else "-"
        row += "S" if isinstance(value, Set) else "-"
        row += "s" if isinstance(value, MutableSet) else "-"
        row += "Z" if isinstance(value, Sized) else "-"
        row += "1" if isinstance(value, (int, collections.abc.Mapping)) else "-"
        row += "2" if isinstance(value, typing.Sequence | Dict) else "-"
        row += "3" if isinstance(value, List) else "-"
        row += "4" if isinstance(value, (Tuple, typing.Set, frozenset)) else "-"
        match value:
            case Mapping():
                row += "M"
            case Sequence() if not isinstance(value, str):
                row += "Q"
        out.append(row)
    return out

#: typing-cast | types
#> {"row": {"n": 1}}
import typing
from typing import Any, Optional, TypedDict, cast


class Row(TypedDict):
    n: int


Json = dict[str, Any]


def main(row):
    a = cast(Row, row)
    b = cast("list[int]", [1])
    c = cast(dict[str, Any] | None, row)
    e = typing.cast(Optional[Json], a)
    e["m"] = cast(int, "text")
    return [a, b, c is not None, cast(Json, row)["n"]]
