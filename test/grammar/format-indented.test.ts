/** The formatter of the indented form: blanks change and nothing else does. */
import "../support/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "../../grammar/parse.ts";
import { format } from "../../grammar/print/print.ts";
import { EXPRESSIONS } from "../language/everyday/expressions.ts";
import { STATEMENTS } from "../language/everyday/statements.ts";
import { program, programText } from "./indented-programs.ts";

function formatted(text: string): string {
  const made = format(text);
  if (!made.ok) throw new Error(`${text}\n${JSON.stringify(made.findings)}`);
  return made.text;
}

/** What the lines mean, without their places, and every comment. */
function meaning(text: string): string {
  const { lines, comments } = parse(text);
  const remarks = comments.map((one) =>
    text
      .slice(one.span.start, one.span.end)
      .replace(/^#+\s*/, "")
      .trimEnd(),
  );
  return JSON.stringify([lines, remarks], (key, value) => (key === "span" ? undefined : value));
}

describe("the formatter of the indented form", () => {
  it.each<readonly [what: string, text: string, wanted: string]>([
    [
      "blanks around what is set",
      "main:\n  x=1\n  y   =  [ 1,2 ,3 ]\n  y[0]+=x\n  out y\n",
      "main:\n  x = 1\n  y = [1, 2, 3]\n  y[0] += x\n  out y\n",
    ],
    [
      "blocks of tabs and of four spaces",
      "main:\n\tif true:\n\t\tout 1\n\tout 2\n",
      "main:\n  if true:\n    out 1\n  out 2\n",
    ],
    [
      "empty lines",
      "\n\nmain:\n\n\n  x = 1\n\n\n\n  out x\nother:\n  out 2\n\n\n",
      "main:\n\n  x = 1\n\n  out x\n\nother:\n  out 2\n",
    ],
    [
      "comments",
      "#what it does\nmain: #here\n      #about x\n      x = 1 #one\n      out x\n#the end",
      "# what it does\nmain:  # here\n  # about x\n  x = 1  # one\n  out x\n# the end\n",
    ],
    [
      "lines inside of brackets move with theirs",
      'main:\n    x = {\n        "a": 1,  # one\n        "b": [\n            2\n        ]\n    }\n    out x\n',
      'main:\n  x = {\n      "a": 1,  # one\n      "b": [\n          2\n      ]\n  }\n  out x\n',
    ],
    ["texts stay", 'main:\n  out f"a  ,b {1+1}  #c"\n', 'main:\n  out f"a  ,b {1+1}  #c"\n'],
    ["Windows newlines", "main:\r\n  out  1\r\n", "main:\n  out 1\n"],
  ])("%s", (_what, text, wanted) => {
    expect(formatted(text)).toBe(wanted);
    expect(formatted(wanted)).toBe(wanted);
    expect(meaning(wanted)).toBe(meaning(text.replaceAll("\r", "")));
  });

  it("refuses what cannot be read", () => {
    expect(format("main:\n  out )\n").ok).toBe(false);
  });

  it("is idempotent and keeps what everyday programs mean", () => {
    for (const { source } of [...STATEMENTS, ...EXPRESSIONS]) {
      if (!format(source).ok) continue;
      const once = formatted(source);
      expect(formatted(once), source).toBe(once);
      expect(meaning(once), source).toBe(meaning(source));
    }
  });

  it("is idempotent and keeps what random programs mean, however their blanks are", () => {
    const layout = fc.record({ indent: fc.constantFrom("\t", "   ", "     "), gap: fc.boolean(), wide: fc.boolean() });
    fc.assert(
      fc.property(program, layout, (generated, { indent, gap, wide }) => {
        const text = programText(generated)
          .replace(/^(?: {2})+/gm, (blanks) => indent.repeat(blanks.length / 2))
          .replace(/\n(?=\s)/g, gap ? "\n\n" : "\n")
          .replace(/ = /g, wide ? "   =  " : " = ");
        const once = formatted(text);
        expect(formatted(once)).toBe(once);
        expect(meaning(once)).toBe(meaning(text));
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});
