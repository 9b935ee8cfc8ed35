/** What strict clients ask of a server: schemas of OpenAI, Gemini and VS Code, arguments as text, one line a message, batches. */
import { describe, expect, it } from "vitest";
import { converse, INITIALIZE } from "./conversation.ts";
import { openServer } from "./opened.ts";

type Schema = { readonly [keyword: string]: unknown };

/** Every schema in a schema, with its place. */
function* schemasIn(schema: Schema, place: string): Generator<readonly [string, Schema]> {
  yield [place, schema];
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  for (const [name, member] of Object.entries(properties as Record<string, Schema>))
    yield* schemasIn(member, `${place}/${name}`);
  for (const [at, one] of (anyOf as readonly Schema[]).entries()) yield* schemasIn(one, `${place}/anyOf/${at}`);
  for (const [name, one] of Object.entries({ items, additionalProperties }))
    if (typeof one === "object" && one !== null) yield* schemasIn(one as Schema, `${place}/${name}`);
}

/** What a client refuses in one schema. */
const RULES: Readonly<Record<string, (schema: Schema) => boolean>> = {
  "OpenAI: a list has items": ({ type, items }) => type === "array" && (typeof items !== "object" || items === null),
  "OpenAI: an object has properties": ({ type, properties }) => type === "object" && typeof properties !== "object",
  "Gemini: items have a type": ({ type, items }) => type === "array" && typeof (items as Schema)?.["type"] !== "string",
  "Gemini: a type is one word": ({ type }) => type !== undefined && typeof type !== "string",
  "Gemini: only texts are enumerated": ({ type, enum: values }) => values !== undefined && type !== "string",
  "all: what is required is there": ({ required = [], properties = {} }) =>
    (required as readonly string[]).some((name) => !Object.hasOwn(properties as object, name)),
  "all: nothing refers elsewhere": (schema) => "$ref" in schema || "$defs" in schema,
};

describe("the schemas of every tool", () => {
  it.each([{}, { WF_MCP_WORKFLOW_ROOT: import.meta.dirname }])(
    "are accepted by strict clients: %o",
    async (variables) => {
      const { handlers } = await openServer({ variables });
      const refused: string[] = [];
      for (const { name, inputSchema, outputSchema } of handlers.listTools())
        for (const [side, schema] of Object.entries({ inputSchema, outputSchema })) {
          expect([name, side, schema["type"]]).toEqual([name, side, "object"]);
          for (const [place, one] of schemasIn(schema, `${name}.${side}`))
            for (const [rule, breaks] of Object.entries(RULES)) if (breaks(one)) refused.push(`${place}: ${rule}`);
        }
      expect(refused).toEqual([]);
    },
  );
});

const NAMED = "# frame: n\nL1:\n  J n\n";

describe("an argument that is the text of its JSON", () => {
  it("is read where an object or a list is asked for", async () => {
    const server = await openServer();
    const run = (args: object) => server.call("wf_run", { code: NAMED, ...args });
    expect((await run({ frame: '{"n": 5}' })).payload).toMatchObject({ ok: true, out: 5 });
    expect((await run({ frame: { n: 5 }, limits: '{"max_steps": 1}' })).payload.limits.max_steps).toBe(1);
    const forbidden = await run({ frame: { n: 5 }, policy: '{"forbidden_adapters": ["core"]}' });
    expect(forbidden.payload.ok).toBe(true);
    const code = "L1:\n  R core.UUID ->id\n  J id\n";
    const { payload } = await server.call("wf_run", { code, record_calls: true });
    for (const log of [payload.record, payload.record.calls]) {
      const again = await server.call("wf_run", { code, replay_log: JSON.stringify(log) });
      expect(again.payload).toMatchObject({ ok: true, out: payload.out });
    }
  });

  it.each([
    ["frame", "{n: 5}"],
    ["frame", "[1]"],
    ["frame", "5"],
    ["limits", "many"],
    ["replay_log", '"x"'],
  ])("is refused as any other text: %s %s", async (name, text) => {
    const { payload } = await (await openServer()).call("wf_run", { code: NAMED, [name]: text });
    expect(payload).toMatchObject({ ok: false, error: "invalid_request", issues: [{ path: `/${name}` }] });
  });

  it("is read where true, false or a number is asked for, and in all arguments together", async () => {
    const server = await openServer();
    const run = (args: object) => server.call("wf_run", { code: NAMED, frame: { n: 5 }, ...args });
    expect((await run({ strict: "false" })).payload).toMatchObject({ ok: true, strict: false });
    expect((await run({ strict: "true", trace: "false" })).payload).toMatchObject({ ok: true, strict: true });
    expect((await run({ limits: { max_steps: "500" } })).payload.limits.max_steps).toBe(500);
    expect((await run({ limits: '{"max_steps": "500"}' })).payload.limits.max_steps).toBe(500);
    for (const wrong of [{ strict: "yes" }, { limits: { max_steps: "many" } }])
      expect((await run(wrong)).payload).toMatchObject({ ok: false, error: "invalid_request" });
    const talk = await started();
    const text = JSON.stringify({ code: NAMED, frame: { n: 5 } });
    const params = { name: "wf_run", arguments: text };
    const answer = await talk.ask("tools/call", params);
    expect(JSON.stringify(answer)).toContain('"out":5');
  });

  it("stays text where text is asked for", async () => {
    const server = await openServer();
    expect((await server.call("wf_run", { code: '{"a": 1}' })).payload.out).toEqual({ a: 1 });
    expect((await server.call("wf_run", { code: NAMED, frame: { n: '{"a": 1}' } })).payload.out).toBe('{"a": 1}');
  });
});

const started = async (protocolVersion = "2025-06-18") => {
  const { handlers } = await openServer();
  const talk = await converse(handlers);
  await talk.ask("initialize", { ...INITIALIZE.params, protocolVersion });
  return talk;
};
const call = (id: number, frame: string, more = ""): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wf_run","arguments":{"code":${JSON.stringify(NAMED)},"frame":${frame}${more}}}}`;
const BIG = "9007199254740993";
const said = (at: string): string =>
  `number_precision: ${at}: ${BIG} is beyond 2^53 and becomes 9007199254740992; give it as text to keep its digits`;

describe("a whole number beyond 2^53 in a call", () => {
  it.each([
    ["in the frame", `{"n":${BIG}}`, "/frame/n"],
    ["in a frame that is text", JSON.stringify(`{"n": [${BIG}]}`), "/frame/n/0"],
  ])("%s is warned about, and refused with strict: true", async (_where, frame, at) => {
    const talk = await started();
    talk.write(`${call(101, frame)}\n${call(102, frame, ',"strict":true')}\n`);
    expect((await talk.answerTo(101)).result.structuredContent).toMatchObject({ ok: true, warnings: [said(at)] });
    expect((await talk.answerTo(102)).result.structuredContent).toMatchObject({
      error: "invalid_request",
      issues: [{ path: at, code: "number_precision" }],
    });
  });
});

describe("a line of the server", () => {
  it("has no character that a reader could take for its end", async () => {
    const { handlers } = await openServer();
    const talk = await converse(handlers);
    talk.write(`${call(101, JSON.stringify({ n: "a\u2028b\u2029c" }))}\n`);
    expect((await talk.answerTo(101)).result.structuredContent.out).toBe("a\u2028b\u2029c");
    expect(talk.text()).toContain("a\\u2028b\\u2029c");
    expect(talk.text()).not.toMatch(/[\u2028\u2029]/);
  });
});

describe("a batch", () => {
  const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
  const NOTIFIED = '{"jsonrpc":"2.0","method":"notifications/x"}';

  it("of 2025-03-26 is answered in one line, each request and each fault once", async () => {
    const talk = await started("2025-03-26");
    const before = talk.messages.length;
    talk.write(`[${ping(101)},${NOTIFIED},${call(102, `{"n":${BIG}}`)},7,${ping(101)}]\n`);
    const batch = (await talk.nth(before)) as unknown as readonly { readonly id: unknown; readonly result?: unknown }[];
    expect(batch.map(({ id }) => id).sort()).toEqual([101, 101, 102, null].sort());
    const run = batch.find(({ id }) => id === 102) as { readonly result: { readonly structuredContent: unknown } };
    expect(run.result.structuredContent).toMatchObject({ ok: true, warnings: [said("/frame/n")] });
    expect((await talk.ask("ping")).result).toEqual({});
  });

  it("of notifications has no answer, and an empty one is refused", async () => {
    const talk = await started("2025-03-26");
    const before = talk.messages.length;
    talk.write(`[${NOTIFIED}]\n[]\n[{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}]\n`);
    expect((await talk.nth(before)).error?.code).toBe(-32_600);
    expect(await talk.nth(before + 1)).toMatchObject([{ id: 5, error: { code: -32_600 } }]);
    expect((await talk.ask("ping")).result).toEqual({});
  });

  it("does not wait for a request that was cancelled", async () => {
    const talk = await started("2025-03-26");
    const before = talk.messages.length;
    const sleeps = JSON.stringify("L1:\n  R core.SLEEP 60000 ->x\n  J 1\n");
    const long = `{"jsonrpc":"2.0","id":108,"method":"tools/call","params":{"name":"wf_run","arguments":{"code":${sleeps}}}}`;
    talk.write(`[${ping(107)},${long}]\n`);
    talk.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":108}}\n');
    expect(await talk.nth(before)).toMatchObject([{ id: 107 }]);
  });

  it.each(["2025-06-18", "2025-11-25", "2024-11-05"])("of %s is refused", async (version) => {
    const talk = await started(version);
    const before = talk.messages.length;
    talk.write(`[${ping(101)}]\n`);
    expect((await talk.nth(before)).error?.code).toBe(-32_600);
  });
});
