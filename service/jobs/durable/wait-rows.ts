/** Waits of jobs as rows of a store, what ends them, and the events that report it: the same in every store. */
import type { Json } from "../../../compiler/json.ts";
import type { WaitSpec, WokenBy } from "../../../vm/durable/records.ts";
import type { JobEvent } from "../job.ts";
import { type JobWait, signalResult } from "./waits.ts";

/** `job`: as its store names it. Times are milliseconds since 1970. */
export type WaitRow = {
  readonly id: string;
  readonly job: number | string;
  readonly kind: WaitSpec["kind"];
  /** JSON of the names of signals. */
  readonly names: string | null;
  readonly key: string | null;
  readonly until_ms: number | null;
  /** JSON of the place of the call that waits. */
  readonly place: string;
  readonly began_ms: number;
  readonly ended_ms: number | null;
};

/** The columns `kind`, `names`, `key` and `until_ms`. */
export function waitColumns(spec: WaitSpec): readonly (string | number | null)[] {
  const isSignal = spec.kind === "signal";
  return [spec.kind, isSignal ? JSON.stringify(spec.names) : null, isSignal ? spec.key : null, spec.until];
}

export function specOf({ id, kind, names, key, until_ms }: WaitRow): WaitSpec {
  if (kind === "timer") return { kind, until: until_ms ?? 0 };
  if (kind === "outcome") return { kind, of: Number(id.slice("outcome-".length)), until: null };
  return { kind, names: names === null ? [] : (JSON.parse(names) as string[]), key, until: until_ms };
}

/** The name of the wait for a person who knows whether the call of the intent `of` happened. */
export function outcomeWait(of: number): string {
  return `outcome-${of}`;
}

export function jobWaitOf(row: WaitRow): JobWait {
  const place = JSON.parse(row.place) as JobWait["place"];
  return { wait: row.id, spec: specOf(row), place, beganMs: row.began_ms, endedMs: row.ended_ms };
}

/** What ends a wait. */
export type Arrival = { readonly why: WokenBy; readonly result: Json };

/** What the time brings to a wait; null: its time has not come. */
export function dueArrival(spec: WaitSpec, now: number): Arrival | null {
  if (spec.until === null || spec.until > now) return null;
  if (spec.kind === "timer") return { why: "time", result: { at: new Date(spec.until).toISOString() } };
  return { why: "expired", result: signalResult(null) };
}

export function waitingEvent(wait: string, { kind, until }: WaitSpec): JobEvent {
  const shown = { wait, kind, until: until === null ? null : new Date(until).toISOString() };
  return { kind: "waiting", data: JSON.stringify(shown) };
}

export function wokenEvent(wait: string, why: WokenBy): JobEvent {
  return { kind: "woken", data: JSON.stringify({ wait, why }) };
}
