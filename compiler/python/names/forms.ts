/** Words of Weft that are part of a statement or call, and never values: `retry`. */
import type { Expr } from "../../../grammar/python/tree.ts";
import type { Scope } from "./scopes.ts";

export type Form = "retry" | "parallel";

const FORMS: ReadonlySet<string> = new Set<Form>(["retry", "parallel"]);

export function isForm(name: string): name is Form {
  return FORMS.has(name);
}

/** The form that an expression names: the word itself where the file gives it no other meaning, or what was imported from `weft`; null: none. */
export function formOf(scope: Scope, node: Expr): Form | null {
  if (node.kind === "Attribute") {
    const module = importOf(scope, node.value);
    return module?.module === "weft" && module.member === null && isForm(node.attr) ? node.attr : null;
  }
  if (node.kind !== "Name") return null;
  const imported = importOf(scope, node);
  if (imported !== null) {
    const { module, member } = imported;
    return module === "weft" && member !== null && isForm(member) ? member : null;
  }
  return scope.find(node.id).kind === "outside" && isForm(node.id) ? node.id : null;
}

function importOf(scope: Scope, node: Expr): { readonly module: string; readonly member: string | null } | null {
  if (node.kind !== "Name") return null;
  const found = scope.find(node.id);
  return found.kind === "import" ? found.imported : null;
}
