/** What the parts of lowering need of the function that is lowered. */
import type { Expr, Place } from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import type { Scope } from "../names/scopes.ts";
import type { Body } from "./body.ts";

export interface Lowering {
  readonly body: Body;
  /** The scope whose names are read now: a comprehension's while it is lowered. */
  scope: Scope;
  expr(node: Expr): IrOperand;
  /** Values of several expressions, each evaluated in turn. */
  exprs(nodes: readonly Expr[]): IrOperand[];
  /** Reports a refusal, and continues with None. */
  refuse(at: Place, row: string, words?: Readonly<Record<string, string>>): IrOperand;
}
