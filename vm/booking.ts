/**
 * What the variables of a run weigh. Every slot has a *booked* size that is never below the size of its value as JSON; the
 * frame's booked total is compared with the limit at every write. Only when it passes the limit are exact sizes computed
 * (docs/runtime.md, limits). Containers carry their exact size in a hidden field.
 */
import type { Json } from "../compiler/json.ts";
import { limitFailure } from "./fatal-failures.ts";
import { numberBytes, textBytes, unsetSize } from "./frame-size.ts";
import type { Machine } from "./machine.ts";
import { SIZE, type Sized } from "./values.ts";
import { charge, unmetered, WORK_CHUNK, type WorkMeter } from "./work-meter.ts";

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
/** After so many exact resolutions a run books exactly from the start. */
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
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as Json;
      size += exactSize(item, meter);
      work += typeof item === "string" ? item.length : 1;
      if (work >= WORK_CHUNK) work = charged(meter, work);
    }
  } else {
    size = 1;
    const object = value as { readonly [key: string]: Json };
    for (const key in object) {
      const member = object[key] as Json;
      size += textBytes(key) + 2 + exactSize(member, meter);
      work += key.length + (typeof member === "string" ? member.length : 1);
      if (work >= WORK_CHUNK) work = charged(meter, work);
    }
    if (size === 1) size = 2;
  }
  charge(meter, work);
  (value as Sized)[SIZE] = size;
  return size;
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
export function book(m: Machine, d: number, value: Json, size: number): void {
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
function bookBeyond(m: Machine, d: number, value: Json, size: number): void {
  if (!fits(m, m.frameBytes + size - (m.SZ[d] as number))) {
    bookExact(m, d, value);
    return;
  }
  // Asking may have made sizes exact.
  m.frameBytes += size - (m.SZ[d] as number);
  m.SZ[d] = size;
  m.V[d] = value;
}

/** Whether the frame may be `size` bytes; draws on what all runs share where it has to. Afterwards sizes may be exact that were not. */
export function fits(m: Machine, size: number): boolean {
  if (size <= m.frameLimit) return true;
  return size <= m.frameCap && m.options.deps.frames?.grant(m, size) === true;
}

/** Why the frame cannot be `size` bytes. */
export function tooLarge(m: Machine, size: number, variable: string | null): Error {
  const { frames } = m.options.deps;
  if (size <= m.frameCap && frames !== undefined) return frames.failure(m, size, variable);
  return limitFailure("RUNTIME_MAX_FRAME_BYTES", "max_frame_bytes", m.frameCap, size, { variable });
}

/**
 * Stores what slot `from` holds, at the size booked there. Handed over as an argument the size was boxed for it first, called or
 * not: 8 % of W3.
 */
export function bookFrom(m: Machine, d: number, from: number): void {
  book(m, d, m.V[from] as Json, m.SZ[from] as number);
}

/** Stores a value of unknown size that the slot does not own. */
export function bookValue(m: Machine, d: number, value: Json): void {
  m.OWN[d] = 0;
  if (typeof value === "number") {
    if (m.SZ[d] === Booked.Number) m.V[d] = value;
    else book(m, d, value, Booked.Number);
  } else if (typeof value === "string") {
    book(m, d, value, value.length * 6 + 2);
  } else {
    book(m, d, value, bookedSize(value, m.meter));
  }
}

/** Makes a variable unset again. */
export function bookUnset(m: Machine, d: number): void {
  const unset = unsetSize(m.names[d] as string);
  m.frameBytes += unset - (m.SZ[d] as number);
  m.SZ[d] = unset;
  m.V[d] = undefined;
  m.OWN[d] = 0;
}

function bookExact(m: Machine, d: number, value: Json): void {
  if (!m.exact) {
    resolveSizes(m);
    m.resolutions += 1;
    if (m.resolutions >= LAZY_RESOLUTIONS) m.exact = true;
  }
  const size = exactSize(value, m.meter);
  if (m.frameBytes + size - (m.SZ[d] as number) > m.frameLimit) {
    if (m.exact) resolveSizes(m);
    const exact = m.frameBytes + size - (m.SZ[d] as number);
    if (!fits(m, exact)) {
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
export function resolveSizes(m: Machine): void {
  const { V, SZ, OWN, variables } = m;
  let change = 0;
  for (let slot = 0; slot < variables; slot++) {
    const value = V[slot];
    if (value === undefined) continue;
    const less = excess(value, SZ[slot] as number, OWN[slot] as number);
    change += less;
    SZ[slot] = (SZ[slot] as number) - less;
  }
  m.frameBytes -= change;
}
