/** What the edits of a fix make of a program, to the letter, and where none is offered because it would not help. */
import { describe, expect, it } from "vitest";
import type { Edit } from "../../grammar/diagnostic.ts";
import { diagnose } from "./found.ts";

function applied(source: string, edits: readonly Edit[]): string {
  const lastFirst = [...edits].sort((a, b) => b.span.start - a.span.start);
  return lastFirst.reduce(
    (text, { span, new_text }) => text.slice(0, span.start) + new_text + text.slice(span.end),
    source,
  );
}

/** The program after the first fix for `code`; null when there is the finding and no fix. */
function fixed(source: string, code: string): string | null {
  const finding = diagnose(source).find((one) => one.code === code);
  if (finding === undefined) throw new Error(`${code} is not found in ${source}`);
  return finding.fix === null ? null : applied(source, finding.fix.edits);
}

describe("missing commas are inserted all at once", () => {
  it.each([
    ["[1 2]", "[1, 2]"],
    ['["a" b [1] (add 1 2)]', '["a", b, [1], (add 1 2)]'],
    ['["a""b"]', '["a","b"]'],
    ["[1 # one\n  2]", "[1, # one\n  2]"],
    ["{a: 1 b: 2 c: 3}", "{a: 1, b: 2, c: 3}"],
    ['{"a":[1 2] "b":2}', '{"a":[1, 2] "b":2}'],
    ["{a: 1 b}", null],
    ["{u: https: //x}", null],
    ["{a: 1 [2]}", null],
    ["[1 2,,3]", null],
  ])("%s", (literal, expected) => {
    const of = (text: string): string => `# frame: b\nL1:\n  J ${text}\n`;
    expect(fixed(of(literal), "WF1004")).toBe(expected === null ? null : of(expected));
  });
});

describe("a fix is offered where it helps", () => {
  it.each([
    ["a constant is not a writable name", "L1:\n  Set true 5\n  J 1", "WF1009", null],
    ["nor one for a result", "L1:\n  R core.NOW ->null\n  J 1", "WF2008", null],
    ["nor for the result of the call above", "L1:\n  R core.NOW\n  J $true", "WF4001", null],
    ["a comparison stays one word", "L1:\n  If n?=1 ->L1", "WF9009", "L1:\n  If n?==1 ->L1"],
    ["a comparison gets blanks", "L1:\n  If $n=1 ->L1", "WF9009", "L1:\n  If $n == 1 ->L1"],
    [
      "a result that is read below keeps its name",
      "L1:\n  R core.NOW\n  Set a tme\n  J [a, res]",
      "WF4001",
      'L1:\n  R core.NOW\n  Set a "tme"\n  J [a, res]',
    ],
    [
      "a result that another call writes before may be named",
      "L1:\n  R core.NOW\n  Set a tme\n  R core.NOW\n  J [a, res]",
      "WF4001",
      "L1:\n  R core.NOW ->tme\n  Set a tme\n  R core.NOW\n  J [a, res]",
    ],
    ["a name that an unreadable line may set is left", "L1:\n  Set town- 1\n  J town", "WF4001", null],
  ])("%s", (_title, source, code, expected) => {
    expect(fixed(source, code)).toBe(expected);
  });
});

describe("one mistake gives one finding", () => {
  it.each([["->"], ["->L"], ["L"], ["->:"]])("an endpoint without a label: %s", (target) => {
    const codes = diagnose(`E /x G ${target}\nL1:\n  J 1`).map(({ code }) => code);
    expect(codes).toEqual(["WF3004"]);
  });
});
