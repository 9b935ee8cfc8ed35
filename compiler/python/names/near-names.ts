/** What a name that nothing defines is meant to be. */
import { nearest } from "../../../grammar/text/nearest.ts";
import { BUILTIN_NAMES } from "../library/known.ts";
import { PRELUDE_NAMES } from "../library/prelude.ts";
import type { Scope } from "./scopes.ts";

/** Names that are looked at for one program: with many names and many mistakes the work would grow with the square of its length. */
const MOST_LOOKED_AT = 200_000;

export class NearNames {
  private left = MOST_LOOKED_AT;

  /** The nearest name that is known in the scope; null: none is near, or too many were looked at. */
  find(name: string, scope: Scope, isCalled: boolean): string | null {
    const names: string[] = [];
    for (let at: Scope | null = scope; at !== null; at = at.parent) {
      this.left -= at.bound.size;
      if (this.left < 0) return null;
      names.push(...at.bound, ...at.imports.keys());
    }
    return nearest(name, [...names, ...BUILTIN_NAMES, ...(isCalled ? PRELUDE_NAMES : [])]);
  }
}
