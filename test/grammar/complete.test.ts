/** The prefix engine: every beginning of a program can be continued, and what is offered continues it. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { grammarShape } from "../../compiler/grammar-shape.ts";
import { complete } from "../../grammar/complete.ts";
import { plausible } from "../../grammar/plausible.ts";
import { cleanPrograms } from "../support/clean-programs.ts";

/** Long programs have thousands of places. */
const MANY_PLACES_MS = 120_000;

const shape = grammarShape(builtinCatalog);
const next = (prefix: string) => complete(prefix, shape);
const texts = (prefix: string) =>
  next(prefix)
    .items.filter((one) => one.class !== "end")
    .map(({ text }) => text);

describe.each(cleanPrograms())("$name", ({ source }) => {
  it("is plausible at every place", { timeout: MANY_PLACES_MS }, () => {
    for (let at = 0; at <= source.length; at++) expect(plausible(source.slice(0, at)), source.slice(0, at)).toBe(true);
  });

  it("is continued by some candidate at every fifth place", { timeout: MANY_PLACES_MS }, () => {
    for (let at = 0; at <= source.length; at += 5) {
      const prefix = source.slice(0, at);
      const { from, items } = next(prefix);
      expect(
        items.some(({ text }) => plausible(prefix.slice(0, from) + text)),
        JSON.stringify(prefix),
      ).toBe(true);
    }
  });
});

describe("what may come next", () => {
  it.each([
    ["at the start", "", "statement", null, null, ["op", "label"]],
    ["after the beginning of an op word", "L1:\n  Se", "statement", null, null, ["op", "label"]],
    ["a call", "L1:\n  R ", "slot", "R", "target", ["call"]],
    ["the verb of a split call", "L1:\n  R http ", "slot", "R", "target", ["verb"]],
    ["arguments and the result", "L1:\n  R http.Get ", "slot", "R", "args", ["operand", "out"]],
    ["a name", "L1:\n  Set ", "slot", "Set", "name", ["name"]],
    ["a function", "L1:\n  X a ", "slot", "X", "fn", ["fn"]],
    ["a condition", "L1:\n  If ", "slot", "If", "cond", ["cond"]],
    ["a label or a comparison", "L1:\n  If x ", "slot", "If", "then", ["ref", "cmp"]],
    ["the second label", "L1:\n  If x ->L2 ", "slot", "If", "else", ["ref"]],
    ["inside brackets", "L1:\n  Set a (", "slot", "Set", null, ["fn", "operand"]],
    ["a key", 'L1:\n  Set a {"k": 1, ', "slot", "Set", null, ["key", "close"]],
    ["on a continued line", "L1:\n  Set a [\n    1,\n    ", "slot", "Set", null, ["operand", "close"]],
    ["a slot of a declaration", "E /x ", "slot", "E", "method", ["method"]],
    ["in a string", 'L1:\n  J "a', "string", null, null, ["close"]],
    ["in a comment", "L1:\n  J 1 # a", "comment", null, null, ["end"]],
    ["a step on a label line", "L1: J ", "slot", "J", "value", ["operand"]],
  ] as const)("%s", (_, prefix, state, op, slot, classes) => {
    expect(next(prefix)).toMatchObject({ state, op, slot, classes });
  });

  it("offers what is at hand", () => {
    expect(texts("L1:\n  R http.G")).toEqual(["http.Get"]);
    expect(texts("L1:\n  R http ")).toContain("Post");
    expect(texts("L1:\n  Set total 1\n  J to")).toEqual(["total"]);
    expect(texts("# frame: city\nL1:\n  J $")).toContain("$city");
    expect(texts("C rates pair 300\nL1:\n  CacheGet ")).toContain("rates");
    expect(texts("L1:\n  If x ->")).toEqual(["->L1"]);
    expect(texts("L1:\n  Set a (starts")).toEqual(["startswith"]);
    expect(texts("L1:\n  Sort s rows name d")).toEqual(["desc"]);
  });

  it("takes names from around the prefix", () => {
    const around = { ...shape, labels: ["later"], names: ["below"] };
    expect(complete("L1:\n  If bel", around).items.map(({ text }) => text)).toContain("below");
    expect(complete("L1:\n  Call ", around).items.map(({ text }) => text)).toContain("Llater");
  });

  it("says where the word at the caret begins", () => {
    expect(next("L1:\n  Set a (add x").from).toBe("L1:\n  Set a (add ".length);
    expect(next("L1:\n  J ").from).toBe("L1:\n  J ".length);
  });
});

it.each([
  ["a long word", `L1: J ${"a".repeat(500_000)} `],
  ["a long text", `L1: J "${"a".repeat(500_000)}" `],
  ["many declarations", "E /p G L1\n".repeat(90_000)],
  ["many brackets above many lines", `${"L1: Set x [\n".repeat(40_000)}${"S a b\n".repeat(80_000)}`],
  ["brackets inside brackets", `L1: J ${"[".repeat(200_000)}${"][".repeat(200_000)}`],
])("answers after %s", (_what, prefix) => {
  expect(next(prefix).from).toBeLessThanOrEqual(prefix.length);
  plausible(prefix);
});

it.each(["hello world ", "L1:\n  Set\n", "L1:\n  J 1e999 ", "L1:\n  J )", 'L1:\n  J "a\n', "L1:\n  Set 5 ", "Nope 1"])(
  "no program begins with %j",
  (prefix) => {
    expect(plausible(prefix)).toBe(false);
  },
);
