/** The generated grammar of the indented form: what it derives parses, and programs of that form are derived. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { grammarShape } from "../../../compiler/grammar-shape.ts";
import { BLOCK_LEVELS } from "../../../grammar/generate/forms/indented.ts";
import { gbnfOf } from "../../../grammar/generate/gbnf.ts";
import { rulesOf } from "../../../grammar/generate/rules.ts";
import { OPS } from "../../../grammar/ops.ts";
import { parse } from "../../../grammar/parse.ts";
import { format } from "../../../grammar/print/print.ts";
import { isIndented } from "../../../grammar/surface.ts";
import { derives, parseGbnf, sampleGbnf } from "../../support/gbnf.ts";
import { grammarSeeds } from "../../support/property-seed.ts";
import { randomOf } from "../../support/random.ts";
import { programTexts } from "../../support/wf-texts.ts";

const declarations = OPS.filter(({ kind }) => kind === "declaration").map(({ name }) => name);
const open = grammarShape(builtinCatalog);
const everything = grammarShape(builtinCatalog, { declarations });
const closed = grammarShape(builtinCatalog, {
  closed: {
    labels: ["main", "second", "last"],
    names: ["city", "limit_of", "rows"],
    caches: ["rates"],
    queues: ["mail"],
  },
});
/** Sentences stay short: expressions have many forms. */
const DEPTH = 12;

const ADAPTERS = open.adapters?.map(({ name }) => name) ?? [];
const BARE_ADAPTER = new RegExp(String.raw`(?<![\p{L}\p{Nd}_$@.])(?:${ADAPTERS.join("|")})(?![\p{L}\p{Nd}_.])`, "u");

/** `x = a.b` calls an adapter unless `a` is a variable, so other names before a dot are set in a graph of their own. */
function withNames(source: string): string {
  const roots = source.matchAll(/(?<![\p{L}\p{Nd}_$@.])([\p{L}_][\p{L}\p{Nd}_]*)\./gu);
  const names = new Set([...roots].map(([, name = ""]) => name).filter((name) => !ADAPTERS.includes(name)));
  return `${source}\nnames_of_all:\n${[...names].map((name) => `  ${name} = 1\n`).join("")}  out 1\n`;
}

/** An open grammar knows neither which graphs exist nor what they take. */
function isOfNames(finding: { readonly code: string; readonly suggestion?: string | null | undefined }): boolean {
  return finding.code === "WF1108" || / takes /.test(finding.suggestion ?? "");
}

describe("GBNF of the indented form", () => {
  const openGrammar = parseGbnf(gbnfOf(rulesOf(open, "indented")));
  const closedGrammar = parseGbnf(gbnfOf(rulesOf(closed, "indented")));

  it.each(grammarSeeds())("derives only texts without a fault of form (seed %i)", { timeout: 120_000 }, (seed) => {
    const random = randomOf(seed);
    for (let count = 0; count < 1000; count++) {
      const source = withNames(sampleGbnf(openGrammar, random, DEPTH));
      // Where `fs` is a variable, `fs.list()` does not call an adapter; an open grammar does not know.
      if (BARE_ADAPTER.test(source)) continue;
      const faults = parse(source).findings.filter((finding) => /^WF(1|20)/.test(finding.code) && !isOfNames(finding));
      expect(faults, source).toEqual([]);
    }
  });

  it.each(grammarSeeds())("writes names that are declared when it is closed (seed %i)", (seed) => {
    const random = randomOf(seed);
    const codes = new Map<string, number>();
    let clean = 0;
    for (let count = 0; count < 30; count++) {
      const result = compile(sampleGbnf(closedGrammar, random, DEPTH), { catalog: builtinCatalog });
      // No grammar knows types: a written text may stand where a number is computed with.
      const errors = result.diagnostics.filter(({ code, severity }) => severity === "error" && code !== "WF5013");
      if (errors.length === 0) clean++;
      for (const { code } of errors) codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(clean, JSON.stringify([...codes])).toBeGreaterThanOrEqual(27);
  });

  const grammar = parseGbnf(gbnfOf(rulesOf(everything, "indented")));
  /** Read, but not generated: steps of the opcode form that have a form of their own here, declarations in graphs, tabs, `n>5`, other spellings. */
  const isWrittenOtherwise = (text: string): boolean =>
    /^\s+(?:Set|J|If|Loop|While|X|R|Call|Filter|[A-Z]) |\bcore\.add|\t|^~~~|^\w+:\n(?:.*\n)*? {8}\S|\w(?:[<>]|[=!<>]=)[\w"]/m.test(
      text,
    );
  /** Verbs that an operator names: no catalog knows them. */
  const callsOperatorsVerb = (text: string): boolean => /\b(?:svc\.web|tools\.sum)\(/.test(text);
  const programs = programTexts().filter((text) => {
    if (!isIndented(text) || isWrittenOtherwise(text) || callsOperatorsVerb(text)) return false;
    const { ok, diagnostics } = compile(text, { catalog: builtinCatalog });
    return ok && diagnostics.every(({ severity }) => severity === "hint");
  });

  it("has programs to derive", () => expect(programs.length).toBeGreaterThan(30));

  it.each(programs)("derives %j", (text) => {
    const formatted = format(text);
    if (!formatted.ok) throw new Error("does not format");
    const { ok, furthest } = derives(grammar, formatted.text.replace(/\n*$/, "\n"));
    expect(ok, `stuck after ${JSON.stringify(formatted.text.slice(0, furthest).slice(-80))}`).toBe(true);
  });

  it("derives comprehensions over the entries of a map", () => {
    const source = "main(d):\n  a = {k: v for k, v in d if v > 1}\n  out [k for k, v in d]\n";
    expect(derives(grammar, source).ok).toBe(true);
    expect(parse(source).findings).toEqual([]);
  });

  it.each(["main:\n  x = R #2s;\n  out x\n", "main:\n  R = 1\n  x = R if R > 0 else 2\n  out x\n"])(
    "reads a variable that is called like the word of a call: %j",
    (source) => {
      expect(parse(source).findings.map(({ code }) => code)).toEqual([]);
    },
  );

  it("bounds blocks to a number of levels", () => {
    const nested = (levels: number): string => {
      const heads = Array.from(
        { length: levels },
        (_, level) => `${"  ".repeat(level)}${level === 0 ? "main:" : "if a:"}\n`,
      );
      return `${heads.join("")}${"  ".repeat(levels)}out 1\n`;
    };
    expect(derives(grammar, nested(BLOCK_LEVELS)).ok).toBe(true);
    expect(derives(grammar, nested(BLOCK_LEVELS + 1)).ok).toBe(false);
  });

  it("refuses what is not a program", () => {
    for (const text of [
      "hello",
      "main:\n",
      "main:\nout 1\n",
      "main:\n  x = \n",
      "main:\n  if a:\n  out 1\n",
      "main:\n  break\n",
    ])
      expect(derives(grammar, text).ok, text).toBe(false);
  });
});
