/** A journal that is full: the run fails at the same call, whether its records were written by this process or found (docs/durable.md). */
import { expect, it } from "vitest";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import { createHost } from "../../../vm/host.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const CALLS = 8;
/** Two bytes each: what counts is what is stored. */
const ANSWER = "é".repeat(1000);
/** Room for the start, four calls and a resume. */
const MAX_BYTES = 256 + 4 * (256 + 2002) + 600;

const steps = Array.from({ length: CALLS }, (_, n) => `  R ext.P ${n} ->x${n}\n`).join("");
const ir = compileForTest(`L1:\n${steps}  J 1\n`, false, []);

async function run(records: readonly string[]) {
  let made = 0;
  const answer = (): string => {
    made += 1;
    return ANSWER;
  };
  const host = createHost({
    clock: fakeClock(),
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map([["ext", plainAdapter("ext", { P: answer }, { repeatable: true })]]),
    traceId: () => "t",
  });
  const journal = memoryJournal(records);
  const end = await host.durable({ ir, journal, maxJournalBytes: MAX_BYTES }).result;
  const code = end.state === "ended" && !end.answer.ok ? end.answer.error.code : null;
  return { made, code, records: journal.records };
}

it("is full at the same call in a run that is resumed", async () => {
  const whole = await run([]);
  expect(whole).toMatchObject({ made: 5, code: "RUNTIME_JOURNAL_FULL" });
  for (const found of [1, 2, 3, 4, 5]) {
    const resumed = await run(whole.records.slice(0, found));
    expect({ made: resumed.made + found - 1, code: resumed.code }, `${found} records`).toEqual({
      made: 5,
      code: "RUNTIME_JOURNAL_FULL",
    });
  }
});
