/**
 * When the events of a calendar happen: an event with its exceptions is a series, a series has occurrences within a window. What is
 * changed in one occurrence stands in a component of its own (RECURRENCE-ID).
 */
import {
  badCalendar,
  type Component,
  componentsOf,
  type Property,
  parameterOf,
  propertiesOf,
  propertyOf,
  textOf,
} from "./ical.ts";
import { type Budget, readRule, recurrences, type Window } from "./recurrence.ts";
import {
  DAY_MS,
  isShownAgain,
  type Moment,
  momentAt,
  momentLike,
  namedZone,
  readTime,
  UTC,
  wallOf,
  type Zone,
} from "./time.ts";
import type { Zones } from "./vtimezone.ts";

/** More than clocks are put forward or back by. */
const CLOCK_CHANGE_MS = 3 * 3_600_000;

export type Series = {
  readonly uid: string;
  /** null: only exceptions are known. */
  readonly master: Component | null;
  readonly exceptions: readonly Component[];
};

/** How times of a calendar are read. */
export type Reading = {
  readonly zones: Zones;
  /** Of dates, and of times that name no zone. */
  readonly local: Zone;
  readonly budget: Budget;
};

export type Occurrence = {
  readonly component: Component;
  /** When it would have started; null: the event does not recur. */
  readonly recurrence: Moment | null;
  readonly start: Moment;
  readonly end: Moment;
};

/** The events of a calendar. Throws ADAPTER_BAD_DATA. */
export function seriesIn(calendar: Component): readonly Series[] {
  const byUid = new Map<string, { master: Component | null; exceptions: Component[] }>();
  for (const event of componentsOf(calendar, "vevent")) {
    const uid = textOf(event, "uid");
    if (uid === null) throw badCalendar("has an event without UID");
    const series = byUid.get(uid) ?? { master: null, exceptions: [] };
    byUid.set(uid, series);
    if (propertyOf(event, "recurrence-id") === null) series.master = event;
    else series.exceptions.push(event);
  }
  return [...byUid].map(([uid, series]) => ({ uid, ...series }));
}

function momentOf(property: Property, reading: Reading, value: unknown = property[3]): Moment {
  const { wall, allDay, utc } = readTime(value);
  if (utc) return momentAt(wall, UTC, { allDay, floating: false });
  const name = allDay ? null : parameterOf(property, "tzid");
  const zone = name === null ? reading.local : reading.zones.get(name);
  return momentAt(wall, zone, { allDay, floating: name === null });
}

/** Days as the calendar counts them, and time that passes. */
type Length = { readonly days: number; readonly ms: number };

export type Times = { readonly start: Moment; readonly length: Length };

export function timesOf(event: Component, reading: Reading): Times {
  const property = propertyOf(event, "dtstart");
  if (property === null) throw badCalendar("has an event without start");
  const start = recurs(event) ? momentOf(property, reading) : startOf(property, reading);
  const end = propertyOf(event, "dtend");
  const duration = propertyOf(event, "duration");
  if (end !== null) return { start, length: lengthTo(momentOf(end, reading), start) };
  if (duration !== null) return { start, length: lengthOf(duration[3]) };
  return { start, length: { days: start.allDay ? 1 : 0, ms: 0 } };
}

/** A parameter of our own: the zone of a start that is written as UTC because the zone's clock shows that time twice. */
export const ZONE_OF_UTC = "x-weft-tzid";

/** By the clock of the zone beside it. Who moved the event may have left one that says nothing about the new time. */
function startOf(property: Property, reading: Reading): Moment {
  const moment = momentOf(property, reading);
  const zone = moment.zone === UTC ? namedZone(parameterOf(property, ZONE_OF_UTC) ?? "") : null;
  const there = zone === null ? moment : momentLike(moment.utc, { ...moment, zone });
  return isShownAgain(there) ? there : moment;
}

function lengthTo(end: Moment, start: Moment): Length {
  if (start.allDay) return { days: Math.max(0, Math.round((end.wall - start.wall) / DAY_MS)), ms: 0 };
  return { days: 0, ms: Math.max(0, end.utc - start.utc) };
}

const DURATION = /^([+-])?P(?:(\d{1,4})W|(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?)$/;

function lengthOf(value: unknown): Length {
  const found = DURATION.exec(String(value));
  if (found === null) throw badCalendar("has a duration that is none");
  if (found[1] === "-") return { days: 0, ms: 0 };
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(2).map((part) => Number(part ?? 0));
  return { days: weeks * 7 + days, ms: (hours * 3600 + minutes * 60 + seconds) * 1000 };
}

export function endOf(start: Moment, { days, ms }: Length): Moment {
  const whole = days === 0 ? start : momentAt(start.wall + days * DAY_MS, start.zone, start);
  return ms === 0 || start.allDay ? whole : momentLike(whole.utc + ms, whole);
}

export function recurs(event: Component): boolean {
  return propertyOf(event, "rrule") !== null || propertyOf(event, "rdate") !== null;
}

/** What of a series touches a window of instants, exceptions last. */
export function* occurrencesOf(
  { master, exceptions }: Series,
  window: Window,
  reading: Reading,
): Generator<Occurrence> {
  const changed = exceptionsOf({ exceptions }, reading);
  if (master !== null) {
    const gone = new Set(changed.map(({ recurrence }) => keyOf(recurrence)));
    for (const one of regular(master, window, reading)) {
      if (one.recurrence !== null && gone.has(keyOf(one.recurrence))) continue;
      if (touches(one, window)) yield one;
    }
  }
  for (const one of changed) {
    reading.budget.spend();
    if (touches(one, window)) yield one;
  }
}

type Exception = Occurrence & { readonly recurrence: Moment };

export function exceptionsOf({ exceptions }: Pick<Series, "exceptions">, reading: Reading): readonly Exception[] {
  return exceptions.flatMap((component) => {
    const property = propertyOf(component, "recurrence-id");
    if (property === null) return [];
    const { start, length } = timesOf(component, reading);
    return [{ component, recurrence: momentOf(property, reading), start, end: endOf(start, length) }];
  });
}

/** As the rules of the event say, those left out that it excludes. */
function* regular(component: Component, window: Window, reading: Reading): Generator<Occurrence> {
  const { start, length } = timesOf(component, reading);
  if (!recurs(component)) {
    yield { component, recurrence: null, start, end: endOf(start, length) };
    return;
  }
  const before = length.days * DAY_MS + length.ms + CLOCK_CHANGE_MS;
  const around = {
    from: wallOf(window.from, start.zone) - before,
    to: wallOf(window.to, start.zone) + CLOCK_CHANGE_MS,
  };
  const excluded = dayAndTimeKeys(propertiesOf(component, "exdate"), start, reading);
  const seen = new Set<string>();
  for (const moment of startsOf(component, start, around, reading)) {
    reading.budget.spend();
    const key = keyOf(moment);
    if (seen.has(key) || excluded.has(key) || excluded.has(dayKey(moment))) continue;
    seen.add(key);
    yield { component, recurrence: moment, start: moment, end: endOf(moment, length) };
  }
}

function* startsOf(component: Component, start: Moment, window: Window, reading: Reading): Generator<Moment> {
  const shift = (utcMs: number): number => (start.allDay ? 0 : start.zone.offsetAt(utcMs));
  const rules = propertiesOf(component, "rrule").map(readRule);
  if (rules.length === 0) yield start;
  for (const rule of rules)
    for (const wall of recurrences(rule, start.wall, window, reading.budget, shift))
      yield momentAt(wall, start.zone, start);
  for (const property of propertiesOf(component, "rdate")) {
    for (const value of property.slice(3)) {
      const { wall, utc } = momentOf(property, reading, Array.isArray(value) ? value[0] : value);
      yield start.allDay ? momentAt(Math.floor(wall / DAY_MS) * DAY_MS, start.zone, start) : momentLike(utc, start);
    }
  }
}

function dayAndTimeKeys(properties: readonly Property[], start: Moment, reading: Reading): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const property of properties) {
    for (const value of property.slice(3)) {
      reading.budget.spend();
      const moment = momentOf(property, reading, value);
      keys.add(moment.allDay || start.allDay ? dayKey(moment) : keyOf(moment));
    }
  }
  return keys;
}

/** The same for the same start, however it is written. */
function keyOf(moment: Moment): string {
  return moment.allDay ? dayKey(moment) : String(moment.utc);
}

function dayKey({ wall }: Moment): string {
  return `day ${Math.floor(wall / DAY_MS)}`;
}

function touches({ start, end }: Occurrence, { from, to }: Window): boolean {
  return start.utc < to && (end.utc > from || (end.utc === start.utc && start.utc >= from));
}
