/** The state of a walk over one function: where it is, what its variables hold, and what it has found. */
import type { Expr, FunctionDef, Lambda, Place, Stmt } from "../../../grammar/python/tree.ts";
import type { Names } from "../names/names.ts";
import type { Scope } from "../names/scopes.ts";
import type { Fix, Refusal } from "../refusal.ts";
import { type Environment, SharedVariables } from "./environment.ts";
import { joined, type Type, UNKNOWN } from "./types.ts";

export type Finding = Refusal;

export type OwnFunction = FunctionDef | Lambda;

/** What one pass over the file learns for the next one. */
export class Facts {
  readonly shared = new SharedVariables();
  readonly returned = new Map<OwnFunction, Type>();
  /** By function and parameter. A function that is used as a value has none. */
  readonly given = new Map<OwnFunction, Map<string, Type>>();
  readonly escaped = new Set<OwnFunction>();

  give(to: OwnFunction, name: string, type: Type): void {
    const own = this.given.get(to) ?? new Map<string, Type>();
    this.given.set(to, own);
    const before = own.get(name);
    own.set(name, before === undefined ? type : joined(before, type));
  }

  gave(from: OwnFunction, type: Type): void {
    const before = this.returned.get(from);
    this.returned.set(from, before === undefined ? type : joined(before, type));
  }
}

/** Loops around the place: the variables where `break` and `continue` leave them. */
export type Loop = { readonly breaks: Environment[]; readonly continues: Environment[] };

export class Walk {
  /** What walks expressions: parts of them, calls and statements need one another, and meet here. */
  readonly visitor: (w: Walk, node: Expr) => Type;
  readonly names: Names;
  readonly before: Facts;
  readonly learned: Facts;
  readonly findings: Finding[] | null;
  readonly owner: OwnFunction | null;
  /** Texts of keys that the file sets somewhere: an answer may have them although the catalog does not know them. */
  readonly keys: ReadonlySet<string>;
  /** Choices of all questions that the file opens; null: none has its own; undefined: they are not known. */
  readonly asked: readonly string[] | null | undefined;
  /** Functions that are met and not walked yet. */
  readonly inner: { readonly node: FunctionDef; readonly scope: Scope }[];
  scope: Scope;
  env: Environment = new Map();
  readonly loops: Loop[] = [];
  /** Of each `try` around the place: all that its body assigns. */
  readonly assigned: Environment[] = [];
  private muted = 0;

  constructor(
    from: Pick<Walk, "visitor" | "names" | "before" | "learned" | "findings" | "keys" | "asked" | "inner">,
    scope: Scope,
    owner: OwnFunction | null,
  ) {
    this.visitor = from.visitor;
    this.names = from.names;
    this.before = from.before;
    this.learned = from.learned;
    this.findings = from.findings;
    this.keys = from.keys;
    this.asked = from.asked;
    this.inner = from.inner;
    this.scope = scope;
    this.owner = owner;
  }

  visit(node: Expr): Type {
    return this.visitor(this, node);
  }

  note(at: Place, row: string, words: Readonly<Record<string, string>> = {}, fix: Fix | null = null): void {
    if (this.findings === null || this.muted > 0) return;
    if (!this.findings.some((known) => known.at.start === at.start && known.at.end === at.end))
      this.findings.push({ at, row, words, fix });
  }

  /** Walks without finding anything. */
  silently(walk: () => void): void {
    this.muted += 1;
    walk();
    this.muted -= 1;
  }

  bind(name: string, type: Type): void {
    const found = this.scope.find(name);
    const home = this.scope.home(name);
    if (found.kind === "local" || (found.kind === "global" && this.isFlowing(home))) {
      this.env.set(name + suffixOf(home), type);
      for (const log of this.assigned) {
        const known = log.get(name + suffixOf(home));
        log.set(name + suffixOf(home), known === undefined ? type : joined(known, type));
      }
    }
    if (found.kind !== "local" && home !== null && this.muted === 0) this.learned.shared.add(home, name, type);
  }

  read(name: string): Type {
    const found = this.scope.find(name);
    const home = this.scope.home(name);
    if (found.kind === "local" || (found.kind === "global" && this.isFlowing(home)))
      return this.env.get(name + suffixOf(home)) ?? UNKNOWN;
    return home === null || found.kind === "import" ? UNKNOWN : this.before.shared.read(home, name);
  }

  /** The statements at the top of a file see its globals in their order, unless functions set them. */
  private isFlowing(home: Scope | null): boolean {
    return this.owner === null && home?.kind === "module" && !setsGlobals(home);
  }
}

function suffixOf(home: Scope | null): string {
  return home?.suffix ?? "";
}

const settingGlobals = new WeakMap<Scope, boolean>();

function setsGlobals(scope: Scope): boolean {
  let known = settingGlobals.get(scope);
  if (known === undefined) {
    known = scope.children.some((child) => child.globals.size > 0 || setsGlobals(child));
    settingGlobals.set(scope, known);
  }
  return known;
}

export type Statements = readonly Stmt[];
