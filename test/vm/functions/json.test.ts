import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { call, doubled, failure, nested, run } from "./calling-functions.ts";

describe("values and JSON", () => {
  it.each<readonly [name: string, args: readonly Json[], result: Json]>([
    ["type", [], "null"],
    ["type", [true], "bool"],
    ["type", [4.0], "int"],
    ["type", [1e300], "int"],
    ["type", [0.5], "float"],
    ["type", [""], "string"],
    ["type", [[]], "list"],
    ["type", [{}], "dict"],
    ["parse", ['{"a":1,"a":2}'], { a: 2 }],
    ["parse", [" [1e2, -0.5] "], [100, -0.5]],
    ["parse", [5], 5],
    ["parse", ['"\\ud83d"'], "\ud83d"],
    ["stringify", [null], "null"],
    ["stringify", ["é\n\ud83d"], '"é\\n\\ud83d"'],
    ["stringify", [{ b: [1, null], a: "x" }], '{"b":[1,null],"a":"x"}'],
    ["echo", [], null],
    ["echo", [[1]], [1]],
    ["id", [false], false],
    ["noop", [1], null],
    ["iso_ts", [1.9], "1970-01-01T00:00:01Z"],
    ["iso_ts", ["-1"], "1969-12-31T23:59:59Z"],
    ["iso_ts", [253_402_300_799], "9999-12-31T23:59:59Z"],
    ["iso_ts", [-62_167_219_200], "0000-01-01T00:00:00Z"],
  ])("%s of %j is %j", (name, args, result) => {
    expect(run("verb", name, args)).toEqual(result);
  });

  it.each<readonly [text: string, position: number]>([
    ["", 0],
    ["nope", 0],
    ["{oops", 1],
    ["[1,]", 3],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ["[1 2]", 3],
    ["1 2", 2],
    ["01", 1],
    ["1.", 1],
    ["-", 0],
    ['"abc', 4],
    ['"a\\x"', 3],
    ['"a\nb"', 2],
    ['["😀", x]', 6],
    ["[[1]", 4],
    ["{}}", 2],
    ["tru", 0],
    ["\u00a01", 0],
  ])("parse of %j names position %i", (text, position) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(failure(() => call("parse", text))).toBe(`not JSON at position ${position} (parse_error)`);
  });

  it("parse stores 0 for -0", () => {
    expect(Object.is(call("parse", "-0"), 0)).toBe(true);
    const value = call("parse", '{"__proto__":-0,"l":[-0, 1]}') as { l: number[] };
    expect(Object.is(value.l[0], 0)).toBe(true);
    expect(Object.is(Object.getOwnPropertyDescriptor(value, "__proto__")?.value, 0)).toBe(true);
  });

  it.each<readonly [title: string, text: string, message: string]>([
    ["a number out of range", "[1, 1e999]", "number out of range (number_range)"],
    ["nesting", "[".repeat(513) + "]".repeat(513), "value nested too deeply (too_deep)"],
    ["long nesting", "[".repeat(5_000_000), "value nested too deeply (too_deep)"],
    ["nested objects", `${'{"a":'.repeat(20_000)}1`, "value nested too deeply (too_deep)"],
    ["a long list", `[${"1,".repeat(10_000_000)}1]`, "result too large (too_large)"],
  ])("parse refuses %s", (_, text, message) => {
    expect(failure(() => call("parse", text))).toBe(message);
  });

  it("takes 512 levels and no more", () => {
    expect(call("stringify", call("parse", "[".repeat(512) + "]".repeat(512)))).toBe("[".repeat(512) + "]".repeat(512));
    expect(call("len", call("stringify", nested(512)))).toBe(1028);
    expect(failure(() => call("stringify", nested(513)))).toBe("value nested too deeply (too_deep)");
    expect(failure(() => call("str", nested(600)))).toBe("value nested too deeply (too_deep)");
    expect(failure(() => call("eq", nested(513), nested(513)))).toBe("value nested too deeply (too_deep)");
    expect(call("eq", nested(512), nested(512))).toBe(true);
  });

  it("brackets and commas in text do not count for parse", () => {
    const text = JSON.stringify(["[".repeat(70_000), ",".repeat(70_000), '\\"[']);
    expect(call("parse", text)).toEqual(JSON.parse(text));
  });

  it("refuses a text of astronomical length without building it", () => {
    expect(failure(() => call("stringify", doubled(100)))).toBe("result too large (too_large)");
    expect(failure(() => call("concat", "a", doubled(100)))).toBe("result too large (too_large)");
  });

  it.each([1e12, -1e12, Number.MAX_VALUE])("iso_ts refuses %d", (seconds) => {
    expect(failure(() => call("iso_ts", seconds))).toBe("time outside years 0000 to 9999 (number_range)");
  });
});
