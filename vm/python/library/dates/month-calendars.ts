/** `calendar.Calendar`: the days of months and years in whole weeks. */
import { checkedDate, daysInMonth, MAX_YEAR, MIN_YEAR, weekdayOf } from "../../dates/calendar.ts";
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { CALENDAR_TYPE, PyCalendar, TEXT_CALENDAR_TYPE } from "../../kinds/calendar.ts";
import { PyDate } from "../../kinds/dates.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, fillSlots, type Natives, PyType, type Value } from "../../object.ts";
import { isInt } from "../../operations.ts";
import { nameOf } from "../arguments.ts";
import { type Elements, give, lazyType, PyLazy } from "../modules/lazy.ts";
import type { Part } from "../registry.ts";

export const ILLEGAL_MONTH = new PyType(
  "IllegalMonthError",
  [VALUE_ERROR, ...VALUE_ERROR.bases],
  {},
  "calendar.IllegalMonthError",
);

export function checkedMonth(month: number): number {
  if (month >= 1 && month <= 12) return month;
  throw raised(ILLEGAL_MONTH, `bad month number ${month}; must be 1-12`);
}

/** Years beyond 1 to 9999 have the weekday of the year 2000 after as many years, as in CPython. */
export function weekday(year: number, month: number, day: number): number {
  const known = year >= MIN_YEAR && year <= MAX_YEAR ? year : 2000 + (((year % 400) + 400) % 400);
  if (day < 1 || day > daysInMonth(known, month)) throw raised(VALUE_ERROR, "day is out of range for month");
  return weekdayOf(new PyDate(known, month, day));
}

/** CPython computes with whatever it is given; here years are ints that a number holds exactly. */
export function yearOf(value: Value): number {
  const year = isInt(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(year)) throw notExact("a year of calendar is an int below 2 ** 53");
  return year;
}

function firstDayOf(value: Value): number {
  const day = isInt(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(day)) throw notExact("the first day of a week is an int below 2 ** 53 here");
  return rest(day);
}

/** Of a division by seven, never negative. */
function rest(days: number): number {
  return ((days % 7) + 7) % 7;
}

const GENERATOR = lazyType("generator");

export function calendarOf(value: Value): PyCalendar {
  if (value instanceof PyCalendar) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a calendar was called on a value of type ${nameOf(value)}`);
}

type Day = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** 0: Monday. */
  readonly weekday: number;
  readonly isOfMonth: boolean;
};

/** The days of a month, and those that make its first and last week whole. */
function daysOf(ctx: Context, first: number, year: number, month: number): readonly Day[] {
  checkedMonth(month);
  ctx.charge(64);
  const start = weekday(year, month, 1);
  const count = daysInMonth(year, month);
  const before = rest(start - first);
  const after = rest(first - start - count);
  const [pastYear, past] = month === 1 ? [year - 1, 12] : [year, month - 1];
  const [nextYear, next] = month === 12 ? [year + 1, 1] : [year, month + 1];
  const end = daysInMonth(pastYear, past);
  return Array.from({ length: before + count + after }, (_, at): Day => {
    const day = at - before + 1;
    const weekdayOfIt = rest(first + at);
    if (day < 1) return { year: pastYear, month: past, day: end + day, weekday: weekdayOfIt, isOfMonth: false };
    if (day > count) return { year: nextYear, month: next, day: day - count, weekday: weekdayOfIt, isOfMonth: false };
    return { year, month, day, weekday: weekdayOfIt, isOfMonth: true };
  });
}

type Shown = (day: Day, ctx: Context) => Value;

const number = ({ day, isOfMonth }: Day): number => (isOfMonth ? day : 0);

function tuple(ctx: Context, values: readonly Value[]): PyTuple {
  ctx.alloc(Bytes.Object + values.length * Bytes.Element);
  return new PyTuple([...values]);
}

const pair: Shown = (day, ctx) => tuple(ctx, [number(day), day.weekday]);

const date: Shown = ({ year, month, day }, ctx) => {
  ctx.alloc(Bytes.Object);
  return new PyDate(...checkedDate(year, month, day));
};

/** Years and months stand in the results of some methods, where True would be another value than 1. */
function plainInt(value: Value): number {
  if (typeof value === "boolean") throw notExact("a year or month of calendar is not a bool");
  return yearOf(value);
}

/** Arguments are looked at when the first day is asked for. */
function lazily(shown: Shown) {
  return (ctx: Context, self: Value, year: Value, month: Value): PyLazy => {
    const calendar = calendarOf(self);
    ctx.alloc(Bytes.Object);
    function* elements(): Elements {
      for (const day of daysOf(ctx, calendar.first, plainInt(year), plainInt(month))) yield give(shown(day, ctx));
    }
    return new PyLazy(GENERATOR, elements(), true);
  };
}

function list(ctx: Context, items: readonly Value[]): PyList {
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return new PyList([...items]);
}

/** Groups of as many elements as fit. */
function grouped<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function weeksOf(ctx: Context, first: number, year: number, month: number, shown: Shown): PyList {
  const days = daysOf(ctx, first, year, month).map((day) => shown(day, ctx));
  return list(
    ctx,
    grouped(days, 7).map((week) => list(ctx, week)),
  );
}

function ofMonth(shown: Shown) {
  return (ctx: Context, self: Value, year: Value, month: Value): PyList =>
    weeksOf(ctx, calendarOf(self).first, yearOf(year), yearOf(month), shown);
}

function ofYear(shown: Shown) {
  return (ctx: Context, self: Value, year: Value, width: Value): PyList => {
    const [first, known, size] = [calendarOf(self).first, yearOf(year), yearOf(width)];
    if (size < 1) throw notExact("the width of a calendar is at least 1 here");
    const months = Array.from({ length: 12 }, (_, at) => weeksOf(ctx, first, known, at + 1, shown));
    return list(
      ctx,
      grouped(months, size).map((row) => list(ctx, row)),
    );
  };
}

/** Of a month the weeks with a number and a weekday for each day. */
export function weekPairs(ctx: Context, first: number, year: number, month: number): readonly (readonly Day[])[] {
  return grouped(daysOf(ctx, first, year, month), 7);
}

export function numberOfDay(day: Day): number {
  return number(day);
}

const TYPE = "calendar.Calendar";

const make = (type: PyType) => (ctx: Context, first: Value) => {
  ctx.alloc(Bytes.Object);
  return new PyCalendar(type, firstDayOf(first));
};

fillSlots<PyCalendar>(CALENDAR_TYPE, {
  attribute: (self, name) => (name === "firstweekday" ? self.first : undefined),
});

const natives: Natives = {
  [TYPE]: make(CALENDAR_TYPE),
  "calendar.TextCalendar": make(TEXT_CALENDAR_TYPE),
  [`${TYPE}.getfirstweekday`]: (_, self: Value) => calendarOf(self).first,
  [`${TYPE}.setfirstweekday`]: (_, self: Value, first: Value) => {
    calendarOf(self).first = firstDayOf(first);
    return null;
  },
  [`${TYPE}.iterweekdays`]: (ctx: Context, self: Value) => {
    const calendar = calendarOf(self);
    ctx.alloc(Bytes.Object);
    function* elements(): Elements {
      const { first } = calendar;
      for (let at = 0; at < 7; at += 1) yield give(rest(first + at));
    }
    return new PyLazy(GENERATOR, elements(), true);
  },
  [`${TYPE}.itermonthdates`]: lazily(date),
  [`${TYPE}.itermonthdays`]: lazily(number),
  [`${TYPE}.itermonthdays2`]: lazily(pair),
  [`${TYPE}.itermonthdays3`]: lazily(({ year, month, day }, ctx) => tuple(ctx, [year, month, day])),
  [`${TYPE}.itermonthdays4`]: lazily((one, ctx) => tuple(ctx, [one.year, one.month, one.day, one.weekday])),
  [`${TYPE}.monthdatescalendar`]: ofMonth(date),
  [`${TYPE}.monthdays2calendar`]: ofMonth(pair),
  [`${TYPE}.monthdayscalendar`]: ofMonth(number),
  [`${TYPE}.yeardatescalendar`]: ofYear(date),
  [`${TYPE}.yeardays2calendar`]: ofYear(pair),
  [`${TYPE}.yeardayscalendar`]: ofYear(number),
  "calendar.monthcalendar": (ctx: Context, year: Value, month: Value) =>
    weeksOf(ctx, 0, yearOf(year), yearOf(month), number),
  "calendar.firstweekday": () => 0,
};

export const MONTH_CALENDARS: Part = {
  natives,
  types: { [TYPE]: CALENDAR_TYPE, "calendar.TextCalendar": TEXT_CALENDAR_TYPE },
};
