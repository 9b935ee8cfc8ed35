/** The three variants of a program are one program: fused, stepped and traced code give the same outcome. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import type { Outcome } from "../../../vm/run.ts";
import { looseIr, runProgram } from "../../support/bytecode.ts";
import { comparable } from "../../support/executors.ts";
import { aliasingRuns, FRAME_CEILING, type GeneratedRun, runs } from "../../support/generators.ts";
import { compileForTest, effectiveLimits, expandFrame, loadRunCases } from "../../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20261);
const SECONDS = 1000;

/** Events are a matter of the traced variant alone. */
function plain(outcome: Outcome): string {
  const { trace: _trace, ...rest } = outcome;
  return comparable(rest as Outcome);
}

describe("fused, stepped and traced code give the same", () => {
  it.each(loadRunCases().map((one) => [one.name, one] as const))("case %s", async (_, one) => {
    const frame = expandFrame(one.frame);
    const ir = compileForTest(one.source, one.strict, Object.keys(frame));
    const entry = one.label?.replace(/^(->)?L?/, "") ?? ir.entry ?? "";
    const program = flatten(ir, entry, foldCall);
    const limits = effectiveLimits(one.limits);
    const fast = plain(await runProgram(program, { kind: "fast", frame, limits }));
    expect(plain(await runProgram(program, { kind: "stepped", frame, limits }))).toBe(fast);
    expect(plain(await runProgram(program, { kind: "traced", frame, limits }))).toBe(fast);
  });

  it("generated programs, and exchanged anywhere on the way", { timeout: 60 * SECONDS }, async () => {
    const check = async (run: GeneratedRun): Promise<void> => {
      const ir = looseIr(run.source, Object.keys(run.frame));
      if (ir === null || ir.entry === null) return;
      const program = flatten(ir, ir.entry, foldCall);
      const all = { ...run, frameCeilingBytes: FRAME_CEILING };
      const full = await runProgram(program, all);
      const steps = full.usage.steps;
      for (const max_steps of [run.limits.max_steps, 1, steps - 1, Math.ceil(steps / 2), Math.ceil(steps / 3)]) {
        const limits = max_steps === undefined || max_steps < 1 ? run.limits : { ...run.limits, max_steps };
        const fast = plain(await runProgram(program, { ...all, limits }));
        expect(plain(await runProgram(program, { ...all, limits, kind: "stepped" })), run.source).toBe(fast);
        expect(plain(await runProgram(program, { ...all, limits, kind: "traced" })), run.source).toBe(fast);
      }
    };
    await fc.assert(fc.asyncProperty(fc.oneof(runs, aliasingRuns), check), { seed: SEED, numRuns: 200 });
  });
});

it.each([
  ["Loops", "Loop [1] i ->L6 ->L7", 1],
  ["Whiles", "While n < 2 ->L6 ->L7", 1],
  ["a loop in a body", "Loop [1] i ->L8 ->L7", 2],
])("loops that are never alive together share a register: %s", (_what, loop, registers) => {
  const lines = ["L1:", "  If n ->L2 ->L3", "L2:", `  ${loop}`, "L3:", `  ${loop}`, "L6:", "  X n add n 1"];
  const source = [...lines, "L7:", "  J n", "L8:", "  Loop [2] j ->L6 ->L7", ""].join("\n");
  const ir = compileForTest(source, false, ["n"]);
  expect(flatten(ir, "1", foldCall).variant("fast").routines[0]?.loops).toBe(registers);
});
