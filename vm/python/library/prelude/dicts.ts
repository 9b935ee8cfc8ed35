/** Dicts: members by key and by path, entries, parts. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList, type PyTuple } from "../../kinds/list.ts";
import { Bytes, type Context, type Value } from "../../object.ts";
import { each, item, keep, keyOf, length } from "../../operations.ts";
import { copyDict, membersOf, mergeDict, setMember } from "../../types/dict.ts";
import { nameOf } from "../arguments.ts";
import { type Functions, isItems } from "./kinds.ts";
import { lookUp, placed } from "./paths.ts";

function madeDict(ctx: Context): PyDict {
  ctx.alloc(Bytes.Object);
  return new PyDict();
}

function listOf(ctx: Context, items: Value[]): PyList {
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return new PyList(items);
}

function entries(ctx: Context, dict: PyDict): Value {
  const rows = membersOf(dict, "item", ctx) as PyTuple[];
  return listOf(
    ctx,
    rows.map(({ items }) => listOf(ctx, [...items])),
  );
}

/** The keys that a call names: as arguments, or as one list. */
function named(keys: PyTuple): readonly Value[] {
  const [only] = keys.items;
  return keys.items.length === 1 && isItems(only) ? only.items : keys.items;
}

function pick(ctx: Context, dict: PyDict, keys: PyTuple): Value {
  const picked = madeDict(ctx);
  for (const key of named(keys)) {
    ctx.charge(1);
    const found = dict.get(keyOf(key, ctx));
    if (found !== undefined) setMember(picked, key, found, ctx);
  }
  return picked;
}

function omit(ctx: Context, dict: PyDict, keys: PyTuple): Value {
  const rest = copyDict(dict, ctx);
  for (const key of named(keys)) rest.delete(keyOf(key, ctx));
  return rest;
}

function at(ctx: Context, value: Value, key: Value) {
  if (value instanceof PyDict) return value.get(keyOf(key, ctx)) ?? null;
  if (typeof value !== "string" && !isItems(value))
    throw raised(TYPE_ERROR, `at() argument 'v' must be list, dict or str, not ${nameOf(value)}`);
  if (typeof key !== "number" || !Number.isInteger(key))
    throw raised(TYPE_ERROR, `at() argument 'key' must be int, not ${nameOf(key)}`);
  const size = length(value, ctx);
  return key < -size || key >= size ? null : item(value, key, ctx);
}

function put(ctx: Context, dict: PyDict, path: Value, value: Value): Value {
  const parts = isItems(path) ? path.items : typeof path === "string" ? path.split(".").filter(Boolean) : [path];
  return placed(dict, parts, value, ctx);
}

function fromEntries(ctx: Context, pairs: Value) {
  if (pairs instanceof PyDict) return pairs;
  const dict = madeDict(ctx);
  const step = (pair: Value): void => {
    if (!isItems(pair)) throw raised(TYPE_ERROR, `from_entries() needs pairs, and an element is ${nameOf(pair)}`);
    const [key, value] = pair.items;
    if (pair.items.length !== 2) throw raised(VALUE_ERROR, "from_entries() needs pairs of a key and a value");
    setMember(dict, key as Value, value as Value, ctx);
  };
  return each<Value>(pairs, ctx, step, () => dict);
}

function merge(ctx: Context, dicts: PyTuple): Value {
  const merged = madeDict(ctx);
  for (const dict of dicts.items as readonly PyDict[]) mergeDict(merged, dict, ctx);
  return merged;
}

function elements(ctx: Context, value: Value) {
  const items: Value[] = [];
  return each<Value>(
    value,
    ctx,
    (element) => keep(items, element, ctx),
    () => listOf(ctx, items),
  );
}

export const DICTS: Functions = {
  obj: [
    "any any",
    (ctx, key: Value, value: Value) => {
      const dict = madeDict(ctx);
      setMember(dict, key, value, ctx);
      return dict;
    },
  ],
  get: [
    "container field any",
    (ctx, value: Value, path: Value, fallback: Value) => {
      const found = lookUp(value, path, ctx);
      return found === undefined ? fallback : found;
    },
  ],
  put: ["dict field any", put],
  at: ["any any", at],
  put_at: [
    "container any any",
    (ctx, value: Value, keys: Value, one: Value) => placed(value, isItems(keys) ? keys.items : [keys], one, ctx),
  ],
  keys: ["dict", (ctx, dict: PyDict) => listOf(ctx, membersOf(dict, "key", ctx))],
  values: ["dict", (ctx, dict: PyDict) => listOf(ctx, membersOf(dict, "value", ctx))],
  entries: ["dict", entries],
  pairs: ["container", (ctx, value: Value) => (value instanceof PyDict ? entries(ctx, value) : elements(ctx, value))],
  each: ["any", elements],
  from_entries: ["any", fromEntries],
  merge: ["dict*", merge],
  pick: ["dict any*", pick],
  omit: ["dict any*", omit],
};
