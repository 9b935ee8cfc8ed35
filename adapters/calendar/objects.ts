/** What calendars hold: one object for each event with its exceptions on a server, all events in one in a feed. */
import type { VerbContext } from "../define.ts";
import { PARSED_IN_PLACE_BYTES } from "../engine/document-parsers.ts";
import { adapterError } from "../errors.ts";
import { orNull } from "../guard/or-null.ts";
import { MAX_BYTES, refusal, textOf } from "./dav.ts";
import { eventsQuery, type Resource } from "./dav-xml.ts";
import type { Stored } from "./event.ts";
import { type Component, calendarText, linesIn, parseCalendars } from "./ical.ts";
import { type Reading, type Series, seriesIn } from "./occurrences.ts";
import type { DavPlace, FeedPlace, Place } from "./places.ts";
import { Budget, type Window } from "./recurrence.ts";
import { zonesOf } from "./vtimezone.ts";

/** What one call may spend on the rules of a calendar; some tenths of a second. */
const STEPS = 100_000;
const SUFFIX = ".ics";

export function callBudget(): Budget {
  return new Budget(STEPS);
}

/** A calendar object with where it lies. In a feed every event is an object of its own. */
type StoredObject = { readonly calendar: Component; readonly stored: Stored };
export type StoredSeries = StoredObject & { readonly series: Series; readonly reading: Reading };

/** The series that may touch a window. Rejects with ADAPTER_FAILED when the server gives only some of them. */
export async function seriesWithin(
  place: Place,
  window: Window,
  budget: Budget,
  ctx: VerbContext,
): Promise<readonly StoredSeries[]> {
  if (place.kind === "feed") return feedSeries(place, budget, ctx);
  const { server, collection } = place;
  const query = { depth: "1", body: eventsQuery(window) } as const;
  const { resources } = await server.report("REPORT", collection.url, query, ctx);
  refusePartial(resources, place);
  // Others are gone since.
  const there = resources.filter(({ failed }) => failed !== 404);
  const objects = there.map(({ href, event: { text, etag } }): ObjectText => {
    const url = server.linked(href, collection.url);
    return { text, stored: { calendar: place.name, object: objectName(url), etag, url: url.href } };
  });
  return seriesOf(objects, place, budget, ctx);
}

function refusePartial(resources: readonly Resource[], { server, collection }: DavPlace): void {
  const failed = resources.filter(({ failed }) => failed !== null && failed !== 404);
  if (failed.length === 0) return;
  const failures = failed.slice(0, 100).map(({ href, failed: status }) => {
    return { object: objectName(server.linked(href, collection.url)), status };
  });
  throw adapterError("ADAPTER_FAILED", "the calendar server gives only some of the events", { data: { failures } });
}

async function feedSeries(place: FeedPlace, budget: Budget, ctx: VerbContext): Promise<readonly StoredSeries[]> {
  const headers = { accept: "text/calendar" };
  const response = await place.scope.request({ method: "GET", url: place.url, headers, signal: ctx.signal });
  if (response.status !== 200) throw refusal(response, ctx.now());
  // The address of a feed may be all that keeps it secret.
  const stored = { calendar: place.name, etag: null, url: null };
  const found = await seriesOf([{ text: textOf(response), stored: { ...stored, object: "" } }], place, budget, ctx);
  return found.map((one) => ({ ...one, stored: { ...stored, object: one.series.uid } }));
}

type ObjectText = { readonly text: string; readonly stored: Stored };

async function seriesOf(
  objects: readonly ObjectText[],
  place: Place,
  budget: Budget,
  { host, signal }: VerbContext,
): Promise<readonly StoredSeries[]> {
  for (const { text } of objects) budget.spendLines(linesIn(text));
  const texts = objects.map(({ text, stored: { object } }) => ({ text, object }));
  // Together: many small ones take as long as a large one.
  const size = texts.reduce((sum, { text }) => sum + text.length, 0);
  const calendars =
    size <= PARSED_IN_PLACE_BYTES
      ? await parseCalendars(texts)
      : await host.parsers.parse("calendars", [texts], signal);
  return objects.flatMap(({ stored }, at) => {
    const calendar = calendars[at];
    if (calendar === undefined) return [];
    const reading = { zones: zonesOf(calendar, budget), local: place.zone, budget };
    return seriesIn(calendar).map((series) => ({ calendar, stored, series, reading }));
  });
}

/** One series by the name of its object; null: there is none. */
export async function seriesNamed(
  place: Place,
  object: string,
  budget: Budget,
  ctx: VerbContext,
): Promise<StoredSeries | null> {
  if (place.kind === "feed")
    return (await feedSeries(place, budget, ctx)).find(({ series }) => series.uid === object) ?? null;
  // Servers tell names with and without the suffix, whatever they were given.
  for (const name of [`${object}${SUFFIX}`, object]) {
    const url = objectUrl(place, name);
    const response = await orNull(place.server.ask("GET", url, { headers: { accept: "text/calendar" } }, ctx));
    if (response === null) continue;
    const etag = response.headers.get("etag")?.[0] ?? null;
    const stored = { calendar: place.name, object, etag, url: url.href };
    const [found] = await seriesOf([{ text: textOf(response), stored }], place, budget, ctx);
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

/** Whether there was one. Guests are told by nobody. */
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
    throw adapterError("ADAPTER_NOT_FOUND", "there is no such event");
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
