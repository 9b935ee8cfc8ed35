/**
 * What rules say about jobs that are asked for, before one of them is queued: which of them there will be, and which others end for them. Nothing is
 * changed here.
 */
import type { ThereJob } from "../../../jobs/answers/bodies.ts";
import type { GateAsked, JobFlow } from "../../../jobs/flow/job-flow.ts";
import { isTerminal, type JobStatus, type Submission } from "../../../jobs/job.ts";
import { row, type Step } from "../../step.ts";

/** Gates by id, as numbers. */
export type Gates = ReadonlyMap<string, number>;

type Holder = { readonly id: string; readonly until: number; readonly status: JobStatus | null };

const FREE = "SELECT lim - used AS free FROM weft.flow_gates WHERE number = $1";
const HOLDER = `SELECT g.holder AS id, g.at_ms AS until, j.status FROM weft.flow_gates g LEFT JOIN weft.jobs j ON j.id = g.holder
  WHERE g.number = $1 AND g.holder IS NOT NULL`;

export class Decisions {
  /** Places in the request of the jobs that are queued. */
  readonly kept = new Set<number>();
  /** For each job that is asked for, the id of its own, or of the one that it is answered with; null: neither. */
  readonly ids: (string | null)[];
  /** Jobs that were there before, by their ids. */
  readonly there = new Map<string, ThereJob>();
  /** The job because of whose key another one was refused; null: none was. */
  taken: string | null = null;
  /** Gates at which those that wait are ended for new jobs. */
  readonly emptied = new Set<number>();
  /** Ids of jobs that are ended for a new one, with the id of that. */
  readonly replaced = new Map<string, string>();
  /** Gates of keys with the place in the request of the job that has the key from now on. */
  readonly holders = new Map<number, number>();
  readonly #submission: Submission;
  readonly #gates: Gates;
  readonly #now: number;
  /** Places that other jobs of the request will take, by gate. */
  readonly #planned = new Map<number, number>();

  constructor(submission: Submission, gates: Gates, now: number) {
    this.#submission = submission;
    this.#gates = gates;
    this.#now = now;
    this.ids = submission.jobs.map(() => null);
  }

  *decide(): Step<void> {
    const { jobs, flow = [] } = this.#submission;
    for (const at of jobs.keys()) yield* this.#one(at, flow[at] ?? null);
  }

  *#one(at: number, flow: JobFlow | null): Step<void> {
    const id = this.#submission.jobs[at]?.id ?? "";
    const holder = flow === null ? null : yield* this.#holder(flow);
    const { onConflict } = flow?.unique ?? { onConflict: "return" };
    if (holder !== null && onConflict !== "replace") {
      if (onConflict === "reject") this.taken = holder.id;
      else this.#return(at, holder);
      return;
    }
    if (flow !== null && (yield* this.#isDropped(flow.gates))) return;
    if (holder !== null) this.#replace(holder.id, id);
    this.kept.add(at);
    this.ids[at] = id;
    if (flow?.unique != null) this.holders.set(this.#gates.get(flow.unique.gate) ?? 0, at);
  }

  /** The other job that has the key of this one; null: none has. One that is over keeps it for its time, but not from its own retry. */
  *#holder({ unique }: JobFlow): Step<(ThereJob & { readonly id: string }) | null> {
    if (unique === null) return null;
    const { jobs, retryOf } = this.#submission;
    const gate = this.#gates.get(unique.gate) ?? 0;
    const own = this.holders.get(gate);
    if (own !== undefined) return { id: jobs[own]?.id ?? "", status: "queued" };
    const found = yield* row<Holder>(HOLDER, gate);
    if (found === undefined || found.status === null) return null;
    const { id, status, until } = found;
    if (isTerminal(status) && (until <= this.#now || id === retryOf || status === "expired")) return null;
    return { id, status };
  }

  #return(at: number, { id, status }: ThereJob): void {
    this.ids[at] = id;
    this.there.set(id, { id, status });
  }

  /** A job of the same request was not queued yet. */
  #replace(id: string, by: string): void {
    const own = this.#submission.jobs.findIndex((job) => job.id === id);
    if (own < 0) {
      this.replaced.set(id, by);
      return;
    }
    this.kept.delete(own);
    this.ids[own] = null;
  }

  /** Whether a rule has no place for a job and says that there is to be none. */
  *#isDropped(asked: readonly GateAsked[]): Step<boolean> {
    const decided = asked.filter(({ onFull }) => onFull !== "queue");
    const numbers = decided.map(({ id }) => this.#gates.get(id) ?? 0);
    for (const [at, { onFull }] of decided.entries()) {
      const number = numbers[at] ?? 0;
      const gate = yield* row<{ readonly free: number }>(FREE, number);
      if ((gate?.free ?? 0) > (this.#planned.get(number) ?? 0)) continue;
      if (onFull === "drop") return true;
      this.emptied.add(number);
    }
    for (const number of numbers) this.#planned.set(number, (this.#planned.get(number) ?? 0) + 1);
    return false;
  }
}
