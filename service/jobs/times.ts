/** Times of the job queue, in milliseconds. */
import type { UpkeepTimes } from "./run/upkeep.ts";
import type { WorkerTimes } from "./run/worker.ts";

export type JobTimes = UpkeepTimes &
  WorkerTimes & {
    /** From a change to new figures. */
    readonly figuresMs: number;
    /** A silent event stream says so often that it is alive. */
    readonly keepAliveMs: number;
    /** Results of agents that jobs wait for are looked for this often. */
    readonly agentMs: number;
  };

/** `silentMs`: after which a silent replica counts as dead; it is looked for often enough to be found soon after. */
export function jobTimes(silentMs: number): JobTimes {
  return {
    recoverMs: silentMs / 3,
    sweepMs: 60_000,
    probeMs: 1000,
    cancelMs: 1000,
    lifetimeMs: 500,
    figuresMs: 50,
    hardStopMs: 5000,
    progressMs: 1000,
    keepAliveMs: 15_000,
    agentMs: 2000,
  };
}
