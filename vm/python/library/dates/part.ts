/** The modules datetime, zoneinfo and calendar. */
import "../../dates/slots.ts";
import { MAX_YEAR, MIN_YEAR, wallMicros } from "../../dates/calendar.ts";
import { sumOfUnits, timedelta, totalSeconds } from "../../dates/deltas.ts";
import { checkedOffset } from "../../dates/parse.ts";
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
import { floatOf } from "../../kinds/float.ts";
import { Bytes, type Context, type Natives, type Value } from "../../object.ts";
import { nameOf, textOf } from "../arguments.ts";
import type { Part } from "../registry.ts";
import { CALENDARS } from "./calendars.ts";
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

const MIDNIGHT = new PyTime(0, 0, 0, 0, null, 0);
const LAST = new PyTime(23, 59, 59, 999_999, null, 0);
const MAX_DELTA = 999_999_999n * 86_400_000_000n + 86_399_999_999n;

export const DATES: Part = {
  natives: { ...DATE, ...DATETIME, ...TIME, ...ZONES, ...CALENDARS.natives },
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
    ...CALENDARS.types,
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
    ...CALENDARS.values,
  },
};
