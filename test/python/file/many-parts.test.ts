/** Programs in which as many parts stand side by side as are allowed compile, and run to the same value as short ones. */
import { describe, expect, it } from "vitest";
import { answerOf } from "../support/weft.ts";

const MANY = 50_000;
const numbered = (write: (at: number) => string): string => Array.from({ length: MANY }, (_, at) => write(at)).join("");

const PROGRAMS: readonly (readonly [what: string, body: string, out: unknown])[] = [
  ["elements of a list", `return len([${"1,".repeat(MANY)}])`, MANY],
  ["elements of a tuple", `return len((${"1,".repeat(MANY)}))`, MANY],
  ["elements of a set", `return len({${numbered((at) => `${at},`)}})`, MANY],
  ["elements besides others", `return len([*[1], ${"1,".repeat(MANY - 1)}])`, MANY],
  ["members of a dict", `return len({${numbered((at) => `${at}:1,`)}})`, MANY],
  ["arguments", `return max(${"1,".repeat(MANY - 1)}2)`, 2],
  ["arguments of a method", `return "{0}".format(${"1,".repeat(MANY)})`, "1"],
  ["arguments of a function of the file", `return count(${"1,".repeat(MANY)})`, MANY],
  ["fields of a text", `x = 1\n    return len(f"${"{x}".repeat(MANY)}")`, MANY],
  ["comparisons", `return ${"1 <= ".repeat(MANY)}2`, true],
  ["operands of and", `return ${"1 and ".repeat(MANY - 1)}2`, 2],
  ["operands of or", `return ${"0 or ".repeat(MANY - 1)}2`, 2],
  ["alternatives of a pattern", `match 2:\n        case ${"1 | ".repeat(MANY - 1)}2:\n            return 3`, 3],
  ["targets", `${"a = ".repeat(MANY)}1\n    return a`, 1],
  ["targets of an unpacking", `${numbered((at) => `a${at}, `)} = range(${MANY})\n    return a5`, 5],
  ["conditions of a comprehension", `return [1 for a in [1]${" if a".repeat(MANY)}]`, [1]],
  ["statements of a line", `${"x = 1;".repeat(MANY)}\n    return x`, 1],
];

describe("as many as are allowed", () => {
  it.each(PROGRAMS)("%s", { timeout: 60_000 }, async (_what, body, out) => {
    const source = `def count(*all):\n    return len(all)\n\n\ndef main():\n    ${body}\n`;
    expect(await answerOf(source)).toMatchObject({ ok: true, out });
  });
});
