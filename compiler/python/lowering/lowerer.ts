/** What the parts of lowering know of each other. Expressions, statements and loops need one another; they meet here. */
import type { ClassDef, Expr, Stmt } from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import type { Names } from "../names/names.ts";
import type { End } from "./body.ts";
import type { Lowering } from "./lowering.ts";

/** The two ways out of a condition. */
export type Ways = { readonly yes: readonly End[]; readonly no: readonly End[] };

export interface Lowerer extends Lowering {
  readonly names: Names;
  condition(node: Expr): Ways;
  statements(nodes: readonly Stmt[]): void;
  assign(target: Expr, value: IrOperand): void;
  /** Whether a class at the top of a file is a TypedDict. */
  isRecord(node: ClassDef): boolean;
  /** Lowers a function, lambda or generator expression of this one; gives its label. */
  inner(node: Expr | Stmt): string;
}
