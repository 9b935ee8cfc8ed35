/**
 * Runs tasks of the queue (graphile-worker) in this process. A runner gives up after a long outage, and one that cannot ask for its first task
 * never takes any; then another one takes its place.
 */
import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
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
    const deaf = failedFirst(events);
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
    const over = runner.promise.catch(() => {}).finally(() => runners.delete(runner));
    runners.set(runner, over);
    // Stopped while it was starting.
    if (stopped) await runner.stop();
    // Not before its other workers have had the same failure: it would be printed for each that fails after the stop.
    void deaf
      .then(() => setImmediate())
      .then(() => runner.stop())
      .catch(() => {});
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

/**
 * Resolves when a runner asked for its first task in vain. Before it, a runner looks up the numbers of its kinds of tasks, once: where that fails,
 * the queue keeps the failure, and the runner would take no task as long as it lives.
 */
function failedFirst(events: WorkerEvents): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => events.off("worker:getJob:error", resolve as () => void);
    events.once("worker:getJob:error", resolve as () => void);
    events.once("worker:getJob:empty", heard);
    events.once("job:start", heard);
  });
}
