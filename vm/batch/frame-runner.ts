/**
 * Runs one program with one frame after the other, or several at a time: program, limits, gate and adapters are settled once, and the
 * machine of a run that is over serves the next. A run that neither waits nor outlasts its first slice is over when
 * `run` returns, without any promise.
 */

import type { JsonObject } from "../../compiler/json.ts";
import type { InputCheck, RowInputs } from "../inputs/check-inputs.ts";
import type { Machine } from "../machine/machine.ts";
import { outcomeOf } from "../machine/outcome.ts";
import type { Cancellation, RunError } from "../run.ts";
import { driveOn, firstSlice, isOver, type Turn } from "../runs/driver.ts";
import type { MachineCode } from "../runs/machine-code.ts";
import { MachinePool } from "../runs/machine-pool.ts";
import type { ShortRuns } from "../tier/enter.ts";
import type { TierSetting } from "../tier/policy.ts";
import { type FrameEnd, FrameOptions, type SharedOptions } from "./frame-options.ts";
import { RowRuns } from "./rows/row-runs.ts";

export type { FrameEnd, SharedOptions } from "./frame-options.ts";

/** `strict`: a frame that the program does not take fails; else its result has warnings. */
export type FrameInputs = { readonly check: InputCheck; readonly strict: boolean };

export interface FrameRunner {
  readonly turn: Turn;
  /** Fresh id of a batch. */
  readonly traceId: () => string;
  /** What is common to all frames; code that runs some of them elsewhere needs it there. */
  readonly shared: SharedOptions;
  /** How frames are checked before they run; null: they are not, because nothing is declared or the caller has looked. */
  readonly inputs: FrameInputs | null;
  /** Of the host; null: it has no tier. */
  readonly tier: TierSetting | null;
  /** For frames that are rows of text; null: each of them is made a frame. */
  readonly rows: RowRuns | null;
  /** Completes the error of a failed run. */
  readonly explain: (error: RunError) => RunError;
  /**
   * Runs the frame `index` of `batch`, which its run is named after. `since`: the time now, for a caller that has read it already; null: it is read.
   * A failed run is an end like any other; throws, or rejects, for a defect of the executor.
   */
  run(
    frame: JsonObject,
    batch: string,
    index: number,
    since: number | null,
    signal: Cancellation,
  ): FrameEnd | Promise<FrameEnd>;
}

export type FrameRunnerOptions = Pick<FrameRunner, "turn" | "traceId" | "explain" | "inputs" | "tier"> & {
  readonly code: MachineCode;
  readonly machine: SharedOptions;
  /** The program's runs in the tier; null or absent: all are in the loop. */
  readonly short?: ShortRuns | null;
  /** What a program in Python takes of a row; null or absent: its rows are made frames. */
  readonly rowInputs?: RowInputs | null;
  /** Of the program, where its other runs have some: a short batch takes little longer than making machines for it. */
  readonly machines?: MachinePool;
};

const NO_WARNINGS: readonly string[] = [];
const NO_CALLS: FrameEnd["callTimes"] = new Map();

export function createFrameRunner(given: FrameRunnerOptions): FrameRunner {
  const { code, machine, turn, traceId, explain, inputs, tier } = given;
  const { clock } = machine.deps;
  const pool = given.machines ?? new MachinePool(code, new FrameOptions(machine));
  let options = new FrameOptions(machine);
  const { short = null, rowInputs = null } = given;

  const endOf = (m: Machine, startedAt: number): FrameEnd => {
    const endedAt = m.error === null ? m.endedAt : clock.now();
    const outcome = outcomeOf(m, false, endedAt);
    return {
      outcome: outcome.ok ? outcome : { ...outcome, error: explain(outcome.error) },
      startedAt,
      endedAt,
      warnings: m.openSession?.warnings ?? NO_WARNINGS,
      // The machine forgets its own.
      callTimes: m.callTimes.size === 0 ? NO_CALLS : new Map(m.callTimes),
    };
  };

  const rowParts = { turn, shared: machine, pool, isChecked: inputs !== null, endOf };
  return {
    turn,
    traceId,
    rows: rowInputs === null || code.executor === null ? null : new RowRuns({ ...rowParts, inputs: rowInputs }),
    shared: machine,
    inputs,
    tier,
    explain,
    run(frame, batch, index, since, signal) {
      const startedAt = since ?? clock.now();
      if (short !== null && !short.isGivenUp) {
        // Frames of a batch are checked before they get here.
        const outcome = short.attempt({ frame, limits: machine.limits, check: null, startedAt, signal }, clock);
        if (outcome !== null)
          return { outcome, startedAt, endedAt: short.endedAt, warnings: NO_WARNINGS, callTimes: NO_CALLS };
      }
      options.batch = batch;
      options.index = index;
      options.startedAt = startedAt;
      options.signal = signal;
      const m = pool.take(frame, options);
      const stop = firstSlice(m);
      if (!isOver(m, stop)) {
        // Its options are its own from here on.
        options = new FrameOptions(machine);
        return driveOn(m, stop, turn).then((ended) => endOf(ended, startedAt));
      }
      const end = endOf(m, startedAt);
      pool.give(m);
      return end;
    },
  };
}
