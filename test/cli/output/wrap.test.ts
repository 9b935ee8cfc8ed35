/** Sentences at the edge of a terminal. */
import { describe, expect, it } from "vitest";
import { wrappedTable } from "../../../cli/output/terminal/table.ts";
import { wrap } from "../../../cli/output/terminal/wrap.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const longest = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));

describe("wrapping", () => {
  it("breaks between words, and begins further lines at the column", () => {
    expect(wrap("one two three", 80)).toBe("one two three");
    expect(wrap("one two three four five six", 30, 4)).toBe("one two three four five\n    six");
    expect(wrap("zähne 日本語 日本語 zähne", 24)).toBe("zähne 日本語 日本語\nzähne");
  });

  it("leaves a word that is too long whole, and a text for a pipe as it is", () => {
    expect(wrap(`a ${"b".repeat(40)} c`, 24)).toBe(`a\n${"b".repeat(40)}\nc`);
    expect(wrap("word ".repeat(100), Number.POSITIVE_INFINITY)).toBe("word ".repeat(100));
  });

  it("continues below the first columns when they leave no space", () => {
    expect(wrappedTable([["a name of a fact", "one two three four five"]], 30)).toEqual([
      "a name of a fact  one two\n    three four five",
    ]);
  });
});

describe("at a terminal of 80 columns", () => {
  it.each([
    [["--help"]],
    [["run", "--help"]],
    [["profiles", "local_minimal"]],
    [["profiles", "full"]],
    [["capabilities", "-v"]],
    [["capabilities", "http"]],
    [["explain", "WF4001"]],
    [["mcp", "--list"]],
  ])("%j fits, and says the same as in a pipe", async (argv) => {
    const cwd = folderWith({});
    const narrow = await wf(argv, { cwd, terminal: true, columns: 80, environment: { TERM: "dumb" } });
    const piped = await wf(argv, { cwd });
    expect(longest(narrow.stdout)).toBeLessThanOrEqual(80);
    expect(narrow.stdout.split(/\s+/)).toEqual(piped.stdout.split(/\s+/));
  });
});
