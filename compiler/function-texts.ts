/**
 * What the functions of the language mean, in words: the rows of docs/functions.md, which a test writes from here, and what `wf explain`
 * and editors say of them. Markdown, one line a cell. Names, aliases and parameters are in `functions.ts`; nothing that compiles or runs a
 * program reads this.
 */
import { type FunctionText, LATER_FUNCTION_TEXTS } from "./guide/later-function-texts.ts";

export type { FunctionText };

/** By name, in the order of the function table. */
export const FUNCTION_TEXTS: Readonly<Record<string, FunctionText>> = {
  add: {
    takes: "a, b",
    gives: "sum; two texts or two lists are joined (call form)",
    fails: "other mixes",
    example: "`add(2, 0.5)` → `2.5`",
  },
  sub: { takes: "a, b", gives: "difference", example: "`sub(2, 5)` → `-3`" },
  mul: { takes: "a, b", gives: "product", example: '`mul(4, "2.5")` → `10`' },
  div: { takes: "a, b", gives: "quotient", fails: "divisor 0: `division by zero`", example: "`div(8, 2)` → `4`" },
  idiv: { takes: "a, b", gives: "quotient, floored towards −∞", fails: "divisor 0", example: "`idiv(-9, 2)` → `-5`" },
  mod: {
    takes: "a, b",
    gives: "remainder with the sign of the divisor",
    fails: "divisor 0",
    example: "`mod(-7, 3)` → `2`",
  },
  pow: {
    takes: "base, exponent",
    gives: "power",
    fails: "0 to a negative power; negative base with a fraction",
    example: "`pow(2, 10)` → `1024`",
  },
  abs: { takes: "x", gives: "magnitude", example: "`abs(-3)` → `3`" },
  ceil: { takes: "x", gives: "next whole number upwards", example: "`ceil(1.2)` → `2`" },
  floor: { takes: "x", gives: "next whole number downwards", example: "`floor(-1.2)` → `-2`" },
  round: {
    takes: "x, digits? (0)",
    gives: "half to even on the exact binary value; negative digits round to tens",
    fails: "digits outside −308 to 308",
    example: "`round(2.675, 2)` → `2.67`",
  },
  min: {
    takes: "values… (one list: its elements)",
    gives: "the smallest, numbers or texts",
    fails: "no value; mixed types",
    example: "`min(3, 1, 2)` → `1`",
  },
  max: {
    takes: "values… (one list: its elements)",
    gives: "the largest",
    fails: "no value; mixed types",
    example: '`max(["a", "c", "b"])` → `"c"`',
  },
  clamp: { takes: "x, lo, hi", gives: "max(lo, min(hi, x))", example: "`clamp(15, 0, 10)` → `10`" },
  int: { takes: "v", gives: "number cut towards zero; 0 for null or nothing", example: '`int("-7.9")` → `-7`' },
  float: { takes: "v", gives: "number; 0 for null or nothing", example: '`float(" 2.5 ")` → `2.5`' },
  eq: { takes: "a, b", gives: "same type and content", example: '`eq({"a": 1, "b": 2}, {"b": 2, "a": 1})` → `true`' },
  ne: { takes: "a, b", gives: "the opposite", example: '`ne(1, "1")` → `true`' },
  lt: {
    takes: "a, b",
    gives: "by number when both sides are numbers, else two texts by code point",
    fails: "`cannot compare <type> with <type>`",
    example: '`lt("apple", "banana")` → `true`',
  },
  lte: { takes: "a, b", gives: "as `lt`", fails: "as `lt`", example: '`lte(2, "2")` → `true`' },
  gt: { takes: "a, b", gives: "as `lt`", fails: "as `lt`", example: "`gt(10, 9)` → `true`" },
  gte: { takes: "a, b", gives: "as `lt`", fails: "as `lt`", example: "`gte(1, 2)` → `false`" },
  and: { takes: "a?, b?", gives: "whether all given ones are truthy; none: false", example: '`and(1, "x")` → `true`' },
  or: { takes: "a?, b?", gives: "whether one is truthy", example: '`or(0, "")` → `false`' },
  not: { takes: "a?", gives: "the opposite; none: true", example: "`not([])` → `true`" },
  bool: { takes: "a?", gives: "truthiness; none: false", example: '`bool("false")` → `true`' },
  ite: {
    takes: "condition, a?, b?",
    gives: "a when the condition is truthy, else b; null when missing",
    example: '`ite(1, "yes", "no")` → `"yes"`',
  },
  concat: { takes: "values…", gives: "texts joined", example: '`concat("q=", 4, null)` → `"q=4null"`' },
  join: {
    takes: "separator, list?…",
    gives:
      'texts of the elements joined; characters of a text, keys of an object; "" for nothing, null or ""; three or more arguments: all after the first',
    fails: "number or boolean as the only second argument",
    example: '`join("-", ["a", 1, true])` → `"a-1-true"`',
  },
  split: {
    takes: "text, separator?",
    gives: "parts; without separator at runs of blanks, no empty parts",
    fails: 'separator is ""',
    example: '`split("a,b,,c", ",")` → `["a", "b", "", "c"]`',
  },
  lower: { takes: "text", gives: "lower case", example: '`lower("ÄB")` → `"äb"`' },
  upper: { takes: "text", gives: "upper case", example: '`upper("straße")` → `"STRASSE"`' },
  replace: {
    takes: "text, old, new",
    gives: 'all occurrences replaced; old "": inserted at every border of code points',
    example: '`replace("a.b.c", ".", "/")` → `"a/b/c"`',
  },
  contains: {
    takes: "hay, needle?",
    gives: "list: has an equal element; object: has the key; else the text is part of the other",
    example: "`contains([1, 2], 2)` → `true`",
  },
  startswith: {
    takes: "text, part",
    gives: "whether it begins so",
    example: '`startswith("harbour", "har")` → `true`',
  },
  endswith: { takes: "text, part", gives: "whether it ends so", example: '`endswith("harbour", "bar")` → `false`' },
  trim: {
    takes: "text?",
    gives: 'edges removed, inner runs of blanks become one space; none: ""',
    example: '`trim("  a   b ")` → `"a b"`',
  },
  strip: { takes: "text", gives: "edges removed", example: '`strip("  a   b ")` → `"a   b"`' },
  lstrip: { takes: "text", gives: "left edge removed", example: '`lstrip("  a ")` → `"a "`' },
  rstrip: { takes: "text", gives: "right edge removed", example: '`rstrip("  a ")` → `"  a"`' },
  substr: {
    takes: "text, start? (0), length? (rest)",
    gives: "part; negative numbers are 0",
    fails: "start or length null",
    example: '`substr("harbour", 3, 2)` → `"bo"`',
  },
  str: { takes: "v?", gives: 'text; "" for null or nothing', example: '`str([1, null])` → `"[1,null]"`' },
  fail: {
    takes: "v?",
    gives: "never: fails with the text as its cause, `failed` when none",
    fails: "always",
    example: '`fail("no stock")` → fails: `no stock`',
  },
  format: {
    takes: "template, values…",
    gives:
      "`{}` the next value, `{n}` by position, `{name}` from the first object, `{{` and `}}`; after a colon a [format](#formats)",
    fails: "`bad template`; missing value; `unknown format spec`",
    example: '`format("{1}-{0}: {:,.2f}", 1234.5, "b")` → `"b-1234.5: 1,234.50"`',
  },
  hash: {
    takes: "text, algorithm? (sha256)",
    gives: "lower-case hex of the UTF-8 text; md5 sha1 sha224 sha256 sha384 sha512",
    fails: "unknown algorithm",
    example: '`hash("abc", "md5")` → `"900150983cd24fb0d6963f7d28e17f72"`',
  },
  len: {
    takes: "v?",
    gives: "elements, entries or code points; 0 for null or nothing; number, boolean: length of its text",
    example: '`len("a😀")` → `2`',
  },
  arr: { takes: "values…", gives: "list of the arguments", example: '`arr(1, "b", null)` → `[1, "b", null]`' },
  push: {
    takes: "list?, v?",
    gives: "the list with v appended; not a list: starts from []",
    example: "`push([1], 2)` → `[1, 2]`",
  },
  obj: { takes: "key?, v?", gives: "object of one entry; fewer than two: {}", example: '`obj("n", 1)` → `{"n": 1}`' },
  put: {
    takes: "object, path, v",
    gives: "the object with v at the path; fewer than three: the object itself",
    fails: "path above 128 parts; no argument",
    example: '`put({"a": {"b": 1}}, "a.c", 2)` → `{"a": {"b": 1, "c": 2}}`',
  },
  get: {
    takes: "v, path, default? (null)",
    gives: "the value at the path; the default when missing, null with fewer than two",
    example: '`get({"a": [10, 20]}, "a.1")` → `20`',
  },
  keys: {
    takes: "object",
    gives: "keys, whole numbers first, then in the order they were set; not an object: []",
    example: '`keys({"b": 1, "a": 2})` → `["b", "a"]`',
  },
  values: {
    takes: "object",
    gives: "values in the order of `keys`; not an object: []",
    example: '`values({"b": 1, "a": 2})` → `[1, 2]`',
  },
  merge: {
    takes: "objects…",
    gives: "later wins, first position is kept; others are skipped",
    example: '`merge({"a": 1, "b": 2}, {"a": 3})` → `{"a": 3, "b": 2}`',
  },
  pick: {
    takes: "object, keys… (or one list)",
    gives: "the named entries, in the order of `keys`; not an object: {}",
    example: '`pick({"a": 1, "b": 2}, "b", "z")` → `{"b": 2}`',
  },
  omit: {
    takes: "object, keys… (or one list)",
    gives: "the other entries; not an object: {}",
    example: '`omit({"a": 1, "b": 2}, ["b"])` → `{"a": 1}`',
  },
  slice: {
    takes: "list or text, start? (0), end?",
    gives: "part; negative counts from the end, out of range is clamped",
    example: '`slice("hello", -3)` → `"llo"`',
  },
  sort: {
    takes: "list",
    gives: "all numbers: by number; else by text; stable; not a list: characters of its text",
    example: "`sort([10, 9, 1])` → `[1, 9, 10]`",
  },
  reverse: {
    takes: "list or text",
    gives: "reversed list; a text gives its characters",
    example: '`reverse("abc")` → `["c", "b", "a"]`',
  },
  unique: {
    takes: "list",
    gives: "first of each set of equal elements; not a list: a list of it",
    example: '`unique([1, "1", 1, [2], [2]])` → `[1, "1", [2]]`',
  },
  flatten: {
    takes: "list",
    gives: "one level flattened; not a list: a list of it",
    example: "`flatten([1, [2, [3]], []])` → `[1, 2, [3]]`",
  },
  zip: {
    takes: "lists…",
    gives: "rows up to the shortest; others are skipped",
    example: '`zip([1, 2, 3], ["a", "b"])` → `[[1, "a"], [2, "b"]]`',
  },
  range: {
    takes: "stop; or start, stop, step? (1)",
    gives: "whole numbers up to and without stop",
    fails: "step 0",
    example: "`range(10, 0, -4)` → `[10, 6, 2]`",
  },
  filter_high_score: {
    takes: "list, minimum? (0)",
    gives: "objects whose `score`, else `relevance`, else 0 is a number and at least the minimum; not a list: []",
    example: '`filter_high_score([{"score": 2}, {"score": 9}], 5)` → `[{"score": 9}]`',
  },
  type: { takes: "v?", gives: "`null bool int float string list dict`", example: '`type(4.5)` → `"float"`' },
  parse: {
    takes: "text",
    gives: "the JSON value; the last of repeated keys wins",
    fails: "`not JSON at position <n>`",
    example: '`parse("{\\"a\\":[1,2]}")` → `{"a": [1, 2]}`',
  },
  stringify: {
    takes: "v",
    gives: "compact JSON",
    example: '`stringify({"k": [1, null, "é"]})` → `"{\\"k\\":[1,null,\\"é\\"]}"`',
  },
  echo: { takes: "v?", gives: "v; none: null", example: "`echo(5)` → `5`" },
  id: { takes: "v?", gives: "v; none: null", example: '`id("x")` → `"x"`' },
  noop: { takes: "", gives: "null", example: "`noop()` → `null`" },
  iso_ts: {
    takes: "seconds?",
    gives:
      "that instant as `YYYY-MM-DDTHH:MM:SSZ`, fraction cut; without argument the present time (a host function then)",
    fails: "outside years 0000 to 9999",
    example: '`iso_ts(0)` → `"1970-01-01T00:00:00Z"`',
  },
  now: { takes: "", gives: "whole seconds since 1970", example: "`t = now()`" },
  iso: { takes: "", gives: "the present time as `YYYY-MM-DDTHH:MM:SSZ`", example: "`t = iso()`" },
  uuid: { takes: "", gives: "a random identifier, version 4", example: "`id = uuid()`" },
  env: {
    takes: "name, default? (null)",
    gives: "a host variable the operator exposes, else the default",
    example: '`region = env("REGION", "eu")`',
  },
  sleep: {
    takes: "ms",
    gives: "waits; null",
    fails: "the run's time ends first",
    example: "`core.SLEEP(250)`",
  },
  ...LATER_FUNCTION_TEXTS,
};

/** A cell without what only a page shows: marks of code and links. */
export function withoutMarkup(cell: string): string {
  return cell.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
}
