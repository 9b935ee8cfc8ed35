/** Properties of the parser and the formatter over random text and nearly well-formed programs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Edit } from "../../grammar/diagnostic.ts";
import { parse } from "../../grammar/parse.ts";
import { format } from "../../grammar/print/print.ts";
import { anyText, program, tokenSoup } from "./arbitraries.ts";
import { meaningOf, withoutPlaces } from "./tree.ts";

function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, index) => ({ edit, index }));
  ordered.sort((a, b) => b.edit.span.start - a.edit.span.start || b.index - a.index);
  return ordered.reduce(
    (result, { edit }) => result.slice(0, edit.span.start) + edit.new_text + result.slice(edit.span.end),
    text,
  );
}

const RUNS = { numRuns: 300 };

describe("parse", () => {
  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const file = parse(text);
        expect(file.text).toBe(text);
      }),
      RUNS,
    );
  });

  it("never throws on lines of op-like tokens, and every span lies in the text", () => {
    fc.assert(
      fc.property(fc.oneof(tokenSoup, program), (text) => {
        const file = parse(text);
        for (const { span } of file.findings) {
          if (span === null) continue;
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(text.length);
          expect(span.column).toBeGreaterThan(0);
        }
        for (const line of file.lines) expect(line.span.end).toBeGreaterThan(line.span.start);
      }),
      RUNS,
    );
  });

  it("reads CR LF and a byte order mark like LF without", () => {
    fc.assert(
      fc.property(program, (text) => {
        const plain = parse(text);
        const windows = parse(`\ufeff${text.replaceAll("\n", "\r\n")}`);
        expect(withoutPlaces(windows.lines)).toEqual(withoutPlaces(plain.lines));
        expect(windows.findings.map(({ code }) => code)).toEqual(plain.findings.map(({ code }) => code));
        expect(windows.comments.map(({ text: comment }) => comment)).toEqual(
          plain.comments.map((comment) => comment.text),
        );
      }),
      RUNS,
    );
  });

  it("every finding names a line that exists, and fixes touch the text only", () => {
    fc.assert(
      fc.property(tokenSoup, (text) => {
        const count = text.split("\n").length;
        for (const finding of parse(text).findings) {
          expect(finding.span?.line ?? 1).toBeLessThanOrEqual(count);
          for (const edit of finding.fix?.edits ?? []) expect(edit.span.end).toBeLessThanOrEqual(text.length);
        }
      }),
      RUNS,
    );
  });
});

describe("fixes", () => {
  it("remove the finding they belong to", () => {
    fc.assert(
      fc.property(program, (text) => {
        const findings = parse(text).findings;
        for (const { code, fix, span } of findings) {
          // Taking out a stray token can show the next one.
          if (fix == null || code === "WF1009") continue;
          const count = (source: string): number =>
            parse(source).findings.filter((finding) => finding.code === code).length;
          const fixed = applyEdits(text, fix.edits);
          expect(count(fixed), `${code} at ${span?.line}:${span?.column} gives ${JSON.stringify(fixed)}`).toBeLessThan(
            count(text),
          );
        }
      }),
      RUNS,
    );
  });
});

describe("format", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.oneof(program, tokenSoup), (text) => {
        const once = format(text);
        if (!once.ok) return;
        expect(format(once.text)).toEqual(once);
      }),
      { numRuns: 600 },
    );
  });

  it("is idempotent on conditions of any words, and keeps what they mean", () => {
    const words = ["a", "a.b", "not", "!", "(", ")", "=", "==", "!=", ">=", "?", "'x'", "-2", "$", "[", "]", ",", ":"];
    const piece = fc.tuple(fc.constantFrom(...words, "->", "->L2", "null", "limit=2", "x="), fc.constantFrom("", " "));
    const condition = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.flat().join(""));
    fc.assert(
      fc.property(fc.constantFrom("If", "While"), condition, fc.boolean(), (op, text, hasLabels) => {
        const source = `L1:\n  ${op} ${text}${hasLabels ? " ->L2 ->L3" : ""}\nL2:\n  J 1\nL3:\n  J 2\n`;
        const once = format(source);
        if (!once.ok) return;
        expect(format(once.text)).toEqual(once);
        // Where it must be, a word is quoted: the tree is another one then, the program the same.
        const [before, after] = [source, once.text].map((one) => compile(one, { strict: false }).ir?.checksum);
        expect(after).toBe(before);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps the syntax tree", () => {
    fc.assert(
      fc.property(program, (text) => {
        const formatted = format(text);
        if (!formatted.ok) return;
        expect(meaningOf(parse(formatted.text))).toEqual(meaningOf(parse(text)));
      }),
      { numRuns: 600 },
    );
  });

  it("keeps the text of all comments", () => {
    const commentsOf = (text: string): string[] =>
      parse(text)
        .comments.map((comment) => comment.text.trimEnd())
        .sort();
    fc.assert(
      fc.property(fc.oneof(program, tokenSoup), (text) => {
        const formatted = format(text);
        if (!formatted.ok) return;
        expect(commentsOf(formatted.text)).toEqual(commentsOf(text));
      }),
      { numRuns: 600 },
    );
  });

  it("refuses exactly the sources with a WF1xxx finding", () => {
    fc.assert(
      fc.property(fc.oneof(program, anyText), (lines) => {
        const text = `# surface: opcode\n${lines}`;
        const faults = parse(text).findings.filter((finding) => finding.code.startsWith("WF1"));
        expect(format(text).ok).toBe(faults.length === 0);
      }),
      RUNS,
    );
  });
});
