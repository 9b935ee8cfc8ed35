/** Questions to people as stores and routes know them, and the links that take a decision or a signal once. */
import type { ApprovalAnswer, ApprovalAsked } from "../../../vm/durable/approvals.ts";
import type { NewSignal, SignalSent } from "../durable/waits.ts";
import type { ClaimedJob, Job } from "../job.ts";

export const APPROVAL_STATES = ["open", "decided", "expired", "cancelled"] as const;
/** `cancelled`: the program took it back, or its job is over. */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Times are milliseconds since 1970. */
export type Approval = {
  readonly id: string;
  readonly job: Job;
  readonly state: ApprovalState;
  readonly openedMs: number;
  /** null: it is open. */
  readonly endedMs: number | null;
  readonly asked: ApprovalAsked;
  /** The first one first; the last one decided it. */
  readonly answers: readonly ApprovalAnswer[];
};

/** `tell`: people receive a notice of it. */
export type NewApproval = {
  readonly approval: string;
  readonly asked: ApprovalAsked;
  readonly most: number;
  readonly tell: boolean;
};
/** `full`: the job has as many open ones as it may have; `stale`: the job is run by another process. */
export type ApprovalOpened = "open" | "full" | "stale";

export type ApprovalFilter = {
  /** null: all. */
  readonly state: ApprovalState | null;
  /** Those for one of these people, and those that name no people; null: all. */
  readonly to: readonly string[] | null;
  /** Id of a job; null: of all jobs. */
  readonly job: string | null;
  /** The last one of the page before. */
  readonly before: { readonly openedMs: number; readonly id: string } | null;
  readonly most: number;
};

export type ApprovalDecided =
  | { readonly state: "unknown" }
  | { readonly state: "not_open"; readonly approval: Approval }
  /** It was answered by the same person before, and needs several. */
  | { readonly state: "same_person" }
  /** The link was used, or is too old. */
  | { readonly state: "link_spent" }
  /** `woken`: the job that waited for it; null: it needs more people, or no job waits. */
  | { readonly state: "answered"; readonly approval: Approval; readonly woken: Job | null };

/** A link as it is kept: only the hash of what stands in its address. */
export type Link = {
  readonly hash: string;
  /** Of an approval: its id and who holds it. Of a signal: its name. */
  readonly target:
    | { readonly kind: "approval"; readonly approval: string; readonly person: string }
    | { readonly kind: "signal"; readonly name: string };
  readonly expiresMs: number;
};
export type StoredLink = Link & { readonly job: Job; readonly usedMs: number | null };

/** A notice of an approval that is still to be sent. `tries`: how often it failed. */
export type DueNotice = { readonly approval: Approval; readonly tries: number };

/** Methods reject with ServiceFault `store_unavailable` when the store cannot answer. */
/** `oldestAgeMs`: null: none is open. */
export type OpenQuestions = { readonly open: number; readonly oldestAgeMs: number | null };

export interface ApprovalStore {
  /** The same id is the same question, which is left as it is. */
  open(job: ClaimedJob, approval: NewApproval): Promise<ApprovalOpened>;
  isOf(job: ClaimedJob, id: string): Promise<boolean>;
  /** False: it was decided, or is over. */
  cancel(job: ClaimedJob, id: string): Promise<boolean>;
  /** The newest first. */
  list(filter: ApprovalFilter): Promise<readonly Approval[]>;
  find(id: string): Promise<Approval | null>;
  /** One decision of many at the same time counts. `link`: hash of the one it came by, which is spent with it. */
  decide(id: string, answer: ApprovalAnswer, link: string | null): Promise<ApprovalDecided>;
  /** Takes notices that are due; they are due again after a minute, unless they were sent. */
  dueNotices(most: number): Promise<readonly DueNotice[]>;
  /** `again`: milliseconds since 1970 of the next try; null: it was sent, or is not sent any more. */
  noticed(id: string, again: number | null): Promise<void>;
  countOpen(): Promise<OpenQuestions>;
}

export interface LinkStore {
  /** For a job of any state. */
  add(job: string, link: Link): Promise<void>;
  find(hash: string): Promise<StoredLink | null>;
  /** Sends the signal and spends the link, both or none. Null: it was spent, or is too old. */
  send(hash: string, signal: NewSignal): Promise<SignalSent | null>;
}
