/** Chat, embeddings, choices and data, over every API, on a server that speaks it. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { failureOf } from "../social/social-bench.ts";
import { modelBench } from "./llm-bench.ts";
import { KEY } from "./world.ts";

const bench = modelBench();

const PERSON = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
} as const;
const CHOICES = ["bug", "invoice", "question"];

describe.each(["openai", "anthropic", "ollama"] as const)("over the API of %s", (api) => {
  it("chat answers a prompt with text, model, usage and cost", async () => {
    const { call } = await bench.open(bench.world.settings(api));
    expect(await call("chat", "Say hello.")).toEqual({
      text: "Hello.",
      data: null,
      model: "small",
      usage: { input_tokens: 5, output_tokens: 1, cost: 0.000007 },
      finish: "stop",
    });
  });

  it("chat takes messages, instructions, a bound of tokens and a temperature", async () => {
    const { call } = await bench.open(bench.world.settings(api));
    const messages = [
      { role: "user", content: "Hi." },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "Again." },
    ];
    await call("chat", messages, { system: "Be short.", max_tokens: 7, temperature: 0.5 });
    const [body = {}] = bench.world.bodies();
    const sent = JSON.stringify(body);
    for (const part of ["Be short.", "Hi.", "Again.", '"temperature":0.5']) expect(sent).toContain(part);
    expect(sent).toMatch(/"(max_tokens|num_predict)":7/);
  });

  it("chat with a schema gives data that fits it", async () => {
    const { call } = await bench.open(bench.world.settings(api));
    const answer = await call("chat", "Ada is 36", { schema: PERSON });
    expect(answer).toMatchObject({ data: { name: "Ada", age: 36 } });
  });

  it("classify gives one of the choices", async () => {
    const { call } = await bench.open(bench.world.settings(api));
    expect(await call("classify", "The page is broken", CHOICES)).toBe("bug");
    expect(await call("classify", "My invoice is wrong", CHOICES)).toBe("invoice");
  });

  it("extract gives data that fits the schema", async () => {
    const { call } = await bench.open(bench.world.settings(api));
    expect(await call("extract", "Ada is 36", PERSON)).toEqual({ name: "Ada", age: 36 });
  });
});

it.each(["openai", "ollama"] as const)("embed gives one vector for each text, in their order, over %s", async (api) => {
  const { call } = await bench.open(bench.world.settings(api));
  expect(await call("embed", ["red", "blue"])).toMatchObject({
    vectors: [
      [1, 0],
      [0, 1],
    ],
    model: "vectors",
    usage: { input_tokens: 2, output_tokens: 0 },
  });
});

it("a schema stands in the prompt where the provider takes none", async () => {
  const { providers } = bench.world.settings() as { readonly providers: { readonly local: JsonObject } };
  const { call } = await bench.open({ providers: { local: { ...providers.local, structured: "prompt" } } });
  bench.world.say('Here it is:\n```json\n{"name": "Ada", "age": 36}\n```\nAnything else?');
  expect(await call("extract", "Ada is 36", PERSON)).toEqual({ name: "Ada", age: 36 });
  const [body = {}] = bench.world.bodies();
  expect(body["response_format"]).toBeUndefined();
  expect(JSON.stringify(body["messages"])).toContain("JSON Schema");
});

describe("an answer of another form", () => {
  it.each(["not JSON", '{"name": "Ada"}', "[1, 2", '{"name": 1, "age": "x"}'])(
    "%j gets one repair round, which says what was wrong",
    async (first) => {
      const { call } = await bench.open();
      bench.world.say(first);
      expect(await call("extract", "Ada is 36", { ...PERSON, additionalProperties: true })).toBeDefined();
      const [, second = {}] = bench.world.bodies();
      expect(bench.world.bodies()).toHaveLength(2);
      expect(JSON.stringify(second["messages"])).toContain("That does not fit");
    },
  );

  it("fails after the repair round, with the places that do not fit", async () => {
    const { call } = await bench.open();
    bench.world.say('{"name": "Ada"}', '{"name": "Ada", "age": "old"}');
    const { code, retryable, data } = await failureOf(call("extract", "Ada is 36", PERSON));
    expect({ code, retryable, data }).toEqual({
      code: "ADAPTER_BAD_DATA",
      retryable: false,
      data: { reason: "schema", faults: ["/age must be integer"] },
    });
    expect(bench.world.bodies()).toHaveLength(2);
  });

  it.each([
    ["cut off at max_tokens", { text: '{"name": "A', finish: "length" }, "length"],
    ["refused by the model", { text: "I cannot.", finish: "content_filter" }, "filter"],
  ])("that is %s is not asked for again", async (_what, said, reason) => {
    const { call } = await bench.open();
    bench.world.say(said);
    expect((await failureOf(call("extract", "Ada is 36", PERSON))).data).toMatchObject({ reason });
    expect(bench.world.bodies()).toHaveLength(1);
  });

  it.each(["Bug", ' "bug". ', '{"choice": "BUG"}', "**bug**"])("%j still is the choice bug", async (said) => {
    const { call } = await bench.open();
    bench.world.say(said);
    expect(await call("classify", "x", CHOICES)).toBe("bug");
    expect(bench.world.bodies()).toHaveLength(1);
  });

  it("classify never gives anything but a choice", async () => {
    const { call } = await bench.open();
    bench.world.say("It is a bug, I think.", '{"choice": "praise"}');
    expect((await failureOf(call("classify", "x", CHOICES))).code).toBe("ADAPTER_BAD_DATA");
  });

  it("chat says that its text was cut off", async () => {
    const { call } = await bench.open();
    bench.world.say({ text: "Once upon", finish: "length" });
    expect(await call("chat", "Tell a story.")).toMatchObject({ text: "Once upon", finish: "length" });
  });
});

describe("models", () => {
  const two = (more: JsonObject = {}): JsonObject => {
    const { providers } = bench.world.settings() as { readonly providers: { readonly local: JsonObject } };
    const models = { small: { id: "vendor/small-7b" }, large: {} };
    return { providers: { local: { ...providers.local, models } }, ...more };
  };

  it.each<[string, JsonObject, JsonObject, string]>([
    ["named", {}, { model: "large" }, "large"],
    ["named, with an id of its own", {}, { model: "small" }, "vendor/small-7b"],
    ["default_model", { default_model: "large" }, {}, "large"],
    ["the only one that is allowed", { allow_models: ["large"] }, {}, "large"],
    [
      "a default that is not allowed does not count",
      { allow_models: ["small"], default_model: "large" },
      {},
      "vendor/small-7b",
    ],
  ])("%s", async (_what, settings, options, asked) => {
    const { call } = await bench.open(two(settings));
    await call("chat", "x", options);
    expect(bench.world.bodies()[0]?.["model"]).toBe(asked);
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ["none is named and there are several", {}, {}, "ADAPTER_BAD_ARGS"],
    ["it is not on the list", { allow_models: ["small"] }, { model: "large" }, "ADAPTER_NOT_ALLOWED"],
    ["the list is empty", { allow_models: [] }, {}, "ADAPTER_NOT_CONFIGURED"],
    ["the operator declared none of the name", {}, { model: "huge" }, "ADAPTER_NOT_CONFIGURED"],
    ["its name is a member of every object", {}, { model: "__proto__" }, "ADAPTER_NOT_CONFIGURED"],
    ["no provider is declared", { providers: {} }, { model: "small" }, "ADAPTER_NOT_CONFIGURED"],
  ])("are refused before any request when %s", async (_what, settings, options, code) => {
    const { code: failure } = await bench.open(two(settings));
    expect(await failure("chat", "x", options)).toBe(code);
    expect(bench.world.server.requests).toHaveLength(0);
  });

  it("of the wrong kind are refused", async () => {
    const { code } = await bench.open();
    expect(await code("chat", "x", { model: "vectors" })).toBe("ADAPTER_BAD_ARGS");
    expect(await code("embed", ["x"], { model: "small" })).toBe("ADAPTER_BAD_ARGS");
  });
});

describe("settings are refused when", () => {
  const provider = (more: JsonObject): JsonObject => ({
    local: { api: "openai", base_url: "https://models.example/v1", models: { small: {} }, ...more },
  });
  it.each<[string, JsonObject]>([
    ["a key would go over an open connection", provider({ base_url: "http://models.example", key_secret: "K" })],
    ["an address holds a password", provider({ base_url: "https://a:b@models.example" })],
    ["a provider has no models", provider({ models: {} })],
    ["a model takes the word that means the default", provider({ models: { default: {} } })],
    ["a price is negative", provider({ models: { small: { price: { input: -1 } } } })],
    ["an API has no embeddings", provider({ api: "anthropic", models: { v: { kind: "embedding" } } })],
    ["two providers have a model of one name", { ...provider({}), other: provider({})["local"] as JsonObject }],
    ["a key stands there itself", provider({ key: "sk-1" })],
  ])("%s", async (_what, providers) => {
    await expect(bench.open({ providers })).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
  });
});

describe("arguments are refused when", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);
  it.each<[string, string, unknown[]]>([
    ["a prompt is empty", "chat", [""]],
    ["a prompt is not valid Unicode", "chat", ["\ud800"]],
    ["there are only instructions", "chat", [[{ role: "system", content: "x" }]]],
    ["a role is unknown", "chat", [[{ role: "tool", content: "x" }]]],
    ["there are too many messages", "chat", [Array(201).fill({ role: "user", content: "x" })]],
    ["tools are offered", "chat", ["x", { tools: [] }]],
    ["a schema is not one", "extract", ["x", { type: "objekt" }]],
    ["a schema refers to itself without end", "extract", ["x", { $ref: "#" }]],
    ["a schema refers to another document", "extract", ["x", { $ref: "https://x.example/s.json" }]],
    ["choices are alike", "classify", ["x", ["a", "A "]]],
    ["the list of choices is empty", "classify", ["x", []]],
    ["there are too many choices", "classify", ["x", many(101)]],
    ["there are too many texts", "embed", [many(65)]],
  ])("%s", async (_what, verb, args) => {
    const { code } = await bench.open();
    expect(await code(verb, ...args)).toBe("ADAPTER_BAD_ARGS");
    expect(bench.world.server.requests).toHaveLength(0);
  });

  it("a schema is too large", async () => {
    const { code } = await bench.open();
    const properties = Object.fromEntries(many(5000).map((name) => [name, { type: "string" }]));
    expect(await code("extract", "x", { type: "object", properties })).toBe("ADAPTER_TOO_LARGE");
  });
});

it("a schema with a slow pattern, or with members named like prototypes, is harmless", async () => {
  const { call } = await bench.open();
  bench.world.say(`{"__proto__": {"polluted": true}, "text": "${"a".repeat(5000)}!"}`);
  const schema = { type: "object", properties: { text: { type: "string", pattern: "^(a+)+!$" } } };
  const data = (await call("extract", "x", schema)) as JsonObject;
  expect(Object.keys(data)).toEqual(["__proto__", "text"]);
  expect(({} as { readonly polluted?: true }).polluted).toBeUndefined();
});

it("the key goes to the provider and nowhere else", async () => {
  const { call, code } = await bench.open();
  const shown = JSON.stringify([await call("chat", "x"), await code("chat", "x", { model: "huge" })]);
  expect(shown).not.toContain(KEY);
  expect(bench.world.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});
