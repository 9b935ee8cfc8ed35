/** The modules datetime, zoneinfo and calendar. */
import "../../dates/slots.ts";
import {
  checkedDate,
  daysInMonth,
  EPOCH_ORDINAL,
  isLeap,
  MAX_YEAR,
  MIN_YEAR,
  ordinalOf,
  wallMicros,
  weekdayOf,
} from "../../dates/calendar.ts";
import { sumOfUnits, timedelta, totalSeconds } from "../../dates/deltas.ts";
import { checkedOffset } from "../../dates/parse.ts";
import { MONTHS, WEEKDAYS } from "../../dates/write.ts";
import { fromUtc, timezoneName, ZONE_NOT_FOUND, zoneInfo } from "../../dates/zones.ts";
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import {
  DATE_TYPE,
  DATETIME_TYPE,
  ISO_DATE_TYPE,
  PyDate,
  PyDatetime,
  PyTime,
  PyTimedelta,
  PyTimezone,
  TIME_TYPE,
  TIMEDELTA_TYPE,
  TIMEZONE_TYPE,
  TZINFO_TYPE,
  UTC,
  ZONE_TYPE,
} from "../../kinds/dates.ts";
import { intOf as exactInt, floatOf } from "../../kinds/float.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Natives, PyType, type Value } from "../../object.ts";
import { isInt } from "../../operations.ts";
import { nameOf, textOf } from "../arguments.ts";
import type { Part } from "../registry.ts";
import { DATE } from "./date.ts";
import { DATETIME, TIME } from "./datetime.ts";

function makeTimezone(ctx: Context, offset: Value, name: Value | undefined): PyTimezone {
  if (!(offset instanceof PyTimedelta))
    throw raised(TYPE_ERROR, `timezone() argument 1 must be datetime.timedelta, not ${nameOf(offset)}`);
  const text = name === undefined ? null : textOf(name, "timezone() argument 2");
  const micros = checkedOffset(Number(offset.micros));
  if (micros === 0 && text === null) return UTC;
  ctx.alloc(Bytes.Object);
  return new PyTimezone(micros, text);
}

function timezoneOf(value: Value): PyTimezone {
  if (value instanceof PyTimezone) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a timezone was called on a value of type ${nameOf(value)}`);
}

function deltaOf(value: Value): PyTimedelta {
  if (value instanceof PyTimedelta) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a timedelta was called on a value of type ${nameOf(value)}`);
}

/** A timezone answers for None and datetimes. */
function checkDatetime(value: Value, method: string): void {
  if (value !== null && !(value instanceof PyDatetime))
    throw raised(TYPE_ERROR, `${method}(dt) argument must be a datetime instance or None, not ${nameOf(value)}`);
}

const ZONES: Natives = {
  "datetime.timedelta": (ctx, days, seconds, microseconds, milliseconds, minutes, hours, weeks) => {
    ctx.alloc(Bytes.Object);
    return sumOfUnits({ days, seconds, microseconds, milliseconds, minutes, hours, weeks });
  },
  "datetime.timedelta.total_seconds": (_ctx, value) => floatOf(totalSeconds(deltaOf(value))),
  "datetime.timezone": makeTimezone,
  "datetime.timezone.utcoffset": (_ctx, zone, value) => {
    checkDatetime(value, "utcoffset");
    return timedelta(BigInt(timezoneOf(zone).offset));
  },
  "datetime.timezone.tzname": (_ctx, zone, value) => {
    checkDatetime(value, "tzname");
    return timezoneName(timezoneOf(zone));
  },
  "datetime.timezone.dst": (_ctx, _zone, value) => {
    checkDatetime(value, "dst");
    return null;
  },
  "datetime.timezone.fromutc": (_ctx, zone, value) => {
    if (!(value instanceof PyDatetime)) throw raised(TYPE_ERROR, "fromutc: argument must be a datetime instance");
    if (value.time.zone !== zone) throw raised(VALUE_ERROR, "fromutc: dt.tzinfo is not self");
    return fromUtc(wallMicros(value), timezoneOf(zone));
  },
  "zoneinfo.ZoneInfo": (ctx, key) => {
    ctx.alloc(Bytes.Object);
    if (typeof key !== "string") throw raisedLoosely(TYPE_ERROR, `the key of a zone is of type ${nameOf(key)}`);
    return zoneInfo(key);
  },
};

const ILLEGAL_MONTH = new PyType(
  "IllegalMonthError",
  [VALUE_ERROR, ...VALUE_ERROR.bases],
  {},
  "calendar.IllegalMonthError",
);

function checkedMonth(month: number): number {
  if (month >= 1 && month <= 12) return month;
  throw raised(ILLEGAL_MONTH, `bad month number ${month}; must be 1-12`);
}

/** Years beyond 1 to 9999 have the weekday of the year 2000 after as many years, as in CPython. */
function weekday(year: number, month: number, day: number): number {
  const known = year >= MIN_YEAR && year <= MAX_YEAR ? year : 2000 + (((year % 400) + 400) % 400);
  if (day < 1 || day > daysInMonth(known, month)) throw raised(VALUE_ERROR, "day is out of range for month");
  return weekdayOf(new PyDate(known, month, day));
}

/** CPython computes with whatever it is given; here years are ints that a number holds exactly. */
function yearOf(value: Value): number {
  const year = isInt(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(year)) throw notExact("a year of calendar is an int below 2 ** 53");
  return year;
}

const CALENDAR: Natives = {
  "calendar.isleap": (_ctx, year) => isLeap(yearOf(year)),
  "calendar.leapdays": (_ctx, from, to) => {
    const before = (year: number): number => Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
    return before(yearOf(to) - 1) - before(yearOf(from) - 1) + 0;
  },
  "calendar.monthrange": (ctx, year, month) => {
    const [y, m] = [yearOf(year), checkedMonth(yearOf(month))];
    ctx.alloc(Bytes.Object);
    return new PyTuple([weekday(y, m, 1), daysInMonth(y, m)]);
  },
  "calendar.monthcalendar": (ctx, year, month) => {
    const [y, m] = [yearOf(year), checkedMonth(yearOf(month))];
    const before = weekday(y, m, 1);
    const last = daysInMonth(y, m);
    const weeks = Array.from({ length: Math.ceil((before + last) / 7) }, (_, week) => {
      const days = Array.from({ length: 7 }, (_, at) => week * 7 + at + 1 - before);
      return new PyList(days.map((day) => (day < 1 || day > last ? 0 : day)));
    });
    ctx.alloc((weeks.length + 1) * Bytes.Object + weeks.length * 8 * Bytes.Element);
    return new PyList(weeks);
  },
  "calendar.timegm": (_ctx, tuple) => {
    const parts = tuple instanceof PyTuple || tuple instanceof PyList ? tuple.items : null;
    if (parts === null || parts.some((part) => !isInt(part)))
      throw notExact("timegm takes a tuple of ints, such as timetuple gives");
    if (parts.length < 6) throw raised(VALUE_ERROR, `not enough values to unpack (expected 6, got ${parts.length})`);
    const [year, month, day, hour, minute, second] = parts as readonly (number | bigint)[] as readonly [
      number | bigint,
      number | bigint,
      number | bigint,
      number | bigint,
      number | bigint,
      number | bigint,
    ];
    const first = ordinalOf(new PyDate(...checkedDate(Number(year), Number(month), 1)));
    const days = BigInt(first - EPOCH_ORDINAL) + BigInt(day) - 1n;
    return exactInt(((days * 24n + BigInt(hour)) * 60n + BigInt(minute)) * 60n + BigInt(second));
  },
  "calendar.weekday": (_ctx, year, month, day) => {
    const m = yearOf(month);
    if (m < 1 || m > 12) throw raised(VALUE_ERROR, "month must be in 1..12");
    return weekday(yearOf(year), m, yearOf(day));
  },
};

const shortNames = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3));
const DAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
const MIDNIGHT = new PyTime(0, 0, 0, 0, null, 0);
const LAST = new PyTime(23, 59, 59, 999_999, null, 0);
const MAX_DELTA = 999_999_999n * 86_400_000_000n + 86_399_999_999n;

export const DATES: Part = {
  natives: { ...DATE, ...DATETIME, ...TIME, ...ZONES, ...CALENDAR },
  types: {
    "datetime.date": DATE_TYPE,
    "datetime.datetime": DATETIME_TYPE,
    "datetime.time": TIME_TYPE,
    "datetime.timedelta": TIMEDELTA_TYPE,
    "datetime.timezone": TIMEZONE_TYPE,
    "datetime.tzinfo": TZINFO_TYPE,
    "datetime.IsoCalendarDate": ISO_DATE_TYPE,
    "zoneinfo.ZoneInfo": ZONE_TYPE,
    "zoneinfo.ZoneInfoNotFoundError": ZONE_NOT_FOUND,
    "calendar.IllegalMonthError": ILLEGAL_MONTH,
  },
  values: {
    "datetime.UTC": UTC,
    "datetime.timezone.utc": UTC,
    "datetime.MINYEAR": MIN_YEAR,
    "datetime.MAXYEAR": MAX_YEAR,
    "datetime.date.min": new PyDate(MIN_YEAR, 1, 1),
    "datetime.date.max": new PyDate(MAX_YEAR, 12, 31),
    "datetime.date.resolution": new PyTimedelta(86_400_000_000n),
    "datetime.datetime.min": new PyDatetime(MIN_YEAR, 1, 1, MIDNIGHT),
    "datetime.datetime.max": new PyDatetime(MAX_YEAR, 12, 31, LAST),
    "datetime.datetime.resolution": new PyTimedelta(1n),
    "datetime.time.min": MIDNIGHT,
    "datetime.time.max": LAST,
    "datetime.time.resolution": new PyTimedelta(1n),
    "datetime.timedelta.min": new PyTimedelta(-999_999_999n * 86_400_000_000n),
    "datetime.timedelta.max": new PyTimedelta(MAX_DELTA),
    "datetime.timedelta.resolution": new PyTimedelta(1n),
    "calendar.day_name": new PyTuple(WEEKDAYS),
    "calendar.day_abbr": new PyTuple(shortNames(WEEKDAYS)),
    "calendar.month_name": new PyTuple(["", ...MONTHS]),
    "calendar.month_abbr": new PyTuple(["", ...shortNames(MONTHS)]),
    ...Object.fromEntries(DAYS.map((name, index) => [`calendar.${name}`, index])),
  },
};
