/**
 * What `wf explain` says of a code of the compiler is its section of docs/diagnostics.md, whose programs are compiled elsewhere.
 * `WEFT_DOCS=write` writes it down anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DIAGNOSTIC_CODES } from "../../compiler/diagnostic-codes.ts";
import { documentOf, wf } from "../cli/console.ts";

const url = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const WRITTEN = url("cli/explain/diagnostic-pages.json");

const sections = readFileSync(url("docs/diagnostics.md"), "utf8")
  .split(/^### /m)
  .slice(1)
  .map((text) => text.split(/^## /m)[0] ?? "");

const oneLine = (text: string | undefined): string => (text ?? "").trim().replaceAll(/\s+/g, " ");

function program(text: string, kind: "Wrong" | "Right"): string {
  const [, source = ""] = new RegExp(`^${kind}:\n\n\`\`\`wf part\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text) ?? [];
  return source.trimEnd();
}

const pages = Object.fromEntries(
  sections.map((text) => {
    const [, cause] = /^Severity: .*\n\n([\s\S]*?)\n\n(?:Wrong:|Only the opcode|How to fix:)/m.exec(text) ?? [];
    const [, fix] = /^How to fix: ([\s\S]*)$/m.exec(text) ?? [];
    const page = {
      cause: oneLine(cause),
      wrong: program(text, "Wrong"),
      right: program(text, "Right"),
      fix: oneLine(fix),
    };
    return [text.slice(0, text.indexOf(" ")), page];
  }),
);
if (process.env["WEFT_DOCS"] === "write") writeFileSync(WRITTEN, `${JSON.stringify(pages, null, 2)}\n`);

describe("wf explain of a diagnostic", () => {
  it("knows what docs/diagnostics.md says", () => {
    expect(JSON.parse(readFileSync(WRITTEN, "utf8"))).toEqual(pages);
    expect(Object.keys(pages).sort()).toEqual(Object.keys(DIAGNOSTIC_CODES).sort());
  });

  it("shows its cause, a wrong and a right program, and the way out", async () => {
    const { code, stdout } = await wf(["explain", "WF1001"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}cause {5}A string has no closing quote on its line/m);
    expect(stdout).toContain('\n  wrong     L1:\n              J "open\n  right     L1:\n              J "closed"\n');
    expect(stdout).toMatch(/^ {2}fix {7}Close the string with the quote it began with\./m);
    const { codes } = documentOf(await wf(["explain", "WF1001", "--json"])) as { readonly codes: readonly object[] };
    expect(codes).toMatchObject([{ wrong: ["L1:", '  J "open'], right: ["L1:", '  J "closed"'] }]);
  });

  it("leaves out programs for codes without an example", async () => {
    const { stdout } = await wf(["explain", "WF1013"]);
    expect(stdout).not.toMatch(/^ {2}(wrong|right)/m);
    expect(stdout).toMatch(/^ {2}fix/m);
  });
});
