/** The generated grammars: what they derive parses, what is clean they derive, and the formats hold what they promise. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { grammarShape } from "../../../compiler/grammar-shape.ts";
import { ebnfOf } from "../../../grammar/generate/ebnf.ts";
import { gbnfOf } from "../../../grammar/generate/gbnf.ts";
import { jsonSchemaOf, type ProgramLine, sourceOfLines } from "../../../grammar/generate/json-schema.ts";
import { railroadOf } from "../../../grammar/generate/railroad.ts";
import { rulesOf } from "../../../grammar/generate/rules.ts";
import { OPS } from "../../../grammar/ops.ts";
import { parse } from "../../../grammar/parse.ts";
import { format } from "../../../grammar/print/print.ts";
import { cleanPrograms } from "../../support/clean-programs.ts";
import { derives, parseGbnf, sampleGbnf } from "../../support/gbnf.ts";
import { grammarSeeds } from "../../support/property-seed.ts";
import { randomOf } from "../../support/random.ts";

const ALL_DECLARATIONS = OPS.filter(({ kind }) => kind === "declaration").map(({ name }) => name);
const open = grammarShape(builtinCatalog);
const everything = grammarShape(builtinCatalog, { declarations: ALL_DECLARATIONS });
const closed = grammarShape(builtinCatalog, {
  closed: { labels: ["1", "2", "end"], names: ["a", "b", "rows"], caches: ["rates"], queues: ["mail"] },
});

describe("GBNF", () => {
  const openGrammar = parseGbnf(gbnfOf(rulesOf(open)));
  const closedGrammar = parseGbnf(gbnfOf(rulesOf(closed)));

  it.each(grammarSeeds())("derives only texts without a fault of form (seed %i)", { timeout: 120_000 }, (seed) => {
    const random = randomOf(seed);
    for (let count = 0; count < 1000; count++) {
      const source = sampleGbnf(openGrammar, random);
      const faults = parse(source).findings.filter(({ code }) => /^WF(1|20)/.test(code));
      expect(
        faults.map(({ code }) => code),
        source,
      ).toEqual([]);
    }
  });

  it.each(grammarSeeds())("passes the strict check when its names are declared (seed %i)", (seed) => {
    const random = randomOf(seed);
    const codes = new Map<string, number>();
    let clean = 0;
    for (let count = 0; count < 100; count++) {
      const result = compile(sampleGbnf(closedGrammar, random), { catalog: builtinCatalog });
      if (result.ok) clean++;
      for (const { code, severity } of result.diagnostics)
        if (severity === "error") codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(clean, JSON.stringify([...codes])).toBeGreaterThanOrEqual(90);
  });

  const grammar = parseGbnf(gbnfOf(rulesOf(everything)));
  const spelled = (source: string): boolean =>
    [...source.matchAll(/^\s*R (\w+)\.(\S+)/gm)].every(([, adapter = "", verb = ""]) => {
      const entry = builtinCatalog.adapter(adapter);
      return entry?.verbs.some(({ name }) => name === verb) === true || entry?.aliases[verb] !== undefined;
    });

  it.each(cleanPrograms().filter(({ source }) => spelled(source)))("derives $name", ({ source }) => {
    const formatted = format(source);
    if (!formatted.ok) throw new Error("does not format");
    const { ok, furthest } = derives(grammar, formatted.text);
    expect(ok, `stuck after ${JSON.stringify(formatted.text.slice(0, furthest).slice(-80))}`).toBe(true);
  });

  it("refuses what is not a program", () => {
    for (const text of ["hello", "L1:\n  Set\n", "L1:\n  R core.ADD 1\n", "L1:\n  J [1,,2]\n", "L1:\n  Loop xs ->L1\n"])
      expect(derives(grammar, text).ok, text).toBe(false);
  });

  it("is the same text every time", () => {
    expect(gbnfOf(rulesOf(open))).toBe(gbnfOf(rulesOf(grammarShape(builtinCatalog))));
  });
});

describe("EBNF and diagrams", () => {
  const rules = rulesOf(everything);

  it("have a production for every op, and no name without one", () => {
    const text = ebnfOf(rules);
    for (const { name, kind } of OPS) if (kind !== "label") expect(text).toContain(`"${name}"`);
    expect(() => parseGbnf(gbnfOf(rules))).not.toThrow();
  });

  it("draw a page that needs nothing else", () => {
    const page = railroadOf(rules);
    expect(page.match(/<svg /g)).toHaveLength(rules.length);
    expect(page).not.toMatch(/<script|https?:\/\/|NaN|Infinity|undefined/);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, name]) => name);
    for (const name of links) expect(page).toContain(`id="${name}"`);
  });
});

describe("JSON Schema", () => {
  const schema = jsonSchemaOf();
  const valid = new Ajv2020({ strict: false }).compile(schema);

  it("describes a program that becomes source", () => {
    const lines: ProgramLine[] = [
      { op: "L", id: "1" },
      { op: "R", target: "core.ADD", args: ["2", "3"], out: "->x" },
      { op: "If", cond: "x > 3", then: "->L2" },
      { op: "L", id: "2" },
      { op: "J", value: "x" },
    ];
    expect(valid({ lines })).toBe(true);
    const source = "L1:\n  R core.ADD 2 3 ->x\n  If x > 3 ->L2\n\nL2:\n  J x\n";
    expect(sourceOfLines(lines)).toEqual({ ok: true, source });
  });

  it.each<[string, unknown, string]>([
    ["no object", "J 1", "/lines/0"],
    ["no op", { value: "1" }, "/lines/0/op"],
    ["an op that is not text", { op: ["J"] }, "/lines/0/op"],
    ["a slot that is a number", { op: "J", value: 1 }, "/lines/0/value"],
    ["an unknown op", { op: "Jump" }, "/lines/0/op"],
    ["a missing slot", { op: "Set", name: "x" }, "/lines/0/value"],
    ["an unknown slot", { op: "J", value: "1", extra: "2" }, "/lines/0/extra"],
    ["a slot named like a part of objects", { op: "J", ["constructor"]: "1" }, "/lines/0/constructor"],
    ["a line end", { op: "J", value: "1\nL2:" }, "/lines/0/value"],
    ["an open string", { op: "J", value: '"a' }, "/lines/0"],
  ])("refuses %s", (_, line, at) => {
    expect(sourceOfLines([line])).toMatchObject({ ok: false, at });
  });

  it("refuses what is not a list", () => {
    expect(sourceOfLines({ lines: [] })).toMatchObject({ ok: false, at: "/lines" });
  });

  it("never throws and never makes more lines than it was given", () => {
    const line = fc.record(
      {
        op: fc.constantFrom("L", "R", "J", "Set", "If", "E", "x"),
        id: fc.string(),
        value: fc.string(),
        name: fc.string(),
      },
      { requiredKeys: ["op"] },
    ) as fc.Arbitrary<ProgramLine>;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const made = sourceOfLines(lines);
        if (!made.ok) return;
        expect(parse(made.source).lines.length).toBeLessThanOrEqual(lines.length);
      }),
      { numRuns: 300 },
    );
  });
});

it("the page of grammars shows what the commands give", () => {
  const page = readFileSync(new URL("../../../docs/grammars.md", import.meta.url), "utf8");
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { lines } = JSON.parse(example) as { lines: ProgramLine[] };
  const made = sourceOfLines(lines);
  expect(made).toEqual({ ok: true, source: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" });
});
