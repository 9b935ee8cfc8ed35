/** What a generated program can use at a place: names with their types, functions, and numbers for its traces. */
import type { Draw } from "./draw.ts";
import { isSame, type Type } from "./types.ts";

export type Variable = { readonly name: string; readonly type: Type };
type Callable = {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly type: Type; readonly hasDefault: boolean }[];
  readonly result: Type;
};

/** What all scopes of one program share. */
export type Shared = { readonly draw: Draw; nextName: number; nextTrace: number; readonly functions: Callable[] };

export class Scope {
  readonly shared: Shared;
  readonly #variables: Variable[];
  /** Values must not grow: the place may be reached many times. */
  readonly isRepeated: boolean;
  readonly isInLoop: boolean;
  readonly isInFunction: boolean;
  /** No assignment expression may stand here, as in the first iterable of a comprehension. */
  readonly isPure: boolean;

  constructor(
    shared: Shared,
    from: Partial<Pick<Scope, "isRepeated" | "isInLoop" | "isInFunction" | "isPure">>,
    variables: readonly Variable[] = [],
  ) {
    this.shared = shared;
    this.#variables = [...variables];
    this.isRepeated = from.isRepeated ?? false;
    this.isInLoop = from.isInLoop ?? false;
    this.isInFunction = from.isInFunction ?? false;
    this.isPure = from.isPure ?? false;
  }

  get draw(): Draw {
    return this.shared.draw;
  }

  get variables(): readonly Variable[] {
    return this.#variables;
  }

  of(type: Type): Variable[] {
    return this.#variables.filter((one) => isSame(one.type, type));
  }

  add(name: string, type: Type): Variable {
    const made = { name, type };
    const index = this.#variables.findIndex((one) => one.name === name);
    if (index < 0) this.#variables.push(made);
    else this.#variables[index] = made;
    return made;
  }

  remove(name: string): void {
    const index = this.#variables.findIndex((one) => one.name === name);
    if (index >= 0) this.#variables.splice(index, 1);
  }

  /** A scope with the same names, to which what is added later stays unknown outside. */
  inner(change: Partial<Pick<Scope, "isRepeated" | "isInLoop" | "isInFunction" | "isPure">> = {}): Scope {
    const { isRepeated, isInLoop, isInFunction, isPure } = this;
    return new Scope(this.shared, { isRepeated, isInLoop, isInFunction, isPure, ...change }, this.#variables);
  }

  freshName(): string {
    this.shared.nextName += 1;
    return `v${this.shared.nextName}`;
  }

  freshTrace(): number {
    this.shared.nextTrace += 1;
    return this.shared.nextTrace;
  }
}
