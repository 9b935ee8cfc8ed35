/**
 * Natives over large values end their slice at once, even in the middle of a block: other work of the process gets its turn
 * after each of them, and nothing of the run's outcome depends on it (docs/bytecode.md, blocks and charges).
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { Limits } from "../../vm/run.ts";
import { comparable } from "../support/executors.ts";
import { type GeneratedRun, runs } from "../support/generators.ts";
import { compileForTest } from "../support/run-case.ts";
import { reference, sliced } from "../support/sliced.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20271);
const SECONDS = 1000;
const LIST = Array.from({ length: 4200 }, (_, i) => (i * 7919) % 4201);
const LONG: JsonObject = { xs: LIST, s: "ab ".repeat(1400), rows: [...LIST, ...LIST].map((k) => ({ k })) };
/** A slice of this many steps has room for one native over any of these. */
const QUANTUM = 64;

function runOf(lines: readonly string[], limits: Limits = { max_steps: 1000 }): GeneratedRun {
  return { source: `${lines.join("\n")}\n`, frame: LONG, limits, allowedAdapters: null };
}

function irOf(run: GeneratedRun): Ir {
  return compileForTest(run.source, false, Object.keys(run.frame));
}

/** What it has, its lines, the slices that end before it does, and those of them after which it can be stored. */
const PROGRAMS: readonly (readonly [what: string, lines: readonly string[], turns: number, moves: number])[] = [
  ["nodes in a row", ["L1:", "  X a sort xs", "  X b reverse xs", "  X c sort b", "  X d sort a", "  J d"], 4, 4],
  ["all kinds of nodes", ["L1:", "  Filt f rows k > 5", "  Sort g rows k desc", "  X j stringify xs", "  J j"], 3, 3],
  ["operations of core", ["L1:", "  R core.SORT xs ->a", "  R core.REVERSE xs ->b", "  J b"], 2, 2],
  ["one node with several", ["L1:", "  X n concat (len (sort xs)) (len (reverse xs))", "  Set z 1", "  J n"], 2, 0],
  ["nested ones at its end", ["L1:", "  Set z 1", "  J (arr (sort xs) (reverse xs))"], 2, 0],
  ["an Err in between", ["L1:", "  X a sort xs", "  X b reverse xs", "  Err ->L2", "  J b", "L2:", "  J 1"], 2, 2],
  [
    "a failure after one",
    ["L1:", "  Set z 1", "  X a sort xs", "  X b fail a", "  Err ->L2", "  Set z 3", "L2:", "  J [z, _error_info]"],
    1,
    1,
  ],
  [
    "a failure between nested ones",
    ["L1:", "  X a concat (sort xs) (div 1 0) (sort xs)", "  Err ->L2", "  Set z 3", "L2:", "  J _error_info"],
    1,
    0,
  ],
  [
    "labels that are part of the block",
    [
      "L1:",
      "  Call L2 ->a",
      "  Call L3 ->b",
      "  Set z 2",
      "  J [a, b, z]",
      "L2:",
      "  X q sort xs",
      "  J q",
      "L3:",
    ].concat("  J (reverse xs)"),
    2,
    1,
  ],
  [
    "the end of a body",
    ["L1:", "  Loop [1, 2, 3] i ->L2 ->L3", "L2:", "  X a add i 1", "  X b sort xs", "L3:", "  J b"],
    3,
    3,
  ],
  [
    "the value of a body",
    ["L1:", "  Loop [1, 2, 3] i ->L2 ->L3", "L2:", "  X a add i 1", "  J (sort xs)", "L3:", "  J _loop_last"],
    6,
    3,
  ],
  ["a condition", ["L1:", "  Set z 1", "  If (len (sort xs)) ->L2 ->L3", "L2:", "  J z", "L3:", "  J 2"], 2, 1],
  [
    "a step that is repeated",
    ["L1:", "  X a sort xs", "  R ext.OP 2 (reverse xs) ->v", "  Retry 3 0", "  X b sort v", "  J b"],
    8,
    5,
  ],
];

describe("a slice ends after a long operation", () => {
  it.each(PROGRAMS)("in a program with %s", async (_title, lines, turns, moves) => {
    const run = runOf(lines);
    const ir = irOf(run);
    const expected = comparable(await reference(ir, run));
    const here = await sliced(ir, run, QUANTUM);
    expect(comparable(here.outcome)).toBe(expected);
    const stored = await sliced(ir, run, QUANTUM, true);
    expect(comparable(stored.outcome)).toBe(expected);
    expect([here.turns, stored.moves]).toEqual([turns, moves]);
    expect((await sliced(ir, run, 10_000)).turns).toBe(0);
  });

  it.each(PROGRAMS)("at whichever step the budget ends, in a program with %s", async (_title, lines) => {
    const ir = irOf(runOf(lines));
    const { usage } = await reference(ir, runOf(lines));
    for (let max_steps = 1; max_steps <= usage.steps; max_steps++) {
      const run = runOf(lines, { max_steps });
      const expected = comparable(await reference(ir, run));
      for (const quantum of [1, 7, QUANTUM]) {
        for (const moved of [false, true])
          expect(comparable((await sliced(ir, run, quantum, moved)).outcome), `${max_steps} ${quantum}`).toBe(expected);
      }
    }
  });

  it("whatever the program", { timeout: 60 * SECONDS }, async () => {
    const long = runs.map(({ limits: { max_frame_bytes: _none, ...limits }, ...run }): GeneratedRun => {
      return { ...run, limits, frame: { ...run.frame, ...LONG, a: LIST } };
    });
    let moves = 0;
    await fc.assert(
      fc.asyncProperty(long, fc.constantFrom(3, 50, QUANTUM), async (run, quantum) => {
        const ir = irOf(run);
        const expected = comparable(await reference(ir, run));
        expect(comparable((await sliced(ir, run, quantum)).outcome), run.source).toBe(expected);
        const stored = await sliced(ir, run, quantum, true);
        expect(comparable(stored.outcome), run.source).toBe(expected);
        moves += stored.moves;
      }),
      { seed: SEED, numRuns: 60, endOnFailure: true },
    );
    expect(moves).toBeGreaterThan(50);
  });
});
