/** Lists compared with lists, cut, counted and asked as a whole. */
import { isObject, type Json } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import type { Pace, Task } from "../../tasks/task.ts";
import { longEqual, quickEqual } from "../../values/compare.ts";
import { Heap, listHeap } from "../../values/heap-size.ts";
import { createFinder } from "../../values/text-search.ts";
import { isList, KEY_WORK, keyCount, truthy, typeName } from "../../values/values.ts";
import { type FunctionGroup, optionalWhole, required, resumable } from "../arguments.ts";
import { textCharacters } from "../list.ts";
import { ValueSet } from "../list-order.ts";
import { requiredList } from "./read-list.ts";

function* setOf(list: readonly Json[], pace: Pace): Task<ValueSet> {
  const set = new ValueSet();
  for (const element of list) {
    yield* set.add(element, pace);
    if (pace.isDue()) yield;
  }
  return set;
}

/** The elements that the other list does not have, in their order. */
function* diff(args: readonly Json[], pace: Pace): Task<Json> {
  const list = requiredList(args, 0, "diff");
  const other = yield* setOf(requiredList(args, 1, "diff"), pace);
  const kept: Json[] = [];
  for (const element of list) {
    if (!(yield* other.has(element, pace))) kept.push(element);
    if (pace.isDue()) yield;
  }
  return kept;
}

/** The elements that both lists have, each once, in the order of the first list. */
function* intersect(args: readonly Json[], pace: Pace): Task<Json> {
  const list = requiredList(args, 0, "intersect");
  const other = yield* setOf(requiredList(args, 1, "intersect"), pace);
  const seen = new ValueSet();
  const kept: Json[] = [];
  for (const element of list) {
    if ((yield* other.has(element, pace)) && (yield* seen.add(element, pace))) kept.push(element);
    if (pace.isDue()) yield;
  }
  return kept;
}

function* chunk(args: readonly Json[], pace: Pace): Task<Json> {
  const list = requiredList(args, 0, "chunk");
  required(args, 1, "chunk");
  const size = optionalWhole(args, 1, 1);
  if (size < 1) throw new OperationFailure("size is below 1", "value_error");
  pace.checkRoom(Math.ceil(list.length / size) * (Heap.Slot + listHeap(Math.min(size, list.length))));
  const chunks: Json[] = [];
  for (let start = 0; start < list.length; start += size) {
    const part = list.slice(start, start + size);
    chunks.push(part);
    if (pace.add(4 + part.length)) yield;
  }
  return chunks;
}

/** How many elements, characters or members there are; with a value, how many elements equal it or how often a text has it. */
function* count(args: readonly Json[], pace: Pace): Task<Json> {
  const value = required(args, 0, "count");
  const wanted = args[1];
  if (value === null) return 0;
  if (isList(value)) return wanted === undefined ? value.length : yield* countEqual(value, wanted, pace);
  if (typeof value === "string") {
    if (wanted === undefined) return (yield* textCharacters(value, pace)).length;
    if (typeof wanted === "string" && wanted !== "") return yield* countText(value, wanted, pace);
    throw new OperationFailure("what is counted in a text is a text that is not empty", "type_error");
  }
  if (!isObject(value) || wanted !== undefined) {
    throw new OperationFailure(`not a list or text: ${typeName(value)}`, "type_error");
  }
  const members = keyCount(value);
  pace.note(KEY_WORK * members);
  return members;
}

function* countEqual(list: readonly Json[], wanted: Json, pace: Pace): Task<number> {
  let count = 0;
  for (const element of list) {
    if (quickEqual(element, wanted, pace) ?? (yield* longEqual(element, wanted, pace))) count += 1;
    if (pace.add(1)) yield;
  }
  return count;
}

function* countText(text: string, part: string, pace: Pace): Task<number> {
  const find = yield* createFinder(text, part, pace);
  let count = 0;
  for (let at = yield* find(0); at >= 0; at = yield* find(at + part.length)) {
    count += 1;
    if (pace.add(8)) yield;
  }
  return count;
}

/** Whether an element is found whose truthiness is `wanted`. */
function* holds(args: readonly Json[], name: string, wanted: boolean, pace: Pace): Task<boolean> {
  for (const element of requiredList(args, 0, name)) {
    if (truthy(element) === wanted) return true;
    if (pace.add(1)) yield;
  }
  return false;
}

export const setFunctions: FunctionGroup = {
  diff: resumable(diff),
  intersect: resumable(intersect),
  chunk: resumable(chunk),
  count: resumable(count),
  any: resumable((args, pace) => holds(args, "any", true, pace)),
  all: resumable(function* (args, pace) {
    return !(yield* holds(args, "all", false, pace));
  }),
};
