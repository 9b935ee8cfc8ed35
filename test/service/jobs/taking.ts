/** A worker whose jobs the test has in its hands. */
import type { ClaimedJob } from "../../../service/jobs/job.ts";
import type { JobStore } from "../../../service/state/store.ts";

export type TakenJob = {
  readonly job: ClaimedJob;
  /** The run is over: the worker may take another job. */
  end(): void;
};

export type Taker = {
  /** The next job that was claimed. */
  next(): Promise<TakenJob>;
  /** Opens the gate for one job, and takes it. */
  begin(): Promise<TakenJob>;
  /** Closes the gate. */
  pause(): Promise<void>;
  stop(): Promise<void>;
};

/** `open` false: nothing is claimed until `begin`. */
export function takeJobs(store: JobStore, most: number, open = true): Taker {
  const taken: TakenJob[] = [];
  const waiting: ((job: TakenJob) => void)[] = [];
  const running = new Set<() => void>();
  let stopped = false;
  let gates = open ? Number.POSITIVE_INFINITY : 0;
  let waked: (() => void)[] = [];
  const dispatch = store.dispatch(
    {
      async enter() {
        while (gates <= 0 && !stopped) await new Promise<void>((resolve) => waked.push(resolve));
        if (stopped) throw new Error("stopped");
        return { signal: new AbortController().signal, leave: () => {} };
      },
      run(job, slot) {
        gates -= 1;
        return new Promise<void>((resolve) => {
          const end = (): void => {
            running.delete(end);
            slot.leave();
            resolve();
          };
          running.add(end);
          const one: TakenJob = { job, end };
          const taker = waiting.shift();
          if (taker === undefined) taken.push(one);
          else taker(one);
        });
      },
      cancelled: () => {},
    },
    most,
  );
  const wake = (): void => {
    for (const resolve of waked) resolve();
    waked = [];
  };
  const next = (): Promise<TakenJob> => {
    const first = taken.shift();
    return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
  };
  return {
    next,
    begin() {
      gates = 1;
      wake();
      return next();
    },
    async pause() {
      gates = 0;
    },
    async stop() {
      stopped = true;
      wake();
      for (const end of running) end();
      await dispatch.stop();
    },
  };
}
