/**
 * Time limits hold whatever a step looks at: work that grows with a value is charged, so that the clock is read in between. The clock
 * of these tests moves on by a millisecond each time somebody reads it, and stands still else.
 */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../compiler/json.ts";
import { createHost } from "../../vm/host.ts";
import { equal } from "../../vm/values/compare.ts";
import { filterList, sortList } from "../../vm/values/filter-sort.ts";
import { fakeFacts } from "../support/mock-adapters.ts";
import { testCatalog } from "../support/run-case.ts";

const UNITS = 1 << 20;
const letters = "Āb".repeat(UNITS / 2);
const frame: JsonObject = {
  text: letters,
  same: `${letters} `.slice(0, -1),
  // What is well-formed is measured once.
  broken: `\ud83d${letters}`,
  dots: ".".repeat(UNITS),
  digits: `${"0".repeat(UNITS)}1`,
  texts: Array.from({ length: 4000 }, (_, at) => letters.slice(0, 500) + at),
  object: { a: 1 },
};

/** How often the clock was read in forty rounds of `body`, of a run that has all the time it wants. */
async function readings(body: string, before = ""): Promise<number> {
  let now = 0;
  const host = createHost({
    clock: { now: () => ++now, wall: () => 0, wait: () => () => {} },
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map(),
    traceId: () => "t",
  });
  const source = `L1:\n  Set n 0\n${before}  While n < 40 ->L2 ->L3\nL2:\n  X n add n 1\n  ${body}\nL3:\n  J n\n`;
  const { ir, diagnostics } = host.compile(source, { strict: false, inputs: Object.keys(frame) });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  const answer = await host.run({ ir, frame, limits: { max_time_ms: 1_000_000 } });
  expect(answer).toMatchObject({ ok: true, out: 40 });
  return now;
}

describe("the clock is read while a run", () => {
  it.each([
    ["puts a value at a path of empty parts", "X q put {} dots 1"],
    ["gets one from there", "X q get object dots"],
    ["gets a long key", "X q get object text"],
    ["makes an object of a long text", 'X q obj "a" broken'],
    ["makes a record of long texts", 'X q obj "a" n\n  X q put q "b" broken\n  X q put q "c" broken'],
    ["makes a list of one", "X q arr broken"],
    ["writes a list", "Set q [broken]"],
    ["writes an object", 'Set q {"a": [broken]}'],
    ["pushes one", "X q push [] broken"],
    ["compares equal texts", "X q eq text same"],
    ["compares them in lists", "X q ne [text] [same]"],
    ["asks for their beginning", "X q startswith text same"],
    ["asks for their end", "X q endswith text same"],
    ["reads a number of a million digits", "X q add digits 1"],
    ["joins lists of texts", "X q add texts texts"],
    ["turns one round", "X q reverse texts"],
    ["looks for the least text", "X q min texts"],
  ])("%s", async (_title, body) => {
    const idle = await readings("Set q 1");
    expect(await readings(body)).toBeGreaterThanOrEqual(idle + 20);
  });

  it("replaces a long text in an object", async () => {
    const before = '  X o obj "a" 1\n  X long concat dots dots\n';
    const idle = await readings('X o put o "a" 2', before);
    expect(await readings('X o put o "a" long', before)).toBeGreaterThanOrEqual(idle + 20);
  });
});

describe("a run gives its slice up while it", () => {
  it.each([
    ["loops over long texts", "Loop texts item ->L2 ->L3\nL2:\n  Set q 1"],
    [
      "stores long texts",
      "Set c true\n  While c ->L2 ->L3 limit=10\nL2:\n  Set q text\n  Set q 1\n  X n add n 1\n  X c lt n 10",
    ],
  ])("%s near the limit of its frame", async (_title, body) => {
    let turns = 0;
    const clock = { now: () => 0, wall: () => 0, wait: () => () => {} };
    const host = createHost({
      clock,
      facts: fakeFacts(),
      catalog: testCatalog,
      adapters: new Map(),
      traceId: () => "t",
      turn: (then) => {
        turns += 1;
        setImmediate(then);
      },
    });
    const given = { text: letters, one: [letters], texts: Array.from({ length: 10 }, () => letters) };
    // Sizes are booked exactly once the frame has been near its limit a few times. Only of an element the exact size is not known yet.
    const near = "  Set q one.0\n  Set q 1\n".repeat(4);
    const source = `L1:\n  Set n 0\n${near}  ${body}\nL3:\n  J n\n`;
    const { ir, diagnostics } = host.compile(source, { strict: false, inputs: Object.keys(given) });
    if (ir === null) throw new Error(JSON.stringify(diagnostics));
    const inLimit = (frame: JsonObject) =>
      host.run({ ir, frame, limits: { max_frame_bytes: Buffer.byteLength(JSON.stringify(frame)) + 3_000_000 } });
    expect(await inLimit({ ...given, texts: [] })).toMatchObject({ ok: true });
    const idle = turns;
    turns = 0;
    expect(await inLimit(given)).toMatchObject({ ok: true });
    expect(turns).toBeGreaterThanOrEqual(body.startsWith("Loop") ? idle + 8 : 8);
  });
});

describe("work of one operation", () => {
  const counting = () => {
    const meter = {
      units: 0,
      charge(units: number) {
        meter.units += units;
      },
    };
    return meter;
  };
  const rows = Array.from({ length: 3000 }, () => ({ f: letters.slice(0, 2000) }));

  it.each(["<", ">=", "=="])("Filt %s counts the units of its texts", (cmp) => {
    const meter = counting();
    filterList(rows, "f", cmp, `${letters.slice(0, 1999)}!`, meter);
    expect(meter.units).toBeGreaterThan(3000 * 100);
  });

  it("so does Sort, when it looks for surrogates", () => {
    const meter = counting();
    sortList(rows.slice(0, 2), "f", "asc", meter);
    const few = meter.units;
    sortList(rows, "f", "asc", meter);
    expect(meter.units - few).toBeGreaterThan(2 * 3000 * 100);
  });

  it("equality counts the keys of an object for each element it is compared with", () => {
    const meter = counting();
    const large = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, at]));
    for (const row of rows.slice(0, 100)) expect(equal(row, large, meter)).toBe(false);
    expect(meter.units).toBeGreaterThan(100 * 5000);
  });
});
