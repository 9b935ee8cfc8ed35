/** `wf check --fix`: certain fixes are applied and named, guesses only when asked for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DIAGNOSTIC_CODES } from "../../../compiler/diagnostic-codes.ts";
import { GUESSES } from "../../../compiler/fixes/guessed-fixes.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const GUESSED = "L1:\n  Set total 1\n  J totl\n";

describe("steps outside of a label", () => {
  it.each([
    ["R core.ADD 1 2 ->x\n# then\n\nJ x\n", "L1:\n  R core.ADD 1 2 ->x\n  # then\n\n  J x\n"],
    [
      "# frame: n\nS app core noop\n\n\tX x add n 1\n      J x\n",
      "# frame: n\nS app core noop\n\nL1:\n  X x add n 1\n  J x\n",
    ],
    ["J 1\n\n# of L2\nL1:\n  J 2\n", "L2:\n  J 1\n\n# of L2\nL1:\n  J 2\n"],
    ["\uFEFFX x add 1 2\r\nJ x\r\n", "\uFEFFL1:\n  X x add 1 2\r\n  J x\r\n"],
  ])("%j get a label, and are indented like the formatter does", async (source, expected) => {
    const cwd = folderWith({ "a.wf": source });
    const fixed = await wf(["check", "--fix", "--loose", "a.wf"], { cwd });
    expect(fixed.stderr).toContain("WF2003 insert L");
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe(expected);
    if (!expected.includes("\r")) expect((await wf(["fmt", "--check", "a.wf"], { cwd })).code).toBe(0);
  });
});

describe("fixes that are guesses", () => {
  it("have codes that exist, each with a reason", () => {
    for (const [code, reason] of Object.entries(GUESSES)) {
      expect(Object.hasOwn(DIAGNOSTIC_CODES, code), code).toBe(true);
      expect(reason.length).toBeGreaterThan(20);
    }
  });

  it("are shown as such and left alone by --fix", async () => {
    const cwd = folderWith({ "a.wf": GUESSED });
    expect((await wf(["check", "a.wf"], { cwd })).stdout).toContain("= perhaps: ");
    const result = await wf(["check", "--fix", "a.wf"], { cwd });
    expect(result.code).toBe(1);
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe(GUESSED);
    expect(result.stderr).toContain("note 1 guess left alone; --fix --guesses applies guesses too\n");
    expect((await wf(["check", "--guesses", "a.wf"], { cwd })).stderr).toContain("--guesses needs --fix");
  });

  it.each([
    ["an unknown statement", 'L1:\n  Sett x "a"\n  J 1\n'],
    ["an unknown label", "L1:\n  If true ->L_sampl ->L_sample\nL_sample:\n  J 1\n"],
    ["an unknown function", "L1:\n  X x ad 1 2\n  J x\n"],
    ["an unknown verb", "L1:\n  R core.ADDD 1 2 ->x\n  J x\n"],
    ["an unknown option", "L1:\n  Sort x [] name decs\n  J x\n"],
    ["an unset variable", "L1:\n  J amount\n"],
    ["a stray token", "L1:\n  Set x = 3\n  J x\n"],
  ])("%s does not become a program that passes", async (_title, source) => {
    const cwd = folderWith({ "a.wf": source });
    const result = await wf(["check", "--fix", "a.wf"], { cwd });
    expect(result.code).toBe(1);
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe(source);
  });

  it("are applied with --guesses, and every edit is named", async () => {
    const cwd = folderWith({ "a.wf": GUESSED });
    const result = await wf(["check", "--fix", "--guesses", "a.wf"], { cwd });
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/^note fixed a\.wf:3:5 WF4001 .+\n$/);
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).not.toBe(GUESSED);
  });

  it("keep a guessed declaration where it stands", async () => {
    // `Polo` is perhaps `Pol`, a declaration, and perhaps an unknown step.
    const cwd = folderWith({ "a.wf": "L1:\n  Polo admin auth=true\n  J 1\n" });
    await wf(["check", "--fix", "--guesses", "a.wf"], { cwd });
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toMatch(/^L1:\n {2}Pol admin/);
  });
});

describe("certain fixes", () => {
  it("are applied, named and counted", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  Set x {k: 1, k: 2}\n  J y\n" });
    const result = await wf(["check", "--fix", "--json", "a.wf"], { cwd });
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toMatch(/^L1:\n {2}Set x \{k: 2\}\n {2}J y\n$/);
    expect(result.stderr).toMatch(/^note fixed a\.wf:2:16 WF9026 \S.*\n/);
    expect(documentOf(result)).toMatchObject({
      files: [
        {
          fixed: [{ line: 2, column: 16, code: "WF9026", title: expect.any(String) }],
          guesses_left: 1,
          // Editors and agents still see every fix.
          diagnostics: [{ code: "WF4001", fix: { edits: [{}] } }],
        },
      ],
    });
  });
});

describe("words beyond the slots of a statement", () => {
  it.each([
    ["an optional slot of a retriever", "rag.Ret r1 i1 5 lang=en\nL1:\n  J 1\n"],
    ["an optional slot of a generator", "RagGen g1 model prompt answer\nL1:\n  J 1\n"],
    ["a word that a declaration keeps for other tools", "rag.Store st mem shards=4\nTxn t extra\nL1:\n  J 1\n"],
    ["an option of another language", "L1:\n  Loop [1] i ->L2 ->L3 max 5\nL2:\n  J i\nL3:\n  J 1\n"],
  ])("are not deleted by --fix where they are %s", async (_, source) => {
    const cwd = folderWith({ "a.wf": source });
    await wf(["check", "--fix", "--guesses", "a.wf"], { cwd });
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe(source);
  });

  it("are quoted as a whole only with --guesses where they are the rest of an unquoted text", async () => {
    const source = "# frame: hello\nL1:\n  Set msg hello big world\n  J msg\n";
    const cwd = folderWith({ "a.wf": source });
    await wf(["check", "--fix", "a.wf"], { cwd });
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe(source);
    await wf(["check", "--fix", "--guesses", "a.wf"], { cwd });
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toContain('Set msg "hello big world"\n');
  });

  it("are not reported for the fourth slot of rag.Ret and rag.Gen, and are kept for the fifth", async () => {
    const stdin = "rag.Ret r1 i1 5 lang=en\nrag.Gen g1 model prompt answer\nL1:\n  J 1\n";
    expect((await wf(["check"], { stdin })).stdout).toBe("ok  1 file\n");
    const beyond = stdin.replace("lang=en", "lang=en more");
    expect((await wf(["check"], { stdin: beyond })).stdout).toMatch(
      /WF9001 .*'more'.*= help: it is kept for other tools/s,
    );
  });
});
