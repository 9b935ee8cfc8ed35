/** A replay that continues live after its log ends (docs/replay.md, continuing after the log). */
import { describe, expect, it } from "vitest";
import type { Json } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { createHost, type HostRunRequest, type RunAnswer } from "../../vm/host.ts";
import type { CallEvent } from "../../vm/run.ts";
import { executor } from "../support/executors.ts";
import { fakeClock, fakeFacts } from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";
import { adapters, entry, logOf } from "./running.ts";

const THREE = "L1:\n  R ext.DO 1 ->a\n  R ext.DO 2 ->b\n  R ext.DO 3 ->c\n  J [a, b, c]\n";

const EXECUTORS = ["machine", "reference"] as const;

function run(source: string, request: Omit<HostRunRequest, "ir">): Promise<RunAnswer> {
  const deps = { clock: fakeClock(), facts: fakeFacts(), catalog: testCatalog, adapters: new Map() };
  return createHost({ ...deps, traceId: () => "t" }).run({ ...request, ir: compileForTest(source, false, []) });
}

/** Answers with ten times its argument, notes it, and fails as long as `broken` names the argument. */
function tens(made: Json[], broken: ReadonlySet<Json> = new Set()) {
  return adapters({
    ext: {
      DO: ([n = null]) => {
        made.push(n);
        if (broken.has(n)) throw new AdapterError("ADAPTER_UNAVAILABLE", "down", { retryable: true });
        return Number(n) * 10;
      },
    },
  });
}

describe("a replay that continues", () => {
  it("makes the calls beyond the log, and only those", async () => {
    const made: Json[] = [];
    const replay = logOf([entry("ext", "DO", [1], 10)]);
    const answer = await run(THREE, { replay, replayContinues: true, adapters: tens(made) });
    expect(answer).toMatchObject({ ok: true, out: [10, 20, 30], replay: { matched: 1, remaining: 0 } });
    expect(made).toEqual([2, 3]);
  });

  it("makes the call that failed anew, with its attempts, and records the whole run", async () => {
    const source = THREE.replace("->b\n", "->b\n  Retry @n2 2\n");
    const { record: first } = await run(source, { record: true, adapters: tens([], new Set([2])) });
    expect(first?.calls.map((call) => call.ok)).toEqual([true, false, false, false]);
    const made: Json[] = [];
    const answer = await run(source, { replay: first, replayContinues: true, record: true, adapters: tens(made) });
    expect(answer).toMatchObject({ ok: true, out: [10, 20, 30] });
    expect(made).toEqual([2, 3]);
    expect(answer.record).toMatchObject({ complete: true });
    expect(answer.record?.calls.map((call) => call.result)).toEqual([10, 20, 30]);
  });

  it.each(EXECUTORS)("makes a keyed write in a loop under the key it would have had: %s", async (name) => {
    const source =
      "L1:\n  Set got []\n  Loop [1, 2, 3] n ->L_b ->L_e\nL_b:\n  R ext.DO n ->r\n  X got push got r\n  J null\nL_e:\n  J got\n";
    const charged = new Map<string, string>();
    const pay = adapters({
      ext: {
        DO: ([n = null], { callId }) => {
          const known = charged.get(callId) ?? `charged ${n}`;
          charged.set(callId, known);
          return known;
        },
      },
    });
    const ir = compileForTest(source, false, []);
    const world = { clock: fakeClock(), facts: fakeFacts(), adapters: pay };
    const execute = executor(name, testCatalog);
    const cut = await execute(ir, { ...world, record: true, limits: { max_adapter_calls: 2 } });
    expect([cut.ok, charged.size]).toEqual([false, 2]);
    const whole = await execute(ir, { ...world, replay: cut.record, replayContinues: true });
    expect(whole).toMatchObject({ ok: true, out: ["charged 1", "charged 2", "charged 3"] });
    expect([...charged.values()]).toEqual(["charged 1", "charged 2", "charged 3"]);
  });

  it("parts from the log nowhere before its end", async () => {
    const made: Json[] = [];
    const replay = logOf([entry("ext", "DO", [7], 10)]);
    expect(await run(THREE, { replay, replayContinues: true, adapters: tens(made) })).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_REPLAY_MISMATCH" },
    });
    expect(made).toEqual([]);
  });

  it("tells an observer which calls were replayed", async () => {
    const seen: string[] = [];
    const observer = ({ args, status }: CallEvent): void => {
      seen.push(`${args[0]} ${status}`);
    };
    const replay = logOf([entry("ext", "DO", [1], 10)]);
    await run(THREE, { replay, replayContinues: true, adapters: tens([]), observer });
    expect(seen).toEqual(["1 replayed", "2 ok", "3 ok"]);
  });
});
