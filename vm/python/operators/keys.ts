/**
 * What dicts and sets look values up by. Values that are equal in Python have equal keys. A text is its own key; all other keys that are
 * texts begin with a lone surrogate, which no text of a program has.
 */
import { raised, TYPE_ERROR } from "../exceptions.ts";
import { intOf, PyFloat } from "../kinds/float.ts";
import { Bytes, type Context, type Key, type PyObject, typeOf, type Value } from "../object.ts";

const MARK = "\ud800";

export function keyOf(value: Value, ctx: Context): Key {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
      return value;
    case "boolean":
      return Number(value);
    default:
      if (value === null) return null;
      if (value instanceof PyFloat) return keyOfFloat(value);
      return keyOfObject(value, ctx);
  }
}

function keyOfFloat(float: PyFloat): Key {
  const { value } = float;
  if (Number.isNaN(value)) return identityKey(float);
  return Number.isInteger(value) ? intOf(BigInt(value)) : value;
}

function keyOfObject(value: PyObject, ctx: Context): Key {
  const { key } = typeOf(value).slots;
  if (key === undefined) throw raised(TYPE_ERROR, `unhashable type: '${value.type.name}'`);
  return key(value, ctx);
}

let identities = 0;
const identityOf = new WeakMap<PyObject, number>();

/** The key of a value that equals only itself. */
export function identityKey(value: PyObject): Key {
  let identity = identityOf.get(value);
  if (identity === undefined) {
    identity = identities += 1;
    identityOf.set(value, identity);
  }
  return `${MARK}#${identity}`;
}

/** One key out of several, in their order. `kind` tells apart kinds that are never equal; it has no digits. */
export function compoundKey(kind: string, parts: readonly Key[]): Key {
  return parts.length <= FEW
    ? parts.reduce<string>((key, part) => key + partOf(part), MARK + kind)
    : MARK + kind + parts.map(partOf).join("");
}

/** More parts are joined at once. */
const FEW = 4;

/** The key of a tuple: the room for it is asked for, because a tuple of tuples can be far larger than it looks. */
export function tupleKey(parts: readonly Key[], ctx: Context): Key {
  let units = 0;
  for (const part of parts) if (typeof part === "string") units += part.length;
  if (units < LARGE) return compoundKey("(", parts);
  ctx.room(units * Bytes.Unit);
  ctx.charge(units >> 3);
  return `${MARK}(${parts.map(partOf).join("")}`;
}

const LARGE = 1024;

/** A part with its own length where its end could not be seen. */
function partOf(key: Key): string {
  switch (typeof key) {
    case "string":
      return `${key.length}:${key}`;
    case "number":
    case "bigint":
      return `=${key};`;
    default:
      return "~";
  }
}
