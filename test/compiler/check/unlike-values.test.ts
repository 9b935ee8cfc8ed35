/** Differences and comparisons that run and say nothing: seconds and milliseconds, a time and its text, a string and a list. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { repair } from "../../support/applied-edits.ts";

const inputs = ["a", "rows", "s"];
const compiled = (source: string) => compile(source, { catalog: builtinCatalog, strict: true, inputs });
const main = (...lines: readonly string[]): string => `main:\n${lines.map((line) => `  ${line}\n`).join("")}`;
const found = (source: string) => compiled(source).diagnostics.filter(({ code }) => code === "WF5013");

describe("unlike values", () => {
  it.each<readonly [source: string, severity: string, repaired: string]>([
    [
      main("t = now()", "if t > date_parse(a):", "  out 1", "out 2"),
      "error",
      main("t = now()", "if t * 1000 > date_parse(a):", "  out 1", "out 2"),
    ],
    [
      main("t = now()", 'end = date_add(a, 1, "day")', "out [r for r in rows if end <= t]"),
      "error",
      main("t = now()", 'end = date_add(a, 1, "day")', "out [r for r in rows if end <= t * 1000]"),
    ],
    [main('out date_parse(a) < "2024-01-31"'), "error", main('out date_parse(a) < date_parse("2024-01-31")')],
    [
      main('d = date_trunc(a, "day")', 'if "2024-01-31" == d:', "  out 1", "out 2"),
      "error",
      main('d = date_trunc(a, "day")', 'if date_parse("2024-01-31") == d:', "  out 1", "out 2"),
    ],
    [main("t = lower(s)", "out t == reverse(t)"), "warning", main("t = lower(s)", 'out t == join("", reverse(t))')],
  ])("are repaired: %s", (source, severity, repaired) => {
    expect(found(source)).toMatchObject([{ severity }]);
    expect(repair(source, compiled)).toMatchObject({ source: repaired, rounds: 1, ir: expect.anything() });
  });

  it.each<readonly [source: string, severity: string, suggestion: string]>([
    [
      main("t = now()", "out t - date_parse(a) > 86400"),
      "error",
      'write date_diff(date_parse(a), t * 1000, "second"), or another unit',
    ],
    [
      main("t = now()", "out (date_parse(a) - t)"),
      "error",
      'write date_diff(t * 1000, date_parse(a), "second"), or another unit',
    ],
    ["L1:\n  Set t (now)\n  If t > (date_parse a) ->L1\n", "error", "write (mul t 1000)"],
    [main("t = strip(s)", "out t == []"), "warning", 'an empty string is "": write t == ""'],
    [main("out lower(s) != [1]"), "warning", "they are never equal"],
  ])("are reported: %s", (source, severity, suggestion) => {
    expect(found(source)).toMatchObject([{ severity, suggestion, fix: null }]);
  });

  it.each([
    main("t = now()", "t = t * 1000", "out t - date_parse(a)"),
    main("t = now()", "out t * 1000 > date_parse(a)"),
    main("t = now()", "out t - 60 > a"),
    main("t = now()", "u = now()", "out u - t"),
    main('d = date_parse(a) - date_parse("2024-01-01")', "t = now()", "out t > d"),
    main('out date_parse(a) < date_add("2024-01-31", 1, "day")'),
    main('out date_format(date_parse(a), "%Y-%m-%d") == "2024-01-31"'),
    main('out date_parse(a) < "1700000000000"'),
    main("out s == reverse(s)"),
    main("xs = split(s)", "out xs == reverse(xs)"),
    main("x = 1", "if s:", "  x = [1]", 'out x == "a"'),
    main("out lower(s) == 3"),
  ])("are not: %s", (source) => {
    expect(found(source)).toEqual([]);
  });
});
