/** Sums that fail in every run are refused before the first one, and those that are strings to the author are offered as such. */
import { describe, expect, it } from "vitest";
import { repair } from "../../support/applied-edits.ts";
import { compileText } from "../compiling.ts";

const main = (lines: string, inputs = ""): string =>
  `main${inputs === "" ? "" : `(${inputs})`}:\n${lines.replace(/^/gm, "  ")}\n`;

const found = (source: string): readonly string[] =>
  compileText(source, { strict: true }).diagnostics.map(({ code, message }) => `${code} ${message}`);

describe("a sum of a string and a number", () => {
  it.each<readonly [what: string, source: string, repaired: string]>([
    ["a declared input", main('out "n is " + n', "n:number"), main('out "n is " + str(n)', "n:number")],
    ["on the left", main('out n + " items"', "n:integer"), main('out str(n) + " items"', "n:integer")],
    ["a count", main('out "rows: " + len(rows)', "rows:list"), main('out "rows: " + str(len(rows))', "rows:list")],
    ["arithmetic", main('out "left: " + n * 2', "n"), main('out "left: " + str(n * 2)', "n")],
    ["in a row", main('out "a" + 1 + "b" + 2'), main('out "a" + str(1) + "b" + str(2)')],
    ["after a template", main('out f"{n}: " + len(n)', "n"), main('out f"{n}: " + str(len(n))', "n")],
    [
      "a variable that only holds numbers",
      main('total = 0\nfor x in xs:\n  total += x\nout "Total: " + total', "xs"),
      main('total = 0\nfor x in xs:\n  total += x\nout "Total: " + str(total)', "xs"),
    ],
    [
      "a variable of a loop over a range",
      main('lines = ""\nfor i in range(3):\n  lines += "n" + i\nout lines'),
      main('lines = ""\nfor i in range(3):\n  lines += "n" + str(i)\nout lines'),
    ],
    [
      "a field of a declared record",
      `D Order total:F\nmain(o:Order):\n  out "Total: " + o.total\n`,
      `D Order total:F\nmain(o:Order):\n  out "Total: " + str(o.total)\n`,
    ],
  ])("%s gets str around the number", (_what, source, repaired) => {
    expect(found(source)[0]).toMatch(/^WF5013 '\+' cannot compute with a (string|number) and a (string|number)$/);
    const { source: text, ir } = repair(source, (one) => compileText(one, { strict: true }));
    expect(text).toBe(repaired);
    expect(ir).not.toBeNull();
  });
});

describe("other sums of two kinds", () => {
  it.each<readonly [what: string, source: string, message: string, suggestion: string]>([
    [
      "a string that may hold a number",
      main("out n + 1", "n:text"),
      "'+' cannot compute with a string and a number",
      "write 1 as a string, str(1), or read the string with int or float",
    ],
    [
      "a numeral in quotes",
      main('out "5" + n', "n:number"),
      "'+' cannot compute with a string and a number",
      "write n as a string, str(n), or read the string with int or float",
    ],
    [
      "a string that may be a numeral in the end",
      main('s = "n: "\nfor i in range(3):\n  s += i\nout s'),
      "'+' cannot compute with a string and a number",
      "write i as a string, str(i), or read the string with int or float",
    ],
    [
      "a list and an element",
      main("xs = []\nxs += 1\nout xs"),
      "'+' cannot compute with a list and a number",
      "put the other value into a list: [1]",
    ],
    [
      "two objects",
      main('out {"a": 1} + d', "d:map"),
      "'+' cannot compute with an object and an object",
      'write merge({"a": 1}, d)',
    ],
    [
      "a truth and a number",
      main("out (n > 1) + 1", "n"),
      "'+' cannot compute with true or false and a number",
      "add numbers, strings or lists",
    ],
  ])("%s are refused without an edit", (_what, source, message, suggestion) => {
    const [first] = compileText(source, { strict: true }).diagnostics;
    expect(first).toMatchObject({ code: "WF5013", severity: "error", message, suggestion, fix: null });
  });
});

describe("a sum of which a run may succeed", () => {
  it.each<readonly [what: string, source: string]>([
    ["an input without a type", main('out "n is " + n', "n")],
    ["a variable that is a string or a number", main('v = 1\nif n:\n  v = "one"\nout "v: " + v', "n")],
    ["an element of a list", main('out "first: " + xs[0]', "xs:list")],
    ["an input that the program sets as well", main('if n == 0:\n  n = "none"\nout "n: " + n', "n:number")],
    ["two strings", main('out "a" + s', "s:text")],
    ["what a call returns", `${main('out "a" + helper(1)')}\nhelper(n):\n  out f"{n}"\n`],
  ])("%s is left to the run", (_what, source) => {
    expect(found(source)).toEqual([]);
  });

  it("a name that the caller gives has any type", () => {
    const source = main('n = 1\nout "n: " + n');
    const { diagnostics } = compileText(source, { strict: true, inputs: ["n"] });
    expect(diagnostics.map(({ code }) => code)).not.toContain("WF5013");
  });
});
