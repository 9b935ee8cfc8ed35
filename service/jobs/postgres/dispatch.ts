/**
 * Which replica runs which job is decided by the task queue (graphile-worker): each queued job has one task. A task only claims its job,
 * by the state of the row, and runs it; it never fails for what a program does. A task that could not do its part is made anew.
 */

import type { Dispatch, JobWorker } from "../../state/store.ts";
import type { ClaimedJob } from "../job.ts";
import { TASK } from "./job-rows.ts";
import { type RunnerDeps, runTasks } from "./task-runner.ts";

export type DispatchDeps = RunnerDeps & {
  claim(id: string, group: number | null): Promise<ClaimedJob | null>;
  /** Makes the task of a queued job anew. */
  again(id: string): Promise<void>;
};

/** `group`: number of the group that the job takes turns in (`fair`). */
type TaskPayload = { readonly job_id: string; readonly group?: number | null };

const POLL_MS = 2000;

export function dispatchTasks(deps: DispatchDeps, worker: JobWorker, most: number): Dispatch {
  const perform = async (payload: unknown): Promise<void> => {
    const { job_id: id, group = null } = payload as TaskPayload;
    const slot = await worker.enter().catch(() => null);
    if (slot === null) return deps.again(id);
    let job: ClaimedJob | null;
    try {
      job = await deps.claim(id, group);
    } catch (thrown) {
      slot.leave();
      throw thrown;
    }
    if (job === null) slot.leave();
    else await worker.run(job, slot);
  };
  return runTasks(deps, { taskList: { [TASK]: perform }, concurrency: most, pollMs: POLL_MS });
}
