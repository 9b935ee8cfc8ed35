/**
 * Runs tasks of the queue (graphile-worker) in this process. A runner gives up after a long outage, and one that cannot ask for its first task
 * never takes any; then another one takes its place.
 */
import { EventEmitter, once } from "node:events";
import type { Runner, TaskList, WorkerEvents } from "graphile-worker";
import type { Clock } from "../../../vm/run.ts";
import type { Database } from "./database.ts";
import { poolOfQueue } from "./queue-pool.ts";

type TaskQueue = typeof import("graphile-worker");

export type RunnerDeps = {
  readonly queue: TaskQueue;
  readonly database: Pick<Database, "pool">;
  readonly clock: Pick<Clock, "wait">;
  /** A worker of the queue belongs to this process. */
  hasWorker(id: string): void;
};

export type RunnerOptions = {
  readonly taskList: TaskList;
  /** Tasks at a time. */
  readonly concurrency: number;
  /** Milliseconds. Workers are woken by notifications; this is for those that get lost, and for tasks that were to wait. */
  readonly pollMs: number;
};

const RESTART_MS = 1000;
/** For the ends of the last tasks. */
const WRITTEN_MS = 1000;
/** Ends of tasks are written through the queue's batcher; without it, a failed write would be an unhandled rejection. */
const BATCHED: GraphileConfig.Preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** `stop` resolves when the tasks under way are over. */
export function runTasks(deps: RunnerDeps, options: RunnerOptions): { stop(): Promise<void> } {
  const { queue, database, clock } = deps;
  const pool = poolOfQueue(database.pool, clock);
  let stopped = false;
  /** Those that are not over, each with its end. */
  const runners = new Map<Runner, Promise<void>>();
  let stopWaiting = (): void => {};

  /** Resolves when a runner begins no more tasks: it gives up after a long outage, and the tasks it has begun may take hours yet. */
  const serve = async (): Promise<void> => {
    const events: WorkerEvents = new EventEmitter();
    events.on("worker:create", ({ worker: { workerId } }) => deps.hasWorker(workerId));
    const leaving = once(events, "pool:gracefulShutdown");
    const written = tasksWritten(events, clock);
    const deaf = failedFirst(events, options.concurrency);
    const runner = await queue.run({
      pgPool: pool,
      concurrency: options.concurrency,
      pollInterval: options.pollMs,
      noHandleSignals: true,
      taskList: options.taskList,
      logger: new queue.Logger(() => () => {}),
      events,
      preset: BATCHED,
    });
    const over = Promise.race([runner.promise, written])
      .catch(() => {})
      .finally(() => runners.delete(runner));
    runners.set(runner, over);
    // Stopped while it was starting.
    if (stopped) stopOf(runner);
    void deaf.then(() => stopOf(runner));
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
      for (const runner of runners.keys()) stopOf(runner);
      await running;
      await Promise.all(runners.values());
    },
  };
}

/** Its end is not waited for: it may have none. */
function stopOf(runner: Runner): void {
  runner.stop().catch(() => {});
}

/**
 * Resolves some time after the tasks of a runner that was stopped are over. The runner itself waits for their ends to be written, and may
 * wait for ever when one could not be written and others could after it: it counts those twice.
 */
async function tasksWritten(events: WorkerEvents, clock: Pick<Clock, "wait">): Promise<void> {
  const [complete, error] = ["pool:gracefulShutdown:complete", "pool:gracefulShutdown:error"] as const;
  await Promise.race([once(events, complete), once(events, error)]);
  await new Promise<void>((resolve) => clock.wait(WRITTEN_MS, resolve));
}

/**
 * Resolves when all workers of a runner asked for their first task in vain. Before it, a runner looks up the numbers of its kinds of tasks, once:
 * where that fails, the queue keeps the failure, and the runner would take no task as long as it lives. Not before each worker has had the failure:
 * it is printed for those that fail after the stop.
 */
function failedFirst(events: WorkerEvents, workers: number): Promise<void> {
  return new Promise((resolve) => {
    const failed = new Set<string>();
    const fails = ({ worker }: { readonly worker: { readonly workerId: string } }): void => {
      failed.add(worker.workerId);
      if (failed.size === workers) resolve();
    };
    const heard = () => events.off("worker:getJob:error", fails);
    events.on("worker:getJob:error", fails);
    events.once("worker:getJob:empty", heard);
    events.once("job:start", heard);
  });
}
