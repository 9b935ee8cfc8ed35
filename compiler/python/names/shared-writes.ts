/**
 * Writes of functions to what they share with others: variables around them, and members of what they get. Where such a function runs as a branch, its
 * write is refused (amendment 1 of the design: a branch changes only what it made); the run looks for those that are not seen here.
 */
import type { Expr, FunctionDef, Lambda, Place } from "../../../grammar/python/tree.ts";
import type { Scopes } from "./scope-walk.ts";
import { type FileModule, moduleOf, type Scope } from "./scopes.ts";

type Write = { readonly at: Place; readonly name: string };

/** Methods that change what they belong to, whatever it is. */
const CHANGES: ReadonlySet<string> = new Set(
  "append appendleft extend extendleft insert pop popleft popitem remove discard clear add update sort reverse setfirstweekday".split(
    " ",
  ),
);

export class SharedWrites {
  private readonly writes = new Map<Scope, Write[]>();
  private readonly branches = new Set<Scope>();

  /** A function runs as a branch. `of`: the scopes of the file that calls it. */
  branch({ of }: Pick<Scopes, "of">, scope: Scope, callee: Expr): void {
    if (callee.kind === "Lambda") this.branches.add(of.get(callee) as Scope);
    if (callee.kind === "List" || callee.kind === "Tuple")
      for (const one of callee.elts) this.branch({ of }, scope, one);
    if (callee.kind === "Attribute" && callee.value.kind === "Name") {
      const found = scope.find(callee.value.id);
      if (found.kind === "import") this.inFile(found.imported.file ?? null, callee.attr);
    }
    if (callee.kind !== "Name") return;
    const home = scope.home(callee.id);
    const taken = home?.taken.get(callee.id);
    if (taken !== undefined) this.inFile(taken.file, taken.member);
    if (home !== null) this.named(of, home, callee.id);
  }

  /** A function of another file. */
  private inFile(file: FileModule | null, name: string): void {
    const code = file?.code ?? null;
    const taken = code?.scope.taken.get(name);
    if (taken !== undefined) this.inFile(taken.file, taken.member);
    if (code !== null) this.named(code.of, code.scope, name);
  }

  private named(of: ReadonlyMap<object, Scope>, home: Scope, name: string): void {
    const named = [...of].filter(([node, one]) => isNamed(node, name) && one.parent === home);
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

  /** Those of a file, which has this scope. */
  found(module: Scope): Write[] {
    return [...this.branches].flatMap((scope) => (moduleOf(scope) === module ? (this.writes.get(scope) ?? []) : []));
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
