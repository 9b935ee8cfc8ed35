/** The Gregorian calendar by ordinals: day 1 is the first of January of the year 1. */
import { OVERFLOW_ERROR, raised, raisedLoosely, VALUE_ERROR } from "../exceptions.ts";
import { PyDate, PyDatetime, PyTime, type PyTzinfo } from "../kinds/dates.ts";

export const MIN_YEAR = 1;
export const MAX_YEAR = 9999;
export const DAY_SECONDS = 86_400;
export const SECOND_MICROS = 1_000_000n;
export const DAY_MICROS = 86_400_000_000n;
const DAYS_OF_400_YEARS = 146_097;
const MAX_ORDINAL = 3_652_059;
/** The first of January 1970. */
export const EPOCH_ORDINAL = 719_163;
const BEFORE_MONTH = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function daysBeforeYear(year: number): number {
  const before = year - 1;
  return before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
}

export function dayOfYear({ year, month, day }: PyDate): number {
  return (BEFORE_MONTH[month] as number) + day + (month > 2 && isLeap(year) ? 1 : 0);
}

export function ordinalOf(date: PyDate): number {
  return daysBeforeYear(date.year) + dayOfYear(date);
}

/** Year, month and day of an ordinal, which is in range. */
function partsOfOrdinal(ordinal: number): readonly [year: number, month: number, day: number] {
  const cycles = Math.floor((ordinal - 1) / DAYS_OF_400_YEARS);
  let year = Math.floor((ordinal - 1) / 365.2425) + 1;
  while (daysBeforeYear(year) >= ordinal) year -= 1;
  while (daysBeforeYear(year + 1) < ordinal) year += 1;
  if (cycles < 0) year = MIN_YEAR;
  let day = ordinal - daysBeforeYear(year);
  let month = 1;
  while (day > daysInMonth(year, month)) {
    day -= daysInMonth(year, month);
    month += 1;
  }
  return [year, month, day];
}

function checkOrdinal(ordinal: number): number {
  if (!(ordinal >= 1 && ordinal <= MAX_ORDINAL)) throw raised(OVERFLOW_ERROR, "date value out of range");
  return ordinal;
}

/** The date of an ordinal that a program gives. */
export function dateOfGivenOrdinal(ordinal: number): PyDate {
  if (ordinal < 1) throw raised(VALUE_ERROR, "ordinal must be >= 1");
  if (ordinal > MAX_ORDINAL) throw raisedLoosely(VALUE_ERROR, "the year of an ordinal is out of range");
  return dateOfOrdinal(ordinal);
}

export function dateOfOrdinal(ordinal: number): PyDate {
  return new PyDate(...partsOfOrdinal(checkOrdinal(ordinal)));
}

export function checkedDate(year: number, month: number, day: number): readonly [number, number, number] {
  if (year < MIN_YEAR || year > MAX_YEAR) throw raised(VALUE_ERROR, `year ${year} is out of range`);
  if (month < 1 || month > 12) throw raised(VALUE_ERROR, "month must be in 1..12");
  if (day < 1 || day > daysInMonth(year, month)) throw raised(VALUE_ERROR, "day is out of range for month");
  return [year, month, day];
}

export function checkedTime(
  hour: number,
  minute: number,
  second: number,
  micro: number,
  zone: PyTzinfo | null,
  fold: number,
): PyTime {
  if (hour < 0 || hour > 23) throw raised(VALUE_ERROR, "hour must be in 0..23");
  if (minute < 0 || minute > 59) throw raised(VALUE_ERROR, "minute must be in 0..59");
  if (second < 0 || second > 59) throw raised(VALUE_ERROR, "second must be in 0..59");
  if (micro < 0 || micro > 999_999) throw raised(VALUE_ERROR, "microsecond must be in 0..999999");
  if (fold !== 0 && fold !== 1) throw raised(VALUE_ERROR, "fold must be either 0 or 1");
  return new PyTime(hour, minute, second, micro, zone, fold);
}

/** 0 is Monday. */
export function weekdayOf(date: PyDate): number {
  return (ordinalOf(date) + 6) % 7;
}

/** The ordinal of the Monday of week 1. */
function firstMonday(year: number): number {
  const first = daysBeforeYear(year) + 1;
  const weekday = (first + 6) % 7;
  return first - weekday + (weekday > 3 ? 7 : 0);
}

export function isoCalendar(date: PyDate): readonly [year: number, week: number, weekday: number] {
  const ordinal = ordinalOf(date);
  let { year } = date;
  let start = firstMonday(year);
  if (ordinal < start) {
    year -= 1;
    start = firstMonday(year);
  } else if (ordinal >= firstMonday(year + 1)) {
    year += 1;
    start = firstMonday(year);
  }
  return [year, Math.floor((ordinal - start) / 7) + 1, ((ordinal + 6) % 7) + 1];
}

export function dateOfWeek(year: number, week: number, weekday: number): readonly [number, number, number] {
  if (year < MIN_YEAR || year > MAX_YEAR) throw raised(VALUE_ERROR, `Year is out of range: ${year}`);
  const start = firstMonday(year);
  const weeks = (firstMonday(year + 1) - start) / 7;
  if (week < 1 || week > weeks) throw raised(VALUE_ERROR, `Invalid week: ${week}`);
  if (weekday < 1 || weekday > 7) throw raised(VALUE_ERROR, `Invalid day: ${weekday} (range is [1, 7])`);
  const ordinal = start + (week - 1) * 7 + weekday - 1;
  if (ordinal < 1 || ordinal > MAX_ORDINAL) throw raised(VALUE_ERROR, "year is out of range");
  return partsOfOrdinal(ordinal);
}

/** What a clock shows, in microseconds; a date is its midnight. */
export function wallMicros(date: PyDate): bigint {
  const days = BigInt(ordinalOf(date)) * DAY_MICROS;
  return date instanceof PyDatetime ? days + timeMicros(date.time) : days;
}

export function timeMicros({ hour, minute, second, micro }: PyTime): bigint {
  return BigInt((hour * 3600 + minute * 60 + second) * 1_000_000 + micro);
}

/** The other way round. OverflowError beyond the years 1 to 9999. */
export function datetimeOfMicros(micros: bigint, zone: PyTzinfo | null, fold = 0): PyDatetime {
  let days = micros / DAY_MICROS;
  let rest = Number(micros - days * DAY_MICROS);
  if (rest < 0) {
    days -= 1n;
    rest += Number(DAY_MICROS);
  }
  const [year, month, day] = partsOfOrdinal(checkOrdinal(Number(days)));
  return new PyDatetime(year, month, day, timeOfMicros(rest, zone, fold));
}

function timeOfMicros(micros: number, zone: PyTzinfo | null, fold: number): PyTime {
  const seconds = Math.floor(micros / 1_000_000);
  return new PyTime(
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
    micros % 1_000_000,
    zone,
    fold,
  );
}
