import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";

/** What is found in a condition, and what its edit writes. */
function foundIn(condition: string): readonly (string | null)[] {
  const source = `main(s, t):\n  if ${condition}:\n    out 1\n  out s\n`;
  return compile(source, {})
    .diagnostics.filter(({ code }) => code === "WF9044")
    .map(({ fix }) => fix?.title ?? null);
}

describe("a string where a condition belongs", () => {
  it.each([
    ['s == "a" or "b"', ['write s == "b"']],
    ['"a" == s or "b"', ['write s == "b"']],
    ["len(s) == 1 or 2 or 3", ["write len(s) == 2", "write len(s) == 3"]],
    ['s == ("a" or "b")', ['write s in ["a", "b"]']],
    ['s != "a" or "b"', [null]],
    ['s != "a" and "b"', [null]],
    ['not (s != "a" and "b")', [null]],
    ['"b" or s == "a"', [null]],
    ['s in ["a"] or ["b"]', [null]],
  ])("is reported in %s", (condition, titles) => {
    expect(foundIn(condition)).toEqual(titles);
  });

  it.each(['s or "b"', 's == "a" or t', 's == (t or "b")', '(s or "a") == "b"', 's == "a" or t == "b"'])(
    "is not one in %s",
    (condition) => {
      expect(foundIn(condition)).toEqual([]);
    },
  );

  it("gives its value where a value is meant", () => {
    const { ok, diagnostics } = compile('main(s):\n  out s == "a" and "yes" or "no"\n', {});
    expect([ok, diagnostics]).toEqual([true, []]);
  });
});
