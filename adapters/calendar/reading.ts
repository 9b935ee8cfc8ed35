/** Verbs that read: events within a window, one event, and when somebody is busy. */
import type { JsonObject } from "../../compiler/json.ts";
import type { VerbContext } from "../define.ts";
import { adapterError } from "../errors.ts";
import { shownEvent } from "./event.ts";
import { type EventId, recurrenceKey } from "./event-id.ts";
import { type Component, textOf } from "./ical.ts";
import { callBudget, type StoredSeries, seriesNamed, seriesWithin } from "./objects.ts";
import {
  endOf,
  exceptionsOf,
  type Occurrence,
  occurrencesOf,
  type Reading,
  type Series,
  timesOf,
} from "./occurrences.ts";
import type { Place, Places } from "./places.ts";
import type { Window } from "./recurrence.ts";
import { DAY_MS, instantOf, isoTime, readTime, type Zone } from "./time.ts";

const MOST_OCCURRENCES = 1_000;
/** Two years. */
const LONGEST_DAYS = 731;

export type Listing = {
  /** RFC 3339, or dates of the account's zone; `to` is not part of it. */
  readonly from: string;
  readonly to: string;
  /** Absent: all that there are. */
  readonly calendars: readonly string[] | undefined;
};

export async function listEvents(
  listing: Listing & { readonly limit: number; readonly expand: boolean },
  places: Places,
  ctx: VerbContext,
): Promise<readonly JsonObject[]> {
  const found: { readonly utc: number; readonly event: JsonObject }[] = [];
  for (const { place, window } of await windowsOf(listing, places, ctx)) {
    if (listing.expand) refuseLong(window);
    const all = await seriesWithin(place, window, callBudget(), ctx);
    const occurrences = listing.expand ? occurring(all, window) : wholes(all, window);
    for (const [one, { stored, series }] of occurrences)
      found.push({ utc: one.start.utc, event: shownEvent(one, stored, series.master) });
  }
  found.sort((one, other) => one.utc - other.utc);
  return found.slice(0, listing.limit).map(({ event }) => event);
}

type Found = readonly [Occurrence, StoredSeries];

function* occurring(all: readonly StoredSeries[], window: Window): Generator<Found> {
  let recurring = 0;
  for (const one of all) {
    for (const occurrence of occurrencesOf(one.series, window, one.reading)) {
      if (occurrence.recurrence !== null) recurring += 1;
      if (recurring > MOST_OCCURRENCES)
        throw adapterError("ADAPTER_TOO_LARGE", `the events recur more than ${MOST_OCCURRENCES} times`);
      yield [occurrence, one];
    }
  }
}

/** Series that have an occurrence there, each once. */
function* wholes(all: readonly StoredSeries[], window: Window): Generator<Found> {
  for (const one of all) {
    const [first] = occurrencesOf(one.series, window, one.reading);
    if (first !== undefined) yield [wholeOf(one.series, one.reading) ?? first, one];
  }
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

/** What an id means: the whole, or the occurrence that would have started then; null: there is none. */
export function occurrenceNamed({ series, reading }: StoredSeries, key: string | null): Occurrence | null {
  if (key === null) return wholeOf(series, reading);
  const isMeant = ({ recurrence }: Occurrence): boolean => recurrence !== null && recurrenceKey(recurrence) === key;
  const exception = exceptionsOf(series, reading).find(isMeant);
  if (exception !== undefined) return exception;
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(key) ?? [];
  const utc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(utc)) return null;
  const around = { from: utc - DAY_MS, to: utc + 2 * DAY_MS };
  for (const one of occurrencesOf(series, around, reading)) if (isMeant(one)) return one;
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
  for (const { place, window } of await windowsOf(listing, places, ctx)) {
    refuseLong(window);
    const all = await seriesWithin(place, window, callBudget(), ctx);
    for (const [{ component, start, end }] of occurring(all, window)) {
      if (!takesTime(component)) continue;
      busy.push({ start: Math.max(start.utc, window.from), end: Math.min(end.utc, window.to) });
    }
  }
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
    const window = { from: instantIn(from, place.zone), to: instantIn(to, place.zone) };
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

function instantIn(text: string, zone: Zone): number {
  return text.includes("T") ? Date.parse(text) : instantOf(readTime(text).wall, zone);
}

function refuseLong({ from, to }: Window): void {
  if (to - from > LONGEST_DAYS * DAY_MS)
    throw adapterError("ADAPTER_TOO_LARGE", "occurrences are listed for at most two years");
}
