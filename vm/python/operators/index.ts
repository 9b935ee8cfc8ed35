/** Indexes and slices. */
import { INDEX_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import type { PySlice } from "../kinds/slice.ts";
import { typeOf, type Value } from "../object.ts";
import { isInt } from "./numbers.ts";

/** CPython's largest index. Larger ints are cut to it in slices and refused elsewhere. */
const MAX_INDEX = 2n ** 63n - 1n;

/** The int that a value is as an index. Ints beyond those of CPython raise IndexError. */
export function asIndex(value: Value): number {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint") {
    if (value <= MAX_INDEX && value >= -MAX_INDEX - 1n) return Number(value);
    throw raised(INDEX_ERROR, "cannot fit 'int' into an index-sized integer");
  }
  throw raised(TYPE_ERROR, `'${typeOf(value).name}' object cannot be interpreted as an integer`);
}

/** The place in a sequence of `length` that an index means; `what` names the sequence in CPython's message. */
export function placeOf(key: Value, length: number, what: string): number {
  const index = asIndex(key);
  const place = index < 0 ? index + length : index;
  if (place < 0 || place >= length) throw raised(INDEX_ERROR, `${what} out of range`);
  return place;
}

/** Positions of a slice in a sequence: the first one, the step, and how many there are. `stop` is CPython's bound. */
export type Positions = {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly count: number;
};

export function positionsOf(slice: PySlice, length: number): Positions {
  const step = slice.step === null ? 1 : sliceIndex(slice.step);
  if (step === 0) throw raised(VALUE_ERROR, "slice step cannot be zero");
  const [first, last] = step < 0 ? [-1, length - 1] : [0, length];
  const bound = (value: Value, absent: number): number => {
    if (value === null) return absent;
    const index = sliceIndex(value);
    return index < 0 ? Math.max(index + length, first) : Math.min(index, last);
  };
  const start = bound(slice.start, step < 0 ? last : first);
  const stop = bound(slice.stop, step < 0 ? first : last);
  const distance = step < 0 ? start - stop : stop - start;
  return { start, stop, step, count: distance <= 0 ? 0 : Math.floor((distance - 1) / Math.abs(step)) + 1 };
}

function sliceIndex(value: Value): number {
  if (!isInt(value)) throw raised(TYPE_ERROR, "slice indices must be integers or None or have an __index__ method");
  return Number(value);
}
