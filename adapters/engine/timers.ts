/** The timers and the monotonic clock that engines are handed, so that tests can move time themselves. */

export type Timers = {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls `then` once after `ms` without keeping the process alive; the returned function calls it off. */
  after(ms: number, then: () => void): () => void;
};

/** A timer of Node holds no more than 31 bits. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(Math.max(0, ms), MAX_DELAY_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
