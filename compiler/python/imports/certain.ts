/**
 * Names that a file has set whenever it has run to its end. What another file takes of it must be one of them, because CPython raises another exception
 * for a name that a module lacks than for one that is not set.
 */
import type { Expr, FunctionDef, Module, Pattern, Stmt } from "../../../grammar/python/tree.ts";
import type { Scopes } from "../names/scope-walk.ts";

export function certainNames({ body }: Module, scopes: Scopes): ReadonlySet<string> {
  const names = new Set<string>();
  run(body, names);
  for (const name of deletedInside(scopes)) names.delete(name);
  return names;
}

/** What the statements set, in all ways through them that reach their end; false: none does. */
function run(body: readonly Stmt[], names: Set<string>): boolean {
  return body.every((node) => statement(node, names));
}

function statement(node: Stmt, names: Set<string>): boolean {
  switch (node.kind) {
    case "FunctionDef":
    case "ClassDef":
      names.add(node.name);
      return true;
    case "Import":
      for (const { name, asname } of node.names) names.add(asname ?? (name.split(".")[0] as string));
      return true;
    case "ImportFrom":
      for (const { name, asname } of node.names) names.add(asname ?? name);
      return true;
    case "Assign":
      for (const one of node.targets) target(one, names);
      return true;
    case "AnnAssign":
      if (node.value !== null) target(node.target, names);
      return true;
    case "Delete":
      for (const one of node.targets) if (one.kind === "Name") names.delete(one.id);
      return true;
    case "If":
      return meet([node.body, node.orelse], names);
    case "Match":
      return meet([...node.cases.map((one) => one.body), ...(node.cases.some(isLast) ? [] : [[]])], names);
    case "With":
      for (const item of node.items) if (item.target !== null) target(item.target, names);
      return run(node.body, names);
    case "For":
    case "While":
      for (const name of deletedIn([...node.body, ...node.orelse])) names.delete(name);
      return true;
    case "Try":
      return attempt(node, names);
    case "Raise":
    case "Return":
      return false;
    default:
      return true;
  }
}

/** What all ways that reach the end have set. */
function meet(ways: readonly (readonly Stmt[])[], names: Set<string>): boolean {
  const ends = ways.flatMap((body) => {
    const own = new Set(names);
    return run(body, own) ? [own] : [];
  });
  return keepCommon(ends, names);
}

function keepCommon(ends: readonly ReadonlySet<string>[], names: Set<string>): boolean {
  const [first, ...others] = ends;
  names.clear();
  for (const name of first ?? []) if (others.every((one) => one.has(name))) names.add(name);
  return first !== undefined;
}

function attempt(node: Stmt & { readonly kind: "Try" }, names: Set<string>): boolean {
  const before = new Set(names);
  for (const name of deletedIn(node.body)) before.delete(name);
  const ends: Set<string>[] = [];
  const done = new Set(names);
  if (run([...node.body, ...node.orelse], done)) ends.push(done);
  for (const { name, body } of node.handlers) {
    const own = new Set(before);
    const isOver = run(body, own);
    if (name !== null) own.delete(name);
    if (isOver) ends.push(own);
  }
  const isReached = keepCommon(ends, names);
  return run(node.finalbody, names) && isReached;
}

function isLast({ pattern, guard }: { readonly pattern: Pattern; readonly guard: Expr | null }): boolean {
  return guard === null && pattern.kind === "MatchAs" && pattern.pattern === null;
}

function target(node: Expr, names: Set<string>): void {
  if (node.kind === "Name") names.add(node.id);
  else if (node.kind === "Starred") target(node.value, names);
  else if (node.kind === "Tuple" || node.kind === "List") for (const one of node.elts) target(one, names);
}

/** Names that functions of the file may delete. */
function deletedInside({ of, module }: Scopes): readonly string[] {
  const functions = [...of.keys()].filter((node): node is FunctionDef => (node as FunctionDef).kind === "FunctionDef");
  return functions.flatMap((node) => {
    const scope = of.get(node);
    return deletedIn(node.body).filter((name) => scope?.home(name) === module);
  });
}

function deletedIn(body: readonly Stmt[]): readonly string[] {
  return body.flatMap((node): readonly string[] => {
    switch (node.kind) {
      case "Delete":
        return node.targets.flatMap((one) => (one.kind === "Name" ? [one.id] : []));
      case "If":
      case "For":
      case "While":
        return deletedIn([...node.body, ...node.orelse]);
      case "With":
        return deletedIn(node.body);
      case "Match":
        return node.cases.flatMap((one) => deletedIn(one.body));
      case "Try": {
        const handlers = node.handlers.flatMap(({ name, body: own }) => [
          ...(name === null ? [] : [name]),
          ...deletedIn(own),
        ]);
        return [...deletedIn([...node.body, ...node.orelse, ...node.finalbody]), ...handlers];
      }
      default:
        return [];
    }
  });
}
