/**
 * What a job is and how it may change: the states, and the one table of moves between them that every store checks its writes against
 * (docs/jobs.md, life of a job). Knows no store and no clock.
 */

import type { ResumeReason } from "../../vm/durable/records.ts";
import type { JobAbout } from "../wire/about.ts";
import type { JobFlow } from "./flow/job-flow.ts";
import type { Searched } from "./job-search.ts";

export const JOB_STATUSES = [
  "queued",
  "running",
  "waiting",
  "sleeping",
  "cancelling",
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "interrupted",
  "rejected",
  "expired",
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** How a run can end for its job. */
export type JobOutcome = "succeeded" | "failed" | "timed_out" | "cancelled" | "rejected" | "interrupted";

/** Of a durable job that waits: for something, perhaps also for a time, or for a time alone. It holds no place to run in. */
export const PARKED: readonly JobStatus[] = ["waiting", "sleeping"];

/** From each state the states that may follow. No other change exists. */
export const MOVES: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  // `timed_out`: the lifetime of a durable job is over. `interrupted`, also of a job that waits: the store was restored from a copy.
  queued: ["running", "cancelled", "timed_out", "interrupted"],
  // `rejected`: the grant was tightened since the job was accepted; found before its first step.
  running: [
    "succeeded",
    "failed",
    "timed_out",
    "cancelled",
    "rejected",
    "cancelling",
    "interrupted",
    "queued",
    "waiting",
    "sleeping",
  ],
  waiting: ["queued", "cancelled", "timed_out", "interrupted"],
  sleeping: ["queued", "cancelled", "timed_out", "interrupted"],
  // A run that ends by itself before it notices keeps its result.
  // `queued`: its process is gone, and another one continues its cleanup.
  cancelling: ["succeeded", "failed", "timed_out", "cancelled", "rejected", "queued"],
  succeeded: ["expired"],
  failed: ["expired"],
  timed_out: ["expired"],
  cancelled: ["expired"],
  interrupted: ["expired"],
  rejected: ["expired"],
  expired: [],
};

export function mayMove(from: JobStatus, to: JobStatus): boolean {
  return MOVES[from].includes(to);
}

/** States from which `to` can be reached. */
export function sourcesOf(to: JobStatus): readonly JobStatus[] {
  return JOB_STATUSES.filter((from) => mayMove(from, to));
}

/** States with a result that stays as it is until it expires. */
export const TERMINAL_STATUSES: readonly JobStatus[] = sourcesOf("expired");

export function isTerminal(status: JobStatus): boolean {
  return status === "expired" || TERMINAL_STATUSES.includes(status);
}

/** Maximum number of attempts of a job with `retry`. */
const MAX_ATTEMPTS = 3;

/** What becomes of a job whose process is gone. */
export function afterInterruption(job: Pick<Job, "status" | "retry" | "attempt" | "durable">): JobStatus {
  if (job.status === "cancelling") return "cancelled";
  // It continues where its journal ends.
  if (job.durable) return "queued";
  return job.retry && job.attempt < MAX_ATTEMPTS ? "queued" : "interrupted";
}

/** Times are milliseconds since 1970. */
export type Job = {
  readonly id: string;
  readonly status: JobStatus;
  /** Of the request that queued it, and of its run. */
  readonly traceId: string;
  /** Written form of the entry label. */
  readonly label: string;
  /** How often it was started. */
  readonly attempt: number;
  /** Start it again after an interruption. */
  readonly retry: boolean;
  readonly queuedMs: number;
  /** Of the first attempt. */
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly expiresMs: number | null;
  readonly retryOf: string | null;
  /** Name and version of the deployment that it runs; null for a job of a program that came with its request. */
  readonly deployment: string | null;
  readonly version: number | null;
  readonly about: JobAbout;
  /** Place of its frame among those of one request, from 0; null for a job of its own. */
  readonly index: number | null;
  /** Error word of its result. */
  readonly error: string | null;
  /** It has a journal, and survives its process (docs/durable.md). */
  readonly durable: boolean;
  /** How often it continued, after an interruption or a wait. */
  readonly resumes: number;
  /** When a durable job is over at the latest; null: of other jobs. */
  readonly endsMs: number | null;
  /** How long it waited, in milliseconds, without the wait under way. */
  readonly parkedMs: number;
  /** When the wait under way began; null: it does not wait. */
  readonly parkedAtMs: number | null;
  /** Rules decide when it begins (docs/how-to/flow-control.md). */
  readonly flow: boolean;
  /** They hold it back: it may not be claimed, though it is in line. */
  readonly held: boolean;
};

/** What a job needs to run, as texts that the store does not look into. */
export type JobWork = {
  /** JSON of JobRequest (`service/jobs/run/job-request.ts`). */
  readonly request: string;
  /** JSON of its first variables; null: they stand in the request, as in jobs of earlier versions. */
  readonly frame: string | null;
  /** Canonical JSON of the program. */
  readonly program: string;
  /** Of the program. */
  readonly checksum: string;
  /** Of the request that queued it. */
  readonly traceparent: string | null;
  /** At most 512 characters. */
  readonly tracestate: string | null;
};

/** A signal that a job is queued with. `data`: as JSON. */
export type FirstSignal = { readonly id: string; readonly name: string; readonly data: string };

/** Jobs that one request queues: what all of them share, and what each has of its own. */
export type Submission = Pick<Job, "label" | "retry" | "queuedMs" | "retryOf" | "deployment" | "version" | "about"> &
  Omit<JobWork, "frame"> & {
    /** How long a result is kept. */
    readonly keepMs: number;
    /** How long when the job ends in one of these states; null or absent: `keepMs` for all. */
    readonly keeps?: KeptTimes | null;
    /** The jobs have journals, and are over after so long at the latest; null or absent: they have none. */
    readonly durable?: {
      readonly lifetimeMs: number;
      /** The one job begins with the first `seq` records of this one. */
      readonly takes?: { readonly job: string; readonly seq: number };
      /** Signals that each of the jobs has from its beginning. */
      readonly signals?: readonly FirstSignal[];
    } | null;
    /** Inputs by which they are found; absent: none. */
    readonly search?: readonly Searched[];
    /** Id of the request. */
    readonly traceId: string;
    /** Of the request, told again when its answer is repeated. */
    readonly warnings: readonly string[];
    /** Asked for as many, so the answer names many, even when there is one. */
    readonly bulk: boolean;
    /** One at least, in the order they are to run in; later ones have later ids. */
    readonly jobs: readonly SubmittedJob[];
    /** For each of the jobs, what decides when it begins; absent: nothing does. */
    readonly flow?: readonly (JobFlow | null)[];
  };
export type SubmittedJob = Pick<Job, "id" | "traceId"> & Pick<JobWork, "frame">;

/** Milliseconds by the state that a job ended in. A state that is absent has the time of all. */
export type KeptTimes = { readonly [status in JobStatus]?: number };

/** A job as its store keeps it. */
export type KeptJob = Job & {
  /** Names the process that runs it. */
  readonly owner: string | null;
  readonly keepMs: number;
  readonly keeps: KeptTimes | null;
};

/** When the result of the job is deleted that ends now. */
export function expiryOf({ keepMs, keeps }: Pick<KeptJob, "keepMs" | "keeps">, status: JobStatus, now: number): number {
  return now + (keeps?.[status] ?? keepMs);
}

/** A job that this process owns until it settles it. */
export type ClaimedJob = KeptJob &
  JobWork & {
    /** Why it continues; null: it begins, or it has no journal. */
    readonly why: ResumeReason | null;
  };

/** The job after a move. `owner`: the owner of the attempt that starts. Throws for a move that is not allowed. */
export function moved(job: KeptJob, to: JobStatus, now: number, owner: string | null = null): KeptJob {
  if (!mayMove(job.status, to)) throw new Error(`no move from ${job.status} to ${to}`);
  const next = { ...job, ...unparked(job, now), status: to };
  switch (to) {
    case "running":
      return { ...next, owner, attempt: job.attempt + 1, startedMs: job.startedMs ?? now };
    case "cancelling":
      return next;
    case "queued":
      return { ...next, owner: null };
    case "expired":
      return { ...next, expiresMs: now };
    default:
      return { ...next, owner: null, finishedMs: now, expiresMs: expiryOf(job, to, now) };
  }
}

/** The wait under way is over. */
function unparked({ parkedMs, parkedAtMs }: KeptJob, now: number): Pick<Job, "parkedMs" | "parkedAtMs"> {
  return parkedAtMs === null
    ? { parkedMs, parkedAtMs }
    : { parkedMs: parkedMs + Math.max(0, now - parkedAtMs), parkedAtMs: null };
}

/**
 * A job that was claimed and is not begun after all, as if it had not been claimed; over, when somebody wants it cancelled. `why`: what had queued a
 * durable job again; null: nothing had.
 */
export function released(job: KeptJob, why: ResumeReason | null, now: number): KeptJob {
  const resumes = why === null ? job.resumes : job.resumes - 1;
  if (job.status === "cancelling") return { ...moved(job, "cancelled", now), resumes };
  // One that is woken continues its attempt.
  const attempt = why === "wake" ? job.attempt : job.attempt - 1;
  const startedMs = why === null && attempt === 0 ? null : job.startedMs;
  return { ...moved(job, "queued", now), attempt, resumes, startedMs };
}

/** A claim of a job: each has another owner, attempt or number of resumes than those before. */
export type Claim = Pick<KeptJob, "id" | "owner" | "attempt" | "resumes">;

/** Without the texts of the job. */
export function claimOf({ id, owner, attempt, resumes }: ClaimedJob): Claim {
  return { id, owner, attempt, resumes };
}

/** Tells the claims of one owner apart. */
export function claimName({ id, attempt, resumes }: Omit<Claim, "owner">): string {
  return `${id} ${attempt} ${resumes}`;
}

/** Whether a job is still run by this claim of it. */
export function isHeldBy(job: KeptJob, { owner, attempt, resumes }: Omit<Claim, "id">): boolean {
  const isSame = job.owner === owner && job.attempt === attempt && job.resumes === resumes;
  return isSame && (job.status === "running" || job.status === "cancelling");
}

/** One entry of the event stream of a job. `data` is the JSON of its line. */
export type JobEventKind =
  | "status"
  | "adapter_call"
  | "progress"
  | "resumed"
  | "outcome_unknown"
  | "waiting"
  | "woken"
  | "end";
export type JobEvent = { readonly kind: JobEventKind; readonly data: string };
export type StoredJobEvent = JobEvent & { readonly seq: number };

/** The last ones are kept. */
export const MAX_EVENTS = 1000;

export function statusEvent(job: Pick<Job, "id" | "status" | "attempt">, ms: number): JobEvent {
  const data = { job_id: job.id, status: job.status, attempt: job.attempt, ts: new Date(ms).toISOString() };
  return { kind: "status", data: JSON.stringify(data) };
}

/** The events of a change: the new status, and the end of the stream with it when nothing follows. */
export function eventsOfMove(job: Pick<Job, "id" | "status" | "attempt">, ms: number): readonly JobEvent[] {
  const status = statusEvent(job, ms);
  return isTerminal(job.status) ? [status, endEvent(job.status)] : [status];
}

function endEvent(status: JobStatus): JobEvent {
  return { kind: "end", data: JSON.stringify({ status, ok: status === "succeeded" }) };
}
