/** What a run hears of its cancellation: it ends at once, unless its program has a cleanup that is to run first. */

import type { FatalFailure } from "../../errors/failures.ts";
import { cancelledFailure } from "../../errors/fatal-failures.ts";
import type { MachineOptions } from "../options.ts";

/** Of a run that cleans up, or whose journal says where it will. */
export interface Ending {
  /** Why the run is cancelled where it stands; null: it is not. */
  due(): FatalFailure | null;
  /** Where it will be cancelled. */
  readonly steps: number;
  /** The cleanup must be over by this time of the run, in milliseconds. */
  readonly endsMs: number;
}

/** Why a run ends from outside where it stands; null: it does not. Only `halt` ends one that cleans up. */
export function whyCancelled({ signal, halt, journal }: MachineOptions, ending: Ending | null): FatalFailure | null {
  if (halt?.aborted === true) return cancelledFailure(halt);
  if (ending !== null) return ending.due();
  return signal?.aborted === true && journal?.defersCancel !== true ? cancelledFailure(signal) : null;
}
