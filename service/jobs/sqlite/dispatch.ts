/** Hands queued jobs to the worker from within the one process that queues them: each place to run asks for the next job in line. */
import type { ClaimedJob } from "../job.ts";
import type { Dispatch, JobWorker } from "../store.ts";

/** Where to look when nothing was said to have been queued: a claim may have failed. Milliseconds. */
const LOOK_AGAIN_MS = 1000;

export type LineOfJobs = {
  /** Whether a claim may find something: places to run are not taken for nothing. */
  hasQueued(): Promise<boolean>;
  claim(): Promise<ClaimedJob | null>;
  /** Calls back when a job may have been queued. Returns the way to stop listening. */
  onQueued(listener: () => void): () => void;
  wait(ms: number, then: () => void): () => void;
};

export function dispatchFrom(line: LineOfJobs, worker: JobWorker, most: number): Dispatch {
  let stopped = false;
  const sleeping = new Set<() => void>();
  const wake = (): void => {
    for (const resume of [...sleeping]) resume();
  };
  /** Counts what was queued, so that what comes between a look and the sleep after it is not missed. */
  let queued = 0;
  const forget = line.onQueued(() => {
    queued += 1;
    wake();
  });

  const sleep = (): Promise<void> =>
    new Promise((resolve) => {
      const resume = (): void => {
        cancel();
        sleeping.delete(resume);
        resolve();
      };
      const cancel = line.wait(LOOK_AGAIN_MS, resume);
      sleeping.add(resume);
    });

  const serve = async (): Promise<void> => {
    while (!stopped) {
      const seen = queued;
      const begun = await runNext();
      if (!begun && !stopped && seen === queued) await sleep();
    }
  };
  const runNext = async (): Promise<boolean> => {
    if (!(await line.hasQueued().catch(() => false))) return false;
    const slot = await worker.enter().catch(() => null);
    if (slot === null) return false;
    const job = stopped ? null : await line.claim().catch(() => null);
    if (job === null) {
      slot.leave();
      return false;
    }
    await worker.run(job, slot);
    return true;
  };

  const places = Array.from({ length: most }, serve);
  return {
    stop: async () => {
      stopped = true;
      forget();
      wake();
      await Promise.all(places);
    },
  };
}
