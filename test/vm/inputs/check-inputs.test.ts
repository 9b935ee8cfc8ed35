/** I-1 to I-4: what a program declares is what it gets. The rules of one frame; the doors are in test/surfaces/inputs.test.ts. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { checkInputs, InputInvalid, inputCheckOf } from "../../../vm/inputs/check-inputs.ts";
import { textReaderOf } from "../../../vm/inputs/from-text.ts";

function irOf(code: string): Ir {
  const { ir, diagnostics } = compile(code, { catalog: builtinCatalog, strict: false });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  return ir;
}

const declaring = (types: string, records = ""): Ir => irOf(`${records}# frame: ${types}\nL1:\n  J 1\n`);

/** Problems as `path code message`; [] when the frame is taken. */
function problemsOf(ir: Ir, frame: object): readonly string[] {
  const found = inputCheckOf(ir, ir.entry)?.(frame as Record<string, unknown>) ?? null;
  return (found?.problems ?? []).map(({ path, code, message }) => `${path} ${code} ${message}`);
}

const ORDER = "D Order id:I total:F note:S? lines:A[Line] kind:E[sale,return]\nD Line sku:S qty:I next:Line?\n";
const order = { id: 1, total: 2.5, lines: [], kind: "sale" };

describe("I-1: a value of another type than declared is a problem with pointer, declared type and found type", () => {
  it.each<[string, unknown, string | null]>([
    ["number", 1.5, null],
    ["number", "1", "expected number, found text"],
    ["number", null, "expected number, found null"],
    ["number?", null, null],
    ["number?", "1", "expected number, found text"],
    ["integer", 3, null],
    ["integer", 3.5, "expected integer, found a number that is not whole"],
    ["I", true, "expected integer, found boolean"],
    ["text", "", null],
    ["text", 5, "expected text, found number"],
    ["boolean", false, null],
    ["boolean", "false", "expected boolean, found text"],
    ["list", [], null],
    ["list", {}, "expected list, found map"],
    ["map", {}, null],
    ["map", [], "expected map, found list"],
    ["any", null, null],
    ["J", [], null],
    ["D", "2030-01-31", null],
    ["D", "2030-01-31T08:00:00Z", null],
    ["D", "2030-02-30", "expected a date such as 2030-01-31, found text"],
    ["E[a,b]", "b", null],
    ["E[a,b]", "c", "expected one of a, b, found another text"],
    ["E[a,b]", 1, "expected one of a, b, found number"],
    ["A[number]", [1, 2], null],
    ["A[number]", 1, "expected list, found number"],
  ])("%s takes %j: %s", (type, value, message) => {
    expect(problemsOf(declaring(`n: ${type}`), { n: value })).toEqual(
      message === null ? [] : [`/n input_type ${message}`],
    );
  });

  it("refuses under strict with the pointers, and warns otherwise", () => {
    const ir = declaring("n: number");
    expect(() => checkInputs(ir, "1", { n: "x" }, "strict")).toThrow(InputInvalid);
    expect(() => checkInputs(ir, "1", { n: "x" }, "strict")).toThrow("input /n: expected number, found text");
    expect(checkInputs(ir, "1", { n: "x" }, "loose")).toEqual(["input_type: /frame/n: expected number, found text"]);
    expect(checkInputs(ir, "1", { n: "x" }, "checked")).toEqual([]);
  });

  it("never shows a value", () => {
    expect(JSON.stringify(problemsOf(declaring("n: number, e: E[a]"), { n: "hunter2", e: "hunter2" }))).not.toContain(
      "hunter2",
    );
  });

  it.each<[object, readonly string[]]>([
    [{ amount: 1, extra: 2 }, ["input_unknown: the program does not declare 'extra'"]],
    [{ amuont: 1 }, ["input_unknown: the program does not declare 'amuont'; did you mean amount?"]],
    [{ amount: 1, amounts: 2 }, ["input_unknown: the program does not declare 'amounts'; did you mean amount?"]],
  ])("warns about members that are not declared: %j", (frame, warnings) => {
    expect(checkInputs(declaring("amount: number"), "1", frame as Record<string, unknown>, "strict")).toEqual(warnings);
  });

  it("names ten members that are not declared, and counts the others", () => {
    const frame = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`other_member_${at}`, at]));
    const warnings = checkInputs(declaring("amount: number"), "1", frame, "strict");
    expect([warnings.length, warnings.at(-1)]).toEqual([
      11,
      "warnings_left_out: 4 more members that the program does not declare",
    ]);
  });

  it.each(["constructor", "__proto__", "toString"])("knows own members only: %s", (name) => {
    const ir = declaring(`${name}: number`);
    expect(problemsOf(ir, {})).toEqual([]);
    expect(problemsOf(ir, JSON.parse(`{"${name}": "x"}`))).toEqual([`/${name} input_type expected number, found text`]);
  });

  it("accepts any of the types that several declarations give", () => {
    const ir = irOf("# frame: n: number\n# frame: n: text\nL1:\n  J n\n");
    expect(problemsOf(ir, { n: 1 })).toEqual([]);
    expect(problemsOf(ir, { n: "a" })).toEqual([]);
    expect(problemsOf(ir, { n: [] })).toEqual(["/n input_type expected number, found list"]);
  });
});

describe("I-2: record types are checked deeply, and required inputs must be there", () => {
  it.each<[object, readonly string[]]>([
    [order, []],
    [{ ...order, note: null, extra: 1 }, []],
    [{ ...order, id: "x" }, ["/o/id input_type expected integer, found text"]],
    [{ ...order, total: undefined }, ["/o/total input_type expected number, found undefined"]],
    [{ id: 1, total: 1, kind: "sale" }, ["/o/lines input_missing expected list[Line], found nothing"]],
    [
      { ...order, lines: [{ sku: "a", qty: 1 }, { qty: "2" }] },
      [
        "/o/lines/1/sku input_missing expected text, found nothing",
        "/o/lines/1/qty input_type expected integer, found text",
      ],
    ],
    [
      { ...order, lines: [{ sku: "a", qty: 1, next: { sku: "b", qty: 1, next: { sku: 5, qty: 1 } } }] },
      ["/o/lines/0/next/next/sku input_type expected text, found number"],
    ],
    [[], ["/o input_type expected Order, found list"]],
  ])("%j", (value, problems) => {
    expect(problemsOf(declaring("o: Order", ORDER), { o: value })).toEqual(problems);
  });

  it("reports the first ten problems", () => {
    const lines = Array.from({ length: 100 }, () => ({}));
    expect(problemsOf(declaring("o: Order", ORDER), { o: { ...order, lines } })).toHaveLength(10);
  });

  it("needs an input whose name ends with ! in every run", () => {
    const ir = irOf("# frame: n!: number, other\nL1:\n  J n\n\nL2:\n  J 2\n");
    for (const entry of ["1", "2"]) {
      const found = inputCheckOf(ir, entry)?.({ other: 1 });
      expect(found?.problems).toEqual([
        { path: "/n", code: "input_missing", message: "expected number, found nothing" },
      ]);
    }
    expect(checkInputs(ir, "1", {}, "loose")).toEqual(["input_missing: /frame/n: expected number, found nothing"]);
  });

  it("needs those of a function in runs that begin at it", () => {
    const ir = irOf("def start(a: float, b=None):\n    return helper(a)\n\ndef helper(c: str):\n    return c\n");
    expect(problemsOf(ir, {})).toEqual(["/a input_missing expected number, found nothing"]);
    expect(inputCheckOf(ir, "helper")?.({})?.problems.map(({ path }) => path)).toEqual(["/c"]);
  });
});

it("I-3: has no check where nothing is declared", () => {
  expect(inputCheckOf(irOf("L1:\n  J 1\n"), "1")).toBeNull();
});

describe("inputs that come as text", () => {
  const read = textReaderOf(
    declaring("n: number, i: integer, b: boolean, l: A[number], t: text, o: number?, x: any, e: E[1,2]"),
  );
  it.each<[string, string, unknown]>([
    ["n", "1.5e3", 1500],
    ["n", "012", "012"],
    ["n", "abc", "abc"],
    ["i", "9007199254740993", "9007199254740993"],
    ["b", "true", true],
    ["b", "yes", "yes"],
    ["l", "[1, 2]", [1, 2]],
    ["l", "[1,", "[1,"],
    ["t", "12", "12"],
    ["o", "", null],
    ["x", "12", "12"],
    ["e", "1", "1"],
    ["undeclared", "12", "12"],
  ])("%s %j is %j", (name, text, value) => {
    expect(read?.(name, text)).toEqual(value);
  });

  it("stay texts where no type is declared", () => {
    expect(textReaderOf(declaring("a, b"))).toBeNull();
  });
});

describe("an input that is missing and would be read as text (B-3)", () => {
  const reading = (...steps: string[]): Ir =>
    irOf(`# frame: orders, limit\nL1:\n${steps.map((one) => `  ${one}\n`).join("")}`);
  const messages = (ir: Ir): readonly string[] => {
    try {
      checkInputs(ir, "1", {}, "strict");
      return [];
    } catch (thrown) {
      return (thrown as InputInvalid).issues.map(({ path, code }) => `${code} ${path}`);
    }
  };

  it.each([
    ["X n len orders", "J n"],
    ["J orders"],
    ['J [1, {"a": orders}]'],
    ["J orders.total"],
    ["Set x 1", "Loop orders order ->L1 ->L1"],
  ])("refuses a strict run of %s", (...steps) => {
    expect(messages(reading(...steps))).toEqual(["input_missing /frame/orders"]);
    expect(checkInputs(reading(...steps), "1", {}, "loose")).toEqual([]);
    expect(checkInputs(reading(...steps), "1", { orders: null }, "strict")).toEqual([]);
  });

  it("names what to write", () => {
    expect(() => checkInputs(reading("J orders"), "1", {}, "strict")).toThrow(
      "input /orders: is missing, and the program would read the text 'orders': pass it, or write $orders, which is null then",
    );
  });

  it.each([
    ["J $orders"],
    ["J $orders.total"],
    ['J "orders"'],
    ["If orders? ->L2"],
    ["If orders ->L2"],
    ["If $limit ->L2"],
    ["Set orders []", "J orders"],
    ["Call L2 ->x", "J orders"],
  ])("takes a run of %s", (...steps) => {
    expect(
      messages(irOf(`# frame: orders, limit\nL1:\n${steps.map((one) => `  ${one}\n`).join("")}L2:\n  J orders\n`)),
    ).toEqual([]);
  });
});
