/** The generated grammar of Python: what it derives parses, and it derives programs as people and models write them. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { ebnfOf } from "../../../grammar/generate/ebnf.ts";
import { pythonCharacters, pythonRules } from "../../../grammar/generate/forms/python.ts";
import { gbnfOf } from "../../../grammar/generate/gbnf.ts";
import { railroadOf } from "../../../grammar/generate/railroad.ts";
import { KEYWORDS } from "../../../grammar/python/lexing/tokens.ts";
import { parsePython } from "../../../grammar/python/parse.ts";
import { printPython } from "../../../grammar/python/print/print.ts";
import { caseFiles, readCases } from "../../python/support/case-files.ts";
import { derives, parseGbnf, sampleGbnf } from "../../support/gbnf.ts";
import { grammarSeeds } from "../../support/property-seed.ts";
import { randomOf } from "../../support/random.ts";

const cases = join(dirname(fileURLToPath(import.meta.url)), "../../python/cases");
/** What no production can say: what a statement stands in, and which names others have. */
const OF_THE_WHOLE =
  /^(?:(?:break|continue|return|yield|await|nonlocal)_outside|nonlocal_unbound|(?:global|nonlocal)_(?:late|parameter|and_nonlocal)|parameter_repeated|argument_repeated|capture_repeated)$/;
/** A field of an f-string that stands on several lines. */
const NOT_DERIVED: ReadonlySet<string> = new Set(["tx-fstring"]);
/** Deeper samples are many times as long. */
const DEPTH = 17;

describe("GBNF of Python", () => {
  const text = gbnfOf(pythonCharacters());
  const grammar = parseGbnf(text);

  it.each(grammarSeeds())("derives only what parses (seed %i)", { timeout: 120_000 }, (seed) => {
    const random = randomOf(seed);
    for (let count = 0; count < 500; count++) {
      const source = sampleGbnf(grammar, random, DEPTH);
      const faults = parsePython(source).faults.map(({ fault }) => fault);
      expect(
        faults.filter((fault) => !OF_THE_WHOLE.test(fault)),
        source,
      ).toEqual([]);
    }
  });

  it.each(caseFiles(cases))("derives the programs of %s, formatted", { timeout: 120_000 }, (file) => {
    const stuck = readCases(cases, file).flatMap(({ id, source }) => {
      const formatted = printPython(source);
      if (!formatted.ok || NOT_DERIVED.has(id)) return [];
      const { ok, furthest } = derives(grammar, formatted.text);
      if (ok || compile(source, { catalog: builtinCatalog }).ir === null) return [];
      return [`${id}: ${JSON.stringify(formatted.text.slice(Math.max(0, furthest - 60), furthest + 20))}`];
    });
    expect(stuck).toEqual([]);
  });

  it.each([
    "x = = 1\n",
    "if x:\npass\n",
    "def f(x:\n    return x\n",
    "return return\n",
    "class = 1\n",
    "from m import *\n",
    "x = 3j\n",
    "async for x in y:\n    pass\n",
    'f"{x!q}"\n',
    "L1:\n  J 1\n",
  ])("does not derive %j", (source) => expect(derives(grammar, source).ok).toBe(false));

  it("is the same text every time, and of a size that decoders take", () => {
    expect(gbnfOf(pythonCharacters())).toBe(text);
    expect(text.length).toBeLessThan(120_000);
  });
});

describe("EBNF and diagrams of Python", () => {
  it("have every keyword, and a production for every name", () => {
    const rules = pythonRules();
    const ebnf = ebnfOf(rules);
    for (const word of [...KEYWORDS.keys(), "match", "case"]) expect(ebnf, word).toContain(`"${word}"`);
    expect(() => parseGbnf(gbnfOf(rules.filter(({ name }) => !["indent", "dedent"].includes(name))))).toThrow("dent");
    expect(railroadOf(rules).match(/<svg /g)).toHaveLength(rules.length);
  });
});
