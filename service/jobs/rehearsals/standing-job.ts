/**
 * Where a durable job stands: its program runs on the records of its journal alone, and what it holds is read at the first call that they do not
 * answer, or where it failed. Nothing is called. Bounded in records, in time, and in how many jobs are looked at together.
 */

import { BoundedMap } from "../../../compiler/bounded-map.ts";
import type { RunPlace } from "../../../vm/run.ts";
import { Cancelling } from "../../../vm/runs/cancellation.ts";
import { planRun } from "../../run/plan.ts";
import type { Services } from "../../services.ts";
import { later, ServiceFault } from "../../wire/errors.ts";
import type { Jobs } from "../jobs.ts";
import { jobFrame, readJobWork } from "../run/job-request.ts";
import type { FoundJob } from "../store.ts";
import { rehearsal, takenRecords } from "./moved-job.ts";
import type { NOT_SHOWN } from "./not-shown.ts";

/** `seq`: number of the last record that the state contains. */
export type Standing =
  | { readonly seq: number; readonly places: readonly RunPlace[] }
  | { readonly seq: null; readonly why: (typeof NOT_SHOWN)[number] };

/** Records; a longer journal is not run again for a look. */
const MAX_RECORDS = 50_000;
const MAX_MS = 5000;
/** Looks under way, which are made one after the other. */
const MAX_LOOKS = 8;
/** Characters of JSON of what is kept. */
const MAX_KEPT = 8 * 1024 * 1024;

export class StandingJobs {
  readonly #services: Services;
  readonly #jobs: Jobs;
  /** By job, round, which has a trace of its own, and last record. */
  readonly #known = new BoundedMap<Standing>({ max: MAX_KEPT, weigh: (standing) => JSON.stringify(standing).length });
  #last: Promise<unknown> = Promise.resolve();
  #looks = 0;

  constructor(services: Services, jobs: Jobs) {
    this.#services = services;
    this.#jobs = jobs;
  }

  /** Rejects with ServiceFault: server_busy, store_unavailable, job_expired. */
  async of(job: FoundJob): Promise<Standing> {
    if (!job.durable) return { seq: null, why: "not_durable" };
    if (job.status === "succeeded") return { seq: null, why: "succeeded" };
    const seq = (await this.#jobs.store.durable?.lastSeq(job.id)) ?? 0;
    const key = `${job.id} ${job.traceId} ${seq} ${job.status}`;
    const known = this.#known.use(key);
    if (known !== undefined) return known;
    if (seq > MAX_RECORDS) return { seq: null, why: "too_long" };
    if (this.#looks >= MAX_LOOKS) throw later("server_busy", "the variables of other jobs are looked at; try again", 1);
    this.#looks += 1;
    const look = this.#last.then(() => this.#look(job));
    this.#last = look.catch(() => {});
    try {
      const standing = await look;
      this.#known.set(key, standing);
      return standing;
    } finally {
      this.#looks -= 1;
    }
  }

  async #look(job: FoundJob): Promise<Standing> {
    const { gateway, clock } = this.#services;
    const [records, work] = await Promise.all([takenRecords(this.#jobs, job, "end"), this.#jobs.store.work(job.id)]);
    if (work === null) return { seq: null, why: "program_refused" };
    const over = new Cancelling();
    const stop = clock.wait(MAX_MS, () => over.abort("look"));
    try {
      const read = readJobWork(work, gateway, this.#jobs.programs);
      const plan = await planRun(this.#services, read.request, read.admission, null);
      const frame = jobFrame(work, read);
      let places: readonly RunPlace[] = [];
      const end = await rehearsal(this.#services, plan, records, { source: job, frame, signal: over }, (found) => {
        places = found;
      });
      if (end.state === "diverged") return { seq: null, why: "journal_differs" };
      if (over.aborted) return { seq: null, why: "too_long" };
      return { seq: records.length, places };
    } catch (thrown) {
      // What would be answered later says nothing about the program.
      const isFinal = thrown instanceof ServiceFault && thrown.members.retry_after_s === undefined;
      if (isFinal) return { seq: null, why: "program_refused" };
      throw thrown;
    } finally {
      stop();
    }
  }
}
