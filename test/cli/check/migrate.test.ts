/** `wf migrate`: what it changes in programs of the predecessor, what it leaves, and that nothing else changes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { migrateText } from "../../../cli/migrate/migrate-text.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { cleanPrograms } from "../../support/clean-programs.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const diagnose = (text: string) => compile(text, { catalog: builtinCatalog, strict: true }).diagnostics;
const migrated = (text: string): string => migrateText(text, diagnose).text;

describe("a migrated program", () => {
  it.each<[why: string, before: string, after: string]>([
    [
      "declares what nothing sets, below the comments at its beginning",
      "# Greets.\n\nS app api /x\nL1:\n  If retry? ->L2 ->L2\nL2:\n  J (concat $name total)\n",
      "# Greets.\n\n# frame: retry, name, total\nS app api /x\nL1:\n  If retry? ->L2 ->L2\nL2:\n  J (concat $name total)\n",
    ],
    ["keeps Windows line ends", "L1:\r\n  J total\r\n", "# frame: total\r\nL1:\r\n  J total\r\n"],
    [
      "loses closing words",
      "L1:\n  Loop [1] x ->L2 ->L3\nL2:\n  J null\nEndFor\nL3:\n  J 1\nEND\n",
      "L1:\n  Loop [1] x ->L2 ->L3\nL2:\n  J null\nL3:\n  J 1\n",
    ],
    ["has its certain fixes applied", "L1:\n  X total (0)\n  J total\n", "L1:\n  X total 0\n  J total\n"],
    ["has inputs with types of here", "# frame: url: string\nL1:\n  J url\n", "# frame: url: text\nL1:\n  J url\n"],
    [
      "declares paths whose root is read elsewhere, not file names",
      "L1:\n  Set a order\n  Set b order.total\n  Set c notes.txt\n  J a\n",
      "# frame: order\nL1:\n  Set a order\n  Set b order.total\n  Set c notes.txt\n  J a\n",
    ],
    ["is left alone where it is Python", "def main(a):\n    return a\n", "def main(a):\n    return a\n"],
  ])("%s", (_why, before, after) => {
    expect(migrated(before)).toBe(after);
    expect(migrated(after)).toBe(after);
  });

  const CLEAN = cleanPrograms().filter(({ source }) => diagnose(source).every(({ severity }) => severity === "hint"));

  it.each(CLEAN.map(({ name, source }) => [name, source]))("%s stays as it is", (_name, source) => {
    expect(migrated(source)).toBe(source);
  });

  it("is the same when it is migrated again, whatever was damaged", () => {
    const sources = CLEAN.map(({ source }) => source);
    const damaged = fc.record({
      source: fc.constantFrom(...sources),
      at: fc.nat(),
      cut: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(damaged, ({ source, at, cut }) => {
        const place = at % source.length;
        const once = migrated(source.slice(0, place) + source.slice(place + cut));
        expect(migrated(once)).toBe(once);
      }),
      { numRuns: 60 },
    );
  });

  it("runs as before: a declared name that the frame lacks is its own text", async () => {
    const source = "L1:\n  J (concat total 1)\n";
    const cwd = folderWith({ "old.wf": source, "new.wf": migrated(source) });
    const results = await Promise.all(["old.wf", "new.wf"].map((file) => wf(["run", "--loose", file], { cwd })));
    expect(results.map(({ stdout }) => stdout)).toEqual(["total1\n", "total1\n"]);
  });
});

describe("wf migrate", () => {
  const OLD = "L1:\n  J total\nEND\n";
  const NEW = "# frame: total\nL1:\n  J total\n";
  const textIn = (cwd: string, name: string): string => readFileSync(join(cwd, name), "utf8");

  it("shows the changes and writes nothing without --write", async () => {
    const cwd = folderWith({ "old.wf": OLD });
    const result = await wf(["migrate", "old.wf"], { cwd });
    expect(result.code).toBe(0);
    expect(result.stdout).toBe(
      "--- old.wf\n+++ old.wf\t(migrated)\n@@ -1,3 +1,3 @@\n+# frame: total\n L1:\n   J total\n-END\n",
    );
    expect(result.stderr).toContain("note old.wf: declared as inputs: total; quote those that are text\n");
    expect(result.stderr).toContain("note 1 file, 1 to migrate\n");
    expect(textIn(cwd, "old.wf")).toBe(OLD);
  });

  it("lists what would change with --check, and writes with --write", async () => {
    const cwd = folderWith({ "old.wf": OLD, "new.wf": NEW });
    expect(await wf(["migrate", "--check", "."], { cwd })).toMatchObject({ code: 1, stdout: "./old.wf\n" });
    expect(textIn(cwd, "old.wf")).toBe(OLD);
    expect(await wf(["migrate", "--write", "."], { cwd })).toMatchObject({ code: 0, stdout: "" });
    expect(textIn(cwd, "old.wf")).toBe(NEW);
    expect(await wf(["migrate", "--check", "."], { cwd })).toMatchObject({ code: 0, stdout: "" });
  });

  it("lists what has no counterpart, and fails while errors are left", async () => {
    const cwd = folderWith({ "old.wf": "L1:\n  R memory.merge a ->x\n  J x\n" });
    const result = await wf(["migrate", "--write", "old.wf"], { cwd });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("error WF5002");
    expect(documentOf(await wf(["migrate", "old.wf", "--json"], { cwd }))).toMatchObject({
      ok: false,
      files: [{ path: "old.wf", ok: false, changed: false, inputs: [], diagnostics: [{ code: "WF5002" }] }],
    });
  });

  it("notes what means something else here", async () => {
    const result = await wf(["migrate", "-"], { stdin: "# frame: retry\nL1:\n  If retry? ->L2 ->L2\nL2:\n  J 1\n" });
    expect(result.stderr).toContain("hint WF9021");
    expect(result.code).toBe(0);
  });

  it.each<[argv: readonly string[], message: string]>([
    [["--check", "--write", "a.wf"], "--check and --write exclude each other"],
    [["--write", "-"], "--write needs a file"],
    [["none.wf"], "none.wf"],
  ])("refuses %j", async (argv, message) => {
    const result = await wf(["migrate", ...argv], { cwd: folderWith({ "a.wf": NEW }), stdin: NEW });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
  });

  it("continues with the other files when one cannot be read", async () => {
    const cwd = folderWith({ "a.json": '{"no": "ir"}', "old.wf": OLD });
    const result = await wf(["migrate", "a.json", "old.wf", "--write"], { cwd });
    expect(result.code).not.toBe(0);
    expect(textIn(cwd, "old.wf")).toBe(NEW);
  });
});
