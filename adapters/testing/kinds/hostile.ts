/** Values and names that stores must keep as they are, or refuse. */
import type { Json } from "../../../compiler/json.ts";

/** One of every type, and those that are lost by careless copies. */
export const VALUES: readonly Json[] = [
  true,
  false,
  0,
  -1.5,
  9_007_199_254_740_991,
  "",
  "text",
  "line\nbreak \u2028 'quote' \"double\" \\ %00 \u{1f600}",
  [],
  [1, [2, [null]], "3"],
  {},
  { a: { b: [1, null, { c: "" }] }, "": 1, constructor: 2 },
  JSON.parse('{"__proto__": {"polluted": true}, "plain": 1}') as Json,
  null,
];

/** Names that mean something to an object, a path, a statement or an address. */
export const NAMES: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "",
  " ",
  "a b",
  "A B",
  "a/b",
  ".",
  "..",
  "../a",
  "a%2Fb",
  "a?b=1#c",
  "' OR 1=1 --",
  "a*",
  "\u00e4",
  "a\u0308",
  "\u{1f600}",
  "n".repeat(200),
  `${"n".repeat(200)}o`,
  "n".repeat(20_000),
];
