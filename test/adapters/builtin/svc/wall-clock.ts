/** A clock whose wall time stands still until a test moves it; deadlines run on real time. */
import type { Clock } from "../../../../vm/run.ts";
import { realClock } from "../../../support/adapter-bench.ts";

/** Before any file was made: what is swept by its age stays. */
export const NOW = Date.UTC(2020, 0, 15, 12);

export type WallClock = Clock & { advance(ms: number): void };

export function wallClock(start: number = NOW): WallClock {
  let now = start;
  return {
    ...realClock,
    wall: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
