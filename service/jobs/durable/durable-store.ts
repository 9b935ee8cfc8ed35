/** What a store does for durable jobs. Methods reject with ServiceFault `store_unavailable` when it cannot answer. */
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import type { ApprovalStore, LinkStore } from "../approvals/approvals.ts";
import type { ClaimedJob, Job } from "../job.ts";
import type { KeptSignals } from "./signal-room.ts";
import type { Decision, JobWait, NewSignal, SignalSent, WaitedKey, Woken } from "./waits.ts";

/** Default: resumes of a run in a row, without a new record, after which it does not continue. */
export const MAX_CRASHES = 5;
/** Default: jobs that wait. */
export const MAX_PARKED = 100_000;
/** Default: larger stored states are not kept. */
export const MAX_SNAPSHOT_BYTES = 16 * 1024 * 1024;

export interface DurableJobs {
  readonly approvals: ApprovalStore;
  readonly links: LinkStore;
  /** The journal of a job of this process. */
  journal(job: ClaimedJob): RunJournal;
  /** The records that are to be kept together with the end of the job, which `settle` writes next. */
  last(job: ClaimedJob, records: readonly JournalRecord[]): void;
  /** The job is over. */
  ended(job: ClaimedJob): void;
  /** Records of any job after `after`, in order; null: the job does not exist. */
  page(id: string, after: number, most: number): Promise<readonly JournalRecord[] | null>;
  /** Number of the last record, which is how many there are; 0: the journal is empty. */
  lastSeq(id: string): Promise<number>;
  /** Null: the job does not wait for it. */
  decide(id: string, decision: Decision): Promise<Job | null>;
  /** `full`: too many are unread by the job or under the key, or under all keys together. */
  send(signal: NewSignal): Promise<SignalSent>;
  /** Signals under keys that are kept, as counted within the last second. */
  keptSignals(): Promise<KeptSignals>;
  /** Open and ended ones, the first first. */
  waits(id: string): Promise<readonly JobWait[]>;
  /** How many signals came to the job that it has not read, by name. */
  unread(id: string): Promise<Readonly<Record<string, number>>>;
  /** Keys after `after` under which jobs wait for a signal of this name, in order. `sinceMs`: when the last of these waits began. */
  waitedKeys(name: string, after: string, most: number): Promise<readonly WaitedKey[]>;
  /** Wakes jobs when their time comes, until it is stopped. `told`: of each. */
  watchTimes(told: (woken: Woken) => void): () => void;
  /** Ends jobs that wait and whose lifetime is over. */
  endLifetimes(): Promise<readonly Job[]>;
}
