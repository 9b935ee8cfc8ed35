/** A unified diff is read back into pairs of lines, whatever the lines look like. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../../compiler/diff/text-diff.ts";
import { rowsOf } from "../../../service/ui/pages/programs/side-rows.ts";

describe("the two sides of a difference", () => {
  it("show what was taken away next to what came in its place", () => {
    expect(rowsOf(unifiedDiff("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n", "program"))).toEqual([
      { heading: "program" },
      { heading: "line 1" },
      { before: "a", after: "a" },
      { before: "b", after: "B" },
      { before: "c", after: "c" },
      { before: "d", after: "d" },
      { before: null, after: "e" },
    ]);
  });

  it("lose no line that looks like a heading, and are those of the texts", () => {
    const line = fc.constantFrom("", "a", "b", "-- x", "++ y", "@@ -1 +1 @@", " c", "\\ d");
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((one) => `${one}\n`).join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const difference = unifiedDiff(before, after, "program");
        fc.pre(difference !== "");
        const rows = rowsOf(difference).flatMap((row) => ("heading" in row ? [] : [row]));
        const of = (sign: RegExp): number =>
          difference
            .split("\n")
            .slice(2)
            .filter((one) => sign.test(one)).length;
        const changed = rows.filter((row) => row.before !== row.after);
        expect(changed.filter((row) => row.before !== null)).toHaveLength(of(/^-/));
        expect(changed.filter((row) => row.after !== null)).toHaveLength(of(/^\+/));
      }),
    );
  });
});
