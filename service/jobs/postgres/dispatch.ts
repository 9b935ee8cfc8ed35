/**
 * Which replica runs which job is decided by the task queue (graphile-worker): each queued job has one task. A task only claims its job,
 * by the state of the row, and runs it; it never fails for what a program does. A task that could not do its part is made anew.
 */
import { EventEmitter, once } from "node:events";
import type { Runner, WorkerEvents } from "graphile-worker";
import type { Clock } from "../../../vm/run.ts";
import type { ClaimedJob } from "../job.ts";
import type { Dispatch, JobWorker } from "../store.ts";
import type { Database } from "./database.ts";
import { TASK } from "./job-rows.ts";
import { withoutCodes } from "./queue-pool.ts";

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
  const pool = withoutCodes(database.pool);
  let stopped = false;
  /** Those that are not over, each with its end. */
  const runners = new Map<Runner, Promise<void>>();
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

  /** Resolves when a runner begins no more tasks: it gives up after a long outage, and the tasks it has begun may take hours yet. */
  const serve = async (): Promise<void> => {
    const events: WorkerEvents = new EventEmitter();
    events.on("worker:create", ({ worker: { workerId } }) => deps.hasWorker(workerId));
    const leaving = once(events, "pool:gracefulShutdown");
    const runner = await queue.run({
      pgPool: pool,
      concurrency: most,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      taskList: { [TASK]: perform },
      logger: new queue.Logger(() => () => {}),
      events,
      preset: BATCHED,
    });
    const over = runner.promise.catch(() => {}).finally(() => runners.delete(runner));
    runners.set(runner, over);
    // Stopped while it was starting.
    if (stopped) await runner.stop();
    await Promise.race([leaving, over]);
  };
  const start = async (): Promise<void> => {
    // One that cannot begin finds the database away.
    await serve().catch(() => {});
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
      await Promise.all([...runners.keys()].map((runner) => runner.stop().catch(() => {})));
      await running;
      await Promise.all(runners.values());
    },
  };
}
