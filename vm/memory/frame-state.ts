/**
 * The state of a run as the accounting of its memory and its long operations read and change it. The machine is one
 * (`vm/machine/machine.ts`, which explains the members); nothing here knows what else a machine has.
 */
import type { VariantTables } from "../../compiler/bytecode/program.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Task } from "../tasks/task.ts";
import type { WorkMeter } from "../tasks/work-meter.ts";

/** The set variables of a caller, put away: slots, values, booked sizes (made exact when the run's are) and marks. */
export type AwayFrame = {
  readonly slots: readonly number[];
  readonly values: readonly Json[];
  readonly sizes: number[];
  readonly marks: readonly number[];
};

export interface FrameState {
  readonly names: readonly string[];
  readonly variables: number;
  readonly tables: VariantTables;
  readonly options: { readonly deps: { readonly frames?: FrameBudget } };
  readonly meter: WorkMeter;
  readonly V: (Json | undefined)[];
  readonly SZ: Float64Array;
  readonly OWN: Uint8Array;
  readonly lists: readonly (readonly Json[])[];
  readonly kept: readonly (Json | undefined)[];
  readonly extra: JsonObject;
  /** Variables of callers, put away while a call has its own; the outermost first. */
  readonly frames: AwayFrame[];
  /** Values of branches that have ended, until they are stored. */
  readonly branchValues: readonly Json[] | null;
  frameBytes: number;
  frameLimit: number;
  readonly frameCap: number;
  made: number;
  madeLimit: number;
  exact: boolean;
  resolutions: number;
  /** How often booked sizes were replaced by exact ones, for any reason. */
  resolves: number;
  lastFrameBytes: number | null;
  readonly quantum: number;
  debt: number;
  spent: boolean;
  isSliceOver(): boolean;
  task: Task<unknown> | null;
  /** The long text that was measured last; null as soon as it is booked. */
  sizedText: SizedText | null;
}

/** A text and the exact bytes of its JSON. */
export type SizedText = { readonly text: string; readonly bytes: number; readonly isWellFormed: boolean };

/** What the runs of a host share (`vm/memory/shared-budget.ts`). */
interface FrameBudget {
  grant(m: FrameState, size: number, incoming?: Json): boolean;
  settle(m: FrameState): boolean;
  reserve(m: FrameState, bytes: number): boolean;
  failure(m: FrameState, variable: string | null): Error;
}
