/**
 * Which variable a name means, as CPython decides it (python.md § 2): a name that a function binds anywhere is its local; comprehensions have
 * variables of their own; functions inside see those around them. Two walks: the first notes what each scope binds and reads, the second
 * finds out which variables inner functions capture.
 */

export type ScopeKind = "module" | "function" | "comprehension" | "generator";

/** What an import binds a name to: a module, or a member of one. `file`: the module is one of the program's; null: it is wrong, which the import says. */
export type Imported = { readonly module: string; readonly member: string | null; readonly file?: FileModule | null };

/** A Python file that others import, or a folder of such files. */
export type FileModule = {
  /** `lib.mail` */
  readonly name: string;
  /** What stands in front of its names in the IR: `lib/mail`. */
  readonly key: string;
  /** null: a folder that has no code of its own. */
  readonly code: FileCode | null;
  /** Modules of its folder that were imported. */
  readonly members: Map<string, FileModule>;
};
type FileCode = {
  readonly path: string;
  /** `__init__.py` of a folder. */
  readonly isFolder: boolean;
  readonly scope: Scope;
  /** The scopes of its functions. */
  readonly of: ReadonlyMap<object, Scope>;
  /** Names that are set whenever it has run. */
  readonly certain: ReadonlySet<string>;
};

/** What an import of a file, or a name of one, stands for. `runs`: files that run first, unless they have. `member`: a name of the file. */
export type FileImport = {
  readonly runs: readonly FileModule[];
  readonly module: FileModule | null;
  readonly member?: string;
};
/** By `import` name, `from` statement, and name of one. */
export type FileImports = ReadonlyMap<object, FileImport>;

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
  /** Names that several imports give different meanings. */
  readonly clashing = new Set<string>();
  /** Variables that got their values from files of the program, and nothing else. */
  readonly taken = new Map<string, { readonly file: FileModule; readonly member: string }>();
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
  /** Names that are sets each time that they get a value. */
  readonly sets = new Set<string>();
  readonly gathered = new Set<string>();
  /** How often what a call gives is appended to a name. */
  readonly appended = new Map<string, number>();
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

  /** An import gives a name its meaning. */
  import(name: string, imported: Imported): void {
    const known = this.imports.get(name);
    const { module, member, file } = imported;
    if (known !== undefined && (known.module !== module || known.member !== member || known.file !== file))
      this.clashing.add(name);
    this.imports.set(name, imported);
  }

  /** Whether a name that is imported has another meaning, too: which one a read finds would be known in the run only. */
  isAmbiguous(name: string): boolean {
    return this.clashing.has(name) || (this.imports.has(name) && this.bound.has(name));
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
