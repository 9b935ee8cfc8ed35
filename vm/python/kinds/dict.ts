/**
 * Dicts: an ordered table from keys to values in the order of first insertion. While all keys are texts and none of them looks like an array
 * index, it is an object without a prototype's members, which the engine gives a shape; from the first other key on it is a Map.
 */
import { type Key, PyObject, PyType, setType, type Value } from "../object.ts";

/** An object that inherits nothing, not even `__proto__`, and still has a shape (one made by Object.create(null) has none). */
function Plain(this: object): void {}
Plain.prototype = Object.create(null);
export type Members = { [key: string]: Value };
const plain = Plain as unknown as new () => Members;

/** More keys than this are kept in a Map, which can be shortened and counted at no cost. */
const MOST_PLAIN_KEYS = 64;

export class PyDict extends PyObject {
  declare readonly type: PyType;
  /** Of a dict of few texts; null: `map` has them. */
  plain: Members | null = new plain();
  map: Map<Key, Value> | null = null;
  /** Keys whose look-up key is not the key itself (True, 1.0, tuples). */
  spelled: Map<Key, Value> | null = null;
  size = 0;
  /** Keys in order, from the first question for the last one until another one is deleted. */
  #order: Key[] | null = null;
  /** How often keys were taken away, so that a loop over the dict notices. */
  deletions = 0;

  get(key: Key): Value | undefined {
    if (this.plain !== null) return typeof key === "string" ? this.plain[key] : undefined;
    return (this.map as Map<Key, Value>).get(key);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** `key` is that of `spelled`, which is kept from the first time. */
  set(key: Key, spelled: Value, value: Value): void {
    const { plain } = this;
    if (plain !== null) {
      if (typeof key === "string" && key === spelled) {
        if (plain[key] !== undefined) {
          plain[key] = value;
          return;
        }
        if (key === spelled && this.size < MOST_PLAIN_KEYS && !looksLikeIndex(key)) {
          plain[key] = value;
          this.size += 1;
          this.#order?.push(key);
          return;
        }
      }
      this.widen();
    }
    const map = this.map as Map<Key, Value>;
    map.set(key, value);
    if (map.size === this.size) return;
    this.size += 1;
    this.#order?.push(key);
    if (key !== spelled) {
      this.spelled ??= new Map();
      this.spelled.set(key, spelled);
    }
  }

  /** The value that was there; undefined: none. */
  delete(key: Key): Value | undefined {
    const found = this.get(key);
    if (found === undefined) return undefined;
    // A deletion costs an object its shape.
    if (this.plain !== null) this.widen();
    (this.map as Map<Key, Value>).delete(key);
    this.spelled?.delete(key);
    this.size -= 1;
    this.deletions += 1;
    if (this.#order?.at(-1) === key) this.#order.pop();
    else this.#order = null;
    return found;
  }

  clear(): void {
    this.plain = new plain();
    this.map = this.spelled = null;
    this.#order = null;
    this.size = 0;
    this.deletions += 1;
  }

  /** The key as it was written. */
  spelling(key: Key): Value {
    return this.spelled?.get(key) ?? key;
  }

  /** Look-up keys in order. A living Map's iterator sees what is added after it. */
  keys(): IterableIterator<Key> {
    return this.plain !== null ? Object.keys(this.plain)[Symbol.iterator]() : (this.map as Map<Key, Value>).keys();
  }

  /** The last key; undefined: the dict is empty. */
  lastKey(): Key | undefined {
    this.#order ??= [...this.keys()];
    return this.#order.at(-1);
  }

  /** Goes over to a Map. */
  widen(): void {
    if (this.map !== null) return;
    const map = new Map<Key, Value>();
    for (const key in this.plain) map.set(key, this.plain[key] as Value);
    this.map = map;
    this.plain = null;
  }
}
export const DICT_TYPE = setType(PyDict, new PyType("dict"));

const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** The engine puts such members of an object in front, by number. */
function looksLikeIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= DIGIT_0 && first <= DIGIT_9 && /^\d{1,10}$/.test(key);
}
