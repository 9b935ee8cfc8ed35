/**
 * Objects and paths (docs/functions.md). Results are new objects or the argument itself; keys keep the order of the
 * source, and every key is data.
 */
import { isObject, type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { getPath, putPath } from "../paths.ts";
import { textOf } from "../text.ts";
import { isList, keyCount, MAX_OBJECT_KEYS, type OpenObject, tooLarge } from "../values.ts";
import { CHUNK_MASK, charge, chargeChunk, type WorkMeter } from "../work-meter.ts";
import { type FunctionGroup, required } from "./arguments.ts";

function obj(args: readonly Json[], meter: WorkMeter): Json {
  const key = args[0];
  const value = args[1];
  if (key === undefined || value === undefined) return {};
  const object: OpenObject = {};
  setMember(object, typeof key === "string" ? key : textOf(key, meter), value);
  return object;
}

function put(args: readonly Json[], meter: WorkMeter): Json {
  const root = required(args, 0, "put");
  const path = args[1];
  const value = args[2];
  return path === undefined || value === undefined ? root : putPath(root, path, value, meter);
}

function get(args: readonly Json[], meter: WorkMeter): Json {
  const value = args[0];
  const path = args[1];
  return value === undefined || path === undefined ? null : getPath(value, path, meter);
}

function keys(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "keys");
  if (!isObject(source)) return [];
  const names = Object.keys(source);
  charge(meter, names.length);
  return names;
}

function values(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "values");
  if (!isObject(source)) return [];
  const list: Json[] = [];
  for (const key in source) list.push(source[key] as Json);
  charge(meter, list.length);
  return list;
}

function merge(args: readonly Json[], meter: WorkMeter): Json {
  const merged: OpenObject = {};
  let count = 0;
  for (const source of args) {
    if (!isObject(source)) continue;
    charge(meter, keyCount(source));
    for (const key in source) {
      if (!Object.hasOwn(merged, key) && ++count > MAX_OBJECT_KEYS) throw tooLarge();
      setMember(merged, key, source[key] as Json);
    }
  }
  return merged;
}

/** The keys a call names: all arguments after the first, or the elements of one list. */
function namedKeys(args: readonly Json[], meter: WorkMeter): ReadonlySet<string> {
  const only = args.length === 2 ? args[1] : undefined;
  const list = isList(only) ? only : args.slice(1);
  const named = new Set<string>();
  for (let i = 0; i < list.length; i++) {
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, list.length - i);
    named.add(textOf(list[i] as Json, meter));
  }
  return named;
}

function select(source: JsonObject, named: ReadonlySet<string>, wanted: boolean, meter: WorkMeter): Json {
  const selected: OpenObject = {};
  let seen = 0;
  for (const key in source) {
    seen++;
    if (named.has(key) === wanted) setMember(selected, key, source[key] as Json);
  }
  charge(meter, seen);
  return selected;
}

export const objectFunctions: FunctionGroup = {
  obj,
  put,
  get,
  keys,
  values,
  merge,
  pick: (args, meter) => {
    const source = required(args, 0, "pick");
    return isObject(source) ? select(source, namedKeys(args, meter), true, meter) : {};
  },
  omit: (args, meter) => {
    const source = required(args, 0, "omit");
    return isObject(source) ? select(source, namedKeys(args, meter), false, meter) : {};
  },
};
