/**
 * A stable sort in pieces: short runs are sorted by the engine, and merged step by step. Knows nothing of values.
 */
import type { Pace, Task } from "./task.ts";

export type Order<T> = {
  readonly compare: (a: T, b: T) => number;
  /** Units of work of a comparison with `a`. */
  readonly units: (a: T) => number;
  /** The most units that one takes. */
  readonly most: number;
};

/** Elements of a run that the engine sorts in one go, where a comparison takes a unit of work. */
const RUN = 8192;
/** Comparisons of more units are made one by one. */
const LONG_COMPARISON = 64;

/** A new list. */
export function* sortedList<T>(list: readonly T[], order: Order<T>, pace: Pace): Task<T[]> {
  let from = list.slice();
  const run = order.most > LONG_COMPARISON ? 1 : RUN >> Math.ceil(Math.log2(order.most));
  if (run > 1) {
    if (list.length <= run) {
      pace.note(runWork(from, order));
      return from.sort(order.compare);
    }
    for (let start = 0; start < from.length; start += run) {
      const sorted = from.slice(start, start + run).sort(order.compare);
      for (let at = 0; at < sorted.length; at++) from[start + at] = sorted[at] as T;
      if (pace.add(runWork(sorted, order))) yield;
    }
  }
  let to = from.slice();
  const stretch = run === 1 ? FEW : MANY;
  for (let width = run; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      const merge: Merge = { left: start, middle, right: middle, end, at: start };
      while (merge.at < end) if (pace.add(mergeSome(from, to, merge, order, stretch))) yield;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Elements that are merged between two looks at the pace, with long comparisons and with short ones. */
const FEW = 8;
const MANY = 256;

/** Two sorted runs, up to `middle` and up to `end`, that become one; `at` is where its next element goes. */
type Merge = { left: number; readonly middle: number; right: number; readonly end: number; at: number };

/** Merges at most `count` elements, and returns the units of work. A plain loop: the engine makes less of those in tasks. */
function mergeSome<T>(from: readonly T[], to: T[], merge: Merge, order: Order<T>, count: number): number {
  const { middle, end } = merge;
  const stop = Math.min(end, merge.at + count);
  let { left, right } = merge;
  let units = 0;
  for (let at = merge.at; at < stop; at++) {
    const takesLeft = right >= end || (left < middle && order.compare(from[left] as T, from[right] as T) <= 0);
    const next = from[takesLeft ? left++ : right++] as T;
    to[at] = next;
    units += order.units(next);
  }
  merge.left = left;
  merge.right = right;
  merge.at = stop;
  return units;
}

/** Of n · log n comparisons. */
function runWork<T>(run: readonly T[], order: Order<T>): number {
  let units = 0;
  for (const element of run) units += order.units(element);
  return units * Math.ceil(Math.log2(run.length + 1));
}
