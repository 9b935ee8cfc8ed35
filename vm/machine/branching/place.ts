import type { Turns } from "./turns.ts";

/** Where a machine stands among the branches of its run. */
export type BranchPlace = {
  /** Empty: it is the run itself. */
  readonly name: string;
  /** How many branches it stands in. */
  readonly nesting: number;
  /** Which adapters answer other branches of the run; null outside of branches. */
  readonly turns: Turns | null;
  /** The run is over, and this branch waits for nothing any more. */
  givenUp: boolean;
};

export const NO_BRANCH: BranchPlace = Object.freeze({ name: "", nesting: 0, turns: null, givenUp: false });
