/** Which notation a file is in is decided by how it begins; opcode text is never taken for the indented form. */
import { describe, expect, it } from "vitest";
import { parse } from "../../grammar/parse.ts";
import { format } from "../../grammar/print/print.ts";
import { isIndented } from "../../grammar/surface.ts";

describe("a file in the indented form", () => {
  it.each([
    ["a decorated graph", 'digest @api "/digest" GET:\n  in: url\n  out url\n'],
    ["a graph on a schedule", '# morning\n\ndigest @cron "0 8 * * *": # daily\n  out 1\n'],
    ["a decorated graph whose colon stands apart", 'digest @api "/digest" GET :\n  out 1\n'],
    ["a graph with its input", "sum:\n  in: a, b\n  out (add a b)\n"],
    ["a graph that assigns", "sum:\n  c = 1\n  out c\n"],
    ["a condition", "pick:\n  if a > 1:\n    out a\n"],
    ["steps of the opcode form among other statements", "rows:\n  R db.F Order * ->rows\n  out rows\n"],
    ["what says so itself", "# surface: indented\nL1:\n  J 1\n"],
    ["what says so itself below empty lines", "\ufeff\r\n  \n # surface: indented \r\nL1:\n  J 1\n"],
    ["one after a byte order mark", "\ufeffsum:\r\n  out 1\r\n"],
    ["an include above the graph", 'include "lib/a.wf" as a\nsum:\n  out 1\n'],
    ["declarations above the graph", "S app core noop\nQ mail\n\nsum:\n  out 1\n"],
    ["a graph named like a label, decorated", 'Live @api "/live":\n  out 1\n'],
  ])("%s is read as such, also when it is formatted", (_what, source) => {
    expect(isIndented(source)).toBe(true);
    const formatted = format(source);
    if (formatted.ok) expect(isIndented(formatted.text)).toBe(true);
    else expect(formatted.findings[0]?.code).toBe("WF1106");
  });

  it("is not formatted when it has a fault of form", () => {
    expect(format("sum:\n  out (add 1\n")).toMatchObject({ ok: false, findings: [{ code: "WF1002" }] });
  });
});

it("a file stays what it is when the formatter takes its empty lines away", () => {
  const source = "\n\n# surface: opcode\nsum:\n  out 1\n";
  const formatted = format(source);
  expect(formatted).toMatchObject({ ok: true, text: expect.stringMatching(/^# surface: opcode\n/) });
  expect(formatted.ok && isIndented(formatted.text)).toBe(false);
});

it("a long run of empty lines takes no longer than reading it", () => {
  expect(isIndented(" \n".repeat(200_000))).toBe(false);
  expect(isIndented(" ".repeat(400_000))).toBe(false);
});

describe("a header with a fault is reported once, as what it is", () => {
  it.each([
    ["main\n  in: a\n  out a\n", ["1:1 WF1107"]],
    ['main @api "/x"\n  out 1\n', ["1:11 WF1107"]],
    ["my-graph:\n  out 1\n", ["1:1 WF1105"]],
    ["main(a):\n  if a:\n    out a\n  out 1\n", []],
    ["def main(a, b=3):\n  return a\n", []],
    ["main:\n  n += 1\n  return n\n", []],
    ["main:\n  rows[0] = 1\n  out rows\n", []],
    ["if true:\n  out 1\n", ["1:1 WF1105"]],
    ["main:\n", ["1:5 WF1103"]],
    ["main:\n\n# nothing yet\n", ["1:5 WF1103"]],
    ['@api "/x"\nmain:\n  out 1\n', ["1:1 WF1105"]],
    ['main @api("/x"):\n  out 1\n', ["1:6 WF1105"]],
    ["Lookup:\n  in: a\n  out a\n", []],
    ["x = 1\nif x:\n  x = 2\nelse:\n  x = 3\nreturn x\n", ["1:1 WF1105"]],
    ["try:\n  x = 1\nexcept:\n  x = 2\nout x\n", ["1:1 WF1105"]],
    ['include "a.wf" as a\nx = call a/ENTRY\nout x\n', ["2:1 WF1105"]],
    ["S = 1\nreturn S\n", ["1:1 WF1105"]],
    ["f(n):\n  return n\n\nx = f(1)\nreturn x\n", ["4:1 WF1105", "4:1 WF1112"]],
    ["f(n):\n  if n:\n    return n\nreturn 2\n", ["4:1 WF1101"]],
  ])("%j", (source, expected) => {
    expect(isIndented(source)).toBe(true);
    expect(parse(source).findings.map(({ code, span }) => `${span?.line}:${span?.column} ${code}`)).toEqual(expected);
  });
});

describe("opcode text", () => {
  it.each([
    ["a label", "L1:\n  J 1\n"],
    ["a label in a line of its steps", "L1: Set a 1 J a\n"],
    ["a declaration whose word is a colon", "Q :\nL1:\n  J 1\n"],
    ["a declaration whose word is a colon, above no label", "Q :\nfoo\n  bar\n"],
    ["what says so itself", "# surface: opcode\nsum:\n  out 1\n"],
    ["what says so itself below empty lines", "\n\t\n# surface: opcode\nsum:\n  out 1\n"],
    ["a surface below a comment, which says nothing", "# a\n# surface: indented\nL1:\n  J 1\n"],
    ["a label without its L above steps", "main:\n  Set a 1\n  J a\n"],
    ["a label without its L above steps and a label", "main:\n  Set a 1\n  J a\nL2:\n  out 1\n"],
    ["a declaration above such a label", "S app core noop\nmain:\n  Set a 1\n  J a\n"],
    ["a name below declarations that opens no block", "S app core noop\nmain:\nfoo\n"],
    ["a label and nothing else", "L1:\n"],
    ["a declaration, a word and a colon, and nothing else", "S app core noop\nmain:\n"],
    ["nothing", ""],
    ["a comment", "# sum:\n"],
    ["a label that begins with Li", "Live:\n  Set a 1\n  J a\n"],
    ["a label without its L above a slip and steps", "l1:\n  Sett x 1\n  J x\n"],
    ["a label without its L above a slip and a label", "start:\n  foo bar\nL2:\n  J 1\n"],
    ["a statement of the other form above a label", "x = 1\nL1:\n  J x\n"],
    ["a statement of the other form above a step", "x = 1\nJ x\n"],
    ["a label above statements of the other form", "L1:\n  x = 1\n  out x\n"],
    ["a text with an at sign", 'S core web "/a@b:"\nL1:\n  J 1\n'],
  ])("%s is read as such", (_what, source) => {
    expect(isIndented(source)).toBe(false);
    expect(
      parse(source)
        .findings.map(({ code }) => code)
        .filter((code) => code.startsWith("WF11")),
    ).toEqual([]);
  });
});
