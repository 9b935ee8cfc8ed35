/**
 * Short programs in the tier, with and without generated code, give what the reference interpreter gives: result and usage, at every limit. Where they
 * leave for the loop there is nothing to compare. WEFT_TIER_PROGRAMS says how many programs are drawn, WEFT_SEED which.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import type { Limits, Outcome } from "../../../vm/run.ts";
import { ShortRuns } from "../../../vm/tier/enter.ts";
import { comparable } from "../../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { interpret } from "../../support/reference/interpreter.ts";
import { compileForTest } from "../../support/run-case.ts";
import { shortPrograms } from "../../support/short-programs.ts";

const PROGRAMS = Number(process.env["WEFT_TIER_PROGRAMS"] ?? 60);
const LARGEST = 256 * 1024 * 1024;
const clock = fakeClock();

function shortRuns(ir: Ir): ShortRuns {
  const refused = (entry: string, reason: string): never => expect.fail(`${entry}: ${reason}`);
  const program = flatten(ir, ir.entry as string, foldCall);
  return new ShortRuns(program, null, {
    ...{ heat: 1, hotSlices: 1, maxSliceFactor: 1, quantum: 10_000, frameCeiling: LARGEST, refused },
  });
}

function attempt(runs: ShortRuns, frame: JsonObject, limits: Limits): Outcome | null {
  return runs.attempt({ frame, limits, check: null, startedAt: clock.now(), signal: undefined }, clock);
}

async function reference(ir: Ir, frame: JsonObject, limits: Limits): Promise<Outcome> {
  const world = fakeClock();
  return interpret(ir, { frame, limits, adapters: mockAdapters(world), clock: world, facts: fakeFacts() });
}

/** None, exactly what a run used, one below each, and frame limits around its size. */
function limitsAround({ usage }: Outcome): Limits[] {
  const { steps, depth, frame_bytes } = usage;
  const frames = [5000, 400, 50, 1, 0, -1].map((more) => ({ max_frame_bytes: Math.max(2, (frame_bytes ?? 2) + more) }));
  const tight = [{ max_steps: steps - 1 }, { max_depth: depth - 1 }].filter((one) =>
    Object.values(one).every((n) => n > 0),
  );
  return [{ max_steps: steps, max_depth: depth }, ...frames, ...tight];
}

it("agrees with the reference interpreter, in generated code", { timeout: 120_000 }, async () => {
  const counts = { ended: 0, left: 0 };
  await fc.assert(
    fc.asyncProperty(shortPrograms, async ({ source, frames }) => {
      const ir = compileForTest(source, false, Object.keys(frames[0] ?? {}));
      const runs = shortRuns(ir);
      for (const frame of frames) {
        const before = JSON.stringify(frame);
        // Nothing to compare, and few of such runs are tried before the program is given up.
        if (attempt(runs, frame, {}) === null) continue;
        const unlimited = await reference(ir, frame, { max_frame_bytes: LARGEST, max_steps: 1000 });
        for (const limits of limitsAround(unlimited)) {
          const outcome = attempt(runs, frame, limits);
          counts[outcome === null ? "left" : "ended"] += 1;
          if (outcome === null) continue;
          const expected = comparable(await reference(ir, frame, limits));
          expect(comparable(outcome), `${source}${before} ${JSON.stringify(limits)}`).toBe(expected);
          if (outcome.ok && typeof outcome.out === "object" && outcome.out !== null)
            expect(Object.getOwnPropertySymbols(outcome.out)).toEqual([]);
        }
        expect(JSON.stringify(frame)).toBe(before);
      }
    }),
    { numRuns: PROGRAMS },
  );
  // The property says nothing of programs that always leave.
  expect(counts.ended, JSON.stringify(counts)).toBeGreaterThan(PROGRAMS);
  if (process.env["WEFT_TIER_PROGRAMS"] !== undefined) console.log(counts);
});
