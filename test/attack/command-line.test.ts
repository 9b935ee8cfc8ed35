/** The command line under attack: one JSON document whatever happens, known exit codes, nothing raw on the terminal. */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonIndented, jsonLine } from "../../cli/output/terminal/json.ts";
import { documentOf, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";

const MIB = 1024 * 1024;
const HELLO = "L1:\n  J 1\n";
/** A program of exactly the largest size that formatting makes larger: comments after the last step are indented. */
const LARGEST = HELLO + "#\n".repeat((MIB - HELLO.length) / 2);
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

describe("wf fmt", () => {
  it.each([
    ["two byte order marks", "\uFEFF\uFEFFL1:\n  J 1\n", 0],
    ["a program of the largest size", LARGEST, 1],
    ["an endpoint whose target is an arrow", "E /a G ->\nL1:\n  J 1\n", 0],
    ["a line separator as verb", "L1:\n  R x \u2028\n", 0],
  ])("%s is not a defect", async (_title, text, code) => {
    const cwd = folderWith({ "a.wf": text });
    const result = await wf(["fmt", "a.wf", "--json"], { cwd });
    expect(result.code).toBe(code);
    expect(documentOf(result)["ok"]).toBe(code === 0);
    if (code !== 0) expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe(text);
  });
});

describe("results too large to print", () => {
  let shared: unknown = ["x".repeat(1000)];
  for (let level = 0; level < 40; level += 1) shared = [shared, shared];

  it.each([
    ["on one line", jsonLine],
    ["indented", jsonIndented],
  ])("are refused before they are made, %s", (_title, print) => {
    expect(() => print({ out: shared })).toThrow("too large to print");
  });

  it("escape a million control characters in parts", () => {
    const text = jsonLine("\u009b".repeat(1_500_000));
    expect(text.length).toBe(1_500_000 * 6 + 3);
    expect(text.includes("\u009b")).toBe(false);
  });
});

describe("nothing raw", () => {
  const hostile = 'L1:\n  R core.ECHO "\\x1b[31m\u009b2J\u202e" ->x\n  Set y "\x1b[2J\u009b\u202e"\n  J [x, y]\n';
  it.each([
    [["compile", "a.wf", "--loose"]],
    [["compile", "a.wf", "--loose", "--compact"]],
    [["compile", "a.wf", "--loose", "--format", "disasm"]],
    [["compile", "a.wf", "--loose", "--format", "canonical-source"]],
    [["inspect", "a.wf", "--loose", "--ir"]],
    [["disasm", "a.wf", "--loose"]],
    [["run", "a.wf", "--trace"]],
    [["run", "a.wf", "--trace-jsonl", "-"]],
    [["check", "a.wf"]],
    [["fmt", "-"]],
  ])("wf %j", async (argv) => {
    const cwd = folderWith({ "a.wf": hostile });
    const stdin = argv.includes("-") && argv[0] === "fmt" ? { stdin: hostile } : {};
    const result = await wf([...argv, "--no-color"], { cwd, terminal: true, ...stdin });
    expect([0, 1]).toContain(result.code);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(result.stdout + result.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

describe("frames", () => {
  it.each([
    ["[]", 2],
    ["null", 2],
    ['{"a":1e999}', 2],
    ['{"a":-0}', 0],
    ['{"a":1,"a":2}', 0],
    ['{"__proto__":{"a":2},"constructor":1}', 0],
    [`{"a":${nested("[", "]", 511)}}`, 0],
    [`{"a":${nested("[", "]", 600)}}`, 2],
    [`{"a":${nested("[", "]", 100_000)}}`, 2],
    [`{"a":${"[".repeat(100_000)}`, 2],
  ])("%.40s ends with %i", async (frame, code) => {
    const cwd = folderWith({ "a.wf": "# frame: a\nL1:\n  J $a\n", "f.json": frame });
    const result = await wf(["run", "a.wf", "--frame", "@f.json", "--json"], { cwd });
    expect(result.code).toBe(code);
    expect(documentOf(result)["ok"]).toBe(code === 0);
  });
});

describe("IR files", () => {
  it.each([
    ["no object", "[]"],
    ["broken JSON", "{"],
    ["a version that is an escape", '{"ir_version":"\\u001b[31m"}'],
    ["100 000 levels", `{"ir_version":"1.0","x":${nested("[", "]", 100_000)}}`],
    ["a million levels of objects", `{"ir_version":"1.0","x":${'{"a":'.repeat(1e6)}1${"}".repeat(1e6)}}`],
    [
      "half a million invalid nodes",
      JSON.stringify({ ir_version: "1.0", labels: {}, nodes: Array(5e5).fill(0), edges: [] }),
    ],
    ["a label __proto__", '{"ir_version":"1.0","labels":{"__proto__":{}},"nodes":[],"edges":[],"entry":"__proto__"}'],
  ])("%s: refused", async (_title, text) => {
    const result = await wf(["run", "a.json", "--json"], { cwd: folderWith({ "a.json": text }) });
    expect(result.code).toBe(1);
    expect(documentOf(result)).toMatchObject({ ok: false, error: "invalid_ir" });
  });
});

describe("includes", () => {
  it.each([
    "../out.wf",
    "/etc/passwd",
    "link.wf",
    "folder/passwd",
    "..\\\\out.wf",
    "C:/x",
    "a\0b",
    ".",
    "file:///etc/passwd",
  ])("%j gives nothing of a file outside", async (path) => {
    const outside = folderWith({ "out.wf": "root:secret\n" });
    const cwd = folderWith({ "a.wf": `include "${path}" as b\nL1:\n  J 1\n` });
    symlinkSync(join(outside, "out.wf"), join(cwd, "link.wf"));
    symlinkSync("/etc", join(cwd, "folder"));
    const result = await wf(["check", "a.wf", "--json"], { cwd });
    expect(result.code).toBe(1);
    expect(result.stdout).not.toContain("root:");
  });

  it("a module that includes three modules, each of which does, stops at a bound", async () => {
    const files: Record<string, string> = { "a.wf": 'include "m0.wf" as m\nL1:\n  J 1\n' };
    for (let i = 0; i < 15; i += 1) {
      const next = ["a", "b", "c"].map((alias) => `include "m${i + 1}.wf" as ${alias}\n`).join("");
      files[`m${i}.wf`] = `${next}LENTRY:\n  J 1\nLEXIT_1:\n  J 1\n`;
    }
    files["m15.wf"] = "LENTRY:\n  J 1\nLEXIT_1:\n  J 1\n";
    const result = await wf(["check", "a.wf", "--json"], { cwd: folderWith(files) });
    expect(result.code).toBe(1);
    expect(result.stdout).toContain("WF3019");
  });
});

it("values of the environment are not repeated in faults", async () => {
  const secret = "s3cr3t-value";
  const environment = { WF_FRAME_CEILING_BYTES: secret, WF_SECRET_X: secret, WF_STATE_DIR: secret };
  const result = await wf(["run", "-", "--json"], { stdin: HELLO, environment });
  expect(result.code).toBe(2);
  expect(result.stdout + result.stderr).not.toContain(secret);
});
