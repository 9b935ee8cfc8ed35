/**
 * Elements, characters and members by exact key: `at`, `put_at`, and the lists that a loop goes through: `each`, `pairs`,
 * `enumerate`, `entries`, `from_entries`. A number names an element, negative from the end; a key of an object is never split at dots.
 */
import { isObject, type Json, type JsonObject, setMember } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import type { Pace, Task } from "../../tasks/task.ts";
import { charge, type WorkMeter } from "../../tasks/work-meter.ts";
import { Heap, listHeap } from "../../values/heap-size.ts";
import { textOf, textTask } from "../../values/text.ts";
import { markedLength, markedSlice } from "../../values/text-marks.ts";
import {
  isList,
  KEY_WORK,
  MAX_LIST_LENGTH,
  MAX_OBJECT_KEYS,
  type OpenObject,
  tooLarge,
  typeName,
  withMember,
} from "../../values/values.ts";
import { type FunctionGroup, onMarkedText, optionalWhole, required, resumable } from "../arguments.ts";
import { textCharacters } from "../list.ts";

const MAX_KEYS = 128;

/** The position that `key` names among `length` elements; outside of 0 to `length` − 1 when it names no element. */
function position(key: Json, length: number, what: string): number {
  if (typeof key !== "number" || !Number.isInteger(key)) {
    throw new OperationFailure(`the index of a ${what} is a whole number, not ${typeName(key)}`, "type_error");
  }
  return key < 0 ? length + key : key;
}

function at(args: readonly Json[], meter: WorkMeter): Json {
  const value = required(args, 0, "at");
  const key = required(args, 1, "at");
  if (value === null) return null;
  if (isList(value)) return value[position(key, value.length, "list")] ?? null;
  if (isObject(value)) return memberAt(value, key, meter);
  if (typeof value !== "string") throw new OperationFailure(`cannot index ${typeName(value)}`, "type_error");
  const length = markedLength(value, meter);
  const index = position(key, length, "text");
  return index < 0 || index >= length ? null : markedSlice(value, index, index + 1, meter);
}

function memberAt(object: JsonObject, key: Json, meter: WorkMeter): Json {
  if (key === null) return null;
  const name = textOf(key, meter);
  return Object.hasOwn(object, name) ? (object[name] as Json) : null;
}

/** A copy of `v` with the value below its exact keys. Objects that are missing on the way are made. */
function* putAt(args: readonly Json[], pace: Pace): Task<Json> {
  const root = required(args, 0, "put_at");
  const keys = required(args, 1, "put_at");
  const value = required(args, 2, "put_at");
  const path = isList(keys) ? keys : [keys];
  if (path.length > MAX_KEYS) throw new OperationFailure(`path longer than ${MAX_KEYS} parts`, "path_error");
  return yield* putBelow(root, path, 0, value, pace);
}

function* putBelow(root: Json, path: readonly Json[], from: number, value: Json, pace: Pace): Task<Json> {
  if (from === path.length) return value;
  const key = path[from] as Json;
  if (isList(root)) {
    const index = position(key, root.length, "list");
    if (index < 0 || index >= root.length) throw new OperationFailure("index out of range", "value_error");
    pace.note(root.length);
    const list = root.slice();
    list[index] = yield* putBelow(root[index] as Json, path, from + 1, value, pace);
    return list;
  }
  if (root !== null && !isObject(root)) {
    throw new OperationFailure(`cannot put into ${typeName(root)}`, "type_error");
  }
  if (key === null) throw new OperationFailure("a key is null", "type_error");
  const object = root ?? {};
  const name = yield* textTask(key, pace);
  const below = Object.hasOwn(object, name) ? (object[name] as Json) : null;
  return yield* withMember(object, name, yield* putBelow(below, path, from + 1, value, pace), pace);
}

/** What a loop over `value` passes: elements, characters, keys; nothing for null. */
function* eachOf(value: Json, pace: Pace): Task<readonly Json[]> {
  if (isList(value)) return value;
  if (value === null) return [];
  if (isObject(value)) {
    const keys = Object.keys(value);
    if (pace.add(KEY_WORK * keys.length)) yield;
    return keys;
  }
  if (typeof value === "string") return yield* textCharacters(value, pace);
  throw new OperationFailure(`cannot loop over ${typeName(value)}`, "type_error");
}

function* each(args: readonly Json[], pace: Pace): Task<Json> {
  return yield* eachOf(required(args, 0, "each"), pace);
}

function* enumerate(args: readonly Json[], pace: Pace): Task<Json> {
  const list = yield* eachOf(required(args, 0, "enumerate"), pace);
  const start = optionalWhole(args, 1, 0);
  pace.checkRoom(list.length * (Heap.Slot + listHeap(2)));
  const rows: Json[] = [];
  for (let i = 0; i < list.length; i++) {
    rows.push([start + i, list[i] as Json]);
    if (pace.add(6)) yield;
  }
  return rows;
}

function* entriesOf(object: JsonObject, pace: Pace): Task<Json[]> {
  const keys = Object.keys(object);
  pace.checkRoom(keys.length * (Heap.Slot + listHeap(2)));
  if (pace.add(KEY_WORK * keys.length)) yield;
  const rows: Json[] = [];
  for (const key of keys) {
    rows.push([key, object[key] as Json]);
    if (pace.add(KEY_WORK)) yield;
  }
  return rows;
}

function* entries(args: readonly Json[], pace: Pace): Task<Json> {
  const value = required(args, 0, "entries");
  if (value === null) return [];
  if (!isObject(value)) throw new OperationFailure(`not an object: ${typeName(value)}`, "type_error");
  return yield* entriesOf(value, pace);
}

/** What a loop with two names passes: the entries of an object, the elements of a list. */
function* pairs(args: readonly Json[], pace: Pace): Task<Json> {
  const value = required(args, 0, "pairs");
  if (isObject(value)) return yield* entriesOf(value, pace);
  if (isList(value) && value.length > 0 && isObject(value[0] as Json)) {
    const message = "cannot loop over pairs of a list of dict; pass one name and read its members";
    throw new OperationFailure(message, "type_error");
  }
  if (isList(value) || value === null) return value ?? [];
  throw new OperationFailure(`cannot loop over pairs of ${typeName(value)}`, "type_error");
}

/** The object of a list of pairs; the last of equal keys wins. An object stays as it is. */
function* fromEntries(args: readonly Json[], pace: Pace): Task<Json> {
  const value = args[0] ?? null;
  if (isObject(value)) return value;
  if (value !== null && !isList(value)) throw new OperationFailure(`not a list: ${typeName(value)}`, "type_error");
  const object: OpenObject = {};
  let count = 0;
  for (const pair of value ?? []) {
    if (!isList(pair) || pair.length !== 2) {
      throw new OperationFailure(`not a pair of key and value: ${typeName(pair)}`, "type_error");
    }
    const key = textOf(pair[0] as Json);
    if (!Object.hasOwn(object, key) && ++count > MAX_OBJECT_KEYS) throw tooLarge();
    setMember(object, key, pair[1] as Json);
    if (pace.add(KEY_WORK + (key.length >> 4))) yield;
  }
  return object;
}

function end(args: readonly Json[], name: string, key: 0 | -1, meter: WorkMeter): Json {
  const value = required(args, 0, name);
  if (isObject(value)) throw new OperationFailure("not a list: dict", "type_error");
  return at([value, key], meter);
}

/** Elements or characters from `from` to `to`. */
function part(value: Json, from: number, to: number, meter: WorkMeter): Json {
  if (value === null) return [];
  if (isList(value)) {
    charge(meter, Math.max(0, Math.min(to, value.length) - from));
    return value.slice(from, Math.max(from, to));
  }
  if (typeof value !== "string") throw new OperationFailure(`not a list or text: ${typeName(value)}`, "type_error");
  return markedSlice(value, from, Math.max(from, to), meter);
}

/** A number of elements; what is below 0 counts as 0. */
function amount(args: readonly Json[], name: string): number {
  required(args, 1, name);
  return Math.min(MAX_LIST_LENGTH * 8, Math.max(0, optionalWhole(args, 1, 0)));
}

const isText = (value: Json): boolean => typeof value === "string";

export const accessFunctions: FunctionGroup = {
  at: onMarkedText(at, () => false),
  put_at: resumable(putAt),
  first: onMarkedText(
    (args, meter) => end(args, "first", 0, meter),
    () => false,
  ),
  last: onMarkedText(
    (args, meter) => end(args, "last", -1, meter),
    () => false,
  ),
  take: onMarkedText((args, meter) => part(required(args, 0, "take"), 0, amount(args, "take"), meter), isText),
  drop: onMarkedText(
    (args, meter) => part(required(args, 0, "drop"), amount(args, "drop"), Number.MAX_SAFE_INTEGER, meter),
    isText,
  ),
  each: resumable(each, { isQuick: ([value]) => typeof value !== "string" }),
  pairs: resumable(pairs, { isQuick: ([value]) => !isObject(value) }),
  enumerate: resumable(enumerate),
  entries: resumable(entries),
  from_entries: resumable(fromEntries),
};
