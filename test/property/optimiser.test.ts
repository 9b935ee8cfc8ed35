/**
 * Folding changes neither result nor usage nor the calls that are made; neither do inlining and fusion, which
 * test/compiler/bytecode/variants.test.ts compares.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatten } from "../../compiler/bytecode/flatten.ts";
import { Op } from "../../compiler/bytecode/opcodes.ts";
import type { Program } from "../../compiler/bytecode/program.ts";
import { foldCall } from "../../vm/functions/fold-constants.ts";
import { looseIr, runProgram } from "../support/bytecode.ts";
import { comparable } from "../support/executors.ts";
import { aliasingRuns, FRAME_CEILING, type GeneratedRun, runs } from "../support/generators.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20264);

function both(source: string): { readonly folded: Program; readonly plain: Program } {
  const ir = looseIr(source, []);
  if (ir?.entry == null) throw new Error("does not compile");
  return { folded: flatten(ir, ir.entry, foldCall), plain: flatten(ir, ir.entry) };
}

/** How often an instruction's opcode word stands in the code. */
function count(program: Program, op: Op): number {
  const { code, site_at } = program.variant("fast");
  return code.filter((word, pc) => word === op && (site_at[pc] ?? -1) >= 0).length;
}

describe("constant folding", () => {
  it("computes pure calls over constants while code is emitted", async () => {
    const { folded, plain } = both('L1:\n  X a add 1 (mul 2 3)\n  J {"a": a, "b": [(upper "x")]}\n');
    expect([count(plain, Op.Mul), count(folded, Op.Mul)]).toEqual([1, 0]);
    expect([count(plain, Op.Fn), count(folded, Op.Fn)]).toEqual([1, 0]);
    expect(await runProgram(folded)).toMatchObject({ ok: true, out: { a: 7, b: ["X"] }, usage: { steps: 2 } });
  });

  it("leaves failures, host functions and large results to the run", async () => {
    const failing = both("L1:\n  X a div 1 0\n  J a\n").folded;
    expect(await runProgram(failing)).toMatchObject({ ok: false, error: { message: "division by zero", node: "n1" } });
    expect(count(both("L1:\n  X a uuid\n  J a\n").folded, Op.Host)).toBe(1);
    const large = both("L1:\n  X a range 5000\n  J (len a)\n").folded;
    expect(count(large, Op.Fn)).toBe(1);
    expect(await runProgram(large)).toMatchObject({ ok: true, out: 5000 });
    const huge = both("L1:\n  X a range 1000000000\n  J a\n").folded;
    expect(await runProgram(huge)).toMatchObject({ ok: false, error: { code: "RUNTIME_OP_ERROR" } });
  });

  it("a folded constant belongs to the program: changing a variable that holds it changes nothing else", async () => {
    const { folded } = both(
      "L1:\n  Set all []\n  Loop [1, 2] i ->L2 ->L3\nL2:\n  Set xs (arr 1 2)\n  X xs push xs i\n  X all push all xs\nL3:\n  J all\n",
    );
    const expected = [
      [1, 2, 1],
      [1, 2, 2],
    ];
    expect(await runProgram(folded)).toMatchObject({ ok: true, out: expected });
    expect(await runProgram(folded)).toMatchObject({ ok: true, out: expected });
  });

  it("15: gives the same outcome as no folding, at every limit tried", { timeout: 60_000 }, async () => {
    const check = async (run: GeneratedRun): Promise<void> => {
      const ir = looseIr(run.source, Object.keys(run.frame));
      if (ir?.entry == null) return;
      const all = { ...run, frameCeilingBytes: FRAME_CEILING };
      const plain = await runProgram(flatten(ir, ir.entry), all);
      const program = flatten(ir, ir.entry, foldCall);
      expect(comparable(await runProgram(program, all)), run.source).toBe(comparable(plain));
      const max_steps = Math.max(1, plain.usage.steps - 1);
      const cut = { ...all, limits: { ...run.limits, max_steps } };
      const expected = comparable(await runProgram(flatten(ir, ir.entry), cut));
      expect(comparable(await runProgram(program, cut)), run.source).toBe(expected);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(runs, aliasingRuns), check), { seed: SEED, numRuns: 250 });
  });
});
