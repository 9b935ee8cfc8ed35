/**
 * Branches: the machine, which runs them at the same time, gives what the reference interpreter gives, which runs them one after the
 * other. Results do not depend on the order in which adapters answer (B-13); budgets are exact (B-8). WEFT_SEED chooses other programs.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { RUNTIME_CODES } from "../../vm/errors/error-codes.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { Limits, Outcome } from "../../vm/run.ts";
import { comparable, type ExecutorName, executor } from "../support/executors.ts";
import { apartRuns, FRAME_CEILING, type GeneratedRun, turnRuns } from "../support/generators.ts";
import { type FakeClock, fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20261);
const SECONDS = 1000;

type Change = {
  readonly limits?: Limits;
  readonly trace?: boolean;
  readonly record?: boolean;
  readonly quantum?: number;
  readonly order?: number;
  readonly replay?: unknown;
};

/** Answers after a time that `order` and the call decide; branches may call it at the same time. */
function apart(clock: FakeClock, order: number): Adapter {
  const delayed = (answer: Json | Error, callId: string): unknown => {
    let hash = order;
    for (const character of callId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
    if (order === 0 || hash % 5 === 0) {
      if (answer instanceof Error) throw answer;
      return answer;
    }
    return new Promise((resolve, reject) =>
      clock.wait(hash % 40, () => (answer instanceof Error ? reject(answer) : resolve(answer))),
    );
  };
  return plainAdapter<null>(
    "apart",
    {
      DO: (args, context) => delayed(args as Json, context.callId),
      CALLID: (_args, context) => delayed([context.callId, context.attempt], context.callId),
      FAIL: (_args, context) => delayed(new AdapterError("ADAPTER_FAILED", "no"), context.callId),
    },
    { open: () => null, concurrent: true },
  );
}

async function execute(name: ExecutorName, ir: Ir, run: GeneratedRun, change: Change = {}): Promise<Outcome> {
  const clock = fakeClock();
  const { quantum, trace = false, record = false, order = 0, replay } = change;
  const adapters = new Map([...mockAdapters(clock), ["apart", apart(clock, order)] as const]);
  return executor(name, testCatalog)(ir, {
    frame: run.frame,
    limits: change.limits ?? run.limits,
    allowedAdapters: run.allowedAdapters,
    ...{ adapters, clock, facts: fakeFacts(), trace, record, finalFrame: true, frameCeilingBytes: FRAME_CEILING },
    ...(quantum === undefined ? {} : { quantum }),
    ...(replay === undefined ? {} : { replay }),
  });
}

function irOf(run: GeneratedRun): Ir {
  return compileForTest(run.source, false, Object.keys(run.frame));
}

async function holds<T>(arbitrary: fc.Arbitrary<T>, count: number, check: (value: T) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(arbitrary, check), { seed: SEED, numRuns: count });
}

function isFatal(outcome: Outcome): boolean {
  return !outcome.ok && RUNTIME_CODES[outcome.error.code].class !== "ordinary";
}

function endedInBranch(outcome: Outcome): boolean {
  return isFatal(outcome) && !outcome.ok && outcome.error.data["inside"] !== undefined;
}

/** What must be the same of two runs in whatever order adapters answered: all of it, but of one that ended inside branches only how. */
function settled(outcome: Outcome): string {
  if (!endedInBranch(outcome) || outcome.ok) return comparable(outcome);
  const { code, label, node } = outcome.error;
  return JSON.stringify({ code, label, node });
}

describe("branches one after the other", () => {
  it("are the same on machine and reference, with trace, record and every meter", {
    timeout: 120 * SECONDS,
  }, async () => {
    await holds(turnRuns, 250, async (run) => {
      const ir = irOf(run);
      for (const change of [{}, { trace: true, record: true }, { quantum: 3 }]) {
        const reference = await execute("reference", ir, run, change);
        const machine = await execute("machine", ir, run, change);
        expect(comparable(machine), `${run.source}${JSON.stringify(run)}`).toBe(comparable(reference));
      }
    });
  });

  it("end at the same place at every limit", { timeout: 120 * SECONDS }, async () => {
    await holds(turnRuns, 40, async (run) => {
      const ir = irOf(run);
      const { usage } = await execute("reference", ir, run);
      const cuts: Limits[] = [
        ...Array.from({ length: Math.min(usage.steps, 40) }, (_, n) => ({ max_steps: n + 1 })),
        ...Array.from({ length: Math.min(usage.adapter_calls, 12) }, (_, n) => ({ max_adapter_calls: n })),
        ...Array.from({ length: Math.min(usage.depth, 8) }, (_, n) => ({ max_depth: n + 1 })),
      ];
      for (const cut of cuts) {
        const limits = { ...run.limits, ...cut };
        const reference = await execute("reference", ir, run, { limits });
        const machine = await execute("machine", ir, run, { limits });
        expect(comparable(machine), `${run.source}${JSON.stringify({ ...run, limits })}`).toBe(comparable(reference));
      }
    });
  });
});

describe("branches at the same time", () => {
  it("give what they give one after the other, in whatever order adapters answer", {
    timeout: 120 * SECONDS,
  }, async () => {
    await holds(apartRuns, 250, async (run) => {
      const ir = irOf(run);
      const reference = await execute("reference", ir, run, { trace: true, record: true });
      for (const change of [{ order: 0 }, { order: 1 }, { order: 7, quantum: 3 }, { order: 99 }]) {
        const machine = await execute("machine", ir, run, { trace: true, record: true, ...change });
        // Another limit may be the first one to be reached.
        if (endedInBranch(reference) && endedInBranch(machine)) continue;
        expect(settled(machine), `${run.source}${JSON.stringify({ ...run, ...change })}`).toBe(settled(reference));
      }
    });
  });
});
