/** Taking events in. An event that a run emits is kept with the claim of its job checked, so a call that is made again finds its event. */
import {
  type Emitted,
  EVENT_KEPT_MS,
  MAX_UNDELIVERED,
  type NewEvent,
  type StoredEvent,
} from "../../../events/event.ts";
import { packed } from "../../../jobs/durable/journal-rows.ts";
import type { Port } from "../../port.ts";
import { any, row, type Step, value } from "../../step.ts";
import { placeOf } from "../families/start.ts";
import { heldJob } from "../held-job.ts";

const COLUMNS = `number, id, name, key, at_ms AS "atMs", created_ms AS "createdMs", hops, job, state, after, started, woken, failed, cut`;
export const EVENTS = `SELECT ${COLUMNS} FROM weft.events`;
const ADD = `INSERT INTO weft.events (id, name, key, data, at_ms, created_ms, hops, job, given, state, after, started, woken, failed, cut, due_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'due', '', 0, 0, 0, false, $5) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`;
/** Ids that remove others like them take little room, and are kept next to the events themselves. */
const IDS_FOR_AN_EVENT = 10;

export type EventRow = Omit<StoredEvent, "cut"> & { readonly cut: boolean | number };

export function eventOf({ cut, ...event }: EventRow): StoredEvent {
  return { ...event, cut: Boolean(cut) };
}

export function* emitEvent(port: Port, asked: NewEvent): Step<Emitted> {
  const { id, name, key, data, atMs, isGiven, from, mostKept } = asked;
  let hops = 0;
  if (from !== null) {
    const held = yield* heldJob(port, from.writer);
    if (held === null) return { state: "stale" };
    const known = yield* eventById(id);
    if (known !== null) return { state: "kept", event: known, isNew: false };
    if (held.job.status === "cancelling") return { state: "stale" };
    hops = (yield* hopsOf(held.job.id)) + 1;
    if (hops > from.maxHops) return { state: "too_many_hops" };
  }
  const now = port.now();
  const before = yield* eventById(id);
  if (before !== null && (before.state !== "done" || before.atMs > now - EVENT_KEPT_MS))
    return { state: "kept", event: before, isNew: false };
  if (before !== null) yield* any("DELETE FROM weft.events WHERE id = $1 RETURNING id", id);
  if (yield* isFull(mostKept)) return { state: "full" };
  const added = yield* row<EventRow>(
    ADD,
    ...[id, name, key, packed(data), Math.max(atMs ?? now, now), now, hops, from?.writer.id ?? null, isGiven],
  );
  // Another process took it in meanwhile.
  const event = added === undefined ? yield* eventById(id) : eventOf(added);
  return event === null ? { state: "stale" } : { state: "kept", event, isNew: added !== undefined };
}

export function* eventById(id: string): Step<StoredEvent | null> {
  const found = yield* row<EventRow>(`${EVENTS} WHERE id = $1`, id);
  return found === undefined ? null : eventOf(found);
}

function* isFull(mostKept: number): Step<boolean> {
  const open = "SELECT 1 FROM weft.events WHERE due_ms IS NOT NULL LIMIT 1 OFFSET $1";
  if (yield* any(open, Math.min(mostKept, MAX_UNDELIVERED) - 1)) return true;
  const span = "SELECT max(number) - min(number) FROM weft.events";
  const width = (yield* value<number | null>(span)) ?? 0;
  if (width < mostKept * IDS_FOR_AN_EVENT) return false;
  // Numbers have gaps: only a wide span is counted.
  return yield* any("SELECT 1 FROM weft.events LIMIT 1 OFFSET $1", mostKept * IDS_FOR_AN_EVENT - 1);
}

/** Events that caused each other up to this job: those of the one that started it, or that it waited for, and of the jobs above it. */
function* hopsOf(id: string): Step<number> {
  const family = [id];
  for (let at = yield* placeOf(id); at.parent !== null; at = yield* placeOf(at.parent)) family.push(at.parent);
  return (yield* value<number | null>("SELECT max(hops) FROM weft.event_starts WHERE job = ANY ($1)", family)) ?? 0;
}
