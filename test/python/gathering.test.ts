/** Async functions and pools of threads where CPython and branches would differ: refused, at the line, in one finding. */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { hostWith } from "./support/weft.ts";

const HEAD = "import asyncio\nfrom concurrent.futures import ThreadPoolExecutor\nasync def f(x):\n    return x\n";

function findings(body: string): (string | number | undefined)[][] {
  const source = `${HEAD}async def main(xs):\n${body.replace(/^/gm, "    ")}\n`;
  return compile(source, { catalog: builtinCatalog }).diagnostics.map(({ code, span }) => [code, span?.line]);
}

it.each([
  ["a call that is not awaited does nothing", "return f(1)", "WF6024", 6],
  ["a call that is kept begins nowhere", "t = f(1)\nreturn 1", "WF6024", 6],
  ["an async function as a value could be called anywhere", "return list(map(f, xs))", "WF6024", 6],
  [
    "a list that is read twice is gathered twice",
    "t = [f(1)]\nn = len(t)\nreturn await asyncio.gather(*t)",
    "WF6024",
    6,
  ],
  [
    "a list with other things in it is more than calls",
    "t = []\nt.append(f(1))\nt.append(len(xs))\nreturn await asyncio.gather(*t)",
    "WF6024",
    8,
  ],
  [
    "a list that others see is more than calls",
    "t = []\nt.append(f(1))\nprint(t)\nreturn await asyncio.gather(*t)",
    "WF6024",
    7,
  ],
  [
    "a list from outside of the loop is gathered twice",
    "t = []\nfor x in xs:\n    t.append(f(x))\n    r = await asyncio.gather(*t)\nreturn r",
    "WF6024",
    9,
  ],
  [
    "a list of another function is not this one",
    "t = []\ndef g():\n    t.append(f(1))\ng()\nreturn await asyncio.gather(*t)",
    "WF6024",
    8,
  ],
  ["gather that is not awaited does nothing", "g = asyncio.gather(f(1))\nreturn 1", "WF6024", 6],
  ["results of gather may not be failures", "return await asyncio.gather(f(1), return_exceptions=True)", "WF6024", 6],
  ["gather takes no values", "return await asyncio.gather(*xs)", "WF6024", 6],
  ["only calls are awaited", "return await xs", "WF6024", 6],
  ["async for has no meaning", "async for x in xs:\n    pass", "WF6024", 6],
  [
    "results that come one by one stop at the first failure",
    "with ThreadPoolExecutor() as p:\n    for r in p.map(str, xs):\n        pass",
    "WF6023",
    7,
  ],
  ["submit has no order", "with ThreadPoolExecutor() as p:\n    p.submit(str, 1)", "WF6023", 7],
  ["a pool is not a value", "with ThreadPoolExecutor() as p:\n    return [p]", "WF6005", 7],
  ["a pool outside of with and map is not a value", "p = ThreadPoolExecutor()\nreturn 1", "WF6005", 6],
  ["the name of a pool is its own", "p = 1\nwith ThreadPoolExecutor() as p:\n    return 1", "WF6023", 7],
  ["two lists have no pairs here", "return list(ThreadPoolExecutor().map(max, xs, xs))", "WF6023", 6],
])("%s", (_what, body, code, line) => {
  expect(findings(body)[0]).toEqual([code, line]);
});

it("refuses a list that is gathered in each pass of a loop around it", () => {
  expect(findings("t = [f(1)]\nfor x in xs:\n    r = await asyncio.gather(*t)\nreturn r")).toEqual([["WF6024", 8]]);
});

it("refuses an async function whose name has another value, and one that yields", () => {
  const of = (source: string): string[] =>
    compile(source, { catalog: builtinCatalog }).diagnostics.map(({ code }) => code);
  expect(of("async def g(x):\n    return x\ng = 1\ndef main():\n    return 1\n")).toContain("WF6024");
  expect(of("async def g(x):\n    yield x\ndef main():\n    return 1\n")).toContain("WF6024");
});

it("calls the entry once when the file runs it at its end", async () => {
  const source = "import asyncio\nasync def main(n: int = 1):\n    print(n)\n    return n\nasyncio.run(main())\n";
  const { ir, diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics).toEqual([]);
  const answer = await hostWith().run({ ir: ir as Ir, frame: { n: 4 } });
  expect(answer).toMatchObject({ ok: true, out: 4, printed: "4\n" });
});
