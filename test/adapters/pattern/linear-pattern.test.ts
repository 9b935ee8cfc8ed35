/** Expressions from outside say the same as those of the engine, and no text holds them up. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LinearPattern } from "../../../adapters/content/linear-pattern.ts";
import { PatternFault } from "../../../vm/pattern/syntax.ts";

describe("what an expression says is what the engine says", () => {
  it.each<readonly [string, readonly string[]]>([
    ["", ["", "x"]],
    ["^$", ["", "x", "\n"]],
    ["^[a-z][a-z0-9_]{1,30}$", ["ab", "a", "1a", `a${"b".repeat(30)}`, `a${"b".repeat(31)}`, "aB"]],
    ["^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$", ["1.2.3.4", "1.2.3", "1.2.3.4.5", "a.b.c.d"]],
    ["^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$", ["a", "a-b", "a-", "-a", ""]],
    ["^\\S+@\\S+$", ["a@b", "a b@c", "@", "a@", "@b", "a@b@c"]],
    ["^(?=.*[a-z])(?=.*[0-9]).{4,8}$", ["abc1", "abcd", "1234", "a1", "abcdefgh1", "ABC1a"]],
    ["^(?!.*\\.\\.)[a-z.]+$", ["a.b", "a..b", "", ".."]],
    ["(?<=\\$)[0-9]+(?!€)", ["$12", "12", "$1€", "€12"]],
    ["(?<!a)b(?<=ab|cb)", ["cb", "ab", "b", "xb"]],
    ["\\bfoo\\b", ["a foo b", "foobar", "foo", "_foo", "foo-"]],
    ["\\Boo", ["foo", "oo", " oo"]],
    ["a{2}b{2,}c{0,1}d{0}e?", ["aabb", "aab", "aabbbcde", "aabbe"]],
    ["x{,3}|y{|z{a}", ["x{,3}", "y{", "z{a}", "xxx"]],
    ["[]|[^]", ["", "a", "\n"]],
    ["[\\]\\\\/^-]", ["]", "\\", "/", "^", "-", "a"]],
    ["^.$", ["a", "\n", "\u2028", "😀", "\ud83d"]],
    ["^[^\\w\\s]$", ["-", "a", " ", "ß"]],
    ["\\x41\\u0042\\cJ\\0\\t\\-", ["AB\n\0\t-", "AB"]],
    ["^(?<year>\\d{4})-(?<month>\\d{2})$", ["2024-01", "2024-1"]],
    ["(a|ab)(c|bcd)(d*)$", ["abcd", "acd", "abc", "abd"]],
    ["^(?:a?){3}a{3}$", ["aaa", "aaaaaa", "aa", "aaaaaaa"]],
    ["(?:(?=a))*b", ["b", "ab"]],
    ["(?=a)*b", ["b"]],
    ["😀+", ["😀", "😀😀", "\ude00"]],
  ])("%j", (source, texts) => {
    for (const flags of ["", "u"] as const) {
      if (flags === "u" && !isExpression(source, flags)) continue;
      const ours = new LinearPattern(source, flags);
      const engine = new RegExp(source, flags);
      for (const text of texts) expect([flags, text, ours.test(text)]).toEqual([flags, text, engine.test(text)]);
    }
  });

  it.each([
    ["^\\p{L}+$", "aßÆ", true],
    ["^\\p{L}+$", "a1", false],
    ["^.$", "😀", true],
    ["^[😀-😎]{2}$", "😁😂", true],
    ["^\\u{1F600}\\ud83d\\ude00$", "😀😀", true],
    ["^\\P{ASCII}$", "é", true],
  ])("of code points: %s with %s", (source, text, expected) => {
    expect(new LinearPattern(source, "u").test(text)).toBe(expected);
  });

  const letter = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\b", "\\B", "^", "$", "");
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      letter,
      fc.tuple(tie("expression"), tie("expression")).map(([one, other]) => `${one}${other}`),
      fc.tuple(tie("expression"), tie("expression")).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie("expression"), fc.constantFrom("*", "+", "?", "*?", "{2}", "{1,2}", "{0,1}?", "{1,}"))
        .map(([one, times]) => `(${one})${times}`),
      fc.tuple(tie("expression"), fc.constantFrom("?=", "?!", "?<=", "?<!")).map(([one, look]) => `(${look}${one})`),
    ),
  }));

  it("for expressions and texts of any kind", () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", "\n", "é"), maxLength: 7 }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(expression, texts, fc.constantFrom("" as const, "u" as const), (source, given, flags) => {
        const ours = new LinearPattern(source, flags);
        const engine = new RegExp(source, flags);
        for (const text of given) expect([text, ours.test(text)]).toEqual([text, engine.test(text)]);
      }),
      { numRuns: 2_000 },
    );
  });
});

function isExpression(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

describe("no text holds an expression up", () => {
  const long = 100_000;
  it.each([
    ["^(a+)+$", `${"a".repeat(long)}!`],
    ["^(a|a)*$", `${"a".repeat(long)}!`],
    ["^(a|aa)+$", `${"a".repeat(long)}!`],
    ["(.*)*x", "a".repeat(long)],
    ["\\s+$", `${" ".repeat(long)}x`],
    ["^\\S+@\\S+$", `${"@".repeat(long)} `],
    ["(?=(a+)+$)b", `${"a".repeat(long)}!`],
    ["^(?:(?:a*)*)*$", `${"a".repeat(long)}!`],
    ["(?<=^(a+)+)b", "a".repeat(long)],
  ])("%s", (source, text) => {
    expect(new LinearPattern(source).test(text)).toBe(false);
  });

  it("one that would take more than its share is given up", () => {
    // After each character it may be in any of a thousand places.
    const pattern = new LinearPattern("[ab]*a[ab]{1000}c");
    let seed = 1;
    const letter = (): string => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 2 === 0 ? "a" : "b";
    };
    const text = Array.from({ length: long }, letter).join("");
    expect(() => pattern.test(text)).toThrow(expect.objectContaining({ code: "ADAPTER_TOO_LARGE" }));
    expect(pattern.test(`a${"b".repeat(1000)}c`)).toBe(true);
  });

  it("many kinds of characters are given up, too", () => {
    const sets = Array.from({ length: 900 }, (_, at) => `[^${String.fromCharCode(0x4e00 + at)}]`).join("");
    const text = Array.from({ length: 60_000 }, (_, at) => String.fromCharCode(at)).join("");
    expect(() => new LinearPattern(sets).test(text)).toThrow(expect.objectContaining({ code: "ADAPTER_TOO_LARGE" }));
  });
});

describe("what cannot be had is refused when it is made", () => {
  it.each([
    ["(a)\\1", "it refers back to what a group has matched"],
    ["(?<x>a)\\k<x>", "it refers back to what a group has matched"],
    ["\\8", "it refers back to what a group has matched"],
    ["\\c1", "it has a part that is not understood"],
    ["a{6000}", "it stands for more than 5000 steps"],
    ["(((a{100}){100}){100}){100}", "it stands for more than 5000 steps"],
    ["(?:(?:a{9999}){9999}){0}b{9999}", "it stands for more than 5000 steps"],
    ["a{99999999999999999999}", "it stands for more than 5000 steps"],
    ["(){9999999}", "it stands for more than 5000 steps"],
    ["a".repeat(10_001), "it has more than 10000 characters"],
    [`${"(".repeat(101)}${")".repeat(101)}`, "its groups are nested deeper than 100"],
    ["(?=a)".repeat(17), "it looks ahead or back in more than 16 places"],
    [
      Array.from({ length: 1001 }, (_, at) => String.fromCharCode(0x4e00 + at)).join(""),
      "it has more than 1000 kinds of characters",
    ],
  ])("%#: %s", (source, why) => {
    expect(() => new LinearPattern(source)).toThrow(new PatternFault(why));
  });

  it("no expression at all", () => {
    expect(() => new LinearPattern("(")).toThrow(SyntaxError);
  });
});
