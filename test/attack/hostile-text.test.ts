/** Hostile source texts: nothing throws, no control character gets into a message, and the formatter keeps every meaning. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { format } from "../../grammar/print/print.ts";

const meaning = (text: string): string | null =>
  compile(text, { catalog: builtinCatalog, strict: false }).ir?.checksum ?? null;
const RAW =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "length"];
const named = (name: string): [string, string] => [
  `the name ${name} everywhere`,
  [
    `C ${name} ${name} 60 ${name}\nQ ${name}\nPol ${name} ${name}=1\nTxn ${name}\nD ${name} ${name}:${name}`,
    `E /${name} G ->L${name} ->${name}\n# frame: ${name}: ${name}\nL${name}:`,
    `  CacheGet ${name} ${name} ->${name}\n  Enf ${name}\n  Tx begin ${name}`,
    `  Set o {${name}: 1, "${name}": o.${name}, z: $o.${name}.${name}}\n  X ${name} get o ${name}`,
    `  R ${name}.${name} ${name} ->${name}\n  Filt q [o] ${name} == ${name}\n  Sort q [o] ${name}\n  J ${name}\n`,
  ].join("\n"),
];

const TEXTS: readonly (readonly [string, string])[] = [
  ["two byte order marks", "\uFEFF\uFEFFL1:\n  J 1\n"],
  ["a byte order mark after an empty line", "\n\uFEFFfoo bar\nL1:\n  J 1\n"],
  ["a line of nothing but a vertical tab", "\u000b\nL1:\n  J 1\n"],
  ["a line separator in an unknown line", "foo \u2028\nL1:\n  J 1\n"],
  ["a line separator as verb", "L1:\n  R x \u2028\n  J 1\n"],
  ["a vertical tab after a label", "L1:\u000b\n  J 1\n"],
  ["an endpoint whose target is an arrow", "E /a G ->\nL1:\n  J 1\n"],
  ["a string where a function belongs", "L1:\n  X a ''d\n  J a\n"],
  ["a list where a function belongs", "L1:\n  X a [1,2] d\n  J a\n"],
  ["a question mark before a comparator", "L1:\n  If d?>8 ->L1\n"],
  ["a question mark before a text comparison", "L1:\n  If d?=8 ->L1\n"],
  [
    "terminal escapes in every place",
    "L\x1b[31m1:\n  J \x1b[31mfoo\n  Foo\x1b]0;x\x07 bar\n\u202e evil\n  If \x9b31m ->L\x1b[2J\n",
  ],
  ["NUL and lone surrogates", 'L1\0:\n  J "a\0b\ud800"\n  Set \udc00 1\n'],
  ["carriage returns only", "L1:\r  J 1\r"],
  ["130 000 arrows in one step", `L1:\n  R a.b [\n${`] ${"->x ".repeat(13_000)}[\n`.repeat(10)}]\n`],
  ["60 000 closing brackets", `L1:\n${"  J ]]]]]]]]]]\n".repeat(6_000)}`],
  ["6 000 open brackets", `L1:\n${"  J [\n".repeat(6_000)}`],
  ...NAMES.map(named),
];

describe("hostile text", () => {
  it.each(TEXTS)("%s: messages contain no control characters", (_title, text) => {
    for (const strict of [true, false]) {
      const { diagnostics, ok, ir } = compile(text, { catalog: builtinCatalog, strict });
      expect(ok).toBe(ir !== null);
      for (const { message, suggestion, fix, code } of diagnostics) {
        expect([code, RAW.test(message), RAW.test(suggestion ?? "")]).toEqual([code, false, false]);
        expect(fix === null || fix.edits.length > 0).toBe(true);
      }
    }
  });

  it.each(TEXTS)("%s: formatting keeps the meaning and is idempotent", (_title, text) => {
    const once = format(text);
    if (!once.ok) {
      expect(once.findings.every(({ code }) => /^WF(?:1|61)/.test(code))).toBe(true);
      return;
    }
    const twice = format(once.text);
    if (!twice.ok) {
      // Steps over many lines may not fit on one.
      expect(twice.findings.map(({ code }) => code)).toEqual(["WF1011"]);
      return;
    }
    expect(twice).toEqual(once);
    expect(meaning(once.text)).toBe(meaning(text));
  });

  it("a nested host function is refused in non-strict mode next to another fault of its step", () => {
    const { ok, diagnostics } = compile("L1:\n  J (now) ==\n", { catalog: builtinCatalog, strict: false });
    expect([ok, diagnostics.map(({ code }) => code)]).toEqual([false, ["WF5005", "WF1009"]]);
  });

  it("a broken module with very many findings is reported like any other", () => {
    const text = `LENTRY:\n  J [\n${Array.from({ length: 130_000 }, (_, i) => `q${i.toString(36)},`).join("\n")}]\nLEXIT_1:\n  J 1\n`;
    const reader = { read: () => ({ ok: true, identity: "m", text }) as const };
    const result = compile('include "m.wf" as m\nL1:\n  J 1\n', { catalog: builtinCatalog, includes: reader });
    expect(result.ok).toBe(false);
    expect(result.diagnostics.some(({ code }) => code === "WF3016")).toBe(true);
  });
});
