/** Findings become diagnostics: severities, templates, order, duplicates, bounds. */
import { describe, expect, it } from "vitest";
import { DIAGNOSTIC_CODES } from "../../../compiler/diagnostic-codes.ts";
import { finishFindings } from "../../../compiler/diagnostics.ts";
import type { Finding } from "../../../grammar/diagnostic.ts";
import type { Span } from "../../../grammar/text/span.ts";

function at(start: number, file: string | null = null, end = start + 1): Span {
  return { file, line: 1, column: start + 1, end_line: 1, end_column: end + 1, start, end };
}

const unset = (name: string, start: number, more: Partial<Finding> = {}): Finding => ({
  code: "WF4001",
  span: at(start),
  words: { name },
  ...more,
});

describe("the code table", () => {
  it("has a stable form and unique names", () => {
    const names = Object.values(DIAGNOSTIC_CODES).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [code, { name, message }] of Object.entries(DIAGNOSTIC_CODES)) {
      expect(code).toMatch(/^WF\d{4}$/);
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(message.endsWith(".")).toBe(false);
    }
  });

  it("is never stricter in non-strict mode", () => {
    const rank = { error: 3, warning: 2, hint: 1 };
    for (const { strict, loose } of Object.values(DIAGNOSTIC_CODES)) {
      expect(loose === null ? 0 : rank[loose]).toBeLessThanOrEqual(strict === null ? 0 : rank[strict]);
    }
  });
});

describe("finishFindings", () => {
  it("fills message and suggestion", () => {
    const [found] = finishFindings([unset("ghost", 4)], { strict: true });
    expect(found).toMatchObject({
      code: "WF4001",
      name: "undefined_variable",
      severity: "error",
      message: "nothing sets 'ghost' before this step",
      suggestion: "quote it if it is text, or declare it with '# frame: ghost'",
      label_id: null,
      node_id: null,
      expected: [],
      fix: null,
      related: [],
    });
  });

  it("takes severities from the mode, unless the finding has its own", () => {
    const findings: Finding[] = [
      unset("a", 0),
      { code: "WF4002", span: at(1), words: { word: "a.b", root: "a", reading: "null" } },
      { code: "WF2003", span: at(2), words: { op: "R" }, severity: "warning" },
    ];
    expect(finishFindings(findings, { strict: true }).map(({ severity }) => severity)).toEqual([
      "error",
      "warning",
      "warning",
    ]);
    expect(finishFindings(findings, { strict: false }).map(({ severity }) => severity)).toEqual(["warning", "warning"]);
  });

  it("leaves out a suggestion that has nothing to suggest, and lets findings override it", () => {
    const op = (more: Partial<Finding>): Finding => ({ code: "WF2001", span: at(0), words: { word: "Sett" }, ...more });
    const suggestion = (finding: Finding) => finishFindings([finding], { strict: true })[0]?.suggestion;
    expect(suggestion(op({}))).toBeNull();
    expect(suggestion(op({ words: { word: "Sett", near: "Set" } }))).toBe("did you mean 'Set'?");
    expect(suggestion(op({ suggestion: "use J" }))).toBe("use J");
    expect(suggestion(op({ suggestion: null }))).toBeNull();
  });

  it("shows what is unprintable as an escape, and puts nothing endless into texts", () => {
    const [found] = finishFindings([unset(`a\u001b[31m\n\u202eb${"😀".repeat(400)}`, 0)], { strict: true });
    expect(found?.message).not.toMatch(/\p{Cc}|\u202e/u);
    expect(found?.message.isWellFormed()).toBe(true);
    expect(found?.message.length).toBeLessThanOrEqual(300);
    expect(found?.message).toContain(String.raw`'a\x1b[31m\x0a\u202eb`);
    expect(found?.message).toMatch(/before this step$/);
  });

  it("does not fill words into words", () => {
    const [found] = finishFindings([unset("{name}$&", 0)], { strict: true });
    expect(found?.message).toBe("nothing sets '{name}$&' before this step");
  });

  it("orders by file, place and code, and puts findings without a place last", () => {
    const findings: Finding[] = [
      { code: "WF9015", span: null },
      unset("in_b", 1, { span: at(1, "b.wf") }),
      unset("in_a", 0, { span: at(0, "a.wf") }),
      { code: "WF9005", span: at(5) },
      unset("late", 5),
      unset("early", 2),
    ];
    const messages = finishFindings(findings, { strict: true }).map(({ code, message }) => `${code} ${message}`);
    expect(messages.map((message) => message.replace(" before this step", ""))).toEqual([
      "WF4001 nothing sets 'early'",
      "WF4001 nothing sets 'late'",
      "WF9005 result goes to _call_result",
      "WF4001 nothing sets 'in_b'",
      "WF4001 nothing sets 'in_a'",
      "WF9015 the program has nothing to run",
    ]);
  });

  it("keeps the first of a code and place", () => {
    const found = finishFindings([unset("first", 3), unset("second", 3), unset("third", 3, { span: at(3, "x.wf") })], {
      strict: true,
    });
    expect(found.map(({ message }) => message.slice(13, 20))).toEqual(["'first'", "'third'"]);
  });

  it("says whether one finding is left out or several", () => {
    const told = (count: number) =>
      finishFindings(
        Array.from({ length: 1000 + count }, (_, n) => ({ code: "WF9005", span: at(n) })),
        { strict: true },
      ).at(-1)?.message;
    expect(told(0)).not.toContain("not shown");
    expect(told(1)).toBe("1 more finding is not shown");
    expect(told(2)).toBe("2 more findings are not shown");
  });

  it("shows 1000, says how many more there are, and never hides an error after warnings", () => {
    const hints = Array.from({ length: 1500 }, (_, index): Finding => ({ code: "WF9005", span: at(index) }));
    const found = finishFindings([...hints, unset("ghost", 5000)], { strict: true });
    expect(found.length).toBe(1001);
    expect(found.at(-1)).toMatchObject({ code: "WF1013", message: "501 more findings are not shown", span: null });
    expect(found.filter(({ severity }) => severity === "error").length).toBe(1);
    expect(found.at(-2)?.code).toBe("WF4001");
  });

  it("refuses a code that is not in the table", () => {
    expect(() => finishFindings([{ code: "WF0000", span: null }], { strict: true })).toThrow("WF0000");
    expect(() => finishFindings([{ code: "constructor", span: null }], { strict: true })).toThrow("constructor");
  });
});
