/**
 * Functions over large values work a piece at a time: they give what the plain definition gives wherever the pieces are cut, and
 * charge often enough that a run can be ended between two of them.
 */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { functionOf } from "../../../vm/functions/table.ts";
import { WORK_CHUNK } from "../../../vm/tasks/work-meter.ts";

/** A value of the function, and the meter's charges on the way. */
function called(name: string, ...args: Json[]): { readonly value: Json; readonly charges: number } {
  let charges = 0;
  const implementation = functionOf(name, "call");
  if (implementation === undefined) throw new Error(`no function ${name}`);
  const value = implementation(args, {
    charge() {
      charges += 1;
    },
  });
  return { value, charges };
}

/** Texts with something at the place where the first piece is cut. */
const AT_THE_CUT = ["ab", "  ", "\t \n", "😀", "abab", "aab", " a ", "\u00e9", '"\\', "\ud83d"].flatMap((middle) =>
  [0, 1, 2, 3].map((back) => `${"x ".repeat((WORK_CHUNK - 2) / 2)}xx`.slice(back) + middle + "yab ".repeat(9)),
);
const JSON_VALUES: readonly (readonly [string, Json])[] = [
  ["a list of numbers", Array.from({ length: 60_000 }, (_, i) => i / 8)],
  ["a list of texts and lists", Array.from({ length: 20_000 }, (_, i) => [`k${i}`, null, { a: [true, "\n😀"] }])],
  ["an object", Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`${i % 3 === 0 ? "" : "k"}${i}`, [i]]))],
  ["one long text in between", [1, "x\n".repeat(400_000), { b: `"${"\u2028".repeat(200_000)}` }, [], {}]],
  ["a key of its own", JSON.parse(`{"__proto__":${JSON.stringify("x".repeat(200_000))},"a":1}`) as Json],
];

describe("pieces give the whole", () => {
  it("trim and split at blanks", () => {
    for (const text of AT_THE_CUT) {
      expect(called("trim", text).value === text.trim().replace(/\s+/g, " ")).toBe(true);
      expect(called("split", text).value).toEqual(text.trim().split(/\s+/));
    }
  });

  it.each(["a", "ab", "aa", " ", "xy", "abyab", "b "])("split at and replace %j", (part) => {
    for (const text of AT_THE_CUT) {
      expect(called("split", text, part).value).toEqual(text.split(part));
      expect(called("replace", text, part, "$&<").value === text.split(part).join("$&<")).toBe(true);
    }
  });

  it("insert between characters", () => {
    for (const text of AT_THE_CUT) {
      const characters = Array.from(text);
      expect(called("join", ", ", text).value === characters.join(", ")).toBe(true);
      expect(called("replace", text, "", "$$").value === `$$${characters.join("$$")}$$`).toBe(true);
    }
  });

  it.each(JSON_VALUES)("text of %s", (_title, value) => {
    expect(called("stringify", value).value === JSON.stringify(value)).toBe(true);
    expect(called("concat", value, 1).value === `${JSON.stringify(value)}1`).toBe(true);
  });
});

describe("a charge for every piece", () => {
  const long = "ab ".repeat(10 * WORK_CHUNK);
  const list = Array.from({ length: 20 * WORK_CHUNK }, (_, i) => i);
  it.each<[string, readonly Json[]]>([
    ["trim", [long]],
    ["split", [long]],
    ["split", [long, " "]],
    ["replace", [long, "ab", "c"]],
    ["replace", [long, "", "-"]],
    ["join", ["-", long]],
    ["stringify", [long]],
    ["stringify", [list]],
    ["str", [list]],
  ])("%s", (name, args) => {
    expect(called(name, ...args).charges).toBeGreaterThanOrEqual(10);
  });
});
