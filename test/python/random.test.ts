/** The module random: what it draws is an answer of the host, and what it makes of it is in the range that CPython names. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { compiled, hostWith } from "./support/weft.ts";

function irOf(expression: string): Ir {
  const made = compiled(`import random\n\n\ndef main(xs=[1, 2, 3, 4, 5]):\n    return ${expression}\n`);
  if ("refused" in made) throw new Error(JSON.stringify(made.refused));
  return made.ir;
}

function drawing(expression: string, more: object = {}) {
  const ir = irOf(expression);
  return (uuid: string) => {
    const host = hostWith(new Map(), { facts: { uuid: () => uuid, env: () => undefined } });
    return host.run({ ir, frame: {}, outText: true, ...more });
  };
}

const LEAST = "00000000-0000-4000-8000-000000000000";
const MOST = "ffffffff-ffff-4fff-bfff-ffffffffffff";

describe("the ends of what is drawn", () => {
  it.each([
    ["random.random()", 0, 1 - 2 ** -53],
    ["random.uniform(2, 4)", 2, 4],
    ["random.randint(1, 6)", 1, 6],
    ["random.randint(-(2 ** 70), 2 ** 70) // 2 ** 70", -1, 1],
    ["random.randrange(10)", 0, 9],
    ["random.randrange(5, 0, -2)", 5, 1],
    ["random.randrange(3, 4.0)", 3, 3],
    ["random.choice(xs)", 1, 5],
    ['random.choice("ab")', "a", "b"],
  ])("%s is from %s to %s", async (expression, least, most) => {
    const draw = drawing(expression);
    expect(await draw(LEAST)).toMatchObject({ ok: true, out: least, usage: { adapter_calls: 1 } });
    const last = await draw(MOST);
    if (typeof most === "number") expect(last.ok && last.out).toBeCloseTo(most, 9);
    else expect(last).toMatchObject({ ok: true, out: most });
  });
});

it("an order, a sample and choices have the elements that they should", async () => {
  const shuffled = drawing("[random.shuffle(xs), sorted(xs)]");
  const sampled = drawing("sorted(random.sample(range(10), k=10))");
  const chosen = drawing("[set(random.choices(xs, k=9)) <= set(xs), random.choices(xs, weights=[0, 0, 1, 0, 0], k=2)]");
  await fc.assert(
    fc.asyncProperty(fc.uuid({ version: 4 }), async (uuid) => {
      expect(await shuffled(uuid)).toMatchObject({ out: [null, [1, 2, 3, 4, 5]] });
      expect(await sampled(uuid)).toMatchObject({ out: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
      expect(await chosen(uuid)).toMatchObject({ out: [true, [3, 3]] });
    }),
    { numRuns: 30 },
  );
});

it("every element of five is first in a fifth of the orders, or nearly", async () => {
  const first = drawing("random.sample(xs, 1)[0]");
  const counts = new Map<unknown, number>();
  for (let run = 0; run < 1000; run++) {
    const digits = ((run * 2654435761) % 2 ** 32).toString(16).padStart(8, "0");
    const answer = await first(`${digits}-${digits.slice(4)}-4000-8000-${digits}${digits.slice(0, 4)}`);
    if (answer.ok) counts.set(answer.out, (counts.get(answer.out) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5]);
  for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(60);
});

it.each([
  ["random.randint(5, 3)", "ValueError: empty range for randrange() (5, 4, -1)"],
  ["random.randrange(0)", "ValueError: empty range for randrange()"],
  ["random.randrange(5, 0, 2)", "ValueError: empty range for randrange()"],
  ["random.randrange(5, 0)", "ValueError: empty range for randrange() (5, 0, -5)"],
  ["random.choice(5)", "TypeError: object of type 'int' has no len()"],
  ["random.randrange(1, 5, 0)", "ValueError: zero step for randrange()"],
  ["random.randrange(1.5)", "ValueError: non-integer arg 1 for randrange()"],
  ["random.choice([])", "IndexError: Cannot choose from an empty sequence"],
  ["random.sample(xs, 6)", "ValueError: Sample larger than population or is negative"],
  ["random.sample({1}, 1)", "TypeError: Population must be a sequence.  For dicts or sets, use sorted(d)."],
  ["random.choices(xs, weights=[1])", "ValueError: The number of weights does not match the population"],
  ["random.shuffle((1, 2))", "TypeError: 'tuple' object does not support item assignment"],
])("%s raises as CPython does", async (expression, message) => {
  expect(await drawing(expression)(LEAST)).toMatchObject({ ok: false, error: { message } });
});

it("a replay gives what was drawn", async () => {
  const first = await drawing("[random.random(), random.sample(xs, 5)]", { record: true })(MOST);
  const replay: unknown = JSON.parse(JSON.stringify(first.record));
  const again = await drawing("[random.random(), random.sample(xs, 5)]", { replay })(LEAST);
  expect(again).toMatchObject({ ok: true, out: first.ok && first.out });
});

it.each(["random.seed(1)", "random.Random(1).random()", "random.gauss(0, 1)"])("%s is refused", (call) => {
  const { ir, diagnostics } = compile(`import random\n\n\ndef main():\n    return ${call}\n`, {
    catalog: builtinCatalog,
  });
  expect(ir).toBeNull();
  expect(diagnostics[0]).toMatchObject({ code: "WF6002" });
});
