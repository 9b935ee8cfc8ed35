/** What providers and the gateways before them answer in place of an answer, as public reports show it, and what a program sees of it. */
import { describe, expect, it } from "vitest";
import { failureOf } from "../social/social-bench.ts";
import { modelBench } from "./llm-bench.ts";
import { send } from "./world.ts";

const bench = modelBench();
const PERSON = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name"],
};
const ADA = '{"name":"Ada","age":36}';
const NOTHING = { calls: 1, input_tokens: 0, output_tokens: 0, cost: 0 };

type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: object | string };
const reply = ({ status = 200, headers = {}, body }: Reply): void =>
  bench.world.fail((response) =>
    typeof body === "string"
      ? void response.writeHead(status, headers).end(body)
      : send(response, body as never, status, headers),
  );
const said = (content: unknown, finish_reason = "stop"): object => ({
  model: "small",
  choices: [{ message: { role: "assistant", content }, finish_reason }],
  usage: { prompt_tokens: 5, completion_tokens: 3 },
});
const retryInfo = {
  error: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17s" }],
  },
};

describe("a refusal", () => {
  it.each<[string, Reply, string, boolean, object?]>([
    ["in a good status", { body: { error: { message: "x", code: 429 } } }, "ADAPTER_RATE_LIMITED", true],
    ["with its code as text", { body: { error: { code: "503" } } }, "ADAPTER_UNAVAILABLE", true],
    ["that only has a name", { body: { error: { type: "overloaded_error" } } }, "ADAPTER_UNAVAILABLE", true],
    [
      "inside a choice",
      { body: { ...said(""), usage: null, choices: [{ error: { code: 502 }, message: { content: "" } }] } },
      "ADAPTER_UNAVAILABLE",
      true,
    ],
    ["that is a finish", { body: { ...said("", "error"), usage: null } }, "ADAPTER_UNAVAILABLE", true],
    ["that is a sentence", { body: { error: "llama runner has terminated" } }, "ADAPTER_BAD_DATA", false],
    ["524 of a CDN", { status: 524, body: "a page" }, "ADAPTER_UNAVAILABLE", true],
    ["520 of a CDN", { status: 520, body: "a page" }, "ADAPTER_UNAVAILABLE", true],
    [
      "with retry-after-ms",
      { status: 429, headers: { "retry-after-ms": "1500", "retry-after": "2" }, body: {} },
      "ADAPTER_RATE_LIMITED",
      true,
      { retryAfterMs: 1500 },
    ],
    [
      "with RetryInfo in a list",
      { status: 429, body: [retryInfo] },
      "ADAPTER_RATE_LIMITED",
      true,
      { retryAfterMs: 17_000 },
    ],
    ["with RetryInfo in a 200", { body: retryInfo }, "ADAPTER_RATE_LIMITED", true, { retryAfterMs: 17_000 }],
    ["402", { status: 402, body: { error: { message: "credits" } } }, "ADAPTER_QUOTA", false],
    ["402 in a 200", { body: { error: { code: 402 } } }, "ADAPTER_QUOTA", false],
    [
      "of an account without money, by type",
      { status: 429, body: { error: { code: 429, type: "insufficient_quota" } } },
      "ADAPTER_QUOTA",
      false,
    ],
    [
      "of a prompt that is too long",
      { status: 400, body: { error: { code: "context_length_exceeded" } } },
      "ADAPTER_TOO_LARGE",
      false,
    ],
    [
      "of a prompt that is too long, as a sentence",
      { status: 400, body: { error: { type: "invalid_request_error", message: "prompt is too long: 9 > 8" } } },
      "ADAPTER_TOO_LARGE",
      false,
    ],
  ])("%s has the code that it means, and costs nothing", async (_what, answer, code, retryable, more = {}) => {
    const { call, usage } = await bench.open();
    reply(answer);
    expect(await failureOf(call("chat", "x"))).toMatchObject({ code, retryable, ...more });
    expect(usage.llm).toMatchObject(NOTHING);
    expect(bench.world.server.requests).toHaveLength(1);
  });

  it("inside a choice costs the tokens that the provider counted", async () => {
    const { call, usage } = await bench.open();
    reply({ body: { ...said(""), choices: [{ error: { code: 502 }, message: { content: "" } }] } });
    await failureOf(call("chat", "x"));
    expect(usage.llm).toMatchObject({ calls: 1, input_tokens: 5, output_tokens: 3 });
  });

  it.each<[string, object, string, string]>([
    ["its param", { code: "unsupported_parameter", param: "max_tokens" }, "max_tokens", "max_completion_tokens"],
    ["the place in its param", { param: "response_format.json_schema" }, "response_format", "structured to prompt"],
    ["its sentence", { message: "'temperature' does not support 0.2 with sk-1234" }, "temperature", "leave it out"],
  ])(
    "of one part of the request names it, from %s, to the program and to the operator",
    async (_of, error, part, help) => {
      const logged: object[] = [];
      const { call } = await bench.open({}, { log: (event, fields) => logged.push({ event, ...fields }) });
      reply({ status: 400, body: { error } });
      const { code, message, data } = await failureOf(call("extract", "x", PERSON, { temperature: 0.2 }));
      expect({ code, data }).toEqual({ code: "ADAPTER_FAILED", data: { status: 400, parameter: part } });
      expect(message).toContain(part);
      expect(message).toContain(help);
      expect(message).not.toContain("sk-1234");
      expect(logged).toEqual([{ event: "llm_refused", model: "small", status: 400, parameter: part }]);
    },
  );

  it("names nothing that was not sent", async () => {
    const { call } = await bench.open();
    reply({ status: 400, body: { error: { param: "sk-1234", message: "sk-1234 is not a parameter" } } });
    expect(await failureOf(call("chat", "x"))).toMatchObject({ code: "ADAPTER_FAILED", data: { status: 400 } });
  });
});

describe("an answer with reasoning in its text", () => {
  it.each([
    ["before it", `<think>Let me see {"a":1}</think>\n${ADA}`],
    ["before it, without the tag that opens it", `reasoning…</think>\n\n${ADA}`],
    ["before a code fence", `<thinking>{"a":1}</thinking>Here:\n\`\`\`json\n${ADA}\n\`\`\``],
  ])("is read without the reasoning %s", async (_where, text) => {
    const { call } = await bench.open();
    reply({ body: said(text) });
    expect(await call("extract", "x", PERSON)).toEqual({ name: "Ada", age: 36 });
    expect(bench.world.server.requests).toHaveLength(1);
  });

  it("is a choice without it", async () => {
    const { call } = await bench.open();
    reply({ body: said("<think>not a question</think>bug") });
    expect(await call("classify", "x", ["bug", "question"])).toBe("bug");
  });

  it("is never data that stands in reasoning which was cut off", async () => {
    const { call } = await bench.open();
    reply({ body: said(`<think>Let me see ${ADA} or`, "length") });
    expect(await failureOf(call("extract", "x", PERSON))).toMatchObject({
      code: "ADAPTER_BAD_DATA",
      data: { reason: "length" },
    });
  });
});

it("an answer that ends where the window of the model ends was cut off", async () => {
  const cut = {
    body: {
      type: "message",
      model: "small",
      content: [{ type: "text", text: '{"na' }],
      stop_reason: "model_context_window_exceeded",
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  };
  const { call } = await bench.open(bench.world.settings("anthropic"));
  reply(cut);
  expect(await call("chat", "x")).toMatchObject({ finish: "length" });
  reply(cut);
  expect(await failureOf(call("extract", "x", PERSON))).toMatchObject({ data: { reason: "length" } });
});

it("finishes are read in any letter case", async () => {
  const { call } = await bench.open();
  reply({ body: said("x", "STOP") });
  expect(await call("chat", "x")).toMatchObject({ finish: "stop" });
});

it("a message names what is missing and where, and the numbers of a budget", async () => {
  const { call } = await bench.open({}, { secrets: {} });
  const { message } = await failureOf(call("chat", "x"));
  expect(message).toBe(
    "the key of the model provider local is missing: set the secret MODEL_KEY (WF_SECRET_MODEL_KEY)",
  );
  const bound = await bench.open({ max_calls: 0 });
  expect((await failureOf(bound.call("chat", "x"))).message).toBe(
    "llm.max_calls of this run is 0: 0 are used, and the request needs up to 1",
  );
  const fitting = await bench.open();
  for (const [status, refusal] of [
    [401, "the model provider local refused the key in the secret MODEL_KEY (WF_SECRET_MODEL_KEY)"],
    [404, "the model provider local has no such model or address"],
    [402, "the operator's quota with the model provider local is used up"],
  ] as const) {
    reply({ status, body: {} });
    expect((await failureOf(fitting.call("chat", "x"))).message).toBe(refusal);
  }
  bench.world.say('{"name": 1}', '{"name": 1}');
  expect((await failureOf(fitting.call("extract", "x", PERSON))).message).toBe(
    "the answer of the model provider does not fit the schema: /name must be string",
  );
});
