/**
 * `runSync` is `run` without the promise: the same answer wherever the run can end at once, and where it cannot, the answer that is still to
 * come is not lost.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Adapter } from "../../../vm/adapter.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { createHost, type Host, type HostDeps, type HostRunRequest, type RunAnswer } from "../../../vm/host.ts";
import { RunWaits } from "../../../vm/runs/run-waits.ts";
import { comparable } from "../../support/executors.ts";
import { FRAME_CEILING, type GeneratedRun, runs } from "../../support/generators.ts";
import { fakeClock, fakeFacts, mockAdapters, mockExt } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20265);

function hostWith(more: Partial<HostDeps> = {}): Host {
  return createHost({
    clock: fakeClock(),
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map(),
    traceId: () => "sync",
    ...more,
  });
}

/** A host of its own, so that clock and adapters begin at the same point. */
function started(ir: Ir, { frame, limits, allowedAdapters }: GeneratedRun): [Host, HostRunRequest] {
  const clock = fakeClock();
  const host = hostWith({ clock, frameCeilingBytes: FRAME_CEILING });
  return [host, { ir, frame, limits, allowedAdapters, adapters: mockAdapters(clock), finalFrame: true, record: true }];
}

/** What the run came to, and whether it had to wait for it. */
async function answered(start: () => RunAnswer): Promise<readonly [RunAnswer, boolean]> {
  try {
    return [start(), false];
  } catch (thrown) {
    if (!(thrown instanceof RunWaits)) throw thrown;
    return [await thrown.answer, true];
  }
}

const adapterOf = (level: () => number | Promise<number>): ReadonlyMap<string, Adapter> =>
  new Map([[mockExt.name, plainAdapter(mockExt.name, { G: level, F: level, P: level }, { effectTier: "io-read" })]]);
const CALL = `L1:\n  R ${mockExt.name}.G "a" ->n\n  J n\n`;

describe("a run that is answered at once", () => {
  it("has the same outcome as a run with a promise, for every program", { timeout: 60_000 }, async () => {
    let waited = 0;
    let atOnce = 0;
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const ir = compileForTest(run.source, false, Object.keys(run.frame));
        const [host, request] = started(ir, run);
        const [same, requested] = started(ir, run);
        const [answer, hadToWait] = await answered(() => host.runSync(request));
        expect(comparable(answer), run.source).toBe(comparable(await same.run(requested)));
        if (hadToWait) waited += 1;
        else atOnce += 1;
      }),
      { seed: SEED, numRuns: 200 },
    );
    expect(waited).toBeGreaterThan(0);
    expect(atOnce).toBeGreaterThan(0);
  });

  it("continues after its first slice without a turn of the event loop", () => {
    let turns = 0;
    const turn = (then: () => void): void => {
      turns += 1;
      then();
    };
    const host = hostWith({ quantum: 10, turn });
    const ir = compileForTest(
      "L1:\n  Set n 0\n  While n < 1000 ->L2 ->L3\nL2:\n  X n add n 1\nL3:\n  J n\n",
      false,
      [],
    );
    expect(host.runSync({ ir })).toMatchObject({ ok: true, out: 1000 });
    expect(turns).toBe(0);
  });

  it("is stopped by its limits all the same", () => {
    const ir = compileForTest("L1:\n  Set n 0\n  While n >= 0 ->L2 ->L3\nL2:\n  X n add n 1\nL3:\n  J n\n", false, []);
    const answer = hostWith().runSync({ ir, limits: { max_steps: 5000 } });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_STEPS" }, usage: { steps: 5000 } });
  });

  it("calls adapters that answer at once", () => {
    const ir = compileForTest(CALL, false, []);
    expect(hostWith().runSync({ ir, adapters: adapterOf(() => 7) })).toMatchObject({ ok: true, out: 7 });
  });

  it("throws where it would have to wait, and the answer still comes", async () => {
    const ir = compileForTest(CALL, false, []);
    const request = { ir, adapters: adapterOf(() => Promise.resolve(7)) };
    const [answer, hadToWait] = await answered(() => hostWith().runSync(request));
    expect(hadToWait).toBe(true);
    expect(answer).toMatchObject({ ok: true, out: 7, usage: { adapter_calls: 1 } });
  });
});
