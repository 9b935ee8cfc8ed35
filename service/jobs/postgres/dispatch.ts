/**
 * Which replica runs which job is decided by the task queue (graphile-worker): each queued job has one task. A task only claims its job,
 * by the state of the row, and runs it; it never fails for what a program does. A task that could not do its part is made anew.
 */
import { EventEmitter } from "node:events";
import type { Runner, WorkerEvents } from "graphile-worker";
import type { Clock } from "../../../vm/run.ts";
import type { ClaimedJob } from "../job.ts";
import type { Dispatch, JobWorker } from "../store.ts";
import type { Database } from "./database.ts";
import { TASK } from "./job-rows.ts";

type TaskQueue = typeof import("graphile-worker");

export type DispatchDeps = {
  readonly queue: TaskQueue;
  readonly database: Database;
  readonly clock: Pick<Clock, "wait">;
  claim(id: string): Promise<ClaimedJob | null>;
  /** Makes the task of a queued job anew. */
  again(id: string): Promise<void>;
  /** A worker of the queue belongs to this process. */
  hasWorker(id: string): void;
};

/** Workers are woken by notifications; this is for those that get lost. */
const POLL_MS = 2000;
const RESTART_MS = 1000;
/** Ends of tasks are told through the queue's batcher: without it, one that cannot be told is a rejection that nobody handles. */
const BATCHED: GraphileConfig.Preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

export function dispatchTasks(deps: DispatchDeps, worker: JobWorker, most: number): Dispatch {
  const { queue, database, clock } = deps;
  let stopped = false;
  let runner: Runner | null = null;
  let stopWaiting = (): void => {};

  const perform = async (payload: unknown): Promise<void> => {
    const id = (payload as { readonly job_id: string }).job_id;
    const slot = await Promise.resolve(worker.enter()).catch(() => null);
    if (slot === null) return deps.again(id);
    let job: ClaimedJob | null;
    try {
      job = await deps.claim(id);
    } catch (thrown) {
      slot.leave();
      throw thrown;
    }
    if (job === null) slot.leave();
    else await worker.run(job, slot);
  };

  const start = async (): Promise<void> => {
    const events: WorkerEvents = new EventEmitter();
    events.on("worker:create", ({ worker: { workerId } }) => deps.hasWorker(workerId));
    try {
      runner = await queue.run({
        pgPool: database.pool,
        concurrency: most,
        pollInterval: POLL_MS,
        noHandleSignals: true,
        taskList: { [TASK]: perform },
        logger: new queue.Logger(() => () => {}),
        events,
        preset: BATCHED,
      });
      // Stopped while it was starting.
      if (stopped) await runner.stop();
      await runner.promise;
    } catch {
      // The database is away; the runner has given up, and is started again.
    }
    runner = null;
    if (!stopped)
      stopWaiting = clock.wait(RESTART_MS, () => {
        running = start();
      });
  };
  let running = start();
  return {
    async stop() {
      stopped = true;
      stopWaiting();
      await runner?.stop().catch(() => {});
      await running;
    },
  };
}
