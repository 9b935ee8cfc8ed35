/**
 * The time of a job store: wall time that a change of the system clock cannot move. Retention, order in the queue, ids, spans and timeouts
 * hang on it, so that no clock jump expires results, reorders jobs or freezes a timer.
 */
import type { Clock } from "../../vm/run.ts";

/** Whole milliseconds since 1970: the wall clock as it was read once, carried on by the monotonic clock. */
export function steadyTime(clock: Pick<Clock, "now" | "wall">): () => number {
  const begun = clock.wall() - clock.now();
  return () => Math.floor(begun + clock.now());
}

/** Clocks that are set move by more than this; what they drift apart between two looks is less. */
const JUMP_MS = 1000;

/** What a look at the wall clock found. `latest`: the newest time of the store, where it was asked for. */
export type Look = { readonly wall: number; readonly latest?: number | null };

/**
 * A steady time that continues where the times of a store end. A clock that was set back since they were written is not believed until it has
 * caught up: new jobs would be listed, run and expired before existing ones, and what waits would wait for the difference too. Time in which
 * the machine slept counts, because those who wait for something lived through it.
 */
export class StoreTime {
  readonly #own: () => number;
  readonly #clock: Pick<Clock, "slept">;
  /** How far this time is ahead of the process's own. */
  #ahead = 0;
  /** How far the wall is ahead of the process's own time: another value at the next look means that it was set. */
  #wallAhead: number;
  #sleptMs: number;
  #behindMs = 0;
  readonly #listeners = new Set<() => void>();

  /** `own`: steady. `latest`: the newest time of the store; null: it is empty. */
  constructor(own: () => number, clock: Pick<Clock, "slept">, { wall, latest = null }: Look) {
    this.#own = own;
    this.#clock = clock;
    this.#sleptMs = clock.slept?.() ?? 0;
    this.#wallAhead = wall - own();
    this.#continueFrom(latest);
    this.#compare(wall);
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#own() + this.#ahead;

  /** How far the wall clock lags this time; 0: it agrees, or is ahead. */
  get behindMs(): number {
    return this.#behindMs;
  }

  /** Calls back when a clock jumped: what waits for a time may be due. Returns the way to stop listening. */
  onJump(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Compares the clocks again. */
  look({ wall, latest = null }: Look): void {
    const wasBehind = this.#behindMs;
    const slept = this.#clock.slept?.() ?? 0;
    const sleptNow = slept - this.#sleptMs;
    this.#sleptMs = slept;
    const didSleep = sleptNow > JUMP_MS;
    if (didSleep) this.#ahead += Math.floor(sleptNow);
    const wallAhead = wall - this.#own();
    const wasSet = Math.abs(wallAhead - this.#wallAhead) > JUMP_MS;
    this.#wallAhead = wallAhead;
    this.#continueFrom(latest);
    // It was wrong before, and is no more.
    if (wasBehind > 0) this.#continueFrom(wall);
    this.#compare(wall);
    if (didSleep || wasSet || wasBehind > 0 !== this.#behindMs > 0) for (const listener of this.#listeners) listener();
  }

  #continueFrom(time: number | null): void {
    const lag = (time ?? 0) - this.now();
    if (lag > 0) this.#ahead += lag;
  }

  #compare(wall: number): void {
    const lag = this.now() - wall;
    this.#behindMs = lag > JUMP_MS ? lag : 0;
  }
}

/** Looks again and again, until it is stopped. What fails is tried again the next time. */
export function watchTime(
  time: StoreTime,
  { look, everyMs, clock }: { look: () => Look | Promise<Look>; everyMs: number; clock: Pick<Clock, "wait"> },
): () => void {
  let stopWaiting = (): void => {};
  let isStopped = false;
  const again = (): void => {
    if (isStopped) return;
    stopWaiting = clock.wait(everyMs, () => {
      Promise.resolve()
        .then(look)
        .then((found) => time.look(found))
        .catch(() => {})
        .then(again);
    });
  };
  again();
  return () => {
    isStopped = true;
    stopWaiting();
  };
}

/** Warns an operator while the clock lags the store; null: it does not. */
export function clockWarning({ behindMs }: Pick<StoreTime, "behindMs">): string | null {
  if (behindMs === 0) return null;
  return `clock_behind_store: the clock lags the newest time of the job store by ${spanText(behindMs)}; the store continues from that time until the clock is set`;
}

function spanText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.ceil(ms / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min`;
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
