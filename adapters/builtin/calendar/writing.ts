/**
 * Verbs that write. What settings forbid comes first; then the state on the server is read, changed and written back on the condition that
 * it is still the same. What is the case already is not written again, so that a call can be repeated when its answer was lost.
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import {
  badEvent,
  changed,
  type EventChange,
  startProperty,
  timeProperty,
  type Writing,
  zonesNamed,
} from "./changing.ts";
import { type Stored, shownEvent } from "./events/event.ts";
import type { EventId } from "./events/event-id.ts";
import { type Component, componentsOf, type Property, propertyOf, replaced, textOf } from "./events/ical.ts";
import { endOf, type Occurrence, type Reading, recurs, timesOf } from "./events/occurrences.ts";
import { jcalTime, type Moment, momentLike, UTC } from "./events/time.ts";
import { vtimezone, zonesOf } from "./events/vtimezone.ts";
import type { DavPlace, Places } from "./places.ts";
import { occurrenceNamed, wholeOf } from "./reading.ts";
import {
  callBudget,
  deleteObject,
  matching,
  newObjectUrl,
  putObject,
  type StoredSeries,
  seriesNamed,
} from "./server/objects.ts";
import { badEvents } from "./unreadable.ts";
import { zoneCalled } from "./zone-names.ts";

const EMPTY: Component = [
  "vcalendar",
  [
    ["version", {}, "text", "2.0"],
    ["prodid", {}, "text", "-//weft//calendar//EN"],
  ],
  [],
];
const STAMPS = ["dtstamp", "last-modified", "sequence"] as const;

export type Creation = {
  readonly change: EventChange;
  readonly calendar: string | undefined;
  readonly notify: boolean;
};

export async function createEvent({ change, calendar, notify }: Creation, places: Places, ctx: VerbContext) {
  const place = await places.writable(calendar, ctx);
  const uid = createHash("sha256").update(`calendar.create\n${ctx.idempotencyKey}`, "utf8").digest("hex").slice(0, 32);
  const budget = callBudget();
  const reading = { zones: zonesOf(EMPTY, budget), local: place.zone, budget };
  const blank: Component = ["vevent", [["uid", {}, "text", uid], ...stamps(null, ctx)], []];
  const event = await changed(blank, change, { reading, organizer: organizerOf(place), notify });
  const written = withZones([EMPTY[0], EMPTY[1], [event]], reading);
  const url = newObjectUrl(place, uid);
  const stored = { calendar: place.name, object: uid, etag: null, url: url.href };
  const shown = shownEvent(occurrenceIn(event, null, reading), stored, event);
  try {
    const etag = await putObject(place, url, written, { "if-none-match": "*" }, ctx);
    // Without a tag the server may have changed the event as it stored it.
    return etag === null ? ((await storedNow(place, uid, ctx)) ?? shown) : { ...shown, etag };
  } catch (thrown) {
    if (!isTaken(thrown)) throw thrown;
    const there = await storedNow(place, uid, ctx);
    if (there !== null && isSame(there, shown)) return there;
    throw adapterError("ADAPTER_CONFLICT", "another event was created under this key");
  }
}

/** Something lies there already. */
function isTaken(thrown: unknown): boolean {
  const facts = thrown instanceof AdapterError ? thrown.data : null;
  return typeof facts === "object" && facts !== null && "status" in facts && facts.status === 412;
}

async function storedNow(place: DavPlace, object: string, ctx: VerbContext): Promise<JsonObject | null> {
  const found = await seriesNamed(place, object, callBudget(), ctx);
  const whole = found === null ? null : wholeOf(found.series, found.reading);
  return found === null || whole === null ? null : shownEvent(whole, found.stored, found.series.master);
}

/** Whether programs see the same event; its tag and address are the server's. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const own = { etag: null, url: null };
  return canonicalJson({ ...one, ...own }) === canonicalJson({ ...other, ...own });
}

export type Update = {
  readonly id: EventId;
  readonly change: EventChange;
  /** The state that is to be changed; absent: whatever is there. */
  readonly etag: string | undefined;
  readonly scope: "all" | "this";
};

export async function updateEvent({ id, change, etag, scope }: Update, places: Places, ctx: VerbContext) {
  const place = await places.writable(id.calendar, ctx);
  refuseImpossible(id, change, scope);
  const key = scope === "this" ? id.recurrence : null;
  const found = await seriesNamed(place, id.object, callBudget(), ctx);
  const before = found === null ? null : occurrenceNamed(found, key);
  if (found === null || before === null) throw adapterError("ADAPTER_NOT_FOUND", "unknown event");
  refuseIncomplete(found);
  const { stored, series, reading, calendar } = found;
  const writing: Writing = { reading, organizer: organizerOf(place), notify: false };
  const next = await changed(key === null ? before.component : alone(before), change, writing);
  const after = occurrenceIn(next, before.recurrence, reading);
  const master = key === null ? next : series.master;
  const shown = shownEvent(after, stored, master);
  if (isSame(shown, shownEvent(before, stored, series.master))) return shown;
  refuseStale(etag, stored);
  const stamped = replaced(next, STAMPS, stamps(next, ctx));
  const written = withZones(withEvent(calendar, before.component, stamped), reading);
  const tag = await putObject(place, addressOf(place, stored), written, matching(etag ?? stored.etag), ctx);
  return { ...shown, etag: tag ?? (await seriesNamed(place, id.object, callBudget(), ctx))?.stored.etag ?? null };
}

function refuseImpossible({ recurrence }: EventId, { start, end, rrule }: EventChange, scope: "all" | "this"): void {
  if (scope === "this" && recurrence === null) throw badEvent("scope", "all, or the id of one occurrence");
  if (scope === "this" && rrule !== undefined) throw badEvent("patch/rrule", "no rule for one occurrence");
  const moves = start !== undefined || end !== undefined;
  if (scope === "all" && recurrence !== null && moves) throw badEvent("patch/start", "the id of the event to move all");
}

/** The tag is known, so a state that has passed needs no request. */
function refuseStale(etag: string | undefined, stored: Stored): void {
  if (etag !== undefined && stored.etag !== null && etag !== stored.etag)
    throw adapterError("ADAPTER_CONFLICT", "the event has changed on the server", { data: { etag: stored.etag } });
}

/** What could not be read would be lost. */
function refuseIncomplete({ incomplete, stored: { calendar, object } }: StoredSeries): void {
  if (!incomplete) return;
  const reason = "the event has lines that cannot be read, so it cannot be written back";
  throw badEvents([{ calendar, object, reason }]);
}

/** One occurrence as a component of its own. */
function alone({ component, recurrence, start, end }: Occurrence): Component {
  if (recurrence === null || propertyOf(component, "recurrence-id") !== null) return component;
  const times = [startProperty(start), timeProperty("dtend", end), timeProperty("recurrence-id", recurrence)];
  return replaced(component, ["rrule", "rdate", "exdate", "dtstart", "dtend", "duration", "recurrence-id"], times);
}

function occurrenceIn(component: Component, recurrence: Moment | null, reading: Reading): Occurrence {
  const { start, length } = timesOf(component, reading);
  return { component, recurrence, start, end: endOf(start, length) };
}

/** Replaces `before` by `next`, or adds `next` when it is an exception of it. */
function withEvent([name, properties, inside]: Component, before: Component, next: Component): Component {
  const isNew = propertyOf(next, "recurrence-id") !== null && propertyOf(before, "recurrence-id") === null;
  const events = isNew ? [...inside, next] : inside.map((one) => (one === before ? next : one));
  return [name, properties, events];
}

export async function deleteEvent(
  { id, etag }: { readonly id: EventId; readonly etag: string | undefined },
  places: Places,
  ctx: VerbContext,
): Promise<JsonObject> {
  const place = await places.writable(id.calendar, ctx);
  const found = await seriesNamed(place, id.object, callBudget(), ctx);
  const occurrence = found === null ? null : occurrenceNamed(found, id.recurrence);
  if (found === null || (occurrence === null && id.recurrence !== null)) return { deleted: false };
  refuseStale(etag, found.stored);
  const stored = { ...found.stored, etag: etag ?? found.stored.etag };
  const recurrence = occurrence?.recurrence ?? null;
  const left = recurrence === null || occurrence === null ? null : without(found, occurrence, recurrence, ctx);
  if (left === null) return { deleted: await deleteObject(place, stored, ctx) };
  refuseIncomplete(found);
  await putObject(place, addressOf(place, stored), left, matching(stored.etag), ctx);
  return { deleted: true };
}

/** The calendar with one occurrence excluded; null: nothing would be left. */
function without(
  { calendar: [name, properties, inside], series: { master } }: StoredSeries,
  { component }: Occurrence,
  recurrence: Moment,
  ctx: VerbContext,
): Component | null {
  const kept = inside.filter((one) => one === master || one !== component);
  if (!kept.some(([kind]) => kind === "vevent")) return null;
  const excluding = (event: Component): Component => {
    const [kind, own, parts] = replaced(event, STAMPS, stamps(event, ctx));
    return [kind, [...own, timeProperty("exdate", recurrence)], parts];
  };
  return [name, properties, kept.map((one) => (one === master && recurs(one) ? excluding(one) : one))];
}

/** When it was written, and how often before. */
function stamps(event: Component | null, ctx: VerbContext): readonly Property[] {
  const now = momentLike(ctx.now(), { wall: 0, utc: 0, allDay: false, floating: false, zone: UTC });
  const at = `${jcalTime(now.wall, false)}Z`;
  const sequence = event === null ? 0 : Number(propertyOf(event, "sequence")?.[3] ?? 0) + 1;
  return [
    ["dtstamp", {}, "date-time", at],
    ["last-modified", {}, "date-time", at],
    ["sequence", {}, "integer", Number.isSafeInteger(sequence) ? sequence : 1],
  ];
}

/** With the rules of all zones that its events name. */
function withZones(calendar: Component, reading: Reading): Component {
  const [name, properties, inside] = calendar;
  const known = componentsOf(calendar, "vtimezone").map((one) => textOf(one, "tzid"));
  const missing: Component[] = [];
  for (const event of componentsOf(calendar, "vevent")) {
    for (const named of zonesNamed(event)) {
      const zone = known.includes(named) ? null : zoneCalled(named);
      if (zone === null) continue;
      known.push(named);
      missing.push(vtimezone({ ...zone, name: named }, timesOf(event, reading).start.utc));
    }
  }
  return [name, properties, [...missing, ...inside]];
}

function organizerOf({ config: { organizer, user } }: DavPlace): string | null {
  return organizer ?? (user?.includes("@") ? user : null);
}

function addressOf({ server, collection }: DavPlace, { url }: Stored): URL {
  return server.linked(url ?? "", collection.url);
}
