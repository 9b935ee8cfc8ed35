/**
 * Lists (docs/functions.md). Every result is a new list or the argument itself; elements are shared, never copied.
 * Lengths are tested against the cap before a list is built.
 */
import { isObject, type Json } from "../../compiler/json.ts";
import { characters, codePointLength, codePointSlice } from "../code-points.ts";
import { OperationFailure } from "../errors.ts";
import { readNumber, readWhole } from "../number-text.ts";
import { textOf } from "../text.ts";
import { isList, keyCount, MAX_LIST_LENGTH, tooLarge } from "../values.ts";
import { CHUNK_MASK, charge, chargeChunk, createTally, type WorkMeter } from "../work-meter.ts";
import { type FunctionGroup, required } from "./arguments.ts";
import { sorted, unique } from "./list-order.ts";

function len(args: readonly Json[], meter: WorkMeter): Json {
  const value = args[0];
  if (value === undefined || value === null) return 0;
  if (isList(value)) return value.length;
  if (isObject(value)) {
    const count = keyCount(value);
    charge(meter, count);
    return count;
  }
  if (typeof value !== "string") return textOf(value, meter).length;
  charge(meter, value.length);
  return codePointLength(value);
}

function push(args: readonly Json[], meter: WorkMeter): Json {
  const source = args[0];
  const value = args[1];
  if (value === undefined) return isList(source) ? source : [];
  if (!isList(source)) return [value];
  if (source.length >= MAX_LIST_LENGTH) throw tooLarge();
  charge(meter, source.length);
  const list = source.slice();
  list.push(value);
  return list;
}

/** The characters of the text of what is no list, within the cap. */
function textCharacters(value: Json, meter: WorkMeter): string[] {
  const text = textOf(value, meter);
  charge(meter, text.length);
  if (text.length > MAX_LIST_LENGTH && codePointLength(text) > MAX_LIST_LENGTH) throw tooLarge();
  return characters(text);
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
  charge(meter, text.length);
  const length = codePointLength(text);
  return codePointSlice(text, bound(args[1], length, 0), bound(args[2], length, length));
}

function reverse(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "reverse");
  if (!isList(source)) return textCharacters(source, meter).reverse();
  charge(meter, source.length);
  return source.slice().reverse();
}

function flatten(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "flatten");
  if (!isList(source)) return [source];
  let length = 0;
  for (let i = 0; i < source.length; i++) {
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, source.length - i);
    const element = source[i] as Json;
    length += isList(element) ? element.length : 1;
    if (length > MAX_LIST_LENGTH) throw tooLarge();
  }
  charge(meter, length);
  const list: Json[] = [];
  for (const element of source) {
    if (isList(element)) for (const inner of element) list.push(inner);
    else list.push(element);
  }
  return list;
}

function zip(args: readonly Json[], meter: WorkMeter): Json {
  const lists = args.filter(isList);
  if (lists.length === 0) return [];
  const length = lists.reduce((least, list) => Math.min(least, list.length), Number.POSITIVE_INFINITY);
  const rows: Json[] = [];
  const tally = createTally(meter);
  for (let i = 0; i < length; i++) {
    tally(lists.length);
    rows.push(lists.map((list) => list[i] as Json));
  }
  return rows;
}

function range(args: readonly Json[], meter: WorkMeter): Json {
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
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, count - i);
    list.push(start + i * step + 0);
  }
  return list;
}

function filterHighScore(args: readonly Json[], meter: WorkMeter): Json {
  const source = required(args, 0, "filter_high_score");
  const minimum = args[1] === undefined ? 0 : readNumber(args[1]);
  if (!isList(source)) return [];
  const kept: Json[] = [];
  for (let i = 0; i < source.length; i++) {
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, source.length - i);
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
  len,
  arr: (args, meter) => {
    charge(meter, args.length);
    return args.slice();
  },
  push,
  slice,
  sort: (args, meter) => {
    const source = required(args, 0, "sort");
    return sorted(isList(source) ? source : textCharacters(source, meter), meter);
  },
  reverse,
  unique: (args, meter) => {
    const source = required(args, 0, "unique");
    return isList(source) ? unique(source, meter) : [source];
  },
  flatten,
  zip,
  range,
  filter_high_score: filterHighScore,
};
