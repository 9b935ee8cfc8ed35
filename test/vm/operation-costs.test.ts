/**
 * No operation holds the thread: every function, step and instruction is in the table of docs/costs.md, and those over large values
 * look at the clock every bounded number of units and give other work its turn when their slice is over. All of it is counted, so
 * that no machine is too slow for it; `test/measured/operation-times.test.ts` measures the times.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { INSTRUCTIONS } from "../../compiler/bytecode/opcodes.ts";
import { FUNCTIONS } from "../../compiler/functions.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { createHost } from "../../vm/host.ts";
import { SLICE_MS } from "../../vm/tasks/task.ts";
import { LONG, LOOK, type Operation, program, sortedRows } from "../support/long-operations.ts";
import { looksOf } from "../support/looks.ts";
import { fakeFacts } from "../support/mock-adapters.ts";
import { testCatalog } from "../support/run-case.ts";

const PAGE = readFileSync(fileURLToPath(new URL("../../docs/costs.md", import.meta.url)), "utf8");
/** Units between two looks at the clock, where the engine does nothing in one go: some milliseconds. */
const MAX_UNITS = 1 << 18;
/** Looks, each of them a millisecond, between two turns of other work. */
const MAX_LOOKS = SLICE_MS + 6;
/** What an operation over these values charges at least: more than one look at a text. */
const FEWEST_UNITS = 300_000;
const SECONDS = 1000;

const names = (section: string): ReadonlySet<string> => {
  const rows = PAGE.split(`## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  return new Set(
    [...rows.matchAll(/^\| ([^|]+)\|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    ),
  );
};

describe("docs/costs.md has a row for every", () => {
  it("function", () => {
    expect([...names("Functions")].sort()).toEqual(FUNCTIONS.map(({ name }) => name).sort());
  });

  it("instruction", () => {
    expect([...names("Instructions")].sort()).toEqual(INSTRUCTIONS.map(({ name }) => name).sort());
  });
});

describe("the thread is not held by", () => {
  /** Units that making the values takes. */
  const made = new Map<string, number>();
  const unitsBefore = async ({ values }: Operation): Promise<number> => {
    const key = values.join();
    const units = made.get(key) ?? (await looksOf(program(...values, "J 1"))).units;
    made.set(key, units);
    return units;
  };

  it.each(LONG.map((one) => [one.what, one] as const))("%s", { timeout: 60 * SECONDS }, async (_what, operation) => {
    const { values, lines, engine = LOOK } = operation;
    const { answer, ...counted } = await looksOf(program(...values, ...lines, "J 1"));
    expect(answer).toMatchObject({ ok: true, out: 1 });
    expect(counted.turns).toBeGreaterThan(0);
    expect(counted.mostUnits).toBeLessThanOrEqual(MAX_UNITS + engine);
    expect(counted.mostLooks).toBeLessThanOrEqual(MAX_LOOKS);
    expect(counted.units - (await unitsBefore(operation))).toBeGreaterThanOrEqual(FEWEST_UNITS);
  });

  it.each([
    ["k > 500", "Filt x rows k > 500"],
    ["t ==", 'Filt x rows t == "row 7"'],
    ["l ==", "Filt x rows l == [7]"],
  ])("Filt %s, and Sort by each kind of field", { timeout: 60 * SECONDS }, async (_title, step) => {
    const source = program(step, "Sort a rows k asc", "Sort b rows t desc", "Sort c rows l asc", "J 1");
    const { mostUnits, mostLooks, units } = await looksOf(source, { rows: sortedRows });
    expect(mostUnits).toBeLessThanOrEqual(MAX_UNITS);
    expect(mostLooks).toBeLessThanOrEqual(MAX_LOOKS);
    expect(units).toBeGreaterThanOrEqual(FEWEST_UNITS);
  });
});

/** Work in the product of sizes. */
const lists = (count: number): readonly (readonly number[])[] =>
  Array.from({ length: count }, (_, at) => Array.from({ length: count }, (_none, i) => (i === count - 1 ? at : i)));
const ENDLESS: readonly (readonly [what: string, source: string, frame: JsonObject, limitMs: number])[] = [
  [
    "Filt in a list of numbers",
    program("X s range 1000000 3000000", "Filt x o p in s", "J 1"),
    { o: Array.from({ length: 100_000 }, (_, p) => ({ p })) },
    150,
  ],
  [
    "Filt in a list of lists",
    program("Filt x o p in s", "J 1"),
    { o: lists(400).map((list) => ({ p: [...list.slice(0, -1), 999] })), s: lists(400) },
    60,
  ],
  [
    "contains of a long needle",
    program("X x contains a n", "X y contains a n", "X z contains a n", "J 1"),
    { a: "a".repeat(1_500_000), n: `${"a".repeat(1_500_000)}b` },
    20,
  ],
];

describe("a time limit holds during", () => {
  it.each(ENDLESS)("%s", { timeout: 60 * SECONDS }, async (_title, source, frame, max_time_ms) => {
    const { answer, mostLooks, mostUnits } = await looksOf(source, frame, { max_time_ms });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME" } });
    expect(answer.usage.time_ms - max_time_ms).toBeLessThanOrEqual(4);
    expect(mostLooks).toBeLessThanOrEqual(MAX_LOOKS);
    expect(mostUnits).toBeLessThanOrEqual(MAX_UNITS);
  });
});

describe("a text with one character outside the basic plane", () => {
  const walk = program("Set c 0", "Loop (range (len text)) i ->L2 ->L4").concat(
    'L2:\n  X ch substr text i 1\n  If ch == "7" ->L3\nL3:\n  X c add c 1\n  J null\nL4:\n  J [(len text), c]\n',
  );

  it("is cut one by one with about the work of one without", { timeout: 60 * SECONDS }, async () => {
    const plain = await looksOf(walk, { text: "abc7".repeat(20_000) });
    const paired = await looksOf(walk, { text: `${"abc7".repeat(20_000)}😀` });
    expect(plain.answer).toMatchObject({ out: [80_000, 20_000] });
    expect(paired.answer).toMatchObject({ out: [80_001, 20_000] });
    expect(paired.units).toBeLessThan(1.1 * plain.units);
  });
});

describe("an operation that is cancelled", () => {
  it("ends within its slice", async () => {
    const controller = new AbortController();
    let [now, turns, abortedAt] = [0, 0, Number.NaN];
    const clock = { now: () => ++now, wall: () => 0, wait: () => () => {} };
    const deps = { clock, facts: fakeFacts(), catalog: testCatalog, adapters: new Map(), traceId: () => "t" };
    const turn = (then: () => void): void => {
      turns += 1;
      // Its frame is loaded by then.
      if (turns === 20) {
        abortedAt = now;
        controller.abort("enough");
      }
      setImmediate(then);
    };
    const host = createHost({ ...deps, turn });
    const source = program("X s range 1000000 3000000", "Filt x o p in s", "J 1");
    const { ir } = host.compile(source, { strict: false, inputs: ["o"] });
    if (ir === null) throw new Error("does not compile");
    const o = Array.from({ length: 50_000 }, (_, p) => ({ p }));
    const run = host.run({ ir, frame: { o }, signal: controller.signal });
    expect(await run).toMatchObject({ ok: false, error: { code: "RUNTIME_CANCELLED" } });
    expect(now - abortedAt).toBeLessThanOrEqual(MAX_LOOKS);
  });
});
