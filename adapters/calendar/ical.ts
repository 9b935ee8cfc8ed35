/**
 * Calendar objects as data: iCalendar text read into plain arrays (jCal, RFC 7265) and written back, whatever they hold beside what is
 * known here. Sizes and depths that the library would pay dearly for are refused before it sees them. What the properties mean, the
 * files beside know.
 */
import { AdapterError } from "../../vm/errors.ts";
import { z } from "../define.ts";
import { adapterError } from "../errors.ts";

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
const component: z.ZodType<Component> = z.lazy(() => z.tuple([z.string(), z.array(property), z.array(component)]));
const documents = z.union([component.transform((one) => [one]), z.array(component)]);

/** The calendar in a text. Throws ADAPTER_BAD_DATA, and NOT_CONFIGURED without the package. */
export async function parseCalendar(text: string): Promise<Component> {
  const ical = await loadIcal();
  refuseHostile(text);
  let read: unknown;
  try {
    read = ical.parse(text);
  } catch (cause) {
    throw badCalendar("is not well-formed", cause);
  }
  const found = documents.safeParse(read);
  const calendars = (found.data ?? []).filter(([name]) => name === "vcalendar");
  const [first, ...others] = calendars;
  if (first === undefined) throw badCalendar("is not iCalendar");
  // Some programs write a calendar around each event.
  return [first[0], first[1], [first, ...others].flatMap(([, , inside]) => inside)];
}

/** A calendar in a text; `object`: where it lies, "" for what has no name. */
export type CalendarText = { readonly object: string; readonly text: string };

/** Throws as `parseCalendar`, and says which object it is that cannot be read. */
export async function parseCalendars(texts: readonly CalendarText[]): Promise<readonly Component[]> {
  const calendars: Component[] = [];
  for (const { text, object } of texts) {
    try {
      calendars.push(await parseCalendar(text));
    } catch (thrown) {
      if (!(thrown instanceof AdapterError) || thrown.code !== "ADAPTER_BAD_DATA" || object === "") throw thrown;
      throw adapterError("ADAPTER_BAD_DATA", thrown.message, { data: { object }, cause: thrown.cause });
    }
  }
  return calendars;
}

/** The text of a calendar, lines folded and ended as RFC 5545 says. */
export async function calendarText(calendar: Component): Promise<string> {
  const ical = await loadIcal();
  return ical.stringify([...calendar]);
}

async function loadIcal() {
  try {
    return (await import("ical.js")).default;
  } catch (cause) {
    const data = { package: "ical.js", install: "npm install ical.js@2.2.1" };
    throw adapterError("ADAPTER_NOT_CONFIGURED", "calendars need the package ical.js", { data, cause });
  }
}

export function badCalendar(what: string, cause?: unknown): AdapterError {
  return adapterError("ADAPTER_BAD_DATA", `the calendar data ${what}`, { cause });
}

/** Lines of a text, without those that only go on with the one before. */
export function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    const next = text[at + 1];
    if (next !== " " && next !== "\t") lines += 1;
  }
  return lines;
}

function refuseHostile(text: string): void {
  let depth = 0;
  let equals = 0;
  for (const line of text.split("\n")) {
    if (/^BEGIN:/i.test(line)) depth += 1;
    else if (/^END:/i.test(line)) depth -= 1;
    if (depth > MAX_DEPTH) throw badCalendar("is nested too deeply");
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

/** The first value as text; null: there is no such property, or it is empty. */
export function textOf(component: Component, name: string): string | null {
  const value = propertyOf(component, name)?.[3];
  return typeof value === "string" && value !== "" ? value : null;
}

export function parameterOf([, parameters]: Property, name: string): string | null {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

/** The component with these properties in place of all of the names that are told. */
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
