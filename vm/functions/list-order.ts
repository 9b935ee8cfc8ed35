/** The list functions that look at all elements at once: `sort` and `unique`, both without quadratic work. */
import { createHash } from "node:crypto";
import type { Json } from "../../compiler/json.ts";
import { compareText } from "../compare.ts";
import { sortedJsonText, textOf } from "../text.ts";
import { MAX_TEXT_UNITS, tooLarge } from "../values.ts";
import { charge, createTally, type WorkMeter } from "../work-meter.ts";

/** All numbers: by number. Else by text of each element. Stable either way. */
export function sorted(source: readonly Json[], meter: WorkMeter): Json {
  charge(meter, source.length);
  if (source.every((element) => typeof element === "number")) return sortedNumbers(source as readonly number[], meter);
  const rows: { readonly text: string; readonly element: Json }[] = [];
  const tally = createTally(meter);
  let converted = 0;
  for (const element of source) {
    const text = textOf(element, meter);
    tally(1 + text.length);
    if (typeof element === "object") converted += text.length;
    if (converted > MAX_TEXT_UNITS) throw tooLarge();
    rows.push({ text, element });
  }
  rows.sort((a, b) => {
    tally(1 + (Math.min(a.text.length, b.text.length) >> 4));
    return compareText(a.text, b.text);
  });
  return rows.map((row) => row.element);
}

/** Numbers are sorted in runs of so many, which are merged: in between the clock is looked at. */
const RUN = 65_536;

/** Without a comparison of ours, which takes five times as long. Equal numbers are the same, so their order is nobody's. */
function sortedNumbers(source: readonly number[], meter: WorkMeter): Json {
  const { length } = source;
  let from = new Float64Array(source);
  let runs = 0;
  for (let start = 0; start < length; start += RUN, runs++) {
    const run = from.subarray(start, start + RUN);
    run.sort();
    charge(meter, comparisons(run.length));
  }
  let to = runs > 1 ? new Float64Array(length) : from;
  for (let width = RUN; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const end = Math.min(start + 2 * width, length);
      merge(from, to, start, Math.min(start + width, length), end);
      charge(meter, end - start);
    }
    [from, to] = [to, from];
  }
  const ordered: number[] = [];
  // Whole numbers stay small integers for the engine, which are cheaper to read than doubles.
  for (const value of from) ordered.push((value | 0) === value ? value | 0 : value);
  return ordered;
}

function comparisons(length: number): number {
  return length * Math.ceil(Math.log2(length + 1));
}

/** Two sorted runs of `from`, to `middle` and to `end`, become one of `to`. */
function merge(from: Float64Array, to: Float64Array, start: number, middle: number, end: number): void {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takesLeft = right >= end || (left < middle && (from[left] as number) <= (from[right] as number));
    to[at] = from[takesLeft ? left++ : right++] as number;
  }
}

/** Above this many units a key is kept as a digest, so that keys cost no more memory than the list. */
const LONG_KEY = 128;

/** The first of each set of equal elements. */
export function unique(source: readonly Json[], meter: WorkMeter): Json {
  const tally = createTally(meter);
  const scalars = new Set<Json>();
  const containers = new Set<string>();
  const kept: Json[] = [];
  for (const element of source) {
    tally(1);
    if (typeof element !== "object" || element === null) {
      if (typeof element === "string") tally(element.length >> 4);
      if (scalars.has(element)) continue;
      scalars.add(element);
    } else {
      const key = containerKey(element, tally, meter);
      if (containers.has(key)) continue;
      containers.add(key);
    }
    kept.push(element);
  }
  return kept;
}

/**
 * Equal containers have equal keys and others different ones; a digest can not be taken for JSON text, which begins
 * with a bracket.
 */
function containerKey(value: Json, tally: (units: number) => void, meter: WorkMeter): string {
  const text = sortedJsonText(value, meter);
  tally(text.length);
  return text.length <= LONG_KEY ? text : createHash("sha256").update(text, "utf8").digest("base64");
}
