/**
 * Whether the service is too busy for more work: the event loop is late, or the heap nearly full. Lateness is that of the last second
 * and not that of one look: after a single hole the loop is free, and the callers who come then did not cause it.
 */
import { getHeapStatistics } from "node:v8";
import type { Clock } from "../../vm/run.ts";

export type OverloadBounds = { readonly maxLoopLagMs: number; readonly maxHeapShare: number };

type OverloadDeps = {
  readonly clock: Pick<Clock, "now">;
  /** Calls `look` every `ms` milliseconds; returns the function that ends it. */
  readonly every: (ms: number, look: () => void) => () => void;
  readonly heapUsed: () => number;
};

export type OverloadGuard = { isOverloaded(): boolean; stop(): void };

const TICK_MS = 50;
const WINDOW_MS = 1000;
const HEAP_LOOK_MS = 1000;

type Tick = { readonly at: number; readonly lateMs: number };

export function guardOverload(bounds: OverloadBounds, { clock, every, heapUsed }: OverloadDeps): OverloadGuard {
  const maxHeapBytes = Math.floor(getHeapStatistics().heap_size_limit * bounds.maxHeapShare);
  let ticks: Tick[] = [];
  let lateMs = 0;
  let last = clock.now();
  let used = heapUsed();
  const stops = [
    every(TICK_MS, () => {
      const at = clock.now();
      const recent = ticks.filter((tick) => tick.at > at - WINDOW_MS);
      // Where each turn takes more than a second, the tick before this one is older.
      ticks = [...(recent.length === 0 ? ticks.slice(-1) : recent), { at, lateMs: Math.max(0, at - last - TICK_MS) }];
      last = at;
      lateMs = usualLateness(ticks);
    }),
    every(HEAP_LOOK_MS, () => {
      used = heapUsed();
    }),
  ];
  return {
    isOverloaded: () => lateMs > bounds.maxLoopLagMs || used > maxHeapBytes,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** The mean lateness of the ticks without the greatest one, which may be that of a single hole. */
function usualLateness(ticks: readonly Tick[]): number {
  const late = ticks.map(({ lateMs }) => lateMs);
  const sum = late.reduce((total, ms) => total + ms, 0);
  return late.length < 2 ? 0 : (sum - Math.max(...late)) / (late.length - 1);
}

/** Timers that do not keep the process alive. */
export function everyUnref(ms: number, look: () => void): () => void {
  const timer = setInterval(look, ms).unref();
  return () => clearInterval(timer);
}
