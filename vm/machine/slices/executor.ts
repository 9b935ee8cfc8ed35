/** What runs a program whose form has a loop of its own: the machine keeps meters, options and calls, and hands the rest to it. */

import type { TextBytes } from "../../memory/text-bytes.ts";
import type { BegunCall, Outcome, RunError, RunPlace } from "../../run.ts";
import type { Routed, Stop } from "./stop.ts";

/** Inputs by name. A value is JSON, with its text where that says more, or one that the program takes as it is; undefined: it was not given. */
export type GivenInputs = { readonly names: readonly string[]; readonly values: readonly unknown[] };

export interface Executor {
  /** Of what is repeated just now: 1, and one more for every repeat. */
  readonly attempt: number;
  /** The text of the frame, where it says more than the frame of the machine does. */
  frameText: string | undefined;
  /** The inputs, where they were read already: then the frame of the machine is empty. null: they are in the frame. */
  given: GivenInputs | null;
  /** Where the result is written as JSON instead of being made a value; null: it is made one. */
  out: TextBytes | null;
  /** The outcome has nothing besides. */
  readonly isSilent: boolean;
  /** A cancellation where the run stands begins a cleanup. */
  readonly cleansUp: boolean;
  /** Enters the entry label, with the frame of the machine. */
  start(): void;
  /** Runs a slice. */
  run(): Stop;
  /** What was thrown while the run waited continues its way. */
  route(thrown: unknown): Routed;
  /** The error object of what was thrown before the run began or at its end. */
  describe(thrown: unknown): RunError;
  /** The functions that are under way, outermost first; of a run that failed, those that were. Exact for traced runs, which stay in the loop. */
  places(): readonly RunPlace[];
  /** The outermost function with a name that is under way, for people who look at a branch; null where each one is a lambda. As exact as `places`. */
  begun(): BegunCall | null;
  /** What the outcome has besides. */
  told(): Pick<Outcome, "out_text" | "printed" | "printed_dropped">;
}
