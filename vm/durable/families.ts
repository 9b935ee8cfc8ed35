/** Jobs that a run starts and waits for: what a program may ask of them, and what it is given (docs/adapters/job.md). */
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { BudgetLeft } from "../calls/budget.ts";
import type { BudgetUse, ModelUsage } from "../usage.ts";

/** A job to be started. */
export type ChildAsked = {
  /** Name of the deployment whose current version it runs. */
  readonly program: string;
  readonly inputs: JsonObject;
  /** The same key of the same job starts one child. */
  readonly key: string;
  /** It continues when the job that started it is cancelled. */
  readonly detach: boolean;
  /** Jobs of the family, and jobs that start each other, at most. */
  readonly maxJobs: number;
  readonly maxDepth: number;
  /** It shares the budget of the run, which has this left and spent this on models. Absent: it has a budget of its own. */
  readonly share?: Sharing;
};

/** `givenUp`: fires when the run does not wait for the store any more, which is asked until it answers. */
export type Sharing = {
  readonly left: BudgetLeft;
  readonly llm: ModelUsage | undefined;
  readonly givenUp: AbortSignal;
};

/** How a job of the family stands. `version`: null: its program came with its request. Times are RFC 3339. */
type MemberStatus = {
  readonly id: string;
  readonly program: string | null;
  readonly version: number | null;
  readonly status: string;
  /** It is over. */
  readonly over: boolean;
  /** The word for what went wrong; null: nothing did, as far as is known. */
  readonly error: string | null;
  readonly queued_at: string;
  readonly finished_at: string | null;
};

/** What came of a job that is over. `failure`: null: it succeeded. */
export type MemberEnd = {
  readonly status: string;
  readonly result: Json;
  readonly failure: MemberFailure | null;
};

export type MemberFailure = {
  readonly error: string;
  /** Of the program's own failure, as RUNTIME_ADAPTER_ERROR; null: it failed as a whole. */
  readonly code: string | null;
  readonly message: string;
  /** A call of it may have acted, and whether it did is unknown. */
  readonly isUnknown: boolean;
};

/** The methods reject with AdapterError; ADAPTER_NOT_FOUND for a job that is not of the family. */
export interface FamilyDesk {
  /** The id of the job that this key started, now or before. */
  start(asked: ChildAsked): Promise<string>;
  /** The first of these, in their order, that is over; null: none is. Each must be a member that this run does not belong to itself. */
  firstOver(ids: readonly string[]): Promise<string | null>;
  endOf(id: string): Promise<MemberEnd>;
  /** What the run pays for a job that shares its budget: what that used, or, where that is not known, all that it was given. */
  paidFor(id: string, givenUp: AbortSignal): Promise<BudgetUse>;
  status(id: string): Promise<MemberStatus>;
  /** False: it was over already. */
  cancel(id: string): Promise<boolean>;
  /** Ends the run, which used this, and has the next one begin with these inputs: does not resolve. */
  again(inputs: JsonObject, used: BudgetUse): Promise<never>;
}
