/** Jobs that start jobs, as stores and routes know them (docs/adapters/job.md). */
import type { ClaimedJob, Job, Submission } from "../job.ts";
import type { Searched } from "../job-search.ts";
import type { SharedBudget } from "./shared-budget.ts";

/** A job that another one starts. `key`: the same key of the same parent starts one job. */
export type NewChild = {
  readonly key: string;
  readonly detached: boolean;
  /** It shares the budget of its parent. */
  readonly shares: boolean;
  /** Of the family, without the job that began it, at most. */
  readonly maxJobs: number;
  /** Jobs that start each other, at most. */
  readonly maxDepth: number;
  /** Queued jobs that may wait. */
  readonly maxQueued: number;
  /** Of one job. */
  readonly submission: Submission;
};

export type ChildStarted =
  /** `isNew`: false: the key had started it before. */
  | { readonly state: "started"; readonly id: string; readonly isNew: boolean }
  | { readonly state: "too_many" | "too_deep" | "full" | "dropped" }
  /** A rule of its program gives the key of the job to another job, or gathers it into one. */
  | { readonly state: "taken" }
  /** Another claim has the parent, or it is about to end. */
  | { readonly state: "stale" };

/** A job of a family. `relation`: to the job that asks: an ancestor started it, or one of those before it. */
export type Member = { readonly job: Job; readonly relation: "self" | "ancestor" | "other" };

/** A job in the tree of its family. `job`: null: it is forgotten. */
export type TreeJob = {
  readonly id: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly detached: boolean;
  /** It shares the budget of its parent. */
  readonly shares: boolean;
  readonly job: Job | null;
  /** That the job is in, from 1. */
  readonly round: number;
};

/** What the next round of a job begins with (`job.again`). */
export type NextRound = {
  /** JSON of its first variables. */
  readonly frame: string;
  /** What is kept of its request from now on; null: what was kept before. */
  readonly request: string | null;
  /** Inputs by which the job is found from now on. */
  readonly search: readonly Searched[];
  /** Of its run. */
  readonly traceId: string;
  /** The job is over so long after the beginning of the round, at the latest; null: that stays as it was. */
  readonly lifetimeMs: number | null;
};

/** A round of a job that is over. `waited`: the job was parked in it. Times are milliseconds since 1970. */
export type Round = {
  /** From 1. */
  readonly round: number;
  readonly traceId: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly waited: boolean;
};

/** `shares`: it shares the budget of its parent. */
export type KnownJob = Pick<TreeJob, "id" | "shares">;

/** Methods reject with ServiceFault `store_unavailable` when the store cannot answer. */
export interface FamilyStore {
  /** The job that the key started; null: it started none. */
  known(parent: string, key: string): Promise<KnownJob | null>;
  /** Those of the jobs that are over, or forgotten. */
  over(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The budget that the job shares with its parent, as its request says; null: none, or the job is forgotten. */
  shareOf(id: string): Promise<SharedBudget | null>;
  start(parent: ClaimedJob, child: NewChild): Promise<ChildStarted>;
  /** Those of the given jobs that are of the family of `of`. */
  members(of: string, ids: readonly string[]): Promise<ReadonlyMap<string, Member>>;
  /** The family of a job, the one that began it first, then in the order in which they were started; null: the job does not exist. */
  tree(id: string, most: number): Promise<readonly TreeJob[] | null>;
  /** Ends the run of a job of this process, and queues the next round of it. Null: another claim has the job. One that is being cancelled is over then. */
  again(job: ClaimedJob, next: NextRound): Promise<Job | null>;
  /** Rounds that are over, the last one first: at most 100. */
  rounds(id: string): Promise<readonly Round[]>;
  /** The job ended as many rounds within a minute as it may without a wait. */
  isTooFast(id: string): Promise<boolean>;
}
