/**
 * Random small programs of the indented form, and an evaluator that does what docs/language.md (the indented form) says in the plainest way: it shares
 * nothing with the front end.
 */
import fc from "fast-check";
import type { Json } from "../../compiler/json.ts";

type Expr =
  | { readonly e: "const"; readonly value: Json }
  | { readonly e: "name"; readonly name: string }
  | { readonly e: "present"; readonly name: string }
  | { readonly e: "next"; readonly name: string }
  | { readonly e: "compare"; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly e: "not"; readonly of: Expr }
  | { readonly e: "and" | "or"; readonly of: readonly Expr[] };

type Stmt =
  | { readonly s: "set"; readonly name: string; readonly value: Expr }
  | { readonly s: "out"; readonly value: Expr | null }
  | { readonly s: "err"; readonly value: Expr }
  | { readonly s: "call"; readonly graph: string; readonly name: string | null }
  | {
      readonly s: "if";
      readonly branches: readonly (readonly [Expr, readonly Stmt[]])[];
      readonly otherwise: readonly Stmt[] | null;
    }
  | { readonly s: "for"; readonly item: string; readonly list: readonly Expr[]; readonly block: readonly Stmt[] }
  | { readonly s: "while"; readonly cond: Expr; readonly limit: number; readonly block: readonly Stmt[] };

export type Program = readonly { readonly name: string; readonly block: readonly Stmt[] }[];

const NAMES = ["a", "b", "c", "maybe"];
const GRAPHS = ["main", "second", "third"];

// ---- text ----

function exprText(expr: Expr): string {
  switch (expr.e) {
    case "const":
      return JSON.stringify(expr.value);
    case "name":
      return expr.name;
    case "present":
      return `${expr.name}?`;
    case "next":
      return `(mod (add $${expr.name} 1) 4)`;
    case "compare":
      return `${exprText(expr.left)} ${expr.op} ${exprText(expr.right)}`;
    case "not":
      return `not ${inBrackets(expr.of)}`;
    default:
      return expr.of.map(inBrackets).join(` ${expr.e} `);
  }
}

function inBrackets(expr: Expr): string {
  return expr.e === "and" || expr.e === "or" || expr.e === "not" ? `(${exprText(expr)})` : exprText(expr);
}

function stmtLines(stmt: Stmt, indent: string): readonly string[] {
  const block = (stmts: readonly Stmt[]): readonly string[] => stmts.flatMap((one) => stmtLines(one, `${indent}  `));
  switch (stmt.s) {
    case "set":
      return [`${indent}${stmt.name} = ${exprText(stmt.value)}`];
    case "out":
      return [`${indent}out${stmt.value === null ? "" : ` ${exprText(stmt.value)}`}`];
    case "err":
      return [`${indent}err ${exprText(stmt.value)}`];
    case "call":
      return [`${indent}${stmt.name === null ? "" : `${stmt.name} = `}call ${stmt.graph}`];
    case "if":
      return [
        ...stmt.branches.flatMap(([cond, body], index) => [
          `${indent}${index === 0 ? "if" : "elif"} ${exprText(cond)}:`,
          ...block(body),
        ]),
        ...(stmt.otherwise === null ? [] : [`${indent}else:`, ...block(stmt.otherwise)]),
      ];
    case "for":
      return [`${indent}for ${stmt.item} in [${stmt.list.map(exprText).join(", ")}]:`, ...block(stmt.block)];
    case "while":
      return [`${indent}while ${exprText(stmt.cond)} limit ${stmt.limit}:`, ...block(stmt.block)];
  }
}

export function programText(program: Program): string {
  return program
    .map(({ name, block }) => [`${name}:`, ...block.flatMap((stmt) => stmtLines(stmt, "  "))].join("\n"))
    .join("\n\n");
}

// ---- meaning ----

export class Failure extends Error {}
class Out {
  readonly value: Json;
  constructor(value: Json) {
    this.value = value;
  }
}

export type Frame = Map<string, Json>;

/** The value of the first graph; throws a Failure when the run fails. */
export function evaluate(program: Program, frame: Frame): Json {
  const graph = (name: string): Json => {
    const found = program.find((one) => one.name === name);
    try {
      block(found?.block ?? []);
    } catch (thrown) {
      if (thrown instanceof Out) return thrown.value;
      throw thrown;
    }
    return null;
  };
  const block = (stmts: readonly Stmt[]): void => {
    for (const stmt of stmts) statement(stmt);
  };
  const value = (expr: Expr): Json => {
    switch (expr.e) {
      case "const":
        return expr.value;
      case "name":
        return frame.get(expr.name) ?? null;
      case "present":
        return frame.get(expr.name) != null;
      case "next": {
        const now = numberOf(frame.get(expr.name) ?? null);
        if (now === null) throw new Failure("not a number");
        return (now + 1) % 4;
      }
      case "compare":
        return compared(expr.op, value(expr.left), nameOrText(expr.right));
      case "not":
        return !isTruthy(value(expr.of));
      default: {
        // The parts after the one that decides are not evaluated.
        const decides = (one: Expr): boolean => isTruthy(value(one)) === (expr.e === "or");
        return value(expr.of.find(decides) ?? (expr.of.at(-1) as Expr));
      }
    }
  };
  /** On the right of a comparison and inside a list a name that is not set is text (docs/language.md, values and operands). */
  const nameOrText = (expr: Expr): Json => (expr.e === "name" && !frame.has(expr.name) ? expr.name : value(expr));
  const statement = (stmt: Stmt): void => {
    switch (stmt.s) {
      case "set":
        frame.set(stmt.name, value(stmt.value));
        break;
      case "out":
        throw new Out(stmt.value === null ? "done" : value(stmt.value));
      case "err":
        value(stmt.value);
        throw new Failure("err");
      case "call": {
        const result = graph(stmt.graph);
        frame.set("_call_result", result);
        frame.set(stmt.name ?? "_call_result", result);
        break;
      }
      case "if": {
        const taken = stmt.branches.find(([cond]) => isTruthy(value(cond)));
        block(taken?.[1] ?? stmt.otherwise ?? []);
        break;
      }
      case "for": {
        const list = stmt.list.map(nameOrText);
        const before = frame.get(stmt.item);
        const restore = (): void => {
          if (before === undefined) frame.delete(stmt.item);
          else frame.set(stmt.item, before);
        };
        try {
          for (const element of list) {
            frame.set(stmt.item, element);
            block(stmt.block);
          }
        } catch (thrown) {
          if (thrown instanceof Out) restore();
          throw thrown;
        }
        restore();
        break;
      }
      case "while":
        for (let bodies = 0; isTruthy(value(stmt.cond)); bodies++) {
          if (bodies === stmt.limit) throw new Failure("RUNTIME_WHILE_LIMIT");
          block(stmt.block);
        }
    }
  };
  return graph(program[0]?.name ?? "");
}

function isTruthy(value: Json): boolean {
  return !(value === null || value === false || value === 0 || value === "");
}

/** By number when both are readable as numbers; two other texts by code point; anything else fails. */
function compared(op: string, left: Json, right: Json): boolean {
  if (op === "==" || op === "!=") return (left === right) === (op === "==");
  const [a, b] = [numberOf(left), numberOf(right)];
  const texts = typeof left === "string" && typeof right === "string";
  if ((a === null || b === null) && !texts) throw new Failure("no order");
  const [x, y] = a === null || b === null ? [String(left), String(right)] : [a, b];
  return op === "<" ? x < y : op === "<=" ? x <= y : op === ">" ? x > y : x >= y;
}

function numberOf(value: Json): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : null;
}

// ---- generators ----

const name = fc.constantFrom(...NAMES);
const constant: fc.Arbitrary<Expr> = fc
  .constantFrom<Json>(0, 1, 2, 3, true, false, null, "t", "2")
  .map((value) => ({ e: "const", value }));
const read: fc.Arbitrary<Expr> = name.map((one) => ({ e: "name", name: one }));
const leaf: fc.Arbitrary<Expr> = fc.oneof({ weight: 2, arbitrary: constant }, { weight: 3, arbitrary: read });

const expression: fc.Arbitrary<Expr> = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    name.map((one): Expr => ({ e: "present", name: one })),
    name.map((one): Expr => ({ e: "next", name: one })),
    fc
      .tuple(leaf, fc.constantFrom("==", "!=", "<", "<=", ">", ">="), leaf)
      .map(([left, op, right]): Expr => ({ e: "compare", op, left, right })),
    tie("expr").map((of): Expr => ({ e: "not", of })),
    fc
      .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(tie("expr"), { minLength: 2, maxLength: 4 }))
      .map(([e, of]): Expr => ({ e, of })),
  ),
})).expr;

/** Graphs call only those after them, so that every program ends. */
function statement(callable: readonly string[]): fc.Arbitrary<Stmt> {
  return fc.letrec<{ stmt: Stmt; block: Stmt[] }>((tie) => ({
    block: fc.array(tie("stmt"), { minLength: 1, maxLength: 4 }),
    stmt: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 5, arbitrary: fc.tuple(name, expression).map(([to, value]): Stmt => ({ s: "set", name: to, value })) },
      { weight: 1, arbitrary: fc.option(expression).map((value): Stmt => ({ s: "out", value })) },
      { weight: 1, arbitrary: leaf.filter(({ e }) => e === "const").map((value): Stmt => ({ s: "err", value })) },
      ...(callable.length === 0
        ? []
        : [
            {
              weight: 2,
              arbitrary: fc
                .tuple(fc.constantFrom(...callable), fc.option(name))
                .map(([graph, to]): Stmt => ({ s: "call", graph, name: to })),
            },
          ]),
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.array(fc.tuple(expression, tie("block")), { minLength: 1, maxLength: 3 }), fc.option(tie("block")))
          .map(([branches, otherwise]): Stmt => ({ s: "if", branches, otherwise })),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(name, fc.array(leaf, { maxLength: 3 }), tie("block"))
          .map(([item, list, block]): Stmt => ({ s: "for", item, list, block })),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(expression, fc.integer({ min: 1, max: 3 }), tie("block"))
          .map(([cond, limit, block]): Stmt => ({ s: "while", cond, limit, block })),
      },
    ),
  })).stmt;
}

function blockOf(callable: readonly string[]): fc.Arbitrary<readonly Stmt[]> {
  return fc.array(statement(callable), { minLength: 1, maxLength: 6 }).map(withoutUnreached);
}

export const program: fc.Arbitrary<Program> = fc
  .tuple(...GRAPHS.map((_, index) => blockOf(GRAPHS.slice(index + 1))))
  .map((blocks) => blocks.map((block, index) => ({ name: GRAPHS[index] ?? "", block })));

/** Statements that nothing reaches are refused (WF2009), so none is made. */
function withoutUnreached(block: readonly Stmt[]): readonly Stmt[] {
  const kept: Stmt[] = [];
  for (const stmt of block) {
    const cleaned = cleanedOf(stmt);
    kept.push(cleaned);
    if (ends(cleaned)) break;
  }
  return kept;
}

function cleanedOf(stmt: Stmt): Stmt {
  if (stmt.s === "for" || stmt.s === "while") return { ...stmt, block: withoutUnreached(stmt.block) };
  if (stmt.s !== "if") return stmt;
  const branches = stmt.branches.map(([cond, body]) => [cond, withoutUnreached(body)] as const);
  return { ...stmt, branches, otherwise: stmt.otherwise === null ? null : withoutUnreached(stmt.otherwise) };
}

function ends(stmt: Stmt): boolean {
  if (stmt.s === "out") return true;
  if (stmt.s !== "if" || stmt.otherwise === null) return false;
  return [...stmt.branches.map(([, body]) => body), stmt.otherwise].every((body) => body.some(ends));
}
