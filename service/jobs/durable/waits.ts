/** What parked jobs wait for, and what wakes them, as stores and routes know it. */
import type { Json } from "../../../compiler/json.ts";
import type { WaitSpec } from "../../../vm/calls/wait-spec.ts";
import type { OutcomeDecision, WokenBy } from "../../../vm/durable/records.ts";
import type { Job } from "../job.ts";

/** A wait of a job. Times are milliseconds since 1970. `place`: of the call that waits. `branch`: absent outside of branches. */
export type JobWait = {
  readonly wait: string;
  readonly spec: WaitSpec;
  readonly place: { readonly label?: string; readonly node?: string; readonly branch?: string };
  readonly beganMs: number;
  /** null: it still waits. */
  readonly endedMs: number | null;
};

/** It waits for a date, which comes by the clock of the wall; spans go by that of the store. */
export function isDate(spec: WaitSpec): boolean {
  return spec.kind === "timer" && spec.span === undefined;
}

/** A moment by both clocks, in milliseconds since 1970: that of the store, and that of the wall. */
export type Moment = { readonly now: number; readonly wall: number };

/** Milliseconds until a time of the wait has come; below 0: it is past. */
export function timeLeft(spec: WaitSpec, until: number, { now, wall }: Moment): number {
  return until - (isDate(spec) ? wall : now);
}

/** When signals to a job expire: they end with it. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** A signal on its way. `target`: a job, or all that wait for the key; `data`: as JSON. */
export type NewSignal = {
  readonly id: string;
  readonly name: string;
  readonly target: { readonly job: string } | { readonly key: string };
  readonly data: string;
  readonly expiresMs: number;
};

export type SignalSent =
  /** `woken`: jobs that waited for it; `isNew`: the same id was not sent before. */
  | { readonly state: "kept"; readonly woken: readonly Job[]; readonly isNew: true }
  /** `over`: its job is over; `reads`: whether it was read there, as a number of jobs. */
  | {
      readonly state: "kept";
      readonly woken: readonly Job[];
      readonly isNew: false;
      readonly over: boolean;
      readonly reads: number;
    }
  | { readonly state: "no_job" }
  | { readonly state: "ended"; readonly job: Job }
  | { readonly state: "full" };

/** A key under which jobs wait for a signal. */
export type WaitedKey = { readonly key: string; readonly sinceMs: number };

/** What a person says of a call of unknown outcome. `of`: number of its intent. */
export type Decision = {
  readonly of: number;
  readonly decision: OutcomeDecision;
  readonly by: string | null;
  readonly result: Json;
};

export type Woken = { readonly job: Job; readonly why: WokenBy; readonly lagMs: number };

/** What a wait for a signal answers. */
export function signalResult(
  signal: { readonly id: string; readonly name: string; readonly data: Json; readonly atMs: number } | null,
): Json {
  if (signal === null) return { received: false, name: null, data: null, id: null, at: null };
  const { id, name, data, atMs } = signal;
  return { received: true, name, data, id, at: new Date(atMs).toISOString() };
}

/** Signals of one job that are unread. */
export const MAX_SIGNALS = 1000;
