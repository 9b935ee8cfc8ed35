/** What a provider may do wrong, and what a program sees of it. No request is repeated by the adapter itself. */
import { expect, it } from "vitest";
import { failureOf } from "../social/social-bench.ts";
import { modelBench } from "./llm-bench.ts";
import { KEY, type ModelWorld, send } from "./world.ts";

const bench = modelBench();
type Fault = Parameters<ModelWorld["fail"]>[0];

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (response) =>
    send(response, { error: { message: `secret ${KEY}`, type: "x" } }, code, headers);
const body =
  (text: string | Buffer): Fault =>
  (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(text);
const choice = (message: object, more: object = {}): Fault =>
  body(JSON.stringify({ model: "small", choices: [{ message, finish_reason: "stop" }], ...more }));

it.each<[string, Fault, string, boolean, object?]>([
  ["429 with Retry-After", status(429, { "retry-after": "7" }), "ADAPTER_RATE_LIMITED", true, { retryAfterMs: 7000 }],
  ["429 without Retry-After", status(429), "ADAPTER_RATE_LIMITED", true],
  [
    "429 of an account without money",
    (response) => send(response, { error: { code: "insufficient_quota" } }, 429),
    "ADAPTER_QUOTA",
    false,
  ],
  ["500", status(500), "ADAPTER_UNAVAILABLE", true],
  ["503 with Retry-After", status(503, { "retry-after": "2" }), "ADAPTER_UNAVAILABLE", true, { retryAfterMs: 2000 }],
  ["529, overloaded", status(529), "ADAPTER_UNAVAILABLE", true],
  ["401", status(401), "ADAPTER_NOT_CONFIGURED", false],
  ["403", status(403), "ADAPTER_NOT_CONFIGURED", false],
  ["404", status(404), "ADAPTER_NOT_CONFIGURED", false],
  ["400", status(400), "ADAPTER_FAILED", false],
  ["413", status(413), "ADAPTER_TOO_LARGE", false],
  ["418", status(418), "ADAPTER_HTTP_STATUS", false],
  ["a redirect", status(302, { location: "https://elsewhere.example/" }), "ADAPTER_HTTP_STATUS", false],
  ["a page", body("<html>"), "ADAPTER_BAD_DATA", false],
  ["nothing", body(""), "ADAPTER_BAD_DATA", false],
  ["bytes that are not UTF-8", body(Buffer.from([0x7b, 0xff, 0x7d])), "ADAPTER_BAD_DATA", false],
  ["JSON that is cut off", body('{"choices": [{"mess'), "ADAPTER_BAD_DATA", false],
  ["JSON of another form", body('{"error": "no"}'), "ADAPTER_BAD_DATA", false],
  ["no choice", body('{"choices": []}'), "ADAPTER_BAD_DATA", false],
  ["another model", choice({ content: "x" }, { model: "cheaper" }), "ADAPTER_BAD_DATA", false],
  ["a model whose name only begins alike", choice({ content: "x" }, { model: "smaller" }), "ADAPTER_BAD_DATA", false],
  ["a broken connection", (response) => void response.destroy(), "ADAPTER_TRANSPORT", true],
  [
    "half a body",
    (response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"choices": [');
      setImmediate(() => response.destroy());
    },
    "ADAPTER_TRANSPORT",
    true,
  ],
  [
    "an answer without end",
    (response) => {
      const more = (): void =>
        void (response.write(" ".repeat(1 << 20)) ? setImmediate(more) : response.once("drain", more));
      response.on("error", () => {});
      more();
    },
    "ADAPTER_TOO_LARGE",
    false,
  ],
])("%s", async (_what, fault, code, retryable, more = {}) => {
  const logged: unknown[] = [];
  const { call } = await bench.open({}, { log: (event, fields) => logged.push({ event, ...fields }) });
  bench.world.fail(fault);
  const failure = await failureOf(call("chat", "x"));
  const { status: seen } = (failure.data ?? {}) as { readonly status?: number };
  expect(logged).toEqual(seen === undefined ? [] : [{ event: "llm_refused", model: "small", status: seen }]);
  expect(failure).toMatchObject({ code, retryable, ...more });
  expect(JSON.stringify([failure.message, failure.data])).not.toContain(KEY);
  expect(bench.world.server.requests).toHaveLength(1);
});

it.each([
  ["the version of the model", { model: "small-2030-01-01" }],
  ["no model", { model: null }],
  ["parts in place of a text", {}],
])("an answer with %s is an answer", async (_what, more) => {
  const { call } = await bench.open();
  bench.world.fail(
    choice(
      {
        content: [
          { type: "text", text: "Hel" },
          { type: "text", text: "lo." },
        ],
      },
      more,
    ),
  );
  expect(await call("chat", "x")).toMatchObject({ text: "Hello.", model: "small" });
});

it("a refusal of the model is its text, with the finish that says so", async () => {
  const { call } = await bench.open();
  bench.world.fail(choice({ content: null, refusal: "I cannot help." }));
  expect(await call("chat", "x")).toMatchObject({ text: "I cannot help.", finish: "filter" });
});

it("an answer that drips ends at the deadline of the call", async () => {
  const { call } = await bench.open({ timeout_s: 0.3 });
  let drips: ReturnType<typeof setInterval> | undefined;
  bench.world.fail((response) => {
    response.writeHead(200, { "content-type": "application/json" });
    drips = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(drips));
  });
  expect((await failureOf(call("chat", "x"))).code).toBe("ADAPTER_TIMEOUT");
});

it.each([
  ["missing", {}],
  ["empty", { MODEL_KEY: " \n" }],
  ["wrong", { MODEL_KEY: "another" }],
])("a key that is %s is a matter of the operator", async (_what, secrets) => {
  const { call } = await bench.open({}, { secrets });
  const { code, retryable } = await failureOf(call("chat", "x"));
  expect({ code, retryable }).toEqual({ code: "ADAPTER_NOT_CONFIGURED", retryable: false });
});

it.each([
  ["too few vectors", [{ index: 0, embedding: [1] }]],
  [
    "a gap",
    [
      { index: 0, embedding: [1] },
      { index: 2, embedding: [1] },
    ],
  ],
  [
    "vectors of different lengths",
    [
      { index: 0, embedding: [1] },
      { index: 1, embedding: [1, 2] },
    ],
  ],
  [
    "no numbers",
    [
      { index: 0, embedding: ["a"] },
      { index: 1, embedding: [] },
    ],
  ],
])("embeddings with %s are malformed", async (_what, data) => {
  const { call } = await bench.open();
  bench.world.fail((response) => send(response, { data, model: "vectors" }));
  expect((await failureOf(call("embed", ["a", "b"]))).code).toBe("ADAPTER_BAD_DATA");
});
