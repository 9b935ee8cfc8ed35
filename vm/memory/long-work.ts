/**
 * Long operations of a machine: what an instruction does in pieces is interrupted when its slice is over, and the
 * instruction begins again in the next slice, where it takes up its task. An instruction may therefore change nothing
 * before its task is done, and has one at most.
 */
import type { Json } from "../../compiler/json.ts";
import type { PureFunction } from "../functions/table.ts";
import { Pace, type Task } from "../tasks/task.ts";
import { textBytes } from "../values/json-size.ts";
import { piecesOf } from "../values/text.ts";
import { SIZE, type Sized } from "../values/values.ts";
import { measureTask } from "./accounting.ts";
import type { FrameState } from "./frame-state.ts";

/** Thrown to leave an instruction whose task is not done. */
export const PAUSED: unique symbol = Symbol("a task is not done");

/** Pieces that a task does in each slice at least, unless its time is over, so that only long ones are left at all. */
const FEWEST_PIECES = 4;

/** The result of the task that the instruction was left with, if any, else of `begin`. Throws PAUSED when the slice is over before. */
export function finish<T>(m: FrameState, begin: () => Task<T>): T {
  const task = (m.task as Task<T> | null) ?? begin();
  m.task = null;
  for (let pieces = 1; ; pieces++) {
    const step = task.next();
    if (step.done === true) return step.value;
    if (!m.spent || (pieces < FEWEST_PIECES && !m.isSliceOver())) continue;
    m.task = task;
    throw PAUSED;
  }
}

/** Lists of up to this many elements are measured in one piece. */
const SHORT_LIST = 4096;
/** The same for texts, in units. */
const SHORT_TEXT = 65_536;

/** What a function comes to, with its size noted in it where measuring it takes long. */
export function called(m: FrameState, implementation: PureFunction, args: readonly Json[]): Json {
  const task = implementation.task?.(args, m.meter) ?? null;
  if (task !== null) return finish(m, () => measured(task, m));
  const value = implementation(args, m.meter);
  const isLong =
    typeof value === "string"
      ? value.length > SHORT_TEXT
      : Array.isArray(value) && value.length > SHORT_LIST && (value as Sized)[SIZE] === undefined;
  return isLong ? finish(m, () => measured(value, m)) : value;
}

/** A value, or what a task comes to, whose size is noted in it then; that of a long text is noted for who books it next. */
export function* measured<T extends Json>(given: T | Task<T>, m: FrameState): Task<T> {
  const value = isTask(given) ? yield* given : given;
  if (typeof value === "string" && value.length > SHORT_TEXT) yield* measuredLongText(value, m);
  if (typeof value !== "object" || value === null || (value as Sized)[SIZE] !== undefined) return value;
  const pace = new Pace(m.meter);
  yield* measureTask(value, pace);
  pace.end();
  return value;
}

function* measuredLongText(text: string, m: FrameState): Task<void> {
  const pace = new Pace(m.meter);
  let bytes = 2;
  let isWellFormed = true;
  for (const piece of piecesOf(text)) {
    bytes += textBytes(piece) - 2;
    isWellFormed &&= piece.isWellFormed();
    if (pace.add(piece.length >> 3)) yield;
  }
  pace.end();
  m.sizedText = { text, bytes, isWellFormed };
}

function isTask<T extends Json>(given: T | Task<T>): given is Task<T> {
  return typeof given === "object" && given !== null && typeof (given as { next?: unknown }).next === "function";
}
