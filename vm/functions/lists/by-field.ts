/**
 * Lists of records by a field: order, groups, sums. The field is read as `get` reads a path, so that it may be a path, and a
 * position in elements that are lists. A missing field is null.
 */
import { type Json, setMember } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import type { Pace, Task } from "../../tasks/task.ts";
import { compareStrict, longEqual, quickEqual } from "../../values/compare.ts";
import { sortByTask } from "../../values/filter-sort.ts";
import { finite, readNumber } from "../../values/numbers.ts";
import { getPath } from "../../values/paths.ts";
import { textTask } from "../../values/text.ts";
import { MAX_OBJECT_KEYS, type OpenObject, tooLarge } from "../../values/values.ts";
import { type FunctionGroup, required, requiredText, resumable } from "../arguments.ts";
import { requiredList } from "./read-list.ts";

/** Work of a look at an element's field. */
const FIELD_WORK = 4;

type FieldOf = (element: Json) => Json;

/** Reads the field that argument 1 names; the element itself where it is not given. */
function fieldOf(args: readonly Json[]): FieldOf {
  const path = args[1];
  return path === undefined ? (element) => element : (element) => getPath(element, path);
}

function requiredField(args: readonly Json[], name: string): FieldOf {
  required(args, 1, name);
  return fieldOf(args);
}

function* sortBy(args: readonly Json[], pace: Pace): Task<Json> {
  const list = requiredList(args, 0, "sort_by");
  const field = requiredField(args, "sort_by");
  const order = args[2] === undefined ? "asc" : requiredText(args, 2, "sort_by").toLowerCase();
  if (order !== "asc" && order !== "desc") throw new OperationFailure('order is not "asc" or "desc"', "value_error");
  return yield* sortByTask(list, field, order, pace);
}

/** The object that `add` fills: for each element, in order, it gets the key that its field is as text. */
function* keyed(
  args: readonly Json[],
  name: string,
  pace: Pace,
  add: (object: OpenObject, key: string, element: Json) => void,
): Task<OpenObject> {
  const list = requiredList(args, 0, name);
  const field = requiredField(args, name);
  const object: OpenObject = {};
  let count = 0;
  for (const element of list) {
    const key = yield* textTask(field(element), pace);
    if (!Object.hasOwn(object, key) && ++count > MAX_OBJECT_KEYS) throw tooLarge();
    add(object, key, element);
    if (pace.add(2 * FIELD_WORK + (key.length >> 4))) yield;
  }
  return object;
}

function* groupBy(args: readonly Json[], pace: Pace): Task<Json> {
  return yield* keyed(args, "group_by", pace, (groups, key, element) => {
    if (Object.hasOwn(groups, key)) (groups[key] as Json[]).push(element);
    else setMember(groups, key, [element]);
  });
}

function* countBy(args: readonly Json[], pace: Pace): Task<Json> {
  return yield* keyed(args, "count_by", pace, (counts, key) => {
    setMember(counts, key, Object.hasOwn(counts, key) ? (counts[key] as number) + 1 : 1);
  });
}

function* indexBy(args: readonly Json[], pace: Pace): Task<Json> {
  return yield* keyed(args, "index_by", pace, setMember);
}

/** The sum from left to right. */
function* sum(
  args: readonly Json[],
  name: string,
  pace: Pace,
): Task<{ readonly total: number; readonly count: number }> {
  const list = requiredList(args, 0, name);
  const field = fieldOf(args);
  let total = 0;
  for (const element of list) {
    total += readNumber(field(element));
    if (pace.add(FIELD_WORK)) yield;
  }
  return { total: finite(total), count: list.length };
}

/** The first element whose field is smallest (direction 1) or largest (−1); null of an empty list. */
function* extremeBy(args: readonly Json[], name: string, direction: 1 | -1, pace: Pace): Task<Json> {
  const list = requiredList(args, 0, name);
  const field = requiredField(args, name);
  let best: Json = null;
  let bestField: Json | undefined;
  for (const element of list) {
    const value = field(element);
    if (bestField === undefined || compareStrict(value, bestField) * direction < 0) {
      best = element;
      bestField = value;
    }
    if (pace.add(FIELD_WORK + (typeof value === "string" ? value.length >> 4 : 0))) yield;
  }
  return best;
}

/** The first element whose field equals the value, else null. */
function* find(args: readonly Json[], pace: Pace): Task<Json> {
  const list = requiredList(args, 0, "find");
  const field = requiredField(args, "find");
  const wanted = required(args, 2, "find");
  for (const element of list) {
    const value = field(element);
    if (quickEqual(value, wanted, pace) ?? (yield* longEqual(value, wanted, pace))) return element;
    if (pace.add(FIELD_WORK)) yield;
  }
  return null;
}

export const byFieldFunctions: FunctionGroup = {
  sort_by: resumable(sortBy),
  group_by: resumable(groupBy),
  count_by: resumable(countBy),
  index_by: resumable(indexBy),
  min_by: resumable((args, pace) => extremeBy(args, "min_by", 1, pace)),
  max_by: resumable((args, pace) => extremeBy(args, "max_by", -1, pace)),
  find: resumable(find),
  sum: resumable(function* (args, pace) {
    return (yield* sum(args, "sum", pace)).total;
  }),
  avg: resumable(function* (args, pace) {
    const { total, count } = yield* sum(args, "avg", pace);
    return count === 0 ? null : finite(total / count);
  }),
};
