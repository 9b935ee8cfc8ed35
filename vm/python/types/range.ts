/** Operators of ranges. */
import { raised, TYPE_ERROR } from "../exceptions.ts";
import { PyRange, PySlice, RANGE_TYPE } from "../kinds/slice.ts";
import { END, fillSlots, type Next, PyIterator, type PyType, setType, typeOf, type Value } from "../object.ts";
import { placeOf, positionsOf } from "../operators/index.ts";
import { compoundKey } from "../operators/keys.ts";
import { comparable, isInt, isNumber } from "../operators/numbers.ts";
import { iteratorType } from "./elements.ts";

export class PyRangeIterator extends PyIterator {
  declare readonly type: PyType;
  /** The next value, and how many are left. */
  private at: number;
  private left: number;
  private readonly step: number;
  constructor({ start, step, length }: PyRange) {
    super();
    this.at = start;
    this.left = length;
    this.step = step;
  }
  next(): Next {
    if (this.left === 0) return END;
    this.left -= 1;
    const { at } = this;
    this.at = at + this.step;
    return at;
  }
}
setType(PyRangeIterator, iteratorType("range_iterator"));

/** The place of a number in a range; -1: it is not there. */
export function placeInRange(range: PyRange, item: Value): number {
  if (!isNumber(item)) return -1;
  const place = (Number(comparable(item)) - range.start) / range.step;
  return Number.isInteger(place) && place >= 0 && place < range.length ? place : -1;
}

fillSlots<PyRange>(RANGE_TYPE, {
  length: (self) => self.length,
  iterate: (self) => new PyRangeIterator(self),
  contains: (self, item) => placeInRange(self, item) >= 0,
  item(self, at) {
    const { start, step, length } = self;
    if (at instanceof PySlice) {
      const positions = positionsOf(at, length);
      return new PyRange(start + positions.start * step, start + positions.stop * step, step * positions.step);
    }
    if (!isInt(at)) throw raised(TYPE_ERROR, `range indices must be integers or slices, not ${typeOf(at).name}`);
    // Ranges know ints of any size, so that a large one is just too large.
    const index = typeof at === "bigint" ? length : at;
    return start + placeOf(index, length, "range object index") * step;
  },
  equals: (self, other) => (other instanceof PyRange ? sameRange(self, other) : undefined),
  key: ({ start, step, length }) => compoundKey("r", [length, length > 0 ? start : null, length > 1 ? step : null]),
  repr: ({ start, stop, step }) => (step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`),
  attribute: (self, name) => (name === "start" || name === "stop" || name === "step" ? self[name] : undefined),
});

function sameRange(a: PyRange, b: PyRange): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  return a.start === b.start && (a.length === 1 || a.step === b.step);
}
