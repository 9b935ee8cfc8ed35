/** A run is not stored in the middle of a transaction (S-3), and knows which calls are part of one. */
import { describe, expect, it } from "vitest";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord } from "../../../vm/durable/records.ts";
import { OpenTransactions } from "../../../vm/durable/transactions/open-transactions.ts";
import { createHost } from "../../../vm/host.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const SOURCE = [
  "L1:",
  '  R ext.P "before" ->a',
  '  R txn.BEGIN "t" ->i',
  '  R ext.P "within" ->b',
  '  R ext.P "within" ->c',
  '  R txn.COMMIT "t" ->d',
  '  R ext.P "after" ->e',
  "  J e",
  "",
].join("\n");

describe("a transaction", () => {
  it("is part of no stored state", async () => {
    const later = async (): Promise<string> => "done";
    const end = { BEGIN: later, COMMIT: later, ROLLBACK: later };
    const host = createHost({
      clock: fakeClock(),
      facts: fakeFacts(),
      catalog: testCatalog,
      adapters: new Map([
        ["ext", plainAdapter("ext", { P: later })],
        ["txn", plainAdapter("txn", end)],
      ]),
      traceId: () => "t",
    });
    const kept: number[] = [];
    const journal = memoryJournal();
    const keep = (snapshot: unknown): void => void kept.push((snapshot as { readonly seq: number }).seq);
    const ir = compileForTest(SOURCE, false, []);
    const snapshots = { steps: 0, records: 0, activeMs: 0, maxBytes: 1 << 20 };
    const ended = await host.durable({ ir, journal: { ...journal, keep }, snapshots }).result;
    expect(ended).toMatchObject({ state: "ended", answer: { ok: true, out: "done" } });
    const records = journal.records.map((text) => JSON.parse(text) as JournalRecord);
    const seqOf = (verb: string): number =>
      records.find((one) => one.kind === "call" && one.verb === verb)?.seq ?? Number.NaN;
    expect(kept.some((seq) => seq < seqOf("BEGIN"))).toBe(true);
    expect(kept.some((seq) => seq >= seqOf("COMMIT"))).toBe(true);
    expect(kept.filter((seq) => seq >= seqOf("BEGIN") && seq < seqOf("COMMIT"))).toEqual([]);
  });

  it.each([
    ["without a name", [], "default"],
    ["with a number", [7, { resource: "db" }], "7"],
    ["with a name", ["a", { resource: "db" }], "a"],
  ] as const)("%s, has the calls to its database alone", (_what, begin, name) => {
    const open = new OpenTransactions();
    const of = (adapter: string): string | null => open.of({ adapter, verb: "f", args: [] });
    expect([of("db"), of("sqlite"), of("ext")]).toEqual([null, null, null]);
    open.called({ adapter: "txn", verb: "begin", args: [...begin] }, true);
    expect([of("db"), of("sqlite"), of("ext")]).toEqual([name, begin.length === 0 ? name : null, null]);
    expect(() => open.checkWait()).toThrow(/would end with the wait/);
    const end = { adapter: "txn", verb: "commit", args: begin.slice(0, 1) };
    expect(open.of(end)).toBe(name);
    open.called(end, true);
    expect([open.isEmpty, of("db")]).toEqual([true, null]);
  });

  it("of the run is open in its branches; what a branch opens or closes is the run's when the branch has ended", () => {
    const begin = (on: OpenTransactions, name: string): void =>
      on.called({ adapter: "txn", verb: "begin", args: [name] }, true);
    const run = new OpenTransactions();
    begin(run, "a");
    const [first, second] = [new OpenTransactions(run), new OpenTransactions(run)];
    expect(() => first.checkWait()).toThrow(/would end with the wait/);
    first.called({ adapter: "txn", verb: "commit", args: ["a"] }, true);
    expect(() => first.checkWait()).not.toThrow();
    expect(() => second.checkWait()).toThrow();
    begin(second, "b");
    run.join(second);
    run.join(first);
    expect(run.of({ adapter: "db", verb: "f", args: [] })).toBe("b");
    run.called({ adapter: "txn", verb: "rollback", args: ["b"] }, true);
    expect(run.isEmpty).toBe(true);
  });
});
