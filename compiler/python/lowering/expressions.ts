/**
 * Expressions as operands. What has ways of its own (and, or, a ternary, a comprehension) or calls an adapter becomes steps, and a variable
 * holds its value; before such a step everything to the left of it is evaluated and kept (amendment 2: operands from left to right, each read
 * when it is reached).
 */
import type {
  BinaryOperator,
  BinOp,
  BoolOp,
  Compare,
  CompareOperator,
  Constant,
  Expr,
  FormattedValue,
  IfExp,
  JoinedStr,
  Slice,
} from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { lowerCall } from "./calls.ts";
import { lowerComprehension } from "./comprehensions.ts";
import { dict, elements } from "./forms/displays.ts";
import { lowerAwait } from "./forms/gathering.ts";
import { isTypeName } from "./forms/typing.ts";
import type { Lowerer, Ways } from "./lowerer.ts";
import { call, NONE, text, variable } from "./operands.ts";

export const BINARY: Readonly<Record<BinaryOperator, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "//": "floordiv",
  "%": "mod",
  "**": "pow",
  "<<": "lshift",
  ">>": "rshift",
  "|": "or",
  "^": "xor",
  "&": "and",
  "@": "matmul",
};

const COMPARE: Readonly<Record<CompareOperator, string>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  is: "is",
  "is not": "is_not",
  in: "in",
  "not in": "not_in",
};
const UNARY = { "-": "neg", "+": "pos", "~": "invert", not: "not" } as const;

export function lowerExpression(f: Lowerer, node: Expr): IrOperand {
  switch (node.kind) {
    case "Constant":
      return constant(f, node);
    case "Name":
      return f.names.read(f, node);
    case "BinOp":
      return binary(f, node);
    case "UnaryOp":
      if (node.op === "-" && node.operand.kind === "Constant") return negative(f, node.operand);
      return call(UNARY[node.op], f.expr(node.operand));
    case "Compare":
      return comparison(f, node);
    case "BoolOp":
      return either(f, node);
    case "IfExp":
      return ternary(f, node);
    case "Call":
      return lowerCall(f, node);
    case "Attribute":
      return f.names.attribute(f, node);
    case "Subscript":
      return call("item", ...f.exprs([node.value, node.slice]));
    case "Slice":
      return slice(f, node);
    case "Tuple":
      return elements(f, "tuple", node.elts);
    case "List":
      return elements(f, "list", node.elts);
    case "Set":
      return elements(f, "set", node.elts);
    case "Dict":
      return dict(f, node);
    case "JoinedStr":
      return joined(f, node);
    case "NamedExpr": {
      const value = f.body.keep(f.expr(node.value));
      f.names.bind(f, node.target, value);
      return value;
    }
    case "Lambda":
      return f.names.functionOf(f, node, node.args, f.inner(node));
    case "ListComp":
    case "SetComp":
    case "DictComp":
    case "GeneratorExp":
      return lowerComprehension(f, node);
    case "Yield": {
      if (f.body.isClosing) f.refuse(node, "yield_in_try");
      const value = node.value === null ? NONE : f.expr(node.value);
      f.body.add({ do: "yield", value });
      return NONE;
    }
    case "YieldFrom":
      if (f.body.isClosing) f.refuse(node, "yield_in_try");
      return yieldFrom(f, node.value);
    case "Await":
      return lowerAwait(f, node);
    case "Starred":
      throw new Error("the parser refuses a star where nothing takes it apart");
  }
}

/**
 * Several expressions in turn. Those before one that becomes steps are kept, because the steps run before the operands are read.
 */
export function lowerExpressions(f: Lowerer, nodes: readonly Expr[]): IrOperand[] {
  let last = nodes.length - 1;
  while (last > 0 && !f.names.makesSteps(nodes[last] as Expr)) last -= 1;
  return nodes.map((node, at) => {
    const value = f.expr(node);
    return at < last ? f.body.keep(value) : value;
  });
}

const MOST_SAFE = Number.MAX_SAFE_INTEGER;

function constant(f: Lowerer, node: Constant): IrOperand {
  const { type, value } = node;
  switch (type) {
    case "str":
      return text(value as string);
    case "bytes":
      return { k: "bytes", v: value as string };
    case "bool":
      return { k: "bool", v: value as boolean };
    case "none":
      return NONE;
    case "int":
      return integer(value as number | bigint);
    case "float":
      return float(value as number);
    case "ellipsis":
    case "complex":
      return f.refuse(node, type);
  }
}

function integer(value: number | bigint): IrOperand {
  if (typeof value === "number") return { k: "num", v: value };
  return value <= MOST_SAFE && value >= -MOST_SAFE ? { k: "num", v: Number(value) } : { k: "int", v: String(value) };
}

function float(value: number): IrOperand {
  if (Number.isFinite(value) && !Number.isInteger(value)) return { k: "num", v: value };
  const written = Number.isFinite(value) ? `${Object.is(value, -0) ? "-0" : value}.0` : value > 0 ? "inf" : "-inf";
  return { k: "float", v: written.includes("e") ? written.replace(/\.0$/, "") : written };
}

/** `-5` is a literal to what reads it. */
function negative(f: Lowerer, node: Constant): IrOperand {
  const { type, value } = node;
  if (type === "int") return integer(typeof value === "bigint" ? -value : 0 - (value as number));
  if (type === "float") return float(-(value as number));
  return call("neg", constant(f, node));
}

/** The left side of a long chain of operators is as deep as the chain is long: it is walked, not descended into. */
function binary(f: Lowerer, node: BinOp): IrOperand {
  const chain: BinOp[] = [];
  let leftmost: Expr = node;
  while (leftmost.kind === "BinOp") {
    chain.push(leftmost);
    leftmost = leftmost.left;
  }
  let value = f.expr(leftmost);
  for (let at = chain.length - 1; at >= 0; at--) {
    const { op, right } = chain[at] as BinOp;
    if (f.names.makesSteps(right) || (chain.length - at) % LONG_CHAIN === 0) value = f.body.keep(value);
    value = call(BINARY[op], value, f.expr(right));
  }
  return value;
}

/** Operands are not nested deeper than this by a chain. */
const LONG_CHAIN = 32;

function compared(f: Lowerer, node: Compare, at: number, left: IrOperand, right: IrOperand): IrOperand {
  const op = node.ops[at] as CompareOperator;
  if (op === "is" || op === "is not") {
    const sides = [at === 0 ? node.left : (node.comparators[at - 1] as Expr), node.comparators[at] as Expr];
    if (!sides.some((side) => isSingleton(side) || isTypeName(f, side)))
      f.refuse(node, "is", { op: op === "is" ? "==" : "!=" });
  }
  return call(COMPARE[op], left, right);
}

/** None, True, False, and types: there is one of each. */
function isSingleton(node: Expr): boolean {
  if (node.kind === "Call") return node.func.kind === "Name" && node.func.id === "type" && node.args.length === 1;
  if (node.kind === "Attribute") return node.attr === "__class__";
  return node.kind === "Constant" && (node.type === "none" || node.type === "bool");
}

function comparison(f: Lowerer, node: Compare): IrOperand {
  if (node.ops.length === 1) {
    const [left, right] = f.exprs([node.left, node.comparators[0] as Expr]) as [IrOperand, IrOperand];
    return compared(f, node, 0, left, right);
  }
  // `a < b < c`: ends with the first one that is not so; each operand once.
  const { body } = f;
  const name = body.temporary();
  const done = [];
  let left = body.keep(f.expr(node.left));
  for (let at = 0; at < node.ops.length; at++) {
    const isLast = at === node.ops.length - 1;
    const value = f.expr(node.comparators[at] as Expr);
    const right = isLast ? value : body.keep(value);
    body.add({ do: "set", name, value: compared(f, node, at, left, right) });
    if (isLast) break;
    const number = body.add({ do: "if", cond: variable(name) });
    body.take();
    done.push({ from: number, port: "else" as const });
    body.open([{ from: number, port: "then" }]);
    left = right;
  }
  body.open(done);
  return variable(name);
}

/** `a and b` is the operand that decides. */
function either(f: Lowerer, { op, values }: BoolOp): IrOperand {
  const { body } = f;
  const name = body.temporary();
  const done = [];
  for (const [at, value] of values.entries()) {
    body.add({ do: "set", name, value: f.expr(value) });
    if (at === values.length - 1) break;
    const number = body.add({ do: "if", cond: variable(name) });
    body.take();
    done.push({ from: number, port: op === "and" ? ("else" as const) : ("then" as const) });
    body.open([{ from: number, port: op === "and" ? "then" : "else" }]);
  }
  body.open(done);
  return variable(name);
}

function ternary(f: Lowerer, node: IfExp): IrOperand {
  const { body } = f;
  const name = body.temporary();
  const { yes, no } = f.condition(node.test);
  body.open(yes);
  body.add({ do: "set", name, value: f.expr(node.body) });
  const done = body.take();
  body.open(no);
  body.add({ do: "set", name, value: f.expr(node.orelse) });
  body.open(done);
  return variable(name);
}

/** The ways out of a condition, without a value where `and`, `or` and `not` decide. */
export function lowerCondition(f: Lowerer, node: Expr): Ways {
  const { body } = f;
  if (node.kind === "UnaryOp" && node.op === "not") {
    const { yes, no } = f.condition(node.operand);
    return { yes: no, no: yes };
  }
  if (node.kind === "BoolOp") {
    const yes = [];
    const no = [];
    for (const [at, value] of node.values.entries()) {
      const ways = f.condition(value);
      const isLast = at === node.values.length - 1;
      if (isLast || node.op === "or") yes.push(...ways.yes);
      if (isLast || node.op === "and") no.push(...ways.no);
      if (!isLast) body.open(node.op === "and" ? ways.yes : ways.no);
    }
    return { yes, no };
  }
  if (node.kind === "Constant" && (node.type === "bool" || node.type === "none" || node.type === "int")) {
    // The beginning of a function has no ends yet.
    if (body.nodes.length === 0) body.add({ do: "join" });
    const ends = body.take();
    const isTrue = node.value !== null && node.value !== false && node.value !== 0;
    return isTrue ? { yes: ends, no: [] } : { yes: [], no: ends };
  }
  const number = body.add({ do: "if", cond: f.expr(node) });
  body.take();
  return { yes: [{ from: number, port: "then" }], no: [{ from: number, port: "else" }] };
}

function slice(f: Lowerer, { lower, upper, step }: Slice): IrOperand {
  const parts = [lower, upper, step];
  const values = f.exprs(parts.filter((part) => part !== null));
  return call("slice", ...parts.map((part) => (part === null ? NONE : (values.shift() as IrOperand))));
}

function joined(f: Lowerer, { values }: JoinedStr): IrOperand {
  // A value with a spec that is computed is two expressions, evaluated one after the other.
  const nodes = values.flatMap((part) => (part.kind === "Constant" ? [] : formattedParts(part)));
  const operands = f.exprs(nodes);
  let at = 0;
  const parts = values.map((part) => {
    if (part.kind === "Constant") return text(part.value as string);
    const value = operands[at++] as IrOperand;
    const conversion = part.conversion === null ? NONE : text(part.conversion);
    if (part.spec === null) return call("format", value, conversion, text(""));
    const literal = literalSpec(part.spec);
    return call("format", value, conversion, literal === null ? (operands[at++] as IrOperand) : text(literal));
  });
  if (parts.length === 0) return text("");
  return call("joined", ...parts);
}

function formattedParts({ value, spec }: FormattedValue): Expr[] {
  return spec === null || literalSpec(spec) !== null ? [value] : [value, spec];
}

function literalSpec({ values }: JoinedStr): string | null {
  return values.every(({ kind }) => kind === "Constant")
    ? values.map((part) => (part as Constant).value as string).join("")
    : null;
}

function yieldFrom(f: Lowerer, iterable: Expr): IrOperand {
  const { body } = f;
  const iter = body.temporary();
  body.add({ do: "set", name: iter, value: call("iter", f.expr(iterable)) });
  const name = body.temporary();
  const head = body.add({ do: "next", iter, name });
  body.take();
  body.open([{ from: head, port: "body" }]);
  body.add({ do: "yield", value: variable(name) });
  body.lead(head);
  body.open([{ from: head, port: "after" }]);
  return body.keep(call("returned", variable(iter)));
}
