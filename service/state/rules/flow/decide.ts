/**
 * What rules say about jobs that are asked for, before one of them is queued: which of them there will be, and which others end for them. Nothing is
 * changed here.
 */
import type { ThereJob } from "../../../jobs/answers/bodies.ts";
import type { Burst, GateAsked, JobFlow } from "../../../jobs/flow/job-flow.ts";
import { isTerminal, type JobStatus, type Submission } from "../../../jobs/job.ts";
import { TIME, WAITS } from "../../flow-port.ts";
import type { JobKey } from "../../job-port.ts";
import type { StorePort } from "../../port.ts";
import { row, type Step } from "../../step.ts";

/** Gates by id, as numbers. */
export type Gates = ReadonlyMap<string, number>;

type Holder = { readonly id: string; readonly until: number; readonly status: JobStatus | null };

/** What a gate of a key remembers from now on; columns of `flow_gates`. */
export type GateWrite = {
  readonly holder: string | null;
  readonly atMs: number;
  /** Null: it is left as it is, since places are counted in it. */
  readonly used: number | null;
  readonly perMs: number;
};

/** A job that takes more inputs until it is full. */
export type Gathering = {
  readonly id: string;
  /** Null: it is of this request. */
  readonly key: JobKey | null;
  count: number;
  bytes: number;
  readonly more: string[];
};

type InBurst = {
  readonly id: string;
  readonly deadline: number;
  readonly count: number;
  readonly bytes: number;
  readonly job: JobKey;
};

/** Bytes of inputs of a list: what is added writes them again. */
const MAX_LIST_BYTES = 1024 * 1024;

const inBurst = ({ jobKey }: StorePort): string =>
  `SELECT g.holder AS id, g.at_ms AS deadline, g.used AS count, g.per_ms AS bytes, f.job FROM weft.flow_gates g
  JOIN weft.jobs j ON j.id = g.holder JOIN weft.flow_jobs f ON f.job = j.${jobKey} AND f.gate = ${TIME} AND f.state = ${WAITS}
  WHERE g.number = $1 AND j.status = 'queued'`;
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
  /** By number of the gate. */
  readonly writes = new Map<number, GateWrite>();
  /** Jobs that take inputs of this request, by gate; those before the last one of a gate are full. */
  readonly gathered = new Map<number, Gathering[]>();
  /** What the jobs wait for, as decided here. */
  readonly flow: (JobFlow | null)[];
  /** Jobs that wait for more inputs and begin now. */
  readonly due = new Set<JobKey>();
  /** Gates of keys with the place in the request of the job that has the key. */
  readonly #holders = new Map<number, number>();
  readonly #port: StorePort;
  readonly #submission: Submission;
  readonly #gates: Gates;
  readonly #now: number;
  /** Places that other jobs of the request will take, by gate. */
  readonly #planned = new Map<number, number>();

  constructor(port: StorePort, submission: Submission, gates: Gates, now: number) {
    this.#port = port;
    this.#submission = submission;
    this.flow = [...(submission.flow ?? [])];
    this.#gates = gates;
    this.#now = now;
    this.ids = submission.jobs.map(() => null);
  }

  *decide(): Step<void> {
    for (const at of this.#submission.jobs.keys()) yield* this.#one(at, this.flow[at] ?? null);
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
    if (flow?.burst?.kind === "list" && (yield* this.#joined(at, flow.burst))) return;
    if (flow !== null && (yield* this.#isDropped(flow.gates))) return;
    if (holder !== null) this.#replace(holder.id, id);
    this.kept.add(at);
    this.ids[at] = id;
    if (flow?.unique != null) {
      const until = this.#submission.queuedMs + flow.unique.forMs;
      this.#hold(flow.unique.gate, at, { holder: id, atMs: until, used: null, perMs: 0 });
    }
    if (flow?.burst?.kind === "last") yield* this.#last(at, flow, flow.burst);
    if (flow?.burst?.kind === "list") this.#begin(at, flow.burst);
  }

  #hold(gate: string, at: number, write: GateWrite): void {
    const number = this.#gates.get(gate) ?? 0;
    this.#holders.set(number, at);
    this.writes.set(number, write);
  }

  /** The job begins when no further one comes for a time, in place of those before it. */
  *#last(at: number, flow: JobFlow, { gate, maxMs }: Burst): Step<void> {
    const number = this.#gates.get(gate) ?? 0;
    const { jobs, queuedMs } = this.#submission;
    const id = jobs[at]?.id ?? "";
    const own = this.#holders.get(number);
    let deadline = queuedMs + maxMs;
    if (own !== undefined) {
      deadline = this.writes.get(number)?.atMs ?? deadline;
      this.#replace(jobs[own]?.id ?? "", id);
    } else {
      const before = yield* row<InBurst>(inBurst(this.#port), number);
      if (before !== undefined) {
        deadline = before.deadline;
        this.#replace(before.id, id);
      }
    }
    this.#begins(at, flow, Math.min(flow.afterMs ?? deadline, deadline));
    this.#hold(gate, at, { holder: id, atMs: deadline, used: 0, perMs: 0 });
  }

  /** Whether another job takes the inputs of this one. */
  *#joined(at: number, { gate, most }: Burst): Step<boolean> {
    const number = this.#gates.get(gate) ?? 0;
    const list = this.gathered.get(number) ?? [];
    this.gathered.set(number, list);
    if (list.length === 0) {
      const stored = yield* row<InBurst>(inBurst(this.#port), number);
      if (stored !== undefined) {
        const { id, job, count, bytes } = stored;
        list.push({ id, key: job, count, bytes, more: [] });
      }
    }
    const last = list.at(-1);
    const frame = this.#submission.jobs[at]?.frame ?? "";
    const bytes = Buffer.byteLength(frame);
    if (last === undefined || last.count >= most || last.bytes + bytes > MAX_LIST_BYTES) return false;
    last.count += 1;
    last.bytes += bytes;
    last.more.push(frame);
    this.ids[at] = last.id;
    if (last.key !== null) this.#return(at, { id: last.id, status: "queued" });
    if (last.count >= most) this.#full(number, last);
    else this.#remember(number, last);
    return true;
  }

  #begin(at: number, { gate }: Burst): void {
    const number = this.#gates.get(gate) ?? 0;
    const { id = "", frame = "" } = this.#submission.jobs[at] ?? {};
    const list = this.gathered.get(number) ?? [];
    const before = list.at(-1);
    // It had no room for this one.
    if (before !== undefined) this.#full(number, before);
    const gathering = { id, key: null, count: 1, bytes: Buffer.byteLength(frame ?? ""), more: [] };
    list.push(gathering);
    this.gathered.set(number, list);
    this.#remember(number, gathering);
  }

  #remember(number: number, { id, count, bytes }: Gathering): void {
    this.writes.set(number, { holder: id, atMs: 0, used: count, perMs: bytes });
  }

  /** It begins at once. */
  #full(number: number, { id, key }: Gathering): void {
    this.writes.set(number, { holder: null, atMs: 0, used: 0, perMs: 0 });
    if (key !== null) {
      this.due.add(key);
      return;
    }
    const at = this.#submission.jobs.findIndex((job) => job.id === id);
    const flow = this.flow[at];
    if (flow != null) this.#begins(at, flow, null);
  }

  #begins(at: number, flow: JobFlow, afterMs: number | null): void {
    const before = flow.afterMs ?? this.#now;
    const by = (afterMs ?? this.#now) - before;
    this.flow[at] = { ...flow, afterMs, rank: flow.rank + by, byMs: flow.byMs === null ? null : flow.byMs + by };
  }

  /** The other job that has the key of this one; null: none has. One that is over keeps it for its time, but not from its own retry. */
  *#holder({ unique }: JobFlow): Step<(ThereJob & { readonly id: string }) | null> {
    if (unique === null) return null;
    const { jobs, retryOf } = this.#submission;
    const gate = this.#gates.get(unique.gate) ?? 0;
    const own = this.#holders.get(gate);
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
    for (const [before, other] of this.replaced) if (other === id) this.replaced.set(before, by);
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
