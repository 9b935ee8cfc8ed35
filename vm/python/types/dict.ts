/** Operators of dicts, and walking them. */
import { KEY_ERROR, RUNTIME_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { PyOrderedDict } from "../kinds/collections.ts";
import { DICT_TYPE, PyDict } from "../kinds/dict.ts";
import { PyTuple } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  fillSlots,
  type Key,
  type Next,
  PyIterator,
  type PyType,
  setType,
  typeOf,
  type Value,
} from "../object.ts";
import { isSame } from "../operators/compare.ts";
import { each, known } from "../operators/each.ts";
import { keyOf } from "../operators/keys.ts";
import { enter, leave } from "../operators/recursion.ts";
import { containerRepr, joined, repr } from "../operators/text.ts";
import { iteratorType } from "./elements.ts";

/** Sets a member of a dict and counts its bytes. */
export function setMember(dict: PyDict, key: Value, value: Value, ctx: Context): void {
  const size = dict.size;
  dict.set(keyOf(key, ctx), key, value);
  if (dict.size !== size) ctx.alloc(Bytes.Entry);
}

/** What a walk over a dict gives of each member. */
type Part = "key" | "value" | "item";

/** Walks a dict in its order and notices when its keys change. */
export class PyDictIterator extends PyIterator {
  declare readonly type: PyType;
  readonly #part: Part;
  readonly #size: number;
  readonly #deletions: number;
  #dict: PyDict | null;
  #keys: Iterator<Key>;
  constructor(dict: PyDict, part: Part) {
    super();
    this.#dict = dict;
    this.#part = part;
    this.#size = dict.size;
    this.#deletions = dict.deletions;
    this.#keys = dict.keys();
  }
  next(ctx: Context): Next {
    const dict = this.#dict;
    if (dict === null) return END;
    const isOrdered = dict instanceof PyOrderedDict;
    if (dict.size !== this.#size || (isOrdered && dict.deletions !== this.#deletions))
      throw raised(
        RUNTIME_ERROR,
        isOrdered ? "OrderedDict mutated during iteration" : "dictionary changed size during iteration",
      );
    if (dict.deletions !== this.#deletions)
      throw notExact("keys of a dict were deleted and added while a loop walked it; walk list(d) instead");
    const { value: key, done } = this.#keys.next();
    if (done) {
      this.#dict = null;
      return END;
    }
    if (this.#part === "key") return dict.spelling(key);
    const value = dict.get(key) as Value;
    if (this.#part === "value") return value;
    ctx.alloc(Bytes.Object + 2 * Bytes.Element);
    return new PyTuple([dict.spelling(key), value]);
  }
}
setType(PyDictIterator, iteratorType("dict_keyiterator"));

/** Keys as they were written, values or pairs of both, all at once. */
export function membersOf(dict: PyDict, part: Part, ctx: Context): Value[] {
  ctx.charge(dict.size);
  const all: Value[] = [];
  for (const key of dict.keys()) {
    if (part === "key") all.push(dict.spelling(key));
    else if (part === "value") all.push(dict.get(key) as Value);
    else all.push(new PyTuple([dict.spelling(key), dict.get(key) as Value]));
  }
  return all;
}

/** Sets all members of `from`, which may be the same dict. */
export function mergeDict(into: PyDict, from: PyDict, ctx: Context): void {
  ctx.charge(from.size);
  ctx.room(from.size * Bytes.Entry);
  if (into === from) return;
  const size = into.size;
  for (const key of from.keys()) into.set(key, from.spelling(key), from.get(key) as Value);
  ctx.alloc((into.size - size) * Bytes.Entry);
}

function equalDicts(a: PyDict, b: PyDict, ctx: Context): boolean {
  if (a.size !== b.size) return false;
  ctx.charge(a.size);
  enter("in comparison");
  try {
    for (const key of a.keys()) {
      const other = b.get(key);
      if (other === undefined || !isSame(a.get(key) as Value, other, ctx)) return false;
    }
    return true;
  } finally {
    leave();
  }
}

/** The members of a dict in braces. */
export function dictRepr(dict: PyDict, ctx: Context): string {
  if (dict.size === 0) return "{}";
  return containerRepr(dict, "{...}", ctx, () => {
    ctx.charge(dict.size);
    const parts: string[] = [];
    for (const key of dict.keys()) parts.push(`${repr(dict.spelling(key), ctx)}: ${repr(dict.get(key) as Value, ctx)}`);
    return `{${joined(parts, ctx)}}`;
  });
}

export function copyDict(dict: PyDict, ctx: Context): PyDict {
  const copy = new PyDict();
  ctx.alloc(Bytes.Object);
  mergeDict(copy, dict, ctx);
  return copy;
}

/** `d.update(value)`, `d |= value` and `dict(value)`: members of another dict, or pairs. `end` makes what the operation gives. */
export function updateDict<T extends Value>(dict: PyDict, value: Value, ctx: Context, end: () => T): T | Calling<T> {
  if (value instanceof PyDict) {
    mergeDict(dict, value, ctx);
    return end();
  }
  let index = 0;
  return each(
    value,
    ctx,
    (pair) => {
      if (typeOf(pair).slots.iterate === undefined)
        throw raised(TYPE_ERROR, `cannot convert dictionary update sequence element #${index} to a sequence`);
      const parts = known(pair, ctx);
      if (parts.length !== 2)
        throw raised(
          VALUE_ERROR,
          `dictionary update sequence element #${index} has length ${parts.length}; 2 is required`,
        );
      setMember(dict, parts[0] as Value, parts[1] as Value, ctx);
      index += 1;
    },
    end,
  );
}

fillSlots<PyDict>(DICT_TYPE, {
  length: (self) => self.size,
  iterate: (self) => new PyDictIterator(self, "key"),
  contains: (self, item, ctx) => self.has(keyOf(item, ctx)),
  item(self, key, ctx) {
    const found = self.get(keyOf(key, ctx));
    if (found === undefined) throw raised(KEY_ERROR, key);
    return found;
  },
  setItem: setMember,
  deleteItem(self, key, ctx) {
    if (self.delete(keyOf(key, ctx)) === undefined) throw raised(KEY_ERROR, key);
  },
  equals: (self, other, ctx) => (other instanceof PyDict ? equalDicts(self, other, ctx) : undefined),
  repr: dictRepr,
  binary(self, op, other, ctx) {
    if (op !== "|" || !(other instanceof PyDict)) return undefined;
    // A dict of another kind makes the result one of its own kind.
    if (other.type.slots.reflected !== undefined) return undefined;
    const merged = copyDict(self, ctx);
    mergeDict(merged, other, ctx);
    return merged;
  },
  inPlace: (self, op, other, ctx) => (op === "|" ? updateDict(self, other, ctx, () => self) : undefined),
});
