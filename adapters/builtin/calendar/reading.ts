/** Verbs that read: events within a window, one event, and when somebody is busy. */
import type { JsonObject } from "../../../compiler/json.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { zonesNamed } from "./changing.ts";
import { shownEvent } from "./events/event.ts";
import { type EventId, recurrenceKey } from "./events/event-id.ts";
import { type Component, textOf } from "./events/ical.ts";
import {
  endOf,
  exceptionsOf,
  isBadData,
  type Occurrence,
  occurrencesOf,
  type Reading,
  timesOf,
} from "./events/occurrences.ts";
import type { Window } from "./events/recurrence.ts";
import { DAY_MS, instantOf, isoTime, readTime, type Zone } from "./events/time.ts";
import type { Place, Places } from "./places.ts";
import type { Series } from "./series.ts";
import { callBudget, type StoredSeries, seriesNamed, seriesWithin } from "./server/objects.ts";
import { badEvents, type OnUnreadable, type UnreadableEvent, UnreadableEvents } from "./unreadable.ts";

const MAX_OCCURRENCES = 1_000;
/** Two years. */
const MAX_DAYS = 731;

export type Listing = {
  /** RFC 3339, or dates of the account's zone; `to` is not part of it. */
  readonly from: string;
  readonly to: string;
  /** Absent: all that there are. */
  readonly calendars: readonly string[] | undefined;
  readonly onUnreadable: OnUnreadable;
};

export async function listEvents(
  listing: Listing & { readonly limit: number; readonly expand: boolean },
  places: Places,
  ctx: VerbContext,
): Promise<readonly JsonObject[]> {
  const found: { readonly utc: number; readonly event: JsonObject }[] = [];
  const unreadable = new UnreadableEvents();
  for (const { place, window: asked } of await windowsOf(listing, places, ctx)) {
    if (listing.expand) refuseLong(asked);
    const all = await seriesWithin(place, asked, { budget: callBudget(), unreadable }, ctx);
    const window = windowIn(listing, localOf(place, all));
    const occurrences = listing.expand ? occurring(all, window, unreadable) : wholes(all, window, unreadable);
    for (const [one, { stored, series }] of occurrences)
      found.push({ utc: one.start.utc, event: shownEvent(one, stored, series.master) });
  }
  unreadable.report(listing.onUnreadable, ctx);
  found.sort((one, other) => one.utc - other.utc);
  return found.slice(0, listing.limit).map(({ event }) => event);
}

type Found = readonly [Occurrence, StoredSeries];

function occurring(all: readonly StoredSeries[], window: Window, unreadable: UnreadableEvents): readonly Found[] {
  let recurring = 0;
  const found: Found[] = [];
  for (const one of all)
    found.push(
      ...ifRead(one, unreadable, () => {
        const own: Found[] = [];
        for (const occurrence of readable(one, window, unreadable)) {
          if (occurrence.recurrence !== null) recurring += 1;
          if (recurring > MAX_OCCURRENCES)
            throw adapterError("ADAPTER_TOO_LARGE", `the events recur more than ${MAX_OCCURRENCES} times`);
          own.push([occurrence, one]);
        }
        return own;
      }),
    );
  return found;
}

/** Series that have an occurrence there, each once. */
function wholes(all: readonly StoredSeries[], window: Window, unreadable: UnreadableEvents): readonly Found[] {
  return all.flatMap((one) =>
    ifRead(one, unreadable, () => {
      const [first] = readable(one, window, unreadable);
      return first === undefined ? [] : [[wholeOf(one.series, one.reading) ?? first, one] as const];
    }),
  );
}

/** What touches the window, without exceptions that cannot be read. */
function readable(one: StoredSeries, window: Window, unreadable: UnreadableEvents): Generator<Occurrence> {
  const { series, reading } = one;
  return occurrencesOf(series, window, reading, (thrown) => unreadable.leaveOut(unreadableOf(one, thrown)));
}

/** What `read` gives; nothing when the event cannot be read. */
function ifRead(one: StoredSeries, unreadable: UnreadableEvents, read: () => readonly Found[]): readonly Found[] {
  try {
    const found = read();
    unreadable.countRead();
    if (found.length > 0) markZoneless(one, unreadable);
    return found;
  } catch (thrown) {
    if (!isBadData(thrown)) throw thrown;
    unreadable.leaveOut(unreadableOf(one, thrown));
    return [];
  }
}

function markZoneless(
  { series, reading, stored: { calendar, object } }: StoredSeries,
  unreadable: UnreadableEvents,
): void {
  const { master, exceptions } = series;
  const names = [...(master === null ? [] : [master]), ...exceptions].flatMap(zonesNamed);
  if (names.every((name) => reading.zones.get(name) !== null)) return;
  unreadable.markZoneless({ calendar, object, reason: "the event names a time zone that is not known" });
}

function unreadableOf({ stored: { calendar, object } }: StoredSeries, { message }: Error): UnreadableEvent {
  return { calendar, object, reason: message };
}

/** The event without its occurrences; null: only exceptions of it are known. */
export function wholeOf({ master }: Series, reading: Reading): Occurrence | null {
  if (master === null) return null;
  const { start, length } = timesOf(master, reading);
  return { component: master, recurrence: null, start, end: endOf(start, length) };
}

export async function getEvent(id: EventId, places: Places, ctx: VerbContext): Promise<JsonObject | null> {
  const place = await places.get(id.calendar, ctx);
  const found = await seriesNamed(place, id.object, callBudget(), ctx);
  if (found === null) return null;
  const occurrence = occurrenceNamed(found, id.recurrence);
  return occurrence === null ? null : shownEvent(occurrence, found.stored, found.series.master);
}

/**
 * What an id refers to: the whole event, or the occurrence that would have started then; null when it does not exist. Throws ADAPTER_BAD_DATA, with the
 * object in its data, when it cannot be read.
 */
export function occurrenceNamed(one: StoredSeries, key: string | null): Occurrence | null {
  try {
    return key === null ? wholeOf(one.series, one.reading) : occurrenceAt(one, key);
  } catch (thrown) {
    throw isBadData(thrown) ? badEvents([unreadableOf(one, thrown)]) : thrown;
  }
}

function occurrenceAt({ series, reading }: StoredSeries, key: string): Occurrence | null {
  const isMeant = ({ recurrence }: Pick<Occurrence, "recurrence">): boolean =>
    recurrence !== null && recurrenceKey(recurrence) === key;
  // Exceptions of other occurrences may be what they want.
  const onUnreadable = (thrown: Error, recurrence: Occurrence["recurrence"]): void => {
    if (recurrence === null || isMeant({ recurrence })) throw thrown;
  };
  const exception = exceptionsOf(series, reading, onUnreadable).find(isMeant);
  if (exception !== undefined) return exception;
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(key) ?? [];
  const utc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(utc)) return null;
  const around = { from: utc - DAY_MS, to: utc + 2 * DAY_MS };
  for (const one of occurrencesOf(series, around, reading, onUnreadable)) if (isMeant(one)) return one;
  return null;
}

export async function listCalendars(places: Places, ctx: VerbContext): Promise<readonly JsonObject[]> {
  return (await places.all(ctx)).map((place) => ({
    name: place.name,
    // The address of a feed may be all that keeps it secret.
    url: place.kind === "dav" ? place.collection.url.href : null,
    read_only: place.readOnly,
    time_zone: place.kind === "dav" ? place.zone.name : null,
  }));
}

export async function busyTimes(listing: Listing, places: Places, ctx: VerbContext): Promise<readonly JsonObject[]> {
  const busy: { start: number; end: number }[] = [];
  const unreadable = new UnreadableEvents();
  for (const { place, window: asked } of await windowsOf(listing, places, ctx)) {
    refuseLong(asked);
    const all = await seriesWithin(place, asked, { budget: callBudget(), unreadable }, ctx);
    const window = windowIn(listing, localOf(place, all));
    for (const [{ component, start, end }] of occurring(all, window, unreadable)) {
      if (!takesTime(component)) continue;
      busy.push({ start: Math.max(start.utc, window.from), end: Math.min(end.utc, window.to) });
    }
  }
  unreadable.report(listing.onUnreadable, ctx);
  return merged(busy.filter(({ start, end }) => end > start)).map(({ start, end }) => {
    return { start: isoTime(start), end: isoTime(end) };
  });
}

function takesTime(component: Component): boolean {
  return textOf(component, "transp") !== "TRANSPARENT" && textOf(component, "status") !== "CANCELLED";
}

type Span = { readonly start: number; readonly end: number };

function merged(spans: readonly Span[]): readonly Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

/** The calendars that are meant, each with the instants that are asked for. Throws ADAPTER_BAD_ARGS. */
async function windowsOf(
  { from, to, calendars }: Listing,
  places: Places,
  ctx: VerbContext,
): Promise<readonly { readonly place: Place; readonly window: Window }[]> {
  const asked = calendars === undefined ? undefined : [...new Set(calendars)];
  const chosen = asked === undefined ? await places.all(ctx) : await inTurn(asked, (name) => places.get(name, ctx));
  return chosen.map((place) => {
    const window = windowIn({ from, to }, place.zone);
    if (window.to > window.from) return { place, window };
    const data = { issues: [{ path: "/to", expected: "later than from", got: "another" }] };
    throw adapterError("ADAPTER_BAD_ARGS", "argument /to: expected later than from", { data });
  });
}

async function inTurn<T, R>(list: readonly T[], make: (one: T) => Promise<R>): Promise<readonly R[]> {
  const made: R[] = [];
  for (const one of list) made.push(await make(one));
  return made;
}

/** The zone of a feed is known when it is read. */
function localOf({ zone }: Place, all: readonly StoredSeries[]): Zone {
  return all[0]?.reading.local ?? zone;
}

function windowIn({ from, to }: Pick<Listing, "from" | "to">, zone: Zone): Window {
  return { from: instantIn(from, zone), to: instantIn(to, zone) };
}

function instantIn(text: string, zone: Zone): number {
  return text.includes("T") ? Date.parse(text) : instantOf(readTime(text).wall, zone);
}

function refuseLong({ from, to }: Window): void {
  if (to - from > MAX_DAYS * DAY_MS)
    throw adapterError("ADAPTER_TOO_LARGE", "occurrences are listed for at most two years");
}
