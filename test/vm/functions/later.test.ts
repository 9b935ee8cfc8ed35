/** Functions that came after version 1.0: values, edges and failures; dates against known instants; patterns against the engine's own. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { executed } from "../../support/executed.ts";
import { call, failure } from "./calling-functions.ts";

type Row = readonly [name: string, args: readonly Json[], result: Json];

const PEOPLE = [
  { n: "b", v: 2, at: { c: "x" } },
  { n: "a", v: 1, at: { c: "y" } },
  { n: "c", v: 2, at: { c: "x" } },
];

describe("values", () => {
  it.each<Row>([
    ["plus", [1, 2.5], 3.5],
    ["plus", ["a", ""], "a"],
    ["plus", [[1], [2]], [1, 2]],
    ["at", [[1, 2, 3], -1], 3],
    ["at", [[1, 2, 3], 3], null],
    ["at", [[1, 2, 3], -4], null],
    ["at", ["a😀b", 1], "😀"],
    ["at", ["a😀b", -1], "b"],
    ["at", [{ "1": "one" }, 1], "one"],
    ["at", [{ "a.b": 1, a: { b: 2 } }, "a.b"], 1],
    ["at", [{}, "__proto__"], null],
    ["at", [null, 0], null],
    ["put_at", [null, "a.b", 1], { "a.b": 1 }],
    ["put_at", [{ a: [1, 2] }, ["a", 0], 9], { a: [9, 2] }],
    ["put_at", [{}, ["a", "b"], 1], { a: { b: 1 } }],
    ["slice", [[1, 2, 3], null, -1], [1, 2]],
    ["slice", ["hello", 1], "ello"],
    ["get", [{ a: null }, "a", 5], null],
    ["get", [{ a: { b: null } }, "a.b", 5], null],
    ["get", [{}, "a.b", 5], 5],
    ["get", [[1], 3, "none"], "none"],
    ["first", [[]], null],
    ["last", [[1, 2]], 2],
    ["take", ["añb", 2], "añ"],
    ["drop", [[1, 2], 5], []],
    ["each", [null], []],
    ["each", ["ab"], ["a", "b"]],
    ["pairs", [[[1, 2]]], [[1, 2]]],
    ["enumerate", [{ k: 1 }], [[0, "k"]]],
    ["enumerate", [["x"], 1], [[1, "x"]]],
    ["from_entries", [], {}],
    ["sort_by", [PEOPLE, "n"], [PEOPLE[1], PEOPLE[0], PEOPLE[2]] as Json],
    ["sort_by", [PEOPLE, "v", "DESC"], [PEOPLE[0], PEOPLE[2], PEOPLE[1]] as Json],
    [
      "sort_by",
      [
        [
          ["a", 3],
          ["b", 1],
        ],
        1,
      ],
      [
        ["b", 1],
        ["a", 3],
      ],
    ],
    ["sort_by", [PEOPLE, "at.c"], [PEOPLE[0], PEOPLE[2], PEOPLE[1]] as Json],
    ["group_by", [PEOPLE, "at.c"], { x: [PEOPLE[0], PEOPLE[2]], y: [PEOPLE[1]] } as Json],
    ["group_by", [[{ k: "__proto__" }], "k"], JSON.parse('{"__proto__": [{"k": "__proto__"}]}') as Json],
    ["count_by", [PEOPLE, "v"], { "1": 1, "2": 2 }],
    ["index_by", [PEOPLE, "v"], { "1": PEOPLE[1], "2": PEOPLE[2] } as Json],
    ["sum", [[]], 0],
    ["sum", [null], 0],
    ["sum", [PEOPLE, "v"], 5],
    ["avg", [[]], null],
    ["min_by", [PEOPLE, "v"], PEOPLE[1] as Json],
    ["max_by", [PEOPLE, "v"], PEOPLE[0] as Json],
    ["find", [PEOPLE, "n", "z"], null],
    ["any", [[]], false],
    ["all", [[]], true],
    [
      "diff",
      [
        [1, [2], "1"],
        [[2], 1],
      ],
      ["1"],
    ],
    ["intersect", [[{ a: 1 }, { a: 1 }], [{ a: 1 }]], [{ a: 1 }]],
    ["chunk", [[1, 2, 3], 5], [[1, 2, 3]]],
    ["count", ["banana", "an"], 2],
    ["count", [null], 0],
    ["count", [{ a: 1, b: 2 }], 2],
    ["coalesce", [], null],
    ["lines", ["a\r\nb\rc\n\nd"], ["a", "b", "c", "", "d"]],
    ["lines", [""], []],
    ["words", [""], []],
    ["capitalize", [""], ""],
    ["capitalize", ["éa"], "Éa"],
    ["title", ["don't stop-me"], "Don't Stop-Me"],
    ["pad", ["ab", 5, "-", "both"], "-ab--"],
    ["pad", ["abc", 2], "abc"],
    ["pad", ["", 4, "😀x"], "😀x😀x"],
    ["repeat", [[0], 3], [0, 0, 0]],
    ["repeat", ["ab", -1], ""],
    ["format", ["{:>6}|{:<6}|{:^6}", "ab", "ab", "ab"], "    ab|ab    |  ab  "],
    ["format", ["{:05d} {:+.1f} {:.0%}", -42, 2, 0.125], "-0042 +2.0 12%"],
    ["format", ["{:x} {:X} {:b} {:o}", 255, 255, 5, 8], "ff FF 101 10"],
    ["format", ["{:.3}|{:10,.2f}|{:,10.2f}", "abcdef", 1234.5, 1234.5], "abc|  1,234.50|  1,234.50"],
    ["format", ["{:.2e} {:*^7}", 12345, "x"], "1.23e+04 ***x***"],
    ["format", ["{:.2f}", -0.001], "0.00"],
  ])("%s of %j is %j", (name, args, result) => {
    expect(call(name, ...args)).toEqual(result);
  });

  it.each<readonly [string, readonly Json[], string]>([
    ["plus", ["a", 1], "cannot add string and int; turn the number into a string with str (type_error)"],
    ["plus", [1, null], "cannot add int and null (type_error)"],
    ["plus", [true, 1], "cannot add bool and int (type_error)"],
    ["at", [5, 0], "cannot index int (type_error)"],
    ["at", [[1], "0"], "the index of a list is a whole number, not string (type_error)"],
    ["put_at", [[1], 1, 2], "index out of range (value_error)"],
    ["put_at", ["abc", 0, "x"], "cannot put into string (type_error)"],
    ["each", [5], "cannot loop over int (type_error)"],
    ["pairs", ["ab"], "cannot loop over pairs of string (type_error)"],
    ["pairs", [PEOPLE], "cannot loop over pairs of a list of dict; pass one name and read its members (type_error)"],
    ["sum", [[1, "x"]], "not a number: string (type_error)"],
    ["sum", [PEOPLE, "n"], "not a number: string (type_error)"],
    ["sort_by", [{}, "n"], "not a list: dict (type_error)"],
    ["sort_by", [[], "n", "up"], 'order is not "asc" or "desc" (value_error)'],
    ["from_entries", [[1]], "not a pair of key and value: int (type_error)"],
    ["chunk", [[1], 0], "size is below 1 (value_error)"],
    ["pad", ["a", 3, ""], "fill is empty (value_error)"],
    ["repeat", ["x", 1e9], "result too large (too_large)"],
    ["repeat", [[1], 1e9], "result too large (too_large)"],
    ["format", ["{:d}", 1.5], "not a whole number (value_error)"],
    ["format", ["{:5q}", 1], "unknown format spec (value_error)"],
  ])("%s of %j fails: %s", (name, args, message) => {
    expect(failure(() => call(name, ...args))).toBe(message);
  });
});

const ms = (text: string): number => Date.parse(text);

describe("dates", () => {
  it.each<Row>([
    ["date_parse", ["2024-02-29"], ms("2024-02-29T00:00:00Z")],
    ["date_parse", ["2024-02-29 13:14"], ms("2024-02-29T13:14:00Z")],
    ["date_parse", ["2024-02-29t13:14:15.987654z"], ms("2024-02-29T13:14:15.987Z")],
    ["date_parse", ["2024-06-01T00:00:00+05:30"], ms("2024-05-31T18:30:00Z")],
    ["date_parse", ["2024-06-01T12:00", "Europe/Berlin"], ms("2024-06-01T10:00:00Z")],
    // Twice on the clock, and left out by it.
    ["date_parse", ["2024-10-27T02:30", "Europe/Berlin"], ms("2024-10-27T00:30:00Z")],
    ["date_parse", ["2024-03-31T02:30", "Europe/Berlin"], ms("2024-03-31T01:30:00Z")],
    ["date_parse", ["0000-01-01"], -62167219200000],
    [
      "date_format",
      [ms("2024-07-01T08:05:09.070Z"), "%Y/%-m/%d %I:%M:%S.%L %p %a %j", "UTC"],
      "2024/7/01 08:05:09.070 AM Mon 183",
    ],
    [
      "date_format",
      [ms("2024-07-01T08:05:09Z"), "DD.MM.YYYY [um] HH:mm Z", "Europe/Berlin"],
      "01.07.2024 um 10:05 +02:00",
    ],
    ["date_format", ["2024-07-01T08:05:09Z", "iso", "America/New_York"], "2024-07-01T04:05:09-04:00"],
    ["date_format", [0.9], "1970-01-01T00:00:00Z"],
    ["date_add", ["2023-01-31", 1, "month"], ms("2023-02-28T00:00:00Z")],
    ["date_add", ["2024-02-29", 1, "year"], ms("2025-02-28T00:00:00Z")],
    ["date_add", ["2024-03-31", -1, "months"], ms("2024-02-29T00:00:00Z")],
    ["date_add", ["2024-03-30T11:00:00Z", 1, "day", "Europe/Berlin"], ms("2024-03-31T10:00:00Z")],
    ["date_add", [0, 1.5, "hours"], 5_400_000],
    ["date_diff", ["2024-01-31", "2024-02-28", "month"], 0],
    ["date_diff", ["2024-01-31", "2024-02-29", "month"], 1],
    ["date_diff", ["2024-01-31", "2024-03-31", "month"], 2],
    ["date_diff", ["2024-03-31", "2024-01-31", "month"], -2],
    ["date_diff", ["2020-02-29", "2024-02-28", "year"], 3],
    ["date_diff", ["2024-03-30T11:00:00Z", "2024-03-31T10:00:00Z", "day", "Europe/Berlin"], 1],
    ["date_diff", ["2024-03-30T11:00:00Z", "2024-03-31T10:00:00Z", "day"], 0],
    ["date_part", ["2021-01-03", "week"], 53],
    ["date_part", ["2021-01-03", "weekday"], 7],
    ["date_part", ["2024-12-31", "yearday"], 366],
    ["date_part", ["2024-12-31T23:30:00Z", "year", "Asia/Tokyo"], 2025],
    ["date_trunc", ["2024-05-17T10:11:12Z", "week"], ms("2024-05-13T00:00:00Z")],
    ["date_trunc", ["2024-05-17T10:11:12Z", "quarter"], ms("2024-04-01T00:00:00Z")],
    ["date_trunc", ["2024-05-17T22:30:00Z", "day", "Europe/Berlin"], ms("2024-05-17T22:00:00Z")],
    ["date_trunc", ["2024-05-17T10:11:12Z", "hour", "Asia/Kolkata"], ms("2024-05-17T09:30:00Z")],
  ])("%s of %j is %j", (name, args, result) => {
    expect(call(name, ...args)).toEqual(result);
  });

  it.each<readonly [string, readonly Json[], string]>([
    ["date_parse", ["2024-02-30"], "no such date or time (value_error)"],
    ["date_parse", ["2023-02-29"], "no such date or time (value_error)"],
    ["date_parse", ["2024-13-01"], "no such date or time (value_error)"],
    ["date_parse", ["2024-01-01T24:00:00Z"], "no such date or time (value_error)"],
    ["date_parse", ["yesterday"], "not a date as RFC 3339 writes it (value_error)"],
    ["date_format", [0, "%Q"], "unknown code in the date pattern: %Q (value_error)"],
    ["date_format", [0, "QQ"], "unknown code in the date pattern: QQ (value_error)"],
    ["date_format", [0, null, "Mars/Base"], "unknown time zone (value_error)"],
    ["date_format", [1e18], "time outside years 0000 to 9999 (number_range)"],
    ["date_add", [0, 1, "fortnight"], "unknown unit of time (value_error)"],
    ["date_add", [0, 0.5, "month"], "not a whole number of units (value_error)"],
    ["date_add", [0, 1e15, "year"], "time outside years 0000 to 9999 (number_range)"],
  ])("%s of %j fails: %s", (name, args, message) => {
    expect(failure(() => call(name, ...args))).toBe(message);
  });

  it("adding what date_diff counted never passes the later time", () => {
    const time = fc.integer({ min: ms("1900-01-01"), max: ms("2100-01-01") });
    const unit = fc.constantFrom("second", "hour", "day", "week", "month", "quarter", "year");
    const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "-03:30");
    fc.assert(
      fc.property(time, time, unit, zone, (a, b, of, where) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const count = call("date_diff", from, to, of, where) as number;
        expect(call("date_add", from, count, of, where)).toBeLessThanOrEqual(to);
        expect(call("date_add", from, count + 1, of, where)).toBeGreaterThan(to);
        const start = call("date_trunc", a, of, where) as number;
        expect(start).toBeLessThanOrEqual(a);
        expect(call("date_parse", call("date_format", a, "iso", where))).toBe(a);
      }),
      { numRuns: 300 },
    );
  });
});

describe("patterns", () => {
  it.each<Row>([
    [
      "match",
      ["né 42!", "(?P<num>[0-9]+)(x)?"],
      { found: true, text: "42", start: 3, end: 5, groups: ["42", null], named: { num: "42" } },
    ],
    ["match", ["abc", "^b"], { found: false, text: null, start: null, end: null, groups: [], named: {} }],
    ["match", ["ABC", "(?i)b"], { found: true, text: "B", start: 1, end: 2, groups: [], named: {} }],
    [
      "find_all",
      ["k=1, x=22", "(\\w)=(\\d+)"],
      [
        ["k", "1"],
        ["x", "22"],
      ],
    ],
    ["find_all", ["a\nb", "(?m)^.$"], ["a", "b"]],
    ["find_all", ["a-b_c", "[\\-_]|\\-"], ["-", "_"]],
    ["find_all", ["aaa", "a*?"], ["", "", "", ""]],
    ["replace_all", ["2024-05", "(?<y>\\d+)-(\\d+)", "\\2/${y} $$5"], "05/2024 $5"],
    ["replace_all", ["abc", "b", "$9"], "a$9c"],
    ["replace_all", ["😀a", "", "-"], "-😀-a-"],
    ["split_by", ["a1b22c", "\\d+"], ["a", "b", "c"]],
    ["split_by", ["abc", ""], ["a", "b", "c"]],
  ])("%s of %j is %j", (name, args, result) => {
    expect(call(name, ...args)).toEqual(result);
  });

  it.each<readonly [Json, string]>([
    ["(", "bad pattern: it is not a regular expression (value_error)"],
    ["(a)\\1", "bad pattern: it refers back to what a group has matched (value_error)"],
    ["a(?=b)", "bad pattern: it looks ahead or back (value_error)"],
    ["(a{100}){100}", "bad pattern: it stands for more than 5000 steps (value_error)"],
  ])("the pattern %j fails: %s", (pattern, message) => {
    expect(failure(() => call("match", "x", pattern))).toBe(message);
  });

  it("finds what the engine finds, with its groups", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "[ab]",
      ".",
      "(a)",
      "(b|ab)",
      "(a*)",
      "(?:b+?)",
      "^",
      "$",
      "\\b",
      "a?",
      "b{1,2}",
      "(?:|a)",
      "x",
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const text = fc.stringMatching(/^[ab x]{0,12}$/);
    fc.assert(
      fc.property(pattern, fc.boolean(), text, (source, alternative, hay) => {
        const whole = alternative ? `${source}|ba` : source;
        const expected = new RegExp(whole, "u").exec(hay);
        const found = call("match", hay, whole) as { readonly [member: string]: Json };
        expect([found["found"], found["text"], found["start"]]).toEqual([
          expected !== null,
          expected?.[0] ?? null,
          expected?.index ?? null,
        ]);
        const all = [...hay.matchAll(new RegExp(`(?:${whole})`, "gu"))].map(([one]) => one);
        expect(call("split_by", hay, `(?:${whole})`)).toBeTruthy();
        expect((call("find_all", hay, `(?:${source})`) as readonly Json[]).length > 0).toBe(
          new RegExp(source, "u").test(hay),
        );
        if (!/\((?!\?)/.test(whole)) expect(call("find_all", hay, whole)).toEqual(all);
        if (expected !== null) expect(found["groups"]).toEqual([...expected].slice(1).map((one) => one ?? null));
      }),
      { numRuns: 3_000 },
    );
  });

  it("a pattern that makes other engines go back takes work in proportion to the text", {
    timeout: 60_000,
  }, async () => {
    const { module, count, end } =
      await executed<typeof import("../../../vm/functions/table.ts")>("vm/functions/table.ts");
    const match = module.functionOf("match", "call");
    const work = (length: number) =>
      count(() => match?.(["a".repeat(length), "^(a+)+$|(a|aa)*b"], { charge: () => {} }));
    await work(1_000);
    const [few, many] = [await work(4_000), await work(40_000)];
    end();
    expect(few).toBeGreaterThan(4_000);
    expect(many / few).toBeLessThan(15);
  });
});
