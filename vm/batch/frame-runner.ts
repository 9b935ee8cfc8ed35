/**
 * Runs one program with one frame after the other, or several at a time: program, limits, gate and adapters are settled once, and the
 * machine of a run that is over serves the next. A run that neither waits nor outlasts its first slice is over when
 * `run` returns, without any promise.
 */
import type { Program } from "../../compiler/bytecode/program.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { driveOn, firstSlice, isOver, type Turn } from "../driver.ts";
import type { Machine } from "../machine.ts";
import type { MachineOptions } from "../machine-options.ts";
import { MachinePool } from "../machine-pool.ts";
import type { Cancellation, Outcome, RunError } from "../run.ts";

/** How one frame ended. Times are milliseconds of the clock. */
export type FrameEnd = {
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Of the adapters. */
  readonly warnings: readonly string[];
  /** Durations of its calls, by adapter. */
  readonly callTimes: ReadonlyMap<string, readonly number[]>;
};

export interface FrameRunner {
  readonly turn: Turn;
  /** Fresh id of a batch. */
  readonly traceId: () => string;
  /**
   * Runs a frame. `since`: the time now, for who has read it already; null: it is read. A failed run is an end like any other; throws, or
   * rejects, for a defect of the executor.
   */
  run(frame: JsonObject, traceId: string, since: number | null, signal: Cancellation): FrameEnd | Promise<FrameEnd>;
}

export type FrameRunnerOptions = {
  readonly program: Program;
  readonly machine: Omit<MachineOptions, "traceId" | "trace" | "journal" | "signal" | "startedAt">;
  readonly turn: Turn;
  readonly traceId: () => string;
  /** Completes the error of a failed run. */
  readonly explain: (error: RunError) => RunError;
};

const NO_WARNINGS: readonly string[] = [];
const NO_CALLS: FrameEnd["callTimes"] = new Map();

export function createFrameRunner({ program, machine, turn, traceId, explain }: FrameRunnerOptions): FrameRunner {
  const { clock } = machine.deps;
  const idle: MachineOptions = { ...machine, traceId: "", trace: null, signal: undefined };
  const pool = new MachinePool(program, idle);

  const endOf = (m: Machine, startedAt: number): FrameEnd => {
    const endedAt = m.error === null ? m.endedAt : clock.now();
    const outcome = m.outcome(false, endedAt);
    return {
      outcome: outcome.ok ? outcome : { ...outcome, error: explain(outcome.error) },
      startedAt,
      endedAt,
      warnings: m.openSession?.warnings ?? NO_WARNINGS,
      // The machine forgets its own.
      callTimes: m.callTimes.size === 0 ? NO_CALLS : new Map(m.callTimes),
    };
  };

  return {
    turn,
    traceId,
    run(frame, id, since, signal) {
      const startedAt = since ?? clock.now();
      const m = pool.take(frame, {
        // Spelled out: spreading takes longer than a short run.
        deps: idle.deps,
        traceId: id,
        limits: idle.limits,
        allowed: idle.allowed,
        trace: null,
        signal,
        quantum: idle.quantum,
        startedAt,
        journal: null,
        adapters: idle.adapters,
        dryRun: idle.dryRun ?? false,
        allowEnv: idle.allowEnv,
        observer: idle.observer,
      });
      const stop = firstSlice(m);
      if (!isOver(m, stop)) return driveOn(m, stop, turn).then((ended) => endOf(ended, startedAt));
      const end = endOf(m, startedAt);
      pool.give(m);
      return end;
    },
  };
}
