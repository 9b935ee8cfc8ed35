/** How a slice of a run ends, and where a failure goes. */

export const enum Stop {
  Done = 0,
  Suspended = 1,
  Yielded = 2,
  Failed = 3,
  /** Yielded inside a block that is already charged: the run can continue, but not be stored. */
  Paused = 4,
}

/** Results for `run`: continue, wait, or failed (`Stop` without Done and Yielded). */
export type Routed = -1 | 1 | 3;
