/**
 * What the variables of a run weigh. Every slot has a *booked* size that is never below the size of its value as JSON; the
 * frame's booked total is compared with the limit at every write. Only when it passes the limit are exact sizes computed
 * (docs/runtime.md, limits). Containers carry their exact size in a hidden field.
 */
import type { Json } from "../../compiler/json.ts";
import { limitFailure } from "../errors/fatal-failures.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { charge, unmetered, WORK_CHUNK, type WorkMeter } from "../tasks/work-meter.ts";
import { listHeap, objectHeap } from "../values/heap-size.ts";
import { numberBytes, textBytes, unsetSize } from "../values/json-size.ts";
import { piecesOf } from "../values/text.ts";
import { KEY_WORK, SIZE, type Sized } from "../values/values.ts";
import type { FrameState, SizedText } from "./frame-state.ts";

/** Longest JSON text of a number and of a boolean. Literals in the built loop: as constants they cost W1 5 %. */
export const enum Booked {
  Number = 24,
  Boolean = 5,
}
/** Values of `OWN`. */
export const enum Mark {
  None = 0,
  /** The slot holds the only reference to its container. */
  Owned = 1,
  /** Of texts: the booked size is exact, and no surrogate is alone. */
  ExactText = 2,
  /** And besides, it is a key of one part. */
  PlainKey = 3,
}
/** A text that could need up to six bytes a unit is measured at once only when it is short. */
const MEASURED_UNITS = 64;
/** After this many exact resolutions a run accounts exactly from the start. */
const LAZY_RESOLUTIONS = 3;

/**
 * A size as containers carry it. Booked sizes are doubles, which in a member would take a heap number each; almost all are small
 * enough for the engine's small integers.
 */
export function carried(size: number): number {
  const small = size | 0;
  return small === size ? small : size;
}

/** Exact size of a container, measured once. Its nesting is bounded by whatever made it. */
export function containerSize(value: object, meter: WorkMeter = unmetered): number {
  return (value as Sized)[SIZE] ?? measure(value, meter);
}

/** One text may stand in a list a million times, and is looked at as often. */
function measure(value: object, meter: WorkMeter): number {
  let size: number;
  let work = 0;
  if (Array.isArray(value)) {
    size = value.length === 0 ? 2 : value.length + 1;
    meter.created?.(listHeap(value.length));
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as Json;
      size += exactSize(item, meter);
      work += typeof item === "string" ? item.length : 1;
      if (work >= WORK_CHUNK) work = charged(meter, work);
    }
  } else {
    size = 1;
    let members = 0;
    const object = value as { readonly [key: string]: Json };
    for (const key in object) {
      members += 1;
      const member = object[key] as Json;
      size += textBytes(key) + 2 + exactSize(member, meter);
      work += key.length + (typeof member === "string" ? member.length : 1);
      if (work >= WORK_CHUNK) work = charged(meter, work);
    }
    if (size === 1) size = 2;
    meter.created?.(objectHeap(members));
  }
  charge(meter, work);
  (value as Sized)[SIZE] = size;
  return size;
}

type Measured = {
  readonly value: object;
  readonly keys: readonly string[] | null;
  readonly length: number;
  at: number;
  size: number;
};

/** Notes the size of a container, and of those in it, in pieces. */
export function* measureTask(root: object, pace: Pace): Task<void> {
  const open: Measured[] = [toMeasure(root)];
  for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
    if (part.at === part.length) {
      (part.value as Sized)[SIZE] = part.size === 1 ? 2 : part.size;
      pace.created(part.keys === null ? listHeap(part.length) : objectHeap(part.length));
      open.pop();
      continue;
    }
    const key = part.keys === null ? part.at : (part.keys[part.at] as string);
    const item = (part.value as { readonly [key: string | number]: Json })[key] as Json;
    if (typeof item === "object" && item !== null && (item as Sized)[SIZE] === undefined) {
      const inner = toMeasure(item);
      open.push(inner);
      if (pace.add(inner.keys === null ? 1 : KEY_WORK * inner.length)) yield;
      continue;
    }
    part.at += 1;
    let units = 1;
    if (typeof key === "string") {
      part.size += textBytes(key) + 2;
      units += key.length >> 4;
    }
    if (typeof item === "string" && item.length > WORK_CHUNK) part.size += yield* textBytesTask(item, pace);
    else {
      part.size += exactSize(item);
      if (typeof item === "string") units += item.length >> 4;
    }
    if (pace.add(units)) yield;
  }
}

/** `textBytes` of a long text. */
function* textBytesTask(text: string, pace: Pace): Task<number> {
  let bytes = 2;
  for (const piece of piecesOf(text)) {
    bytes += textBytes(piece) - 2;
    if (pace.add(piece.length >> 4)) yield;
  }
  return bytes;
}

function toMeasure(value: object): Measured {
  if (Array.isArray(value)) return { value, keys: null, length: value.length, at: 0, size: value.length + 1 };
  const keys = Object.keys(value);
  return { value, keys, length: keys.length, at: 0, size: 1 };
}

/** Nothing is left to be charged. */
function charged(meter: WorkMeter, work: number): 0 {
  meter.charge(work);
  return 0;
}

/** Exact UTF-8 length of the value's compact JSON. */
export function exactSize(value: Json, meter: WorkMeter = unmetered): number {
  if (typeof value === "number") return numberBytes(value);
  if (typeof value === "string") return measuredText(value, meter);
  if (typeof value === "object" && value !== null) return containerSize(value, meter);
  return value === false ? 5 : 4;
}

/** A text that is put into a thousand containers is measured a thousand times. */
export function measuredText(text: string, meter: WorkMeter): number {
  charge(meter, text.length);
  return textBytes(text);
}

/** Not below the exact size, and cheap. */
export function bookedSize(value: Json, meter: WorkMeter = unmetered): number {
  if (typeof value === "number") return Booked.Number;
  if (typeof value === "string") return value.length <= MEASURED_UNITS ? textBytes(value) : value.length * 6 + 2;
  if (typeof value === "object" && value !== null) return containerSize(value, meter);
  return value === null ? 4 : Booked.Boolean;
}

/** Stores `value`, whose size is at most `size` (exact for containers), in slot `d`. */
export function book(m: FrameState, d: number, value: Json, size: number): void {
  if (d < m.variables) {
    if (m.exact) {
      bookExact(m, d, value);
      return;
    }
    const total = m.frameBytes + size - (m.SZ[d] as number);
    if (total > m.frameLimit) {
      bookBeyond(m, d, value, size);
      return;
    }
    m.frameBytes = total;
  }
  m.SZ[d] = size;
  m.V[d] = value;
}

/** `book` of what makes the frame larger than it may be without asking. */
function bookBeyond(m: FrameState, d: number, value: Json, size: number): void {
  if (!fits(m, m.frameBytes + size - (m.SZ[d] as number), value)) {
    bookExact(m, d, value);
    return;
  }
  // Asking may have made sizes exact.
  m.frameBytes += size - (m.SZ[d] as number);
  m.SZ[d] = size;
  m.V[d] = value;
}

/**
 * Whether the frame may be `size` bytes, with `incoming` in it; draws on what all runs share where it has to. Afterwards sizes may be exact
 * that were not.
 */
export function fits(m: FrameState, size: number, incoming?: Json): boolean {
  if (size <= m.frameLimit) return true;
  return size <= m.frameCap && m.options.deps.frames?.grant(m, size, incoming) === true;
}

/** Why the frame cannot be `size` bytes. */
export function tooLarge(m: FrameState, size: number, variable: string | null): Error {
  const { frames } = m.options.deps;
  if (size <= m.frameCap && frames !== undefined) return frames.failure(m, variable);
  return limitFailure("RUNTIME_MAX_FRAME_BYTES", "max_frame_bytes", m.frameCap, size, { variable });
}

/** Stores a value of unknown size that the slot does not own. */
export function bookValue(m: FrameState, d: number, value: Json): void {
  m.OWN[d] = 0;
  if (typeof value === "number") {
    if (m.SZ[d] === Booked.Number) m.V[d] = value;
    else book(m, d, value, Booked.Number);
  } else if (typeof value === "string") {
    if (value.length > UNCOUNTED_UNITS) bookLongText(m, d, value);
    else book(m, d, value, value.length * 6 + 2);
  } else {
    book(m, d, value, bookedSize(value, m.meter));
  }
}

/** A long text whose exact size was looked for in pieces is not looked at again, however often sizes are made exact. */
function bookLongText(m: FrameState, d: number, text: string): void {
  const known = sizedAs(m, text);
  book(m, d, text, known?.bytes ?? text.length * 6 + 2);
  m.sizedText = null;
  if (known?.isWellFormed === true) m.OWN[d] = Mark.ExactText;
  noteText(m, d, text.length);
}

/** What was noted about a text; null: nothing. */
function sizedAs({ sizedText }: FrameState, text: string): SizedText | null {
  return sizedText !== null && sizedText.text.length === text.length && sizedText.text === text ? sizedText : null;
}

/** Shorter texts are not worth a look: their JSON tells enough. */
export const UNCOUNTED_UNITS = 4096;

/** A text was created that is in slot `d` now. Booked sizes of texts say little: they are up to six times what they take. */
export function noteText(m: FrameState, d: number, units: number): void {
  m.made += units;
  if (m.made <= m.madeLimit) return;
  const { frames } = m.options.deps;
  if (frames?.settle(m) === false) throw frames.failure(m, m.names[d] ?? null);
}

/** Makes a variable unset again. */
export function bookUnset(m: FrameState, d: number): void {
  const unset = unsetSize(m.names[d] as string);
  m.frameBytes += unset - (m.SZ[d] as number);
  m.SZ[d] = unset;
  m.V[d] = undefined;
  m.OWN[d] = 0;
}

function bookExact(m: FrameState, d: number, value: Json): void {
  if (!m.exact) {
    resolveSizes(m);
    m.resolutions += 1;
    if (m.resolutions >= LAZY_RESOLUTIONS) m.exact = true;
  }
  const size = (typeof value === "string" ? sizedAs(m, value)?.bytes : undefined) ?? exactSize(value, m.meter);
  if (m.frameBytes + size - (m.SZ[d] as number) > m.frameLimit) {
    if (m.exact) resolveSizes(m);
    const exact = m.frameBytes + size - (m.SZ[d] as number);
    if (!fits(m, exact, value)) {
      // The write that breaks the limit is the last thing the run does; usage reports the size before it.
      m.lastFrameBytes = m.frameBytes;
      m.V[d] = value;
      throw tooLarge(m, Math.max(2, exact), m.names[d] ?? null);
    }
  }
  m.frameBytes += size - (m.SZ[d] as number);
  m.SZ[d] = size;
  m.V[d] = value;
}

/** By how much the size booked for a variable is above that of its value, whose slot is marked with `mark`. */
export function excess(value: Json, booked: number, mark: number): number {
  if (typeof value === "number") return booked - numberBytes(value);
  if (typeof value === "string") return mark >= Mark.ExactText ? 0 : booked - textBytes(value);
  if (typeof value === "object" && value !== null) return 0;
  return booked - (value === false ? 5 : 4);
}

/** Replaces booked sizes by exact ones; afterwards `frameBytes` is the length of the frame as JSON (1 for the empty frame). */
export function resolveSizes(m: FrameState): void {
  const { V, SZ, OWN, variables } = m;
  m.resolves += 1;
  let change = 0;
  for (let slot = 0; slot < variables; slot++) {
    const value = V[slot];
    if (value === undefined) continue;
    const less = excess(value, SZ[slot] as number, OWN[slot] as number);
    change += less;
    SZ[slot] = (SZ[slot] as number) - less;
  }
  m.frameBytes -= change + resolveAway(m);
}

/** The same for variables that are put away. By how much their sizes were above. */
export function resolveAway({ frames }: FrameState): number {
  let change = 0;
  for (const { values, sizes, marks } of frames) {
    for (const [at, value] of values.entries()) {
      const less = excess(value, sizes[at] as number, marks[at] as number);
      change += less;
      sizes[at] = (sizes[at] as number) - less;
    }
  }
  return change;
}
