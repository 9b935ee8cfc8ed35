/** The module calendar, with Monday as the first day of its own functions. */
import { checkedDate, daysInMonth, EPOCH_ORDINAL, isLeap, ordinalOf } from "../../dates/calendar.ts";
import { MONTHS, WEEKDAYS } from "../../dates/write.ts";
import { raised, VALUE_ERROR } from "../../exceptions.ts";
import { PyDate } from "../../kinds/dates.ts";
import { intOf as exactInt } from "../../kinds/float.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Natives } from "../../object.ts";
import { isInt } from "../../operations.ts";
import type { Part } from "../registry.ts";
import { checkedMonth, ILLEGAL_MONTH, MONTH_CALENDARS, weekday, yearOf } from "./month-calendars.ts";
import { TEXT_CALENDARS } from "./text-calendars.ts";

const FUNCTIONS: Natives = {
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

export const CALENDARS: Part = {
  natives: { ...FUNCTIONS, ...MONTH_CALENDARS.natives, ...TEXT_CALENDARS.natives },
  types: { "calendar.IllegalMonthError": ILLEGAL_MONTH, ...MONTH_CALENDARS.types, ...TEXT_CALENDARS.types },
  values: {
    "calendar.day_name": new PyTuple(WEEKDAYS),
    "calendar.day_abbr": new PyTuple(shortNames(WEEKDAYS)),
    "calendar.month_name": new PyTuple(["", ...MONTHS]),
    "calendar.month_abbr": new PyTuple(["", ...shortNames(MONTHS)]),
    ...Object.fromEntries(DAYS.map((name, index) => [`calendar.${name}`, index])),
  },
};
