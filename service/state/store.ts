/**
 * Where jobs live. Two stores answer this interface, SQLite for one process and PostgreSQL for several; routes and the worker know no
 * other way to jobs. Every change is one committed transaction that checks the state it starts from, so whatever is acknowledged
 * is durable and a job is completed once. Methods reject with ServiceFault `store_unavailable` when the store cannot answer.
 */

import type { EventStore } from "../events/event.ts";
import type { QueuedAnswer, RunSoFar } from "../jobs/answers/bodies.ts";
import type { DeadLetterStore } from "../jobs/answers/dead-letters.ts";
import type { ShownStates } from "../jobs/answers/shown-states.ts";
import type { DurableJobs } from "../jobs/durable/durable-store.ts";
import type { FamilyStore } from "../jobs/families/families.ts";
import type { JobListing, WaitKind } from "../jobs/filter.ts";
import type { HearLooked } from "../jobs/flow/flow-watch.ts";
import type { HeldBy } from "../jobs/flow/job-flow.ts";
import type {
  ClaimedJob,
  Job,
  JobEvent,
  JobOutcome,
  JobStatus,
  JobWork,
  StoredJobEvent,
  Submission,
} from "../jobs/job.ts";
import type { JobSignals } from "../jobs/signals.ts";
import type { StoreTime } from "../jobs/steady-time.ts";
import type { StoreHealth } from "../jobs/store-health.ts";
import type { NoticeStore } from "../notices/notice.ts";
import type { ProgramStore } from "../programs/store.ts";
import type { HeldKey, IdempotencyStore } from "../run/idempotency-store.ts";
import type { RunSlot } from "../run/run-slots.ts";
import type { ScheduleStore } from "../schedules/store.ts";
import type { QueueKind } from "../services.ts";
import type { JobFigures } from "../telemetry/metrics.ts";
import type { RestoredJob, RestoredSchedule } from "./copies/restored.ts";

export type EnqueueOptions = {
  /** Queued jobs that may wait. */
  readonly most: number;
  /** Finished with the answer of the submission in the same transaction. */
  readonly key: HeldKey | null;
};
/**
 * `dropped`, `taken`: rules queued none of the jobs; `by`: the job that has the key. `key_lost`: this process counted as dead, and the key is another
 * request's.
 */
export type Enqueued =
  | ({ readonly state: "queued" } & QueuedAnswer)
  | { readonly state: "dropped" }
  | { readonly state: "taken"; readonly by: string }
  /** `maxBytes`: of all queued jobs together, where that is what has no room; `isTooLarge`: not even for these alone. */
  | { readonly state: "full"; readonly maxBytes?: number; readonly isTooLarge?: boolean }
  /** The job whose records it was to take over is gone. */
  | { readonly state: "no_journal" }
  | { readonly state: "key_lost" };

export type FoundJob = Job & {
  /** Of its program. */
  readonly checksum: string;
  /** Queued jobs ahead of it; null when it is not queued. */
  readonly position: number | null;
  /** JSON of the result; null before the end, and when it is large. */
  readonly result: string | null;
  /** `result` of the store gives it. */
  readonly isResultLarge: boolean;
  /** What holds it back; null: nothing does. */
  readonly heldBy: HeldBy | null;
};

/** Larger results are not inlined in job documents: many clients may poll at once, and most do not need the text. */
export const MAX_INLINE_BYTES = 64 * 1024;

/** How many of the newest jobs are scanned at start-up for the latest timestamp; scanning all would delay the start. */
export const LAST_JOBS = 1000;

/** Of the jobs that were queued in an hour. `runningMs`: of all together, without waits. */
export type HourCount = {
  readonly program: string | null;
  readonly status: JobStatus;
  readonly count: number;
  readonly runningMs: number;
};

/** What a list says of a job besides what the job is. */
export type JobNote = {
  readonly id: string;
  /** The first line of what it failed with, as JSON writes it. */
  readonly message: string | null;
  /** Of what it waits for; of several waits, the one that began first. `date`: a timer by the clock of the wall. */
  readonly kind: WaitKind | "date" | null;
  /** JSON of the names of signals, or of the ids of jobs. */
  readonly names: string | null;
};

/** Results and events that are kept. `mostEvents`: absent: MOST_EVENTS. `only`: no other jobs expire than these; absent: all that are due. */
export type RetentionRules = {
  readonly mostResults: number;
  readonly mostEvents?: number;
  readonly only?: readonly string[];
};

/** What runs jobs for a store. */
export interface JobWorker {
  /** A place to run in, as soon as there is one. Rejects when none will come. */
  enter(): Promise<RunSlot>;
  /** Runs a job, leaves the slot when the run is over, and resolves when it is settled. Never rejects. */
  run(job: ClaimedJob, slot: RunSlot): Promise<void>;
  /** Called for a claimed job that was cancelled before it ran. */
  cancelled(job: Job): void;
}

export interface Dispatch {
  /** No further job is begun. Resolves when those begun have ended and are settled. */
  stop(): Promise<void>;
}

export type Restoring = {
  /** Ends up to `most` open jobs, and resolves with them as they were. */
  end(most: number): Promise<readonly RestoredJob[]>;
  /** Pauses all schedules. Resolves with those that were not paused. */
  pause(): Promise<readonly RestoredSchedule[]>;
};

export interface JobStore {
  readonly kind: QueueKind;
  /** Names this process where several share the store. */
  readonly replica: string | null;
  readonly health: StoreHealth;
  /** What the operator is to know at the start. */
  readonly warnings?: readonly string[];
  /** Called for every change and for new events, from any process. */
  readonly signals: JobSignals;
  readonly keys: IdempotencyStore;
  /** Deployments, in the same transactions. */
  readonly programs: ProgramStore;
  readonly schedules: ScheduleStore;
  readonly notices: NoticeStore;
  readonly dead: DeadLetterStore;
  readonly states: ShownStates;
  /** Of a store that was restored from a copy, before anything uses it. */
  readonly restoring: Restoring;
  /** Null: this store keeps no journals. */
  readonly durable: DurableJobs | null;
  readonly families: FamilyStore;
  readonly programEvents: EventStore;
  /** By which the times of its jobs are kept. */
  readonly time: Pick<StoreTime, "behindMs" | "onJump">;
  /** That time: milliseconds since 1970, steady, and the same for all who share the store. */
  readonly now: () => number;

  /** All of its jobs, or none. */
  enqueue(submission: Submission, options: EnqueueOptions): Promise<Enqueued>;
  find(id: string): Promise<FoundJob | null>;
  /** JSON of a result of any size; null when it does not exist or has expired. */
  result(id: string): Promise<string | null>;
  list(listing: JobListing): Promise<readonly Job[]>;
  /** Of those of the jobs that exist. */
  notes(ids: readonly string[]): Promise<readonly JobNote[]>;
  /** Of the jobs that were queued from `fromMs` on and before `toMs`. */
  stats(fromMs: number, toMs: number): Promise<readonly HourCount[]>;
  /** What a job was queued with, for a retry; null when it is gone. */
  work(id: string): Promise<JobWork | null>;
  /** Canonical JSON of a program that a job or a deployment has; null: none has it. */
  program(checksum: string): Promise<string | null>;
  /** Returns the job afterwards; null when it does not exist. A queued job ends at once; the owner of a running one is notified. */
  cancel(id: string): Promise<{ readonly job: Job; readonly moved: boolean } | null>;

  /** Looks after jobs that rules hold back, and after families; `hear` receives those that rules end or wake. Returns the way to stop. */
  watchFlow(hear: HearLooked): () => Promise<void>;
  /** Hands queued jobs to the worker, up to a maximum at once. */
  dispatch(worker: JobWorker, most: number): Dispatch;
  /** Ends a job of this process. Null: it is no longer this process's, or not in this attempt; nothing was changed. */
  settle(job: ClaimedJob, outcome: JobOutcome, result: string): Promise<Job | null>;
  /** Gives up a job of this process as if the process had died. `known`: of its run; null: what its events told is all that is known. */
  interrupt(job: ClaimedJob, known: RunSoFar | null): Promise<Job | null>;
  /** Those of the given jobs that are to end. Signals say so at once, and may be lost. */
  cancelling(ids: readonly string[]): Promise<readonly string[]>;
  /** Of a job of this process. */
  addEvents(job: ClaimedJob, events: readonly JobEvent[]): Promise<void>;
  /** Entries after `seq`, in order. */
  events(id: string, seq: number): Promise<readonly StoredJobEvent[]>;

  /** Moves jobs whose process is gone; the moved ones. */
  recover(): Promise<readonly Job[]>;
  /** Ids of the jobs that a round of retention would expire. */
  due(rules: RetentionRules): Promise<readonly string[]>;
  /** One round of retention; the expired jobs, at most 500. */
  sweep(rules: RetentionRules): Promise<readonly Job[]>;
  figures(): Promise<JobFigures>;
  /** Why hardly a job can be queued, in a few words; null: there is room. */
  queueFault(): Promise<string | null>;
  /** Resolves when the store can be written. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
