/** docs/diagnostics.md has one section per code, and its programs show what they say. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { DIAGNOSTIC_CODES } from "../../../compiler/diagnostic-codes.ts";
import { testCatalog } from "../test-catalog.ts";
import { optionsFor } from "./sources.ts";

const page = readFileSync(new URL("../../../docs/diagnostics.md", import.meta.url), "utf8");

type Section = { readonly code: string; readonly name: string; readonly text: string };

const sections: Section[] = page
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [code = "", name = ""] = (text.split("\n")[0] ?? "").split(" ");
    return { code, name, text };
  });

function program(text: string, kind: "Wrong" | "Right"): string | null {
  return new RegExp(`^${kind}:\n\n\`\`\`wf part\n([^]*?)^\`\`\`$`, "m").exec(text)?.[1] ?? null;
}

function codesOf(code: string, source: string): string[] {
  return compile(source, { catalog: testCatalog, ...optionsFor(code) }).diagnostics.map((found) => found.code);
}

const withPrograms = sections.filter(({ text }) => program(text, "Wrong") !== null);

describe("docs/diagnostics.md", () => {
  it("has one section per code, under its name", () => {
    const table = Object.entries(DIAGNOSTIC_CODES).map(([code, { name }]) => `${code} ${name}`);
    expect(sections.map(({ code, name }) => `${code} ${name}`).sort()).toEqual(table.sort());
  });

  it("says the severities of the table", () => {
    const words = { error: "error", warning: "warning", hint: "hint" };
    for (const { code, text } of sections) {
      const row = DIAGNOSTIC_CODES[code];
      const strict = row?.strict == null ? "hint, on request only" : words[row.strict];
      expect(text, code).toContain(`Severity: ${strict}`);
    }
  });

  it("says how to fix every code, and shows programs for nearly all", () => {
    for (const { code, text } of sections) expect(text, code).toContain("How to fix: ");
    const without = sections.filter(({ text }) => program(text, "Wrong") === null).map(({ code }) => code);
    expect(without).toEqual(["WF1010", "WF1011", "WF1013"]);
  });

  it.each(withPrograms)("$code: the wrong program has it", ({ code, text }) => {
    expect(codesOf(code, program(text, "Wrong") ?? "")).toContain(code);
  });

  it.each(withPrograms)("$code: the right program has not, and no error either", ({ code, text }) => {
    const source = program(text, "Right") ?? "";
    expect(codesOf(code, source)).not.toContain(code);
    const { ok, diagnostics } = compile(source, { catalog: testCatalog, ...optionsFor(code) });
    expect(ok, JSON.stringify(diagnostics, null, 1)).toBe(true);
  });
});
