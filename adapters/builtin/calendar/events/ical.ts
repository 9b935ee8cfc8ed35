/**
 * Calendar objects as data: iCalendar text read into plain arrays (jCal, RFC 7265) and written back, including properties that are not
 * known here. The library reads line by line, so that an unreadable line does not affect the others. Sizes and depths that would make it slow
 * are refused first. The other files of this folder interpret the properties.
 */

import { z } from "zod";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { adapterError } from "../../../errors.ts";
import { packageMissing } from "../../../packages.ts";
import { type LineComponent, readComponents } from "../lines.ts";
import { writtenRule, writtenTimes } from "../written-values.ts";

const MAX_DEPTH = 8;
/** Of parameters in one line, which the library reads in quadratic time. */
const MAX_PARAMETERS = 20_000;

type Parameters = { readonly [name: string]: string | readonly string[] };
/** Name, parameters, type and values. */
export type Property = readonly [string, Parameters, string, ...unknown[]];
/** Name, properties and components inside. */
export type Component = readonly [string, readonly Property[], readonly Component[]];

const property: z.ZodType<Property> = z
  .tuple([z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())])), z.string().nullable()])
  .rest(z.unknown())
  .transform(([name, parameters, type, ...values]) => [name, parameters, type ?? "unknown", ...values] as const);

/** A calendar in a text; `object`: where it lies, "" for what has no name. */
export type CalendarText = {
  readonly object: string;
  readonly text: string;
  /** Some bytes were not text: each such place is U+FFFD. */
  readonly lossy?: boolean;
};

/** A calendar with what could not be read in it. */
export type CalendarDocument = {
  readonly calendar: Component;
  /** Events that cannot be read as a whole: they are not in `calendar`. */
  readonly unreadable: readonly { readonly event: Component; readonly reason: string }[];
  /** Lines or events are missing in `calendar`, so it cannot be written back. */
  readonly incomplete: boolean;
};

/** The calendar in a text, without what cannot be read. Throws ADAPTER_BAD_DATA, and NOT_CONFIGURED without the package. */
export async function parseCalendar(text: string): Promise<Component> {
  return (await readCalendar({ object: "", text })).calendar;
}

async function readCalendar({ text, lossy = false }: CalendarText): Promise<CalendarDocument> {
  const ical = await loadIcal();
  refuseHostile(text);
  const { calendars, cutOff, incomplete } = readComponents<Property>(text, {
    maxDepth: MAX_DEPTH,
    tooDeep: () => badCalendar("is nested too deeply"),
    propertyOf: (line) => propertyIn(line, ical),
  });
  const [first, ...others] = calendars.map(componentFrom);
  if (first === undefined) throw badCalendar("is not iCalendar");
  const inside = partsOf([first, ...others]);
  const garbled = inside.filter((one) => lossy && one[0] === "vevent" && JSON.stringify(one).includes("\ufffd"));
  const unreadable = [
    ...cutOff.map((one) => ({ event: componentFrom(one), reason: "the event is cut off" })),
    ...garbled.map((event) => ({ event, reason: "the event holds bytes that are not text of its charset" })),
  ];
  const readable = inside.filter((one) => !garbled.includes(one));
  return { calendar: [first[0], first[1], readable], unreadable, incomplete: incomplete || garbled.length > 0 };
}

/** Some programs write a calendar around each event, and leave out where it ends. */
function partsOf(calendars: readonly Component[]): readonly Component[] {
  return calendars.flatMap(([, , parts]) => parts.flatMap((one) => (one[0] === "vcalendar" ? partsOf([one]) : [one])));
}

function componentFrom({ name, properties, inside }: LineComponent<Property>): Component {
  return [name, properties, inside.map(componentFrom)];
}

/** The calendars of some texts, each with null and why where it is not a calendar. */
export async function parseCalendars(
  texts: readonly CalendarText[],
): Promise<readonly (CalendarDocument | { readonly calendar: null; readonly reason: string })[]> {
  const calendars = [];
  for (const text of texts) {
    try {
      calendars.push(await readCalendar(text));
    } catch (thrown) {
      if (!(thrown instanceof AdapterError) || thrown.code !== "ADAPTER_BAD_DATA") throw thrown;
      calendars.push({ calendar: null, reason: thrown.message });
    }
  }
  return calendars;
}

/** Without these an event would mean something else, so an unreadable line is kept, and reading its value fails. */
const NEEDED: ReadonlySet<string> = new Set([
  "dtstart",
  "dtend",
  "duration",
  "recurrence-id",
  "rrule",
  "exrule",
  "rdate",
  "exdate",
]);
const TIMES: ReadonlySet<string> = new Set(["dtstart", "dtend", "recurrence-id", "rdate", "exdate"]);
const RULES: ReadonlySet<string> = new Set(["rrule", "exrule"]);
/** Up to the colon that stands in no quotes. */
const HEAD = /^([^;:"]+)((?:;[^":]*(?:"[^"]*"[^":]*)*)?):/;

/** "empty": there is nothing in it. */
function propertyIn(line: string, ical: Ical): Property | "empty" | "unreadable" {
  const [head = "", written = "", parameters = ""] = HEAD.exec(line) ?? [];
  const name = (written || line.replace(/[;:].*$/s, "")).toLowerCase();
  const value = line.slice(head.length);
  try {
    if (TIMES.has(name)) return timesIn(name, parameters, value, ical);
    if (name === "duration" && value.trim() === "") return "empty";
    if (!RULES.has(name)) return checked(ical.parse.property(line));
    const rule = writtenRule(value);
    return rule === "" ? "empty" : checked(ical.parse.property(`RRULE${parameters}:${rule}`), name);
  } catch {
    if (NEEDED.has(name)) return [name, {}, "unknown", value];
    return plainly(name, parameters, value, ical);
  }
}

function timesIn(name: string, parameters: string, value: string, ical: Ical): Property | "empty" {
  const declared = /;VALUE="?([^;":]*)/i.exec(parameters)?.[1] ?? null;
  const times = writtenTimes(value, declared);
  if (times === null) return "empty";
  const [, kept] = checked(ical.parse.property(`X-TIME${parameters.replace(/;VALUE=[^;:]*/i, "")}:`));
  return [name, kept, times.type, ...times.values];
}

/** A property whose value is not what its type says, as it is written. */
function plainly(name: string, parameters: string, value: string, ical: Ical): Property | "unreadable" {
  try {
    const [, kept] = checked(ical.parse.property(`X-PLAIN${parameters}:`));
    return [name, kept, "unknown", value];
  } catch {
    return "unreadable";
  }
}

function checked(read: unknown, name?: string): Property {
  const [own, ...rest] = property.parse(read);
  return [name ?? own, ...rest];
}

/** The text of a calendar, lines folded and ended as RFC 5545 says. */
export async function calendarText(calendar: Component): Promise<string> {
  const ical = await loadIcal();
  return ical.stringify([...calendar]);
}

type Ical = Awaited<ReturnType<typeof loadIcal>>;

async function loadIcal() {
  try {
    return (await import("ical.js")).default;
  } catch (cause) {
    throw packageMissing("a calendar", "ical.js", cause);
  }
}

export function badCalendar(what: string, cause?: unknown): AdapterError {
  return adapterError("ADAPTER_BAD_DATA", `the calendar data ${what}`, { cause });
}

function refuseHostile(text: string): void {
  let equals = 0;
  for (const line of text.split(/[\r\n]+/)) {
    const folded = line.startsWith(" ") || line.startsWith("\t");
    equals = (folded ? equals : 0) + line.split("=").length - 1;
    if (equals > MAX_PARAMETERS) throw badCalendar("has a line with too many parameters");
  }
}

export function propertyOf([, properties]: Component, name: string): Property | null {
  return properties.find(([one]) => one === name) ?? null;
}

export function propertiesOf([, properties]: Component, name: string): readonly Property[] {
  return properties.filter(([one]) => one === name);
}

/** The first value as a string; null when the property is missing or empty. */
export function textOf(component: Component, name: string): string | null {
  const value = propertyOf(component, name)?.[3];
  return typeof value === "string" && value !== "" ? value : null;
}

export function parameterOf([, parameters]: Property, name: string): string | null {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

/** The component with these properties instead of all properties of the given names. */
export function replaced(
  [name, properties, inside]: Component,
  names: readonly string[],
  by: readonly Property[],
): Component {
  return [name, [...properties.filter(([one]) => !names.includes(one)), ...by], inside];
}

export function componentsOf([, , inside]: Component, name: string): readonly Component[] {
  return inside.filter(([one]) => one === name);
}
