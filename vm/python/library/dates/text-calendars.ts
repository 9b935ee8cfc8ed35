/** `calendar.TextCalendar`: months and years as texts, with the names that CPython has without a locale. */
import { MONTHS, WEEKDAYS } from "../../dates/write.ts";
import { INDEX_ERROR, raised } from "../../exceptions.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Natives, type Value } from "../../object.ts";
import { truth } from "../../operations.ts";
import { trimEnd } from "../../unicode/trim.ts";
import { made } from "../arguments.ts";
import type { Part } from "../registry.ts";
import { calendarOf, numberOfDay, weekPairs, yearOf } from "./month-calendars.ts";

const MOST_WIDTH = 1000;

/** A width or a number of lines: small, so that nothing large is built. */
function widthOf(value: Value): number {
  const width = yearOf(value);
  if (width > MOST_WIDTH) throw notExact(`widths and lines of a calendar go up to ${MOST_WIDTH} here`);
  return width;
}

/** `text.center(width)` */
function centered(text: string, width: number): string {
  const added = width - text.length;
  if (added <= 0) return text;
  const left = (added >> 1) + (added & width & 1);
  return " ".repeat(left) + text + " ".repeat(added - left);
}

const withoutEnd = (text: string): string => trimEnd(text, (unit) => unit === 32);

function dayText(day: number, width: number): string {
  return centered(day === 0 ? "" : String(day).padStart(2), width);
}

function weekText(days: readonly number[], width: number): string {
  return days.map((day) => dayText(day, width)).join(" ");
}

/** As a list of Python is asked: -1 is its last one. */
function picked(names: readonly string[], at: number): string {
  const name = names.at(at);
  if (name === undefined || at >= names.length) throw raised(INDEX_ERROR, "list index out of range");
  return name;
}

function weekdayText(day: number, width: number): string {
  const name = picked(WEEKDAYS, day);
  const shown = width >= 9 ? name : name.slice(0, 3);
  return centered(width < 0 ? shown.slice(0, width) : shown.slice(0, width), width);
}

function headerText(first: number, width: number): string {
  return Array.from({ length: 7 }, (_, at) => weekdayText((first + at) % 7, width)).join(" ");
}

function monthName(year: number, month: number, width: number, hasYear: boolean): string {
  const name = picked(["", ...MONTHS], month);
  return centered(hasYear ? `${name} ${year}` : name, width);
}

type Widths = { readonly day: number; readonly lines: number };

function monthText(ctx: Context, first: number, year: number, month: number, { day, lines }: Widths): string {
  const end = "\n".repeat(lines);
  const title = withoutEnd(monthName(year, month, 7 * (day + 1) - 1, true));
  const header = withoutEnd(headerText(first, day));
  const weeks = weekPairs(ctx, first, year, month).map((week) => withoutEnd(weekText(week.map(numberOfDay), day)));
  return [title, header, ...weeks].map((line) => line + end).join("");
}

function yearText(
  ctx: Context,
  first: number,
  year: number,
  { day, lines }: Widths,
  gap: number,
  columns: number,
): string {
  const width = (day + 1) * 7 - 1;
  const end = "\n".repeat(lines);
  const line = (cells: readonly string[]): string =>
    withoutEnd(cells.map((cell) => centered(cell, width)).join(" ".repeat(gap))) + end;
  const parts = [withoutEnd(centered(String(year), width * columns + gap * (columns - 1))), end];
  const header = headerText(first, day);
  for (let from = 1; from <= 12; from += columns) {
    const months = Array.from({ length: Math.min(columns, 13 - from) }, (_, at) => from + at);
    const weeks = months.map((month) => weekPairs(ctx, first, year, month));
    parts.push(end, line(months.map((month) => monthName(year, month, width, false))), line(months.map(() => header)));
    const height = weeks.reduce((most, month) => Math.max(most, month.length), 0);
    for (let at = 0; at < height; at += 1)
      parts.push(line(weeks.map((month) => weekText(month[at]?.map(numberOfDay) ?? [], day))));
  }
  return parts.join("");
}

function written(ctx: Context, text: string): string {
  ctx.charge(text.length);
  return made(ctx, text);
}

function month(ctx: Context, first: number, year: Value, which: Value, w: Value, l: Value): string {
  const widths = { day: Math.max(2, widthOf(w)), lines: Math.max(1, widthOf(l)) };
  ctx.room((8 * (widths.day + 1) * 7 + widths.lines * 8) * Bytes.Unit);
  return written(ctx, monthText(ctx, first, intOf(year), intOf(which), widths));
}

function wholeYear(ctx: Context, first: number, year: Value, w: Value, l: Value, c: Value, m: Value): string {
  const widths = { day: Math.max(2, widthOf(w)), lines: Math.max(1, widthOf(l)) };
  const [gap, columns] = [Math.max(2, widthOf(c)), widthOf(m)];
  if (columns < 1 || columns > 12) throw notExact("a calendar has 1 to 12 columns of months here");
  ctx.room(100 * columns * (widths.day * 8 + gap + widths.lines) * Bytes.Unit);
  return written(ctx, yearText(ctx, first, intOf(year), widths, gap, columns));
}

/** Its text is another one than that of a bool. */
function intOf(value: Value): number {
  if (typeof value === "boolean") throw notExact("a year or month of calendar is not a bool");
  return yearOf(value);
}

/** `[(day, weekday), …]` */
function week(ctx: Context, value: Value, width: Value): string {
  const pairs = value instanceof PyList || value instanceof PyTuple ? value.items : null;
  if (pairs === null) throw notExact("a week of a calendar is a list of tuples here");
  const days = pairs.map((one) => {
    if (!(one instanceof PyTuple) || one.items.length !== 2) throw notExact("a day of a week is a tuple of two ints");
    return yearOf(one.items[0] as Value);
  });
  const size = widthOf(width);
  ctx.room(days.length * (Math.max(0, size) + 17) * Bytes.Unit);
  return written(ctx, weekText(days, size));
}

const TYPE = "calendar.TextCalendar";

const natives: Natives = {
  [`${TYPE}.formatday`]: (ctx: Context, _self: Value, day: Value, _weekday: Value, width: Value) =>
    written(ctx, dayText(yearOf(day), widthOf(width))),
  [`${TYPE}.formatweek`]: (ctx: Context, _self: Value, days: Value, width: Value) => week(ctx, days, width),
  [`${TYPE}.formatweekday`]: (ctx: Context, _self: Value, day: Value, width: Value) =>
    written(ctx, weekdayText(yearOf(day), widthOf(width))),
  [`${TYPE}.formatweekheader`]: (ctx: Context, self: Value, width: Value) =>
    written(ctx, headerText(calendarOf(self).first, widthOf(width))),
  [`${TYPE}.formatmonthname`]: (ctx: Context, _self: Value, year: Value, which: Value, width: Value, hasYear: Value) =>
    written(ctx, monthName(intOf(year), yearOf(which), widthOf(width), truth(hasYear, ctx))),
  [`${TYPE}.formatmonth`]: (ctx: Context, self: Value, year: Value, which: Value, w: Value, l: Value) =>
    month(ctx, calendarOf(self).first, year, which, w, l),
  [`${TYPE}.formatyear`]: (ctx: Context, self: Value, year: Value, w: Value, l: Value, c: Value, m: Value) =>
    wholeYear(ctx, calendarOf(self).first, year, w, l, c, m),
  "calendar.month": (ctx: Context, year: Value, which: Value, w: Value, l: Value) => month(ctx, 0, year, which, w, l),
  "calendar.calendar": (ctx: Context, year: Value, w: Value, l: Value, c: Value, m: Value) =>
    wholeYear(ctx, 0, year, w, l, c, m),
  "calendar.week": week,
  "calendar.weekheader": (ctx: Context, width: Value) => written(ctx, headerText(0, widthOf(width))),
};

export const TEXT_CALENDARS: Part = { natives, types: {} };
