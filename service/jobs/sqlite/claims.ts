/**
 * The jobs that this process has claimed. The thread of the database may die between the commit of a claim and its answer: nobody would
 * run those jobs, since their owner lives, so the next claim first puts back what runs under this owner without its knowing.
 */
import type { ClaimedJob, Job } from "../job.ts";
import type { JobSignals } from "../signals.ts";
import { claimedJobs } from "./claimed-rows.ts";
import type { SqliteLine } from "./line.ts";

export type ClaimsDeps = {
  readonly line: SqliteLine;
  /** Told of each claim. */
  readonly signals: JobSignals;
  readonly owner: string;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
  /** Told of each job that was claimed without an answer and is back in the line. */
  readonly putBack: (job: Job) => void;
};

/** Of a job that was settled, or released, before. */
const NO_NUMBER = -1;

export class Claims {
  readonly #deps: ClaimsDeps;
  /** Numbers of the jobs that are not settled, by their ids. */
  readonly #held = new Map<string, number>();
  #wasLost = false;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
  }

  /** The first in line, at most so many. */
  async claim(most: number): Promise<readonly ClaimedJob[]> {
    const { line, signals, owner, now, putBack } = this.#deps;
    if (this.#wasLost) {
      const known = new Set(this.#held.keys());
      for (const job of await line.call("releaseUnknown", { owner, now: now(), known })) putBack(job);
    }
    this.#wasLost = true;
    const at = now();
    const claimed = await line.call("claim", { owner, now: at, most });
    this.#wasLost = false;
    const jobs = claimedJobs(claimed, owner, at);
    for (const [id, , , , , , number] of claimed.rows) {
      this.#held.set(id, number);
      signals.changed(id);
    }
    return jobs;
  }

  /** The number of a job in its table. */
  numberOf(id: string): number {
    return this.#held.get(id) ?? NO_NUMBER;
  }

  /** The job is over, back in the line, or no longer this process's. */
  ended(id: string): void {
    this.#held.delete(id);
  }
}
