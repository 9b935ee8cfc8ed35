/**
 * A record replays to the run it was made in, without a live call, in machine and reference alike; and no change to a log goes
 * unnoticed. WEFT_SEED chooses other programs; a failure prints its seed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHostCall } from "../../compiler/functions.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import type { Adapter } from "../../vm/adapter.ts";
import type { RecordedCall, RecordLog } from "../../vm/recording/record-log.ts";
import type { Outcome } from "../../vm/run.ts";
import { comparable, type ExecutorName, type ExecutorRequest, executor } from "../support/executors.ts";
import { FRAME_CEILING, type GeneratedRun, runs, turnRuns } from "../support/generators.ts";
import { type Fault, failingAt, fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { verifies } from "../support/requirements.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20268);
const EXECUTORS = ["machine", "reference"] as const;
const TIMEOUT = { timeout: 60_000 };

/** Time trips are the one thing that no log can repeat. */
const timeless = runs.map(
  ({ limits: { max_time_ms: _time, ...limits }, ...run }): GeneratedRun => ({ ...run, limits }),
);

function irOf(run: GeneratedRun): Ir {
  return compileForTest(run.source, false, Object.keys(run.frame));
}

function execute(name: ExecutorName, ir: Ir, run: GeneratedRun, more: Partial<ExecutorRequest>): Promise<Outcome> {
  const clock = fakeClock();
  return executor(name, testCatalog)(ir, {
    frame: run.frame,
    limits: run.limits,
    allowedAdapters: run.allowedAdapters,
    adapters: mockAdapters(clock),
    clock,
    facts: fakeFacts(),
    finalFrame: true,
    frameCeilingBytes: FRAME_CEILING,
    ...more,
  });
}

/** A world in which any effect, any look outside and any wait is a defect. */
function nothingLive(): Pick<ExecutorRequest, "adapters" | "clock" | "facts"> {
  const live = (): never => {
    throw new Error("a replay did something real");
  };
  const names = ["ext", "cache", "queue", "txn", "nosuch", "core"];
  return {
    adapters: new Map(names.map((name): [string, Adapter] => [name, { name, verb: live, open: live }])),
    clock: { now: () => 0, wall: live, wait: live },
    facts: { uuid: live, env: live },
  };
}

async function recorded(name: ExecutorName, ir: Ir, run: GeneratedRun, more: Partial<ExecutorRequest> = {}) {
  const outcome = await execute(name, ir, run, { record: true, ...more });
  if (outcome.record === undefined) throw new Error("no record");
  return { outcome, log: JSON.parse(JSON.stringify(outcome.record)) as RecordLog };
}

const replayed = (
  name: ExecutorName,
  ir: Ir,
  run: GeneratedRun,
  replay: unknown,
  more: Partial<ExecutorRequest> = {},
) => execute(name, ir, run, { ...nothingLive(), replay, ...more });

function withoutFigures(outcome: Outcome): string {
  const { replay: _replay, ...rest } = outcome;
  return comparable(rest);
}

async function replaysAlike(ir: Ir, run: GeneratedRun, more: Partial<ExecutorRequest>): Promise<void> {
  const { outcome, log } = await recorded("machine", ir, run, more);
  for (const name of EXECUTORS) {
    const again = await replayed(name, ir, run, log, { record: true, trace: more.trace ?? false });
    expect(withoutFigures(again), `${name}\n${run.source}`).toBe(comparable(outcome));
    expect(again.replay).toEqual({ matched: log.calls.length, remaining: 0 });
  }
}

describe("a record", () => {
  it("1: is the same from machine and reference, and changes nothing of the run", TIMEOUT, async () => {
    verifies("replay.copies", "service.deterministic");
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 3, arbitrary: runs }, { weight: 1, arbitrary: turnRuns }), async (run) => {
        const ir = irOf(run);
        const { outcome: reference } = await recorded("reference", ir, run);
        const { outcome: machine } = await recorded("machine", ir, run);
        expect(comparable(machine), run.source).toBe(comparable(reference));
        const { record: _record, ...unrecorded } = machine;
        expect(comparable(await execute("machine", ir, run, {})), run.source).toBe(comparable(unrecorded));
      }),
      { seed: SEED, numRuns: 250 },
    );
  });

  it("8: replays to the same run without a live call, and to the same record", TIMEOUT, async () => {
    verifies("replay.no-effects", "replay.failures-recorded", "service.deterministic");
    await fc.assert(
      fc.asyncProperty(timeless, fc.boolean(), async (run, trace) => replaysAlike(irOf(run), run, { trace })),
      { seed: SEED, numRuns: 300 },
    );
  });

  it("8: of a run in which a call failed, too", TIMEOUT, async () => {
    const faults: readonly Fault[] = ["plain", "adapter", "final", "crash", "odd", "rejects"];
    await fc.assert(
      fc.asyncProperty(timeless, fc.constantFrom(...faults), fc.integer({ min: 1, max: 6 }), async (run, fault, at) => {
        const clock = fakeClock();
        await replaysAlike(irOf(run), run, { clock, adapters: failingAt(mockAdapters(clock), at, fault) });
      }),
      { seed: SEED, numRuns: 150 },
    );
  });
});

const isPure = ({ adapter, verb, args = [] }: RecordedCall) => adapter === "core" && !isHostCall(verb, args.length);

const FOREIGN: RecordedCall = {
  seq: 0,
  label_id: "1",
  node_id: "n1",
  attempt: 1,
  adapter: "ext",
  verb: "FOREIGN",
  args: [],
  ok: true,
  result: null,
};

/** Changes at one index that must not go unnoticed. */
const CHANGES: Readonly<Record<string, (calls: RecordedCall[], at: number) => void>> = {
  "another adapter": (calls, at) => change(calls, at, { adapter: "other" }),
  "another verb": (calls, at) => change(calls, at, { verb: "FOREIGN" }),
  "one more argument": (calls, at) => change(calls, at, { args: [...(calls[at]?.args ?? []), null] }),
  "hash of other arguments": (calls, at) => {
    const { args: _args, ...call } = calls[at] as RecordedCall;
    calls[at] = { ...call, args_hash: "0".repeat(64) };
  },
  "an entry more": (calls, at) => void calls.splice(at, 0, FOREIGN),
  "an end before it": (calls, at) => void calls.splice(at),
};

function change(calls: RecordedCall[], at: number, members: Partial<RecordedCall>): void {
  calls[at] = { ...(calls[at] as RecordedCall), ...members };
}

function indexOf(outcome: Outcome): Json {
  if (outcome.ok) return null;
  return outcome.error.code.startsWith("RUNTIME_REPLAY_") ? (outcome.error.data["index"] ?? null) : null;
}

describe("a changed log", () => {
  it.each(Object.keys(CHANGES))("8: %s is noticed at its index", TIMEOUT, async (title) => {
    verifies("replay.mismatch", "replay.exhausted", "replay.leftovers");
    await fc.assert(
      fc.asyncProperty(timeless, fc.nat(1000), async (run, pick) => {
        const ir = irOf(run);
        const { outcome, log } = await recorded("machine", ir, run);
        fc.pre(log.calls.length > 0);
        const at = pick % log.calls.length;
        const calls = [...log.calls];
        CHANGES[title]?.(calls, at);
        // A log that has lost its last pure call is one of those that never had any.
        fc.pre(calls.some(isPure) || !log.calls.some(isPure));
        const answers = await Promise.all(EXECUTORS.map((name) => replayed(name, ir, run, { ...log, calls })));
        expect(comparable(answers[0] as Outcome)).toBe(comparable(answers[1] as Outcome));
        // What a run reads of the log is noticed; what comes after its own failure stays unused.
        const noticed = answers.map((answer) => indexOf(answer) ?? (outcome.ok ? null : answer.replay?.matched));
        expect(noticed, `${title}\n${run.source}`).toEqual([at, at]);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it("8: another result of a pure core call is noticed", TIMEOUT, async () => {
    verifies("replay.core-recorded");
    await fc.assert(
      fc.asyncProperty(timeless, fc.nat(1000), async (run, pick) => {
        const ir = irOf(run);
        const { log } = await recorded("machine", ir, run);
        const pure = log.calls.flatMap((call, index) => (isPure(call) ? [index] : []));
        fc.pre(pure.length > 0);
        const at = pure[pick % pure.length] ?? 0;
        const calls = [...log.calls];
        const { error: _error, result: _result, ...call } = calls[at] as RecordedCall;
        calls[at] = { ...call, ok: true, result: "what no function returns" };
        for (const name of EXECUTORS) {
          const answer = await replayed(name, ir, run, { ...log, calls });
          expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_REPLAY_MISMATCH", data: { index: at } } });
        }
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});
