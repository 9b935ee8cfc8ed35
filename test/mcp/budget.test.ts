/** What the lists cost a model: the budgets of descriptions, schemas and instructions, and schemas that are what they claim to be. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { HELLO, openServer } from "./opened.ts";

const MAX_TOKENS = 2500;
const words = (text: string): number => text.trim().split(/\s+/).length;

describe("what a host lists", () => {
  it("stays within its budgets", async () => {
    const { handlers } = await openServer();
    const tools = handlers.listTools();
    for (const { name, description } of tools) expect(words(description), name).toBeLessThanOrEqual(45);
    const read = tools.map(({ description, inputSchema }) => description + JSON.stringify(inputSchema)).join("");
    expect(read.length).toBeLessThanOrEqual(6000);
    const listed = JSON.stringify({ tools });
    expect(listed.length).toBeLessThanOrEqual(20_000);
    expect(encode(listed).length).toBeLessThanOrEqual(MAX_TOKENS);
    expect(encode(handlers.instructions).length).toBeLessThanOrEqual(200);
  });

  it("also with a folder of programs", async () => {
    const { handlers } = await openServer({ variables: { WF_MCP_WORKFLOW_ROOT: import.meta.dirname } });
    expect(encode(JSON.stringify({ tools: handlers.listTools() })).length).toBeLessThanOrEqual(MAX_TOKENS);
  });

  it("has schemas of the dialect that MCP assumes, closed for arguments and open for results", async () => {
    const { handlers } = await openServer();
    for (const { name, inputSchema, outputSchema } of handlers.listTools()) {
      const ajv = new Ajv2020({ strict: true, strictTypes: false });
      const accepts = ajv.compile(inputSchema);
      expect(accepts({ no_such_member: 1 }), name).toBe(false);
      const admits = ajv.compile(outputSchema);
      expect(admits({ ok: false, error: "x", anything: 1 }), name).toBe(true);
      expect(admits({}), name).toBe(false);
    }
  });

  it("has no answer about language or adapters above 2,000 tokens", async () => {
    const server = await openServer();
    const { payload } = await server.call("wf_capabilities");
    const asked = [{}, { topic: "language" }, ...Object.keys(payload.adapters).map((adapter) => ({ adapter }))];
    for (const args of asked) {
      const answer = (await server.call("wf_capabilities", args)).payload;
      expect(encode(JSON.stringify(answer)).length, JSON.stringify(args)).toBeLessThanOrEqual(2000);
    }
    const { language } = (await server.call("wf_capabilities", { topic: "language" })).payload;
    expect(encode(language).length).toBeLessThanOrEqual(900);
  });

  it("has answers that fit their schemas, successes and failures alike", async () => {
    const server = await openServer();
    const ajv = new Ajv2020({ strictTypes: false });
    const calls: readonly (readonly [string, object])[] = [
      ...["wf_validate", "wf_compile", "wf_security_report", "wf_run"].flatMap((name) =>
        [
          { code: HELLO },
          { code: "L1:\n  J ghost\n" },
          { code: 'L1:\n  R http.Get "https://a.example/" ->r\n  J r\n' },
          {},
        ].map((args): [string, object] => [name, args]),
      ),
      ["wf_capabilities", {}],
      ["wf_capabilities", { adapter: "nope" }],
      ["wf_list_ecosystem", {}],
      ["wf_import_workflow_preset", { url_or_name: "disk-alert" }],
      ["wf_import_agent_preset", { url_or_name: "nope" }],
      ["wf_import_markdown", { type: "agent", markdown: "# A" }],
      ["wf_import_markdown", {}],
    ];
    for (const [name, args] of calls) {
      const schema = server.handlers.listTools().find((tool) => tool.name === name)?.outputSchema ?? {};
      const { payload } = await server.call(name, args);
      expect(ajv.validate(schema, payload), `${name} ${ajv.errorsText()}`).toBe(true);
    }
  });
});
