#: imports/from | files
#> {"n": 3}
from helpers import add

def main(n):
    return add(n, 4)
#= helpers.py
def add(a, b):
    return a + b

#: imports/arguments by reference | files
from helpers import add

def main():
    xs = [1]
    add(xs, 2)
    add(xs, 3)
    return xs
#= helpers.py
def add(xs, x):
    xs.append(x)

#: imports/module and alias are one | files
import helpers
import helpers as h
from helpers import counts as c

def main():
    helpers.hit("a")
    h.hit("a")
    c["b"] = 5
    return [helpers.counts, h.counts == c, h.counts["a"]]
#= helpers.py
counts = {}

def hit(k):
    counts[k] = counts.get(k, 0) + 1

#: imports/top runs once in import order | files
import log
import second
import first
import second as again
from first import log as same

def main():
    log.add("main")
    return [log.lines, same.lines == log.lines]
#= log.py
lines = []

def add(x):
    lines.append(x)
#= first.py
import log
log.add("first")
#= second.py
import first
import log
log.add("second")

#: imports/globals are of the module | files
import helpers
from helpers import limit, raise_limit, get_limit

limit_here = limit

def main():
    raise_limit(5)
    return [limit, limit_here, helpers.limit, get_limit()]
#= helpers.py
limit = 1

def raise_limit(to):
    global limit
    limit = to

def get_limit():
    return limit

#: imports/same names in both files | files
import helpers

x = "main"

def f():
    return "main f"

def main():
    global x
    x = x + "!"
    return [x, f(), helpers.x, helpers.f(), helpers.both()]
#= helpers.py
x = "helpers"

def f():
    return "helpers f"

def both():
    return [x, f()]

#: imports/folders | files
import lib.mail
from lib import text
from lib.mail import send as deliver

def main():
    return [lib.mail.send("a"), deliver("b"), text.twice("c"), lib.text.twice("d")]
#= lib/mail.py
from lib.text import twice

def send(x):
    return twice(x) + "!"
#= lib/text.py
def twice(x):
    return x + x

#: imports/folder with code | files
import log
import lib.mail
from lib import NAME, mail

def main():
    return [NAME, mail.send(1), lib.mail.send(2), lib.NAME, log.lines]
#= log.py
lines = []
#= lib/__init__.py
from log import lines
lines.append("lib")
NAME = "lib"
from .text import twice
#= lib/text.py
import log
log.lines.append("text")

def twice(x):
    return [x, x]
#= lib/mail.py
from . import text
from .text import twice as double
from log import lines
lines.append("mail")

def send(x):
    return text.twice(double(x))

#: imports/in a function | files
import log

def load(x):
    from helpers import work
    return work(x)

def main():
    before = list(log.lines)
    return [before, load(1), load(2), log.lines]
#= log.py
lines = []
#= helpers.py
import log
log.lines.append("helpers")

def work(x):
    return x * 10

#: imports/failing import raises each time | files
import log

def main():
    said = []
    for i in range(3):
        try:
            import shaky
            said.append(shaky.value)
        except ValueError as e:
            said.append(str(e))
    return [said, log.lines]
#= log.py
lines = []
#= shaky.py
import log
try:
    extra = seen
    log.lines.append("seen was kept")
except NameError:
    extra = 0
seen = 1
log.lines.append(len(log.lines))
if len(log.lines) < 2:
    raise ValueError("not yet")
value = "loaded"

#: imports/failure passes files | files
def main():
    out = []
    for i in range(2):
        try:
            import outer
            out.append(outer.x)
        except KeyError as e:
            out.append(repr(e))
    return out
#= outer.py
x = 1
import inner
#= inner.py
d = {}
y = d["missing"]

#: imports/uncaught | files
import helpers

def main():
    return helpers.first({})
#= helpers.py
def first(d):
    return d["a"]

#: imports/top fails | files
import helpers

def main():
    return helpers.x
#= helpers.py
x = [1][3]

#: imports/exceptions | files
import errors
from errors import NotFound

def find(d, k):
    if k not in d:
        raise NotFound(k)
    return d[k]

def main():
    out = []
    for k in ["a", "b"]:
        try:
            out.append(find({"a": 1}, k))
        except errors.Base as e:
            out.append([type(e).__name__, str(e), isinstance(e, NotFound)])
    return out
#= errors.py
class Base(Exception):
    pass

class NotFound(Base):
    pass

#: imports/modules of Python through files | files
from helpers import json, sqrt
import helpers

def main():
    return [json.dumps([1]), sqrt(9), helpers.json.loads("[2]"), helpers.math.floor(2.5)]
#= helpers.py
import json
import math
from math import sqrt

#: imports/functions as values | files
from helpers import key, double
import helpers

def main():
    xs = sorted(["bb", "a", "ccc"], key=helpers.key, reverse=True)
    ops = {"d": double, "k": key}
    return [xs, list(map(helpers.double, [1, 2])), ops["d"](4), ops["k"]("abcd")]
#= helpers.py
def key(x):
    return len(x)

def double(x):
    return x * 2

#: imports/closures and defaults | files
from helpers import counter, collect

def main():
    a = counter()
    b = counter()
    return [a(), a(), b(), collect(1), collect(2)]
#= helpers.py
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step

def collect(x, xs=[]):
    xs.append(x)
    return list(xs)

#: imports/generators | files
from helpers import evens

def main():
    return [x for x in evens(7)] + [sum(evens(5))]
#= helpers.py
def evens(n):
    for i in range(n):
        if i % 2 == 0:
            yield i

#: imports/async | files
import asyncio
from helpers import fetch
import helpers

async def main():
    one = await fetch(1)
    two = await helpers.fetch(2)
    many = await asyncio.gather(*[helpers.fetch(x) for x in [3, 4]])
    more = await asyncio.gather(fetch(5), fetch(6))
    return [one, two, many, more]
#= helpers.py
async def fetch(x):
    return {"x": x}

#: imports/script | files
#> {"n": 4}
from helpers import twice
import helpers
y = twice(n)
helpers.log.append(y)
helpers.log
#= helpers.py
log = []

def twice(x):
    return x * 2

#: imports/main guard | files
import helpers

def main():
    return helpers.x
#= helpers.py
x = 1
if __name__ == "__main__":
    x = 2

#: imports/names on all ways | files
from helpers import mode, size, other

def main():
    return [mode, size, other]
#= helpers.py
level = 3
if level > 2:
    mode = "high"
elif level > 1:
    mode = "middle"
else:
    mode = "low"
try:
    size = int("x")
except ValueError:
    size = -1
for other in [1, 2]:
    pass
other = other * 2

#: imports/a builtin's name | files
import helpers

def main():
    return [helpers.total([1, 2]), sum([1, 2])]
#= helpers.py
def total(xs):
    return sum(xs) + len(xs)

if total([]) > 0:
    def sum(xs):
        return 100

#: imports/constants | files
from settings import RATE, NAMES
from settings import RATE as rate

def main():
    NAMES.append("c")
    return [RATE, rate, NAMES]
#= settings.py
RATE = 0.2
NAMES: list = ["a"]
NAMES += ["b"]

#: imports/star of a display | files
from helpers import pair, rest

def main():
    return [pair, rest]
#= helpers.py
first, *rest = [1, 2, 3]
pair = (first, rest)

#: imports/three files with one list | files
import a
import b

def main():
    a.push(1)
    b.push(2)
    b.store.items.append("c")
    return [a.store.items, len(b.store.items)]
#= a.py
import store

def push(x):
    store.items.append(("a", x))
#= b.py
import store

def push(x):
    store.items.append(("b", x))
#= store.py
items = []

#: imports/circle | files | refused 1,2
import helpers

def main():
    return helpers.x
#= helpers.py
import other
x = 1
#= other.py
import helpers

#: imports/unset name | files | refused 2,5
import helpers
from helpers import maybe

def main():
    return helpers.maybe
#= helpers.py
if len("abc") > 5:
    maybe = 1

#: imports/missing name | files | refused 1 ImportError
from helpers import nothing

def main():
    return nothing
#= helpers.py
x = 1

#: imports/missing attribute | files | refused 4 AttributeError
import helpers

def main():
    return helpers.nothing
#= helpers.py
x = 1

#: imports/set from outside | files | refused 4
import helpers

def main():
    helpers.x = 2
    return helpers.x
#= helpers.py
x = 1

#: imports/missing file | files | refused 1 ModuleNotFoundError
import helper

def main():
    return helper.x
#= helpers.py
x = 1

#: imports/file hides a module | files | refused 1
import statistics

def main():
    return statistics.x
#= statistics.py
x = 1

#: imports/deleted name | files | refused 1
from helpers import x

def main():
    return x
#= helpers.py
x = 1
del x

#: imports/name and file | files | refused 1
from lib import mail

def main():
    return mail
#= lib/__init__.py
mail = 1
#= lib/mail.py
x = 2

#: imports/star | files | refused 1
from helpers import *

def main():
    return x
#= helpers.py
x = 1

#: imports/relative in the program | files | refused 1 ImportError
from .helpers import x

def main():
    return x
#= helpers.py
x = 1

#: imports/write in a branch | files | refused 4
from concurrent.futures import ThreadPoolExecutor
from helpers import push, seen

def main():
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(push, [1, 2]))
    return len(seen)
#= helpers.py
seen = []

def push(x):
    seen.append(x)

#: imports/branches of functions of a file | files
from concurrent.futures import ThreadPoolExecutor
import helpers

def main():
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(helpers.twice, [1, 2]))
#= helpers.py
def twice(x):
    return x * 2

#: imports/under if and else | files | refused 5,7
import helpers

def main(flag=True):
    if flag:
        import left as side
    else:
        import right as side
    return [side.name, helpers.seen]
#= helpers.py
seen = []
#= left.py
import helpers
helpers.seen.append("left")
name = "l"
#= right.py
import helpers
helpers.seen.append("right")
name = "r"

#: imports/async value | files | refused 4
import helpers

def main():
    f = helpers.fetch
    return 1
#= helpers.py
async def fetch():
    return 1

#: imports/async without await | files | refused 4
from helpers import fetch

def main():
    fetch()
    return 1
#= helpers.py
async def fetch():
    return 1

#: imports/under if | files
import helpers

def main(flag=True):
    if flag:
        import left as side
    else:
        from left import name
        import left as side
    return [side.name, helpers.seen]
#= helpers.py
seen = []
#= left.py
import helpers
helpers.seen.append("left")
name = "l"

#: imports/name of a function too | names | refused 1
from math import floor

def floor(x):
    return 5

def main():
    return floor(2.7)

#: imports/two imports of one name | names | refused 3,5
def main(flag=True):
    if flag:
        from math import floor as f
    else:
        from math import ceil as f
    return f(2.5)

#: imports/name set by a loop | names | refused 1
import json

for json in [1, 2]:
    pass

def main():
    return json

#: imports/same import twice | names
import json
import json
from math import floor

def main():
    from math import floor
    return [json.dumps(1), floor(2.5)]
