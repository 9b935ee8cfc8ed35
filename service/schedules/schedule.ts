/**
 * What a schedule is: a cron line of a deployment with the label that it starts, and how it deals with the past. The spec is part of a
 * version; the state is a row of the store, which outlives versions. Times are milliseconds since 1970.
 */
import type { JsonObject } from "../../compiler/json.ts";
import { exactResult } from "../../vm/inputs/exact-text.ts";
import type { FlowMembers } from "../jobs/flow/members.ts";

export const OVERLAPS = ["skip", "queue", "replace", "allow"] as const;
export const CATCH_UPS = ["none", "last", "all"] as const;

export type ScheduleSpec = {
  /** `program/label`, and `program/label/2` for a second one of the label. */
  readonly id: string;
  readonly cron: string;
  readonly tz: string;
  /** Written form of the label. */
  readonly label: string;
  readonly frame: JsonObject;
  /** Its JSON text, where that says more. */
  readonly frameText?: string;
  readonly jitterS: number;
  readonly overlap: (typeof OVERLAPS)[number];
  readonly catchUp: (typeof CATCH_UPS)[number];
  readonly catchUpWindowS: number;
  readonly from: number | null;
  readonly until: number | null;
  /** As it is deployed for the first time. */
  readonly paused: boolean;
  /** When its jobs begin. */
  readonly flow?: FlowMembers;
};

/** With its text. */
export function frameOf({ frame, frameText }: Pick<ScheduleSpec, "frame" | "frameText">): JsonObject {
  return exactResult({ result: frame, result_text: frameText }) as JsonObject;
}

/** A schedule as its store keeps it. */
export type Schedule = {
  readonly id: string;
  readonly program: string;
  readonly version: number;
  readonly spec: ScheduleSpec;
  /** The deployment is enabled. */
  readonly enabled: boolean;
  readonly paused: boolean;
  /** Why the service paused it by itself; null: it did not. */
  readonly pausedBecause: string | null;
  /** The next time was computed for this spec; otherwise it is the first one after `baseMs`. */
  readonly isPromised: boolean;
  /** null: it has no further time, or it is not computed. */
  readonly nextDueMs: number | null;
  /** With the jitter. */
  readonly nextAtMs: number | null;
  readonly baseMs: number;
  /** Due time of a job that waits for the end of another (`overlap: "queue"`). */
  readonly waitingMs: number | null;
  /** Changes with the spec. */
  readonly revision: number;
};

/** What came of a due time. */
type FireOutcome = "fired" | "waiting" | "skipped_overlap" | "missed" | "paused" | "refused";

export type Fire = {
  readonly dueMs: number;
  readonly outcome: FireOutcome;
  readonly jobId: string | null;
  readonly atMs: number;
  /** Error word, where it was refused or missed for a reason. */
  readonly error: string | null;
};

/** Times in a row at which nothing could run, after which a schedule pauses itself. */
export const MAX_REFUSALS = 5;
/** A time is late from here on. */
export const LATE_MS = 30_000;
/** Jobs that one schedule catches up at most. */
export const MAX_CAUGHT_UP = 100;
/** Rows about past times that are kept for a schedule. */
export const FIRES_KEPT = 1000;
