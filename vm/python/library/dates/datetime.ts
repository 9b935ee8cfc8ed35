/** datetime.datetime and datetime.time. */

import { savedBytes } from "../../binding.ts";
import {
  checkedDate,
  checkedTime,
  DAY_MICROS,
  dateOfGivenOrdinal,
  dateOfOrdinal,
  dateOfWeek,
  datetimeOfMicros,
} from "../../dates/calendar.ts";
import { floatQuotient } from "../../dates/deltas.ts";
import { EPOCH_MICROS, epochMicros, instantOf } from "../../dates/instants.ts";
import { readDatetime, readTime } from "../../dates/parse.ts";
import { strptime } from "../../dates/strptime.ts";
import { structOf } from "../../dates/struct-time.ts";
import { isoDatetime, isoTime } from "../../dates/write.ts";
import { fromUtc, offsetOf, zoneName } from "../../dates/zones.ts";
import { raised, raisedLoosely, TYPE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { PyDate, PyDatetime, PyTime, PyTimedelta, PyTimezone, PyTzinfo } from "../../kinds/dates.ts";
import { floatOf } from "../../kinds/float.ts";
import { notExact } from "../../not-exact.ts";
import type { Context, Natives, Value } from "../../object.ts";
import { made, nameOf, textOf } from "../arguments.ts";
import { counted, formatted, intOf, isoText, weekPart } from "./date.ts";

function zoneOf(value: Value | undefined): PyTzinfo | null {
  if (value === null || value === undefined || value instanceof PyTzinfo) return value ?? null;
  throw raised(TYPE_ERROR, `tzinfo argument must be None or of a tzinfo subclass, not type '${nameOf(value)}'`);
}

function datetimeOf(value: Value): PyDatetime {
  if (value instanceof PyDatetime) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a datetime was called on a value of type ${nameOf(value)}`);
}

function timeOf(value: Value): PyTime {
  if (value instanceof PyTime) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a time was called on a value of type ${nameOf(value)}`);
}

const MIDNIGHT = new PyTime(0, 0, 0, 0, null, 0);

function clock(hour: Value, minute: Value, second: Value, micro: Value, zone: Value, fold: Value): PyTime {
  return checkedTime(intOf(hour), intOf(minute), intOf(second), intOf(micro), zoneOf(zone), intOf(fold));
}

type Given = Value | undefined;

function replacedTime(
  time: PyTime,
  hour: Given,
  minute: Given,
  second: Given,
  micro: Given,
  zone: Given,
  fold: Given,
): PyTime {
  const part = (given: Given, own: number): number => (given === undefined ? own : intOf(given));
  return checkedTime(
    part(hour, time.hour),
    part(minute, time.minute),
    part(second, time.second),
    part(micro, time.micro),
    zone === undefined ? time.zone : zoneOf(zone),
    part(fold, time.fold),
  );
}

function combined(ctx: Context, date: Value, time: Value, zone: Given): PyDatetime {
  if (!(date instanceof PyDate))
    throw raised(TYPE_ERROR, `combine() argument 1 must be datetime.date, not ${nameOf(date)}`);
  if (!(time instanceof PyTime))
    throw raised(TYPE_ERROR, `combine() argument 2 must be datetime.time, not ${nameOf(time)}`);
  return counted(ctx, new PyDatetime(date.year, date.month, date.day, replacedTime(time, ...NOTHING, zone, undefined)));
}

const NOTHING = [undefined, undefined, undefined, undefined] as const;

function inZone(ctx: Context, value: PyDatetime, zone: Value): PyDatetime {
  const target = zone === null ? new PyTimezone(0, "UTC") : (zoneOf(zone) as PyTzinfo);
  if (value.time.zone === target) return value;
  const micros = epochMicros(value) + EPOCH_MICROS;
  // The instant itself must be a date, also where the result is one.
  dateOfOrdinal(Number(micros / DAY_MICROS));
  return counted(ctx, fromUtc(micros, target));
}

function delta(offset: number | null): Value {
  return offset === null ? null : new PyTimedelta(BigInt(offset));
}

function dst(value: PyDatetime | PyTime): Value {
  const { zone } = value instanceof PyDatetime ? value.time : value;
  if (zone === null || zone instanceof PyTimezone) return null;
  throw notExact("dst() of a time zone is not supported; compare utcoffset()");
}

export const DATETIME: Natives = {
  "datetime.datetime": (ctx, year, month, day, hour, minute, second, micro, zone, fold) =>
    counted(
      ctx,
      new PyDatetime(
        ...checkedDate(intOf(year), intOf(month), intOf(day)),
        clock(hour, minute, second, micro, zone, fold),
      ),
    ),
  "datetime.datetime.combine": (ctx, date, time, zone) => combined(ctx, date, time, zone),
  "datetime.datetime.fromisoformat": (ctx, text) => counted(ctx, readDatetime(isoText(text), ctx)),
  "datetime.datetime.strptime": (ctx, text, format) =>
    counted(ctx, strptime(textOf(text, "strptime() argument 1"), textOf(format, "strptime() argument 2"), ctx)),
  "datetime.datetime.fromtimestamp": (ctx, timestamp, zone) => counted(ctx, instantOf(timestamp, zoneOf(zone))),
  "datetime.datetime.utcfromtimestamp": (ctx, timestamp) => counted(ctx, instantOf(timestamp)),
  "datetime.datetime.fromordinal": (ctx, ordinal) => {
    const { year, month, day } = dateOfGivenOrdinal(intOf(ordinal));
    return counted(ctx, new PyDatetime(year, month, day, MIDNIGHT));
  },
  "datetime.datetime.fromisocalendar": (ctx, year, week, weekday) =>
    counted(ctx, new PyDatetime(...dateOfWeek(weekPart(year), weekPart(week), weekPart(weekday)), MIDNIGHT)),
  "datetime.datetime.replace": (ctx, value, year, month, day, hour, minute, second, micro, zone, fold) => {
    const own = datetimeOf(value);
    const part = (given: Given, before: number): number => (given === undefined ? before : intOf(given));
    const date = checkedDate(part(year, own.year), part(month, own.month), part(day, own.day));
    return counted(ctx, new PyDatetime(...date, replacedTime(own.time, hour, minute, second, micro, zone, fold)));
  },
  "datetime.datetime.isoformat": (ctx, value, separator, timespec) => {
    if (typeof separator !== "string" || [...separator].length !== 1) {
      const name = separator === null ? "None" : nameOf(separator);
      throw raised(TYPE_ERROR, `isoformat() argument 1 must be a unicode character, not ${name}`);
    }
    return made(ctx, isoDatetime(datetimeOf(value), separator, textOf(timespec, "isoformat() argument 2")));
  },
  "datetime.datetime.date": (ctx, value) => {
    const { year, month, day } = datetimeOf(value);
    return counted(ctx, new PyDate(year, month, day));
  },
  "datetime.datetime.time": (ctx, value) =>
    counted(ctx, replacedTime(datetimeOf(value).time, ...NOTHING, null, undefined)),
  "datetime.datetime.timetz": (_ctx, value) => datetimeOf(value).time,
  "datetime.datetime.timestamp": (_ctx, value) => floatOf(timestampOf(datetimeOf(value))),
  "datetime.datetime.astimezone": (ctx, value, zone) => inZone(ctx, datetimeOf(value), zone),
  "datetime.datetime.utcoffset": (_ctx, value) => delta(offsetOf(datetimeOf(value))),
  "datetime.datetime.tzname": (_ctx, value) => zoneName(datetimeOf(value)),
  "datetime.datetime.dst": (_ctx, value) => dst(datetimeOf(value)),
  "datetime.datetime.utctimetuple": (ctx, value) => {
    const own = datetimeOf(value);
    const utc = offsetOf(own) === null ? own : datetimeOfMicros(epochMicros(own) + EPOCH_MICROS, null);
    return structOf(ctx, utc, 0, null, null);
  },
};

/** A naive value is taken apart into seconds and microseconds, an aware one is one quotient. */
function timestampOf(value: PyDatetime): number {
  const micros = epochMicros(value);
  if (offsetOf(value) !== null) return floatQuotient(micros, 1_000_000n);
  return Number((micros - BigInt(value.time.micro)) / 1_000_000n) + value.time.micro / 1e6;
}

export const TIME: Natives = {
  "datetime.time"(ctx, hour, minute, second, micro, zone, fold) {
    if (hour instanceof PyBytes) throw savedBytes();
    return counted(ctx, clock(hour, minute, second, micro, zone, fold));
  },
  "datetime.time.fromisoformat": (ctx, text) => counted(ctx, readTime(isoText(text), ctx)),
  "datetime.time.replace": (ctx, value, hour, minute, second, micro, zone, fold) =>
    counted(ctx, replacedTime(timeOf(value), hour, minute, second, micro, zone, fold)),
  "datetime.time.isoformat": (ctx, value, timespec) =>
    made(ctx, isoTime(timeOf(value), offsetOf(timeOf(value)), textOf(timespec, "isoformat() argument 1"))),
  "datetime.time.strftime": (ctx, value, format) => formatted(ctx, timeOf(value), format),
  "datetime.time.utcoffset": (_ctx, value) => delta(offsetOf(timeOf(value))),
  "datetime.time.tzname": (_ctx, value) => zoneName(timeOf(value)),
  "datetime.time.dst": (_ctx, value) => dst(timeOf(value)),
};
