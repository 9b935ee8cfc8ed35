/** Texts of dates and times: ISO 8601, `repr`, and formats of strftime as glibc writes them in the locale C. */
import { raised, VALUE_ERROR } from "../exceptions.ts";
import { PyDate, PyDatetime, PyTime, type PyTimedelta } from "../kinds/dates.ts";
import { notExact } from "../not-exact.ts";
import type { Context } from "../object.ts";
import { repr } from "../operators/text.ts";
import { DAY_MICROS, dayOfYear, isoCalendar, SECOND_MICROS, weekdayOf } from "./calendar.ts";
import { offsetOf, offsetText, zoneName } from "./zones.ts";

export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const padded = (value: number, width: number, fill = "0"): string => String(value).padStart(width, fill);

export function isoDate({ year, month, day }: PyDate): string {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

export function isoTime(time: PyTime, offset: number | null, timespec: string): string {
  const { hour, minute, second, micro } = time;
  const hours = padded(hour, 2);
  const minutes = `${hours}:${padded(minute, 2)}`;
  const seconds = `${minutes}:${padded(second, 2)}`;
  const zone = offset === null ? "" : offsetText(offset, ":");
  switch (timespec) {
    case "auto":
      return seconds + (micro === 0 ? "" : `.${padded(micro, 6)}`) + zone;
    case "hours":
      return hours + zone;
    case "minutes":
      return minutes + zone;
    case "seconds":
      return seconds + zone;
    case "milliseconds":
      return `${seconds}.${padded(Math.floor(micro / 1000), 3)}${zone}`;
    case "microseconds":
      return `${seconds}.${padded(micro, 6)}${zone}`;
    default:
      throw raised(VALUE_ERROR, "Unknown timespec value");
  }
}

export function isoDatetime(value: PyDatetime, separator: string, timespec: string): string {
  return isoDate(value) + separator + isoTime(value.time, offsetOf(value), timespec);
}

/** `1 day, 2:03:04.000005`. */
export function timedeltaText({ micros }: PyTimedelta): string {
  const [days, rest] = daysAndRest(micros);
  const seconds = rest / SECOND_MICROS;
  const micro = Number(rest % SECOND_MICROS);
  const clock = `${seconds / 3600n}:${padded(Number((seconds / 60n) % 60n), 2)}:${padded(Number(seconds % 60n), 2)}`;
  const plural = days === 1n || days === -1n ? "" : "s";
  return (days === 0n ? "" : `${days} day${plural}, `) + clock + (micro === 0 ? "" : `.${padded(micro, 6)}`);
}

export function timedeltaRepr({ micros }: PyTimedelta): string {
  const [days, rest] = daysAndRest(micros);
  const parts = [
    days === 0n ? "" : `days=${days}`,
    rest < SECOND_MICROS ? "" : `seconds=${rest / SECOND_MICROS}`,
    rest % SECOND_MICROS === 0n ? "" : `microseconds=${rest % SECOND_MICROS}`,
  ].filter((part) => part !== "");
  return `datetime.timedelta(${parts.length === 0 ? "0" : parts.join(", ")})`;
}

/** Whole days, rounded down, and what is left. */
export function daysAndRest(micros: bigint): readonly [bigint, bigint] {
  let days = micros / DAY_MICROS;
  let rest = micros - days * DAY_MICROS;
  if (rest < 0n) {
    days -= 1n;
    rest += DAY_MICROS;
  }
  return [days, rest];
}

export function valueRepr(value: PyDate | PyTime, ctx: Context): string {
  if (value instanceof PyDatetime) {
    const { hour, minute } = value.time;
    return withEnd(
      `datetime.datetime(${value.year}, ${value.month}, ${value.day}, ${hour}, ${minute}`,
      value.time,
      ctx,
    );
  }
  if (value instanceof PyTime) return withEnd(`datetime.time(${value.hour}, ${value.minute}`, value, ctx);
  return `datetime.date(${value.year}, ${value.month}, ${value.day})`;
}

function withEnd(start: string, { second, micro, zone, fold }: PyTime, ctx: Context): string {
  let text = start;
  if (micro !== 0) text += `, ${second}, ${micro}`;
  else if (second !== 0) text += `, ${second}`;
  if (fold !== 0) text += ", fold=1";
  if (zone !== null) text += `, tzinfo=${repr(zone, ctx)}`;
  return `${text})`;
}

type Parts = { readonly date: PyDate; readonly time: PyTime; readonly value: PyDate | PyTime };

/** A number with its width; `fill` is what stands in front. */
const number = (value: number, width: number, fill = "0") => ({ value, width, fill });

function directive(letter: string, parts: Parts): string | ReturnType<typeof number> {
  const { date, time, value } = parts;
  const hour12 = ((time.hour + 11) % 12) + 1;
  const weekday = weekdayOf(date);
  const expand = (format: string): string => strftime(format, value);
  switch (letter) {
    case "a":
      return (WEEKDAYS[weekday] as string).slice(0, 3);
    case "A":
      return WEEKDAYS[weekday] as string;
    case "b":
    case "h":
      return (MONTHS[date.month - 1] as string).slice(0, 3);
    case "B":
      return MONTHS[date.month - 1] as string;
    case "d":
      return number(date.day, 2);
    case "e":
      return number(date.day, 2, " ");
    case "H":
      return number(time.hour, 2);
    case "I":
      return number(hour12, 2);
    case "k":
      return number(time.hour, 2, " ");
    case "l":
      return number(hour12, 2, " ");
    case "j":
      return number(dayOfYear(date), 3);
    case "m":
      return number(date.month, 2);
    case "M":
      return number(time.minute, 2);
    case "S":
      return number(time.second, 2);
    case "p":
      return time.hour < 12 ? "AM" : "PM";
    case "P":
      return time.hour < 12 ? "am" : "pm";
    case "u":
      return number(weekday + 1, 1);
    case "w":
      return number((weekday + 1) % 7, 1);
    case "U":
      return number(Math.floor((dayOfYear(date) + 6 - ((weekday + 1) % 7)) / 7), 2);
    case "W":
      return number(Math.floor((dayOfYear(date) + 6 - weekday) / 7), 2);
    case "V":
      return number(isoCalendar(date)[1], 2);
    case "G":
      return number(isoCalendar(date)[0], 1);
    case "g":
      return number(isoCalendar(date)[0] % 100, 2);
    case "y":
      return number(date.year % 100, 2);
    case "Y":
      return number(date.year, 1);
    case "f":
      return padded(time.micro, 6);
    case "z": {
      const offset = isAware(value) ? offsetOf(value) : null;
      return offset === null ? "" : offsetText(offset, "");
    }
    case "Z":
      return isAware(value) ? (zoneName(value) ?? "") : "";
    case "c":
      return expand("%a %b %e %H:%M:%S %Y");
    case "x":
    case "D":
      return expand("%m/%d/%y");
    case "X":
    case "T":
      return expand("%H:%M:%S");
    case "r":
      return expand("%I:%M:%S %p");
    case "R":
      return expand("%H:%M");
    case "F":
      return expand("%Y-%m-%d");
    case "n":
      return "\n";
    case "t":
      return "\t";
    case "%":
      return "%";
    default:
      throw notExact(`the directive %${letter} of strftime is not supported`);
  }
}

const isAware = (value: PyDate | PyTime): value is PyDatetime | PyTime =>
  !(value instanceof PyDate) || value instanceof PyDatetime;

/** A time has the date that CPython gives it. */
const DATE_OF_TIMES = new PyDate(1900, 1, 1);
const MIDNIGHT = new PyTime(0, 0, 0, 0, null, 0);

/** `own`: what stands for a directive in place of what is usual; null: that. */
export function strftime(
  format: string,
  value: PyDate | PyTime,
  own: (letter: string) => string | null = () => null,
): string {
  if (format.includes("\0")) throw notExact("a format of strftime has no character 0");
  const date = value instanceof PyTime ? DATE_OF_TIMES : value;
  const time = value instanceof PyTime ? value : value instanceof PyDatetime ? value.time : MIDNIGHT;
  return format.replace(/%(-?)([\s\S]|$)/gu, (_, flag: string, letter: string) => {
    if (letter === "") throw notExact("a format of strftime ends with %; write %%");
    const written = own(letter) ?? directive(letter, { date, time, value });
    if (typeof written === "string") {
      if (flag !== "") throw notExact(`the directive %-${letter} of strftime is not supported`);
      return written;
    }
    return flag === "-" ? String(written.value) : padded(written.value, written.width, written.fill);
  });
}
