/** Objects with keys that look like whole numbers: every way to make one gives the same value, text and hash. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { realClock } from "../service/serving.ts";
import { comparable, type ExecutorName, executor } from "../support/executors.ts";
import { fakeClock, fakeFacts } from "../support/mock-adapters.ts";
import { catalog, compiled } from "../support/world.ts";

const KEY = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom("4294967294", "4294967295", "01", "-1", "1.5", "a", "b", "_", "__proto__", "\u00e9"),
);
const ENTRIES = fc.uniqueArray(fc.tuple(KEY, fc.integer({ min: 0, max: 9 })), {
  selector: ([key]) => key,
  maxLength: 7,
});

const program = (entries: readonly (readonly [string, number])[]): string => {
  const json = `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}`;
  const puts = entries.map(([key, value]) => `  X put_ put put_ [${JSON.stringify(key)}] ${value}`).join("\n");
  const parts = entries.map(([key, value]) => `{${JSON.stringify(key)}: ${value}}`).join(" ");
  const names = entries.map(([key]) => JSON.stringify(key)).join(", ");
  return [
    "# frame: o",
    "L1:",
    `  Set lit ${json}`,
    `  X parsed parse '${json}'`,
    `  Set put_ {}\n${puts}`,
    `  X merged merge ${parts}`,
    `  X picked pick parsed [${names}]`,
    "  R core.ECHO lit ->answered",
    "  Set all [lit, parsed, put_, merged, picked, answered, o]",
    "  J all",
  ].join("\n");
};

describe("objects with any keys", () => {
  it("are equal, and have one text, whichever way they were made", async () => {
    await fc.assert(
      fc.asyncProperty(ENTRIES, async (entries) => {
        const frame = `{"o": {${entries.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}}`;
        const { stdout, stderr } = await wf(["run", "-", "--frame", frame], { stdin: `${program(entries)}\n` });
        expect(stderr).toBe("");
        const made = JSON.parse(stdout) as { [key: string]: number }[];
        const texts = new Set(made.map((value) => JSON.stringify(value)));
        expect(texts.size).toBe(1);
        expect(new Set(made.map(canonicalJson)).size).toBe(1);
        expect(Object.keys(made[0] ?? {}).sort()).toEqual(entries.map(([key]) => key).sort());
      }),
      { numRuns: 40 },
    );
  });

  it("come in the documented order", async () => {
    const stdin = `${program([
      ["b", 1],
      ["10", 2],
      ["9", 3],
      ["01", 4],
    ]).replace("J all", "J (keys lit)")}\n`;
    expect((await wf(["run", "-", "--frame", '{"o": 1}'], { stdin })).stdout).toMatch(/"9",\s+"10",\s+"b",\s+"01"/);
  });
});

type Entries = readonly (readonly [string, number])[];

const jsonOf = (entries: Entries): string =>
  `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}`;
/** As an adapter hands it over: parsed from text, so that `__proto__` is a key. */
const objectOf = (entries: Entries): JsonObject => JSON.parse(jsonOf(entries));

/** Every way to make the object, and what `eq`, `stringify` and `hash` say of each. */
const comparing = (entries: Entries): string => {
  const ways = ["lit", "parsed", "put_", "merged", "picked", "answered", "at_once", "later", "reversed", "o"];
  return [
    program(entries).replace(/ {2}Set all.*$/s, ""),
    "  R ext.AtOnce ->at_once",
    "  R ext.Later ->later",
    "  R ext.Reversed ->reversed",
    ...ways.flatMap((way) => [
      `  X eq_${way} eq lit ${way}`,
      `  X nested_${way} eq [{k: lit}] [{k: ${way}}]`,
      `  X text_${way} stringify ${way}`,
      `  X hash_${way} hash text_${way}`,
    ]),
    ...["eq", "nested", "text", "hash"].map(
      (what) => `  Set ${what}s {${ways.map((way) => `${way}: ${what}_${way}`).join(", ")}}`,
    ),
    `  Set values [${ways.join(", ")}]`,
    '  J {"eqs": eqs, "nested": nesteds, "texts": texts, "hashes": hashs, "values": values}',
    "",
  ].join("\n");
};

type Compared = {
  readonly eqs: { readonly [way: string]: boolean };
  readonly nested: { readonly [way: string]: boolean };
  readonly texts: { readonly [way: string]: string };
  readonly hashes: { readonly [way: string]: string };
  readonly values: readonly Json[];
};

async function outcomeOf(name: ExecutorName, entries: Entries) {
  const { ir } = compiled(comparing(entries), { strict: false });
  if (ir === null) throw new Error("the program does not compile");
  const ext = plainAdapter("ext", {
    AtOnce: () => objectOf(entries),
    Later: async () => objectOf(entries),
    Reversed: () => objectOf([...entries].reverse()),
  });
  const clock = fakeClock();
  const adapters = new Map([["ext", ext]]);
  return executor(name, catalog)(ir, { frame: { o: objectOf(entries) }, adapters, clock, facts: fakeFacts() });
}

describe("objects with any keys, on both executors", () => {
  it("are equal, and have one text and hash, also as answers of adapters", async () => {
    await fc.assert(
      fc.asyncProperty(ENTRIES, async (entries) => {
        const machine = await outcomeOf("machine", entries);
        expect(comparable(machine)).toBe(comparable(await outcomeOf("reference", entries)));
        if (!machine.ok) throw new Error(machine.error.message);
        const { eqs, nested, texts, hashes, values } = machine.out as unknown as Compared;
        expect(new Set([...Object.values(eqs), ...Object.values(nested)])).toEqual(new Set([true]));
        // Names keep the order in which they were written; an object that was written backwards is equal all the same.
        const { reversed: _text, ...sameText } = texts;
        const { reversed: _hash, ...sameHash } = hashes;
        expect(new Set(Object.values(sameText)).size).toBe(1);
        expect(new Set(Object.values(sameHash)).size).toBe(1);
        expect(new Set(values.map(canonicalJson)).size).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["another value", [["10", 1]], [["10", 2]]],
    ["another key", [["10", 1]], [["010", 1]]],
    [
      "one key more",
      [["10", 1]],
      [
        ["10", 1],
        ["9", 1],
      ],
    ],
  ] as const)("are not equal with %s", async (_, one, other) => {
    const stdin = `L1:\n  Set a ${jsonOf(one)}\n  Set b ${jsonOf(other)}\n  X same eq a b\n  J same\n`;
    expect((await wf(["run", "-"], { stdin })).stdout).toBe("false\n");
    expect(canonicalJson(objectOf(one))).not.toBe(canonicalJson(objectOf(other)));
  });

  it("come back from the stores of memory and cache as they went in", async () => {
    const entries = [["b", 1], ["10", 2], ["9", 3], ["a", 4], ["__proto__", 5]] as const; // biome-ignore format: one row
    const stdin = [
      "L1:",
      `  Set lit ${jsonOf(entries)}`,
      '  R memory.put "session" "note" "n1" lit null {} ->put_',
      '  R memory.get "session" "note" "n1" ->got',
      '  R cache.Set "ns" "k" lit ->set_',
      '  R cache.Get "ns" "k" ->cached',
      "  Set stored got.record.payload",
      "  X same eq lit stored",
      "  X cached_same eq lit cached",
      "  J [same, cached_same, lit, stored, cached]",
      "",
    ].join("\n");
    const flags = ["--memory-db", "memory.db", "--cache-path", "cache.db"];
    const { stdout, stderr } = await wf(["run", "-", ...flags], { stdin, cwd: folderWith({}), clock: realClock });
    expect(stderr).toBe("");
    const [same, cachedSame, ...values] = JSON.parse(stdout) as Json[];
    expect([same, cachedSame]).toEqual([true, true]);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(1);
  });
});
