/** The clock of this process, for hosts that have no other: everything below a surface is handed one, so that tests can move time themselves. */
import type { Clock } from "../vm/run.ts";

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  wait: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};
