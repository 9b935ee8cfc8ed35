/**
 * Lists (docs/functions.md). Every result is a new list or the argument itself; elements are shared, never copied.
 * Lengths are tested against the cap before a list is built.
 */
import { isObject, type Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { charge, type WorkMeter } from "../tasks/work-meter.ts";
import { characters, codePointLength } from "../values/code-points.ts";
import { Heap, listHeap } from "../values/heap-size.ts";
import { readNumber, readWhole } from "../values/numbers.ts";
import { piecesOf, textOf, textTask } from "../values/text.ts";
import { markedLength, markedSlice } from "../values/text-marks.ts";
import { isList, KEY_WORK, keyCount, MAX_LIST_LENGTH, tooLarge, withElement } from "../values/values.ts";
import { type FunctionGroup, onMarkedText, required, resumable } from "./arguments.ts";
import { sorted, unique } from "./list-order.ts";

/** Elements that a loop passes between two looks at its pace. */
const STRIDE = 1024;
/** Adds a stride of cheap steps. */
function strides(pace: Pace, done: number): boolean {
  return (done & (STRIDE - 1)) === 0 && pace.add(STRIDE);
}

function len(args: readonly Json[], meter: WorkMeter): Json {
  const value = args[0];
  if (value === undefined || value === null) return 0;
  if (isList(value)) return value.length;
  if (isObject(value)) {
    const count = keyCount(value);
    charge(meter, KEY_WORK * count);
    return count;
  }
  return typeof value === "string" ? markedLength(value, meter) : textOf(value, meter).length;
}

function push(args: readonly Json[], meter: WorkMeter): Json {
  const source = args[0];
  const value = args[1];
  if (value === undefined) return isList(source) ? source : [];
  if (!isList(source)) return [value];
  if (source.length >= MAX_LIST_LENGTH) throw tooLarge();
  charge(meter, source.length);
  return withElement(source, value);
}

/** The characters of the text of what is not a list, within the cap. */
export function* textCharacters(value: Json, pace: Pace): Task<string[]> {
  const text = yield* textTask(value, pace);
  const list: string[] = [];
  for (const piece of piecesOf(text)) {
    if (list.length + piece.length > MAX_LIST_LENGTH && list.length + codePointLength(piece) > MAX_LIST_LENGTH) {
      throw tooLarge();
    }
    for (const character of characters(piece)) list.push(character);
    if (pace.add(piece.length)) yield;
  }
  return list;
}

/** A bound of `slice`: null counts as not given, negative counts from the end. */
function bound(value: Json | undefined, length: number, fallback: number): number {
  if (value === undefined || value === null) return fallback;
  const index = readWhole(value);
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
}

function slice(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "slice");
  if (isList(source)) {
    const start = bound(args[1], source.length, 0);
    const end = bound(args[2], source.length, source.length);
    charge(meter, end - start);
    return source.slice(start, Math.max(start, end));
  }
  const text = textOf(source, meter);
  const length = markedLength(text, meter);
  return markedSlice(text, bound(args[1], length, 0), bound(args[2], length, length), meter);
}

function* reverse(args: readonly Json[], pace: Pace): Task<Json> {
  const source = required(args, 0, "reverse");
  const list = isList(source) ? source : yield* textCharacters(source, pace);
  const reversed: Json[] = [];
  for (let i = list.length - 1; i >= 0; i--) {
    reversed.push(list[i] as Json);
    if (strides(pace, i)) yield;
  }
  return reversed;
}

function* flatten(args: readonly Json[], pace: Pace): Task<Json> {
  const source = required(args, 0, "flatten");
  if (!isList(source)) return [source];
  let length = 0;
  for (let i = 0; i < source.length; i++) {
    const element = source[i] as Json;
    length += isList(element) ? element.length : 1;
    if (length > MAX_LIST_LENGTH) throw tooLarge();
    if (strides(pace, i)) yield;
  }
  const list: Json[] = [];
  for (const element of source) {
    for (const inner of isList(element) ? element : [element]) {
      list.push(inner);
      if (strides(pace, list.length)) yield;
    }
    if (pace.add(1)) yield;
  }
  return list;
}

function* zip(args: readonly Json[], pace: Pace): Task<Json> {
  const lists = args.filter(isList);
  if (lists.length === 0) return [];
  const length = lists.reduce((least, list) => Math.min(least, list.length), Number.POSITIVE_INFINITY);
  pace.checkRoom(length * (Heap.Slot + listHeap(lists.length)));
  const rows: Json[] = [];
  for (let i = 0; i < length; i++) {
    rows.push(lists.map((list) => list[i] as Json));
    if (pace.add(4 + lists.length)) yield;
  }
  return rows;
}

function* range(args: readonly Json[], pace: Pace): Task<Json> {
  const first = readWhole(required(args, 0, "range"));
  const second = args[1];
  const start = second === undefined ? 0 : first;
  const stop = second === undefined ? first : readWhole(second);
  const step = args[2] === undefined ? 1 : readWhole(args[2]);
  if (step === 0) throw new OperationFailure("step is zero", "value_error");
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > MAX_LIST_LENGTH) throw tooLarge();
  const list: Json[] = [];
  for (let i = 0; i < count; i++) {
    list.push(start + i * step + 0);
    if (strides(pace, list.length)) yield;
  }
  return list;
}

function* filterHighScore(args: readonly Json[], pace: Pace): Task<Json> {
  const source = required(args, 0, "filter_high_score");
  const minimum = args[1] === undefined ? 0 : readNumber(args[1]);
  if (!isList(source)) return [];
  const kept: Json[] = [];
  for (let i = 0; i < source.length; i++) {
    if (pace.add(2)) yield;
    const element = source[i] as Json;
    if (!isObject(element)) continue;
    const score = own(element, "score") ?? own(element, "relevance") ?? 0;
    if (typeof score === "number" && score >= minimum) kept.push(element);
  }
  return kept;
}

function own(object: { readonly [key: string]: Json }, key: string): Json {
  return Object.hasOwn(object, key) ? (object[key] as Json) : null;
}

export const listFunctions: FunctionGroup = {
  len: onMarkedText(len, () => false),
  arr: (args, meter) => {
    charge(meter, args.length);
    return args.slice();
  },
  push,
  slice: onMarkedText(slice, (source) => !isList(source)),
  sort: resumable(function* (args, pace) {
    const source = required(args, 0, "sort");
    return yield* sorted(isList(source) ? source : yield* textCharacters(source, pace), pace);
  }),
  reverse: resumable(reverse),
  unique: resumable(function* (args, pace) {
    const source = required(args, 0, "unique");
    return isList(source) ? yield* unique(source, pace) : [source];
  }),
  flatten: resumable(flatten),
  zip: resumable(zip),
  // Small arguments can ask for a long list.
  range: resumable(range, { isQuick: () => false }),
  filter_high_score: resumable(filterHighScore),
};
