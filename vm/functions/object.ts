/**
 * Objects and paths (docs/functions.md). Results are new objects or the argument itself; keys keep the order of the
 * source, and every key is data.
 */
import { isObject, type Json, setMember } from "../../compiler/json.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { charge, type WorkMeter } from "../tasks/work-meter.ts";
import { getPath, hasPath, putPathTask } from "../values/paths.ts";
import { textOf, textTask } from "../values/text.ts";
import { isList, KEY_WORK, MAX_OBJECT_KEYS, type OpenObject, tooLarge } from "../values/values.ts";
import { type FunctionGroup, required, resumable } from "./arguments.ts";

function obj(args: readonly Json[], meter: WorkMeter): Json {
  const key = args[0];
  const value = args[1];
  if (key === undefined || value === undefined) return {};
  const object: OpenObject = {};
  setMember(object, typeof key === "string" ? key : textOf(key, meter), value);
  return object;
}

function* put(args: readonly Json[], pace: Pace): Task<Json> {
  const root = required(args, 0, "put");
  const path = args[1];
  const value = args[2];
  return path === undefined || value === undefined ? root : yield* putPathTask(root, path, value, pace);
}

function get(args: readonly Json[], meter: WorkMeter): Json {
  const value = args[0];
  const path = args[1];
  const found = value === undefined || path === undefined ? null : getPath(value, path, meter);
  const otherwise = args[2];
  if (found !== null || otherwise === undefined) return found;
  return value !== undefined && path !== undefined && hasPath(value, path, meter) ? null : otherwise;
}

function keys(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "keys");
  if (!isObject(source)) return [];
  const names = Object.keys(source);
  charge(meter, KEY_WORK * names.length);
  return names;
}

function values(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "values");
  if (!isObject(source)) return [];
  const list: Json[] = [];
  for (const key in source) list.push(source[key] as Json);
  charge(meter, KEY_WORK * list.length);
  return list;
}

function* merge(args: readonly Json[], pace: Pace): Task<Json> {
  const merged: OpenObject = {};
  let count = 0;
  for (const source of args) {
    if (!isObject(source)) continue;
    for (const key in source) {
      if (pace.add(KEY_WORK)) yield;
      if (!Object.hasOwn(merged, key) && ++count > MAX_OBJECT_KEYS) throw tooLarge();
      setMember(merged, key, source[key] as Json);
    }
  }
  return merged;
}

/** The keys a call names: all arguments after the first, or the elements of one list. */
function* namedKeys(args: readonly Json[], pace: Pace): Task<ReadonlySet<string>> {
  const only = args.length === 2 ? args[1] : undefined;
  const list = isList(only) ? only : args.slice(1);
  const named = new Set<string>();
  for (let i = 0; i < list.length; i++) {
    named.add(yield* textTask(list[i] as Json, pace));
    if (pace.add(KEY_WORK)) yield;
  }
  return named;
}

function* select(args: readonly Json[], name: string, wanted: boolean, pace: Pace): Task<Json> {
  const source = required(args, 0, name);
  if (!isObject(source)) return {};
  const named = yield* namedKeys(args, pace);
  const selected: OpenObject = {};
  for (const key in source) {
    if (pace.add(KEY_WORK)) yield;
    if (named.has(key) === wanted) setMember(selected, key, source[key] as Json);
  }
  return selected;
}

export const objectFunctions: FunctionGroup = {
  obj,
  put: resumable(put),
  get,
  keys,
  values,
  merge: resumable(merge),
  pick: resumable((args, pace) => select(args, "pick", true, pace)),
  omit: resumable((args, pace) => select(args, "omit", false, pace)),
};
