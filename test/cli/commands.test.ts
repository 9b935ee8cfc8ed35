/** check, lint, compile, inspect, disasm, fmt, explain, help and version. */
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTER_CODES } from "../../adapters/errors.ts";
import { COMMANDS } from "../../cli/registry.ts";
import { RUNTIME_VERSION } from "../../cli/session/version.ts";
import { DIAGNOSTIC_CODES } from "../../compiler/diagnostic-codes.ts";
import { POLICY_CODES } from "../../compiler/policy/validate.ts";
import { RUNTIME_CODES } from "../../vm/errors/error-codes.ts";
import { ERROR_WORDS } from "../../vm/words/errors.ts";
import { ISSUE_WORDS } from "../../vm/words/issues.ts";
import { INTERRUPTION_REASONS } from "../../vm/words/reasons.ts";
import { WARNING_WORDS } from "../../vm/words/warnings.ts";
import { verifies } from "../support/requirements.ts";
import { documentOf, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const HELLO = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
const REPORT = "L1:\n  Set total {k: 1, k: 2}\n  J totl\n";

const WARNINGS = "  Set a {k: 1, k: 2}\n".repeat(60);
type Checked = { files: { diagnostics?: { code: string }[]; diagnostics_truncated?: number }[] };

describe("wf check", () => {
  it("shows diagnostics with carets and counts them", async () => {
    const cwd = folderWith({ "report.wf": REPORT });
    const result = await wf(["check", "report.wf"], { cwd });
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(
      "report.wf:2:20 warning WF9026 key 'k' is repeated\n   |\n 2 |   Set total {k: 1, k: 2}\n   |                    ^\n",
    );
    expect(result.stdout).toContain("(wf check --fix)\n");
    expect(result.stdout).toContain(
      "report.wf:3:5 error WF4001 nothing sets 'totl' before this step\n   |\n 3 |   J totl\n   |     ^^^^\n",
    );
    expect(result.stdout).toMatch(/\n1 file, 1 error, 1 warning\n$/);
  });

  it("is short when nothing is wrong", async () => {
    const cwd = folderWith({ "a.wf": HELLO, "d/b.wf": HELLO, "d/c.wf": HELLO });
    expect(await wf(["check", "a.wf", "d"], { cwd })).toEqual({
      code: 0,
      stdout: "ok  3 files\n",
      stderr: "",
      left: [],
    });
    expect(await wf(["validate", "**/*.wf"], { cwd })).toMatchObject({ code: 0, stdout: "ok  3 files\n" });
  });

  it("answers JSON per file", async () => {
    const cwd = folderWith({ "a.wf": HELLO, "report.wf": REPORT });
    const result = await wf(["check", "a.wf", "report.wf", "--json"], { cwd });
    expect(result.code).toBe(1);
    const document = documentOf(result);
    expect(document).toMatchObject({
      ok: false,
      files: [
        {
          path: "a.wf",
          ok: true,
          ir_version: "1.0",
          checksum: expect.stringMatching(/^sha256:/),
          diagnostics: [],
          required_adapters: ["core"],
        },
        {
          path: "report.wf",
          ok: false,
          checksum: null,
          diagnostics: [
            { code: "WF9026", line: 2, column: 20 },
            { code: "WF4001", line: 3, column: 5 },
          ],
        },
      ],
      errors: 1,
      warnings: 1,
    });
  });

  it("takes loose mode, inputs, allowlist and limits on warnings", async () => {
    verifies("errors.allowlist-warning");
    const stdin = "L1:\n  J amount\n";
    expect((await wf(["check"], { stdin })).code).toBe(1);
    expect((await wf(["check", "--loose"], { stdin })).code).toBe(0);
    expect((await wf(["check", "--input", "amount"], { stdin })).stdout).toBe("ok  1 file\n");
    const warned = await wf(["check", "-", "--allow", "cache"], { stdin: HELLO });
    expect(warned.code).toBe(0);
    expect(warned.stdout).toContain("WF5008");
    expect((await wf(["check", "-", "--allow", "cache", "--deny-warnings"], { stdin: HELLO })).code).toBe(1);
    expect((await wf(["check", "-", "--allow", "cache", "--max-warnings", "1"], { stdin: HELLO })).code).toBe(0);
    expect((await wf(["check", "-", "--allow", "cache", "--max-warnings", "0"], { stdin: HELLO })).code).toBe(1);
    expect((await wf(["check", "-", "--strict", "--loose"], { stdin: HELLO })).code).toBe(2);
  });

  it("gives advice only in lint, without failing", async () => {
    const cwd = folderWith({
      "a.wf": 'L1:\n  Set city "Oslo"\n  R http.Get "https://example.com/" ->p\n  J [city, p]\n',
    });
    const codes = async (...argv: string[]) => {
      const result = await wf([...argv, "a.wf", "--json"], { cwd });
      const files = documentOf(result)["files"] as { diagnostics: { code: string }[] }[];
      return [result.code, ...(files[0]?.diagnostics ?? []).map(({ code }) => code)];
    };
    expect(await codes("check")).toEqual([0]);
    expect(await codes("check", "-v", "--input", "city")).toEqual([0]);
    expect(await codes("lint")).toEqual([0, "WF9029"]);
    expect(await codes("lint", "--input", "city")).toEqual([0, "WF9028", "WF9029"]);
    expect(await codes("lint", "--loose", "--input", "city", "--deny-warnings")).toEqual([0, "WF9028", "WF9029"]);
  });

  it("shows hints only in lint or with -v", async () => {
    const stdin = "L1:\n  R core add 1 2 ->x\n  J x\n";
    expect((await wf(["check"], { stdin })).stdout).toBe("ok  1 file\n");
    for (const argv of [["lint"], ["check", "-v"]]) {
      const result = await wf(argv, { stdin });
      expect(result).toMatchObject({ code: 0 });
      expect(result.stdout).toContain("hint WF9003");
    }
  });

  it("shows differences to the predecessor on request, and no other hint", async () => {
    const stdin = 'L2:\n  R core.now ->x\n  If y ->L1\nL1:\n  J "5"\n';
    const codesOf = async (...argv: string[]) =>
      (await wf(["check", "--input", "y", ...argv], { stdin })).stdout.match(/WF\d{4}/g);
    expect(await codesOf()).toBeNull();
    expect(await codesOf("--compat-notes")).toEqual(["WF9027", "WF9021", "WF9021", "WF9021"]);
    expect(await codesOf("-v")).not.toContain("WF9021");
  });

  it("applies fixes until none is left", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  Set x {k: 1, k: 2}\n  J x\n" });
    const result = await wf(["check", "--fix", "a.wf"], { cwd });
    expect(result.code).toBe(0);
    expect(result.stdout).toBe("ok  1 file\n");
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toMatch(/^L1:\n {2}Set x \{k: 2\}\n {2}J x\n$/);
    expect((await wf(["check", "--fix", "-"], { stdin: HELLO })).code).toBe(2);
  });

  it("shows at most the given number of diagnostics", async () => {
    const stdin = `L1:\n${Array.from({ length: 60 }, (_, index) => `  R nope.X ->v${index}\n`).join("")}  J 1\n`;
    expect((await wf(["check"], { stdin })).stdout).toContain("… 10 more; --max-diagnostics N");
    expect(documentOf(await wf(["check", "--json", "--max-diagnostics", "3"], { stdin }))).toMatchObject({
      errors: 60,
      files: [{ diagnostics: { length: 3 } }],
    });
  });

  it.each([
    ["after 60 warnings", `${WARNINGS}  R nope.X ->v\n  J v\n`, "warning WF9026"],
    ["in the first line", `  R nope.X ->v\n${WARNINGS}  J v\n`, "warning WF9026"],
  ])("shows the only error %s whatever the length of the list", async (_, steps, warning) => {
    const stdin = `L1:\n${steps}`;
    for (const most of [[], ["--max-diagnostics", "5"], ["--max-diagnostics", "1"], ["--max-diagnostics", "0"]]) {
      const { stdout, code } = await wf(["check", ...most], { stdin });
      expect(code, stdout).toBe(1);
      expect(stdout.search("error WF5001"), stdout).toBeGreaterThanOrEqual(0);
      if (stdout.includes(warning)) expect(stdout.indexOf("error WF5001")).toBeLessThan(stdout.indexOf(warning));
      const { files } = documentOf(await wf(["check", "--json", ...most], { stdin })) as Checked;
      const [{ diagnostics = [], diagnostics_truncated = 0 } = {}] = files;
      expect(diagnostics[0]).toMatchObject({ code: "WF5001" });
      expect(diagnostics.length + diagnostics_truncated).toBe(61);
    }
    expect((await wf(["check"], { stdin })).stdout).toContain(
      "… 11 more; --max-diagnostics N shows more of them (11 warnings)",
    );
  });

  it("shows an error of every program that fails, and says why a run without errors fails", async () => {
    const bad = `L1:\n${WARNINGS}  R nope.X ->v\n  J v\n`;
    const cwd = folderWith({ "a.wf": bad, "b.wf": bad, "c.wf": `L1:\n${WARNINGS}  J 1\n` });
    const { stdout } = await wf(["check", ".", "--max-diagnostics", "1"], { cwd });
    expect(stdout).toContain("a.wf:62:5 error WF5001");
    expect(stdout).toContain("b.wf:62:5 error WF5001");
    const denied = documentOf(await wf(["check", "c.wf", "--deny-warnings", "--json"], { cwd }));
    expect(denied).toMatchObject({ ok: false, errors: 0, message: "too many warnings: at most 0 allowed" });
  });

  it("writes the formats of GitHub and of code scanners", async () => {
    const cwd = folderWith({ "report.wf": REPORT });
    expect((await wf(["check", "report.wf", "--format", "github"], { cwd })).stdout).toContain(
      "::error file=report.wf,line=3,col=5,",
    );
    const sarif = documentOf(await wf(["check", "report.wf", "--format", "sarif"], { cwd }));
    expect(sarif).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{ ruleId: "WF9026" }, { ruleId: "WF4001", level: "error" }] }],
    });
    expect((await wf(["check", "report.wf", "--format", "xml"], { cwd })).code).toBe(2);
    expect((await wf(["check", "report.wf", "--format", "github", "--json"], { cwd })).code).toBe(2);
  });

  it("continues after a file that cannot be read, and exits with the worst code", async () => {
    const cwd = folderWith({ "a.wf": HELLO, "report.wf": REPORT });
    const result = await wf(["check", "missing.wf", "report.wf", "a.wf", "--json"], { cwd });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({
      ok: false,
      files: [{ error_kind: "path_not_found" }, { ok: false }, { ok: true }],
    });
  });
});

describe("wf compile", () => {
  it("prints the same IR for the same source", async () => {
    const first = await wf(["compile", "-"], { stdin: HELLO });
    const second = await wf(["emit", "-", "--json"], { stdin: HELLO });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toBe(first.stdout);
    expect(JSON.parse(first.stdout)).toMatchObject({ ir_version: "1.0", entry: "1" });
    const compact = await wf(["compile", "-", "--compact"], { stdin: HELLO });
    expect(compact.stdout.trim().split("\n")).toHaveLength(1);
    const canonical = await wf(["compile", "-", "--canonical"], { stdin: HELLO });
    expect(JSON.parse(canonical.stdout)).toEqual(JSON.parse(first.stdout));
    expect(canonical.stdout.startsWith('{"checksum":')).toBe(true);
  });

  it("puts the source into the IR when asked to, and IR that has it runs", async () => {
    const cwd = folderWith({ "hello.wf": HELLO });
    await wf(["compile", "hello.wf", "--include-source", "-o", "hello.json"], { cwd });
    const ir = JSON.parse(readFileSync(join(cwd, "hello.json"), "utf8"));
    expect(ir).toEqual({ ...JSON.parse((await wf(["compile", "hello.wf"], { cwd })).stdout), source: HELLO });
    expect(await wf(["run", "hello.json"], { cwd })).toMatchObject({ code: 0, stdout: "5\n", stderr: "" });
    expect((await wf(["compile", "hello.json", "--include-source"], { cwd })).code).toBe(2);
    expect((await wf(["compile", "hello.wf", "--include-source", "--format", "disasm"], { cwd })).code).toBe(2);
  });

  it("writes files, and bytecode only there", async () => {
    const cwd = folderWith({ "hello.wf": HELLO });
    expect(await wf(["compile", "hello.wf", "-o", "hello.json"], { cwd })).toMatchObject({ code: 0, stdout: "" });
    expect(await wf(["run", "hello.json"], { cwd })).toMatchObject({ code: 0, stdout: "5\n" });
    expect((await wf(["compile", "hello.wf", "--format", "bytecode"], { cwd })).code).toBe(2);
    const bytes = await wf(["compile", "hello.wf", "--format", "bytecode", "-o", "hello.wfb", "--json"], { cwd });
    expect(documentOf(bytes)).toMatchObject({ ok: true, path: "hello.wfb", format: "bytecode" });
    expect(readFileSync(join(cwd, "hello.wfb")).length).toBeGreaterThan(8);
  });

  it("prints a listing and canonical source", async () => {
    const listing = await wf(["compile", "-", "--format", "disasm"], { stdin: HELLO });
    expect(listing).toMatchObject({ code: 0, stdout: (await wf(["disasm", "-"], { stdin: HELLO })).stdout });
    expect(listing.stdout.length).toBeGreaterThan(10);
    expect(await wf(["compile", "-", "--format", "canonical-source"], { stdin: "L1: J    1\n" })).toMatchObject({
      code: 0,
      stdout: "L1:\n  J 1\n",
    });
  });

  it("writes endpoints and types as an OpenAPI document, and says what it leaves out", async () => {
    const source = "D Item id:I\nE /items G ->L1 ->rows A[Item]\nE /items purge ->L1\nL1:\n  Set rows []\n  J rows\n";
    const first = await wf(["compile", "-", "--format", "openapi"], { stdin: source });
    expect(first).toMatchObject({
      code: 0,
      stderr: "warning line 3: left out: OpenAPI 3.1 knows no method PURGE\n",
    });
    expect(JSON.parse(first.stdout)).toMatchObject({
      openapi: "3.1.0",
      paths: { "/items": { get: { operationId: "get_items", "x-weft-label": "L1" } } },
      components: { schemas: { Item: { required: ["id"] } } },
    });
    const cwd = folderWith({ "items.wf": source });
    const written = await wf(["compile", "items.wf", "--format", "openapi", "-o", "api.json", "--json"], { cwd });
    expect(documentOf(written)).toMatchObject({ ok: true, path: "api.json", format: "openapi" });
    expect(readFileSync(join(cwd, "api.json"), "utf8")).toBe(first.stdout);
    const ir = await wf(["compile", "items.wf", "-o", "items.json"], { cwd });
    expect(ir.code).toBe(0);
    expect((await wf(["compile", "items.json", "--format", "openapi"], { cwd })).stdout).toBe(first.stdout);
    const compact = await wf(["compile", "items.wf", "--format", "openapi", "--compact"], { cwd });
    expect(compact.stdout).toBe(`${JSON.stringify(JSON.parse(first.stdout))}\n`);
    const document = documentOf(await wf(["compile", "items.wf", "--format", "openapi", "--json"], { cwd }));
    expect(document).toMatchObject({ ok: true, format: "openapi", text: first.stdout });
  });

  it("refuses an OpenAPI document that would be too long", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `v${at}`).join(", ");
    const endpoints = Array.from({ length: 2000 }, (_, at) => `E /${at} P ->L1\n`).join("");
    const stdin = `# frame: ${names}\n${endpoints}L1:\n  J [${names}]\n`;
    const result = await wf(["compile", "-", "--format", "openapi"], { stdin });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("for an OpenAPI document");
  });

  it("reports errors on stderr, or as JSON", async () => {
    const text = await wf(["compile", "-"], { stdin: REPORT });
    expect(text).toMatchObject({ code: 1, stdout: "" });
    expect(text.stderr).toContain("WF4001");
    expect(documentOf(await wf(["compile", "-", "--json"], { stdin: REPORT }))).toMatchObject({
      ok: false,
      diagnostics: [{}, { code: "WF4001" }],
    });
  });
});

describe("wf inspect", () => {
  const PROGRAM =
    "# frame: n: number\nE /go G ->L2 'starts'\nL1:\n  If n ->L1 ->L2\nL2:\n  R core.ADD 1 n ->x\n  J x\nL9:\n  J 9\n";

  it("shows labels, endpoints, inputs and bounds", async () => {
    const document = documentOf(await wf(["inspect", "-", "--json"], { stdin: PROGRAM }));
    expect(document).toMatchObject({
      ok: true,
      entry: "L1",
      adapters: ["core"],
      inputs: [{ name: "n", type: "number" }],
      bounds: { min_steps: 3, max_steps: null },
      labels: [
        { label: "L1", steps: 1, reachable: true, max_steps: null, reason: expect.stringContaining("L1") },
        { label: "L2", steps: 2, reachable: true, min_steps: 2, max_steps: 2, max_adapter_calls: 1 },
        { label: "L9", reachable: false },
      ],
    });
    const text = await wf(["inspect", "-"], { stdin: PROGRAM });
    expect(text.code).toBe(0);
    expect(text.stdout).toContain("entry     L1\n");
    expect(text.stdout).toMatch(/^steps {5}3 to unbounded: L1 can lead back to itself \(line 4\)$/m);
    expect(text.stdout).toMatch(/^L2 +2 +\S+ +yes +2 +1$/m);
  });

  it("shows one label, or the IR", async () => {
    expect((await wf(["inspect", "-", "--label", "2"], { stdin: PROGRAM })).stdout).toMatch(
      /^L2 {2}steps 2, calls 1\n {2}n1 {2}R {2}line 6/,
    );
    expect((await wf(["inspect", "-", "--label", "L7"], { stdin: PROGRAM })).code).toBe(2);
    expect(JSON.parse((await wf(["inspect", "-", "--ir"], { stdin: PROGRAM })).stdout)).toMatchObject({ entry: "1" });
  });
});

describe("wf fmt", () => {
  const UGLY = "L1:   R core.ADD   2 3   ->x\n  J x   # why\n";

  it("formats in place, keeps comments, and is idempotent", async () => {
    const cwd = folderWith({ "a.wf": UGLY });
    expect((await wf(["fmt", "--check", "a.wf"], { cwd })).code).toBe(1);
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe(UGLY);
    expect((await wf(["fmt", "a.wf"], { cwd })).code).toBe(0);
    const formatted = readFileSync(join(cwd, "a.wf"), "utf8");
    expect(formatted).toContain("# why");
    expect(formatted).not.toBe(UGLY);
    expect(await wf(["fmt", "--check", "a.wf"], { cwd })).toMatchObject({ code: 0, stdout: "" });
    expect((await wf(["run", "a.wf"], { cwd })).stdout).toBe("5\n");
  });

  it.skipIf(process.getuid?.() === 0)("lists no file that it could not write", async () => {
    const cwd = folderWith({ "a.wf": UGLY });
    chmodSync(join(cwd, "a.wf"), 0o444);
    expect(await wf(["fmt", "a.wf"], { cwd })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error output_error  a.wf cannot be written (EACCES): permission denied\n",
    });
  });

  it("is a filter, and shows a diff", async () => {
    const filtered = await wf(["fmt", "-"], { stdin: UGLY });
    expect(filtered.code).toBe(0);
    expect((await wf(["fmt", "-"], { stdin: filtered.stdout })).stdout).toBe(filtered.stdout);
    expect((await wf(["fmt", "--diff", "-"], { stdin: UGLY })).stdout).toMatch(
      /^--- <stdin>\n\+\+\+ <stdin>\t\(formatted\)\n@@ /,
    );
    expect(documentOf(await wf(["fmt", "-", "--json"], { stdin: UGLY }))).toMatchObject({
      ok: true,
      files: [{ changed: true, text: filtered.stdout }],
    });
  });

  it.each([
    ["a canonical file", "# frame: n\n\nL1:\n  X m add n 1\n  J m\n", true],
    ["a file to format", UGLY, false],
    ["Python", "def main(n: int):\n    if n > 3:\n        return n\n    return 0\n", true],
  ])("keeps CRLF where every line has it: %s", async (_, source, clean) => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    const cwd = folderWith({ "a.wf": crlf(source), "b.wf": source });
    expect((await wf(["fmt", "--check", "a.wf"], { cwd })).code).toBe(clean ? 0 : 1);
    await wf(["fmt", "a.wf", "b.wf"], { cwd });
    const [a = "", b = ""] = ["a.wf", "b.wf"].map((name) => readFileSync(join(cwd, name), "utf8"));
    expect(a).toBe(crlf(b));
    expect((await wf(["fmt", "--check", "a.wf"], { cwd })).code).toBe(0);
  });

  it("makes the line ends of a mixed file LF", async () => {
    const { stdout } = await wf(["fmt", "-"], { stdin: "L1:\r\n  X m add 1 1\n  J m\r\n" });
    expect(stdout).toBe("L1:\n  X m add 1 1\n  J m\n");
  });

  it("leaves files with syntax errors alone", async () => {
    const cwd = folderWith({ "bad.wf": 'L1:\n  J "open\n', "a.wf": UGLY });
    const result = await wf(["fmt", "bad.wf", "a.wf"], { cwd });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("bad.wf:2:5 error WF1001");
    expect(readFileSync(join(cwd, "bad.wf"), "utf8")).toBe('L1:\n  J "open\n');
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).not.toBe(UGLY);
  });
});

describe("wf explain", () => {
  it("knows every code of both tables, by code and by name", async () => {
    for (const code of [DIAGNOSTIC_CODES, RUNTIME_CODES, ADAPTER_CODES, POLICY_CODES].flatMap(Object.keys)) {
      const result = await wf(["explain", code]);
      expect(result.code).toBe(0);
      expect(result.stdout.startsWith(`${code}  `)).toBe(true);
    }
    expect((await wf(["explain", "undefined_variable"])).stdout).toContain("WF4001");
    expect(documentOf(await wf(["explain", "max_steps_exceeded", "--json"]))).toMatchObject({
      ok: true,
      codes: [{ code: "RUNTIME_MAX_STEPS" }],
    });
    const { codes } = documentOf(await wf(["explain", "--list", "codes", "--json"])) as {
      codes: readonly { code: string }[];
    };
    const tables = [
      DIAGNOSTIC_CODES,
      RUNTIME_CODES,
      ADAPTER_CODES,
      POLICY_CODES,
      ERROR_WORDS,
      WARNING_WORDS,
      INTERRUPTION_REASONS,
      ISSUE_WORDS,
    ];
    expect(codes.map(({ code }) => code)).toEqual(tables.flatMap((table) => Object.keys(table)));
  });

  it("names the nearest code", async () => {
    expect((await wf(["explain", "RUNTIME_MAX_STEP"])).stderr).toContain("did you mean RUNTIME_MAX_STEPS?");
    expect((await wf(["explain"])).code).toBe(2);
  });
});

describe("help and version", () => {
  it("lists every command with its summary", async () => {
    const { stdout, code } = await wf([]);
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+) +(\S.*)$/gm)].map(([, name, summary]) => [name, summary]);
    expect(listed.sort()).toEqual(COMMANDS.map(({ names, summary }) => [names[0], summary]).sort());
  });

  it("has a page for every action of a command, with the flags of that action only", async () => {
    const page = await wf(["queue", "drain", "--help"]);
    expect(page).toMatchObject({ code: 0, stdout: (await wf(["help", "queue", "drain"])).stdout });
    expect(page.stdout).toContain("usage: wf queue drain QUEUE [flags]");
    expect(page.stdout).toMatch(/--out FILE +append to FILE/);
    expect(page.stdout).not.toMatch(/--cursor|--id |--http-|peek: |wf queue ls/);
    for (const { names, load } of COMMANDS) {
      for (const action of Object.keys((await load()).actions ?? {})) {
        const { stdout } = await wf(["help", names[0], action]);
        expect(stdout).toContain(`usage: wf ${names[0]} ${action}`);
      }
    }
  });

  it.each(["memory", "queue", "cache"])("does not list settings of other adapters for %s", async (name) => {
    expect((await wf(["help", name])).stdout).not.toMatch(/--(?:http|sqlite|fs|tools|wasm|forbid|enable)-/);
  });

  it.each(COMMANDS.map(({ names }) => names[0]))(
    "has a page for %s with flags, examples and exit codes",
    async (name) => {
      const page = await wf(["help", name]);
      expect(page.code).toBe(0);
      expect(page.stdout).toBe((await wf([name, "--help"])).stdout);
      expect(page.stdout).toContain(`usage: wf ${name} `);
      expect(
        page.stdout.split("Examples:")[1]?.split("Exit codes:")[0]?.trim().split("\n").length,
      ).toBeGreaterThanOrEqual(3);
    },
  );

  it.each(COMMANDS)("lists the common flags that $names.0 uses, and only those", async ({ names, load }) => {
    const [name] = names;
    const { idleFlags } = await load();
    const page = (await wf(["help", name])).stdout;
    for (const flag of ["--json", "--quiet", "--verbose", "--color", "--no-color", "--cwd"])
      expect(new RegExp(`${flag}\\b`).test(page), flag).toBe(!idleFlags.includes(flag));
  });

  it("lists neither --json nor colors where they mean nothing", async () => {
    expect((await wf(["help", "lsp"])).stdout).not.toMatch(/--json|color/);
    expect((await wf(["help", "grammar"])).stdout).toMatch(/--json/);
    expect((await wf(["help", "grammar"])).stdout).not.toMatch(/color/);
    expect(await wf(["grammar", "--format", "ebnf", "--no-color"])).toMatchObject({ code: 0 });
  });

  it("prints the grammar of Python, and with --form opcode the other one", async () => {
    const python = await wf(["grammar", "--format", "gbnf"]);
    expect([python.code, python.stdout.split("\n")[0]]).toEqual([0, "root ::= file"]);
    const opcode = await wf(["grammar", "--form", "opcode", "--format", "gbnf", "--labels", "1", "--names", "a"]);
    expect([opcode.code, opcode.stdout.split("\n")[0]]).toEqual([0, "root ::= program"]);
  });

  it.each([
    [["--format", "gbnf", "--labels", "1"], "--labels is for the opcode form; add --form opcode"],
    [["--format", "json-schema"], "--format json-schema is for the opcode form; add --form opcode"],
    [["--format", "ebnf", "--form", "basic"], "--form"],
  ])("refuses wf grammar %j, which no grammar of Python has", async (argv, message) => {
    const { code, stderr } = await wf(["grammar", ...argv]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it.each(COMMANDS)("lists $names.0 under the words of its class", async ({ names, load }) => {
    expect((await load()).paths).toEqual(names.map((name) => [name]));
  });

  it("takes flags before the command", async () => {
    expect(await wf(["--json", "explain", "WF4001"])).toEqual(await wf(["explain", "WF4001", "--json"]));
  });

  it("prints the versions", async () => {
    expect((await wf(["--version"])).stdout).toBe("weft 1.0.0 (ir 1.2, node 20.19.0)\n");
    expect(documentOf(await wf(["--version", "--json"]))).toEqual({
      ok: true,
      runtime_version: "1.0.0",
      ir_version: "1.2",
      node_version: "20.19.0",
    });
    const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(manifest).toMatchObject({ version: RUNTIME_VERSION });
  });
});
