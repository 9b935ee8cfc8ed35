import type { Cleaning } from "../slices/ending.ts";
import type { Turns } from "./turns.ts";

/** The cancellation of a run that has branches and a cleanup: each branch hears of it where it calls or waits next, and the run last. */
export interface BranchesCancelled {
  /** Why they are cancelled; null: they are not. */
  readonly by: string | null;
  /** A branch is cancelled where it stands, and all others with it. null: nothing is to be cleaned up, and the run ends at once. */
  cancel(by: string, calls: number): Cleaning | null;
}

/** Where a machine stands among the branches of its run. */
export type BranchPlace = {
  /** Empty: it is the run itself. */
  readonly name: string;
  /** How many branches it stands in. */
  readonly nesting: number;
  /** Which adapters answer other branches of the run; null outside of branches. */
  readonly turns: Turns | null;
  /** null outside of branches. */
  readonly cancelled: BranchesCancelled | null;
  /** The run is over, and this branch waits for nothing any more. */
  givenUp: boolean;
};

export const NO_BRANCH: BranchPlace = Object.freeze({
  name: "",
  nesting: 0,
  turns: null,
  cancelled: null,
  givenUp: false,
});
