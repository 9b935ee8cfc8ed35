/** Waits of jobs as rows of a store, what ends them, and the events that report it: the same in every store. */
import { EVENT_PREFIX } from "../../../compiler/events.ts";
import type { WaitSpec } from "../../../vm/calls/wait-spec.ts";
import { noChoice } from "../../../vm/durable/approvals.ts";
import type { Parked, WokenBy, WokenWait } from "../../../vm/durable/records.ts";
import type { Job, JobEvent, JobStatus } from "../job.ts";
import { isDate, type JobWait, type Moment, signalResult, timeLeft } from "./waits.ts";

/** `job`: as its store names it. Times are milliseconds since 1970. */
export type WaitRow = {
  readonly id: string;
  readonly job: number | string;
  /** `date`: a timer by the clock of the wall. */
  readonly kind: WaitSpec["kind"] | "date";
  /** JSON of the names of signals, of the ids of jobs, or of the key and the members that an event is to have. */
  readonly names: string | null;
  /** Of signals; of a wait for people, the id of their question; of one for jobs, that of the job that began their family; of one for an event, `event:` and its name. */
  readonly key: string | null;
  readonly until_ms: number | null;
  /** JSON of the place of the call that waits. */
  readonly place: string;
  readonly began_ms: number;
  readonly ended_ms: number | null;
};

/** The columns `kind`, `names`, `key` and `until_ms`. `until`: where what is waited for may end before the wait. `root`: of the family of the job. */
export function waitColumns(
  spec: WaitSpec,
  until: number | null = spec.until,
  root: string | null = null,
): readonly (string | number | null)[] {
  const kind = isDate(spec) ? "date" : spec.kind;
  if (spec.kind === "job") return [kind, JSON.stringify(spec.jobs), root, until];
  if (spec.kind === "event")
    return [kind, JSON.stringify({ key: spec.key, match: spec.match }), `${EVENT_PREFIX}${spec.name}`, until];
  if (spec.kind === "signal") return [kind, JSON.stringify(spec.names), spec.key, until];
  return [kind, null, spec.kind === "approval" ? spec.approval : null, until];
}

export function specOf({ id, kind, names, key, until_ms, began_ms }: WaitRow): WaitSpec {
  if (kind === "date") return { kind: "timer", until: until_ms ?? 0 };
  if (kind === "timer") return { kind, until: until_ms ?? 0, span: (until_ms ?? 0) - began_ms };
  if (kind === "approval") return { kind, approval: key ?? "", until: until_ms };
  if (kind === "outcome") return { kind, of: Number(id.slice("outcome-".length)), until: null };
  if (kind === "event") {
    const asked = JSON.parse(names ?? "{}") as Pick<Extract<WaitSpec, { kind: "event" }>, "key" | "match">;
    return { kind, name: (key ?? "").slice(EVENT_PREFIX.length), ...asked, until: until_ms };
  }
  const named = names === null ? [] : (JSON.parse(names) as string[]);
  if (kind === "job") return { kind, jobs: named, until: until_ms };
  return { kind, names: named, key, until: until_ms };
}

/** Ids of the jobs that a wait is for. */
export function waitedJobs({ names }: Pick<WaitRow, "names">): readonly string[] {
  return names === null ? [] : (JSON.parse(names) as string[]);
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
export type Arrival = { readonly why: WokenBy } & Pick<WokenWait, "result" | "result_text">;

/** What the time brings to a wait; null: its time has not come. */
export function dueArrival(spec: WaitSpec, moment: Moment): Arrival | null {
  if (spec.until === null || timeLeft(spec, spec.until, moment) > 0) return null;
  if (spec.kind === "timer") return { why: "time", result: { at: new Date(spec.until).toISOString() } };
  if (spec.kind === "job") return { why: "expired", result: { id: null, status: null } };
  const result = spec.kind === "approval" ? noChoice(spec.approval, "expired", spec.until) : signalResult(null);
  return { why: "expired", result };
}

/** A job sleeps when it waits for times alone. */
export function parkedStatus(waits: readonly { readonly spec: WaitSpec }[]): JobStatus {
  return waits.every(({ spec }) => spec.kind === "timer") ? "sleeping" : "waiting";
}

type Wake = { readonly spec: WaitSpec; readonly until: number };

/** `job`: after it was parked; `wakes`: its times then. */
export type ParkAnswer = Parked & { readonly job?: Job; readonly wakes?: readonly Wake[] };

export function wakesOf(
  waits: readonly { readonly spec: WaitSpec }[],
  untils: readonly (number | null)[],
): readonly Wake[] {
  return waits.flatMap(({ spec }, at) => {
    const until = untils[at] ?? null;
    return until === null ? [] : [{ spec, until }];
  });
}

export function waitingEvent(wait: string, { kind, until: ends }: WaitSpec, until: number | null = ends): JobEvent {
  const shown = { wait, kind, until: until === null ? null : new Date(until).toISOString() };
  return { kind: "waiting", data: JSON.stringify(shown) };
}

export function wokenEvent(wait: string, why: WokenBy): JobEvent {
  return { kind: "woken", data: JSON.stringify({ wait, why }) };
}
