/** What the parser reports, with exact places (docs/diagnostics.md), and what it does with bounds. */
import { describe, expect, it } from "vitest";
import { parse } from "../../grammar/parse.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { found, foundSpans, stepsOf } from "./reading.ts";

describe("findings", () => {
  it.each([
    ["L1:\n  Set s don't\n  J s", ["WF1001 2:12"]],
    ["S a 'b", ["WF1001 1:5"]],
    ["L1:\n  Set xs [1, 2\n  J xs", ["WF1002 2:10"]],
    ["L1:\n  Set x (core.add 1 2", ["WF1002 2:9"]],
    ["L1:\n  Set x [1, (add 2\n  J x", ["WF1002 2:9", "WF1002 2:13"]],
    ["L1:\n  J {a: [1, 2}", ["WF1002 2:9"]],
    ["L1:\n  J 1 )", ["WF1003 2:7"]],
    ["L1:\n  J [1 2]", ["WF1004 2:8"]],
    ["L1:\n  J [1,,2]", ["WF1004 2:8"]],
    ["L1:\n  J {a 1}", ["WF1004 2:8"]],
    ["L1:\n  J {a: 1 b: 2}", ["WF1004 2:11"]],
    ["L1:\n  J {a}", ["WF1004 2:7"]],
    ["L1:\n  J {a:}", ["WF1004 2:8"]],
    ["L1:\n  J $4.50", ["WF1005 2:5"]],
    ["L1:\n  J [$]", ["WF1005 2:6"]],
    ["L:\n  J 1", ["WF1006 1:1"]],
    ["L1:\n  J 1e999", ["WF1007 2:5"]],
    ["L1:\n  J ()", ["WF1008 2:5"]],
    ["L1:\n  J (1 2)", ["WF1008 2:6"]],
    ['L1:\n  J ("add" 2)', ["WF1008 2:6"]],
    ["L1:\n  J (add 1, 2)", ["WF1009 2:11"]],
    ["L1:\n  J ->x", ["WF1009 2:5"]],
    ["L1:\n  R a.B ->", ["WF1009 2:9"]],
    ["L1:\n  R a.B == 1", ["WF1009 2:9"]],
    ["L1:\n  Set $x 1", ["WF1009 2:7"]],
    ["L1:\n  If a == ->L2", ["WF1009 2:8"]],
    ["L1:\n  J (a = b)", ["WF1009 2:8"]],
    ["L1:\n  J \u0000", ["WF1010 2:5"]],
    ["# \ud800", ["WF1010 1:3"]],
    ["Budget 5", ["WF2001 1:1"]],
    ['"R" core.NOW', ["WF2001 1:1"]],
    ["L1:\n  EndFor", ["WF2001 2:3"]],
    ["L1:\n J 1\nD A\nQ b\n# c\nS a b\nJ 1\nQ c", ["WF2002 3:1", "WF2002 8:1"]],
    ["Set a 1\nL1:\n J a", ["WF2003 1:1"]],
    ["L1:\n  Loop xs it ->L2", ["WF2004 2:3"]],
    ["L1:\n  R db ->rows", ["WF2004 2:3"]],
    ["S core", ["WF2004 1:1"]],
    ["1:\n J 1", ["WF2006 1:1"]],
    ["L1 :\n J 1", ["WF2006 1:1"]],
    ["L1:\n  Err @n1", ["WF2007 2:3"]],
    ["L1:\n  Call L2 v", ["WF2008 2:11"]],
    ["L1:\n  R a.B ->5", ["WF2008 2:11"]],
    ["L1:\n  Retry 3 5 jitter", ["WF2013 2:13"]],
    ["L1:\n  Filt a b c ~ d", ["WF2013 2:14"]],
    ["L1:\n  Sort a b c up", ["WF2013 2:14"]],
    ["L1:\n  Tx stop a", ["WF2013 2:6"]],
    ["L1:\n  While a ->L1 ->L1 limit=x", ["WF2013 2:21"]],
    ["L1:\n  CacheSet a b c soon", ["WF2013 2:18"]],
    ["L1:\n  R a.B ->x ->y", ["WF2015 2:13"]],
    ["E /x G L1", ["WF3003 1:8"]],
    ["E /x G ->1", ["WF3003 1:8"]],
    ["E /x G ->L", ["WF3004 1:8"]],
    ["L1:\n  If true ->L", ["WF3004 2:11"]],
    ["L1:\n  If true -> ->L2", ["WF3004 2:11"]],
    ["Tst ->", ["WF3004 1:5"]],
    ["include a.wf chk", ["WF3011 1:1"]],
    ["L1:\n  J a b", ["WF9001 2:7"]],
    ["L1:\n  If a ->L1 ->L1 ->L1", ["WF9001 2:18"]],
    ["L1: J 1", ["WF9002 1:1"]],
    ["L1:\n  R core NOW", ["WF9003 2:5"]],
    ["L1:\n  ForEach a b ->L1 ->L1", ["WF9006 2:3"]],
    ["L1:\n  If n=5 ->L1", ["WF9009 2:7"]],
    ["L1:\n  J 9007199254740993", ["WF9010 2:5"]],
    ["L1:\n  J rows[i]", ["WF9012 2:5"]],
    ["L1:\n  J red#ff0000", ["WF9013 2:8"]],
    ["Tok a b#c", ["WF9013 1:8"]],
    ["L1:\n  R a.B ->L5", ["WF9017 2:9"]],
    ["L1:\n  R a.B ->x 1", ["WF9018 2:9"]],
    ["T rows", ["WF9019 1:1"]],
    ["D Order id", ["WF9019 1:9"]],
    ["Inc a.wf", ["WF9019 1:1"]],
    ["# frame: 1x", ["WF9025 1:10"]],
    ["# frame: a: numbr", ["WF9025 1:10"]],
    ["L1:\n  J {a: 1, a: 2}", ["WF9026 2:12"]],
  ])("%j", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("one mistake gives one finding, and later lines are read", () => {
    const file = parse("L1:\n  Set s don't do [this\n  Set x (add 1\n  J x");
    expect(file.findings.map(({ code }) => code)).toEqual(["WF1001", "WF1002"]);
    expect(stepsOf(file).map((step) => [step.op, step.faulty])).toEqual([
      ["Set", true],
      ["Set", true],
      ["J", false],
    ]);
  });

  it("spans cover the token", () => {
    expect(foundSpans("L1:\n  Retry 3 5 jitter")).toEqual(["WF2013 2:13-2:19"]);
    expect(foundSpans("L1:\n  R core NOW")).toEqual(["WF9003 2:5-2:13"]);
    expect(foundSpans("\ufeffL1:\n  Loop a b")).toEqual(["WF2004 2:3-2:7"]);
  });

  it("R and J outside a label are a warning in both modes", () => {
    const severities = parse("R a.B\nJ 1\nSet a 1").findings.map(({ code, severity }) => [code, severity]);
    expect(severities).toEqual([
      ["WF2003", "warning"],
      ["WF2003", "warning"],
      ["WF2003", undefined],
    ]);
  });

  it("short module declarations are a warning in both modes", () => {
    expect(parse("Tok a\ntest.S a\nS a").findings.map(({ severity }) => severity)).toEqual([
      "warning",
      "warning",
      undefined,
    ]);
  });

  it("fills the words of the messages", () => {
    expect(parse("L1:\n Set a").findings[0]).toMatchObject({
      words: { op: "Set", slots: "name and value", signature: "Set name value" },
      expected: ["operand"],
    });
    expect(parse("Sett a 1").findings[0]).toMatchObject({
      words: { word: "Sett", near: "Set" },
      suggestion: "did you mean Set?",
    });
    expect(parse("L1:\n J \u0000").findings[0]?.words).toEqual({ "U+hex": "U+0000" });
    expect(parse("L1:\n J [").findings[0]?.words).toEqual({ b: "[", close: "]" });
    expect(parse("memory.merge a").findings[0]?.suggestion).toMatch(/use R memory/);
    expect(parse("END").findings[0]?.suggestion).toMatch(/no closing word/);
  });
});

describe("bounds", () => {
  it("refuses a source above its bound before reading it", () => {
    const file = parse("é".repeat(600_000));
    expect(file).toMatchObject({ lines: [], findings: [{ code: "WF1011", words: { what: "source" } }] });
  });

  it("leaves out a line above its bound and reads on", () => {
    const file = parse(`L1:\n  Set a "${"x".repeat(66_000)}"\n  J 1`);
    expect(file.findings.map(({ code, span }) => [code, span?.line])).toEqual([["WF1011", 2]]);
    expect(stepsOf(file).map(({ op }) => op)).toEqual(["J"]);
    expect(found(`L1:\n  Set a "${"x".repeat(60_000)}"`)).toEqual([]);
  });

  it("stops after the last statement of its bound", () => {
    const file = parse("L1:\nJ 1\n# c\nJ 2\nJ 3", { limits: { statements: 3 } });
    expect(file.lines).toHaveLength(3);
    expect(file.findings.map(({ code, span }) => [code, span?.line])).toEqual([["WF1011", 5]]);
  });

  it("lets a host lower bounds, not raise them", () => {
    expect(parse("L1:\nJ [[1]]", { limits: { nesting: 1 } }).findings[0]).toMatchObject({
      code: "WF1012",
      words: { limit: "1" },
    });
    const deep = (depth: number): string => `L1:\nJ ${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(parse(deep(64), { limits: { nesting: 1000 } }).findings).toEqual([]);
    expect(parse(deep(65), { limits: { nesting: 1000 } }).findings).toMatchObject([{ code: "WF1012" }]);
    for (const [open, close] of [
      ["{a:", "}"],
      ["(add 1 ", ")"],
    ] as const) {
      expect(found(`L1:\nJ ${open.repeat(65)}1${close.repeat(65)}`)).toHaveLength(1);
    }
  });

  it("survives very deep and very broken brackets", () => {
    expect(found(`L1:\nJ ${"[".repeat(30_000)}`)[0]).toBe("WF1002 2:3");
    expect(found(`L1:\nJ ${"(".repeat(30_000)}${"}".repeat(30_000)}`).length).toBeGreaterThan(0);
  });
});

describe("nearest", () => {
  it.each([
    ["Sett", ["Set", "Sort"], "Set"],
    ["set", ["Set", "X"], "Set"],
    ["Lat", ["Lay", "Lab"], "Lab"],
    ["exponentail", ["fixed", "exponential"], "exponential"],
    ["abcde", ["vwxyz"], null],
    ["ab", ["cd"], null],
    ["", ["a"], null],
  ])("%s", (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });
});
