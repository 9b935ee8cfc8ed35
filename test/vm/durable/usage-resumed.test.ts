/** What adapters count of a run, and budgets are measured by, includes what was used in processes that died. */
import { expect, it } from "vitest";
import { spendingOf } from "../../../adapters/builtin/llm/spending.ts";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Adapter, CallContext } from "../../../vm/adapter.ts";
import { type MemoryJournal, memoryJournal } from "../../../vm/durable/memory-journal.ts";
import { createHost } from "../../../vm/host.ts";
import { facts, still } from "../../support/answered-calls.ts";
import { extEntry, WRITES } from "../../support/ext-entry.ts";

const catalog = createCatalog([extEntry(["ask"], WRITES)]);
const ONE = { calls: 1, input_tokens: 10, output_tokens: 1, cost: 0.5 };

/** Each call costs the same. `seen`: the calls that were counted before it. */
function asking(seen: number[]): Adapter {
  return {
    name: "ext",
    verb: () => ({
      name: "ASK",
      effectTier: "io-read",
      bind: () => ({
        timeoutMs: null,
        maxResultBytes: null,
        repeatable: true,
        run: async (_instance: unknown, { run: { usage } }: CallContext) => {
          const calls = usage.llm?.calls ?? 0;
          seen.push(calls);
          const all = {
            calls: calls + 1,
            input_tokens: 10 * (calls + 1),
            output_tokens: calls + 1,
            cost: 0.5 * (calls + 1),
          };
          usage.llm = { ...all, models: { small: all } };
          return calls;
        },
      }),
    }),
  };
}

async function run(journal: MemoryJournal, seen: number[]) {
  const { ir } = compile("L1:\n  R ext.ask 1 ->a\n  R ext.ask 2 ->b\n  R ext.ask 3 ->c\n  J c\n", { catalog });
  if (ir === null) throw new Error("the program is not valid");
  const host = createHost({
    clock: still,
    facts,
    catalog,
    adapters: new Map([["ext", asking(seen)]]),
    traceId: () => "t",
  });
  const end = await host.durable({ ir, frame: {}, journal }).result;
  if (end.state !== "ended") throw new Error(end.state);
  return end.answer;
}

it("a run that continues after any record counts what it had used before", async () => {
  const journal = memoryJournal();
  const seen: number[] = [];
  const { usage } = await run(journal, seen);
  expect(usage.llm).toMatchObject({ calls: 3, input_tokens: 30, cost: 1.5 });
  expect(seen).toEqual([0, 1, 2]);
  for (let kept = 1; kept <= journal.records.length; kept++) {
    const again: number[] = [];
    const answer = await run(memoryJournal(journal.records.slice(0, kept)), again);
    expect(answer.usage.llm, `${kept} records`).toEqual(usage.llm);
    expect(again).toEqual(seen.slice(seen.length - again.length));
  }
});

it("budgets of llm begin with what the run had spent", async () => {
  const account = spendingOf({ usage: { llm: { ...ONE, models: { small: ONE } } } });
  const model = { name: "small", config: { price: { input: 1, output: 1 } } } as Parameters<typeof account.reserve>[0];
  const budgets = { max_calls: 1, max_input_tokens: 1000, max_output_tokens: 1000, max_cost: 10 };
  const asked = account.reserve(model, { input: 1, output: 1 }, budgets, new AbortController().signal);
  await expect(asked).rejects.toMatchObject({ code: "ADAPTER_QUOTA", data: { budget: "max_calls", used: 1 } });
});
