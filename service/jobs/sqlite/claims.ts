/**
 * The jobs that this process has claimed. The database thread may die between the commit of a claim and its answer. No process would
 * run those jobs, since their owner lives, so the next claim first releases jobs that this owner holds without knowing it.
 */
import { type ClaimedJob, claimName, type Job } from "../job.ts";
import type { JobSignals } from "../signals.ts";
import type { SqliteLine } from "./call-batching.ts";
import { claimedJobs } from "./tables/claimed-rows.ts";

export type ClaimsDeps = {
  readonly line: SqliteLine;
  /** Records a claim. */
  readonly signals: JobSignals;
  readonly owner: string;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
  /** Called for each job whose claim was not answered and that is queued again. */
  readonly putBack: (job: Job) => void;
};

/** Of a job that was settled, or released, before. */
const NO_NUMBER = -1;

type Held = { readonly job: ClaimedJob; readonly number: number };

export class Claims {
  readonly #deps: ClaimsDeps;
  /** The jobs that are not settled, by their ids. */
  readonly #held = new Map<string, Held>();
  #wasLost = false;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
  }

  /** The first queued jobs, up to a maximum. */
  async claim(most: number): Promise<readonly ClaimedJob[]> {
    const { line, signals, owner, now, putBack } = this.#deps;
    if (this.#wasLost) {
      const known = new Set([...this.#held.values()].map(({ job }) => claimName(job)));
      for (const job of await line.call("releaseUnknown", { owner, now: now(), known })) putBack(job);
    }
    this.#wasLost = true;
    const at = now();
    const claimed = await line.call("claim", { owner, now: at, most });
    this.#wasLost = false;
    const jobs = claimedJobs(claimed, owner, at);
    claimed.rows.forEach(([id, , , , , , number], at) => {
      this.#held.set(id, { job: jobs[at] as ClaimedJob, number });
      signals.changed(id, "running");
    });
    return jobs;
  }

  /** The number of a job in its table. */
  numberOf(job: ClaimedJob): number {
    const held = this.#held.get(job.id);
    return held?.job === job ? held.number : NO_NUMBER;
  }

  /**
   * The claim is over: the job is over, back in the line, or no longer this process's. Another claim of the same job is not: one batch may
   * put a job back and give it out again, and the answer about the first claim is then heard after that of the second.
   */
  ended(job: Pick<ClaimedJob, "id">): void {
    if (this.#held.get(job.id)?.job === job) this.#held.delete(job.id);
  }
}
