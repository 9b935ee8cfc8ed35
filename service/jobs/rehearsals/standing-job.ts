/**
 * What the journal of a durable job does not say: its program runs on the records alone. The arguments of its calls are read when it comes past
 * them, and its variables at the first call that they do not answer, or where it failed. Nothing is called. Bounded in records, in time, and in how
 * many jobs are looked at together.
 */

import { BoundedMap } from "../../../compiler/bounded-map.ts";
import { findAdapter, findVerb } from "../../../compiler/catalog.ts";
import type { Json } from "../../../compiler/json.ts";
import { optionsOf } from "../../../compiler/python/lowering/adapter-calls.ts";
import type { DurableEvent } from "../../../vm/durable/durable-request.ts";
import { isPrivate } from "../../../vm/recording/record.ts";
import type { RunPlace } from "../../../vm/run.ts";
import { Cancelling } from "../../../vm/runs/cancellation.ts";
import { planRun } from "../../run/plan.ts";
import type { Services } from "../../services.ts";
import type { FoundJob } from "../../state/store.ts";
import { later, ServiceFault } from "../../wire/errors.ts";
import type { Jobs } from "../jobs.ts";
import { jobFrame, readJobWork } from "../run/job-request.ts";
import { rehearsal, takenRecords } from "./moved-job.ts";
import type { NOT_LOOKED } from "./not-shown.ts";
import { argumentShapes, shortArguments } from "./short-arguments.ts";

/** Arguments in short: with values, and as shapes where those are hidden. */
export type ShortCall = { readonly values: string; readonly shapes: string };
/** A branch that runs a function with a name, which is `begun`. */
type BranchCall = ShortCall & { readonly branch: string; readonly begun: string };

/** `seq`: number of the last record that the state contains. `calls`: the newest ones, by the numbers of their records. */
export type Standing =
  | {
      readonly seq: number;
      readonly places: readonly RunPlace[];
      readonly calls: readonly (readonly [seq: number, call: ShortCall])[];
      readonly branches: readonly BranchCall[];
    }
  | { readonly seq: null; readonly why: (typeof NOT_LOOKED)[number] };

/** Records; a longer journal is not run again for a look. */
const MAX_RECORDS = 50_000;
const MAX_MS = 5000;
/** Looks under way, which are made one after the other. */
const MAX_LOOKS = 8;
/** Characters of JSON of what is kept. */
const MAX_KEPT = 8 * 1024 * 1024;
/** Newest calls, and branches, whose arguments are read. */
const MAX_CALLS = 5000;

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
    const { gateway, clock, redaction } = this.#services;
    const [records, work] = await Promise.all([takenRecords(this.#jobs, job, "end"), this.#jobs.store.work(job.id)]);
    if (work === null) return { seq: null, why: "program_refused" };
    const over = new Cancelling();
    const stop = clock.wait(MAX_MS, () => over.abort("look"));
    try {
      const read = readJobWork(work, gateway, this.#jobs.programs);
      const plan = await planRun(this.#services, read.request, read.admission, null);
      const frame = jobFrame(work, read);
      const { catalog } = gateway.host;
      const heard = new HeardCalls(records.length, redaction.data, (adapter, verb) => {
        const entry = findAdapter(catalog, adapter);
        const options = entry === undefined ? null : optionsOf(findVerb(entry, verb));
        return { isHidden: isPrivate(catalog, adapter, verb), options: options ?? NO_OPTIONS };
      });
      const end = await rehearsal(this.#services, plan, records, { source: job, frame, signal: over }, heard.hear);
      if (end.state === "diverged") return { seq: null, why: "journal_differs" };
      if (over.aborted) return { seq: null, why: "too_long" };
      return { seq: records.length, places: heard.places, calls: heard.calls, branches: heard.branches };
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

/** `isHidden`: the arguments of the verb are never shown. `options`: those that it takes. */
type CallFacts = { readonly isHidden: boolean; readonly options: readonly string[] };
const NO_OPTIONS: readonly string[] = [];
const OF_FUNCTION: CallFacts = { isHidden: false, options: NO_OPTIONS };

/** What a rehearsal comes past. */
class HeardCalls {
  places: readonly RunPlace[] = [];
  readonly calls: (readonly [seq: number, call: ShortCall])[] = [];
  readonly branches: BranchCall[] = [];
  readonly #after: number;
  readonly #clean: (value: Json) => Json;
  readonly #factsOf: (adapter: string, verb: string) => CallFacts;

  constructor(records: number, clean: (value: Json) => Json, factsOf: (adapter: string, verb: string) => CallFacts) {
    this.#after = records - MAX_CALLS;
    this.#clean = clean;
    this.#factsOf = factsOf;
  }

  readonly hear = (event: DurableEvent): void => {
    if (event.kind === "stands") this.places = event.places;
    if (event.kind === "call" && event.seq !== null && event.seq > this.#after)
      this.calls.push([event.seq, this.#short(event.args, this.#factsOf(event.adapter, event.verb))]);
    if (event.kind === "branch" && event.begun !== null && this.branches.length < MAX_CALLS)
      this.branches.push({
        branch: event.branch,
        begun: event.begun.name,
        ...this.#short(event.begun.args, OF_FUNCTION),
      });
  };

  #short(args: readonly Json[], { isHidden, options }: CallFacts): ShortCall {
    const shapes = argumentShapes(args, options);
    return { values: isHidden ? shapes : shortArguments(args, this.#clean, options), shapes };
  }
}
