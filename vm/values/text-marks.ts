/**
 * Where the code points of a long text are, so that a program that cuts one text a thousand times does not walk it a
 * thousand times. A meter keeps the marks of the text that was cut last. Knows nothing of functions.
 */

import { Pace, type Task } from "../tasks/task.ts";
import type { TextMarks } from "../tasks/work-meter.ts";
import { WORK_CHUNK, type WorkMeter } from "../tasks/work-meter.ts";
import { codePointLength, codePointSlice, cutsPair, hasSurrogates } from "./code-points.ts";

/** log2 of the code points between two marks. */
const SPACING = 8;
/** Shorter texts are walked each time. */
const LONG_TEXT = 4096;

/** Whether the text can be cut and counted at once: it is short, or was walked already. */
export function isMarked(text: string, meter: WorkMeter): boolean {
  return text.length <= LONG_TEXT || known(text, meter) !== null;
}

/** The marks kept for `text`. Different strings of the same length are distinguished by the engine's own comparison. */
function known(text: string, meter: WorkMeter): TextMarks | null {
  const { marks = null } = meter;
  return marks !== null && marks.text.length === text.length && marks.text === text ? marks : null;
}

/** Walks a text that is not marked. */
export function* markTask(text: string, meter: WorkMeter): Task<void> {
  if (isMarked(text, meter)) return;
  const pace = new Pace(meter);
  let pairs = false;
  for (let start = 0; start < text.length && !pairs; start += WORK_CHUNK) {
    pairs = hasSurrogates(text.slice(start, start + WORK_CHUNK));
    if (pace.add(WORK_CHUNK >> 4)) yield;
  }
  meter.marks = pairs ? yield* walked(text, pace) : { text, length: text.length, positions: null };
  pace.end();
}

function* walked(text: string, pace: Pace): Task<TextMarks> {
  const positions: number[] = [];
  let length = 0;
  for (let at = 0; at < text.length; length++) {
    if ((length & ((1 << SPACING) - 1)) === 0) {
      positions.push(at);
      if (pace.add(1 << (SPACING - 2))) yield;
    }
    at += cutsPair(text, at + 1) ? 2 : 1;
  }
  return { text, length, positions };
}

/** `codePointLength` of a marked text. */
export function markedLength(text: string, meter: WorkMeter): number {
  return known(text, meter)?.length ?? codePointLength(text);
}

/** `codePointSlice` of a marked text. */
export function markedSlice(text: string, start: number, end: number, meter: WorkMeter): string {
  const marks = known(text, meter);
  if (marks === null) return codePointSlice(text, start, end);
  const from = unitAt(marks, Math.min(start, marks.length));
  return end <= start ? "" : text.slice(from, unitAt(marks, Math.min(end, marks.length)));
}

/** The unit at which code point `index` starts. */
function unitAt({ text, length, positions }: TextMarks, index: number): number {
  if (positions === null) return index;
  if (index === length) return text.length;
  let at = positions[index >> SPACING] as number;
  for (let left = index & ((1 << SPACING) - 1); left > 0; left--) at += cutsPair(text, at + 1) ? 2 : 1;
  return at;
}
