/** Members by path: `a.b` walks texts of keys and positions of lists, a list of keys is exact. A miss on the way is a miss of the whole. */
import { INDEX_ERROR, raised, TYPE_ERROR } from "../../exceptions.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList } from "../../kinds/list.ts";
import { Bytes, type Context, type Value } from "../../object.ts";
import { keyOf } from "../../operations.ts";
import { copyDict, setMember } from "../../types/dict.ts";
import { nameOf } from "../arguments.ts";
import { isItems } from "./kinds.ts";

/** undefined: there is nothing. */
export function lookUp(value: Value, path: Value, ctx: Context): Value | undefined {
  const own = member(value, path, ctx);
  if (own !== undefined) return own;
  const parts = isItems(path) ? path.items : typeof path === "string" ? path.split(".") : [path];
  ctx.charge(parts.length);
  let at: Value | undefined = value;
  for (const part of parts) {
    if (part === "" && !isItems(path)) continue;
    if (at === undefined) return undefined;
    at = member(at, part, ctx);
  }
  return at;
}

function member(value: Value, key: Value, ctx: Context): Value | undefined {
  if (isItems(key)) return undefined;
  if (value instanceof PyDict) return value.get(keyOf(key, ctx));
  if (!isItems(value)) return undefined;
  const index = typeof key === "string" && /^\d{1,10}$/.test(key) ? Number(key) : key;
  return typeof index === "number" && index >= 0 ? value.items[index] : undefined;
}

/** The field of an element; None where it is missing. */
export function fieldOf(name: string, element: Value, field: Value, ctx: Context): Value {
  if (element instanceof PyDict || isItems(element)) return lookUp(element, field, ctx) ?? null;
  throw raised(TYPE_ERROR, `${name}() needs a list of dict or list, and an element is ${nameOf(element)}`);
}

/** A copy of `container` with the value below the keys; everything next to the way is shared. Dicts that are missing on the way are made. */
export function placed(
  container: Value | undefined,
  keys: readonly Value[],
  value: Value,
  ctx: Context,
  from = 0,
): Value {
  if (from === keys.length) return value;
  const key = keys[from] as Value;
  if (container instanceof PyList) {
    if (typeof key !== "number" || !Number.isInteger(key))
      throw raised(TYPE_ERROR, `list indices must be integers, not ${nameOf(key)}`);
    const { items } = container;
    const index = key < 0 ? key + items.length : key;
    if (index < 0 || index >= items.length) throw raised(INDEX_ERROR, "list index out of range");
    ctx.charge(items.length);
    ctx.alloc(Bytes.Object + items.length * Bytes.Element);
    const copy = items.slice();
    copy[index] = placed(items[index], keys, value, ctx, from + 1);
    return new PyList(copy);
  }
  if (container !== undefined && container !== null && !(container instanceof PyDict))
    throw raised(TYPE_ERROR, `'${nameOf(container)}' object has no members to put a value at`);
  const copy = copyDict(container ?? new PyDict(), ctx);
  setMember(copy, key, placed(copy.get(keyOf(key, ctx)), keys, value, ctx, from + 1), ctx);
  return copy;
}
