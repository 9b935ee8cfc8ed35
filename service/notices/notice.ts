/** Notices of what went wrong, as a store keeps them. They hold names, codes and places, and no value of any run. */
import type { Job } from "../jobs/job.ts";
import type { NoticeKind } from "../programs/notice-settings.ts";

/** Why, without values: the code, the class of the exception, the place. Notices of the same cause are gathered. */
export type Cause = {
  readonly code: string;
  readonly exception?: string;
  /** A function or a label. */
  readonly at?: string;
  readonly line?: number;
};

export const NOTICE_STATES = ["due", "sent", "failed"] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

export type Notice = {
  readonly id: string;
  readonly target: string;
  readonly kind: NoticeKind;
  /** Name of the deployment; empty: a job of none. */
  readonly program: string;
  readonly version: number | null;
  /** JSON of the cause. */
  readonly cause: string;
  /** The newest of the `count` jobs that it is about. */
  readonly jobId: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly state: NoticeState;
  /** When it is sent, or tried again; null: it is over. */
  readonly dueMs: number | null;
  readonly tries: number;
  readonly sentMs: number | null;
  /** Why the last try failed. */
  readonly code: string | null;
};

/** How rows of a store name a job. */
type Key = number | string;
/** A job that ended with an error, or a wait that is open, without a notice. `wait`: its id, kind and beginning. */
export type Candidate = {
  readonly key: Key;
  readonly job: Job;
  readonly wait: { readonly id: string; readonly kind: string; readonly beganMs: number } | null;
  /** The job failed before, and was noted then: whether it is a dead letter still; null: it failed just now. */
  readonly isDead: boolean | null;
};

export type NewNotice = Pick<Notice, "id" | "target" | "kind" | "program" | "version" | "cause" | "jobId">;
/** What becomes of a candidate. `laterMs`: it is looked at again then; null: it is done with. */
export type Considered = {
  readonly key: Key;
  readonly wait: string | null;
  readonly laterMs: number | null;
  /** Of a job that was noted before. */
  readonly isAgain?: boolean;
  readonly notice: NewNotice | null;
};

export type TakeNotices = {
  readonly most: number;
  /** To one target in an hour. */
  readonly perHour: number;
};

export interface NoticeStore {
  /** Notices are made from now on; not `on`: no more. Resolves with the time since which they are made. */
  since(on: boolean): Promise<number | null>;
  candidates(sinceMs: number, most: number): Promise<readonly Candidate[]>;
  /** Each candidate once, with its notice in the same transaction. Those of one cause within the window are one notice. */
  note(considered: readonly Considered[], windowMs: number): Promise<void>;
  /** Takes notices that are due; they are due again after a minute, unless they were sent. */
  take(asked: TakeNotices): Promise<readonly Notice[]>;
  sent(id: string): Promise<void>;
  /** `againMs`: null: it is given up. */
  failed(id: string, code: string, againMs: number | null): Promise<void>;
  /** The newest first. */
  list(most: number): Promise<readonly Notice[]>;
}
