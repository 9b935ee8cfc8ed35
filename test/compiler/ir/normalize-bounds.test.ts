/** The checks of supplied IR (docs/ir.md, IR from outside): each bound from both sides, and values that are not JSON. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";
import { give, num, rawIr, set } from "./samples.ts";

const MIB = 1024 * 1024;
const program = () => rawIr({ "1": [set(), give()] });
/** What is found of a program with a member that nothing reads: only the door looks at it. */
const found = (extra: unknown): string[] => issuesOf({ ...program(), extra });
const issuesOf = (input: unknown): string[] => {
  const result = normalize(input, builtinCatalog);
  return result.ok ? [] : result.issues.map(({ code, path }) => `${code} ${path}`);
};
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
/** `count` times the same item: one in memory, many as JSON. */
const many = (count: number, item: unknown): unknown[] => Array(count).fill(item);
const TOO_LARGE = "too_large ";

describe("text", () => {
  it.each([
    ["of one byte a character", "x", MIB],
    ["of two", "é", MIB / 2],
    ["of three, at most", "€", Math.floor(MIB / 3)],
    ["of four, which are two units", "😀", MIB / 4],
  ])("%s has at most 1 MiB as UTF-8", (_title, character, most) => {
    expect(found(character.repeat(most))).toEqual([]);
    expect(found(character.repeat(most + 1))).toEqual(["too_large /extra"]);
  });

  it("is as long as a name of a member", () => {
    expect(found({ ["é".repeat(MIB / 2)]: 1 })).toEqual([]);
    expect(found({ ["é".repeat(MIB / 2 + 1)]: 1 })).toEqual([`too_large /extra/${"é".repeat(200)}…`]);
  });
});

it("admits what the compiler makes of functions with long names in each other", () => {
  const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(200));
  const inner = `        def ${c}(): return 1\n        return ${c}() + max(${c}() for _ in [1])\n`;
  const source = `def ${a}():\n    def ${b}():\n${inner}    return ${b}()\n\ndef main():\n    return ${a}()\n`;
  const { ir, diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics).toEqual([]);
  expect(issuesOf(JSON.parse(JSON.stringify(ir)))).toEqual([]);
});

it("lists and objects are nested in each other 256 times at most, the program included", () => {
  expect(found(nested(255))).toEqual([]);
  expect(found(nested(256))).toEqual([`too_large /extra${"/0".repeat(255)}`]);
});

describe("8 MiB of JSON", () => {
  const KIB = 1024;
  /** Texts that leave about 64 KiB. */
  const filled = [...many(7, "x".repeat(MIB - 8)), "x".repeat(MIB - 64 * KIB)];
  const wide = Object.fromEntries(many(300, 1).map((one, index) => [`m${index}`, one]));

  it.each<[string, unknown, number]>([
    ["numbers", 1, 2],
    ["booleans", true, 5],
    ["null", null, 5],
    ["texts", "abc", 6],
    ["empty lists", [], 3],
    ["empty objects", {}, 3],
    ["lists, and what is in them", many(1000, 1), 2003],
    ["names of members, seen before", { abcdefgh: 1 }, 15],
    ["names of members, more than are remembered", wide, JSON.stringify(wide).length],
  ])("are counted in %s", (_title, item, size) => {
    expect(found([...filled, many(Math.floor((48 * KIB) / size), item)])).toEqual([]);
    expect(found([...filled, many(Math.ceil((80 * KIB) / size), item)])).toEqual([TOO_LARGE]);
  });

  it("are the end of reading, in a list as in an object", () => {
    let read = 0;
    const endless = new Proxy([], {
      get: (_list, member) => {
        if (member === "length") return Number.MAX_SAFE_INTEGER;
        read += 1;
        return 1;
      },
    });
    expect(found([...filled, endless, endless])).toEqual([TOO_LARGE]);
    expect(read).toBeLessThanOrEqual(64 * KIB);
    let texts = 0;
    const text = {
      enumerable: true,
      get: () => {
        texts += 1;
        return "x".repeat(MIB - KIB);
      },
    };
    const members = Object.fromEntries(many(100, text).map((member, index) => [`m${index}`, member]));
    expect(found(Object.defineProperties({}, members as PropertyDescriptorMap))).toEqual([TOO_LARGE]);
    expect(texts).toBe(9);
  });
});

describe("a value", () => {
  it.each<[string, unknown, string]>([
    ["a function", () => 1, "schema /extra"],
    ["a symbol", Symbol("x"), "schema /extra"],
    ["a big integer", 1n, "schema /extra"],
    ["a hole in a list", [1, undefined], "schema /extra/1"],
    ["no number", [{ a: Number.NaN }], "bad_number /extra/0/a"],
    ["infinite", Number.NEGATIVE_INFINITY, "bad_number /extra"],
  ])("that is %s is not JSON", (_title, extra, expected) => expect(found(extra)).toEqual([expected]));

  it("as a whole is found without a place", () => {
    for (const input of [undefined, () => 1, 1n]) expect(issuesOf(input)).toEqual(["schema "]);
    expect(issuesOf(Number.NaN)).toEqual(["bad_number "]);
  });

  it("that is not there counts as left out", () => expect(found(undefined)).toEqual([]));

  it("of zero has no sign", () => {
    const result = normalize(rawIr({ "1": [set("x", num(-0)), give()] }), builtinCatalog);
    expect(result.ok && result.ir.nodes[0]?.data).toEqual({ name: "x", value: { k: "num", v: 0 } });
  });
});
