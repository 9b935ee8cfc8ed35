/** The advised limits of a program are enough for its own runs, wherever the program itself shows what they need. */
import { describe, expect, it } from "vitest";
import type { LimitSet } from "../../compiler/ir/graph.ts";
import type { LimitKey } from "../../vm/run.ts";
import { irOf, run, world } from "../support/world.ts";

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;
/** `n` labels, each the only one that the one before it runs. */
const nested = (n: number, step: (next: string) => readonly string[]): string =>
  lines(
    ...Array.from({ length: n }, (_, at) => [
      `L${at + 1}:`,
      ...(at + 1 === n ? ["  J 1"] : step(`L${at + 2}`).map((line) => `  ${line}`)),
    ]).flat(),
  );
const calls = (n: number): string => nested(n, (next) => [`Call ${next} ->x`, "J x"]);
const numbers = (n: number): string => Array.from({ length: n }, (_, at) => at).join(", ");
const suggested = (source: string): LimitSet => irOf(source).execution_requirements.suggested_limits;

const looped = (n: number): string =>
  lines("L1:", `  Loop [${numbers(n)}] i ->L2 ->L3`, "L2:", "  J i", "L3:", "  J 1");
/** A list that is too long for one line. */
const stored = (item: string): string =>
  lines("L1:", `  Set t [${item},`, `    ${item},`, `    ${item}]`, "  J (len t)");
const slept = (ms: string): string => lines("L1:", `  R core.SLEEP ${ms} ->x`, "  J x");

type Row = readonly [what: string, limit: LimitKey, suggestion: number, source: string];

const ENOUGH: readonly Row[] = [
  ["ten nested labels", "max_depth", 10, calls(10)],
  ["twelve nested labels", "max_depth", 24, calls(12)],
  ["branches inside each other", "max_depth", 24, nested(12, (next) => [`If true ->${next} ->${next}`])],
  [
    "a deep branch next to a short one",
    "max_depth",
    26,
    lines("L0:", "  If true ->L1 ->L9s", "L9s:", "  J 0") + calls(12),
  ],
  ["a handler that calls on", "max_depth", 26, lines("L0:", "  R core.DIV 1 0 ->x", "  Err ->L1", "  J x") + calls(12)],
  ["a list that is looped over", "max_loop_iters", 3000, looped(1500)],
  ["a short list that is looped over", "max_loop_iters", 1000, looped(3)],
  ["a list of texts", "max_frame_bytes", 180_020, stored(`"${"x".repeat(30_000)}"`)],
  ["texts of longer characters", "max_frame_bytes", 180_020, stored(`"${"é😀".repeat(5000)}"`)],
  ["a list of maps", "max_frame_bytes", 180_086, stored(`{"key": "${"x".repeat(29_997)}", "n": null}`)],
  ["a sleep", "max_time_ms", 120_000, slept("60000")],
  ["a short sleep", "max_time_ms", 5000, slept("5000")],
  ["steps", "max_steps", 1002, lines("L1:", ...Array.from({ length: 500 }, () => "  Set a 1"), "  J a")],
];

describe("suggested limits", () => {
  it.each(ENOUGH)("are enough for %s", async (_, limit, suggestion, source) => {
    const limits = suggested(source);
    expect(limits[limit as keyof typeof limits]).toBe(suggestion);
    const answer = await run(source, { limits, in: world() });
    expect(answer.ok ? null : answer.error).toBeNull();
  });

  it.each([
    ["recursion", lines("# frame: n", "L1:", "  If n ->L1 ->L2", "L2:", "  J 1"), "max_depth", 200],
    ["a computed sleep", lines("# frame: n", "L1:", "  R core.SLEEP n ->x", "  J x"), "max_time_ms", 5000],
    ["a computed text", lines("# frame: n", "L1:", "  X t concat n n", "  J t"), "max_frame_bytes", 65_536],
    ["labels that nothing leads to", lines("L0:", "  J 1") + calls(30), "max_depth", 10],
  ] as const)("are the recommended ones for %s", (_, source, limit, figure) => {
    expect(suggested(source)[limit]).toBe(figure);
  });

  it("count what lies below a recursion", () => {
    const source = lines("# frame: n", "L0:", "  If n ->L0 ->L1") + calls(300);
    expect(suggested(source).max_depth).toBe(602);
  });
});
