/** Events as stores and routes know them (docs/events.md). */
import type { Claim, Job, Submission } from "../jobs/job.ts";

/** How long the id of an event removes others like it, and how long events are shown. */
export const EVENT_KEPT_MS = 7 * 24 * 3_600_000;
/** Events that are shown, where the operator says nothing (WF_EVENTS_MAX). */
export const MOST_EVENTS = 100_000;
/** Jobs that one event starts. */
export const MAX_FAN_OUT = 1000;
/** Events whose time has not come, or that are being delivered. One more is refused. */
export const MAX_UNDELIVERED = 10_000;
/** Programs that one transaction starts jobs of. */
export const PROGRAMS_AT_ONCE = 20;

/** `due`: programs are being given their jobs, or its time has not come; `waking`: runs that wait for it are; `done`: all have it. */
export const EVENT_STATES = ["due", "waking", "done"] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** Times are milliseconds since 1970. */
export type StoredEvent = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly key: string | null;
  /** When it is delivered at the earliest. */
  readonly atMs: number;
  readonly createdMs: number;
  /** Events that caused it, one after the other. */
  readonly hops: number;
  /** Id of the job that emitted it. */
  readonly job: string | null;
  readonly state: EventState;
  /** Name of the last program that was given its job; empty: none was. */
  readonly after: string;
  /** Jobs that it started, runs that it woke, and programs for which something failed. */
  readonly started: number;
  readonly woken: number;
  readonly failed: number;
  /** Programs that it would have started besides, beyond MAX_FAN_OUT. */
  readonly cut: boolean;
};

export const START_OUTCOMES = ["started", "woken", "when_failed", "key_failed", "refused", "dropped"] as const;
/**
 * `woken`: a run that waited; `when_failed`, `key_failed`: the expression did; `refused`: no job could be queued; `dropped`: a rule of the program took
 * its place.
 */
export type StartOutcome = (typeof START_OUTCOMES)[number];

export type EventStart = {
  /** Empty: a run that waited. */
  readonly program: string;
  readonly version: number | null;
  /** Of the function. */
  readonly label: string;
  readonly outcome: StartOutcome;
  readonly job: string | null;
  readonly error: string | null;
  readonly atMs: number;
};

export type NewEvent = {
  readonly id: string;
  readonly name: string;
  readonly key: string | null;
  /** JSON. */
  readonly data: string;
  /** null: at once. */
  readonly atMs: number | null;
  /** The id was chosen so that another event with it is the same one. */
  readonly isGiven: boolean;
  /** Of a run: its claim, and how many events may cause each other. */
  readonly from: { readonly writer: Claim; readonly maxHops: number } | null;
  /** Events that are kept. */
  readonly mostKept: number;
};

export type Emitted =
  /** `isNew`: false: its id was there before. */
  | { readonly state: "kept"; readonly event: StoredEvent; readonly isNew: boolean }
  | { readonly state: "full" | "too_many_hops" }
  /** Another claim has the job, or it is about to end. */
  | { readonly state: "stale" };

/** What becomes of one function of one program. */
export type Starting = Pick<EventStart, "program" | "version" | "label" | "error"> & {
  readonly outcome: Exclude<StartOutcome, "started" | "woken" | "dropped"> | "start";
  /** Of one job, where it is to be started. */
  readonly submission: Submission | null;
};

export type Delivery = {
  readonly number: number;
  /** Where the deliveries of the event stood: another process may have gone on. */
  readonly after: string;
  /** By program, in their order. */
  readonly starts: readonly Starting[];
  /** Name of the last program that was looked at. */
  readonly next: string;
  /** No further program hears of it. */
  readonly isLast: boolean;
  readonly isCut: boolean;
  readonly maxQueued: number;
};

/** An event that is to be delivered now. `data`: JSON. */
export type DueEvent = StoredEvent & { readonly data: string };

export type EventListing = {
  readonly limit: number;
  /** Only events before this one; null: from the newest. */
  readonly before: number | null;
  readonly name: string | null;
};

/** A deployment whose current version has functions for an event. */
export type Subscriber = { readonly program: string; readonly version: number };

/** One of them, with the name of the event. */
export type Heard = Subscriber & { readonly name: string };

/** Methods reject with ServiceFault `store_unavailable` when the store cannot answer. */
export interface EventStore {
  emit(event: NewEvent): Promise<Emitted>;
  due(most: number): Promise<readonly DueEvent[]>;
  /** Milliseconds until the next one is due; null: none waits. */
  next(): Promise<number | null>;
  subscribers(name: string, after: string, most: number): Promise<readonly Subscriber[]>;
  /** All that programs hear of now. */
  names(most: number): Promise<readonly Heard[]>;
  /** Who hears now of events with these names, or of names with these patterns: the first of them, and how many there are. */
  heard(
    patterns: readonly string[],
    most: number,
  ): Promise<{ readonly found: readonly Heard[]; readonly total: number }>;
  /** Gives programs their jobs. */
  deliver(
    delivery: Delivery,
  ): Promise<{ readonly state: "done" | "full" | "lost"; readonly outcomes: readonly StartOutcome[] }>;
  /** Wakes runs that wait for an event which all programs have. Resolves with those runs. */
  wake(
    event: Pick<StoredEvent, "number" | "name">,
  ): Promise<{ readonly woken: readonly Job[]; readonly more: boolean }>;
  /** Newest first. */
  list(listing: EventListing): Promise<readonly StoredEvent[]>;
  find(
    id: string,
    most: number,
  ): Promise<{
    readonly event: StoredEvent;
    /** JSON; null: it is forgotten. */
    readonly data: string | null;
    readonly starts: readonly EventStart[];
  } | null>;
}
