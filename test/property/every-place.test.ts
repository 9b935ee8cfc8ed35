/**
 * Small programs, one for each thing that the machine does in a place of its own (fused instructions, inlined calls, returns, handlers,
 * repeated visits, loop registers, values with two holders), at every value of every limit they can reach, in slices of several lengths, and stored
 * and taken up again at each end of a slice: always what the reference interpreter gives, the place of the failure and every figure included.
 */
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { LimitKey, Limits, Outcome, Usage } from "../../vm/run.ts";
import { comparable } from "../support/executors.ts";
import type { GeneratedRun } from "../support/generators.ts";
import { compileForTest } from "../support/run-case.ts";
import { reference, sliced } from "../support/sliced.ts";
import { PLACED, type Placed } from "./placed-programs.ts";

/** Lengths of slices, and whether the run is stored at their ends. The last is one slice. */
const WAYS: readonly (readonly [quantum: number, moved: boolean])[] = [
  [1, false],
  [1, true],
  [2, true],
  [5, true],
  [10_000, false],
];
const BASE: Limits = { max_steps: 400, max_frame_bytes: 100_000 };

function runOf({ lines, frame = {} }: Placed, limits: Limits): GeneratedRun {
  return { source: `${lines.join("\n")}\n`, frame, limits: { ...BASE, ...limits }, allowedAdapters: null };
}

async function agree(ir: Ir, run: GeneratedRun): Promise<Outcome> {
  const outcome = await reference(ir, run);
  const expected = comparable(outcome);
  for (const [quantum, moved] of WAYS) {
    const here = await sliced(ir, run, quantum, moved);
    expect(comparable(here.outcome), `${JSON.stringify({ ...run.limits, quantum, moved })}\n${run.source}`).toBe(
      expected,
    );
  }
  return outcome;
}

const FIGURES: readonly (readonly [LimitKey, Exclude<keyof Usage, "llm" | "shared">, from: number])[] = [
  ["max_steps", "steps", 1],
  ["max_depth", "depth", 1],
  ["max_loop_iters", "loop_iters", 1],
  ["max_adapter_calls", "adapter_calls", 0],
  ["max_time_ms", "time_ms", 1],
];

describe.each(PLACED)("$what", (given) => {
  const irOf = (): Ir =>
    compileForTest(`${given.lines.join("\n")}\n`, false, Object.keys(given.frame ?? ({} as JsonObject)));

  it("at every value of every limit", async () => {
    const ir = irOf();
    const { usage } = await agree(ir, runOf(given, {}));
    expect(usage.steps).toBeGreaterThan(0);
    for (const [limit, figure, from] of FIGURES) {
      const most = usage[figure] ?? 0;
      for (let value = from; value < most; value += Math.max(1, Math.trunc(most / 60)))
        await agree(ir, runOf(given, { [limit]: value }));
    }
  });

  it("at every size that its variables reach", async () => {
    const ir = irOf();
    for (let bytes = 2, last = 0; bytes > last; ) {
      const outcome = await agree(ir, runOf(given, { max_frame_bytes: bytes }));
      if (outcome.ok || outcome.error.code !== "RUNTIME_MAX_FRAME_BYTES") break;
      last = bytes;
      bytes = Number(outcome.error.data["used"]);
      await agree(ir, runOf(given, { max_frame_bytes: bytes - 1 }));
    }
  });
});
