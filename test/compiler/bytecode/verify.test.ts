/** What `verifyProgram` accepts and refuses, and that what it accepts cannot hurt the machine (docs/bytecode.md, verification). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VARIANTS } from "../../../compiler/bytecode/encode.ts";
import type { Program } from "../../../compiler/bytecode/program.ts";
import { verifyProgram } from "../../../compiler/bytecode/verify/verify.ts";
import { looseIr, programPool, programsOf, runProgram } from "../../support/bytecode.ts";
import { aliasingRuns, apartRuns, runs } from "../../support/generators.ts";
import { mutated, mutations } from "./mutations.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20261);
/** More runs for a longer search: `WEFT_MUTATIONS=100000`. */
const MUTATIONS = Number(process.env["WEFT_MUTATIONS"] ?? 1500);
const SECONDS = 1000;

const pool = programPool();

describe("verify accepts what flatten emits", () => {
  it("all cases and benchmarks, from all labels", () => {
    expect(pool.length).toBeGreaterThan(300);
    const refused = pool.filter(({ program }) => !verifyProgram(program).ok);
    expect(refused.map(({ name, program }) => [name, verifyProgram(program)])).toEqual([]);
  });

  it.each([
    ["programs", runs],
    ["aliasing programs", aliasingRuns],
    ["programs with branches", apartRuns],
  ])("generated %s", (_, arbitrary) => {
    const check = ({ source, frame }: { source: string; frame: object }): void => {
      const ir = looseIr(source, Object.keys(frame));
      if (ir === null) return;
      for (const { program } of programsOf("generated", ir))
        expect(verifyProgram(program), source).toEqual({ ok: true });
    };
    fc.assert(fc.property(arbitrary, check), { seed: SEED, numRuns: 300 });
  });
});

describe("a damaged program", () => {
  const generated = fc.sample(runs, { seed: SEED, numRuns: 40 }).flatMap(({ source, frame }) => {
    const ir = looseIr(source, Object.keys(frame));
    return ir === null ? [] : programsOf("generated", ir);
  });
  const corpus = [...pool, ...generated].filter(({ program }) => program.variant("fast").code.length < 400);
  const damage = fc.tuple(fc.nat({ max: corpus.length - 1 }), fc.array(mutations, { minLength: 1, maxLength: 2 }));

  it("is refused, or runs to an end within its limits", { timeout: 3600 * SECONDS }, async () => {
    let accepted = 0;
    const check = async ([at, changes]: [number, Parameters<typeof mutated>[1][]], few: number): Promise<void> => {
      let program: Program | null = corpus[at]?.program ?? null;
      for (const change of changes) program = program === null ? null : mutated(program, change);
      if (program === null || !verifyProgram(program).ok) return;
      accepted += 1;
      await runsToAnEnd(program, few);
    };
    const property = fc.asyncProperty(damage, fc.integer({ min: 1, max: 40 }), check);
    await fc.assert(property, { seed: SEED, numRuns: MUTATIONS });
    expect(accepted).toBeGreaterThan(MUTATIONS / 20);
  });
});

/** In every variant, and across the exchange of variants. A defect of the machine is thrown; limits bound everything else. */
async function runsToAnEnd(program: Program, few: number): Promise<void> {
  const frame = { a: 1, b: "x", o: { k: [1, 2] }, xs: [3, 1, 2], s: "text", n: 5, x: 0, it: { id: 1 } };
  const frameCeilingBytes = 1_000_000;
  for (const kind of VARIANTS) {
    for (const max_steps of [2000, few]) {
      const limits = { max_steps, max_time_ms: 10_000 };
      const outcome = await runProgram(program, { kind, frame, limits, frameCeilingBytes });
      expect(outcome.usage.steps).toBeLessThanOrEqual(max_steps);
      expect(outcome.usage.steps).toBeGreaterThanOrEqual(0);
    }
  }
}
