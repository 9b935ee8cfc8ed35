/** The chevrotain grammar of the opcode form: that it is sound, follows the op table, and continues after faults with linear work. */
import { describe, expect, it } from "vitest";
import { EMPTY } from "../../grammar/generate/expression.ts";
import { readProductions, slotsOfRule } from "../../grammar/generate/productions.ts";
import { OPS } from "../../grammar/ops.ts";
import { parse } from "../../grammar/parse.ts";
import { OpcodeParser } from "../../grammar/parser/opcode-parser.ts";
import { ruleNameOf } from "../../grammar/parser/step-parser.ts";
import { executed } from "../support/executed.ts";

const bodies = readProductions(new OpcodeParser().getGAstProductions());
const STEPS = OPS.filter(({ kind }) => kind === "step");

describe("the grammar of the opcode form", () => {
  it("passes chevrotain's own checks with one token of look-ahead", () => {
    expect(() => new OpcodeParser(true)).not.toThrow();
  });

  it.each(STEPS.map((op) => [op.name, op] as const))("has a rule for %s with the slots of the op table", (_, op) => {
    const read = slotsOfRule(bodies.get(ruleNameOf(op)) ?? EMPTY);
    expect(read).toEqual(op.slots.map(({ default: _default, ...slot }) => slot));
  });
});

describe("a fault in one statement", () => {
  it.each([
    ["a missing slot", "Set x", "WF2004"],
    ["a missing condition", "If", "WF2004"],
    ["a comparison without its right side", "If x == ->L1", "WF1009"],
    ["an item without a comma", "J [1 2]", "WF1004"],
    ["a key without a value", 'J {"a": }', "WF1004"],
    ["a mark in the place of a name", "Set = 1", "WF1009"],
    ["a surplus word", "Set x 1 2", "WF9001"],
  ])("leaves the next statement whole: %s", (_, line, code) => {
    const file = parse(`L1:\n  ${line}\n  Set after 1\n`);
    expect(file.findings.map((finding) => finding.code)).toContain(code);
    expect(file.findings.every(({ span }) => span?.line === 2)).toBe(true);
    expect(file.lines.at(-1)).toMatchObject({ kind: "step", step: { op: "Set", name: { name: "after" } } });
  });

  it("is found in each of many statements, with work that grows with their number", { timeout: 60_000 }, async () => {
    const text = (count: number): string => `L1:\n${"  Set x\n  If\n  R\n".repeat(count)}`;
    expect(await growth(text(500), text(4000))).toBeLessThan(16);
  });

  it("does not make a label line with many If and While read again and again", { timeout: 60_000 }, async () => {
    const line = (count: number): string => `L1: ${"If ".repeat(count)}`;
    expect(await growth(line(1000), line(8000))).toBeLessThan(16);
  });
});

/** How many times as much code the second text executes, which is eight times as long: quadratic work would be 64 times as much. */
async function growth(short: string, long: string): Promise<number> {
  const { module, count, end } = await executed<typeof import("../../grammar/parse.ts")>("grammar/parse.ts");
  module.parse(short);
  const blocks = await count(() => module.parse(short));
  const more = await count(() => module.parse(long));
  end();
  return more / blocks;
}

describe("a file of many sections", () => {
  it("counts statements after labels against the bound as those on their own lines", () => {
    const text = `L1: Set a 1 Set b 2\nL2: Set c 3 Set d 4\n`;
    const codes = (statements: number): string[] =>
      parse(text, { limits: { statements } }).findings.map(({ code }) => code);
    expect(codes(3)).toContain("WF1011");
    expect(codes(4)).not.toContain("WF1011");
  });

  it("keeps places and findings across section boundaries", () => {
    const count = 3000;
    const file = parse(`L1:\n${"  Set x 1\n".repeat(count)}  Set y\n  J x\n`);
    expect(file.lines).toHaveLength(count + 3);
    expect(file.findings).toMatchObject([{ code: "WF2004", span: { line: count + 2, column: 3 } }]);
  });
});
