/** Files in the indented form are told as one thing, and never touched by the formatter; opcode text is never taken for one. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { format } from "../../grammar/print.ts";

const codes = (source: string, strict: boolean): readonly string[] =>
  compile(source, { catalog: builtinCatalog, strict }).diagnostics.map(({ code, span }) => `${span?.line} ${code}`);

describe("a file in the indented form", () => {
  it.each<readonly [string, string, number]>([
    ["a decorated graph", 'digest @api "/digest" GET:\n  in: url\n  out url\n', 1],
    ["a graph on a schedule", '# morning\n\ndigest @cron "0 8 * * *": # daily\n  out 1\n', 3],
    ["a graph with its input", "sum:\n  in: a, b\n  out a + b\n", 1],
    ["a graph that assigns", "sum:\n  c = 1\n  out c\n", 1],
    ["a condition", "pick:\n  if a > 1:\n    out a\n", 1],
    ["what says so itself", "# surface: indented\nL1:\n  J 1\n", 2],
    ["one behind a byte order mark", "\ufeffsum:\r\n  out 1\r\n", 1],
  ])("%s is WF1109, and nothing else", (_what, source, line) => {
    expect(codes(source, true)).toEqual([`${line} WF1109`]);
    expect(codes(source, false)).toEqual([`${line} WF1109`]);
    expect(format(source)).toMatchObject({ ok: false, findings: [{ code: "WF1109" }] });
  });
});

describe("opcode text", () => {
  it.each([
    ["a label", "L1:\n  J 1\n"],
    ["a label in a line of its steps", "L1: Set a 1 J a\n"],
    ["a declaration whose word is a colon", "Q :\nL1:\n  J 1\n"],
    ["what says so itself", "# surface: opcode\nsum:\n  out 1\n"],
    ["a label without its L above steps", "main:\n  Set a 1\n  J a\n"],
    ["a word and a colon, and nothing else", "main:\n"],
    ["nothing", ""],
    ["a comment", "# sum:\n"],
    ["a text with an at sign", 'S core web "/a@b:"\nL1:\n  J 1\n'],
  ])("%s is read as such", (_what, source) => {
    expect(codes(source, true).join()).not.toContain("WF1109");
  });
});
