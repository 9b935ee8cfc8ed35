/**
 * The Gregorian calendar on milliseconds: reading and writing instants, parts of a date, steps by units. `local` is what
 * clocks of a zone show, as if it were UTC. Years 0000 to 9999.
 */
import { UNITS_OF_TIME } from "../../../compiler/guide/function-choices.ts";
import { OperationFailure } from "../../errors/failures.ts";
import { instantOf, utc, type Zone, zoneOf } from "./zones.ts";

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const FIRST = -62_167_219_200_000;
const LAST = 253_402_300_799_999;

/** Units of a length that never changes. Days are not among them: in a zone some have 23 or 25 hours. */
const FIXED_UNITS: Readonly<Record<string, number>> = { millisecond: 1, second: SECOND, minute: MINUTE, hour: HOUR };

export type Unit = (typeof UNITS_OF_TIME)[number][0];

const UNIT_NAMES: ReadonlyMap<string, Unit> = new Map(
  UNITS_OF_TIME.flatMap(([unit, others]) => [unit, ...others.split(" ")].map((name): [string, Unit] => [name, unit])),
);

export function unitOf(text: string): Unit {
  const unit = UNIT_NAMES.get(text.toLowerCase());
  if (unit === undefined) throw new OperationFailure("unknown unit of time", "value_error");
  return unit;
}

export function inRange(instant: number): number {
  if (!(instant >= FIRST && instant <= LAST)) {
    throw new OperationFailure("time outside years 0000 to 9999", "number_range");
  }
  return instant + 0;
}

const WRITTEN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)? ?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** The instant that a text in the form of RFC 3339 names. Seconds, time and zone are optional; `zone` holds where it names none. */
export function readInstant(text: string, zone: Zone): number {
  const [found, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", written] =
    WRITTEN.exec(text.trim()) ?? [];
  if (found === undefined) throw new OperationFailure("not a date as RFC 3339 writes it", "value_error");
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const date = dateAt(Number(year), Number(month) - 1, Number(day));
  const exists =
    new Date(date).getUTCDate() === Number(day) && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1;
  if (!exists || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    throw new OperationFailure("no such date or time", "value_error");
  }
  const local = date + Number(hour) * HOUR + Number(minute) * MINUTE + Number(second) * SECOND + ms;
  return inRange(instantOf(local, written === undefined ? zone : zoneOf(written.toUpperCase())));
}

/** Midnight of a date; a month or day beyond its end counts on. Years below 100 are those years. */
function dateAt(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

export type Parts = {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  /** From 1. */
  readonly yearday: number;
  readonly quarter: number;
  /** Week and year of ISO 8601. */
  readonly week: number;
  readonly weekyear: number;
};

export function partsOf(local: number): Parts {
  const date = new Date(local);
  const year = date.getUTCFullYear();
  const midnight = Math.floor(local / DAY) * DAY;
  const weekday = ((date.getUTCDay() + 6) % 7) + 1;
  // The week belongs to the year of its Thursday.
  const thursday = midnight + (4 - weekday) * DAY;
  const weekyear = new Date(thursday).getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    weekday,
    yearday: (midnight - dateAt(year, 0, 1)) / DAY + 1,
    quarter: Math.floor(date.getUTCMonth() / 3) + 1,
    week: Math.floor((thursday - dateAt(weekyear, 0, 1)) / DAY / 7) + 1,
    weekyear,
  };
}

const MONTHS_OF: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Months later on the same day of the month, or on its last day where it has no such day. */
function addMonths(local: number, months: number): number {
  const date = new Date(local);
  const first = dateAt(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const target = new Date(first);
  const last = new Date(dateAt(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), last) - 1) * DAY + (local - Math.floor(local / DAY) * DAY);
}

function addLocal(local: number, count: number, unit: Unit): number {
  const months = MONTHS_OF[unit];
  if (months === undefined) return local + count * (unit === "week" ? 7 : 1) * DAY;
  // More months than the years of the calendar have lead out of it.
  return Math.abs(count * months) > 240_000 ? Number.NaN : addMonths(local, count * months);
}

/** `count` units later; whole where a unit has no fixed length. */
export function addTo(instant: number, count: number, unit: Unit, zone: Zone): number {
  const fixed = FIXED_UNITS[unit];
  if (fixed !== undefined) return inRange(Math.trunc(instant + count * fixed));
  if (!Number.isInteger(count)) throw new OperationFailure("not a whole number of units", "value_error");
  if (zone === utc) return inRange(addLocal(instant, count, unit));
  return inRange(instantOf(inRange(addLocal(instant + zone(instant), count, unit)), zone));
}

/** Whole units from one instant to another, cut towards zero. */
export function unitsBetween(from: number, to: number, unit: Unit, zone: Zone): number {
  const fixed = FIXED_UNITS[unit];
  if (fixed !== undefined) return Math.trunc((to - from) / fixed) + 0;
  const direction = to < from ? -1 : 1;
  const [start, end] = [from + zone(from), to + zone(to)];
  const months = MONTHS_OF[unit];
  const estimate = months === undefined ? daysBetween(start, end, unit) : monthsBetween(start, end) / months;
  let count = Math.trunc(estimate);
  // The estimate is at most one too far: a day of the month, or an hour of the day, may not be reached yet.
  while (count !== 0 && (addTo(from, count, unit, zone) - to) * direction > 0) count -= direction;
  return count + 0;
}

function daysBetween(start: number, end: number, unit: Unit): number {
  return (end - start) / (unit === "week" ? 7 * DAY : DAY);
}

function monthsBetween(start: number, end: number): number {
  const [a, b] = [new Date(start), new Date(end)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}

/** The beginning of the unit that holds the instant. Weeks begin on Monday. */
export function startOf(instant: number, unit: Unit, zone: Zone): number {
  const offset = zone(instant);
  const local = instant + offset;
  const fixed = FIXED_UNITS[unit];
  // Within an hour clocks are not put back twice: the offset stays.
  if (fixed !== undefined) return Math.floor(local / fixed) * fixed - offset;
  const { year, month, day, weekday, quarter } = partsOf(local);
  switch (unit) {
    case "day":
      return inRange(instantOf(dateAt(year, month - 1, day), zone));
    case "week":
      return inRange(instantOf(dateAt(year, month - 1, day - weekday + 1), zone));
    case "month":
      return inRange(instantOf(dateAt(year, month - 1, 1), zone));
    case "quarter":
      return inRange(instantOf(dateAt(year, quarter * 3 - 3, 1), zone));
    default:
      return inRange(instantOf(dateAt(year, 0, 1), zone));
  }
}
