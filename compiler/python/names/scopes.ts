/**
 * Which variable a name means, as CPython decides it (python.md § 2): a name that a function binds anywhere is its local; comprehensions have
 * variables of their own; functions inside see those around them. Two walks: the first notes what each scope binds and reads, the second
 * finds out which variables inner functions capture.
 */

export type ScopeKind = "module" | "function" | "comprehension" | "generator";

/** What an import binds a name to: a module, or a member of one. */
export type Imported = { readonly module: string; readonly member: string | null };

export type Found =
  /** A variable of the function itself. */
  | { readonly kind: "local"; readonly name: string }
  /** One that functions share: its own that is captured, or one from around it. */
  | { readonly kind: "cell"; readonly name: string }
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "import"; readonly imported: Imported }
  /** Nothing in the file binds it: a builtin, an adapter, or a mistake. */
  | { readonly kind: "outside"; readonly name: string };

export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  /** The function (or module) whose variables these are: itself, but for a comprehension, which is part of the function around it. */
  readonly host: Scope;
  readonly bound = new Set<string>();
  readonly globals = new Set<string>();
  readonly nonlocals = new Set<string>();
  readonly reads = new Set<string>();
  readonly imports = new Map<string, Imported>();
  /** Own variables that inner functions see, by their name in the host. */
  readonly cells = new Set<string>();
  /** Variables from around it, in the order in which they are handed over. */
  readonly free: string[] = [];
  isGenerator = false;
  /** Functions that `async def` makes here, and names that `with` gives a value. */
  readonly asyncs = new Set<string>();
  readonly managed = new Set<string>();
  /** Names that are lists each time that they get a value, and those that `gather(*name)` takes apart. */
  readonly lists = new Set<string>();
  readonly gathered = new Set<string>();
  /** Those of both that something else binds as well. */
  readonly mixed = new Set<string>();
  /** Parameters, but for those that collect others, and which of them the function gives another value. */
  readonly params = new Set<string>();
  readonly rebound = new Set<string>();
  /** How often a name is read here. */
  readonly times = new Map<string, number>();
  /** Makes the names of a comprehension's variables unlike all others of its host. */
  readonly suffix: string;
  private comprehensions = 0;
  readonly children: Scope[] = [];

  constructor(kind: ScopeKind, parent: Scope | null) {
    this.kind = kind;
    this.parent = parent;
    this.host = kind === "comprehension" && parent !== null ? parent.host : this;
    this.suffix = kind === "comprehension" ? `.${++this.host.comprehensions}` : "";
    parent?.children.push(this);
  }

  /** The name of an own variable in the host. */
  own(name: string): string {
    return name + this.suffix;
  }

  /** What `name` means here. */
  find(name: string): Found {
    const home = this.home(name);
    if (home === null) return { kind: "outside", name };
    const imported = home.imports.get(name);
    if (imported !== undefined) return { kind: "import", imported };
    if (home.kind === "module") return { kind: "global", name };
    const own = home.own(name);
    const captured = home.host !== this.host || home.host.cells.has(own);
    return { kind: captured ? "cell" : "local", name: own };
  }

  /** The scope whose variable `name` is; null: none of the file. */
  home(name: string): Scope | null {
    let scope: Scope | null = this;
    while (scope !== null) {
      if (scope.kind === "module") return scope.bound.has(name) || scope.imports.has(name) ? scope : null;
      if (scope.globals.has(name)) return moduleOf(scope);
      if (scope.imports.has(name)) return scope;
      if (scope.bound.has(name) && !scope.nonlocals.has(name)) return scope;
      scope = scope.parent;
    }
    return null;
  }
}

export function moduleOf(scope: Scope): Scope {
  let at = scope;
  while (at.parent !== null) at = at.parent;
  return at;
}

/** The parameter of a generator expression: the iterator of its first iterable, as CPython calls it. */
export const FIRST_ITERABLE = ".0";
