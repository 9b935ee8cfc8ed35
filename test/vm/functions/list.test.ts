import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { call, doubled, failure, nested, run } from "./calling-functions.ts";

const BIG_LIST: Json = new Array<Json>(1_000_000).fill(null);

describe("lists and objects", () => {
  it.each<readonly [name: string, args: readonly Json[], result: Json]>([
    ["len", [], 0],
    ["len", [null], 0],
    ["len", ["a😀\ud83d"], 3],
    ["len", [[1, 2]], 2],
    ["len", [{ a: 1 }], 1],
    ["len", [1234], 4],
    ["len", [false], 5],
    ["arr", [], []],
    ["arr", [1, null], [1, null]],
    ["push", [], []],
    ["push", [5], []],
    ["push", [[1]], [1]],
    ["push", [5, "x"], ["x"]],
    ["push", [[1], [2]], [1, [2]]],
    ["push", [null, null], [null]],
    ["obj", [], {}],
    ["obj", ["a"], {}],
    ["obj", ["a", 1, "b", 2], { a: 1 }],
    ["obj", [null, 1], { null: 1 }],
    ["put", [5], 5],
    ["put", [{ a: 1 }, "b"], { a: 1 }],
    ["put", [[1, 2], 0, "x"], { "0": "x" }],
    ["put", [{}, "", 1], 1],
    ["put", [{ a: [1] }, "a.0", 2], { a: { "0": 2 } }],
    ["get", [], null],
    ["get", [{ a: 1 }], null],
    ["get", [{ a: 1 }, ""], { a: 1 }],
    ["get", [{ "a.b": 1, a: { b: 2 } }, "a.b"], 1],
    ["get", [[10], 0], 10],
    ["keys", [[1]], []],
    ["keys", [{ b: 1, 1: 2, a: 3 }], ["1", "b", "a"]],
    ["values", ["x"], []],
    ["merge", [], {}],
    ["merge", [1, { a: 1 }, null, { b: 2, a: 3 }], { a: 3, b: 2 }],
    ["pick", [{ a: 1, b: 2 }, ["b", "a", "z"]], { a: 1, b: 2 }],
    ["pick", [{ 1: 1 }, 1], { 1: 1 }],
    ["pick", [{ a: 1 }], {}],
    ["pick", [[1], "0"], {}],
    ["pick", [{}, "constructor"], {}],
    ["omit", [{ a: 1, b: 2 }, "b", "c"], { a: 1 }],
    ["omit", [{ a: 1 }], { a: 1 }],
    ["omit", [5, "a"], {}],
    ["slice", [[1, 2, 3], 1], [2, 3]],
    ["slice", [[1, 2, 3], -2, -1], [2]],
    ["slice", [[1, 2, 3], 2, 1], []],
    ["slice", [[1, 2, 3], -9, 9], [1, 2, 3]],
    ["slice", ["a😀b", 1, 2], "😀"],
    ["slice", ["a😀b", -1], "b"],
    ["slice", [1234, 1], "234"],
    ["slice", ["abc", null, "2.9"], "ab"],
    ["sort", [[10, 9, 1.5]], [1.5, 9, 10]],
    ["sort", [[10, "9", 1]], [1, 10, "9"]],
    ["sort", ["bca"], ["a", "b", "c"]],
    ["sort", [[{ a: 1 }, [1], null, "b"]], [[1], "b", null, { a: 1 }]],
    ["sort", [["\uff5e", "😀", "\ud83d"]], ["\ud83d", "\uff5e", "😀"]],
    ["sort", [[]], []],
    ["reverse", [[1, 2]], [2, 1]],
    ["reverse", ["a😀"], ["😀", "a"]],
    ["reverse", [12], ["2", "1"]],
    ["unique", [[1, 1.0, "1", true, null, null]], [1, "1", true, null]],
    ["unique", [[{ a: 1, b: 2 }, { b: 2, a: 1 }, [1], ["1"]]], [{ a: 1, b: 2 }, [1], ["1"]]],
    [
      "unique",
      [["\ud83d", "\ude00"].map((one) => [one.repeat(200)])],
      [["\ud83d".repeat(200)], ["\ude00".repeat(200)]],
    ],
    ["unique", ["aa"], ["aa"]],
    ["flatten", [5], [5]],
    ["flatten", [[1, [2, [3]], []]], [1, 2, [3]]],
    ["zip", [], []],
    ["zip", [1, "a"], []],
    [
      "zip",
      [[1, 2], "skipped", ["a", "b", "c"]],
      [
        [1, "a"],
        [2, "b"],
      ],
    ],
    ["range", [3], [0, 1, 2]],
    ["range", [2, 5], [2, 3, 4]],
    ["range", [10, 0, -4], [10, 6, 2]],
    ["range", [0], []],
    ["range", ["2.9"], [0, 1]],
    ["range", [-0.5, 2], [0, 1]],
    [
      "filter_high_score",
      [[{ score: 1 }, { relevance: 7 }, {}, { score: "9" }, 5]],
      [{ score: 1 }, { relevance: 7 }, {}],
    ],
    [
      "filter_high_score",
      [
        [
          { score: 1, relevance: 9 },
          { score: null, relevance: 9 },
        ],
        2,
      ],
      [{ score: null, relevance: 9 }],
    ],
    ["filter_high_score", ["x", 2], []],
  ])("%s of %j is %j", (name, args, result) => {
    expect(run("verb", name, args)).toEqual(result);
  });

  it.each<readonly [name: string, args: readonly Json[], message: string]>([
    ["put", [], "missing argument 1 of put (missing_argument)"],
    ["put", [{}, Array.from({ length: 129 }, () => "a"), 1], "path longer than 128 parts (path_error)"],
    ["put", [{}, "a.".repeat(129), 1], "path longer than 128 parts (path_error)"],
    ["slice", ["abc", "x"], "not a number: string (type_error)"],
    ["range", [0, 5, 0], "step is zero (value_error)"],
    ["range", [0, 5, 0.5], "step is zero (value_error)"],
    ["range", [10_000_001], "result too large (too_large)"],
    ["range", [1e308, -1e308, -1], "result too large (too_large)"],
    ["range", [null], "not a number: null (type_error)"],
    ["filter_high_score", [[], null], "not a number: null (type_error)"],
    ["sort", [["b", nested(513)]], "value nested too deeply (too_deep)"],
    ["unique", [[nested(513)]], "value nested too deeply (too_deep)"],
    ["unique", [[doubled(40)]], "result too large (too_large)"],
    ["sort", [["a", doubled(40)]], "result too large (too_large)"],
    ["flatten", [Array.from({ length: 11 }, () => BIG_LIST)], "result too large (too_large)"],
  ])("%s fails: %#", (name, args, message) => {
    expect(failure(() => run("verb", name, args))).toBe(message);
  });

  it("refuses lists and objects above their caps", () => {
    const list = new Array<Json>(10_000_000).fill(0);
    expect(failure(() => call("push", list, 1))).toBe("result too large (too_large)");
    expect(failure(() => call("add", list, [1]))).toBe("result too large (too_large)");
    const object = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, i) => [`k${i}`, i]));
    expect(failure(() => call("put", object, "more", 1))).toBe("result too large (too_large)");
    expect(failure(() => call("merge", object, { more: 1 }))).toBe("result too large (too_large)");
    expect(call("get", call("put", object, "k5", "new"), "k5")).toBe("new");
  }, 60_000);

  it.each([65_535, 65_536, 65_537, 131_072, 200_001])("sorts %i numbers as a comparison of any two would", (length) => {
    let seed = length;
    const numbers = Array.from({ length }, (_, at) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return at % 3 === 0 ? seed % 100 : (seed - 1_000_000_000) / 7;
    });
    const wanted = numbers.slice().sort((a, b) => a - b);
    expect(call("sort", numbers)).toEqual(wanted);
    expect(call("sort", wanted)).toEqual(wanted);
    expect(call("sort", wanted.slice().reverse())).toEqual(wanted);
  });

  it("never changes an argument and shares what it does not change", () => {
    const inner = { x: [1] };
    const source = { a: { b: 1 }, k: inner };
    const changed = call("put", source, "a.c", 2) as typeof source;
    expect(source).toEqual({ a: { b: 1 }, k: { x: [1] } });
    expect(changed.k).toBe(inner);
    const list = [3, 1, 2];
    for (const name of ["sort", "reverse", "unique", "flatten", "slice"]) call(name, list);
    call("push", list, 9);
    expect(list).toEqual([3, 1, 2]);
    const args = [1, 2];
    expect(run("call", "arr", args)).not.toBe(args);
  });

  it("treats every key as data", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}') as Json;
    expect(Object.keys(call("obj", "__proto__", 1) as object)).toEqual(["__proto__"]);
    expect(JSON.stringify(call("put", {}, "__proto__.polluted", 1))).toBe('{"__proto__":{"polluted":1}}');
    expect(call("get", {}, "__proto__")).toBeNull();
    expect(call("get", {}, "constructor.name")).toBeNull();
    expect(call("get", hostile, "__proto__.polluted")).toBe(1);
    expect(JSON.stringify(call("merge", hostile, { b: 1 }))).toBe('{"__proto__":{"polluted":1},"constructor":2,"b":1}');
    expect(JSON.stringify(call("pick", hostile, "__proto__"))).toBe('{"__proto__":{"polluted":1}}');
    expect(JSON.stringify(call("omit", hostile, "constructor"))).toBe('{"__proto__":{"polluted":1}}');
    expect(call("len", hostile)).toBe(2);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("removes repeated containers without quadratic work", () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => ({ id: i % 30_000, text: "y".repeat(i % 200) }));
    expect(call("len", call("unique", rows))).toBe(new Set(rows.map((row) => JSON.stringify(row))).size);
  });
});
