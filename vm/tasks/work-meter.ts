export type WorkMeter = {
  charge(units: number): void;
  /** Notes containers that a function made, as an estimate of heap bytes. */
  created?(bytes: number): void;
  /** Throws when a function may not create values of this many bytes of heap. Called before they are made, where they may be many. */
  checkRoom?(bytes: number): void;
  /** Positions in the long text that was cut last, kept for the next cut of the same text. */
  marks?: TextMarks | null;
};

/** For callers outside a run: constant folding, tests, tools. */
export const unmetered: WorkMeter = { charge() {} };

export const WORK_CHUNK = 65_536;
/** `(index & CHUNK_MASK) === 0` is true at the head of every chunk of a loop. */
export const CHUNK_MASK = WORK_CHUNK - 1;
/** A step of a program stands for as much work. */
const FREE_WORK = 64;

/** Charges work that an operation does in one piece. */
export function charge(meter: WorkMeter, units: number): void {
  if (units > FREE_WORK) meter.charge(units);
}

/** A text of at most this many units is compared in the time of one unit of work. */
const FREE_TEXT = 64;

/** Charges one look at a text, which takes the engine a fraction of the time of a unit of work for each of its own units. */
export function chargeText(meter: WorkMeter, text: string): void {
  if (text.length > FREE_TEXT) meter.charge(text.length >> 4);
}

/** Charges the next chunk of a loop that has `left` units to go. */
export function chargeChunk(meter: WorkMeter, left: number): void {
  if (left > FREE_WORK) meter.charge(Math.min(left, WORK_CHUNK));
}

export type TextMarks = {
  readonly text: string;
  /** In code points. */
  readonly length: number;
  /** The unit at which every 256th code point starts; null: every unit is a code point. */
  readonly positions: readonly number[] | null;
};
