/** Questions of a program are put to the user of the client, where the client can ask (docs/approvals.md, agents). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, INITIALIZE } from "./conversation.ts";
import { type OpenedServer, openServer } from "./opened.ts";

let server: OpenedServer;
beforeAll(async () => {
  server = await openServer({
    variables: {
      WF_MCP_PROFILE: "operator_full",
      WF_MCP_EXPOSURE_PROFILE: "full",
      WF_ENABLE_ADAPTERS: "core,approval",
    },
  });
});
afterAll(() => server.close());

const ASKS = `def main():
    form = {"copies": "number", "way": ["mail", "fax"]}
    return approval.ask("Send this reply?", details={"ticket": 7}, choices=["send", "drop"], form=form)
`;

async function client(capabilities: object) {
  const talk = await converse(server.handlers);
  const { params } = INITIALIZE;
  await talk.ask("initialize", { ...params, capabilities });
  const run = (code: string) =>
    talk.ask("tools/call", { name: "wf_run", arguments: { code } }).then(({ result }) => result.structuredContent);
  const question = async (title = "") => {
    for (let place = 0; ; place += 1) {
      const message = await talk.nth(place);
      if (message.method === "elicitation/create" && message.params.message.startsWith(title)) return message;
    }
  };
  const reply = (id: unknown, answer: object) => talk.send({ jsonrpc: "2.0", id, ...answer });
  return { ...talk, run, question, reply };
}

describe("a client that can ask", () => {
  it("is given the question as a form, and its user's answer is the decision", async () => {
    const talk = await client({ elicitation: {} });
    const ran = talk.run(ASKS);
    const { id, params } = await talk.question();
    expect(params).toEqual({
      message: 'Send this reply?\n\n{\n  "ticket": 7\n}',
      requestedSchema: {
        type: "object",
        properties: {
          decision: { type: "string", enum: ["send", "drop"] },
          copies: { type: "number" },
          way: { type: "string", enum: ["mail", "fax"] },
        },
        required: ["decision"],
      },
    });
    talk.reply(id, { result: { action: "accept", content: { decision: "send", copies: 2, way: "mail" } } });
    expect((await ran).out).toMatchObject({
      decision: "send",
      approved: true,
      by: null,
      data: { copies: 2, way: "mail" },
    });
    // What answers nothing that was asked is ignored.
    talk.reply(id, { result: { action: "decline" } });
    expect((await talk.ask("ping")).result).toBeDefined();
  });

  it("is asked one question at a time by branches", async () => {
    const talk = await client({ elicitation: {} });
    const ran = talk.run(
      'def main():\n    return parallel(one, [1, 2])\n\ndef one(n):\n    return approval.ask(f"Question {n}").decision\n',
    );
    const first = await talk.question();
    expect(first.params.message).toBe("Question 1");
    await talk.ask("ping");
    const open = async () => {
      const asked: string[] = [];
      for (let place = 0; ; place += 1) {
        const { method, params, result } = await talk.nth(place);
        if (method === "elicitation/create") asked.push(params.message);
        else if (result !== undefined && Object.keys(result).length === 0) return asked;
      }
    };
    expect(await open()).toEqual(["Question 1"]);
    talk.reply(first.id, { result: { action: "accept", content: { decision: "approve" } } });
    const second = await talk.question("Question 2");
    talk.reply(second.id, { result: { action: "accept", content: { decision: "reject" } } });
    expect((await ran).out).toEqual(["approve", "reject"]);
  });

  it.each([
    [{ action: "decline" }, "declined"],
    [{ action: "cancel" }, "expired"],
  ])("answers %j", async (result, decision) => {
    const talk = await client({ elicitation: { form: {} } });
    const ran = talk.run(ASKS);
    talk.reply((await talk.question()).id, { result });
    expect((await ran).out).toMatchObject({ decision, approved: false, by: null });
  });

  it.each([
    [{ result: { action: "accept", content: { decision: "perhaps" } } }, "ADAPTER_BAD_DATA"],
    [{ result: { action: "accept", content: { decision: "send" } } }, "ADAPTER_BAD_DATA"],
    [{ result: { action: "accept" } }, "ADAPTER_BAD_DATA"],
    [{ error: { code: -32601, message: "no" } }, "ADAPTER_FAILED"],
    [{ result: { action: "shrug" } }, "ADAPTER_FAILED"],
  ])("fails with %j", async (answer, code) => {
    const talk = await client({ elicitation: {} });
    const ran = talk.run(ASKS);
    talk.reply((await talk.question()).id, answer);
    expect((await ran).error_structured.data.adapter_code).toBe(code);
  });

  it("asks for no secrets", async () => {
    const talk = await client({ elicitation: {} });
    const ran = await talk.run('def main():\n    return approval.ask("t", form={"api_key": "text"})\n');
    expect(ran.error_structured.data.adapter_code).toBe("ADAPTER_BAD_ARGS");
  });

  it("hears that a question is taken back when the run ends before", async () => {
    const talk = await client({ elicitation: {} });
    const ran = talk.ask("tools/call", { name: "wf_run", arguments: { code: ASKS, limits: { max_time_ms: 200 } } });
    const { id } = await talk.question();
    expect((await ran).result.structuredContent.error).toBe("max_time_ms_exceeded");
    const taken = (): boolean =>
      talk.messages.some(({ method, params }) => method === "notifications/cancelled" && params.requestId === id);
    for (let place = 0; !taken(); place += 1) await talk.nth(place);
    expect(taken()).toBe(true);
  });
});

describe("a client that cannot", () => {
  it.each([{}, { elicitation: { url: {} } }, { elicitation: true }])(
    "%j is advised to queue a job",
    async (capabilities) => {
      const talk = await client(capabilities);
      const { error_structured, repair } = await talk.run(ASKS);
      expect(error_structured.data.adapter_code).toBe("ADAPTER_NOT_CONFIGURED");
      expect(repair.join(" ")).toContain("wf jobs submit");
    },
  );
});
