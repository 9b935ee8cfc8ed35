/** When loops become generated code, what watches such a run, and when it stays in the loop. */
import { describe, expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import type { Program } from "../../../compiler/bytecode/program.ts";
import { foldCall } from "../../../vm/functions/fold-constants.ts";
import { Machine } from "../../../vm/machine/machine.ts";
import type { MachineOptions } from "../../../vm/machine/options.ts";
import { outcomeOf } from "../../../vm/machine/outcome.ts";
import { restore, snapshot } from "../../../vm/offload/snapshot.ts";
import type { Limits } from "../../../vm/run.ts";
import { drive } from "../../../vm/runs/driver.ts";
import { type HotLoops, hotLoops } from "../../../vm/tier/loops/hot-loops.ts";
import type { TierPolicy } from "../../../vm/tier/policy.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { compileForTest } from "../../support/run-case.ts";

const QUANTUM = 1000;
const POLICY: TierPolicy = {
  ...{ heat: 30, hotSlices: 2, maxSliceFactor: 16, quantum: QUANTUM, frameCeiling: 1e6 },
  refused: (entry, reason) => expect.fail(`${entry}: ${reason}`),
};
const COUNT =
  "L1:\n  Set i 0\n  Set c true\n  While c ->L2 ->L3 limit=1000000\nL2:\n  X i add i 1\n  X c lt i 20000\nL3:\n  J i\n";

function programOf(source: string): Program {
  const ir = compileForTest(source, false, []);
  return flatten(ir, ir.entry as string, foldCall);
}

function hotOf(program: Program, policy: Partial<TierPolicy> = {}): HotLoops {
  return hotLoops(program, { ...POLICY, ...policy }) ?? expect.fail("no loops in generated code");
}

type Options = {
  readonly limits?: Limits;
  readonly clock?: MachineOptions["deps"]["clock"];
  readonly isStored?: boolean;
};

/** Runs in slices; `isStored`: as text between two of them. */
async function run(
  program: Program,
  hot: HotLoops | null,
  { limits = {}, clock = fakeClock(), isStored }: Options = {},
) {
  const deps = { clock, facts: fakeFacts(), adapters: mockAdapters(fakeClock()) };
  const rest = { allowed: null, trace: null, signal: undefined, quantum: QUANTUM };
  const options: MachineOptions = { deps, traceId: "id", limits, ...rest };
  const taken = (m: Machine): Machine => {
    m.hot = hot;
    return m;
  };
  let turns = 0;
  const turn = (then: () => void): void => {
    turns += 1;
    setImmediate(then);
  };
  const store = (m: Machine): Machine => taken(restore(program, JSON.parse(JSON.stringify(snapshot(m))), options));
  const end = await drive(taken(new Machine(program, {}, options)), turn, isStored ? store : undefined);
  return { outcome: outcomeOf(end, true), turns };
}

describe("loops in generated code", () => {
  it("are built after two slices, and used at once in later runs", async () => {
    const program = programOf(COUNT);
    const hot = hotOf(program);
    const first = await run(program, hot);
    expect(first.outcome).toMatchObject({ ok: true, out: 20_000, usage: { steps: 40_004, loop_iters: 20_000 } });
    expect(hot.steps).toBeGreaterThan(30_000);
    expect(hot.steps).toBeLessThanOrEqual(40_004 - 2 * QUANTUM);
    const before = hot.steps;
    await run(program, hot);
    expect(hot.steps - before).toBeGreaterThan(39_900);
  });

  it("have slices of more steps, as long as those take little time", async () => {
    const program = programOf(COUNT);
    const alone = await run(program, null);
    expect(alone.turns).toBe(40);
    const quick = await run(program, hotOf(program));
    expect(quick.turns).toBeLessThan(10);
    // Every look at the clock takes a millisecond.
    let now = 0;
    const clock = { ...fakeClock(), now: () => now++ };
    expect((await run(program, hotOf(program), { clock })).turns).toBeGreaterThan(30);
  });

  it("end when the run is late, as in the loop", async () => {
    const program = programOf(COUNT.replace("20000", "1e9"));
    const hot = hotOf(program);
    let now = 0;
    const clock = { ...fakeClock(), now: () => now++ };
    const { outcome } = await run(program, hot, { clock, limits: { max_time_ms: 200 } });
    expect(outcome).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME", label: "2" } });
    expect(hot.steps).toBeGreaterThan(0);
  });

  it("can be stored between two slices, and continue elsewhere", async () => {
    const program = programOf(
      "L1:\n  Loop [1, 2, 3] x ->L2 ->L4\nL2:\n  Set m []\n  Loop [5, 6, 7, 8] y ->L3 ->L5\nL3:\n  X t mul x y\n  X m push m t\n  Call L6\nL4:\n  J [m, t]\nL5:\n  X t add t 1\nL6:\n  X n add t 0\n  Retry 1 0\n  J null\n",
    );
    const expected = (await run(program, null)).outcome;
    for (const hotSlices of [0, 1, 2]) {
      const hot = hotOf(program, { hotSlices, maxSliceFactor: 1 });
      for (let again = 0; again < 3; again++)
        expect((await run(program, hot, { isStored: true })).outcome).toEqual(expected);
    }
  });

  it("continue with the variables of a label that ends in several ways", async () => {
    const program = programOf(
      "L1:\n  Set s 0\n  Loop (range 400) x ->L2 ->L7\nL2:\n  Call L3\n  X s concat a s\n  X s len s\n  Call L3\nL3:\n  X c lt x 300\n  If c ->L4 ->L5\nL4:\n  X a mul x 2\n  X d lt x 100\n  If d ->L6 ->L8\nL5:\n  Set a [x]\nL6:\n  J null\nL7:\n  J [s, $a]\nL8:\n  X a add a 0.5\n",
    );
    const expected = (await run(program, null)).outcome;
    for (const hotSlices of [0, 1])
      expect((await run(program, hotOf(program, { hotSlices }))).outcome).toEqual(expected);
  });

  it("are given up where they leave all the time", async () => {
    const program = programOf(
      "L1:\n  Loop (range 4000) x ->L2 ->L3\nL2:\n  R core.ADD x 1 ->y\n  X z add y 1\nL3:\n  J z\n",
    );
    const hot = hotOf(program);
    const { outcome } = await run(program, hot);
    expect(outcome).toMatchObject({ ok: true, out: 4001 });
    expect(hot.isGivenUp).toBe(true);
  });

  it("are built anew for values of another kind", async () => {
    const program = programOf(
      "L1:\n  Set s 0\n  Loop (range 9000) x ->L2 ->L4\nL2:\n  X c lt x 5000\n  If c ->L3 ->L5\nL3:\n  X s add x 1\nL4:\n  J s\nL5:\n  X s concat s x\n  X s len s\n",
    );
    const hot = hotOf(program);
    const { outcome } = await run(program, hot);
    expect(outcome).toEqual((await run(program, null)).outcome);
    expect(hot.isGivenUp).toBe(false);
    expect(hot.steps).toBeGreaterThan(20_000);
  });

  it("do not exist where no code is generated", () => {
    const program = programOf(COUNT);
    expect(hotLoops(program, null)).toBeNull();
  });
});
