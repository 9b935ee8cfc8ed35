/** Calls of a run that are under way at the same time: they overlap, and its budgets hold as exactly as for calls one after the other. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { failureOf } from "../social/social-bench.ts";
import { modelBench } from "./llm-bench.ts";
import { type ModelWorld, send } from "./world.ts";

const bench = modelBench();

/** Holds back answers until a test releases them. */
function held(world: ModelWorld, answers: number) {
  const open: (() => void)[] = [];
  let arrived = (): void => {};
  for (let n = 0; n < answers; n++)
    world.fail((response) => {
      open.push(() =>
        send(response, {
          model: "small",
          choices: [{ message: { content: "Hello." }, finish_reason: "stop" }],
          usage: { prompt_tokens: 5, completion_tokens: 1 },
        }),
      );
      arrived();
    });
  return {
    /** Resolves when as many requests are open. */
    async until(count: number): Promise<void> {
      while (open.length < count)
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
    },
    answer: () => open.shift()?.(),
    answerAll: () => open.splice(0).forEach((give) => void give()),
  };
}

it("calls that have room are under way at the same time", async () => {
  const answers = held(bench.world, 4);
  const { call, usage } = await bench.open();
  const calls = [1, 2, 3, 4].map(() => call("chat", "x"));
  await answers.until(4);
  answers.answerAll();
  expect(await Promise.all(calls)).toHaveLength(4);
  expect(usage.llm).toMatchObject({ calls: 4, input_tokens: 20, output_tokens: 4 });
});

it("a call waits for those that hold the room which it needs, and then has what they did not use", async () => {
  const answers = held(bench.world, 2);
  const { call } = await bench.open({ max_output_tokens: 12 });
  const calls = [call("chat", "x"), call("chat", "x")];
  await answers.until(1);
  answers.answer();
  await answers.until(1);
  answers.answer();
  await Promise.all(calls);
  expect(bench.world.bodies().map((body) => body["max_tokens"])).toEqual([12, 11]);
});

it("the number of calls is exact when all begin at once", async () => {
  const { code } = await bench.open({ max_calls: 3 });
  const codes = await Promise.all([1, 2, 3, 4, 5].map(() => code("chat", "x").catch(() => "answered")));
  expect(codes.filter((one) => one === "ADAPTER_QUOTA")).toHaveLength(2);
  expect(bench.world.server.requests).toHaveLength(3);
});

it("a call that is given up while it waits is never sent, and those after it continue", async () => {
  const answers = held(bench.world, 2);
  const { call, callUnder } = await bench.open({ max_output_tokens: 12 });
  const first = call("chat", "x");
  await answers.until(1);
  const control = new AbortController();
  const given = failureOf(callUnder(control.signal, "chat", "x"));
  const last = call("chat", "x");
  control.abort();
  expect((await given).code).toBe("ADAPTER_CANCELLED");
  answers.answer();
  await answers.until(1);
  answers.answer();
  await Promise.all([first, last]);
  expect(bench.world.server.requests).toHaveLength(2);
});

it("what fits one after the other fits at once, and no budget is exceeded", async () => {
  const asked = fc.array(
    fc.record({ tokens: fc.integer({ min: 1, max: 60 }), words: fc.integer({ min: 1, max: 80 }) }),
    {
      maxLength: 6,
    },
  );
  const budgets = fc.record({
    max_calls: fc.integer({ min: 0, max: 6 }),
    max_input_tokens: fc.integer({ min: 0, max: 600 }),
    max_output_tokens: fc.integer({ min: 0, max: 120 }),
    max_cost: fc.integer({ min: 0, max: 600 }).map((units) => units / 1_000_000),
  });
  await fc.assert(
    fc.asyncProperty(budgets, asked, async (limits, calls) => {
      const run = async (together: boolean) => {
        const { call, usage } = await bench.open(limits);
        const before = bench.world.server.requests.length;
        const one = async ({ tokens, words }: (typeof calls)[number]): Promise<string> => {
          // The prompt says how much the model writes: requests may arrive in any order.
          bench.world.say({ text: "w ".repeat(words).trim() });
          try {
            await call("chat", "x", { max_tokens: tokens });
            return "answered";
          } catch (thrown) {
            if (thrown instanceof AdapterError) return thrown.code;
            throw thrown;
          }
        };
        const codes: string[] = [];
        if (together) codes.push(...(await Promise.all(calls.map(one))));
        else for (const each of calls) codes.push(await one(each));
        bench.world.unsay();
        const sent = bench.world.bodies().slice(before);
        return { codes, usage: usage.llm, sent: sent.map((body) => Number(body["max_tokens"])).sort((a, b) => a - b) };
      };
      // The same number of words for all, so that the order in which requests arrive changes nothing.
      const words = calls[0]?.words ?? 1;
      calls = calls.map(({ tokens }) => ({ tokens, words }));
      const apart = await run(false);
      const together = await run(true);
      expect(together).toEqual(apart);
      const { calls: made = 0, input_tokens = 0, output_tokens = 0, cost = 0 } = together.usage ?? {};
      expect(made).toBeLessThanOrEqual(limits.max_calls);
      expect(input_tokens).toBeLessThanOrEqual(limits.max_input_tokens);
      expect(output_tokens).toBeLessThanOrEqual(limits.max_output_tokens);
      expect(cost).toBeLessThanOrEqual(limits.max_cost);
    }),
    { numRuns: 40 },
  );
});
