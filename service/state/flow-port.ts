/** What rules about when jobs begin need of a store beyond statements that both databases understand. */
import type { JobKey } from "./job-port.ts";
import type { Step } from "./step.ts";

/** In place of a row of `flow_gates`. The place of a job before its time, the time by which it must begin, and the line itself. */
export const TIME = 0;
export const BEGIN_BY = -1;
export const LINE = -2;

/** Of a row of `flow_jobs`. A job waits at one gate above LINE at most. */
export const LATER = 0;
export const WAITS = 1;
export const TAKEN = 2;
/** It gave its place back while it waits for something, and needs another one. */
export const GAVE_BACK = 3;

/** What becomes of a place: given back when the job is parked, or at its end; or there is nothing to give back. */
export const UNTIL_PARKED = 0;
export const UNTIL_OVER = 1;
export const NOTHING = 2;

export type GateRow = {
  readonly id: string;
  readonly kind: "places" | "tokens" | "turns" | "burst";
  readonly lim: number;
  readonly perMs: number;
};

export type FlowRow = {
  readonly job: JobKey;
  /** Of the gate among those of the job. */
  readonly place: number;
  readonly gate: number;
  readonly state: number;
  /** The lowest goes first. At TIME and BEGIN_BY: milliseconds since 1970. */
  readonly rank: number;
  readonly keeps: number;
  /** Whose turn it is, of a fair job: number of its group, and its turn there. */
  readonly grp: number | null;
  readonly turn: number | null;
};

export type FlowPort = {
  /** Held by all who change who waits for what. Taken before any row of a job. */
  readonly lockFlow: () => Step<void>;
  /** By id, the numbers of gates. Those that are new are made; the others have these limits from now on. */
  readonly gates: (asked: readonly GateRow[]) => Step<ReadonlyMap<string, number>>;
  readonly addFlowRows: (rows: readonly FlowRow[]) => Step<void>;
  /** JSON of the first variables of a job. */
  readonly frameOf: (job: JobKey) => Step<string>;
  readonly setFrame: (job: JobKey, frame: string) => Step<void>;
  /** Jobs in line that nothing holds back any more may be claimed: their ids. */
  readonly letGo: (jobs: readonly JobKey[]) => Step<readonly string[]>;
};
