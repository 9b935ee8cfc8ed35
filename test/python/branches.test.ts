/** Branches of Python programs (`parallel`): they overlap, share what they may not change, and give the same from a record or a journal. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Json } from "../../compiler/json.ts";
import type { JournalRecord } from "../../vm/durable/records.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { type Answering, durable, run } from "./support/effects-world.ts";

const echo: Answering = (url) => ({ body: url });
const NOTHING: Answering = () => {
  throw new Error("the log answers");
};

/** Answers only when as many calls wait as are expected at once; the last one first. */
function together(count: number): { readonly answer: Answering; readonly most: () => number } {
  const waiting: (() => void)[] = [];
  let most = 0;
  return {
    most: () => most,
    answer: (url) =>
      new Promise<Json>((resolve) => {
        waiting.push(() => resolve({ body: url }));
        most = Math.max(most, waiting.length);
        if (waiting.length === count) for (const done of waiting.splice(0).reverse()) done();
      }),
  };
}

const FETCH = `
def fetch(x):
    first = http.Get(x).body
    return [first, http.Get(first + "2").body]
def main():
    return [parallel(fetch, ["a", "b", "c", "d"], limit=4), http.Get("last").body]
`;
const FETCHED = [["a", "b", "c", "d"].map((x) => [x, `${x}2`]), "last"];

describe("calls of different branches", () => {
  it("overlap, and their results are in the order of the items", async () => {
    const { answer, most } = together(4);
    const source = FETCH.replace(', http.Get("last").body]', "]");
    expect(await run(source, answer)).toMatchObject({ ok: true, out: [FETCHED[0]] });
    expect(most()).toBe(4);
  });

  it("are at most as many at a time as limit says", async () => {
    const { answer, most } = together(2);
    const source = "def main():\n    return parallel(lambda x: http.Get(x).body, ['a', 'b', 'c', 'd'], limit=2)\n";
    expect(await run(source, answer)).toMatchObject({ ok: true, out: ["a", "b", "c", "d"] });
    expect(most()).toBe(2);
  });
});

describe("what a branch may not change", () => {
  it.each([
    ["a list from around it", "seen = []\n    def f(x):\n        seen.append(x)", 8],
    ["an item", "def f(x):\n        x['done'] = True", 7],
    ["a captured name", "n = 0\n    def f(x):\n        nonlocal n\n        n += 1", 9],
    ["a global", "def f(x):\n        global TOTAL\n        TOTAL = 1", 8],
    ["a set of the file", "def f(x):\n        SEEN.add(1)", 7],
    ["a member of a member", "def f(x):\n        del COUNTS['a']['b']", 7],
  ])("%s is refused where the function is seen", (_what, body, line) => {
    const head = "TOTAL = 0\nSEEN = set()\nCOUNTS = {}\n";
    const { diagnostics } = compile(`${head}\ndef main():\n    ${body}\n    return parallel(f, [{}])\n`, {
      catalog: builtinCatalog,
    });
    expect(diagnostics.map(({ code, span }) => [code, span?.line])).toEqual([["WF6027", line]]);
  });

  it.each([
    ["a list from around it", "seen = []\n    def f(x):\n        own = seen\n        own.append(x)"],
    ["an item", "def f(x):\n        y = x\n        y['done'] = True"],
    ["a captured name", "n = 0\n    def g():\n        nonlocal n\n        n += 1\n    def f(x):\n        g()"],
    ["a global", "def f(x):\n        total()"],
    ["a dict through a helper", "def f(x):\n        put(COUNTS)"],
  ])("%s ends the run where it is not seen", async (_what, body) => {
    const head = "TOTAL = 0\ndef total():\n    global TOTAL\n    TOTAL = 1\nCOUNTS = {}\ndef put(d):\n    d['n'] = 1\n";
    const source = `${head}def main():\n    ${body}\n    return parallel(f, [{}])\n`;
    const answer = await run(source, echo);
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_NOT_EXACT" } });
    expect(JSON.stringify(answer)).toContain("return the value instead");
  });

  it("is not what it made itself, in branches inside of it either", async () => {
    const source = `
def f(x):
    own = [x]
    parallel(lambda y: [y].append(1), own)
    own.append(x)
    return own
def main():
    return parallel(f, [1, 2])
`;
    expect(await run(source, echo)).toMatchObject({
      ok: true,
      out: [
        [1, 1],
        [2, 2],
      ],
    });
  });
});

describe("limits", () => {
  it.each([
    ["max_adapter_calls", "RUNTIME_MAX_ADAPTER_CALLS", 9],
    ["max_steps", "RUNTIME_MAX_STEPS", 0],
    ["max_depth", "RUNTIME_MAX_DEPTH", 2],
  ])("%s is shared with the run, exactly", async (limit, code, needed) => {
    const whole = await run(FETCH, echo);
    const used = needed === 0 ? whole.usage.steps : needed;
    expect(await run(FETCH, echo, { limits: { [limit]: used } as never })).toMatchObject({ ok: true });
    const cut = await run(FETCH, echo, { limits: { [limit]: used - 1 } as never });
    expect(cut).toMatchObject({ ok: false, error: { code } });
  });
});

describe("branches", () => {
  it("give the same when their record answers", async () => {
    const recorded = await run(FETCH, echo, { record: true });
    expect(recorded).toMatchObject({ ok: true, out: FETCHED });
    const replayed = await run(FETCH, NOTHING, { replay: recorded.record as never });
    expect(replayed).toMatchObject({ ok: true, out: FETCHED, usage: { steps: recorded.usage.steps } });
  });

  it("continue wherever the journal ends, and repeat no call that it has", async () => {
    const { answer, records } = await durable(FETCH, echo);
    expect(answer).toMatchObject({ ok: true, out: FETCHED });
    for (let cut = 0; cut <= records.length; cut++) {
      const kept = records.slice(0, cut) as JournalRecord[];
      const made: string[] = [];
      const again: Answering = (url) => {
        made.push(url);
        return { body: url };
      };
      expect((await durable(FETCH, again, kept)).answer).toMatchObject({ ok: true, out: FETCHED });
      expect(made).toHaveLength(9 - kept.filter(({ kind }) => kind === "call").length);
    }
  });

  it("are all repeated by a block around them, with the same ids", async () => {
    const ids: string[] = [];
    let fails = 1;
    const answer: Answering = (url, { callId, attempt }) => {
      ids.push(`${callId} ${attempt}`);
      if (url === "b" && fails-- > 0) throw new AdapterError("ADAPTER_BUSY", "not now", { retryable: true });
      return { body: url };
    };
    const source = `
def main():
    with retry(1):
        return parallel(lambda x: http.Get(x).body, ["a", "b"])
`;
    expect(await run(source, answer)).toMatchObject({ ok: true, out: ["a", "b"] });
    expect(ids).toHaveLength(4);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2).map((id) => id.replace(/ 1$/, " 2")));
  });
});

describe("what branches print", () => {
  const loud = `
def fetch(x):
    print("ask", x)
    answer = http.Get(x).body
    print("got", answer)
    if x == "c":
        raise ValueError(x)
    return parallel(lambda y: print("in", x, y), [1, 2])
def main(settle):
    print("begin")
    parallel(fetch, ["a", "b", "c", "d"], limit=4, settle=settle)
    print("end")
`;
  const lines = (x: string): string => `ask ${x}\ngot ${x}\n${x === "c" ? "" : `in ${x} 1\nin ${x} 2\n`}`;
  const all = ["a", "b", "c", "d"].map(lines).join("");

  it("stands in the order of the items, whichever answers first", async () => {
    const { answer } = together(4);
    expect(await run(loud, answer, { frame: { settle: true } })).toMatchObject({
      ok: true,
      printed: `begin\n${all}end\n`,
    });
  });

  it("is kept of all that ended when one of them fails the run", async () => {
    const { answer } = together(4);
    const { printed } = await run(loud, answer, { frame: { settle: false } });
    expect(printed).toBe(`begin\n${all}`);
  });

  it("is kept of those that had begun when a limit ends the run", async () => {
    const source =
      "def work(x):\n    print(x)\n    while x == 2:\n        pass\ndef main():\n    print('begin')\n    parallel(work, [1, 2, 3], limit=1)\n";
    const answer = await run(source, NOTHING, { limits: { max_steps: 500 } });
    expect(answer).toMatchObject({ ok: false, printed: "begin\n1\n2\n" });
  });
});
