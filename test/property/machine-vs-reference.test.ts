/**
 * The machine gives what the reference interpreter gives: result or error object, usage, final frame, trace.
 * Numbers in the titles are the properties' numbers there. WEFT_SEED chooses other programs; a failure prints its seed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Limits, Outcome } from "../../vm/run.ts";
import { comparable, type ExecutorName, type ExecutorRequest, executor } from "../support/executors.ts";
import { aliasingRuns, FRAME_CEILING, type GeneratedRun, runs } from "../support/generators.ts";
import {
  countOpen,
  type FakeClock,
  type Fault,
  failingAt,
  fakeClock,
  fakeFacts,
  mockAdapters,
} from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20261);
const SECONDS = 1000;

type Change = {
  readonly limits?: Limits;
  readonly trace?: boolean;
  readonly quantum?: number;
  readonly world?: (clock: FakeClock) => Partial<ExecutorRequest>;
};

function irOf(run: GeneratedRun): Ir {
  return compileForTest(run.source, false, Object.keys(run.frame));
}

async function execute(name: ExecutorName, ir: Ir, run: GeneratedRun, change: Change = {}): Promise<Outcome> {
  const clock = fakeClock();
  return executor(name, testCatalog)(ir, {
    frame: run.frame,
    limits: change.limits ?? run.limits,
    allowedAdapters: run.allowedAdapters,
    adapters: mockAdapters(clock),
    clock,
    facts: fakeFacts(),
    trace: change.trace ?? false,
    finalFrame: true,
    frameCeilingBytes: FRAME_CEILING,
    ...(change.quantum === undefined ? {} : { quantum: change.quantum }),
    ...change.world?.(clock),
  });
}

/** Runs both and compares; hands back the reference's outcome. */
async function agree(ir: Ir, run: GeneratedRun, change: Change = {}): Promise<Outcome> {
  const reference = await execute("reference", ir, run, change);
  const machine = await execute("machine", ir, run, change);
  expect(comparable(machine), `${run.source}${JSON.stringify({ ...run, ...change })}`).toBe(comparable(reference));
  return reference;
}

async function holds<T>(arbitrary: fc.Arbitrary<T>, count: number, check: (value: T) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(arbitrary, check), { seed: SEED, numRuns: count });
}

function limited(run: GeneratedRun, limits: Limits): Change {
  return { limits: { ...run.limits, ...limits } };
}

function upTo(total: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(total / most));
  return Array.from({ length: Math.ceil(total / step) }, (_, i) => 1 + i * step);
}

describe("machine and reference agree", () => {
  it("1: on whole programs, traced and not", { timeout: 60 * SECONDS }, async () => {
    await holds(runs, 800, async (run) => {
      const ir = irOf(run);
      await agree(ir, run);
      await agree(ir, run, { trace: true });
    });
  });

  it("2: at every limit up to what the run used", { timeout: 60 * SECONDS }, async () => {
    await holds(runs, 200, async (run) => {
      const ir = irOf(run);
      const { usage } = await agree(ir, run);
      for (const max_steps of upTo(usage.steps, 40)) await agree(ir, run, limited(run, { max_steps }));
      for (const max_depth of upTo(usage.depth, 12)) await agree(ir, run, limited(run, { max_depth }));
      for (const max_adapter_calls of [0, ...upTo(usage.adapter_calls, 12)])
        await agree(ir, run, limited(run, { max_adapter_calls }));
      for (const max_loop_iters of upTo(usage.loop_iters, 12)) await agree(ir, run, limited(run, { max_loop_iters }));
    });
  });

  it("2, 4: at frame limits around every size the run reaches", { timeout: 60 * SECONDS }, async () => {
    await holds(runs, 200, async (run) => {
      const ir = irOf(run);
      for (let max_frame_bytes = 2, tries = 0; tries < 25; tries += 1) {
        const outcome = await agree(ir, run, limited(run, { max_frame_bytes }));
        if (outcome.ok || outcome.error.code !== "RUNTIME_MAX_FRAME_BYTES") break;
        const used = Number(outcome.error.data["used"]);
        if (used > FRAME_CEILING) break;
        await agree(ir, run, limited(run, { max_frame_bytes: used - 1 }));
        max_frame_bytes = used;
      }
    });
  });

  it("3: whatever the quantum", { timeout: 60 * SECONDS }, async () => {
    await holds(runs, 200, async (run) => {
      const ir = irOf(run);
      const expected = comparable(await execute("reference", ir, run));
      for (const quantum of [1, 3, 7]) {
        expect(comparable(await execute("machine", ir, run, { quantum })), run.source).toBe(expected);
      }
    });
  });

  it("4: frame_bytes is the length of the serialised frame", { timeout: 60 * SECONDS }, async () => {
    await holds(runs, 100, async (run) => {
      const change = limited(run, { max_frame_bytes: FRAME_CEILING });
      const outcome = await execute("machine", irOf(run), run, change);
      if (!outcome.ok && outcome.error.code === "RUNTIME_MAX_FRAME_BYTES") return;
      expect(outcome.usage.frame_bytes, run.source).toBe(Buffer.byteLength(JSON.stringify(outcome.frame)));
    });
  });

  it("5: however values are shared", { timeout: 60 * SECONDS }, async () => {
    await holds(aliasingRuns, 800, async (run) => {
      const ir = irOf(run);
      const before = JSON.stringify([ir, run.frame]);
      await agree(ir, run);
      await agree(ir, run, { trace: true });
      expect(JSON.stringify([ir, run.frame])).toBe(before);
    });
  });

  it("9: when any adapter call fails, in any way", { timeout: 60 * SECONDS }, async () => {
    const faults: readonly Fault[] = ["plain", "adapter", "final", "crash", "odd", "rejects"];
    await holds(fc.tuple(runs, fc.constantFrom(...faults)), 250, async ([run, fault]) => {
      const ir = irOf(run);
      const { usage } = await execute("reference", ir, run);
      for (const index of upTo(usage.adapter_calls, 8)) {
        const opened: ReturnType<typeof countOpen>[] = [];
        await agree(ir, run, {
          world: (clock) => {
            const counted = countOpen(failingAt(mockAdapters(clock), index, fault));
            opened.push(counted);
            return { adapters: counted.adapters };
          },
        });
        expect(opened.map((one) => one.open())).toEqual([0, 0]);
      }
    });
  });

  it("10: when cancelled in any wait or call", { timeout: 60 * SECONDS }, async () => {
    await holds(runs, 200, async (generated) => {
      const { max_time_ms: _none, ...limits } = generated.limits;
      const run = { ...generated, limits };
      const ir = irOf(run);
      for (const index of [1, 2, 3, 5]) {
        await agree(ir, run, { world: (clock) => cancelledAt(clock, index) });
      }
    });
  });

  it("13: no figure exceeds its limit", { timeout: 60 * SECONDS }, async () => {
    await holds(runs, 100, async (run) => {
      for (const name of ["reference", "machine"] as const) {
        const { usage } = await execute(name, irOf(run), run);
        for (const [figure, key] of FIGURES) {
          expect(usage[figure] ?? 0, `${figure} in\n${run.source}`).toBeLessThanOrEqual(
            run.limits[key] ?? Number.POSITIVE_INFINITY,
          );
        }
      }
    });
  });
});

const AFTER_A_BODY = "L2:\n  If f ->L8 ->L9\nL3:\n  If f ->L8 ->L9\nL8:\n  J 1\nL9:\n  J 2\n";

/** Programs on which the two once differed, each at every max_steps and max_depth, and traced. */
const FOUND: readonly (readonly [title: string, source: string])[] = [
  ["the step after a repeated one", "L1:\n  R ext.OP 1 a ->a\n  J a\n  Retry @n1\n"],
  ["a label entered after a repeat", "L1:\n  If a ->L1 ->L2\n  Retry @n1\nL2:\n  R ext.OP 1 a ->a\n  J a\n"],
  [
    "a loop in the after-label of a loop",
    "L1:\n  Loop [1, 2, 3] it ->L3 ->L2\nL2:\n  Loop xs it ->L3 ->L3\nL3:\n  J a\n",
  ],
  ["a deep after-label of a While that runs no body", `L1:\n  While $f ->L2 ->L3\n${AFTER_A_BODY}`],
  ["a deep after-label of a Loop that runs no body", `L1:\n  Loop [] it ->L2 ->L3\n${AFTER_A_BODY}`],
  [
    "a Call in the after-label of a Loop that runs no body",
    "L1:\n  Loop [] it ->L2 ->L3\nL2:\n  Call L8\nL3:\n  Call L8\nL8:\n  Call L9\nL9:\n  J 2\n",
  ],
  [
    "a deep after-label in a body that runs, after one that does not",
    `L1:\n  Loop [1] it ->L4 ->L3\nL4:\n  While $f ->L2 ->L3\n${AFTER_A_BODY}`,
  ],
];

it.each(FOUND)("found before: %s", async (_title, source) => {
  const run: GeneratedRun = { source, frame: {}, limits: { max_steps: 100 }, allowedAdapters: null };
  const ir = irOf(run);
  const { usage } = await agree(ir, run, { trace: true });
  for (const max_steps of upTo(usage.steps, 100)) await agree(ir, run, limited(run, { max_steps }));
  for (const max_depth of upTo(usage.depth, 12)) await agree(ir, run, limited(run, { max_depth }));
});

const FIGURES = [
  ["steps", "max_steps"],
  ["depth", "max_depth"],
  ["adapter_calls", "max_adapter_calls"],
  ["frame_bytes", "max_frame_bytes"],
  ["loop_iters", "max_loop_iters"],
] as const;

/** Cancels the run when it waits for the `index`th time. */
function cancelledAt(clock: FakeClock, index: number): Partial<ExecutorRequest> {
  const controller = new AbortController();
  let waits = 0;
  return {
    signal: controller.signal,
    clock: {
      now: () => clock.now(),
      wall: () => clock.wall(),
      wait(ms, then) {
        waits += 1;
        if (waits === index) queueMicrotask(() => controller.abort("stop"));
        return clock.wait(ms, then);
      },
    },
  };
}
