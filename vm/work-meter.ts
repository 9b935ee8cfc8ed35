/**
 * The meter that functions over large values charge as they go. The machine's meter may throw from `charge` to end a
 * run that is out of time or cancelled, so a long loop must charge at least every `WORK_CHUNK` units. Work below
 * `FREE_WORK` is not worth a call. Knows nothing of clocks or limits.
 */
export type WorkMeter = { charge(units: number): void };

/** For callers outside a run: constant folding, tests, tools. */
export const unmetered: WorkMeter = { charge() {} };

export const WORK_CHUNK = 65_536;
/** `(index & CHUNK_MASK) === 0` is true at the head of every chunk of a loop. */
export const CHUNK_MASK = WORK_CHUNK - 1;
const FREE_WORK = 4_096;
const TALLY_PIECE = 16_384;

/** Charges work that is done in one piece. */
export function charge(meter: WorkMeter, units: number): void {
  if (units > FREE_WORK) meter.charge(units);
}

/** Short enough to be compared four thousand times in no time. */
const FREE_TEXT = 64;

/** Charges one look at a text, which takes the engine a fraction of the time of a unit of work for each of its own units. */
export function chargeText(meter: WorkMeter, text: string): void {
  if (text.length > FREE_TEXT) meter.charge(text.length >> 4);
}

/** Charges the next chunk of a loop that has `left` units to go. */
export function chargeChunk(meter: WorkMeter, left: number): void {
  if (left > FREE_WORK) meter.charge(Math.min(left, WORK_CHUNK));
}

/**
 * Adds up small amounts of work and charges them in larger pieces: a call for each comparison of a sort would be too
 * many.
 */
export function createTally(meter: WorkMeter): (units: number) => void {
  let pending = 0;
  return (units) => {
    pending += units;
    if (pending >= TALLY_PIECE) {
      meter.charge(pending);
      pending = 0;
    }
  };
}
