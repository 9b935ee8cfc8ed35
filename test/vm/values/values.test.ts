import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { unmetered } from "../../../vm/tasks/work-meter.ts";
import { filterList, sortList } from "../../../vm/values/filter-sort.ts";
import { getPath, putPath, walk } from "../../../vm/values/paths.ts";
import { checkDepth, checkedJson, copyJson, truthy, typeName } from "../../../vm/values/values.ts";
import { failure, nested } from "../functions/calling-functions.ts";

describe("truthiness and types", () => {
  it.each<readonly [Json, boolean]>([
    [null, false],
    [false, false],
    [0, false],
    ["", false],
    [[], false],
    [{}, false],
    [JSON.parse('{"__proto__":null}') as Json, true],
    ["0", true],
    ["false", true],
    [" ", true],
    [[null], true],
    [-1, true],
  ])("%j is %s", (value, expected) => {
    expect(truthy(value)).toBe(expected);
  });

  it("names types", () => {
    expect([null, true, 1, 1.5, "", [], {}].map((value) => typeName(value))).toEqual([
      "null",
      "bool",
      "int",
      "float",
      "string",
      "list",
      "dict",
    ]);
  });
});

describe("checkedJson", () => {
  it("copies and settles what an adapter returned", () => {
    const returned = { a: [undefined, -0, "x"], gone: undefined, b: Object.assign(Object.create(null), { c: null }) };
    const value = checkedJson(returned);
    expect(value).toEqual({ a: [null, 0, "x"], b: { c: null } });
    expect(Object.is((value as { a: number[] }).a[1], 0)).toBe(true);
    expect((value as { a: Json }).a).not.toBe(returned.a);
    expect(checkedJson(undefined)).toBeNull();
    expect(JSON.stringify(checkedJson(JSON.parse('{"__proto__":{"x":1}}')))).toBe('{"__proto__":{"x":1}}');
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);

  it.each<readonly [string, unknown, string]>([
    ["NaN", [Number.NaN], "number out of range (number_range)"],
    ["Infinity", { a: Number.NEGATIVE_INFINITY }, "number out of range (number_range)"],
    ["a big integer", 1n, "not a JSON value: bigint (type_error)"],
    ["a function", { a: () => 1 }, "not a JSON value: function (type_error)"],
    ["a symbol", Symbol("s"), "not a JSON value: symbol (type_error)"],
    ["a date", new Date(0), "not a JSON value: object of a class (type_error)"],
    ["a map", [new Map()], "not a JSON value: object of a class (type_error)"],
    ["a cycle", cycle, "value nested too deeply (too_deep)"],
    ["513 levels", nested(513), "value nested too deeply (too_deep)"],
  ])("refuses %s", (_, value, message) => {
    expect(failure(() => checkedJson(value))).toBe(message);
  });
});

describe("copyJson and checkDepth", () => {
  it("copies values of any depth without sharing", () => {
    const source = { b: [1, { c: [2] }], a: null, "0": "x" };
    const copy = copyJson(source) as typeof source;
    expect(JSON.stringify(copy)).toBe(JSON.stringify(source));
    expect(copy.b).not.toBe(source.b);
    expect(copy.b[1]).not.toBe(source.b[1]);
    let value = copyJson(nested(50_000));
    let depth = 0;
    for (; Array.isArray(value); depth++) value = value[0] as Json;
    expect(depth).toBe(50_000);
  });

  it("bounds depth", () => {
    expect(failure(() => checkDepth({ a: nested(511) }))).toBe("no failure");
    expect(failure(() => checkDepth({ a: nested(512) }))).toBe("value nested too deeply (too_deep)");
  });
});

describe("paths", () => {
  const value: Json = { a: { b: [10, { c: 1 }], "x.y": 2 }, "p.q": 3, p: { q: 4 }, "": 5, "0": 6, "-1": 7 };

  it.each<readonly [path: Json, result: Json]>([
    ["a.b.0", 10],
    ["a.b.00", 10],
    ["a.b.1.c", 1],
    ["a.b.2", null],
    ["a.b.-1", null],
    ["a.b.1e0", null],
    ["a..b.", [10, { c: 1 }]],
    ["p.q", 3],
    ["a.x.y", null],
    [["a", "x.y"], 2],
    [["a", "b", 0], 10],
    [["a", "b", "1", "c"], 1],
    [["a", "b", -1], null],
    [[""], 5],
    [0, 6],
    [-1, 7],
    [true, null],
    ["a.b.0.z", null],
    ["toString", null],
    [["a", "__proto__"], null],
  ])("get %j is %j", (path, result) => {
    expect(getPath(value, path)).toEqual(result);
  });

  it.each(["", ".", "..", []])("get %j is the value itself", (path) => {
    expect(getPath(value, path)).toBe(value);
  });

  it("operand paths walk exact segments, without whole keys", () => {
    expect(walk(value, ["p", "q"])).toBe(4);
    expect(walk(value, ["a", "b", "1", "c"])).toBe(1);
    expect(walk("tèxt", ["1"])).toBe("è");
    expect(walk("text", ["4"])).toBeNull();
    expect(walk("text", ["x"])).toBeNull();
    expect(walk(value, [])).toBe(value);
  });

  it.each<readonly [root: Json, path: Json, result: Json]>([
    [{ a: { b: 1 }, k: [10, 20] }, "a.c", { a: { b: 1, c: 2 }, k: [10, 20] }],
    [5, "a", { a: 2 }],
    [[1], ["x", 0], { x: { "0": 2 } }],
    [{ a: 1 }, "a.b", { a: { b: 2 } }],
    [{ "a.b": 1 }, "a.b", { "a.b": 1, a: { b: 2 } }],
    [{ "a.b": 1 }, ["a.b"], { "a.b": 2 }],
    [{ a: 1 }, [], 2],
    [{ a: 1 }, "..", 2],
    [{}, "..a..", { a: 2 }],
  ])("put into %j at %j gives %j", (root, path, result) => {
    const before = JSON.stringify(root);
    expect(putPath(root, path, 2)).toEqual(result);
    expect(JSON.stringify(root)).toBe(before);
  });

  it("keeps the place of an overwritten key", () => {
    expect(JSON.stringify(putPath({ z: 1, a: 2 }, "z", 3))).toBe('{"z":3,"a":2}');
  });

  it("takes 128 parts", () => {
    const path = Array.from({ length: 128 }, () => "a");
    expect(getPath(putPath({}, path, "end"), path)).toBe("end");
    expect(getPath(putPath({}, path.join("."), "end"), path)).toBe("end");
  });
});

describe("Filt and Sort", () => {
  const filter = (list: Json, cmp: string, value: Json) => filterList(list, "k", cmp, value, unmetered);
  const rows: Json = [{ k: 1 }, { k: "1" }, { k: true }, { k: [1, 2] }, { k: null }, {}, 5, null];

  it.each<readonly [cmp: string, value: Json, kept: number[]]>([
    ["==", 1, [0]],
    ["=", "1", [1]],
    ["!=", 1, [1, 2, 3, 4, 5]],
    ["==", null, [4, 5]],
    ["in", [1, null], [0, 4, 5]],
    ["in", "x1", [1]],
    ["contains", 2, [3]],
    ["contains", "1", [1]],
  ])("k %s %j", (cmp, value, kept) => {
    expect(filter(rows, cmp, value)).toEqual(kept.map((i) => (rows as Json[])[i]));
  });

  it("orders strictly and fails for mixed types", () => {
    expect(filter([{ k: 1 }, { k: 3 }], ">=", 2)).toEqual([{ k: 3 }]);
    expect(filter([{ k: "b" }], "<", "c")).toEqual([{ k: "b" }]);
    expect(failure(() => filter([{}], "<", 2))).toBe("cannot compare null with int (comparison)");
    expect(failure(() => filter([{ k: "1" }], "<", 2))).toBe("cannot compare string with int (comparison)");
  });

  it.each(["~", "IN", "Contains"])("refuses the unknown comparator %s whatever the list holds", (comparator) => {
    expect(failure(() => filter("no list", comparator, 1))).toBe("unknown comparator (value_error)");
    expect(filter("no list", "==", 1)).toEqual([]);
  });

  const mixed = [null, "b", 2, [1], { z: 1 }, true, "a", 1, false, [0], { y: 1 }].map((k, id) => ({ id, k }));
  const order = (list: Json) => (list as { id: number }[]).map((row) => row.id);

  it("ranks booleans, objects, lists, numbers, texts, keyless", () => {
    const ascending = [8, 5, 10, 4, 9, 3, 7, 2, 6, 1, 0];
    expect(order(sortList(mixed, "k", "asc", unmetered))).toEqual(ascending);
    expect(order(sortList(mixed, "k", "desc", unmetered))).toEqual([...ascending].reverse());
  });

  it("is stable in both directions and keeps keyless elements in order", () => {
    const list: Json = [{ k: 1, id: 0 }, "x", { k: 1, id: 1 }, 7, { k: 0, id: 2 }];
    expect(sortList(list, "k", "asc", unmetered)).toEqual([{ k: 0, id: 2 }, { k: 1, id: 0 }, { k: 1, id: 1 }, "x", 7]);
    expect(sortList(list, "k", "desc", unmetered)).toEqual(["x", 7, { k: 1, id: 0 }, { k: 1, id: 1 }, { k: 0, id: 2 }]);
    expect(sortList({ k: 1 }, "k", "asc", unmetered)).toEqual([]);
    expect(failure(() => sortList([{ k: nested(513) }], "k", "asc", unmetered))).toBe(
      "value nested too deeply (too_deep)",
    );
  });
});
