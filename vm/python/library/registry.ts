/**
 * The library as the machine finds it: builtins and members of modules by name, methods in their types. Made once, from the tables of natives of
 * this folder; a name says where a native belongs (`compiler/python/library/row.ts`).
 */
import { LIBRARY_ROWS } from "../../../compiler/python/library/rows.ts";
import { PyBuiltin } from "../kinds/callable.ts";
import type { Native, NativeRun, Natives, PyType, Value } from "../object.ts";

/** Tables of natives, and types and constants by the name that they have in Python (`int`, `math.pi`, `collections.Counter`). */
export type Part = {
  readonly natives: Natives;
  readonly types?: { readonly [name: string]: PyType };
  readonly values?: { readonly [name: string]: Value };
};

export class Library {
  /** Builtins (`len`) and members of modules (`math.floor`), by their whole name. */
  readonly values = new Map<string, Value>();
  readonly natives = new Map<string, Native>();
  readonly #builtins = new Map<NativeRun, PyBuiltin>();

  constructor(parts: readonly Part[]) {
    const types = new Map<string, PyType>();
    for (const part of parts) {
      for (const [name, type] of Object.entries(part.types ?? {})) {
        types.set(name, type);
        this.values.set(name, type);
      }
      for (const [name, value] of Object.entries(part.values ?? {})) this.values.set(name, value);
    }
    for (const part of parts)
      for (const [name, value] of Object.entries(part.values ?? {}))
        types.get(ownerOf(name))?.constants.set(lastWord(name), value);
    for (const part of parts)
      for (const [name, run] of Object.entries(part.natives)) {
        const isStatic = LIBRARY_ROWS.get(name)?.params.startsWith("self") === false;
        this.#add({ name, run, isStatic, signature: null }, types);
      }
  }

  #add(native: Native, types: ReadonlyMap<string, PyType>): void {
    const { name } = native;
    this.natives.set(name, native);
    const own = types.get(name);
    if (own !== undefined) {
      own.constructs = native;
      return;
    }
    const owner = types.get(ownerOf(name));
    if (owner !== undefined) owner.methods.set(lastWord(name), native);
    else this.values.set(name, this.#builtinOf(native));
  }

  /** Names with the same code are the same function (`bisect.bisect` is `bisect.bisect_right`), which has the name that stands first in its table. */
  #builtinOf(native: Native): PyBuiltin {
    const known = this.#builtins.get(native.run);
    if (known !== undefined) return known;
    const made = new PyBuiltin(native);
    this.#builtins.set(native.run, made);
    return made;
  }
}

/** `datetime.timezone` of `datetime.timezone.utc`. */
function ownerOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
