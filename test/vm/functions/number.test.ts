import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { call, failure, run, verb } from "./calling-functions.ts";

type Row = readonly [name: string, args: readonly Json[], result: Json];

describe("numbers", () => {
  it.each<Row>([
    ["add", [19, 23], 42],
    ["add", ["12", " 30 "], 42],
    ["add", [true, 1], 2],
    ["sub", ["1e2", ".5"], 99.5],
    ["mul", [-1, 0], 0],
    ["div", [1, 4], 0.25],
    ["div", [0, -3], 0],
    ["idiv", [-7, 2], -4],
    ["idiv", [7, -2], -4],
    ["mod", [-7, 3], 2],
    ["mod", [7, -3], -2],
    ["mod", [-6, 3], 0],
    ["mod", [5.5, 2], 1.5],
    ["pow", [2, 0.5], Math.SQRT2],
    ["pow", [0, 0], 1],
    ["pow", [-2, 3], -8],
    ["abs", ["-3.5"], 3.5],
    ["ceil", [-0.5], 0],
    ["floor", [-0.5], -1],
    ["round", [2.5], 2],
    ["round", [3.5], 4],
    ["round", [-0.5], 0],
    ["round", [-2.5], -2],
    ["round", [0.125, 2], 0.12],
    ["round", [0.375, 2], 0.38],
    ["round", [2.675, 2], 2.67],
    ["round", [1250, -2], 1200],
    ["round", [1350, -2], 1400],
    ["round", [-1250.5, -2], -1300],
    ["round", [5e-324, 308], 0],
    ["round", [1e300, 5], 1e300],
    ["round", [1.5, "1"], 1.5],
    ["min", [[3, 1, 2]], 1],
    ["min", ["b", "a"], "a"],
    ["max", [[1]], 1],
    ["max", [1, 3, 2], 3],
    ["max", ["\u{1F600}", "\uFF5E"], "\u{1F600}"],
    ["clamp", [-5, 0, 10], 0],
    ["clamp", [5, 10, 0], 10],
    ["int", [-7.9], -7],
    ["int", [null], 0],
    ["int", [true], 1],
    ["int", [-0.5], 0],
    ["float", [], 0],
    ["float", ["1e3"], 1000],
  ])("%s of %j is %j in both forms", (name, args, result) => {
    expect(run("verb", name, args)).toBe(result);
    if (name !== "add") expect(run("call", name, args)).toBe(result);
  });

  it.each<readonly [string, readonly Json[], string]>([
    ["add", ["twelve", 1], "not a number: string (type_error)"],
    ["add", ["a", "b"], "not a number: string (type_error)"],
    ["add", [1], "missing argument 2 of add (missing_argument)"],
    ["add", [Number.MAX_VALUE, Number.MAX_VALUE], "number out of range (number_range)"],
    ["sub", [null, 1], "not a number: null (type_error)"],
    ["mul", [1e200, 1e200], "number out of range (number_range)"],
    ["mul", [[], 1], "not a number: list (type_error)"],
    ["div", [1, 0], "division by zero (division_by_zero)"],
    ["div", [1e300, 1e-300], "number out of range (number_range)"],
    ["idiv", [1, "0"], "division by zero (division_by_zero)"],
    ["mod", [1, false], "division by zero (division_by_zero)"],
    ["pow", [0, -1], "zero to a negative power (division_by_zero)"],
    ["pow", [-8, 0.5], "negative base with a fractional exponent (value_error)"],
    ["pow", [10, 400], "number out of range (number_range)"],
    ["round", [1, 309], "digits outside -308 to 308 (value_error)"],
    ["round", [1, null], "not a number: null (type_error)"],
    ["round", [1.7e308, -308], "number out of range (number_range)"],
    ["min", [], "no value (value_error)"],
    ["max", [[]], "no value (value_error)"],
    ["min", [1, "a"], "cannot compare string with int (comparison)"],
    ["max", [[1.5, null]], "cannot compare null with float (comparison)"],
    ["clamp", [1, 2], "missing argument 3 of clamp (missing_argument)"],
    ["int", ["plum"], "not a number: string (type_error)"],
    ["float", [{}], "not a number: dict (type_error)"],
    ["abs", ["0x10"], "not a number: string (type_error)"],
    ["abs", ["1e999"], "not a number: string (type_error)"],
    ["abs", ["1_000"], "not a number: string (type_error)"],
    ["abs", ["Infinity"], "not a number: string (type_error)"],
    ["abs", [""], "not a number: string (type_error)"],
    ["abs", ["."], "not a number: string (type_error)"],
    ["abs", ["١"], "not a number: string (type_error)"],
  ])("%s of %j fails: %s", (name, args, message) => {
    expect(failure(() => run("verb", name, args))).toBe(message);
  });

  it("joins in call form only", () => {
    expect(call("add", "12", "30")).toBe("1230");
    expect(call("add", [1], [2])).toEqual([1, 2]);
    expect(call("add", "12", 30)).toBe(42);
    expect(failure(() => call("add", [1], 2))).toBe("not a number: list (type_error)");
    expect(failure(() => verb("add", [1], [2]))).toBe("not a number: list (type_error)");
  });

  it("pads in call form only", () => {
    expect(["add", "sub", "mul", "div"].map((name) => call(name))).toEqual([0, 0, 0, 0]);
    expect(["add", "sub", "mul", "div"].map((name) => call(name, 9))).toEqual([9, 9, 0, 9]);
    expect(failure(() => call("sub", null))).toBe("not a number: null (type_error)");
    expect(failure(() => call("add", "x"))).toBe("not a number: string (type_error)");
    expect(failure(() => call("idiv", 9))).toBe("missing argument 2 of idiv (missing_argument)");
    expect(failure(() => verb("sub", 9))).toBe("missing argument 2 of sub (missing_argument)");
  });

  it("keeps the first of equal extremes and ignores extra arguments", () => {
    expect(call("abs", -1, "ignored", null)).toBe(1);
    expect(call("min", [[1, 2]])).toEqual([1, 2]);
  });
});

describe("comparison and logic", () => {
  it.each<Row>([
    ["lt", ["apple", "banana"], true],
    ["lt", ["10", "9"], false],
    ["lt", ["10", "9a"], true],
    ["lte", [true, 1], true],
    ["gt", ["b", "a"], true],
    ["gte", ["2", 2], true],
    ["and", [1, "x"], true],
    ["and", [1], true],
    ["and", [], false],
    ["and", [1, []], false],
    ["or", [0, ""], false],
    ["or", [0, "false"], true],
    ["or", [], false],
    ["not", [], true],
    ["not", ["false"], false],
    ["not", [{}], true],
    ["bool", [], false],
    ["bool", [" "], true],
    ["ite", [0, 1], null],
    ["ite", ["x", 1, 2], 1],
  ])("%s of %j is %j", (name, args, result) => {
    expect(run("verb", name, args)).toBe(result);
    expect(run("call", name, args)).toBe(result);
  });

  it("compares by number first in verb form only", () => {
    expect(verb("eq", "1.0", 1)).toBe(true);
    expect(verb("eq", true, 1)).toBe(true);
    expect(verb("ne", "1.0", "1")).toBe(false);
    expect(verb("eq", "A", "a")).toBe(false);
    expect(call("eq", "1.0", 1)).toBe(false);
    expect(call("eq", true, 1)).toBe(false);
    expect(call("ne", true, 1)).toBe(true);
    expect(call("eq")).toBe(true);
    expect(call("eq", 1)).toBe(false);
    expect(failure(() => verb("ne", 1))).toBe("missing argument 2 of ne (missing_argument)");
  });

  it.each<readonly [string, readonly Json[], string]>([
    ["lt", [null, 1], "cannot compare null with int (comparison)"],
    ["lt", ["a", 1], "cannot compare string with int (comparison)"],
    ["gte", [[], {}], "cannot compare list with dict (comparison)"],
    ["gt", [1], "missing argument 2 of gt (missing_argument)"],
    ["ite", [], "missing argument 1 of ite (missing_argument)"],
  ])("%s of %j fails: %s", (name, args, message) => {
    expect(failure(() => run("call", name, args))).toBe(message);
  });
});
