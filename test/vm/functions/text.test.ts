import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { MAX_TEXT_UNITS } from "../../../vm/values/values.ts";
import { call, failure, run } from "./calling-functions.ts";

const LONG = "x".repeat(40_000_000);

describe("text", () => {
  it.each<readonly [name: string, args: readonly Json[], result: Json]>([
    ["concat", [], ""],
    ["concat", ["q=", 4], "q=4"],
    ["concat", [null, true, 2.0, 1e21, [1, null], { a: "é" }], 'nulltrue21e+21[1,null]{"a":"é"}'],
    ["join", [","], ""],
    ["join", [",", null], ""],
    ["join", [",", ""], ""],
    ["join", ["-", "a😀b"], "a-😀-b"],
    ["join", ["$&", "ab"], "a$&b"],
    ["join", ["", "ab"], "ab"],
    ["join", [",", { b: 1, a: 2 }], "b,a"],
    ["join", [",", 1, 2, 3], "1,2,3"],
    ["join", [",", [1, null, true, 2.0]], "1,null,true,2"],
    ["split", ["  a  b\tc "], ["a", "b", "c"]],
    ["split", [" "], []],
    ["split", ["", ","], [""]],
    ["split", ["a,b", ","], ["a", "b"]],
    ["split", ["😀", "\ud83d"], ["😀"]],
    ["split", ["x\ud83dy", "\ud83d"], ["x", "y"]],
    ["lower", ["ÄΣ"], "äς"],
    ["lower", [null], "null"],
    ["upper", ["stra\u00dfe \u0390"], "STRASSE \u0399\u0308\u0301"],
    ["replace", ["aaa", "aa", "b"], "ba"],
    ["replace", ["a.b", ".", "$&"], "a$&b"],
    ["replace", ["a😀", "", "-"], "-a-😀-"],
    ["replace", ["", "", "-"], "-"],
    ["replace", ["ab", "", "$1"], "$1a$1b$1"],
    ["replace", ["😀\ude00", "\ude00", "!"], "😀!"],
    ["contains", ["abc", ""], true],
    ["contains", ["abc"], true],
    ["contains", ["abc", "bc"], true],
    ["contains", ["😀", "\ud83d"], false],
    ["contains", [[1, { a: [2] }], { a: [2] }], true],
    ["contains", [[1], "1"], false],
    ["contains", [{ 1: 0 }, 1], true],
    ["contains", [{}, "constructor"], false],
    ["contains", [1234, 23], true],
    ["startswith", ["😀", "\ud83d"], false],
    ["startswith", ["abc", ""], true],
    ["endswith", ["😀", "\ude00"], false],
    ["endswith", ["abc", "bc"], true],
    ["trim", [], ""],
    ["trim", ["\u00a0 a \n b\ufeff"], "a b"],
    ["strip", [" a  b "], "a  b"],
    ["lstrip", ["\ta "], "a "],
    ["rstrip", ["\ta "], "\ta"],
    ["substr", ["harbour", -3, 4], "harb"],
    ["substr", ["harbour", 4], "our"],
    ["substr", ["a😀b", 1, 1], "😀"],
    ["substr", ["abc", 1, -1], ""],
    ["substr", ["abc", "1.9", 1e300], "bc"],
    ["substr", ["a😀b", 9], ""],
    ["str", [], ""],
    ["str", [null], ""],
    ["str", [0.5], "0.5"],
    ["format", ["{{{}}} {}", 1, "b"], "{1} b"],
    ["format", ["{name}: {n:6.1f}|", { name: "x", n: 2.25 }], "x:    2.2|"],
    ["format", ["{:,}", -1234567.5], "-1,234,567.5"],
    ["format", ["{:,.0f}", "1e21"], "1,000,000,000,000,000,000,000"],
    ["format", ["{:4}|{:4}|", "é", 7], "é   |   7|"],
    ["format", ["{:.2f}", -0.001], "0.00"],
    ["format", ["{:.3f}", 2.0005], "2.001"],
    ["hash", ["abc", "SHA1"], "a9993e364706816aba3e25717850c26c9cd0d89d"],
    ["hash", ["é"], "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"],
  ])("%s of %j is %j", (name, args, result) => {
    expect(run("verb", name, args)).toEqual(result);
  });

  it.each<readonly [name: string, args: readonly Json[], message: string]>([
    ["join", [",", 5], "cannot join int (type_error)"],
    ["join", [",", false], "cannot join bool (type_error)"],
    ["split", ["abc", ""], "separator is empty (value_error)"],
    ["replace", ["a", "b"], "missing argument 3 of replace (missing_argument)"],
    ["substr", ["abc", null], "not a number: null (type_error)"],
    ["substr", ["abc", 0, null], "not a number: null (type_error)"],
    ["fail", [], "failed (program)"],
    ["fail", [null], "null (program)"],
    ["format", ["{} {}", "a"], "missing argument 3 of format (missing_argument)"],
    ["format", ["{5}", "a"], "missing argument 7 of format (missing_argument)"],
    ["format", ["{0.__class__}", "a"], "bad template (value_error)"],
    ["format", ["{a.b}", { a: 1 }], "bad template (value_error)"],
    ["format", ["{", 1], "bad template (value_error)"],
    ["format", ["}", 1], "bad template (value_error)"],
    ["format", ["{{}", 1], "bad template (value_error)"],
    ["format", ["{{0}:{}", 1], "bad template (value_error)"],
    ["format", ["{a", 1], "bad template (value_error)"],
    ["format", ["{constructor}", {}], "missing named argument of format (missing_argument)"],
    ["format", ["{a}", 1], "missing named argument of format (missing_argument)"],
    ["format", ["{:1001}", 1], "unknown format spec (value_error)"],
    ["format", ["{:q}", 1], "unknown format spec (value_error)"],
    ["format", ["{:.2f}", "x"], "not a number: string (type_error)"],
    ["format", ["{:,}", null], "not a number: null (type_error)"],
    ["hash", ["abc", "rot13"], "unknown algorithm (value_error)"],
    ["hash", ["abc", "__proto__"], "unknown algorithm (value_error)"],
  ])("%s of %j fails: %s", (name, args, message) => {
    expect(failure(() => run("verb", name, args))).toBe(message);
  });

  it("tests the text cap before building", () => {
    const refused = "result too large (too_large)";
    expect(failure(() => call("concat", LONG, LONG))).toBe(refused);
    expect(failure(() => call("add", LONG, LONG))).toBe(refused);
    expect(failure(() => call("join", "-", [LONG, LONG]))).toBe(refused);
    expect(failure(() => call("join", "-", LONG))).toBe(refused);
    expect(failure(() => call("replace", LONG, "x", "yz"))).toBe(refused);
    expect(failure(() => call("replace", LONG, "", "-"))).toBe(refused);
    expect(failure(() => call("format", "{0}{0}", LONG))).toBe(refused);
    expect(failure(() => call("upper", "ß".repeat(MAX_TEXT_UNITS / 2 + 1)))).toBe(refused);
    expect(failure(() => call("split", LONG, "x"))).toBe(refused);
    expect(failure(() => call("reverse", LONG))).toBe(refused);
    expect(call("len", call("concat", LONG, "y"))).toBe(40_000_001);
  });

  it("searches in linear time", () => {
    const hay = "a".repeat(2_000_000);
    const needle = `b${"a".repeat(1_000_000)}`;
    expect(call("contains", hay, needle)).toBe(false);
    expect(call("split", `${hay}${needle}${hay}`, needle)).toEqual([hay, hay]);
    expect(call("replace", `${hay}${needle}`, needle, "!")).toBe(`${hay}!`);
  });

  it("lets the meter end long work", () => {
    const stop = new Error("stop");
    const meter = {
      charge(): void {
        throw stop;
      },
    };
    const texts = Array.from({ length: 100_000 }, (_, i) => `t${i}`);
    for (const [name, ...args] of [
      ["join", ",", texts],
      ["sort", texts],
      ["unique", texts],
      ["flatten", texts],
      ["range", 100_000],
      ["reverse", texts],
      ["zip", texts, texts],
      ["min", texts],
      ["contains", texts, "none"],
      ["len", "é".repeat(100_000)],
      ["parse", `[${"1,".repeat(50_000)}1]`],
    ] as const) {
      expect(
        failureOf(() => run("call", name, args, meter)),
        name,
      ).toBe("stop");
    }
  });
});

function failureOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return "no failure";
}
