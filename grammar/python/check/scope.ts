/** The names of a function, class, comprehension or file, as CPython's symbol table keeps them. */
import { Refusal, type Stretch } from "../refusal.ts";

export type ScopeKind = "module" | "function" | "lambda" | "class" | "comprehension" | "annotation";

/** What is known of a name in a scope. */
const USED = 1;
const SET = 2;
const PARAMETER = 4;
export const GLOBAL = 8;
export const NONLOCAL = 16;
const ANNOTATED = 32;
/** Looped over by a comprehension. */
const LOOPED = 64;

const BOUND = SET | PARAMETER;

export class Scope {
  readonly kind: ScopeKind;
  readonly outer: Scope | null;
  readonly isAsyncFunction: boolean;
  /** A function with `await` or the like in it, a comprehension too. */
  isCoroutine: boolean;
  yields = false;
  /** Where a value is returned. */
  returned: Stretch | null = null;
  /** Loops around the statement. */
  loops = 0;
  /** Loops, `with` and parts of `try` around the statement. */
  blocks = 0;
  /** In what a comprehension loops over. */
  inIterable: number;
  /** In the target of a comprehension. */
  inTarget = false;
  private readonly names = new Map<string, number>();
  private nonlocals: { readonly name: string; readonly at: Stretch }[] | null = null;

  constructor(kind: ScopeKind, outer: Scope | null, isAsyncFunction = false) {
    this.kind = kind;
    this.outer = outer;
    this.isAsyncFunction = isAsyncFunction;
    this.isCoroutine = isAsyncFunction;
    this.inIterable = outer?.inIterable ?? 0;
  }

  get isFunction(): boolean {
    return this.kind === "function" || this.kind === "lambda" || this.kind === "comprehension";
  }

  use(name: string): void {
    const known = this.names.get(name) ?? 0;
    if ((known & USED) === 0) this.names.set(name, known | USED);
  }

  set(name: string, at: Stretch): void {
    if (name === "__debug__") throw new Refusal("target_debug", at);
    this.add(name, SET, at);
  }

  parameter(name: string, at: Stretch): void {
    if (name === "__debug__") throw new Refusal("target_debug", at);
    if (((this.names.get(name) ?? 0) & PARAMETER) !== 0)
      throw new Refusal("parameter_repeated", at, { words: { name } });
    this.add(name, PARAMETER, at);
  }

  annotate(name: string, at: Stretch): void {
    const known = this.names.get(name) ?? 0;
    if ((known & (GLOBAL | NONLOCAL)) !== 0 && this.kind !== "module")
      throw new Refusal("global_annotated", at, { words: { name, word: wordOf(known) } });
    if (name === "__debug__") throw new Refusal("target_debug", at);
    this.add(name, SET | ANNOTATED, at);
  }

  /** `global name` and `nonlocal name`, which must stand before the name is used. */
  declare(name: string, flag: typeof GLOBAL | typeof NONLOCAL, at: Stretch): void {
    const known = this.names.get(name) ?? 0;
    const words = { name, word: wordOf(flag) };
    if ((known & PARAMETER) !== 0) throw new Refusal("global_parameter", at, { words });
    if ((known & ANNOTATED) !== 0) throw new Refusal("global_annotated", at, { words });
    if ((known & (USED | SET)) !== 0) throw new Refusal("global_late", at, { words });
    this.add(name, flag, at);
  }

  private add(name: string, flags: number, at: Stretch): void {
    const known = (this.names.get(name) ?? 0) | flags;
    if (this.inTarget && (known & (GLOBAL | NONLOCAL)) !== 0)
      throw new Refusal("loop_rebinds_walrus", at, { words: { name } });
    if ((known & GLOBAL) !== 0 && (known & NONLOCAL) !== 0)
      throw new Refusal("global_and_nonlocal", at, { words: { name } });
    this.names.set(name, this.inTarget ? known | LOOPED : known);
    if ((flags & NONLOCAL) === 0) return;
    this.nonlocals ??= [];
    this.nonlocals.push({ name, at });
  }

  /** `name := …` in a comprehension sets the name of the function, or of the file, around it. */
  setFromWithin(name: string, at: Stretch): void {
    for (let scope: Scope | null = this; scope !== null; scope = scope.outer) {
      const known = scope.names.get(name) ?? 0;
      if (scope.kind === "comprehension") {
        if ((known & LOOPED) !== 0) throw new Refusal("walrus_rebinds", at, { words: { name } });
      } else if (scope.kind === "class") throw new Refusal("walrus_in_class", at);
      else if (scope.kind === "module") {
        this.add(name, GLOBAL, at);
        scope.add(name, GLOBAL, at);
        return;
      } else {
        this.add(name, (known & GLOBAL) !== 0 ? GLOBAL : NONLOCAL, at);
        scope.add(name, SET, at);
        return;
      }
    }
  }

  /** To be called when all scopes around are read. */
  checkNonlocals(): void {
    for (const { name, at } of this.nonlocals ?? []) {
      if (this.kind === "module") throw new Refusal("nonlocal_outside", at);
      if (!this.isBoundOutside(name)) throw new Refusal("nonlocal_unbound", at, { words: { name } });
    }
  }

  private isBoundOutside(name: string): boolean {
    for (let { outer } = this as { outer: Scope | null }; outer !== null; outer = outer.outer) {
      // A class binds the name for its methods.
      if (outer.kind === "class" && name === "__class__") return true;
      if (!outer.isFunction) continue;
      const known = outer.names.get(name) ?? 0;
      if ((known & GLOBAL) !== 0) return false;
      if ((known & NONLOCAL) === 0 && (known & BOUND) !== 0) return true;
    }
    return false;
  }
}

function wordOf(flags: number): string {
  return (flags & GLOBAL) !== 0 ? "global" : "nonlocal";
}
