/** datetime.date, and what datetime.datetime has from it. */

import {
  checkedDate,
  dateOfGivenOrdinal,
  dateOfWeek,
  isoCalendar,
  ordinalOf,
  weekdayOf,
} from "../../dates/calendar.ts";
import { instantOf } from "../../dates/instants.ts";
import { readDate } from "../../dates/parse.ts";
import { inWords, structOf } from "../../dates/struct-time.ts";
import { isoDate, isoDatetime, strftime } from "../../dates/write.ts";
import { OVERFLOW_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyDate, PyDatetime, PyIsoDate, type PyTime, PyTimezone } from "../../kinds/dates.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Natives, type Value } from "../../object.ts";
import { indexOf, made, nameOf, textOf } from "../arguments.ts";

/** An argument that is an `int` in C, read from a `long`. */
export function intOf(value: Value | undefined): number {
  const index = indexOf(value);
  if (index > 0x7fffffffffffffffn || index < -0x8000000000000000n)
    throw raised(OVERFLOW_ERROR, "Python int too large to convert to C long");
  if (index > 0x7fffffff) throw raised(OVERFLOW_ERROR, "signed integer is greater than maximum");
  if (index < -0x80000000) throw raised(OVERFLOW_ERROR, "signed integer is less than minimum");
  return Number(index);
}

/** A part of an ISO calendar date. */
export function weekPart(value: Value | undefined): number {
  const index = indexOf(value);
  if (index > 0x7fffffff || index < -0x80000000) throw raised(VALUE_ERROR, "ISO calendar component out of range");
  return Number(index);
}

export function counted<T extends PyDate | PyTime>(ctx: Context, value: T): T {
  ctx.alloc(Bytes.Object * 2);
  return value;
}

function dateOf(value: Value): PyDate {
  if (value instanceof PyDate) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a date was called on a value of type ${nameOf(value)}`);
}

export function isoText(value: Value): string {
  if (typeof value === "string") return value;
  throw raised(TYPE_ERROR, "fromisoformat: argument must be str");
}

export function formatted(ctx: Context, value: PyDate | PyTime, format: Value): string {
  const text = textOf(format, "strftime() argument 1");
  ctx.charge(text.length * 8);
  return made(ctx, strftime(text, value));
}

export const DATE: Natives = {
  "datetime.date": (ctx, year, month, day) =>
    counted(ctx, new PyDate(...checkedDate(intOf(year), intOf(month), intOf(day)))),
  "datetime.date.fromisoformat": (ctx, text) => counted(ctx, new PyDate(...readDate(isoText(text), ctx))),
  "datetime.date.fromordinal": (ctx, ordinal) => counted(ctx, dateOfGivenOrdinal(intOf(ordinal))),
  "datetime.date.fromisocalendar": (ctx, year, week, weekday) =>
    counted(ctx, new PyDate(...dateOfWeek(weekPart(year), weekPart(week), weekPart(weekday)))),
  "datetime.date.fromtimestamp": (ctx, timestamp) => {
    const { year, month, day } = instantOf(timestamp);
    return counted(ctx, new PyDate(year, month, day));
  },
  "datetime.date.replace": (ctx, value, year, month, day) => {
    const date = dateOf(value);
    const part = (given: Value | undefined, own: number): number => (given === undefined ? own : intOf(given));
    return counted(
      ctx,
      new PyDate(...checkedDate(part(year, date.year), part(month, date.month), part(day, date.day))),
    );
  },
  "datetime.date.isoformat": (ctx, value) => made(ctx, isoDate(dateOf(value))),
  "datetime.date.strftime": (ctx, value, format) => formatted(ctx, dateOf(value), format),
  "datetime.date.__format__": (ctx, value, format) => {
    const date = dateOf(value);
    if (format !== "") return formatted(ctx, date, format);
    return made(ctx, date instanceof PyDatetime ? isoDatetime(date, " ", "auto") : isoDate(date));
  },
  "datetime.date.weekday": (_ctx, value) => weekdayOf(dateOf(value)),
  "datetime.date.isoweekday": (_ctx, value) => weekdayOf(dateOf(value)) + 1,
  "datetime.date.toordinal": (_ctx, value) => ordinalOf(dateOf(value)),
  "datetime.date.isocalendar": (ctx, value) => {
    ctx.alloc(Bytes.Object);
    return new PyIsoDate(isoCalendar(dateOf(value)));
  },
  "datetime.date.ctime": (ctx, value) => made(ctx, inWords(dateOf(value), 4)),
  "datetime.date.timetuple": (ctx, value) => {
    const date = dateOf(value);
    if (date instanceof PyDatetime && date.time.zone !== null && !(date.time.zone instanceof PyTimezone))
      throw notExact("timetuple() of a time in a zone is not supported; use its attributes, or utctimetuple()");
    return structOf(ctx, date, -1, null, null);
  },
};
