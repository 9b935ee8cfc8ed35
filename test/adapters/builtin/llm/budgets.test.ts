/** Budgets of a run: a request counts as the most that it can use before it is sent, and as what the provider counted afterwards. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { failureOf } from "../social/social-bench.ts";
import { modelBench } from "./llm-bench.ts";

const bench = modelBench();
const FORM = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

describe.each(["max_calls", "max_input_tokens", "max_output_tokens", "max_cost"])("%s of 0", (budget) => {
  it.each<[string, readonly unknown[]]>([
    ["chat", ["x"]],
    ["classify", ["x", ["a", "b"]]],
    ["extract", ["x", FORM]],
  ])("lets %s ask nothing", async (verb, args) => {
    const { call, usage } = await bench.open({ [budget]: 0 });
    const { code, data } = await failureOf(call(verb, ...args));
    expect({ code, data }).toMatchObject({ code: "ADAPTER_QUOTA", data: { budget, limit: 0, used: 0 } });
    expect(bench.world.server.requests).toHaveLength(0);
    expect(usage.llm).toBeUndefined();
  });
});

it("max_output_tokens of 0 leaves embeddings, which write nothing", async () => {
  const { call, code } = await bench.open({ max_output_tokens: 0 });
  expect(await call("embed", ["x"])).toBeDefined();
  expect(await code("chat", "x")).toBe("ADAPTER_QUOTA");
});

it("calls are counted over all verbs, and a repair round is one more", async () => {
  const { call, usage } = await bench.open({ max_calls: 3 });
  bench.world.say("no JSON");
  await call("extract", "x is 1", { type: "object" });
  await call("embed", ["x"]);
  const { data } = await failureOf(call("chat", "x"));
  expect(data).toMatchObject({ budget: "max_calls", limit: 3, used: 3 });
  expect(usage.llm).toMatchObject({ calls: 3, models: { small: { calls: 2 }, vectors: { calls: 1 } } });
});

it("a repair round that the budget has no room for is not made", async () => {
  const { call } = await bench.open({ max_calls: 1 });
  bench.world.say("no JSON");
  expect((await failureOf(call("extract", "x", FORM))).code).toBe("ADAPTER_QUOTA");
  expect(bench.world.server.requests).toHaveLength(1);
});

it("a prompt counts as its bytes until the provider has counted its tokens", async () => {
  const { call, usage } = await bench.open({ max_input_tokens: 500 });
  expect(await failureOf(call("chat", "x".repeat(500)))).toMatchObject({ code: "ADAPTER_QUOTA" });
  for (let times = 0; times < 5; times++) await call("chat", "x".repeat(300));
  expect(usage.llm).toMatchObject({ calls: 5, input_tokens: 20 });
});

it("an answer is never longer than what is left", async () => {
  const { call } = await bench.open({ max_output_tokens: 12 });
  const limits = async (options: JsonObject, words: number): Promise<unknown> => {
    bench.world.say("word ".repeat(words).trim());
    await call("chat", "x", options);
    return bench.world.bodies().at(-1)?.["max_tokens"];
  };
  expect(await limits({}, 5)).toBe(12);
  expect(await limits({ max_tokens: 3 }, 3)).toBe(3);
  expect(await limits({ max_tokens: 100 }, 4)).toBe(4);
  expect((await failureOf(call("chat", "x"))).data).toMatchObject({ budget: "max_output_tokens", used: 12 });
});

it("max_cost bounds the tokens of an answer by their price", async () => {
  // 145 units of input at 1, so that 0.000155 leaves 10 for output at 2.
  const { call, usage } = await bench.open({ max_cost: 0.000_165 });
  await call("chat", "x");
  expect(bench.world.bodies()[0]?.["max_tokens"]).toBe(10);
  expect(usage.llm?.cost).toBeLessThanOrEqual(0.000_165);
});

it("max_cost refuses a model without a price", async () => {
  const { providers } = bench.world.settings() as { readonly providers: { readonly local: JsonObject } };
  const { code } = await bench.open({
    providers: { local: { ...providers.local, models: { small: {} } } },
    max_cost: 1,
  });
  expect(await code("chat", "x")).toBe("ADAPTER_NOT_CONFIGURED");
  expect(bench.world.server.requests).toHaveLength(0);
});

describe("usage that cannot be true", () => {
  it.each<[string, unknown]>([
    ["is missing", null],
    ["is empty", {}],
    ["is negative", { prompt_tokens: -5, completion_tokens: -1 }],
    ["is text", { prompt_tokens: "5", completion_tokens: "1" }],
    ["is a fraction", { prompt_tokens: 0.5, completion_tokens: 0.5 }],
    ["is beyond any number", { prompt_tokens: 1e300, completion_tokens: 1e300 }],
    ["is nothing for something", { prompt_tokens: 0, completion_tokens: 0 }],
    ["is of another form", [1, 2]],
  ])("counts as the upper bound when it %s", async (_what, usage) => {
    const { call } = await bench.open();
    bench.world.say({ text: "Hello.", usage: usage as JsonObject });
    const answer = await call("chat", "x", { max_tokens: 50 });
    expect(answer).toMatchObject({ usage: { input_tokens: 145, output_tokens: 50, estimated: true } });
  });

  it("is counted when it is larger than what was asked for, and nothing more is asked then", async () => {
    const { call, usage } = await bench.open({ max_output_tokens: 100 });
    bench.world.say({ usage: { prompt_tokens: 5, completion_tokens: 4000 } });
    await call("chat", "x", { max_tokens: 50 });
    expect(usage.llm).toMatchObject({ output_tokens: 4000 });
    expect((await failureOf(call("chat", "x"))).code).toBe("ADAPTER_QUOTA");
  });
});

describe("a request without a good answer", () => {
  it("costs nothing when the provider refused it", async () => {
    const { call, usage } = await bench.open();
    bench.world.fail((response) => response.writeHead(429).end());
    await failureOf(call("chat", "x"));
    expect(usage.llm).toMatchObject({ calls: 1, input_tokens: 0, output_tokens: 0, cost: 0 });
  });

  it.each<[string, Parameters<typeof bench.world.fail>[0]]>([
    ["was lost", (response) => response.destroy()],
    ["is garbage", (response) => response.end("<html>")],
    ["is half a body", (response) => response.writeHead(200, { "content-length": 100 }).write('{"choices": [')],
  ])("costs the upper bound when its answer %s", async (_what, fault) => {
    const { call, usage } = await bench.open({ timeout_s: 1 });
    bench.world.fail((response, request) => {
      fault(response, request);
      response.destroy();
    });
    await failureOf(call("chat", "x", { max_tokens: 50 }));
    expect(usage.llm).toMatchObject({ calls: 1, input_tokens: 145, output_tokens: 50 });
  });

  it("counts for nothing when the key is missing", async () => {
    const { code, usage } = await bench.open({}, { secrets: {} });
    expect(await code("chat", "x")).toBe("ADAPTER_NOT_CONFIGURED");
    expect(usage.llm).toBeUndefined();
  });
});

it("no sequence of calls exceeds a budget, whatever the prompts and the budgets are", async () => {
  const step = fc.record({
    verb: fc.constantFrom("chat", "classify", "embed"),
    text: fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
    tokens: fc.integer({ min: 1, max: 300 }),
    words: fc.integer({ min: 1, max: 400 }),
  });
  const budgets = fc.record({
    max_calls: fc.integer({ min: 0, max: 8 }),
    max_input_tokens: fc.integer({ min: 0, max: 3000 }),
    max_output_tokens: fc.integer({ min: 0, max: 600 }),
    max_cost: fc.integer({ min: 0, max: 3000 }).map((units) => units / 1_000_000),
  });
  await fc.assert(
    fc.asyncProperty(budgets, fc.array(step, { maxLength: 8 }), async (limits, steps) => {
      const { code, usage } = await bench.open(limits);
      for (const { verb, text, tokens, words } of steps) {
        const before = bench.world.server.requests.length;
        if (verb === "embed") await code("embed", [text]);
        else if (verb === "classify") await code("classify", text, ["a", "b"]);
        else {
          bench.world.say("w ".repeat(words).trim());
          await code("chat", text, { max_tokens: tokens });
          const sent = bench.world.bodies()[before]?.["max_tokens"];
          if (sent === undefined) bench.world.unsay();
          else expect(sent).toBeLessThanOrEqual(Math.min(tokens, limits.max_output_tokens));
        }
      }
      const { calls = 0, input_tokens: input = 0, output_tokens: output = 0, cost = 0 } = usage.llm ?? {};
      expect(calls).toBeLessThanOrEqual(limits.max_calls);
      expect(input).toBeLessThanOrEqual(limits.max_input_tokens);
      expect(output).toBeLessThanOrEqual(limits.max_output_tokens);
      expect(cost).toBeLessThanOrEqual(limits.max_cost);
    }),
    { numRuns: 40 },
  );
});
