/**
 * Writes of functions to what they share with others: variables around them, and members of what they get. Where such a function runs as a branch, its
 * write is refused (amendment 1 of the design: a branch changes only what it made); the run looks for those that are not seen here.
 */
import type { Expr, FunctionDef, Lambda, Place } from "../../../grammar/python/tree.ts";
import type { Scopes } from "./scope-walk.ts";
import type { Scope } from "./scopes.ts";

type Write = { readonly at: Place; readonly name: string };

/** Methods that change what they belong to, whatever it is. */
const CHANGES: ReadonlySet<string> = new Set(
  "append appendleft extend extendleft insert pop popleft popitem remove discard clear add update sort reverse".split(
    " ",
  ),
);

export class SharedWrites {
  private readonly writes = new Map<Scope, Write[]>();
  private readonly branches = new Set<Scope>();

  /** A function runs as a branch. */
  branch(scopes: Scopes, scope: Scope, callee: Expr): void {
    if (callee.kind === "Lambda") this.branches.add(scopes.of.get(callee) as Scope);
    if (callee.kind === "List" || callee.kind === "Tuple")
      for (const one of callee.elts) this.branch(scopes, scope, one);
    if (callee.kind !== "Name") return;
    const home = scope.home(callee.id);
    const named =
      home === null ? [] : [...scopes.of].filter(([node, of]) => isNamed(node, callee.id) && of.parent === home);
    const [only] = named;
    if (named.length === 1 && only !== undefined) this.branches.add(only[1]);
  }

  /** A method of a value is called. */
  called(scope: Scope, receiver: Expr, method: string, at: Place): void {
    if (CHANGES.has(method)) this.member(scope, receiver, at);
  }

  /** A member of a value is set or deleted. */
  member(scope: Scope, container: Expr, at: Place): void {
    let root = container;
    while (root.kind === "Subscript") root = root.value;
    if (root.kind === "Name" && isShared(scope, root.id)) this.add(scope, { at, name: root.id });
  }

  /** A name gets a value. */
  bound(scope: Scope, name: string, at: Place): void {
    if (scope.home(name)?.host !== scope.host) this.add(scope, { at, name });
  }

  found(): Write[] {
    return [...this.branches].flatMap((scope) => this.writes.get(scope) ?? []);
  }

  private add(scope: Scope, write: Write): void {
    const known = this.writes.get(scope.host);
    if (known === undefined) this.writes.set(scope.host, [write]);
    else known.push(write);
  }
}

function isNamed(node: object, name: string): boolean {
  const { kind, name: own } = node as Partial<FunctionDef | (Lambda & { name: string })>;
  return kind === "FunctionDef" && own === name;
}

/** What existed before the function was called: variables around it, and what it gets under a name that keeps it. */
function isShared(scope: Scope, name: string): boolean {
  const home = scope.home(name);
  if (home === null || home.imports.has(name)) return false;
  if (home.host !== scope.host) return true;
  return home.params.has(name) && !home.rebound.has(name);
}
