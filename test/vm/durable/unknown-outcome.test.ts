/** A call that acts again when it is repeated and was under way: it fails, is made again, or waits for a person's word (2.4). */
import { describe, expect, it } from "vitest";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import type { OnUnknown } from "../../../vm/durable/call-options.ts";
import type { DurableEvent } from "../../../vm/durable/durable-request.ts";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord } from "../../../vm/durable/records.ts";
import { createHost } from "../../../vm/host.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const SOURCE = 'L1:\n  R ext.P "a" ->x\n  Err ->L2\n  J x\nL2:\n  J _error_info.details.outcome\n';

function hostWith(made: string[], wallMs = 0) {
  const clock = fakeClock();
  const act = (): string => {
    made.push("P");
    return "done here";
  };
  return createHost({
    clock: { ...clock, wall: () => clock.wall() + wallMs },
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map([["ext", plainAdapter("ext", { P: act }, { repeatable: false })]]),
    traceId: () => "t",
  });
}

const ir = compileForTest(SOURCE, false, []);

/** The journal of a process that ended during the call. */
async function cutInCall(): Promise<readonly string[]> {
  const journal = memoryJournal();
  await hostWith([]).durable({ ir, journal }).result;
  const kinds = journal.records.map((text) => (JSON.parse(text) as JournalRecord).kind);
  expect(kinds).toEqual(["start", "intent", "call"]);
  return journal.records.slice(0, 2);
}

async function resumed(records: readonly string[], onUnknown: OnUnknown) {
  const made: string[] = [];
  const journal = memoryJournal(records);
  const unknown: number[] = [];
  const told = (event: DurableEvent): void => void (event.kind === "outcome_unknown" && unknown.push(event.seq));
  const end = await hostWith(made).durable({ ir, journal, told, onUnknown: () => onUnknown }).result;
  return { end, made, journal, unknown };
}

describe("a call of unknown outcome", () => {
  it("fails as such, with a warning, and again the same in every later process", async () => {
    const first = await resumed(await cutInCall(), "fail");
    const again = await resumed(first.journal.records, "fail");
    expect([first.unknown, again.unknown]).toEqual([[2], []]);
    for (const { end, made } of [first, again]) {
      expect(made).toEqual([]);
      expect(end).toMatchObject({ state: "ended", answer: { ok: true, out: "unknown" } });
      expect("answer" in end ? end.answer.warnings.join() : "").toContain("outcome_unknown");
    }
  });

  it("is made again only where that is asked for", async () => {
    const { end, made, unknown } = await resumed(await cutInCall(), "retry");
    expect([made, unknown]).toEqual([["P"], [2]]);
    expect(end).toMatchObject({ answer: { out: "done here" } });
  });

  it.each([
    ["done", "said so", [], "said so"],
    ["make", null, ["P"], "done here"],
    ["fail", null, [], "unknown"],
  ] as const)("waits for a word: %s", async (decision, result, made, out) => {
    const { end, journal, unknown } = await resumed(await cutInCall(), "ask");
    expect([end, unknown]).toEqual([{ state: "asks", of: 2 }, [2]]);
    const seq = journal.records.length + 1;
    const word = { kind: "decision", of: 2, decision, by: "ann", result, seq, at: 1, active_ms: 0, branch: "" };
    const decided = await resumed([...journal.records, JSON.stringify(word)], "ask");
    expect([decided.made, decided.unknown]).toEqual([made, []]);
    expect(decided.end).toMatchObject({ state: "ended", answer: { ok: true, out } });
  });
});
