/** How late the event loop is. One histogram of the process, read by metrics and readiness. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;

export type LoopLag = {
  /** 99th percentile since the start, in milliseconds. */
  p99(): number;
  /** The longest delay since the last call, in milliseconds. */
  takeLongest(): number;
  stop(): void;
};

export function watchLoopLag(): LoopLag {
  const all = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const recent = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  all.enable();
  recent.enable();
  const milliseconds = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) : 0;
  return {
    p99: () => milliseconds(all.percentile(99)),
    takeLongest() {
      const longest = milliseconds(recent.max);
      recent.reset();
      return longest;
    },
    stop() {
      all.disable();
      recent.disable();
    },
  };
}
