/** What a run held when its branches began, to see whether one of them changed it. */
import { PyException } from "../../exceptions.ts";
import { PyBoundMethod, type PyCell, PyFunction } from "../../kinds/callable.ts";
import { PyDeque } from "../../kinds/collections.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PySet } from "../../kinds/set.ts";
import { notExact } from "../../not-exact.ts";
import { PyObject, type Value } from "../../object.ts";
import { FunctionFrame } from "../frames.ts";
import type { PyState } from "../state.ts";

type Contents = readonly (Value | undefined)[];

export class Frozen {
  readonly #s: PyState;
  readonly #globals: Contents;
  readonly #contents = new Map<PyObject | PyCell, Contents>();
  readonly #left: (PyObject | PyCell)[] = [];

  constructor(s: PyState) {
    this.#s = s;
    this.#globals = [...s.globals];
    this.#add(s.globals);
    for (let { frame } = s; frame !== null; frame = frame.parent) {
      if (!(frame instanceof FunctionFrame)) continue;
      this.#add(frame.registers);
      for (const cell of frame.cells) if (cell !== undefined) this.#cell(cell);
    }
    for (let one = this.#left.pop(); one !== undefined; one = this.#left.pop()) {
      const contents = contentsOf(one);
      this.#contents.set(one, contents);
      s.charge(contents.length);
      this.#add(contents);
      if (one instanceof PyFunction) for (const cell of one.cells) this.#cell(cell);
    }
  }

  #add(values: Contents): void {
    for (const value of values)
      if (value instanceof PyObject && !this.#contents.has(value)) {
        this.#contents.set(value, []);
        this.#left.push(value);
      }
  }

  #cell(cell: PyCell): void {
    if (this.#contents.has(cell)) return;
    this.#contents.set(cell, []);
    this.#left.push(cell);
  }

  /** Throws RUNTIME_NOT_EXACT where something is not as it was. */
  check(): void {
    let isSame = areSame(this.#globals, this.#s.globals);
    for (const [one, before] of this.#contents) isSame &&= areSame(before, contentsOf(one));
    if (!isSame) throw notExact("a branch changed what it shares with others: return the value instead");
  }
}

function contentsOf(one: PyObject | PyCell): Contents {
  if (!(one instanceof PyObject)) return [one.value];
  if (one instanceof PyList || one instanceof PyTuple) return [...one.items];
  if (one instanceof PyDict) return [...one.keys()].flatMap((key) => [one.spelling(key), one.get(key)]);
  if (one instanceof PyDeque) return one.elements();
  if (one instanceof PySet) return [...one.members.values()];
  if (one instanceof PyFunction) return one.defaults;
  if (one instanceof PyBoundMethod) return [one.self];
  if (one instanceof PyException) return [one.args, one.cause, ...(one.members?.values() ?? [])];
  return one.type.slots.holds?.(one) ?? [];
}

function areSame(before: Contents, now: Contents): boolean {
  return before.length === now.length && before.every((value, at) => Object.is(value, now[at]));
}
