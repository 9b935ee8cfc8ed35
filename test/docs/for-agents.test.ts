/** The pages for models are made from the tables, stay within their budgets, and their program runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { languageCard } from "../../compiler/guide/language-card.ts";
import { languagePage } from "../../compiler/guide/language-page.ts";
import { TAUGHT_PROGRAM } from "../../compiler/guide/taught-program.ts";
import { openServer } from "../mcp/opened.ts";

const INTRODUCTION = `Weft runs small deterministic workflow programs: inputs, decisions, loops, functions, and calls of adapters that an operator allows.
Programs are Python: write one as below, check it with its inputs, apply the offered fixes, then run it.

- MCP: call \`wf_validate\` with \`code\` and \`frame\`, apply \`diagnostics[].fix\`, then call \`wf_run\`. \`wf_capabilities\` lists adapters; with \`{"adapter": "http"}\` their verbs and arguments.
- Command line: \`wf check FILE --frame JSON --fix\`, then \`wf run FILE --frame JSON\`. \`wf explain WORD\` explains a code or an adapter.
- A program may do only what its grant allows. Do not delete calls to make a program pass; ask for the adapter.
- What worked is kept in a service: \`wf propose FILE\` (MCP: \`wf_propose\`) puts a version before a person, \`wf deploy FILE\` makes it current. Schedules, endpoints and events start it as jobs, which may wait for days and survive restarts; \`wf jobs why ID\` says what one waits for.
`;
const BODY = `${INTRODUCTION}\n\`\`\`text\n${languagePage(builtinCatalog)}\n\`\`\`\n`;
const PAGES: readonly (readonly [path: string, text: string])[] = [
  [
    "docs/for-agents.md",
    `# For agents\n\nThis page is made from the tables of the language (CONTRIBUTING.md).\n\n${BODY}`,
  ],
  ["llms.txt", `# Weft\n\n> ${INTRODUCTION.split("\n")[0]}\n\n${BODY.slice(BODY.indexOf("\n") + 1)}`],
  [
    "skills/weft/SKILL.md",
    `---\nname: weft\ndescription: Write, check and run Weft workflow programs. Use it when a task asks for a Weft program, a .wf file, or a wf_run call.\n---\n\n# Weft\n\n${BODY}`,
  ],
];

describe("pages for models", () => {
  it.each(PAGES)("%s is what the tables say (WEFT_DOCS=write writes it)", (path, text) => {
    const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
    if (process.env["WEFT_DOCS"] === "write") {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(existsSync(file) && readFileSync(file, "utf8")).toBe(text);
    expect(encode(text).length).toBeLessThanOrEqual(2_000);
  });

  it("the card of the language stays within 900 tokens", () => {
    expect(encode(languageCard(builtinCatalog)).length).toBeLessThanOrEqual(900);
  });

  it("their program has no findings", () => {
    const { diagnostics } = compile(TAUGHT_PROGRAM, { catalog: builtinCatalog, strict: true });
    expect(diagnostics).toEqual([]);
  });

  const orders = [
    { name: "pen", price: 40 },
    { name: "ink", price: 10 },
    { name: "cap", price: 30 },
  ];
  const call = { adapter: "http", verb: "GET", args: ["https://rates.example.com/eur"] };

  it.each([
    ["converts with the rate of the call", { ...call, ok: true, result: { body: { rate: 1.1 } } }, 77],
    [
      "continues with 1 when the call fails",
      { ...call, ok: false, error: { message: "down", adapter_code: "ADAPTER_BUSY" } },
      70,
    ],
  ])("their program %s", async (_title, answer, total) => {
    const server = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
    const { payload } = await server.call("wf_run", { code: TAUGHT_PROGRAM, frame: { orders }, replay_log: [answer] });
    expect(payload).toMatchObject({ ok: true, out: { names: ["cap", "pen"], total } });
  });

  it("their program fails with its own message", async () => {
    const server = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
    const frame = { orders: [{ name: "nib" }] };
    const { payload } = await server.call("wf_run", { code: TAUGHT_PROGRAM, frame, replay_log: [] });
    expect(payload).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^ValueError: nib has no price at L?main, line 6$/),
    });
  });
});
