/** Values to JSON texts, as CPython's `json.dumps` writes them, and as they leave a run. */
import { RECURSION_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyFloat } from "../kinds/float.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { PyRange } from "../kinds/slice.ts";
import { notExact } from "../not-exact.ts";
import {
  Bytes,
  type Calling,
  type Context,
  finish,
  type Key,
  type PyObject,
  type PyType,
  typeOf,
  type Value,
} from "../object.ts";
import { known } from "../operators/each.ts";
import { floatText } from "../operators/floats.ts";
import { isFloat, isInt } from "../operators/numbers.ts";
import { intText } from "../operators/text.ts";
import { compareTexts } from "../operators/texts.ts";

export type WriteOptions = {
  readonly skipsKeys: boolean;
  readonly isAscii: boolean;
  readonly allowsNan: boolean;
  /** Begins each line once for each level; null: all on one line. */
  readonly indent: string | null;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  /** Makes something else of a value that JSON does not have; null: TypeError. */
  readonly otherwise: Value;
  readonly sortsKeys: boolean;
  /** Out of a run: ranges and deques are lists; nan, infinities and two keys with one text have no exact form. */
  readonly isBorder: boolean;
};

const BORDER: WriteOptions = {
  skipsKeys: false,
  isAscii: false,
  allowsNan: true,
  indent: null,
  itemSeparator: ",",
  keySeparator: ":",
  otherwise: null,
  sortsKeys: false,
  isBorder: true,
};

const MOST_LEVELS = 990;
const MOST_LEVELS_OF_BORDER = 512;
/** Units after which the room for what was written is asked for. */
const STEP = 65_536;
/** Values after which others get a turn. */
const TURN = 10_000;

/** The exact JSON text of a value as it leaves a run. */
export function writeJson(value: Value, ctx: Context): string {
  // Nothing is called, because `otherwise` is null.
  return finish(jsonText(value, BORDER, ctx));
}

export function* jsonText(value: Value, options: WriteOptions, ctx: Context): Calling<string> {
  const writer = new Writer(options, ctx);
  yield* writer.write(value, 0);
  ctx.charge(writer.text.length >> 3);
  return writer.text;
}

class Writer {
  text = "";
  readonly #options: WriteOptions;
  readonly #ctx: Context;
  readonly #open = new Set<PyObject>();
  #asked = 0;
  #count = 0;

  constructor(options: WriteOptions, ctx: Context) {
    this.#options = options;
    this.#ctx = ctx;
  }

  *write(value: Value, level: number): Calling<null> {
    if (!this.#isWritten(value)) yield* this.#container(value as PyObject, level);
    return null;
  }

  /** Writes a value that is not a container; false: it is one. */
  #isWritten(value: Value): boolean {
    if (this.text.length - this.#asked > STEP) this.#ask();
    const plain = this.#plain(value);
    if (plain !== null) this.text += plain;
    return plain !== null;
  }

  /** True after every 10,000 values: others get a turn. */
  #isTurn(): boolean {
    this.#count += 1;
    return this.#count % TURN === 0;
  }

  *#container(object: PyObject, level: number): Calling<null> {
    if (this.#open.has(object)) throw raised(VALUE_ERROR, "Circular reference detected");
    if (level >= (this.#options.isBorder ? MOST_LEVELS_OF_BORDER : MOST_LEVELS))
      throw raisedLoosely(RECURSION_ERROR, "the value has too many levels for JSON");
    this.#open.add(object);
    if (object instanceof PyDict) yield* this.#members(object, level + 1);
    else {
      const items = this.#itemsOf(object);
      if (items !== null) yield* this.#items(items, level + 1);
      else yield* this.write(yield* this.#replaced(object), level + 1);
    }
    this.#open.delete(object);
    return null;
  }

  #ask(): void {
    this.#asked = this.text.length;
    this.#ctx.room(this.text.length * Bytes.Unit);
  }

  /** The text of a value that is not a container; null: it is one. */
  #plain(value: Value): string | null {
    if (typeof value === "string") return quoted(value, this.#options.isAscii);
    if (value === null) return "null";
    if (typeof value === "boolean") return String(value);
    if (isInt(value)) return intText(value);
    return isFloat(value) ? this.#float(value) : null;
  }

  #float(value: number | PyFloat): string {
    const float = value instanceof PyFloat ? value.value : value;
    if (Number.isFinite(float)) return floatText(float);
    if (this.#options.isBorder)
      throw notExact("nan and infinities have no JSON form; return None or a text in their place");
    if (!this.#options.allowsNan) throw raised(VALUE_ERROR, "Out of range float values are not JSON compliant");
    if (Number.isNaN(float)) return "NaN";
    return float < 0 ? "-Infinity" : "Infinity";
  }

  #itemsOf(object: PyObject): readonly Value[] | null {
    if (object instanceof PyList || object instanceof PyTuple) return object.items;
    const isSequence = object instanceof PyRange || object.type.slots.json !== undefined;
    return this.#options.isBorder && isSequence ? known(object, this.#ctx) : null;
  }

  *#items(items: readonly Value[], level: number): Calling<null> {
    if (items.length === 0) {
      this.text += "[]";
      return null;
    }
    this.#ctx.charge(items.length);
    this.text += "[";
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.text += this.#options.itemSeparator;
      this.#line(level);
      const item = items[index] as Value;
      if (!this.#isWritten(item)) yield* this.#container(item as PyObject, level);
      if (this.#isTurn()) yield null;
    }
    this.#line(level - 1);
    this.text += "]";
    return null;
  }

  *#members(dict: PyDict, level: number): Calling<null> {
    if (dict.size === 0) {
      this.text += "{}";
      return null;
    }
    this.#ctx.charge(dict.size);
    const seen = this.#options.isBorder && dict.plain === null ? new Set<string>() : null;
    this.text += "{";
    let isFirst = true;
    for (const key of this.#options.sortsKeys ? sortedKeys(dict) : [...dict.keys()]) {
      const name = this.#name(dict.spelling(key));
      if (name === null) continue;
      if (seen?.has(name) === true) throw notExact("two keys of a dict have the same text in JSON; write str(key)");
      seen?.add(name);
      if (!isFirst) this.text += this.#options.itemSeparator;
      isFirst = false;
      this.#line(level);
      this.text += quoted(name, this.#options.isAscii) + this.#options.keySeparator;
      const value = dict.get(key);
      if (value === undefined) throw notExact("a dict was changed while its JSON text was made");
      if (!this.#isWritten(value)) yield* this.#container(value as PyObject, level);
      if (this.#isTurn()) yield null;
    }
    this.#line(level - 1);
    this.text += "}";
    return null;
  }

  /** The text of a key; null: it is skipped. */
  #name(key: Value): string | null {
    if (typeof key === "string") return key;
    const name = this.#plain(key);
    if (name !== null) return name;
    if (this.#options.skipsKeys) return null;
    throw raised(TYPE_ERROR, `keys must be str, int, float, bool or None, not ${shortName(typeOf(key))}`);
  }

  #line(level: number): void {
    const { indent } = this.#options;
    if (indent !== null) this.text += `\n${indent.repeat(level)}`;
  }

  *#replaced(object: PyObject): Calling {
    const { otherwise } = this.#options;
    if (otherwise === null)
      throw raised(TYPE_ERROR, `Object of type ${shortName(object.type)} is not JSON serializable`);
    return yield { callee: otherwise, args: [object] };
  }
}

/** Python's `__name__`. */
function shortName({ name }: PyType): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Keys in their order; those that cannot be compared raise TypeError. */
function sortedKeys(dict: PyDict): Key[] {
  const keys = [...dict.keys()];
  if (keys.every((key) => typeof key === "string" && dict.spelling(key) === key))
    return (keys as string[]).sort(compareTexts);
  if (keys.every((key) => typeof key === "number" || typeof key === "bigint"))
    return keys.sort((a, b) => ((a as number) < (b as number) ? -1 : 1));
  if (keys.length === 1) return keys;
  throw raisedLoosely(TYPE_ERROR, "keys of different types have no order");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are escaped.
const SPECIAL = /["\\\u0000-\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are escaped.
const ALL_SPECIAL = /["\\\u0000-\u001f]/g;
const NOT_ASCII = /["\\]|[^ -~]/;
const ALL_NOT_ASCII = /["\\]|[^ -~]/g;
const SHORT: { readonly [unit: string]: string } = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quoted(text: string, isAscii: boolean): string {
  if (!(isAscii ? NOT_ASCII : SPECIAL).test(text)) return `"${text}"`;
  return `"${text.replace(isAscii ? ALL_NOT_ASCII : ALL_SPECIAL, escaped)}"`;
}

function escaped(unit: string): string {
  return SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
