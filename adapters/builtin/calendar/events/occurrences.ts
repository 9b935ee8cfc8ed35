/**
 * When the events of a calendar happen: an event with its exceptions is a series, a series has occurrences within a window. What is
 * changed in one occurrence stands in a component of its own (RECURRENCE-ID).
 */
import { AdapterError } from "../../../../vm/errors/failures.ts";
import type { Series } from "../series.ts";
import { badCalendar, type Component, type Property, parameterOf, propertiesOf, propertyOf } from "./ical.ts";
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

/**
 * `like`: the start of its event, whose zone applies where this time names none. An unknown zone counts as none. Throws
 * ADAPTER_BAD_DATA.
 */
function momentOf(
  property: Property,
  reading: Reading,
  { value = property[3], like }: { readonly value?: unknown; readonly like?: Moment | undefined } = {},
): Moment {
  const { wall, allDay, utc } = readTime(value);
  if (utc) return momentAt(wall, UTC, { allDay, floating: false });
  const name = allDay ? null : parameterOf(property, "tzid");
  const zone = name === null ? null : reading.zones.get(name);
  if (zone !== null) return momentAt(wall, zone, { allDay, floating: false });
  const own = name !== null || allDay || like === undefined || like.allDay || like.floating;
  return momentAt(wall, own ? reading.local : like.zone, { allDay, floating: own });
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
  if (end !== null) return { start, length: lengthTo(momentOf(end, reading, { like: start }), start) };
  if (duration !== null) return { start, length: lengthOf(duration[3], start) };
  return { start, length: { days: start.allDay ? 1 : 0, ms: 0 } };
}

/** A parameter of our own: the zone of a start that is written as UTC because the zone's clock shows that time twice. */
export const ZONE_OF_UTC = "x-weft-tzid";

/** In the zone next to it. A program that moved the event may have kept a zone that does not fit the new time. */
function startOf(property: Property, reading: Reading): Moment {
  const moment = momentOf(property, reading);
  const zone = moment.zone === UTC ? namedZone(parameterOf(property, ZONE_OF_UTC) ?? "") : null;
  const there = zone === null ? moment : momentLike(moment.utc, { ...moment, zone });
  return isShownAgain(there) ? there : moment;
}

/** A whole day lasts at least that day, whatever its end says. */
function lengthTo(end: Moment, start: Moment): Length {
  if (start.allDay) return { days: Math.max(1, Math.ceil((end.wall - start.wall) / DAY_MS)), ms: 0 };
  return { days: 0, ms: Math.max(0, end.utc - start.utc) };
}

const DURATION = /^([+-])?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/i;

function lengthOf(value: unknown, { allDay }: Moment): Length {
  const found = DURATION.exec(String(value).trim());
  if (found === null) throw badCalendar("has a duration that cannot be read");
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    found[1] === "-" ? [] : found.slice(2).map((part) => Number(part ?? 0));
  const length = { days: weeks * 7 + days, ms: (hours * 3600 + minutes * 60 + seconds) * 1000 };
  return allDay ? { days: Math.max(1, length.days + Math.ceil(length.ms / DAY_MS)), ms: 0 } : length;
}

export function endOf(start: Moment, { days, ms }: Length): Moment {
  const whole = days === 0 ? start : momentAt(start.wall + days * DAY_MS, start.zone, start);
  return ms === 0 || start.allDay ? whole : momentLike(whole.utc + ms, whole);
}

export function recurs(event: Component): boolean {
  return propertyOf(event, "rrule") !== null || propertyOf(event, "rdate") !== null;
}

/** Hears of an exception that cannot be read; `recurrence`: which occurrence it changes, null: that cannot be read either. */
export type OnUnreadable = (thrown: AdapterError, recurrence: Moment | null) => void;

/** What of a series touches a window of instants, exceptions last. Without `onUnreadable` one that cannot be read is thrown. */
export function* occurrencesOf(
  series: Series,
  window: Window,
  reading: Reading,
  onUnreadable?: OnUnreadable,
): Generator<Occurrence> {
  const { master } = series;
  const gone = new Set<string>();
  const changed = exceptionsOf(series, reading, (thrown, recurrence) => {
    if (onUnreadable === undefined) throw thrown;
    if (recurrence !== null) gone.add(keyOf(recurrence));
    onUnreadable(thrown, recurrence);
  });
  if (master !== null) {
    for (const { recurrence } of changed) gone.add(keyOf(recurrence));
    for (const one of regular(master, window, reading)) {
      const { recurrence } = one;
      // Some programs name the changed occurrence by its day alone.
      if (recurrence !== null && (gone.has(keyOf(recurrence)) || gone.has(dayKey(recurrence)))) continue;
      if (touches(one, window)) yield one;
    }
  }
  for (const one of changed) {
    reading.budget.spend();
    if (touches(one, window)) yield one;
  }
}

type Exception = Occurrence & { readonly recurrence: Moment };

export function exceptionsOf(
  { master, exceptions }: Pick<Series, "master" | "exceptions">,
  reading: Reading,
  onUnreadable: OnUnreadable,
): readonly Exception[] {
  if (exceptions.length === 0) return [];
  const like = startIfRead(master, reading);
  return exceptions.flatMap((component) => {
    const property = propertyOf(component, "recurrence-id");
    if (property === null) return [];
    let recurrence: Moment | null = null;
    try {
      recurrence = momentOf(property, reading, { like });
      const { start, length } = timesOf(component, reading);
      return [{ component, recurrence, start, end: endOf(start, length) }];
    } catch (thrown) {
      if (!isBadData(thrown)) throw thrown;
      onUnreadable(thrown, recurrence);
      return [];
    }
  });
}

/** The start of an event; undefined when it is missing or unreadable. */
function startIfRead(event: Component | null, reading: Reading): Moment | undefined {
  try {
    return event === null ? undefined : timesOf(event, reading).start;
  } catch (thrown) {
    if (isBadData(thrown)) return undefined;
    throw thrown;
  }
}

export function isBadData(thrown: unknown): thrown is AdapterError {
  return thrown instanceof AdapterError && thrown.code === "ADAPTER_BAD_DATA";
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
  for (const { moment } of ruled(component, "exrule", start, around, reading)) excluded.add(keyOf(moment));
  const seen = new Set<string>();
  for (const { moment, own } of startsOf(component, start, around, reading)) {
    reading.budget.spend();
    const key = keyOf(moment);
    if (seen.has(key) || excluded.has(key) || excluded.has(dayKey(moment))) continue;
    seen.add(key);
    yield { component, recurrence: moment, start: moment, end: endOf(moment, own ?? length) };
  }
}

/** A start with the length of its own, where it has one (RDATE as a period). */
type Start = { readonly moment: Moment; readonly own?: Length };

function* startsOf(component: Component, start: Moment, window: Window, reading: Reading): Generator<Start> {
  if (propertyOf(component, "rrule") === null) yield { moment: start };
  else yield* ruled(component, "rrule", start, window, reading);
  for (const property of propertiesOf(component, "rdate"))
    for (const value of property.slice(3)) yield startGiven(property, value, start, reading);
}

function* ruled(
  component: Component,
  name: "rrule" | "exrule",
  start: Moment,
  window: Window,
  reading: Reading,
): Generator<Start> {
  const shift = (utcMs: number): number => (start.allDay ? 0 : start.zone.offsetAt(utcMs));
  for (const rule of propertiesOf(component, name).map(readRule))
    for (const wall of recurrences(rule, start.wall, window, reading.budget, shift))
      yield { moment: momentAt(wall, start.zone, start) };
}

/** One value of an RDATE: a time, or a period as its start with its end or duration. */
function startGiven(property: Property, value: unknown, start: Moment, reading: Reading): Start {
  const [begin, end]: readonly unknown[] = Array.isArray(value) ? value : [value];
  const { wall, utc } = momentOf(property, reading, { value: begin, like: start });
  const moment = start.allDay
    ? momentAt(Math.floor(wall / DAY_MS) * DAY_MS, start.zone, start)
    : momentLike(utc, start);
  if (end === undefined) return { moment };
  const own = DURATION.test(String(end))
    ? lengthOf(end, moment)
    : lengthTo(momentOf(property, reading, { value: end, like: start }), moment);
  return { moment, own };
}

function dayAndTimeKeys(properties: readonly Property[], start: Moment, reading: Reading): Set<string> {
  const keys = new Set<string>();
  for (const property of properties) {
    for (const value of property.slice(3)) {
      reading.budget.spend();
      const moment = momentOf(property, reading, { value, like: start });
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
