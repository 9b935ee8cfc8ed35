/** The elements of what difflib compares, and what they are looked up by. */
import { PyBytes } from "../../kinds/bytes.ts";
import { PyFloat } from "../../kinds/float.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Key, type Value } from "../../object.ts";
import { keyOf } from "../../operations.ts";

/** `refuse` raises what CPython does first with a value that is not a sequence. */
export function elementsOf(value: Value, refuse: (value: Value) => unknown): readonly Value[] {
  if (typeof value === "string") return [...value];
  if (value instanceof PyList || value instanceof PyTuple) return value.items;
  if (value instanceof PyBytes) return [...value.bytes];
  refuse(value);
  throw notExact("difflib compares texts, bytes, lists and tuples here; write list(...) around other values");
}

export function keysOf(elements: readonly Value[], ctx: Context): readonly Key[] {
  ctx.charge(elements.length);
  ctx.room(elements.length * Bytes.Entry);
  return elements.map((element) => {
    // CPython finds nan by its identity, and compares it by its value.
    if (element instanceof PyFloat && Number.isNaN(element.value)) throw notExact("difflib compares no nan here");
    return keyOf(element, ctx);
  });
}

/** Lines of a sequence that is read while a difference is made: a list may change meanwhile. */
export class Lines {
  readonly #value: Value;
  readonly #characters: readonly Value[] | null;

  constructor(value: Value) {
    this.#value = value;
    this.#characters = typeof value === "string" ? [...value] : null;
  }

  get all(): readonly Value[] {
    return this.#characters ?? elementsOf(this.#value, () => null);
  }

  at(index: number): Value {
    const line = this.all[index];
    if (line === undefined) throw notExact("a list of lines became shorter while their difference was read");
    return line;
  }

  /** A line where nothing else than a text can be compared. */
  text(index: number): string {
    const line = this.at(index);
    if (typeof line === "string") return line;
    throw notExact("lines that ndiff compares are texts here");
  }
}
