#: ga-lists-and-calls | asyncio.gather
import asyncio

async def fetch(u, k=1):
    return u * k

async def two(x):
    y = await fetch(x)
    return y + 1

async def main():
    b, c = await asyncio.gather(fetch("a"), two(4))
    g = await asyncio.gather(*(two(q) for q in (7, 8)), fetch(9, k=2))
    return [await asyncio.gather(*[fetch(x, k=2) for x in [1, 2, 3]]), b, c, g, await asyncio.gather()]

if __name__ == "__main__":
    print(asyncio.run(main()))

#: ga-list-with-a-name | asyncio.gather
import asyncio

async def fetch(x):
    return x + 1

async def main():
    tasks = [fetch(i) for i in range(3)]
    first = await asyncio.gather(*tasks)
    rest = []
    for n in range(3):
        batch = [fetch(i) for i in range(n)]
        rest.extend(await asyncio.gather(*batch))
    return [first, rest]

#: ga-appended | asyncio.gather
import asyncio

log = []

async def fetch(x, k=1):
    return x * k

def noted(x):
    log.append(f"n{x}")
    return x

async def main():
    tasks = []
    for x in [3, 1, 2]:
        if x > 1:
            tasks.append(fetch(noted(x), k=2))
    tasks.append(fetch(9))
    log.append("all made")
    first = await asyncio.gather(*tasks)
    rest = []
    for n in range(3):
        batch = []
        for i in range(n):
            batch.append(fetch(i))
        rest.append(await asyncio.gather(*batch))
    return [first, rest, len(log), log[:3]]

if __name__ == "__main__":
    print(asyncio.run(main()))

#: ga-arguments-at-once | evaluation order
from asyncio import gather

log = []

def noted(x):
    log.append(x)
    return x

async def f(*args, **named):
    return [args, named]

async def main():
    got = await gather(f(noted(1), *[noted(2)], k=noted(3)), f(**{"a": noted(4)}), *[f(noted(x)) for x in (5, 6)])
    return [got, log]

#: ga-first-failure | exceptions
import asyncio

async def f(x):
    if x > 1:
        raise ValueError(x)
    return x

async def main():
    try:
        await asyncio.gather(*[f(x) for x in (1, 2, 3)])
    except ValueError as e:
        return str(e)

#: ga-await-everywhere | await
import asyncio

async def f(x):
    return x

async def main(n: int = 2):
    total = 0
    for i in await asyncio.gather(*[f(i) for i in range(n)]):
        total += i
    while await f(total) < 5:
        total += 1
    return {"t": total, "d": {k: await f(v) for k, v in {"a": 1}.items()}, "l": [await f(x) for x in [1, 2] if await f(x) > 1],
            "c": (await f(1)) if await f(True) else None, "s": f"{await f(3)}", "b": await f(0) or await f(7)}

#: ga-script | asyncio.run
import asyncio

async def helper(x):
    return [x, x]

result = asyncio.run(helper(3))

#: po-map | ThreadPoolExecutor
import concurrent.futures
from concurrent.futures import ThreadPoolExecutor

def sq(x):
    return x * x

def main():
    with ThreadPoolExecutor(max_workers=4) as pool:
        a = list(pool.map(sq, [1, 2, 3]))
        b = sorted(pool.map(lambda v: -v, range(3)))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        c = tuple(pool.map(str, {"x": 1}))
    return [a, b, c, dict(zip("ab", list(ThreadPoolExecutor(2).map(sq, (5, 6)))))]

#: po-first-failure | ThreadPoolExecutor
from concurrent.futures import ThreadPoolExecutor as Pool

def check(x):
    if x % 2:
        raise KeyError(x)
    return x

def main():
    with Pool(3) as pool:
        try:
            return list(pool.map(check, [2, 4, 5, 7]))
        except KeyError as e:
            return ["failed", str(e)]

#: po-no-workers | ThreadPoolExecutor
from concurrent.futures import ThreadPoolExecutor

def main():
    with ThreadPoolExecutor(0) as pool:
        return list(pool.map(str, [1]))

#: ga-shared-file | branches
from concurrent.futures import ThreadPoolExecutor
import io
def main():
    out = io.StringIO()
    def write(n):
        out.write(str(n))
        return n
    with ThreadPoolExecutor() as pool:
        return [list(pool.map(write, [1, 2])), len(out.getvalue())]

#: ga-sleep | asyncio.sleep
#> {"n": 0}
#> {"n": -1.5}
#> {"n": "x"}
import asyncio
from asyncio import sleep
async def step(x, n):
    await asyncio.sleep(n)
    got = await sleep(0.0)
    return x * 2 if got is None else got
async def main(n):
    first = await step(1, n)
    return [first, await asyncio.gather(*[step(x, n) for x in (2, 3)])]
