/**
 * Events that programs write: what they may say, and how it changes a component. Texts stay values: nothing in them can begin a line or a
 * parameter of its own. What a component holds besides is kept.
 */
import { AdapterError } from "../../../vm/errors/failures.ts";
import { z } from "../../definition/define.ts";
import { singleLine } from "../../definition/one-line.ts";
import { adapterError } from "../../errors.ts";
import {
  badCalendar,
  type Component,
  type Property,
  parameterOf,
  parseCalendar,
  propertiesOf,
  propertyOf,
  replaced,
} from "./events/ical.ts";
import { endOf, type Reading, recurs, timesOf, ZONE_OF_UTC } from "./events/occurrences.ts";
import { readRule } from "./events/recurrence.ts";
import {
  isShownAgain,
  isWritable,
  jcalTime,
  type Moment,
  momentAt,
  namedZone,
  readTime,
  UTC,
  wallOf,
  type Zone,
} from "./events/time.ts";
import { emailAddress, time, zoneName } from "./settings.ts";

const STATUSES = ["confirmed", "tentative", "cancelled"] as const;
const MAX_ATTENDEES = 100;
const WRITABLE = "a time whose years, and those of its end, are 0000 to 9999";

const paragraph = z
  .string()
  .max(65_536)
  // Line breaks and tabs are the only control characters of a text.
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text.replace(/[\t\n\r]/g, "")),
    "text without control characters",
  )
  .transform((text) => text.replace(/\r\n?/g, "\n"));
const title = singleLine(1_000);
const attendees = z.array(emailAddress).max(MAX_ATTENDEES);
const rule = z
  .string()
  .regex(/^[A-Za-z0-9=;,+-]{1,1000}$/, "a recurrence rule")
  .refine(isConsistent, "a recurrence rule");

const RULE_PART =
  /^(?:FREQ|UNTIL|COUNT|INTERVAL|WKST|BY(?:SECOND|MINUTE|HOUR|DAY|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS))=[^=]+$/;

/**
 * Refuses rules that the parser would misread: unknown or repeated parts, steps and counts below 1, two ends
 * (RFC 5545, 3.3.10).
 */
function isConsistent(text: string): boolean {
  const parts = text.toUpperCase().split(";");
  if (!parts.every((part) => RULE_PART.test(part))) return false;
  const values = new Map(parts.map((part): [string, string] => [part.replace(/=.*/, ""), part.replace(/^.*=/, "")]));
  const isPositive = (name: string): boolean => /^0*[1-9][0-9]*$/.test(values.get(name) ?? "1");
  const hasOneEnd = !(values.has("COUNT") && values.has("UNTIL"));
  return values.size === parts.length && isPositive("INTERVAL") && isPositive("COUNT") && hasOneEnd;
}

const rest = {
  time_zone: zoneName.optional(),
  location: singleLine(1_000).nullish(),
  description: paragraph.nullish(),
  status: z.enum(STATUSES).nullish(),
  attendees: attendees.nullish(),
  rrule: rule.nullish(),
};
export const newEvent = z.strictObject({ title, start: time, end: time.optional(), ...rest });
export const eventPatch = z
  .strictObject({ title: title.optional(), start: time.optional(), end: time.optional(), ...rest })
  .refine(({ time_zone, start }) => time_zone === undefined || start !== undefined, "time_zone goes with start");
export type EventChange = z.output<typeof eventPatch>;

export type Writing = {
  readonly reading: Reading;
  /** The organizer; null when invitations are not possible. */
  readonly organizer: string | null;
  /** Servers tell those who are new in `attendees`. */
  readonly notify: boolean;
};

/** The component after the change. Throws ADAPTER_BAD_ARGS, and NOT_CONFIGURED for attendees without an organizer. */
export async function changed(component: Component, change: EventChange, writing: Writing): Promise<Component> {
  let result = withTimes(component, change, writing.reading);
  const texts = { summary: change.title, location: change.location, description: change.description };
  for (const [name, value] of Object.entries(texts)) result = withText(result, name, value);
  result = withText(result, "status", change.status?.toUpperCase() ?? change.status);
  if (change.rrule !== undefined) result = replaced(result, ["rrule"], await rulesOf(change.rrule));
  if (change.attendees !== undefined) result = withAttendees(result, change.attendees ?? [], writing);
  return result;
}

/** undefined leaves the property as it is, null and "" remove it. */
function withText(component: Component, name: string, value: string | null | undefined): Component {
  if (value === undefined) return component;
  return replaced(component, [name], value === null || value === "" ? [] : [[name, {}, "text", value]]);
}

function withTimes(component: Component, change: EventChange, reading: Reading): Component {
  const before = propertyOf(component, "dtstart") === null ? null : timesOf(component, reading);
  // What recurs follows the clock of its zone, so it cannot be written by that of UTC.
  const repeats = change.rrule === undefined ? recurs(component) : change.rrule !== null;
  if (change.start === undefined && change.end === undefined) {
    if (repeats && before !== null) refuseShownAgain(before.start);
    return component;
  }
  const zone = zoneFor(change, before?.start ?? null, reading);
  const start = change.start === undefined ? before?.start : momentOfText(change.start, zone);
  if (start === undefined) throw badEvent("start", "a time");
  const end = endFor(change.end, start, before?.length ?? null, zone);
  if (!isWritable(start)) throw badEvent("start", WRITABLE);
  if (!isWritable(end)) throw badEvent(change.end === undefined ? "start" : "end", WRITABLE);
  if (repeats) refuseShownAgain(start);
  if (end.allDay !== start.allDay) throw badEvent("end", "a date when start is one, else a time");
  if (end.allDay ? end.wall <= start.wall : end.utc < start.utc) throw badEvent("end", "later than start");
  const properties = [startProperty(start), timeProperty("dtend", end)];
  return replaced(component, ["dtstart", "dtend", "duration"], properties);
}

function refuseShownAgain(start: Moment): void {
  if (isShownAgain(start)) throw badEvent("start", "a time that its zone shows only once, as it recurs");
}

/** That which is asked for, else that of the event, else that of the account. */
function zoneFor({ time_zone: asked }: EventChange, before: Moment | null, { local }: Reading): Zone {
  if (asked !== undefined) return namedZone(asked) ?? UTC;
  return before === null || before.floating ? local : before.zone;
}

function endFor(
  given: string | undefined,
  start: Moment,
  length: Parameters<typeof endOf>[1] | null,
  zone: Zone,
): Moment {
  if (given !== undefined) return momentOfText(given, zone);
  if (length !== null && (length.ms === 0 || !start.allDay)) return endOf(start, length);
  if (start.allDay) return endOf(start, { days: 1, ms: 0 });
  throw badEvent("end", "a time");
}

function momentOfText(text: string, zone: Zone): Moment {
  if (!text.includes("T")) return momentAt(readTime(text).wall, zone, { allDay: true, floating: true });
  const utc = Math.floor(Date.parse(text) / 1000) * 1000;
  return { wall: wallOf(utc, zone), zone, utc, allDay: false, floating: false };
}

/** In local time of the zone; the second of two equal local times can be expressed only in UTC. */
export function timeProperty(name: string, moment: Moment): Property {
  const { wall, utc, allDay, floating, zone } = moment;
  const text = jcalTime(wall, allDay);
  if (allDay) return [name, {}, "date", text];
  if (floating) return [name, {}, "date-time", text];
  const isTold = zone !== UTC && !isShownAgain(moment);
  return isTold ? [name, { tzid: zone.name }, "date-time", text] : [name, {}, "date-time", `${jcalTime(utc, false)}Z`];
}

/** Keeps the zone next to a time that only UTC can express, so that the event stays in its zone. */
export function startProperty(start: Moment): Property {
  const [name, parameters, type, ...values] = timeProperty("dtstart", start);
  return [name, isShownAgain(start) ? { [ZONE_OF_UTC]: start.zone.name } : parameters, type, ...values];
}

async function rulesOf(text: string | null): Promise<readonly Property[]> {
  if (text === null) return [];
  try {
    const lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", `RRULE:${text}`, "END:VEVENT", "END:VCALENDAR", ""];
    const [, , [event]] = await parseCalendar(lines.join("\r\n"));
    const property = event === undefined ? null : propertyOf(event, "rrule");
    if (property === null) throw badCalendar("has no rule");
    const { until } = readRule(property);
    if (until !== undefined) readTime(until);
    return [property];
  } catch (thrown) {
    if (thrown instanceof AdapterError && thrown.code === "ADAPTER_BAD_DATA")
      throw badEvent("rrule", "a recurrence rule");
    throw thrown;
  }
}

/** Those who stay keep their answers. Without `notify` the server is asked to leave the new ones alone (RFC 6638). */
function withAttendees(component: Component, addresses: readonly string[], { organizer, notify }: Writing): Component {
  if (addresses.length === 0) return replaced(component, ["attendee", "organizer"], []);
  const inviting = propertyOf(component, "organizer") ?? organizerProperty(organizer);
  const known = propertiesOf(component, "attendee");
  const agent = notify ? {} : { "schedule-agent": "CLIENT" };
  const guests = addresses.map((address): Property => {
    const uri = `mailto:${address}`;
    const before = known.find((one) => String(one[3]).toLowerCase() === uri.toLowerCase());
    const facts = { partstat: "NEEDS-ACTION", rsvp: "TRUE", ...agent };
    return before ?? ["attendee", facts, "cal-address", uri];
  });
  return replaced(component, ["attendee", "organizer"], [inviting, ...guests]);
}

function organizerProperty(organizer: string | null): Property {
  if (organizer !== null) return ["organizer", {}, "cal-address", `mailto:${organizer}`];
  throw adapterError("ADAPTER_NOT_CONFIGURED", "attendees need an organizer; name one in the account");
}

export function badEvent(member: string, expected: string): AdapterError {
  const data = { issues: [{ path: `/${member}`, expected, got: "another" }] };
  return adapterError("ADAPTER_BAD_ARGS", `argument /${member}: expected ${expected}`, { data });
}

const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d$|Z$/;

/** The zones that the times of a component name, where that makes a difference: not with dates, nor with times of UTC. */
export function zonesNamed(component: Component): readonly string[] {
  const names = component[1].map((property) => {
    const [, , , value] = property;
    return typeof value === "string" && WITHOUT_ZONE.test(value) ? null : parameterOf(property, "tzid");
  });
  return [...new Set(names.filter((name) => name !== null))];
}
