/** What CalDAV servers are asked and answer, as XML: the bodies of requests, and the resources of a multistatus (RFC 4918, RFC 4791). */
import type { JsonObject } from "../../../../compiler/json.ts";
import { elementNames, elements, firstElement, parseXml, textIn } from "../../../content/xml.ts";
import { adapterError } from "../../../errors.ts";
import type { Window } from "../events/recurrence.ts";
import { DAY_MS, isoTime } from "../events/time.ts";

const MAX_MARKUP = 500_000;
const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';

/** What is asked of homes and calendars. */
const PROPERTIES =
  "<d:resourcetype/><d:displayname/><d:current-user-principal/><d:current-user-privilege-set/>" +
  "<c:calendar-home-set/><c:calendar-timezone/><c:supported-calendar-component-set/>";

export const PROPFIND = `<d:propfind ${NAMESPACES}><d:prop>${PROPERTIES}</d:prop></d:propfind>`;

/**
 * Events that may touch a window of instants, as they are stored. A server does not know in which zone whole days and floating times
 * are meant, and takes one of its own: so those around are asked for, too.
 */
export function eventsQuery({ from, to }: Window): string {
  const range = `<c:time-range start="${stamp(from - DAY_MS)}" end="${stamp(to + DAY_MS)}"/>`;
  const events = `<c:comp-filter name="VEVENT">${range}</c:comp-filter>`;
  return (
    `<c:calendar-query ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>` +
    `<c:filter><c:comp-filter name="VCALENDAR">${events}</c:comp-filter></c:filter></c:calendar-query>`
  );
}

function stamp(utcMs: number): string {
  return `${isoTime(utcMs).slice(0, 19).replace(/[-:]/g, "")}Z`;
}

export type Resource = {
  readonly href: string;
  /** Of what was not given: a status of the resource or of a property; null: everything was. */
  readonly failed: number | null;
  /** What the properties that were given say of it as a calendar, and as an object in one. */
  readonly collection: CollectionFacts;
  readonly event: EventObject;
};

/** Throws ADAPTER_BAD_DATA and TOO_LARGE. */
export async function resourcesIn(text: string): Promise<readonly Resource[]> {
  const reading = { what: "the answer of the calendar server", maxMarkup: MAX_MARKUP, dropPrefixes: true };
  const root = firstElement(await parseXml(text, reading), "multistatus");
  if (root === null)
    throw adapterError("ADAPTER_BAD_DATA", "the answer of the calendar server is not a multistatus document");
  return elements(root, "response").map(resourceOf);
}

function resourceOf(response: JsonObject): Resource {
  const href = textIn(response, "href");
  if (href === undefined) throw adapterError("ADAPTER_BAD_DATA", "the answer of the calendar server names no resource");
  const own = textIn(response, "status");
  const parts = elements(response, "propstat").map((part) => ({
    status: statusOf(textIn(part, "status")),
    properties: firstElement(part, "prop") ?? {},
  }));
  const given = parts.filter(({ status }) => status >= 200 && status < 300);
  // A missing property is not a failure.
  const bad = [...(own === undefined ? [] : [statusOf(own)]), ...parts.map(({ status }) => status)];
  const failed = bad.find((status) => status >= 300 && (status !== 404 || parts.length === 0)) ?? null;
  const properties = Object.assign({}, ...given.map(({ properties }) => properties)) as JsonObject;
  return { href, failed, collection: collectionOf(properties), event: eventObjectOf(properties) };
}

/** 0 without a status. */
function statusOf(line: string | undefined): number {
  return Number(/^HTTP\/\d\S*\s+(\d{3})/.exec(line ?? "")?.[1] ?? 0);
}

export type CollectionFacts = {
  readonly isCalendar: boolean;
  readonly title: string | null;
  readonly readOnly: boolean;
  readonly takesEvents: boolean;
  /** A name of the calendar's own zone. */
  readonly timeZone: string | null;
  readonly home: string | null;
  readonly principal: string | null;
};

const WRITING = ["write", "write-content", "bind", "all"] as const;

function collectionOf(properties: JsonObject): CollectionFacts {
  const privileges = elements(firstElement(properties, "current-user-privilege-set"), "privilege").flatMap(
    elementNames,
  );
  const kinds = elements(firstElement(properties, "supported-calendar-component-set"), "comp").map(
    (kind) => kind["@name"],
  );
  return {
    isCalendar: firstElement(firstElement(properties, "resourcetype"), "calendar") !== null,
    title: textIn(properties, "displayname") ?? null,
    // A server that does not tell may well let one write.
    readOnly: privileges.length > 0 && !WRITING.some((one) => privileges.includes(one)),
    takesEvents: kinds.length === 0 || kinds.includes("VEVENT"),
    timeZone: /^TZID(?:;[^:\r\n]*)?:([^\r\n]+)/m.exec(textIn(properties, "calendar-timezone") ?? "")?.[1] ?? null,
    home: textIn(firstElement(properties, "calendar-home-set"), "href") ?? null,
    principal: textIn(firstElement(properties, "current-user-principal"), "href") ?? null,
  };
}

/** An event as the server returns it; a missing text is not a calendar. */
type EventObject = { readonly text: string; readonly etag: string | null };

function eventObjectOf(properties: JsonObject): EventObject {
  return { text: textIn(properties, "calendar-data") ?? "", etag: textIn(properties, "getetag") ?? null };
}
