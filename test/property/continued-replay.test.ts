/**
 * A run that is cut off after any of its calls and continued makes the calls that are left, with the call ids of the run that was not
 * cut, in machine and reference alike. WEFT_SEED chooses other programs; a failure prints its seed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Adapter } from "../../vm/adapter.ts";
import type { RecordLog } from "../../vm/recording/record-log.ts";
import type { Outcome } from "../../vm/run.ts";
import { answeredBy, type Ends, facts, nameOf, still } from "../support/answered-calls.ts";
import { comparable, executor } from "../support/executors.ts";
import { FRAME_CEILING, type GeneratedRun, runs } from "../support/generators.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20269);

const timeless = runs.map(
  ({ limits: { max_time_ms: _time, ...limits }, ...run }): GeneratedRun => ({ ...run, limits }),
);

/** Makes the calls and notes how each ended. */
function noting(ends: Ends): ReadonlyMap<string, Adapter> {
  return answeredBy(async (context, make) => {
    const name = nameOf(context);
    expect(ends.has(name), `call id used twice: ${name}`).toBe(false);
    try {
      const value = await make();
      ends.set(name, { value });
      return value;
    } catch (thrown) {
      ends.set(name, { thrown });
      throw thrown;
    }
  });
}

/** Answers with the noted end of the same call, and notes which calls were made. */
function repeating(ends: Ends, made: string[]): ReadonlyMap<string, Adapter> {
  return answeredBy((context) => {
    const name = nameOf(context);
    made.push(name);
    const end = ends.get(name);
    if (end === undefined) throw new Error(`no call of the first run has this id: ${name}`);
    if ("thrown" in end) throw end.thrown;
    return end.value;
  });
}

function execute(
  name: "machine" | "reference",
  ir: Ir,
  run: GeneratedRun,
  adapters: ReadonlyMap<string, Adapter>,
  replay?: RecordLog,
): Promise<Outcome> {
  return executor(name, testCatalog)(ir, {
    frame: run.frame,
    limits: run.limits,
    allowedAdapters: run.allowedAdapters,
    adapters,
    clock: still,
    facts,
    finalFrame: true,
    frameCeilingBytes: FRAME_CEILING,
    ...(replay === undefined ? { record: true } : { replay, replayContinues: true }),
  });
}

function withoutLog({ replay: _replay, record: _record, ...rest }: Outcome): string {
  return comparable(rest as Outcome);
}

describe("a run that is cut off after any call and continued", () => {
  it("makes the other calls with the ids they would have had, and ends alike", { timeout: 120_000 }, async () => {
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(timeless, fc.nat(1000), async (run, pick) => {
        const ir = compileForTest(run.source, false, Object.keys(run.frame));
        const ends: Ends = new Map();
        const whole = await execute("machine", ir, run, noting(ends));
        const log = JSON.parse(JSON.stringify(whole.record)) as RecordLog;
        fc.pre(log.calls.length > 0);
        const replay = { ...log, calls: log.calls.slice(0, pick % log.calls.length) };
        const made: Record<string, string[]> = {};
        for (const name of ["machine", "reference"] as const) {
          const calls: string[] = [];
          made[name] = calls;
          const continued = await execute(name, ir, run, repeating(ends, calls), replay);
          expect(withoutLog(continued), `${name}\n${run.source}`).toBe(withoutLog(whole));
          expect(calls, `${name}\n${run.source}`).toEqual([...ends.keys()].slice(ends.size - calls.length));
        }
        expect(made["machine"]).toEqual(made["reference"]);
        if ((made["machine"]?.length ?? 0) > 0) cuts += 1;
      }),
      { seed: SEED, numRuns: 400 },
    );
    expect(cuts).toBeGreaterThan(20);
  });
});
