/** How things look: colours, columns, carets, tables, diffs. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { githubDiagnostics, humanDiagnostics, sarif } from "../../../cli/output/diagnostics.ts";
import { createPaint, useColour } from "../../../cli/output/terminal/colour.ts";
import { cut, visible } from "../../../cli/output/terminal/columns.ts";
import { jsonLine } from "../../../cli/output/terminal/json.ts";
import { snippet } from "../../../cli/output/terminal/snippet.ts";
import { duration, grouped, table } from "../../../cli/output/terminal/table.ts";
import { readEnvironment } from "../../../cli/session/environment.ts";
import { unifiedDiff } from "../../../compiler/diff/text-diff.ts";
import type { Diagnostic } from "../../../grammar/diagnostic.ts";
import { widthOf } from "../../../grammar/text/width.ts";
import { folderWith } from "../folders.ts";

const plain = (text: string): string => text;
const picture = (text: string, line: number, from: number, to: number, width = 80): string[] =>
  snippet(text, { line, from, to }, { width, before: 0, paint: plain, dim: plain });

const diagnostic: Diagnostic = {
  code: "WF4001",
  name: "undefined_variable",
  severity: "error",
  message: "nothing sets 'totl' before this step",
  span: { file: null, line: 2, column: 5, end_line: 2, end_column: 9, start: 8, end: 12 },
  label_id: "1",
  node_id: "n1",
  expected: [],
  suggestion: "did you mean 'total'?",
  fix: { title: "replace with total", edits: [] },
  related: [],
};

describe("columns", () => {
  it("counts wide, combining and joined characters as a terminal does", () => {
    expect(widthOf("abc")).toBe(3);
    expect(widthOf("日本")).toBe(4);
    expect(widthOf("e\u0301")).toBe(1);
    expect(widthOf("👩‍👩‍👧")).toBe(2);
    expect(widthOf("ｱ")).toBe(1);
  });

  it("lets no control character through", () => {
    expect(visible("a\x1b[31mb\x9b2J\u202ec\u2028")).toBe("a\\x1b[31mb\\x9b2J\\u202ec\\u2028");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u);
      }),
    );
  });

  it("cuts to a width and says so", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdefg", 6)).toBe("abcde…");
    expect(cut("日本語日本語", 6)).toBe("日本…");
    expect(widthOf(cut("x".repeat(1_000_000), 40))).toBe(40);
  });

  it("escapes C1 controls and direction marks in JSON without changing the value", () => {
    const value = { text: "a\x1b\x9b\u202e\u2028" };
    expect(jsonLine(value)).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(jsonLine(value))).toEqual(value);
  });
});

describe("carets", () => {
  it("stand under the characters they mean", () => {
    expect(picture("L1:\n  J totl", 2, 4, 8)).toEqual(["   |", " 2 |   J totl", "   |     ^^^^"]);
  });

  it("count columns after wide characters and show tabs as two blanks", () => {
    expect(picture('\tJ "日本" x', 1, 8, 9)).toEqual(["   |", ' 1 |   J "日本" x', "   |            ^"]);
  });

  it("cover at least one column, at the end of a line too", () => {
    expect(picture("J", 1, 1, 1)).toEqual(["   |", " 1 | J", "   |  ^"]);
  });

  it("leave the byte order mark out", () => {
    expect(picture("\uFEFFJ x", 1, 3, 4)).toEqual(["   |", " 1 | J x", "   |   ^"]);
  });

  it("show a window of a long line", () => {
    const line = `${"a".repeat(500_000)} HERE ${"b".repeat(500_000)}`;
    const [, shown = "", carets = ""] = picture(line, 1, 500_001, 500_005, 60);
    expect(widthOf(shown)).toBeLessThanOrEqual(60);
    expect(shown.startsWith(" 1 | …")).toBe(true);
    expect(shown.endsWith("…")).toBe(true);
    expect(shown.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1)).toBe("HERE");
  });

  it("are never far off, wherever they point", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.nat(220),
        fc.nat(20),
        fc.integer({ min: 20, max: 100 }),
        (text, from, length, width) => {
          const lines = picture(text.replaceAll("\n", " "), 1, from, from + length, width);
          expect(lines).toHaveLength(3);
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(width, 30) + 8);
        },
      ),
    );
  });
});

describe("diagnostics", () => {
  const options = {
    name: "a.wf",
    textOf: () => "L1:\n  J totl",
    paint: createPaint(false),
    width: 80,
    fixHint: "wf check --fix",
  };

  it("are printed with place, line, caret, help and fix; how to apply one is said of certain fixes only", () => {
    const certain = { ...diagnostic, code: "WF9001" };
    expect(humanDiagnostics([diagnostic, certain, certain], options).match(/= (fix|perhaps): .*/g)).toEqual([
      "= perhaps: replace with total",
      "= fix: replace with total  (wf check --fix)",
      "= fix: replace with total",
    ]);
    expect(humanDiagnostics([diagnostic], options)).toBe(
      [
        "a.wf:2:5 error WF4001 nothing sets 'totl' before this step",
        "   |",
        " 2 |   J totl",
        "   |     ^^^^",
        "   = help: did you mean 'total'?",
        "   = perhaps: replace with total",
        "",
      ].join("\n"),
    );
  });

  it("become annotations whose text cannot end the command", () => {
    const nasty = { ...diagnostic, message: "100%\n::error::x", suggestion: null };
    expect(githubDiagnostics([nasty], "a,b.wf")).toBe(
      "::error file=a%2Cb.wf,line=2,col=5,endLine=2,endColumn=9,title=WF4001::100%25\\x0a::error::x\n",
    );
  });

  it("become SARIF with regions", () => {
    const report = sarif([{ path: "dir/a b.wf", diagnostics: [diagnostic] }], "1.0.0");
    expect(report.runs[0]?.results[0]).toMatchObject({
      ruleId: "WF4001",
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "dir/a%20b.wf" },
            region: { startLine: 2, startColumn: 5, endLine: 2, endColumn: 9 },
          },
        },
      ],
    });
  });
});

describe("colours", () => {
  const sink = (terminal: boolean) => ({ write: () => undefined, terminal, columns: null });
  it.each([
    ["auto", {}, true, true],
    ["auto", {}, false, false],
    ["auto", { NO_COLOR: "1" }, true, false],
    ["auto", { TERM: "dumb" }, true, false],
    ["auto", { FORCE_COLOR: "1" }, false, true],
    ["auto", { FORCE_COLOR: "0" }, true, false],
    ["auto", { FORCE_COLOR: "false" }, true, false],
    ["auto", { FORCE_COLOR: "" }, true, true],
    ["auto", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    ["always", { NO_COLOR: "1" }, false, true],
    ["never", { FORCE_COLOR: "1" }, true, false],
  ] as const)("%s with %o on a terminal: %s → %s", (choice, variables, terminal, expected) => {
    expect(useColour(choice, readEnvironment(variables), sink(terminal))).toBe(expected);
  });
});

describe("tables and numbers", () => {
  it("align columns and cut the last", () => {
    expect(
      table(
        [
          ["a", "bb", "c".repeat(40)],
          ["日本", "b", "d"],
        ],
        30,
      ),
    ).toEqual([`a     bb  ${"c".repeat(19)}…`, "日本  b   d"]);
  });

  it("group thousands and scale times", () => {
    expect([grouped(500_000), grouped(2), duration(0.34), duration(1234)]).toEqual(["500,000", "2", "0.3 ms", "1.2 s"]);
  });
});

describe("diff", () => {
  it("shows changed lines with three lines of context", () => {
    expect(unifiedDiff("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nD\ne\nf\n", "x.wf")).toBe(
      "--- x.wf\n+++ x.wf\t(formatted)\n@@ -1,6 +1,6 @@\n a\n b\n c\n-d\n+D\n e\n f\n",
    );
    expect(unifiedDiff("a", "a", "x")).toBe("");
  });

  it.skipIf(spawnSync("patch", ["--version"]).status !== 0)("is what patch takes", () => {
    for (const [before, after] of [
      ["a\nb\n", "a\nc\n"],
      ["a\nb", "a\nb\n"],
      ["a\nb\n", "a\nb"],
      ["", "a\n"],
      ["a\r\nb\r\n", "a\nb\n"],
    ] as const) {
      const cwd = folderWith({ "x.wf": before });
      const input = unifiedDiff(before, after, "x.wf");
      const { status, stderr, stdout } = spawnSync("patch", ["-p0", "--binary"], { cwd, input, encoding: "utf8" });
      expect([status, stderr, stdout]).toEqual([0, "", "patching file x.wf\n"]);
      expect(readFileSync(join(cwd, "x.wf"), "utf8")).toBe(after);
    }
  });

  it("can be applied: old lines are the text before, new lines the text after", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
        const diff = unifiedDiff(text(before), text(after), "x").split("\n").slice(2, -1);
        const rebuilt = applyUnified(before, diff);
        if (diff.length > 0) expect(rebuilt).toEqual(after);
        else expect(before).toEqual(after);
      }),
    );
  });
});

function applyUnified(source: readonly string[], diff: readonly string[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff) {
    const head = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line);
    if (head !== null) {
      while (at < Number(head[1]) - (head[2] === "0" ? 0 : 1)) result.push(source[at++] ?? "");
      continue;
    }
    if (line.startsWith("+")) result.push(line.slice(1));
    else {
      expect(source[at]).toBe(line.slice(1));
      if (line.startsWith(" ")) result.push(line.slice(1));
      at += 1;
    }
  }
  return [...result, ...source.slice(at)];
}
