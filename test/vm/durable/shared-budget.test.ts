/** A call whose job shares the budget of the run, in a run that ends and continues between its waits, and in replays. */
import { describe, expect, it } from "vitest";
import { jobAdapter } from "../../../adapters/builtin/job/definition.ts";
import { linkAdapter } from "../../../adapters/definition/link.ts";
import type { Json } from "../../../compiler/json.ts";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord, ParkedWait, RunJournal } from "../../../vm/durable/records.ts";
import { createHost } from "../../../vm/host.ts";
import { jobDesk } from "../../adapters/job-desk.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const JOB = "01980c1e-7a50-7c3e-9d7e-000000000001";
const USED = { steps: 100, adapter_calls: 7 };
const CALL = 'R job.run "report" {} {"share": "budget", "timeout": 60} ->r';
const PAYS = `L1:\n  ${CALL}\n  J r\n`;

/** `comes`: what ends a wait at once; null: the run parks there. */
function world(comes: (wait: number) => Json | null, source = PAYS) {
  const ir = compileForTest(source, false, []);
  const clock = fakeClock();
  const linked = linkAdapter(
    jobAdapter,
    { programs: ["report"] },
    { services: {} as never, secret: async () => undefined, log: (() => {}) as never, now: () => 0 },
  );
  if (!linked.ok) throw new Error(JSON.stringify(linked.issues));
  const did: string[] = [];
  let waits = 0;
  const { desk } = jobDesk();
  const family = {
    ...desk.family,
    cancel: async () => did.push("cancel") > 0,
    paidFor: async () => USED,
  } as NonNullable<typeof desk.family>;
  const host = createHost({
    clock,
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map([["job", linked.adapter]]),
    traceId: () => "t",
  });
  return {
    did,
    async run(kept: readonly string[], limits: object = {}) {
      const journal = memoryJournal(kept);
      const park = async (records: readonly JournalRecord[], parked: readonly ParkedWait[]) => {
        await journal.append(records);
        const { wait } = parked[0] as ParkedWait;
        waits += 1;
        const result = comes(waits);
        if (result === null) return { state: "parked" as const };
        const seq = journal.records.length + 1;
        const woken = { kind: "woken", wait, why: "job", result, seq, at: 0, active_ms: 0, branch: "" } as const;
        await journal.append([woken]);
        return { state: "woken" as const, woken: [{ wait, seq, result }] };
      };
      const durable: RunJournal = { ...journal, park, desk: { ...desk, family } };
      const end = await host.durable({ ir, journal: durable, limits }).result;
      return { end, records: journal.records };
    },
  };
}

const TIMEOUT = { state: "ended", answer: { ok: false, error: { data: { adapter_code: "ADAPTER_TIMEOUT" } } } };
const over = { id: JOB, status: "cancelled" };
const late = { id: null, status: null };
/** The records, with what ends the last wait of them. */
function wokenIn(records: readonly string[], result: Json): readonly string[] {
  const { wait } = records.map((text) => JSON.parse(text)).findLast(({ kind }) => kind === "wait");
  const woken = { kind: "woken", wait, why: "job", result, seq: records.length + 1, at: 0, active_ms: 0, branch: "" };
  return [...records, JSON.stringify(woken)];
}

describe("a run that pays for a job", () => {
  it("hears after each of its waits what it would have heard without ending there", async () => {
    const whole = await world((wait) => (wait === 1 ? late : over)).run([]);
    expect(whole.end).toMatchObject(TIMEOUT);
    const first = await world(() => null).run([]);
    expect(first.end.state).toBe("parked");
    const second = world(() => null);
    const parked = await second.run(wokenIn(first.records, late));
    expect([parked.end.state, second.did]).toEqual(["parked", ["cancel"]]);
    const last = world(() => null);
    const end = await last.run(wokenIn(parked.records, over));
    expect(end.end).toMatchObject(TIMEOUT);
    const usageOf = ({ end: one }: typeof whole) => (one.state === "ended" ? one.answer.usage : null);
    expect(usageOf(end)).toEqual({ ...usageOf(whole), time_ms: usageOf(end)?.time_ms });
    expect(usageOf(end)).toMatchObject({ shared: USED, adapter_calls: 8 });
  });

  it("has the same meters when its record answers, and does not ask for what the job used again", async () => {
    const whole = await world(() => over).run([]);
    const again = world(() => {
      throw new Error("nothing waits");
    });
    const end = await again.run(whole.records);
    expect(end.end).toMatchObject({ state: "ended", answer: { usage: { shared: USED, adapter_calls: 8 } } });
    const [steps, replayed] = [whole, end].map(({ end: one }) => one.state === "ended" && one.answer.usage.steps);
    expect(replayed).toBe(steps);
  });

  it("has what it used after any record, whatever calls come then", async () => {
    const source = `L1:\n  ${CALL}\n  R core.NOW ->a\n  R core.NOW ->b\n  J r\n`;
    const whole = await world(() => over, source).run([]);
    for (let kept = 0; kept <= whole.records.length; kept++) {
      const { end, records } = await world(() => over, source).run(whole.records.slice(0, kept));
      expect(end, `${kept} records`).toMatchObject({ answer: { usage: { shared: USED, adapter_calls: 10 } } });
      const again = await world(() => over, source).run(records);
      expect(again.end, `${kept} records, and all`).toMatchObject({ answer: { usage: { shared: USED } } });
    }
  });

  it("ends with the code of the limit where what it pays is above it, live and from its record", async () => {
    const live = await world(() => over).run([], { max_steps: 50 });
    expect(live.end).toMatchObject({ answer: { ok: false, error: { code: "RUNTIME_MAX_STEPS" } } });
    const replayed = await world(() => over).run(live.records, { max_steps: 50 });
    expect(replayed.end).toMatchObject({ answer: { ok: false, error: { code: "RUNTIME_MAX_STEPS" } } });
    const calls = await world(() => over).run([], { max_adapter_calls: 5 });
    expect(calls.end).toMatchObject({ answer: { ok: false, error: { code: "RUNTIME_MAX_ADAPTER_CALLS" } } });
  });
});
