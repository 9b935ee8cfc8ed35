/**
 * The frame of a run: a map from names to values. Every write stores a deep copy; the size is found by writing the whole frame
 * out. Knows nothing of limits.
 */
import { type Json, type JsonObject, setMember } from "../../../compiler/json.ts";
import { deepCopy, serialisedBytes } from "./json-walk.ts";

export class Frame {
  readonly #values = new Map<string, Json>();

  constructor(initial: JsonObject) {
    for (const [name, value] of Object.entries(initial)) this.set(name, value);
  }

  /** undefined: the variable is unset. */
  get(name: string): Json | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: Json | undefined): void {
    if (value === undefined) this.#values.delete(name);
    else this.#values.set(name, deepCopy(value));
  }

  sortedNames(): string[] {
    return [...this.#values.keys()].sort();
  }

  /** UTF-8 length of the compact JSON object of all set variables. */
  bytes(): number {
    return serialisedBytes(this.#object());
  }

  copy(): JsonObject {
    return deepCopy(this.#object()) as JsonObject;
  }

  #object(): JsonObject {
    const object: { [name: string]: Json } = {};
    for (const [name, value] of this.#values) setMember(object, name, value);
    return object;
  }
}
