/**
 * Runs of drawn graphs (`graph-runs.ts`) give on the machine what they give on the reference interpreter: plain, traced, recorded and
 * replayed, in slices, and stored and taken up again.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Outcome } from "../../vm/run.ts";
import { comparable, type ExecutorName, type ExecutorRequest, executor } from "../support/executors.ts";
import { type GraphRun, graphRun } from "../support/graph-runs.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { testCatalog } from "../support/run-case.ts";
import { sliced } from "../support/sliced.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20265);

function execute(name: ExecutorName, run: GraphRun, more: Partial<ExecutorRequest> = {}): Promise<Outcome> {
  const { ir, frame, limits, allowedAdapters, frameCeilingBytes } = run;
  const clock = fakeClock();
  return executor(name, testCatalog)(ir, {
    ...{ frame, limits, allowedAdapters, frameCeilingBytes, adapters: mockAdapters(clock), clock, facts: fakeFacts() },
    finalFrame: true,
    ...more,
  });
}

async function agree(run: GraphRun, more: Partial<ExecutorRequest> = {}): Promise<Outcome> {
  const reference = await execute("reference", run, more);
  const machine = await execute("machine", run, more);
  expect(comparable(machine), run.source).toBe(comparable(reference));
  return machine;
}

/** In slices, and stored at each end of one; with the budget of all steps, and of some. */
async function agreeInSlices(run: GraphRun, quantum: number): Promise<void> {
  const { usage } = await execute("reference", run);
  for (const max_steps of [run.limits.max_steps ?? 1, Math.max(1, usage.steps - (quantum % 4))]) {
    const limited: GraphRun = { ...run, limits: { ...run.limits, max_steps } };
    const expected = comparable(await execute("reference", limited));
    for (const moved of [false, !run.deep]) {
      const { outcome } = await sliced(run.ir, limited, quantum, moved);
      expect(comparable(outcome), run.source).toBe(expected);
    }
  }
}

it("agree with the reference, however they are executed", { timeout: 60_000 }, async () => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0 }), fc.constantFrom(1, 2, 3, 5, 7, 13), async (drawn, quantum) => {
      const run = graphRun(drawn);
      const outcome = await agree(run);
      const end = outcome.ok ? "ok" : outcome.error.code;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      await agree(run, { trace: { frame_keys: quantum > 3 } });
      const { max_time_ms: _time, ...limits } = run.limits;
      const timeless: GraphRun = { ...run, limits };
      const recorded = await agree(timeless, { record: true });
      await agree(timeless, { replay: JSON.parse(JSON.stringify(recorded.record)), record: true });
      await agreeInSlices(run, quantum);
    }),
    { seed: SEED, numRuns: 150, endOnFailure: true },
  );
  expect(ends.get("ok")).toBeGreaterThan(30);
  expect(ends.size).toBeGreaterThan(7);
});
