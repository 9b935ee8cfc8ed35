import { describe, expect, it } from "vitest";
import { readBareWord, readCondition } from "../../../compiler/ir/supplied/predecessor/operands.ts";

describe("bare words", () => {
  it.each<[string, unknown]>([
    ["x", { k: "name", v: "x" }],
    ["$x", { k: "var", v: "x" }],
    ["x.a[0]", { k: "path", root: "x", segments: ["a", "0"], text: "x.a[0]" }],
    ['$x["a b"].1', { k: "path", root: "x", segments: ["a b", "1"] }],
    ["12", { k: "num", v: 12 }],
    ["-.5e1", { k: "num", v: -5 }],
    ["1e999", { k: "str", v: "1e999" }],
    ["true", { k: "bool", v: true }],
    ["null", { k: "null" }],
    ["a-b", { k: "str", v: "a-b" }],
    ["/orders", { k: "str", v: "/orders" }],
    ["", { k: "str", v: "" }],
    ["$", { k: "str", v: "$" }],
    ["x.", { k: "str", v: "x." }],
  ])("%s", (word, operand) => {
    expect(readBareWord(word)).toEqual(operand);
  });
});

describe("conditions as text", () => {
  const x = { k: "var", v: "x" };
  it.each<[string, unknown]>([
    ["x", { c: "truthy", of: x }],
    ["$x.ok", { c: "truthy", of: { k: "path", root: "x", segments: ["ok"] } }],
    ["x?", { c: "present", of: x }],
    ["not x", { c: "not", of: { c: "truthy", of: x } }],
    ["!x?", { c: "not", of: { c: "present", of: x } }],
    ["not(x < 2)", { c: "not", of: { c: "cmp", op: "<", left: x, right: { k: "num", v: 2 } } }],
    ["(x.n == null)", { c: "cmp", op: "==", left: { k: "path", root: "x", segments: ["n"] }, right: { k: "null" } }],
    ["not not x", { c: "truthy", of: x }],
    ["x=open", { c: "text_eq", left: x, right: { k: "name", v: "open" } }],
    ["x=", { c: "text_eq", left: x, right: { k: "str", v: "" } }],
    ["x >= 10", { c: "cmp", op: ">=", left: x, right: { k: "num", v: 10 } }],
    ["x!=y", { c: "cmp", op: "!=", left: x, right: { k: "name", v: "y" } }],
    ['x=="a = b"', { c: "cmp", op: "==", left: x, right: { k: "str", v: "a = b" } }],
    [
      "(gt x 1)",
      {
        c: "truthy",
        of: {
          k: "call",
          fn: "gt",
          args: [
            { k: "name", v: "x" },
            { k: "num", v: 1 },
          ],
        },
      },
    ],
    [
      "(and x (y < 2))",
      {
        c: "truthy",
        of: {
          k: "call",
          fn: "and",
          args: [
            { k: "name", v: "x" },
            {
              k: "call",
              fn: "lt",
              args: [
                { k: "name", v: "y" },
                { k: "num", v: 2 },
              ],
            },
          ],
        },
      },
    ],
  ])("%s", (text, condition) => {
    expect(readCondition(text)).toEqual(condition);
  });

  it.each(["", "not", "=x", "a b", "(x", "((x) y)", '(f "a)', `${"(not ".repeat(80)}x${")".repeat(80)}`])(
    "refuses %s",
    (text) => {
      const read = readCondition(text);
      expect(text === "not" ? read : (read ?? null)).toEqual(
        text === "not" ? { c: "truthy", of: { k: "var", v: "not" } } : null,
      );
    },
  );
});
