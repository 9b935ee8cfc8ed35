/** What calendars hold: one object for each event with its exceptions on a server, all events in one in a feed. */

import { PARSED_IN_PLACE_BYTES } from "../../../content/document-parsers.ts";
import { orNull } from "../../../content/or-null.ts";
import type { VerbContext } from "../../../definition/define.ts";
import { adapterError } from "../../../errors.ts";
import type { Stored } from "../events/event.ts";
import { type Component, calendarText, parseCalendars, textOf as propertyText } from "../events/ical.ts";
import type { Reading } from "../events/occurrences.ts";
import { Budget, type Window } from "../events/recurrence.ts";
import type { Zone } from "../events/time.ts";
import { type Zones, zonesOf } from "../events/vtimezone.ts";
import { linesIn } from "../lines.ts";
import type { DavPlace, FeedPlace, Place } from "../places.ts";
import { nameOf, type Series, seriesIn } from "../series.ts";
import { badEvents, type UnreadableEvent, UnreadableEvents } from "../unreadable.ts";
import { MAX_BYTES, refusal, textOf } from "./dav.ts";
import { eventsQuery, type Resource } from "./dav-xml.ts";

/** What one call may spend on the rules of a calendar; some tenths of a second. */
const STEPS = 100_000;
const SUFFIX = ".ics";

export function callBudget(): Budget {
  return new Budget(STEPS);
}

/** A calendar object with where it lies. In a feed every event is an object of its own. */
type StoredObject = { readonly calendar: Component; readonly stored: Stored };
export type StoredSeries = StoredObject & {
  readonly series: Series;
  readonly reading: Reading;
  /** Something of the object could not be read, so it cannot be written back. */
  readonly incomplete: boolean;
};

/** What a call spends, and what it finds that cannot be read. */
export type Reader = { readonly budget: Budget; readonly unreadable: UnreadableEvents };

/** The series that may touch a window. Rejects with ADAPTER_FAILED when the server gives only some of them. */
export async function seriesWithin(
  place: Place,
  window: Window,
  reader: Reader,
  ctx: VerbContext,
): Promise<readonly StoredSeries[]> {
  if (place.kind === "feed") return feedSeries(place, reader, ctx);
  const { server, collection } = place;
  const query = { depth: "1", body: eventsQuery(window) } as const;
  const { resources, lossy } = await server.report("REPORT", collection.url, query, ctx);
  refusePartial(resources, place);
  // Others are gone since.
  const there = resources.filter(({ failed }) => failed !== 404);
  const objects = there.map(({ href, event: { text, etag } }): ObjectText => {
    const url = server.linked(href, collection.url);
    return { text, lossy, stored: { calendar: place.name, object: objectName(url), etag, url: url.href } };
  });
  return seriesOf(objects, place, reader, ctx);
}

function refusePartial(resources: readonly Resource[], { server, collection }: DavPlace): void {
  const failed = resources.filter(({ failed }) => failed !== null && failed !== 404);
  if (failed.length === 0) return;
  const failures = failed.slice(0, 100).map(({ href, failed: status }) => {
    return { object: objectName(server.linked(href, collection.url)), status };
  });
  throw adapterError("ADAPTER_FAILED", "the calendar server gives only some of the events", { data: { failures } });
}

async function feedSeries(place: FeedPlace, reader: Reader, ctx: VerbContext): Promise<readonly StoredSeries[]> {
  const headers = { accept: "text/calendar" };
  const response = await place.scope.request({ method: "GET", url: place.url, headers, signal: ctx.signal });
  if (response.status !== 200) throw refusal(response, ctx.now());
  // The address of a feed may be all that keeps it secret.
  const stored = { calendar: place.name, object: "", etag: null, url: null };
  const found = await seriesOf([{ ...textOf(response), stored }], place, reader, ctx);
  return found.map((one) => ({ ...one, stored: { ...stored, object: one.series.key } }));
}

type ObjectText = { readonly text: string; readonly lossy: boolean; readonly stored: Stored };

/** Rejects with ADAPTER_BAD_DATA when none of the objects is a calendar. */
async function seriesOf(
  objects: readonly ObjectText[],
  place: Place,
  { budget, unreadable }: Reader,
  { host, signal }: VerbContext,
): Promise<readonly StoredSeries[]> {
  for (const { text } of objects) budget.spendLines(linesIn(text));
  const texts = objects.map(({ text, lossy, stored: { object } }) => ({ text, lossy, object }));
  // Together: many small ones take as long as a large one.
  const size = texts.reduce((sum, { text }) => sum + text.length, 0);
  const documents =
    size <= PARSED_IN_PLACE_BYTES
      ? await parseCalendars(texts)
      : await host.parsers.parse("calendars", [texts], signal);
  const found: StoredSeries[] = [];
  const broken: UnreadableEvent[] = [];
  for (const [at, document] of documents.entries()) {
    const stored = objects[at]?.stored;
    if (stored === undefined) continue;
    const { calendar, object } = stored;
    if (document.calendar === null) {
      broken.push({ calendar, object, reason: document.reason });
      continue;
    }
    for (const { event, reason } of document.unreadable)
      unreadable.leaveOut({ calendar, object: object === "" ? nameOf(event) : object, reason });
    const zones = zonesOf(document.calendar, budget);
    const reading = { zones, local: localZone(place, document.calendar, zones), budget };
    const { incomplete } = document;
    for (const series of seriesIn(document.calendar))
      found.push({ calendar: document.calendar, stored, series, reading, incomplete });
  }
  const [first] = broken;
  if (first !== undefined && broken.length === documents.length)
    throw place.kind === "feed" ? adapterError("ADAPTER_BAD_DATA", first.reason) : badEvents(broken);
  for (const one of broken) unreadable.leaveOut(one);
  const isEmpty = found.length === 0 && documents.every((one) => one.calendar !== null && one.unreadable.length === 0);
  if (isEmpty && objects.some(({ lossy }) => lossy))
    throw adapterError("ADAPTER_ENCODING", "the answer of the calendar server is not text of its charset");
  return found;
}

/** Where dates and times without a zone hold. A feed says it itself, in a property that the standard does not have and most programs write. */
function localZone({ kind, zone }: Place, calendar: Component, zones: Zones): Zone {
  const own = kind === "feed" ? propertyText(calendar, "x-wr-timezone") : null;
  return (own === null ? null : zones.get(own)) ?? zone;
}

/** One series by the name of its object; null when it does not exist. Rejects with ADAPTER_BAD_DATA when it cannot be read. */
export async function seriesNamed(
  place: Place,
  object: string,
  budget: Budget,
  ctx: VerbContext,
): Promise<StoredSeries | null> {
  const unreadable = new UnreadableEvents();
  if (place.kind === "feed") {
    const all = await feedSeries(place, { budget, unreadable }, ctx);
    const found = all.find(({ series }) => series.key === object);
    if (found === undefined) unreadable.refuse(object);
    return found ?? null;
  }
  // Servers tell names with and without the suffix, whatever they were given.
  for (const name of [`${object}${SUFFIX}`, object]) {
    const url = objectUrl(place, name);
    const response = await orNull(place.server.ask("GET", url, { headers: { accept: "text/calendar" } }, ctx));
    if (response === null) continue;
    const etag = response.headers.get("etag")?.[0] ?? null;
    const stored = { calendar: place.name, object, etag, url: url.href };
    const [found] = await seriesOf([{ ...textOf(response), stored }], place, { budget, unreadable }, ctx);
    if (found === undefined) unreadable.refuse(object);
    return found ?? null;
  }
  return null;
}

/** Writes an object, and gives the tag that it has then; null: the server does not tell. Throws ADAPTER_CONFLICT. */
export async function putObject(
  place: DavPlace,
  url: URL,
  calendar: Component,
  condition: Readonly<Record<string, string>>,
  ctx: VerbContext,
): Promise<string | null> {
  const body = { text: await calendarText(calendar), type: "text/calendar" } as const;
  if (Buffer.byteLength(body.text) > MAX_BYTES) throw adapterError("ADAPTER_TOO_LARGE", "the event is too large");
  const response = await place.server.ask("PUT", url, { headers: condition, body }, ctx);
  return response.headers.get("etag")?.[0] ?? null;
}

/** Returns whether it existed. Guests are not notified. */
export async function deleteObject(place: DavPlace, { url, etag }: Stored, ctx: VerbContext): Promise<boolean> {
  const headers = { ...matching(etag), "schedule-reply": "F" };
  const address = place.server.linked(url ?? "", place.collection.url);
  return (await orNull(place.server.ask("DELETE", address, { headers }, ctx))) !== null;
}

export function matching(etag: string | null): Readonly<Record<string, string>> {
  return { "if-match": etag ?? "*" };
}

/** The address of an object that is made here. */
export function newObjectUrl(place: DavPlace, object: string): URL {
  return objectUrl(place, `${object}${SUFFIX}`);
}

/** Throws ADAPTER_NOT_FOUND for a name that would lead out of the calendar. */
function objectUrl({ collection: { url } }: DavPlace, name: string): URL {
  if (name === "." || name === ".." || /[/\\\p{Cc}]/u.test(name))
    throw adapterError("ADAPTER_NOT_FOUND", "unknown event");
  const base = url.pathname.endsWith("/") ? url : new URL(`${url.pathname}/`, url);
  return new URL(`./${encodeURIComponent(name)}`, base);
}

function objectName({ pathname }: URL): string {
  const segment = pathname.split("/").at(-1) ?? "";
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // A server's own way to write it.
  }
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
}
