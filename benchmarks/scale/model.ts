/**
 * What a number of replicas can do, by arithmetic (docs/scale.md). The constants are figures of `npm run bench`; put in your own.
 * `simulate.ts` plays the same system event by event, and a test compares the two.
 */

/** Measured or chosen properties of an installation. Rates are per second. */
export type Installation = {
  readonly replicas: number;
  /** Jobs that one replica runs at a time (WF_QUEUE_WORKERS). */
  readonly workers: number;
  /** Milliseconds that a job takes from its claim to its end, waits of its calls included. */
  readonly jobMs: number;
  /** Milliseconds of processor that a job takes; the rest of `jobMs` it waits. */
  readonly cpuMs: number;
  readonly coresPerReplica: number;
  /** Transactions that the database commits per second. */
  readonly commitsPerSecond: number;
};

/** Queued, claimed, ended. */
const COMMITS_PER_JOB = 3;
/** Of one process: jobs, shared stores, and one that listens for each. */
export const CONNECTIONS_PER_REPLICA = 10 + 8 + 2;
/** A dead replica's jobs are taken over within this time (WF_REPLICA_SILENT_MS and half of it). */
export const TAKEOVER_MS = 45_000;

type Capacity = {
  readonly jobsPerSecond: number;
  /** What would have to grow for more. */
  readonly boundBy: "workers" | "processors" | "database";
  readonly connections: number;
};

export function capacity(installation: Installation): Capacity {
  const { replicas, workers, jobMs, cpuMs, coresPerReplica, commitsPerSecond } = installation;
  const bounds = [
    { boundBy: "workers", jobsPerSecond: (replicas * workers * 1000) / jobMs },
    { boundBy: "processors", jobsPerSecond: (replicas * coresPerReplica * 1000) / cpuMs },
    { boundBy: "database", jobsPerSecond: commitsPerSecond / COMMITS_PER_JOB },
  ] as const;
  const least = bounds.reduce((a, b) => (b.jobsPerSecond < a.jobsPerSecond ? b : a));
  return { ...least, connections: replicas * CONNECTIONS_PER_REPLICA };
}
