/** A run whose store may have given it to somebody else, and the order in which records are kept. */
import { describe, expect, it } from "vitest";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import { JournalWriter } from "../../../vm/durable/writer.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { createHost } from "../../../vm/host.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const ir = compileForTest('L1:\n  R ext.P "a" ->x\n  R ext.P "b" ->y\n  J y\n', false, []);

function hostWith(made: string[], repeatable: boolean) {
  const act = (args: readonly unknown[]): string => {
    made.push(String(args[0]));
    return "done";
  };
  return createHost({
    clock: fakeClock(),
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map([["ext", plainAdapter("ext", { P: act }, { repeatable })]]),
    traceId: () => "t",
  });
}

describe("a run that may be somebody else's by now", () => {
  it.each([true, false])("makes no call that writes, and leaves (repeatable: %s)", async (repeatable) => {
    const made: string[] = [];
    const kept = memoryJournal();
    const journal: RunJournal = { ...kept, isOurs: () => made.length === 0 };
    const end = await hostWith(made, repeatable).durable({ ir, journal }).result;
    expect(end).toEqual({ state: "left", why: "stopped" });
    expect(made).toEqual(["a"]);
    // Nothing announces the second call, so it is made by the next one who has the run.
    const again = memoryJournal(kept.records);
    const next = await hostWith(made, repeatable).durable({ ir, journal: again }).result;
    expect(next).toMatchObject({ state: "ended", answer: { ok: true, out: "done" } });
  });

  it("looks again when the records before the call were kept: the process may have been stopped meanwhile", async () => {
    const made: string[] = [];
    const kept = memoryJournal();
    let isOurs = true;
    const append = async (records: readonly JournalRecord[]) => {
      isOurs = false;
      return kept.append(records);
    };
    const end = await hostWith(made, false).durable({ ir, journal: { ...kept, append, isOurs: () => isOurs } }).result;
    expect([end.state, made]).toEqual(["left", []]);
  });
});

describe("a call without an answer in a run that may be somebody else's by now", () => {
  const failing = (made: string[], code: "ADAPTER_TIMEOUT" | "ADAPTER_CONFLICT") => {
    const act = (args: readonly unknown[]): string => {
      made.push(String(args[0]));
      if (made.length === 1) throw new AdapterError(code, "no answer");
      return "done";
    };
    return createHost({
      clock: fakeClock(),
      facts: fakeFacts(),
      catalog: testCatalog,
      adapters: new Map([["ext", plainAdapter("ext", { P: act }, { repeatable: true })]]),
      traceId: () => "t",
    });
  };

  it("is left to the next one, who makes it again", async () => {
    const made: string[] = [];
    const kept = memoryJournal();
    const host = failing(made, "ADAPTER_TIMEOUT");
    const end = await host.durable({ ir, journal: { ...kept, isOurs: () => made.length === 0 } }).result;
    expect(end).toEqual({ state: "left", why: "stopped" });
    expect(kept.records.join()).not.toContain('"call"');
    const next = await host.durable({ ir, journal: memoryJournal(kept.records) }).result;
    expect(next).toMatchObject({ state: "ended", answer: { ok: true, out: "done" } });
    expect(made).toEqual(["a", "a", "b"]);
  });

  it("leaves its branches together with it", async () => {
    const branches = compileForTest(
      'L1:\n  Each all ["a", "b"] k ->L2\n  J all\nL2:\n  R ext.P k ->r\n  J r\n',
      false,
      [],
    );
    const made: string[] = [];
    const kept = memoryJournal();
    const host = failing(made, "ADAPTER_TIMEOUT");
    const end = await host.durable({ ir: branches, journal: { ...kept, isOurs: () => made.length === 0 } }).result;
    expect(end).toEqual({ state: "left", why: "stopped" });
    const next = await host.durable({ ir: branches, journal: memoryJournal(kept.records) }).result;
    expect(next).toMatchObject({ state: "ended", answer: { ok: true, out: ["done", "done"] } });
  });

  it.each([
    ["is a failure while the run is ours", "ADAPTER_TIMEOUT", true],
    ["is a failure where the other side refuses", "ADAPTER_CONFLICT", false],
  ] as const)("%s", async (_what, code, isOurs) => {
    const made: string[] = [];
    const journal = { ...memoryJournal(), isOurs: () => isOurs || made.length === 0 };
    const end = await failing(made, code).durable({ ir, journal }).result;
    expect(end).toMatchObject({ state: "ended", answer: { ok: false, error: { data: { adapter_code: code } } } });
  });
});

describe("a run that is asked to stop", () => {
  it("leaves though the store refuses its last records", async () => {
    const made: string[] = [];
    const journal: RunJournal = { ...memoryJournal(), append: async () => "stale" };
    const run = hostWith(made, true).durable({ ir, journal });
    run.stop();
    expect((await run.result).state).toBe("left");
    expect(made).toEqual([]);
  });
});

describe("a run that waits", () => {
  it("parks when all records before the wait are kept, however they were sent", async () => {
    const done: string[] = [];
    const answers: (() => void)[] = [];
    const journal: RunJournal = {
      load: async () => ({ records: [] }),
      append: (records) =>
        new Promise((resolve) => {
          answers.push(() => {
            done.push(`append ${records.map(({ seq }) => seq)}`);
            resolve("kept");
          });
        }),
      park: async (records) => {
        done.push(`park ${records.map(({ seq }) => seq)}`);
        return { state: "parked" };
      },
      keep: () => {},
    };
    const options = { clock: fakeClock(), activeMs: () => 0, bytes: 0, seq: 0, onStale: () => {} };
    const writer = new JournalWriter({ ...options, journal });
    const add = () => writer.add({ kind: "resume", why: "crash", owner: null, semantics: 1, layout: "" });
    add();
    void writer.commit();
    add();
    void writer.commit();
    const parked = writer.park([{ wait: "w", spec: { kind: "timer", until: 1 }, place: "{}" }], true);
    for (let at = 0; at < 2; at++) {
      await new Promise((resolve) => setImmediate(resolve));
      answers[at]?.();
    }
    await parked;
    expect(done).toEqual(["append 1", "append 2", "park "]);
  });
});
