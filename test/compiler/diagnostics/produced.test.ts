/** Every code can be produced, at the right place, with the severity of the table; and the fixes it carries work. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { DIAGNOSTIC_CODES } from "../../../compiler/diagnostic-codes.ts";
import type { Diagnostic, Edit } from "../../../grammar/diagnostic.ts";
import { testCatalog } from "../test-catalog.ts";
import { ON_REQUEST, PRODUCED_CODES, type ProducedCode } from "./sources.ts";

function diagnose({ source, options }: Pick<ProducedCode, "source" | "options">, strict: boolean) {
  return compile(source, { catalog: testCatalog, strict, ...options }).diagnostics;
}

function applied(source: string, edits: readonly Edit[]): string {
  const lastFirst = [...edits].sort((a, b) => b.span.start - a.span.start);
  return lastFirst.reduce(
    (text, { span, new_text }) => text.slice(0, span.start) + new_text + text.slice(span.end),
    source,
  );
}

function isFixed(before: Diagnostic, after: readonly Diagnostic[]): boolean {
  return after.filter(({ code }) => code === before.code).length === 0;
}

describe("every code", () => {
  it("has a program that produces it", () => {
    const produced = PRODUCED_CODES.map(({ code }) => code);
    expect(produced.sort()).toEqual(Object.keys(DIAGNOSTIC_CODES).sort());
  });

  it.each(PRODUCED_CODES)("$code is reported in its line", (produced) => {
    const diagnostics = diagnose(produced, true);
    const places = diagnostics.filter(({ code }) => code === produced.code).map(({ span }) => span?.line ?? null);
    expect(places, JSON.stringify(diagnostics.slice(0, 5), null, 1)).toContain(produced.line);
  });

  it.each(PRODUCED_CODES)("$code has the severity of each mode", (produced) => {
    const row = DIAGNOSTIC_CODES[produced.code];
    for (const strict of [true, false]) {
      const found = diagnose(produced, strict).find(({ code }) => code === produced.code);
      const expected = ON_REQUEST.includes(produced.code) ? "hint" : strict ? row?.strict : row?.loose;
      expect(found?.severity ?? null).toBe(expected);
    }
  });

  it.each(PRODUCED_CODES)("$code has a complete message", (produced) => {
    for (const { message, suggestion, name, code } of diagnose(produced, true)) {
      expect(name).toBe(DIAGNOSTIC_CODES[code]?.name);
      expect(message).not.toMatch(/\{[a-zA-Z+]+\}|undefined|\p{Cc}/u);
      expect(message.length).toBeLessThanOrEqual(300);
      expect(message.endsWith(".")).toBe(false);
      expect(suggestion ?? "").not.toMatch(/\{[a-z]+\}|undefined/);
    }
  });

  it.each(PRODUCED_CODES)(
    "$code speaks as the others: titles of fixes, labels as written, numbers and nouns",
    (produced) => {
      for (const { message, suggestion, fix } of diagnose(produced, true)) {
        expect(fix?.title ?? "a").toMatch(/^[a-z]/);
        for (const text of [message, suggestion ?? ""]) {
          for (const [, label = ""] of text.matchAll(/\b(?:label|handler|at|of|in) '([^'.]*)'/g))
            expect(label).toMatch(/^L|\//);
          expect(text).not.toMatch(/\b1 (?:more )?[a-z]+s\b(?! exact)/);
        }
      }
    },
  );

  it.each(PRODUCED_CODES)("$code is gone once its fix is applied", (produced) => {
    const found = diagnose(produced, true).find(({ code, fix }) => code === produced.code && fix !== null);
    if (found?.fix == null) return;
    const source = applied(produced.source, found.fix.edits);
    expect(isFixed(found, diagnose({ ...produced, source }, true)), source).toBe(true);
  });
});

describe("codes that the reference marks with a fix", () => {
  const fixed = [
    "WF1003 WF1004 WF1005 WF1009 WF2001 WF2002 WF2003 WF2006 WF2008 WF2013 WF3001 WF3003 WF3008 WF3009 WF3011 WF4001",
    "WF4002 WF5004 WF5009 WF9001 WF9002 WF9003 WF9004 WF9006 WF9009 WF9010 WF9013 WF9018 WF9026",
  ].flatMap((codes) => codes.split(" "));
  it.each(PRODUCED_CODES.filter(({ code }) => fixed.includes(code)))("$code carries one", (produced) => {
    const found = diagnose(produced, true).find(({ code }) => code === produced.code);
    expect(found?.fix).not.toBeNull();
  });
});
