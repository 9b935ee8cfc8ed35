/** What each variable of a function is known to hold at one place of it. */
import type { Scope } from "../names/scopes.ts";
import { isSame, joined, type Type, UNKNOWN } from "./types.ts";

export type Environment = Map<string, Type>;

/** After several ways have met. A variable that one of them leaves unset is what the others make of it. */
export function met(ways: readonly Environment[]): Environment {
  const [first, ...others] = ways;
  const result: Environment = new Map(first);
  for (const way of others)
    for (const [name, type] of way) {
      const known = result.get(name);
      if (known === undefined) result.set(name, type);
      else if (!isSame(known, type)) result.set(name, joined(known, type));
    }
  return result;
}

/** Variables that several functions see, and globals: all that is ever assigned to them. */
export class SharedVariables {
  private readonly known = new Map<Scope, Map<string, Type>>();

  read(scope: Scope, name: string): Type {
    return this.known.get(scope)?.get(name) ?? UNKNOWN;
  }

  add(scope: Scope, name: string, type: Type): void {
    const own = this.known.get(scope) ?? new Map<string, Type>();
    this.known.set(scope, own);
    const before = own.get(name);
    own.set(name, before === undefined ? type : joined(before, type));
  }
}
