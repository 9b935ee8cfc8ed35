/** What a call may wait for. */
import type { JsonObject } from "../../compiler/json.ts";

/**
 * What a run waits for. `until`: milliseconds since 1970, of a wait with a `span` (milliseconds) by the clock of the store, which no change of
 * the system clock moves, and of one for a date by that of the wall.
 */
export type WaitSpec =
  | { readonly kind: "timer"; readonly until: number; readonly span?: number }
  | {
      readonly kind: "signal";
      readonly names: readonly string[];
      /** null: signals to the job itself. */
      readonly key: string | null;
      /** null: as long as the job lives. */
      readonly until: number | null;
      readonly span?: number;
    }
  /** For the decision of people. `until`: of this wait; the question may end earlier. */
  | { readonly kind: "approval"; readonly approval: string; readonly until: number | null; readonly span?: number }
  /** Until one of these jobs, of the family of the run, is over. What the call is answered then, its verb reads from the store. */
  | { readonly kind: "job"; readonly jobs: readonly string[]; readonly until: number | null; readonly span?: number }
  /** For an event of this name whose data have these members. `key`: null: of any. */
  | {
      readonly kind: "event";
      readonly name: string;
      readonly key: string | null;
      readonly match: JsonObject;
      readonly until: number | null;
      readonly span?: number;
    }
  /** For a person who knows whether the call of `of` happened. */
  | { readonly kind: "outcome"; readonly of: number; readonly until: null };
