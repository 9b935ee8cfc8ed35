/**
 * The short ways of the machine's loop against the reference: a counting loop that comes back to its own instruction, labels that
 * return null again and again, and records that are made with all their keys at once. At every step limit, quantum, loop limit and size
 * of the frame, and leaving the short way in the middle.
 */
import { describe, expect, it } from "vitest";
import { flatten } from "../../compiler/bytecode/flatten.ts";
import { Op } from "../../compiler/bytecode/opcodes.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { Limits } from "../../vm/run.ts";
import { comparable, type ExecutorName, executor } from "../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

type Case = { readonly name: string; readonly source: string; readonly frame?: JsonObject };

const loop = (body: string, before = "  Set i 0", limit = ""): string =>
  `L1:\n${before}\n  Set c true\n  While c ->L2 ->L3${limit}\nL2:\n${body}\nL3:\n  J i\n`;

const LOOPS: readonly Case[] = [
  { name: "counts", source: loop("  X i add i 1\n  X c lt i 9") },
  { name: "counts in fractions", source: loop("  X i add i 0.5\n  X c lt i 5") },
  { name: "ends by its own limit", source: loop("  X i add i 1\n  X c lt i 50", "  Set i 0", " limit=7") },
  { name: "counts beyond the largest number", source: loop("  X i add i i\n  X c lt 1 2", "  Set i 1e307") },
  { name: "joins texts", source: loop("  X i add i i\n  X c lt 1 2", '  Set i "ab"', " limit=6") },
  { name: "compares texts", source: loop('  X n add n 1\n  X c lt "a" "b"', "  Set i 1\n  Set n 0", " limit=5") },
  { name: "begins with variables that are not set", source: loop("  X i add i 1\n  X c lt i n", "  Set i 0") },
  { name: "changes what it compares with", source: loop("  X n add n -1\n  X c lt i n", "  Set i 0\n  Set n 9") },
  { name: "writes sum and verdict to one variable", source: loop("  X c add i 1\n  X c lt c 0", "  Set i 0") },
  {
    name: "takes its numbers from the caller",
    source: loop("  X i add i a\n  X c lt i b", "  Set i 0"),
    frame: { a: 2, b: 11 },
  },
  {
    name: "adds lists of the caller",
    source: loop("  X i add i a\n  X c lt 1 2", "  Set i []", " limit=4"),
    frame: { a: [1, "x"] },
  },
];

const RETURNS: readonly Case[] = [
  {
    name: "null, again and again",
    source:
      "L1:\n  Set n 4\n  Call L2 ->r\n  J r\nL2:\n  X c lt n 1\n  If c ->L3 ->L4\nL3:\n  Set z n\nL4:\n  X n sub n 1\n  Call L2 ->r\n",
  },
  {
    name: "null over null, after another label gave a number",
    source: `L1:
  Set n 2
  Call L2 ->r
  Set n 2
  Call L5 ->q
  Set n 0
  Call L2 ->r
  J _call_result
L2:
  X c lt n 1
  If c ->L3 ->L4
L3:
  Set z n
L4:
  X n sub n 1
  Call L2 ->r
L5:
  X c lt n 1
  If c ->L6 ->L7
L6:
  J 5
L7:
  X n sub n 1
  Call L5 ->q
  J q
`,
  },
  {
    name: "null where a list was",
    source:
      "L1:\n  Set n 3\n  Set r []\n  Call L2 ->r\n  J r\nL2:\n  X r push r n\n  X n sub n 1\n  X c lt 0 n\n  If c ->L3\nL3:\n  Call L2 ->r\n",
  },
  {
    name: "numbers, lists and null in turn",
    source:
      "L1:\n  Set n 6\n  Call L2 ->r\n  Call L2 ->q\n  J r\nL2:\n  X n sub n 1\n  X c lt 0 n\n  If c ->L3 ->L5\nL3:\n  Call L2 ->s\n  X m mod n 3\n  X two eq m 2\n  If two ->L4 ->L6\nL4:\n  X l arr n s\n  J l\nL5:\n  J n\nL6:\n  X odd eq m 1\n  If odd ->L5\n",
  },
];

const record = (body: string, before = ""): string => `L1:\n${before}${body}  J r\n`;
const puts = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  X r put r "k${at}" ${at}\n`).join("");

const RECORDS: readonly Case[] = [
  { name: "of three keys", source: record('  X r obj "id" x\n  X r put r "name" "bob"\n  X r put r "ok" true\n') },
  { name: "of more keys than are made at once", source: record(`  X r obj "first" x\n${puts(20)}`) },
  {
    name: "with one key twice",
    source: record('  X r obj "a" x\n  X r put r "b" 22\n  X r put r "b" 3\n  X r put r "a" []\n'),
  },
  {
    name: "whose variable key is a later key too",
    source: record('  X r obj k x\n  X r put r "a" 2\n  X r put r k 3\n  X r put r "b" 4\n', '  Set k "a"\n'),
  },
  {
    name: "whose chosen key is an earlier one",
    source: record('  X r obj "a" x\n  X r put r (ite c "a" "b") 2\n  X r put r "b" 3\n', "  Set c true\n"),
  },
  {
    name: "that is put into itself",
    source: record('  X r obj "a" x\n  X r put r "r" r\n  X r put r "s" r\n  X r put r "t" 1\n', "  Set r 5\n"),
  },
  {
    name: "around what was there",
    source: record('  X r obj "old" r\n  X r put r "x" 1\n', "  Set r []\n  X r push r 1\n"),
  },
  {
    name: "that is a key of itself",
    source: record('  X r obj "a" x\n  X r put r r 2\n  X r put r "b" 3\n', '  Set r "k"\n'),
  },
  {
    name: "that holds a list which grows afterwards",
    source: record(
      '  X r obj "l" l\n  X r put r "m" l\n  X l push l 2\n  X r put r "n" l\n  X l push l 3\n',
      "  Set l []\n  X l push l 1\n",
    ),
  },
  {
    name: "that is held twice before it grows",
    source: record('  X r obj "a" x\n  X r put r "b" 2\n  Set q r\n  X r put r "c" 3\n  X r put r "d" q\n'),
  },
  {
    name: "with a path among its keys",
    source: record('  X r obj "a" x\n  X r put r "b" 1\n  X r put r "c.d" 2\n  X r put r "c.e" 3\n  X r put r "f" 4\n'),
  },
  {
    name: "with paths",
    source: record('  X r obj "a.b" x\n  X r put r "c.d" 2\n  X r put r "c.e" 3\n  X r put r "f" 4\n'),
  },
  {
    name: "with numbers and names of JavaScript as keys",
    source: record(
      '  X r obj "1" x\n  X r put r 2 "y"\n  X r put r "__proto__" 5\n  X r put r "toString" 6\n  X r put r "constructor" 7\n  X r put r "" 8\n',
    ),
  },
  { name: "of values that are not set", source: record('  X r obj "a" n\n  X r put r "b" n\n  X r put r "c" 1\n') },
  {
    name: "where a larger value was",
    source: record('  X r obj "a" x\n  X r put r "b" 2\n', '  Set r "a text of some forty bytes, which is more"\n'),
  },
  { name: "begun as a copy of another", source: record('  X r put q "b" 2\n  X r put r "c" 3\n', '  X q obj "a" x\n') },
  {
    name: "made again and again",
    source:
      'L1:\n  Set rows []\n  Loop ids i ->L2 ->L3\nL2:\n  X r obj "id" i\n  X r put r "half" (div i 2)\n  X r put r "rows" rows\n  X r put r "x" 1\n  X rows push rows r\nL3:\n  J rows\n',
    frame: { ids: [1, 2.5, "x", null] },
  },
];

async function agree({ name, source, frame = {} }: Case, limits: Limits, quantum = 10_000): Promise<number> {
  const ir = compileForTest(source, false, [...Object.keys(frame), "n"]);
  const outcomes = [];
  for (const by of ["reference", "machine"] satisfies ExecutorName[]) {
    const clock = fakeClock();
    const given = { clock, facts: fakeFacts(), adapters: mockAdapters(clock), finalFrame: true, trace: false };
    outcomes.push(await executor(by, testCatalog)(ir, { ...given, frame, limits, quantum, allowedAdapters: null }));
  }
  const [reference, machine] = outcomes.map(comparable);
  expect(machine, `${name} ${JSON.stringify({ limits, quantum })}`).toBe(reference);
  return outcomes[0]?.usage.steps ?? 0;
}

describe("a loop that comes back to its own instruction", () => {
  it("is what the first of these programs has", () => {
    const ir = compileForTest(loop("  X i add i 1\n  X c lt i 9"), false, []);
    const { code } = flatten(ir, "1").variant("fast");
    const at = code.indexOf(Op.AddWhileNextLt);
    expect(code[at + 8]).toBe(at);
  });
});

// With a value of the caller's, because the compiler makes constant records itself.
const GIVEN_RECORDS = RECORDS.map((given) => ({ frame: { x: 7 }, ...given }));

describe.each([...LOOPS, ...RETURNS, ...GIVEN_RECORDS])("$name", (given) => {
  const base: Limits = { max_frame_bytes: 100_000 };

  it("at every step limit", async () => {
    const steps = await agree(given, base);
    expect(steps).toBeGreaterThan(2);
    for (let most = 1; most <= Math.min(steps, 80) + 1; most++) await agree(given, { ...base, max_steps: most });
  });

  it("in slices of every length", async () => {
    for (const quantum of [1, 2, 3, 5, 7]) await agree(given, base, quantum);
  });

  it("at every loop limit and size of the frame", async () => {
    for (let most = 1; most <= 12; most++) await agree(given, { ...base, max_loop_iters: most });
    for (let bytes = 8; bytes <= 160; bytes++) await agree(given, { max_frame_bytes: bytes });
  });
});
