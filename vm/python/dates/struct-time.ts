/** Tuples of times, which the module time gives and takes (`time.struct_time`), as CPython and glibc read them where the zone is UTC. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { PyDate, PyDatetime, PyStructTime, PyTime, STRUCT_TIME_TYPE } from "../kinds/dates.ts";
import { PyTuple } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Context, fillSlots, typeOf, type Value } from "../object.ts";
import { isInt } from "../operators/numbers.ts";
import { repr } from "../operators/text.ts";
import {
  DAY_SECONDS,
  dayOfYear,
  daysInMonth,
  EPOCH_ORDINAL,
  MAX_YEAR,
  MIN_YEAR,
  ordinalOf,
  weekdayOf,
} from "./calendar.ts";
import { isoTime, MONTHS, strftime, WEEKDAYS } from "./write.ts";

const NAMES = ["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"];
/** With `tm_zone` and `tm_gmtoff`. */
const MOST_FIELDS = 11;

fillSlots<PyStructTime>(STRUCT_TIME_TYPE, {
  repr: ({ items }, ctx) =>
    `time.struct_time(${NAMES.map((name, at) => `${name}=${repr(items[at] as Value, ctx)}`).join(", ")})`,
  attribute: (self, name) => {
    const at = NAMES.indexOf(name);
    if (at >= 0) return self.items[at];
    if (name === "tm_zone") return self.zone;
    return name === "tm_gmtoff" ? self.offset : undefined;
  },
});

/** `isDst`: 0, or -1 where nothing says it. */
export function structOf(
  ctx: Context,
  value: PyDate,
  isDst: number,
  zone: string | null,
  offset: number | null,
): PyStructTime {
  const { hour, minute, second } = value instanceof PyDatetime ? value.time : { hour: 0, minute: 0, second: 0 };
  const clock = [hour, minute, second, weekdayOf(value), dayOfYear(value), isDst];
  ctx.alloc(Bytes.Object + NAMES.length * Bytes.Element);
  return new PyStructTime([value.year, value.month, value.day, ...clock], zone, offset);
}

/** `time.struct_time(…)`. */
export function structOfFields(ctx: Context, fields: readonly Value[]): PyStructTime {
  const { length } = fields;
  if (length < NAMES.length || length > MOST_FIELDS) {
    const [bound, count] = length < NAMES.length ? ["least", NAMES.length] : ["most", MOST_FIELDS];
    throw raised(TYPE_ERROR, `time.struct_time() takes an at ${bound} ${count}-sequence (${length}-sequence given)`);
  }
  const [zone = null, offset = null] = fields.slice(NAMES.length);
  if ((zone !== null && typeof zone !== "string") || (offset !== null && typeof offset !== "number"))
    throw notExact("the zone of a struct_time is a text, and its distance a number of seconds");
  ctx.alloc(Bytes.Object + NAMES.length * Bytes.Element);
  return new PyStructTime(fields.slice(0, NAMES.length), zone, offset);
}

type Nine = readonly [number, number, number, number, number, number, number, number, number];

/** Nine ints, as C reads a tuple of times for a function. */
function intsOf(value: Value, called: string): Nine {
  if (!(value instanceof PyTuple)) throw raised(TYPE_ERROR, "Tuple or struct_time argument required");
  if (value.items.length !== NAMES.length) throw raised(TYPE_ERROR, `${called}(): illegal time tuple argument`);
  return value.items.map((item) => {
    const int = typeof item === "boolean" ? Number(item) : item;
    if (!isInt(int)) throw raised(TYPE_ERROR, `'${typeOf(int).name}' object cannot be interpreted as an integer`);
    if (typeof int === "bigint" || Math.abs(int) >= 2 ** 31) throw notExact("a part of a time is below 2 ** 31");
    return int;
  }) as unknown as Nine;
}

/**
 * The time that a tuple means to strftime and asctime. What C would write without a look at the calendar ends the run: a day that the month lacks,
 * another weekday than the date has, a second of 60.
 */
function timeOf(value: Value, called: string): PyDatetime {
  const [year, month, day, hour, minute, second, weekday, yearDay] = intsOf(value, called);
  // 0 counts as 1 in a month, a day, and a day of the year.
  const faults: readonly (readonly [boolean, string])[] = [
    [month < 0 || month > 12, "month"],
    [day < 0 || day > 31, "day of month"],
    [hour < 0 || hour > 23, "hour"],
    [minute < 0 || minute > 59, "minute"],
    [second < 0 || second > 61, "seconds"],
    [weekday < -1, "day of week"],
    [yearDay < 0 || yearDay > 366, "day of year"],
  ];
  const fault = faults.find(([isWrong]) => isWrong);
  if (fault !== undefined) throw raised(VALUE_ERROR, `${fault[1]} out of range`);
  if (year < MIN_YEAR || year > MAX_YEAR || second > 59)
    throw notExact("a tuple of a time is not a time of a calendar");
  const [realMonth, realDay] = [Math.max(month, 1), Math.max(day, 1)];
  const date = new PyDate(year, realMonth, realDay);
  const isReal = realDay <= daysInMonth(year, realMonth);
  if (!isReal || (weekday + 7) % 7 !== weekdayOf(date) || Math.max(yearDay, 1) !== dayOfYear(date))
    throw notExact("weekday and day of the year of a time are not those of its date; use gmtime or timetuple");
  return new PyDatetime(year, realMonth, realDay, new PyTime(hour, minute, second, 0, null, 0));
}

/** `time.strftime(format, t)`. A tuple without a zone is a time of UTC. */
export function structText(format: string, value: Value): string {
  const time = timeOf(value, "strftime");
  const [zone, offset] = value instanceof PyStructTime ? [value.zone, value.offset] : ["UTC", 0];
  // Where CPython does not know the zone it writes nothing, as for a naive datetime.
  return strftime(format, time, (letter) => {
    if (letter === "f") throw notExact("the directive %f is not supported in time.strftime");
    if (letter === "Z") return zone ?? "";
    if (letter !== "z") return null;
    if (offset === null) return "";
    const minutes = Math.floor(Math.abs(offset) / 60);
    return `${offset < 0 ? "-" : "+"}${String(Math.floor(minutes / 60) * 100 + (minutes % 60)).padStart(4, "0")}`;
  });
}

/** `time.asctime(t)`. */
export function structInWords(value: Value): string {
  return inWords(timeOf(value, "asctime"), 1);
}

/** As C writes a time: `Wed Jan  3 00:00:00 2024`. */
export function inWords(value: PyDate, yearDigits: number): string {
  const weekday = (WEEKDAYS[weekdayOf(value)] as string).slice(0, 3);
  const month = (MONTHS[value.month - 1] as string).slice(0, 3);
  const clock = value instanceof PyDatetime ? isoTime(value.time, null, "seconds") : "00:00:00";
  return `${weekday} ${month} ${String(value.day).padStart(2)} ${clock} ${String(value.year).padStart(yearDigits, "0")}`;
}

/** `time.mktime(t)`: seconds since 1970, where parts may be beyond their bounds. */
export function secondsOf(value: Value): number {
  const [year, month, day, hour, minute, second, , , isDst] = intsOf(value, "mktime");
  if (isDst > 0) throw notExact("mktime of a time of summer is not supported, because the zone of a run is UTC");
  const months = year * 12 + month - 1;
  const realYear = Math.floor(months / 12);
  if (realYear < MIN_YEAR || realYear > MAX_YEAR) throw notExact("the year of mktime is not 1 to 9999");
  const first = ordinalOf(new PyDate(realYear, months - realYear * 12 + 1, 1));
  return (first + day - 1 - EPOCH_ORDINAL) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}
