/** What a model reads of a program that is wrong: a line for each finding, and the program with its certain fixes. */
import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import { textPayload } from "../../mcp/tool/findings.ts";
import { PRODUCED_CODES } from "../compiler/diagnostics/sources.ts";
import { openServer } from "./opened.ts";

const MOST_TOKENS = 60;

describe("findings as text", () => {
  it("cost no more than sixty tokens, whatever is wrong", () => {
    for (const { code, source, options } of PRODUCED_CODES) {
      const { diagnostics } = compile(source, { ...options, catalog: builtinCatalog });
      const { findings = [] } = textPayload({ ok: false, diagnostics: diagnostics.map(diagnosticDocument) });
      for (const text of findings as string[]) {
        expect(encode(text).length, `${code}: ${text}`).toBeLessThanOrEqual(MOST_TOKENS);
        expect(text, code).not.toMatch(/"start"|undefined|\[object/);
      }
    }
  });

  it("name the place, the code, what is wrong and what to write, once", async () => {
    const server = await openServer();
    const code = "def main(count: int):\n    return cuont + counted\n";
    const { payload } = await server.call("wf_validate", { code });
    const text = textPayload(payload);
    expect(text).toEqual({
      ok: false,
      strict: true,
      findings: [
        "2:12 WF6001 nothing defines 'cuont' -> count",
        expect.stringMatching(/^2:20 WF6001 nothing defines 'counted'/),
      ],
      recommended_next_tools: ["wf_validate"],
    });
    expect(JSON.stringify(text).split("cuont")).toHaveLength(2);
  });

  it("are said with their severity where the program compiles", async () => {
    const server = await openServer();
    const code = "def main():\n    x = [1]\n    for y in {1, 2}:\n        x.append(y)\n    return x\n";
    const { payload } = await server.call("wf_validate", { code });
    const { findings, ...rest } = textPayload(payload);
    expect(findings).toEqual([expect.stringMatching(/^\d+:\d+ warning WF\d+ /)]);
    expect(rest).toMatchObject({ ok: true, runtime_readiness: { ready: true } });
    expect(rest).not.toHaveProperty("diagnostics");
  });

  it("leave an answer without findings as it is", () => {
    const payload = { ok: true, out: { diagnostics: 1 } };
    expect(textPayload(payload)).toBe(payload);
  });
});

describe("fixed_code", () => {
  it("has the edits of all certain fixes, and is in the answer of a run that did not compile", async () => {
    const server = await openServer();
    const code = "def main():\n    rows = memory.list('long_term')\n    return len(rows.items) + len(rows.items)\n";
    const { payload } = await server.call("wf_run", { code });
    expect(payload).toMatchObject({ ok: false, error: "compile_error" });
    expect(payload.fixed_code).toBe(code.replaceAll("rows.items", 'rows["items"]'));
    expect((await server.call("wf_validate", { code: payload.fixed_code })).payload.ok).toBe(true);
  });

  it("is not there without a certain fix", async () => {
    const server = await openServer();
    const { payload } = await server.call("wf_validate", { code: "L1:\n  J ghost\n" });
    expect(payload.ok).toBe(false);
    expect(payload).not.toHaveProperty("fixed_code");
  });
});
