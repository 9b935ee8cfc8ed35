/** Words of Weft, and members of three modules of Python, that are part of a statement or call and never values: `retry`, `asyncio.gather`. */
import type { Call, Expr } from "../../../grammar/python/tree.ts";
import type { Scope } from "./scopes.ts";

export type Form = "retry" | "parallel" | "gather" | "run" | "pause" | "pool" | "suppress";

const FORMS: ReadonlyMap<string, ReadonlyMap<string, Form>> = new Map([
  [
    "weft",
    new Map<string, Form>([
      ["retry", "retry"],
      ["parallel", "parallel"],
    ]),
  ],
  [
    "asyncio",
    new Map<string, Form>([
      ["gather", "gather"],
      ["run", "run"],
      ["sleep", "pause"],
    ]),
  ],
  ["contextlib", new Map<string, Form>([["suppress", "suppress"]])],
  ["concurrent.futures", new Map<string, Form>([["ThreadPoolExecutor", "pool"]])],
]);

/** What a member of a module is; null: no form. */
export function formIn(module: string, member: string): Form | null {
  return FORMS.get(module)?.get(member) ?? null;
}

/** The members of a module that are forms. */
export function formsOf(module: string): readonly string[] {
  return [...(FORMS.get(module)?.keys() ?? [])];
}

/** The form that an expression names: a word of Weft where the file gives it no other meaning, or what was imported; null: none. */
export function formOf(scope: Scope, node: Expr): Form | null {
  if (node.kind === "Attribute") {
    const module = moduleOf(scope, node.value);
    return module === null ? null : formIn(module, node.attr);
  }
  if (node.kind !== "Name") return null;
  const found = scope.find(node.id);
  if (found.kind === "outside") return formIn("weft", node.id);
  if (found.kind !== "import" || found.imported.member === null) return null;
  return formIn(found.imported.module, found.imported.member);
}

/** The module that a chain of names means; null: it means none. */
function moduleOf(scope: Scope, node: Expr): string | null {
  if (node.kind === "Attribute") {
    const outer = moduleOf(scope, node.value);
    return outer === null ? null : `${outer}.${node.attr}`;
  }
  const found = node.kind === "Name" ? scope.find(node.id) : null;
  if (found?.kind !== "import") return null;
  const { module, member, file } = found.imported;
  if (file !== undefined) return null;
  return member === null ? module : `${module}.${member}`;
}

/** The list of `tasks.append(f(x))`, which a call of an async function may be put into; null: the call is another one. */
export function appendedTo({ func, args, keywords }: Call): string | null {
  if (func.kind !== "Attribute" || func.attr !== "append" || func.value.kind !== "Name") return null;
  return args.length === 1 && keywords.length === 0 && args[0]?.kind === "Call" ? func.value.id : null;
}
