/** What is asked about events, and what becomes of old ones. */
import {
  type DueEvent,
  EVENT_KEPT_MS,
  type EventListing,
  type EventStart,
  type Heard,
  type StoredEvent,
  type Subscriber,
} from "../../../events/event.ts";
import { unpacked } from "../../../jobs/durable/journal-rows.ts";
import type { Port } from "../../port.ts";
import { row, rows, run, type Step, value } from "../../step.ts";
import { EVENTS, type EventRow, eventById, eventOf } from "./emit.ts";

type Found = { readonly event: StoredEvent; readonly data: string | null; readonly starts: readonly EventStart[] };

/** Those that are to be delivered, or whose runs are to be woken. */
export function* dueEvents(port: Port, most: number): Step<readonly DueEvent[]> {
  const found = yield* rows<EventRow & { readonly data: Uint8Array }>(
    `${EVENTS.replace(" FROM", ", data FROM")} WHERE due_ms <= $1 ORDER BY due_ms, number LIMIT $2`,
    port.now(),
    most,
  );
  return found.map(({ data, ...event }) => ({ ...eventOf(event), data: unpacked(data) }));
}

/** Milliseconds until the next one; null: none waits. */
export function* nextEvent(port: Port, _input: null): Step<number | null> {
  const due = (yield* value<number | null>("SELECT min(due_ms) FROM weft.events WHERE due_ms IS NOT NULL")) ?? null;
  return due === null ? null : Math.max(0, due - port.now());
}

const HEARD = `FROM weft.event_subscriptions s
  JOIN weft.deployments d ON d.name = s.program AND d.version = s.version AND d.enabled`;

/** Deployments that hear of events of this name, in their order. */
export function* eventSubscribers(
  _: Port,
  { name, after, most }: { readonly name: string; readonly after: string; readonly most: number },
): Step<readonly Subscriber[]> {
  return yield* rows<Subscriber>(
    `SELECT s.program, s.version ${HEARD} WHERE s.name = $1 AND s.program > $2 ORDER BY s.program LIMIT $3`,
    ...[name, after, most],
  );
}

/** Names of events that any deployment hears of now, each with those deployments. */
export function* eventNames(_: Port, most: number): Step<readonly Heard[]> {
  return yield* rows(`SELECT s.name, s.program, s.version ${HEARD} ORDER BY s.name, s.program LIMIT $1`, most);
}

/** The same of names that the patterns admit, with how many there are. Beginnings of one length are compared together: at most as many as a name has characters. */
export function* heardEvents(
  _: Port,
  { patterns, most }: { readonly patterns: readonly string[]; readonly most: number },
): Step<{ readonly found: readonly Heard[]; readonly total: number }> {
  const beginnings = new Map<number, string[]>();
  for (const pattern of patterns) {
    if (!pattern.endsWith("*")) continue;
    const beginning = pattern.slice(0, -1);
    const same = beginnings.get(beginning.length);
    if (same === undefined) beginnings.set(beginning.length, [beginning]);
    else same.push(beginning);
  }
  const names = patterns.filter((pattern) => !pattern.endsWith("*"));
  const begins = [...beginnings.keys()].map((length, at) => `substr(s.name, 1, ${length}) = ANY ($${at + 2})`);
  const heard = `${HEARD} WHERE (${["s.name = ANY ($1)", ...begins].join(" OR ")})`;
  const values = [names, ...beginnings.values()];
  const total = (yield* value<number>(`SELECT count(*) ${heard}`, ...values)) ?? 0;
  const page = `SELECT s.name, s.program, s.version ${heard} ORDER BY s.program, s.name LIMIT $${values.length + 1}`;
  return { found: yield* rows<Heard>(page, ...values, most), total };
}

export function* listEvents(_: Port, { limit, before, name }: EventListing): Step<readonly StoredEvent[]> {
  const found = yield* rows<EventRow>(
    `${EVENTS} WHERE data IS NOT NULL AND ($1::bigint IS NULL OR number < $1) AND ($2::text IS NULL OR name = $2)
     ORDER BY number DESC LIMIT $3`,
    ...[before, name, limit],
  );
  return found.map(eventOf);
}

export function* findEvent(_: Port, { id, most }: { readonly id: string; readonly most: number }): Step<Found | null> {
  const event = yield* eventById(id);
  if (event === null) return null;
  const starts = yield* rows<EventStart>(
    `SELECT program, version, label, outcome, job, error, at_ms AS "atMs" FROM weft.event_starts WHERE event = $1
     ORDER BY program, label LIMIT $2`,
    ...[event.number, most],
  );
  const kept = yield* row<{ readonly data: Uint8Array | null }>(
    "SELECT data FROM weft.events WHERE number = $1",
    event.number,
  );
  return { event, data: kept?.data == null ? null : unpacked(kept.data), starts };
}

/**
 * Events that are over are kept for EVENT_KEPT_MS, and no more than `mostKept` of them. The id of one that was chosen is kept for the whole time. What
 * started a job is kept as long as the job: it says how many events caused each other.
 */
export function* forgetEvents(port: Port, mostKept: number): Step<void> {
  const before = port.now() - EVENT_KEPT_MS;
  yield* run("DELETE FROM weft.events WHERE due_ms IS NULL AND at_ms <= $1", before);
  const oldest = yield* value<number>(
    "SELECT number FROM weft.events WHERE data IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET $1",
    mostKept,
  );
  if (oldest !== undefined) {
    yield* run("DELETE FROM weft.events WHERE due_ms IS NULL AND number <= $1 AND NOT given", oldest);
    yield* run("UPDATE weft.events SET data = NULL WHERE due_ms IS NULL AND number <= $1 AND data IS NOT NULL", oldest);
  }
  yield* run(
    `DELETE FROM weft.event_starts WHERE NOT EXISTS (SELECT 1 FROM weft.events e WHERE e.number = event_starts.event)
     AND (job IS NULL OR NOT EXISTS (SELECT 1 FROM weft.jobs j WHERE j.id = event_starts.job))`,
  );
  yield* run(
    `DELETE FROM weft.event_subscriptions WHERE NOT EXISTS
       (SELECT 1 FROM weft.deployment_versions v WHERE v.name = event_subscriptions.program AND v.version = event_subscriptions.version)`,
  );
}
