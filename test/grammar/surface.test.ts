/** Which form a file is in is decided by its first significant line, and by nothing below it. */
import { describe, expect, it } from "vitest";
import { format } from "../../grammar/print/print.ts";
import { isPython } from "../../grammar/surface.ts";

describe("Python is what begins with", () => {
  it.each([
    ...["x = 1", "S = 5", "E, F = a, b", "R: int = 1", "L1: int = 5", "T.x = 5", "P(1)", "T * 5", "T in xs"],
    ...["def main(x):", "async def main():", "@api('/x')", "if x:", "main:", "main(a, b=3):", '"""text"""'],
    ...["import json", "from weft import http", "print x", "x", "Ret"],
  ])("%s", (line) => {
    for (const above of ["", "\n\n", "# a comment\n", "\ufeff", "# frame: x\r\n", "```wf\n"])
      expect(isPython(`${above}${line}\nL1:\n  J 1\n`), above).toBe(true);
  });
});

describe("opcode text is what begins with", () => {
  it.each([
    ...["L1:", "L1: # a comment", "L1 :", "L1: J 1", "La.b:", "1:", "L1", "L_ok # a comment"],
    ...[
      "S app core noop",
      "S\tcore",
      "Desc /orders x",
      "E /total P ->L1",
      "Tok primary #112233",
      'include "a.wf" as a',
    ],
    ...["J 1", "J [1, 2]", 'J {"a": 1}', "J -5", "J->x", "Err ->L1", "If (x > 1) ->L1", "R core.ADD 1 2 ->x"],
    ...["Budget 5", "billing.Rule a b", "ops.Nothing a # none"],
  ])("%s", (line) => {
    for (const above of ["", "\n\n", "# a comment\n", "\ufeff", "# frame: x\r\n", "```wf\n"])
      expect(isPython(`${above}${line}\ndef main():\n    return 1\n`), above).toBe(false);
  });

  it.each(["", "\n", "# only a comment\n", "  \r\n"])("%j, which is empty", (source) => {
    expect(isPython(source)).toBe(false);
  });
});

it.each([
  ["python", "L1:\n", true],
  ["opcode", "x = 1\n", false],
])("a file that says it is %s is", (form, source, expected) => {
  for (const above of ["", "\n \n", "\ufeff", "\r\n"])
    expect(isPython(`${above}# surface: ${form} \r\n${source}`)).toBe(expected);
});

it("a file stays what it is when the formatter takes its empty lines away", () => {
  const formatted = format("\n\n# surface: opcode\nT = 1\nL1:\n  J 1\n");
  expect(formatted.ok && isPython(formatted.text)).toBe(false);
});

it("a long run of empty lines takes no longer than reading it", () => {
  expect(isPython(" \n".repeat(200_000))).toBe(false);
  expect(isPython(" ".repeat(400_000))).toBe(false);
  expect(isPython("# \n".repeat(200_000))).toBe(false);
});
