import { describe, expect, it } from "vitest";
import { parsePython } from "../../../grammar/python/parse.ts";
import { checkedParser } from "../../../grammar/python/parser/python-parser.ts";
import { dumpTree } from "./dump.ts";

function treeOf(source: string): string {
  const { module, faults } = parsePython(source);
  expect(faults).toEqual([]);
  return module === null ? "" : dumpTree(module);
}

function faultOf(source: string): string | undefined {
  return parsePython(source).faults[0]?.fault;
}

describe("the parser of the Python form", () => {
  it("gives operators CPython's precedence", () => {
    expect(treeOf("-a ** 2 + b * c\n")).toBe(
      '(Module [(Expr@0-15 (BinOp@0-15 (UnaryOp@0-7 - (BinOp@1-7 (Name@1-2 "a") ** (Constant@6-7 int 2))) + (BinOp@10-15 (Name@10-11 "b") * (Name@14-15 "c"))))])',
    );
  });

  it("has a grammar that chevrotain finds no fault in", () => {
    expect(() => checkedParser()).not.toThrow();
  });

  it("reads match as a statement only where its line is one", () => {
    expect(treeOf("match = 1\n")).toContain("Assign");
    expect(treeOf("match(x)\n")).toContain("Call");
    expect(treeOf("match x:\n  case [1, *_] if case: pass\n")).toContain("MatchStar");
  });

  it("tells one fault, the first", () => {
    expect(faultOf("x = (1]\ny = ]\n")).toBe("bracket_mismatched");
    expect(faultOf("x = 1 +\ny = 'open\n")).toBe("syntax");
    expect(faultOf("y = 'open\nx = 1 +\n")).toBe("text_unterminated");
  });
});
