/**
 * Where schedules live: in the store of the jobs. Firing is one transaction: the row of the due time, which is the fence, the job, and the
 * next time. Methods reject with ServiceFault `store_unavailable` when the store cannot answer.
 */
import type { Job, Submission } from "../jobs/job.ts";
import type { NextTime } from "./next-times.ts";
import type { Fire, Schedule } from "./schedule.ts";

/** What is to happen to a due time. The store decides about overlaps, with the jobs as they are. */
export type FireRequest = {
  readonly id: string;
  /** Of the schedule as it was read: a fire for another spec is not made. */
  readonly revision: number;
  readonly dueMs: number;
  /** `waiting`: the due time waited for the end of a job. `extra`: in addition to the due times, from a backfill or by hand. */
  readonly kind: "due" | "waiting" | "extra";
  readonly outcome: "fired" | "missed" | "paused" | "refused";
  /** Of the outcome. */
  readonly error: string | null;
  readonly atMs: number;
  /** With one job; null where none is queued. */
  readonly submission: Submission | null;
  /** Queued jobs that may wait. */
  readonly maxQueued: number;
  /** Promised from here on; null: it has no further time. */
  readonly next: NextTime | null;
};

/** `lost`: another replica was first, or the schedule changed. `pausedNow`: it paused itself, and the due time is `paused`. */
export type Fired =
  | { readonly state: "lost" }
  | {
      readonly state: "done";
      readonly outcome: Fire["outcome"];
      readonly error: string | null;
      readonly pausedNow: boolean;
      /** Jobs that this one replaces. */
      readonly replaced: readonly string[];
      /** Jobs that rules ended for this one. */
      readonly ended: readonly Job[];
      /** When rules have more to do, in milliseconds; null: that did not change. */
      readonly nextMs: number | null;
    };

/** So long before a schedule fires a process is woken, and waits for the moment by its own clock. */
export const ALARM_LEAD_MS = 1500;

/** Wakes one of the processes that share a store. A call may be late, or come without need. */
export interface ScheduleAlarm {
  /** For the schedules as they are now. `now`: by the clock of the schedules. */
  set(now: number): Promise<void>;
  /** `woken` is called again after a while when it rejects. `stop` resolves when a call that was made is over. */
  listen(woken: () => Promise<void>): { stop(): Promise<void> };
}

export type ScheduleListing = {
  readonly limit: number;
  readonly after: string | null;
  readonly program: string | null;
};

/** The first promise of a spec. */
export type SchedulePromise = { readonly id: string; readonly revision: number; readonly next: NextTime | null };

export interface ScheduleStore {
  /** null: every process looks by itself. */
  readonly alarm: ScheduleAlarm | null;
  list(listing: ScheduleListing): Promise<readonly Schedule[]>;
  find(id: string): Promise<Schedule | null>;
  /** Schedules whose next time is to be computed, or has come, or that have a job waiting. */
  due(now: number, limit: number): Promise<readonly Schedule[]>;
  /** The earliest time at which one fires; null: none will. */
  earliest(): Promise<number | null>;
  /** The first promise of a spec. False: it is another spec by now. */
  promise(id: string, revision: number, next: NextTime | null): Promise<boolean>;
  fire(request: FireRequest): Promise<Fired>;
  /** null: the schedule does not exist. */
  pause(id: string, paused: boolean): Promise<Schedule | null>;
  /** Newest first. */
  fires(id: string, limit: number): Promise<readonly Fire[]>;
  /** Schedules that paused themselves, as `id: reason`. */
  pausedThemselves(): Promise<readonly string[]>;
}
