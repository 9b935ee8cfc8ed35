/** The clock of this process, for hosts that have no other: everything below a surface is handed one, so that tests can move time themselves. */
import { uptime } from "node:os";
import type { Clock } from "../../vm/run.ts";

/** The global name is a getter; asking it each time took as long as reading the clock. */
const steady = performance;

/** Time and timers of this process. */
export const systemClock: Clock = {
  now: () => steady.now(),
  wall: () => Date.now(),
  wait: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  // Time since the machine started counts while it sleeps; the monotonic clock stands still on some systems.
  slept: () => uptime() * 1000 - steady.now(),
};
