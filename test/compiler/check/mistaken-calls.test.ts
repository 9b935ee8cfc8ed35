/** Calls that run and give something else than they say: refused, and repaired where it is certain what is meant. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { repair } from "../../support/applied-edits.ts";

const inputs = ["xs", "t", "rows", "d", "sep"];
const compiled = (source: string) => compile(source, { catalog: builtinCatalog, strict: true, inputs });
const main = (...lines: readonly string[]): string => `main:\n${lines.map((line) => `  ${line}\n`).join("")}`;

describe("a call that means something else here", () => {
  it.each<readonly [source: string, repaired: string]>([
    [main('out join(xs, ", ")'), main('out join(", ", xs)')],
    [main("ys = [1, 2]", "out join(ys, sep)"), main("ys = [1, 2]", "out join(sep, ys)")],
    [main('out split(",", t)'), main('out split(t, ",")')],
    [main('out sort_by(entries(d), "value")'), main("out sort_by(entries(d), 1)")],
    [main('out join(xs, " and ")'), main('out join(" and ", xs)')],
    [main('out format("%d of %.2f", xs, t)'), main('out format("{} of {:.2f}", xs, t)')],
    [main("out push(2, xs)"), main("out push(xs, 2)")],
    [main("out contains(1, xs)"), main("out contains(xs, 1)")],
    [main('out contains("@", t)'), main('out contains(t, "@")')],
    [main("ys = [1]", 'out contains("a", ys)'), main("ys = [1]", 'out contains(ys, "a")')],
    [main("out match('\\d+', t).found"), main("out match(t, '\\d+').found")],
    [main("out find_all('[0-9]+', t)"), main("out find_all(t, '[0-9]+')")],
    [main("out split_by('\\s+', t)"), main("out split_by(t, '\\s+')")],
    [main("out replace_all('\\s+', \"-\", t)"), main("out replace_all(t, '\\s+', \"-\")")],
    [main('out replace("a", "b", t)'), main('out replace(t, "a", "b")')],
    [main('out get("a", d)'), main('out get(d, "a")')],
    [main("out round(2, t)"), main("out round(t, 2)")],
    [main('out sort_by("n", rows)'), main('out sort_by(rows, "n")')],
    [main("out take(2, xs)"), main("out take(xs, 2)")],
    [main('out find("id", 3, rows)'), main('out find(rows, "id", 3)')],
    [main('out find("id", rows, 3)'), main('out find(rows, "id", 3)')],
    [main('out sort_by(rows, "n", True)'), main('out sort_by(rows, "n", "desc")')],
    [main('out date_format(1700000000, "%Y")'), main('out date_format(1700000000 * 1000, "%Y")')],
    [main("out sort_by(rows, r.n)"), main('out sort_by(rows, "n")')],
    [main('out sort_by(rows, row.a.b, "desc")'), main('out sort_by(rows, "a.b", "desc")')],
    [main("out group_by(rows, rows.n)"), main('out group_by(rows, "n")')],
    [main('rows = sort_by(rows, "n")', "out sum(rows.n)"), main('rows = sort_by(rows, "n")', 'out sum(rows, "n")')],
    [main("out concat([1], [2, 3])"), main("out ([1] + [2, 3])")],
    [main("ys = [1]", "out merge(ys, [2])"), main("ys = [1]", "out (ys + [2])")],
    [main('out replace(t, "[^a-z]+", "-")'), main('out replace_all(t, "[^a-z]+", "-")')],
    [main("out split(t, '\\s*,')"), main("out split_by(t, '\\s*,')")],
    [main("out substr(t, -3)"), main("out slice(t, -3)")],
    [main('out sort_by(rows, "-price")'), main('out sort_by(rows, "price", "desc")')],
    [main('out sort_by(rows, ["a", "b"])'), main('out sort_by(sort_by(rows, "b"), "a")')],
    [main("n = now()", 'out date_format(n, "%Y")'), main("n = now()", 'out date_format(n * 1000, "%Y")')],
    [main('if match(t, "^b"):', "  out 1", "out 2"), main('if match(t, "^b").found:', "  out 1", "out 2")],
    [
      main('m = match(t, "^b")', "if not m:", "  out 1", "out m.text"),
      main('m = match(t, "^b")', "if not m.found:", "  out 1", "out m.text"),
    ],
    [
      main('m = match(t, "^b")', "out m.text if m else null"),
      main('m = match(t, "^b")', "out m.text if m.found else null"),
    ],
    [main('out sort_by(rows, "n", "descending")'), main('out sort_by(rows, "n", "desc")')],
    [main('out date_part(t, "day_of_week")'), main('out date_part(t, "weekday")')],
    [main('out date_add(t, 2, "dasy")'), main('out date_add(t, 2, "day")')],
    [main('out pad(t, 3, "0", "left")'), main('out pad(t, 3, "0", "start")')],
    [main('out date_add(t, 7, "day")[:10]'), main('out date_format(date_add(t, 7, "day"), "%Y-%m-%d")')],
    [main("a = date_parse(t)", "out slice(a, 0, 4)"), main("a = date_parse(t)", 'out date_format(a, "%Y")')],
    [
      main("try:", "  x = 1 / t", "except e:", '  x = "zero" in e', "out x"),
      main("try:", "  x = 1 / t", "except e:", '  x = "zero" in e.message', "out x"),
    ],
    [
      main("try:", "  x = 1 / t", "except e:", "  x = upper(e)", "out x"),
      main("try:", "  x = 1 / t", "except e:", "  x = upper(e.message)", "out x"),
    ],
    [main("ps = entries(d)", 'out max_by(ps, "value")'), main("ps = entries(d)", "out max_by(ps, 1)")],
  ])("is repaired: %s", (source, repaired) => {
    expect(compiled(source).diagnostics[0]).toMatchObject({ code: "WF5014", severity: "error" });
    const { source: text, ir, rounds } = repair(source, compiled);
    expect(text).toBe(repaired);
    expect([ir === null, rounds]).toEqual([false, 1]);
  });

  it.each<readonly [source: string, suggestion: string]>([
    [main("out substr(t, -3, 2)"), "write slice, which counts from the end"],
    [
      main("n = now()", 'out date_add(n - 60, 1, "day")'),
      "times are milliseconds, and now gives seconds: write (n - 60) * 1000",
    ],
    [main('m = match(t, "a(b)")', "out m[1]"), "text is all of the match, groups[0] its first group"],
    [main("out join(xs)"), 'the separator comes first: write join(", ", xs)'],
    [
      main('out date_parse(t, "%d.%m.%Y")'),
      "a second argument is a time zone: date_parse reads 2024-03-05 and RFC 3339; take other dates apart with split or match",
    ],
    [
      main('out date_diff(t, t, "fortnight")'),
      'write one of "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter" and "year"',
    ],
    [
      main('out split(date_add(t, 1, "day"), "T")'),
      'a time is a number of milliseconds: write date_format(date_add(t, 1, "day"), "%Y-%m-%d") for its text',
    ],
    [main('out f"{t:>{sep}}|"'), "a format holds no value: write pad(text, width), or round(n, digits)"],
    [main('out f"{t} {sep:#x}"'), "'#x' is not a format: write one as in {:.2f}, {:>8}, {:05d} or {:,}"],
    [main('out format("{:MM}", t)'), "'MM' is not a format: write one as in {:.2f}, {:>8}, {:05d} or {:,}"],
    [main('out sort_by(rows, [t, "b"])'), "sort by the last field first: sorting keeps the order of equal elements"],
  ])("is refused: %s", (source, suggestion) => {
    const [first] = compiled(source).diagnostics.filter(({ code }) => code === "WF5014");
    expect(first).toMatchObject({ code: "WF5014", suggestion, fix: null });
  });

  it.each<readonly [source: string, suggestion: string]>([
    [
      main('out contains("refund", t)'),
      'what is searched comes first: write contains(t, "refund"), or t in "refund" if that is meant',
    ],
    [main('out startswith("he", t)'), 'what is searched comes first: write startswith(t, "he")'],
  ])("is a warning, because it may be meant: %s", (source, suggestion) => {
    expect(compiled(source).diagnostics).toMatchObject([
      { code: "WF5014", severity: "warning", suggestion, fix: null },
    ]);
  });

  it.each<readonly [source: string]>([
    [main('out contains("yes,no", t)')],
    [main("for c in t:", '  if contains("letters", c):', "    out c", "out null")],
    [main("out sort_by(rows, n)")],
    [main("out sort_by(rows, address.city)")],
    [main('out replace("Hi {name}", "{name}", t)')],
    [main("out match(t, xs)")],
    [main('out match("a-b", t)')],
    [main("out repeat(0, d)")],
    [main('out take("abc", 2)')],
    [main("out join(sep, xs)")],
    [main('out (join xs ",")')],
    [main("out (substr t -3)")],
    [main('out join(",", split("a b"))')],
    [main('out split("a,b", ",")')],
    [main('out contains("aeiou", t)')],
    [main("out push(xs, 1)")],
    [main('out replace(t, "[x]", "")')],
    [main('out replace(t, "a-b", "c.d")')],
    [main("n = now()", 'out date_format(n * 1000, "%Y")')],
    [main('m = match(t, "^b")', "if m.found:", "  out m.groups", "out null")],
    [main('out sort_by(rows, "a-b")')],
    [main('out sort_by(rows, "n", "DESC")')],
    [main('out sort_by(rows, "n", sep)')],
    [main('out date_part(t, "Weekday")')],
    [main('out date_diff(t, t, "hours")')],
    [main('out date_parse(t, "Europe/Stockholm")')],
    [main('out pad(t, 3, "0", "start")')],
    [main("e = xs", 'out "zero" in e')],
    [main("out t[:10]")],
    [main('out f"{t:.2f} {sep:>8} {t:,} {t:*^9} {t:+05.1f} {{a:b}} {t:%}"')],
    [main('out format("{0:>5} {name:x} {{x:y}}", t, d)')],
  ])("is right as it is: %s", (source) => {
    expect(compiled(source).diagnostics.filter(({ code }) => code === "WF5014")).toEqual([]);
  });
});
