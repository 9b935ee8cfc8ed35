/** Files whose statements stand at their top: what makes a file such a script, and what it gives (python.md F-2, amendments 12 and 13). */
import type { Call, Expr, Stmt } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import type { FunctionLowerer } from "../lowering/functions.ts";
import { call, NONE } from "../lowering/operands.ts";

/** The first statement at the top that acts; null: there are definitions and constants only. */
export function firstAction(body: readonly Stmt[]): Stmt | null {
  const own = new Set(body.flatMap((node) => (node.kind === "FunctionDef" ? [node.name] : [])));
  return body.find((node) => !isMainGuard(node) && isAction(node, own)) ?? null;
}

function isAction(node: Stmt, functions: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case "Expr":
      return node.value.kind !== "Constant";
    case "For":
    case "While":
    case "If":
    case "Try":
    case "With":
    case "Match":
      return true;
    case "Assign":
      return callsOwn(node.value, functions);
    case "AnnAssign":
      return node.value !== null && callsOwn(node.value, functions);
    default:
      return false;
  }
}

function callsOwn(node: Expr, functions: ReadonlySet<string>): boolean {
  if (node.kind !== "Call") return false;
  const isOwn = node.func.kind === "Name" && functions.has(node.func.id);
  return isOwn || node.args.some((one) => callsOwn(one, functions));
}

/** `if __name__ == "__main__":` */
export function isMainGuard(node: Stmt): boolean {
  if (node.kind !== "If" || node.test.kind !== "Compare") return false;
  const { left, comparators } = node.test;
  return [left, ...comparators].some((side) => side.kind === "Name" && side.id === "__name__");
}

/** The value of a script: its last line if that is an expression, else its variable `result`, else None (amendment 12). */
export function script(f: FunctionLowerer, nodes: readonly Stmt[]): void {
  const body = nodes.filter((node) => !isMainGuard(node));
  const last = body.at(-1);
  if (last?.kind !== "Expr") {
    f.statements(body);
    if (f.body.isReached && f.names.scopes.module.bound.has("result"))
      f.body.add({ do: "return", value: { k: "call", fn: "py.global_or_none", args: [{ k: "str", v: "result" }] } });
    return;
  }
  f.statements(body.slice(0, -1));
  f.body.statement(last.line);
  const { value: node } = last;
  const printed = printedValue(node);
  if (printed === null) {
    const value = f.expr(node);
    f.body.add({ do: isPrint(node) ? "eval" : "return", value });
    if (isPrint(node)) f.body.add({ do: "return", value: NONE });
  } else {
    const value = f.body.keep(f.expr(printed));
    f.body.add({ do: "eval", value: call("call", { k: "lib", v: "print" }, value) });
    f.body.add({ do: "return", value });
  }
  f.body.take();
}

function isPrint(node: Expr): node is Call {
  return node.kind === "Call" && node.func.kind === "Name" && node.func.id === "print";
}

/** `print(x)` as the last line: x; null: it is something else. */
function printedValue(node: Expr): Expr | null {
  if (!isPrint(node)) return null;
  const [only] = node.args;
  return node.args.length === 1 && node.keywords.length === 0 && only?.kind !== "Starred" ? (only as Expr) : null;
}

/** Shorter names are near to too many others. */
const SHORTEST_NEAR = 5;

/** The name that a script sets and an input is nearly: a misspelling. `orders` next to `order`, or `row2` next to `row1`, is not one. */
export function nearOutput(input: string, bound: Iterable<string>): string | null {
  if (input.length < SHORTEST_NEAR) return null;
  const plain = (name: string): string => name.replace(/[0-9_]+/g, "").replace(/(?:e?s)$/, "");
  const others = [...bound].filter((name) => name.length >= SHORTEST_NEAR && plain(name) !== plain(input));
  return nearest(input, others);
}
