/** The kinds of the module collections: the data. What they do stands in `vm/python/library/modules/collections/`. */
import { PyObject, PyType, setType, type Value } from "../object.ts";
import { PyDict } from "./dict.ts";
import { ITEMS_TYPE, KEYS_TYPE, PyItemsView, PyKeysView, PyValuesView, VALUES_TYPE } from "./view.ts";

export class PyCounter extends PyDict {}

export class PyDefaultDict extends PyDict {
  /** Called for the value of a missing key; null where such a key is an error. */
  factory: Value = null;
}

export class PyOrderedDict extends PyDict {}

export class PyOrderedKeysView extends PyKeysView {}
setType(PyOrderedKeysView, new PyType("odict_keys", [KEYS_TYPE]));
export class PyOrderedValuesView extends PyValuesView {}
setType(PyOrderedValuesView, new PyType("odict_values", [VALUES_TYPE]));
export class PyOrderedItemsView extends PyItemsView {}
setType(PyOrderedItemsView, new PyType("odict_items", [ITEMS_TYPE]));

const SMALLEST = 8;

/** A ring: its elements begin at `#start` and continue at the front of the array. */
export class PyDeque extends PyObject {
  declare readonly type: PyType;
  readonly maxlen: number | null;
  /** How often it was changed, so that a walk notices. */
  changes = 0;
  #ring: (Value | undefined)[] = new Array(SMALLEST);
  #start = 0;
  #length = 0;
  constructor(maxlen: number | null) {
    super();
    this.maxlen = maxlen;
  }

  get length(): number {
    return this.#length;
  }

  /** At a place that exists. */
  at(place: number): Value {
    return this.#ring[(this.#start + place) & (this.#ring.length - 1)] as Value;
  }

  put(place: number, value: Value): void {
    this.#ring[(this.#start + place) & (this.#ring.length - 1)] = value;
  }

  /** All elements in order. */
  elements(): Value[] {
    const all: Value[] = [];
    for (let place = 0; place < this.#length; place += 1) all.push(this.at(place));
    return all;
  }

  /** Puts other elements in the place of all. */
  replace(values: readonly Value[]): void {
    this.#ring = new Array(SMALLEST);
    this.#start = this.#length = 0;
    this.changes += 1;
    for (const value of values) this.append(value);
  }

  append(value: Value): void {
    if (this.maxlen === 0) return;
    if (this.#length === this.maxlen) this.popLeft();
    this.#grow();
    this.put(this.#length, value);
    this.#length += 1;
    this.changes += 1;
  }

  appendLeft(value: Value): void {
    if (this.maxlen === 0) return;
    if (this.#length === this.maxlen) this.pop();
    this.#grow();
    this.#start = (this.#start - 1) & (this.#ring.length - 1);
    this.#length += 1;
    this.put(0, value);
    this.changes += 1;
  }

  /** undefined: it is empty. */
  pop(): Value | undefined {
    if (this.#length === 0) return undefined;
    const value = this.at(this.#length - 1);
    this.#clear(this.#length - 1);
    this.#length -= 1;
    this.changes += 1;
    return value;
  }

  popLeft(): Value | undefined {
    if (this.#length === 0) return undefined;
    const value = this.at(0);
    this.#clear(0);
    this.#start = (this.#start + 1) & (this.#ring.length - 1);
    this.#length -= 1;
    this.changes += 1;
    return value;
  }

  #clear(place: number): void {
    this.#ring[(this.#start + place) & (this.#ring.length - 1)] = undefined;
  }

  #grow(): void {
    if (this.#length < this.#ring.length) return;
    const all = this.elements();
    this.#ring = new Array(2 * this.#ring.length);
    for (let place = 0; place < all.length; place += 1) this.#ring[place] = all[place];
    this.#start = 0;
  }
}
