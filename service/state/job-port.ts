/** What rules about jobs need of a store beyond statements that both databases understand. */
import type { ParkedWait, RecordBody, ResumeReason, WokenBy, WokenWait } from "../../vm/durable/records.ts";
import type { RunSoFar } from "../jobs/answers/bodies.ts";
import type { JournalRows } from "../jobs/durable/journal-rows.ts";
import type { Moment } from "../jobs/durable/waits.ts";
import type { Claim, JobEvent, KeptJob } from "../jobs/job.ts";
import type { Step } from "./step.ts";

/** How rows of other tables name a job. */
export type JobKey = number | string;
export type Found = { readonly job: KeptJob; readonly key: JobKey };

/** A parked job goes back into the line. */
export type Wake = Found & {
  readonly wait: string;
  readonly why: WokenBy;
  /** The record that says so. */
  readonly record: RecordBody;
};

/** A wait as it is kept, `columns`: kind, names, key and the end. */
export type NewWait = Pick<ParkedWait, "wait" | "place"> & { readonly columns: readonly (string | number | null)[] };

/** A signal as it is kept. `job`: of one to a job. */
export type StoredSignal = {
  readonly id: string;
  readonly target: string;
  readonly job: JobKey | null;
  readonly name: string;
  readonly key: string | null;
  readonly expiresMs: number;
  readonly data: Uint8Array;
  readonly bytes: number;
};

export type JobPort = {
  /** The column of `weft.jobs` that is the key of a job. */
  readonly jobKey: "number" | "id";
  /** Stands for every job in what was read: a job is forgotten before a signal under a key may be. */
  readonly anyJob: JobKey;
  /** Condition: a question `a` is for one of the people $4, or names no people; $4 null: always. */
  readonly isForPeople: string;
  /** Condition: the signal `s` came after the job $1 was queued. */
  readonly isLater: string;
  readonly keyOf: (id: string) => Step<JobKey | null>;
  /** Jobs by their keys, as they are. */
  readonly jobsOf: (keys: readonly JobKey[]) => Step<ReadonlyMap<JobKey, KeptJob>>;
  /** With its row locked until the transaction ends. */
  readonly lockedJob: (id: string) => Step<Found | null>;
  /** Those of these ids and keys that exist, locked in one order. */
  readonly lockedJobs: (ids: readonly string[], keys: readonly JobKey[]) => Step<readonly Found[]>;
  readonly lockedJobOf: (key: JobKey) => Step<Found | null>;
  /** Those of these jobs that are parked, locked in one order. */
  readonly parkedJobs: (keys: readonly JobKey[]) => Step<readonly Found[]>;
  /** Locked jobs that are parked and one of whose times has come; those that another process is waking are left to it. */
  readonly dueJobs: (moment: Moment, most: number) => Step<readonly Found[]>;
  /** Held by all who send signals under the key, or wait for one. Taken before the rows of jobs. */
  readonly lockKey: (key: string) => Step<void>;
  readonly addSignals: (signals: readonly StoredSignal[], now: number) => Step<void>;
  /** Counts up to `most`. */
  readonly countParked: (most: number) => Step<number>;
  /** False: another claim has the job. A record that is there already was written by the same run, whose answer was lost. */
  readonly append: (job: Found, writer: Claim, rows: JournalRows) => Step<boolean>;
  /** A record that the store itself adds to a locked job: its number. Where the last record cannot be read nothing is added. */
  readonly addRecord: (job: Found, body: RecordBody, now: number) => Step<number>;
  /** Forgets what the run of a locked job learned and waited for. */
  readonly forgetRun: (job: Found) => Step<void>;
  /** What ended some of these waits, when nothing else came after that. */
  readonly lastWoken: (job: Found, waits: readonly ParkedWait[]) => Step<readonly WokenWait[]>;
  /** One that is there is waited for again. */
  readonly addWaits: (job: Found, waits: readonly NewWait[], now: number) => Step<void>;
  /** Writes `next`, the parked job, and the events that follow its status. */
  readonly park: (job: Found, next: KeptJob, events: readonly JobEvent[], now: number) => Step<void>;
  /** Puts parked jobs, whose rows are locked, back in line: before those that have not begun. */
  readonly wake: (wakes: readonly Wake[], now: number) => Step<readonly KeptJob[]>;
  /** What a job continues after, when its process died. */
  readonly afterCrash: "crash" | "takeover";
  /** Locked jobs whose lifetime is over and that wait, in the line or parked. */
  readonly lifetimesOver: (now: number, most: number) => Step<readonly Found[]>;
  /** What is kept of the request that queued the job. */
  readonly requestOf: (of: { readonly job: Pick<KeptJob, "id"> }) => Step<string>;
  /** Of a locked job whose request queued no other. */
  readonly setRequest: (job: Found, request: string) => Step<void>;
  /** As its events told it. */
  readonly toldSoFar: (job: Found) => Step<RunSoFar>;
  /** Somebody wants a job to end that is being cancelled. */
  readonly insist: (id: string) => Step<void>;
  /** Writes a move of a locked job: the new status, its result and its events. `why`: it continues. */
  readonly move: (
    job: Found,
    next: KeptJob,
    result: string | null,
    now: number,
    why: ResumeReason | null,
  ) => Step<KeptJob>;
};
