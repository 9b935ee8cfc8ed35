/**
 * Instants as text: RFC 3339, the codes of `strftime` (`%Y-%m-%d`) and letters as in `YYYY-MM-DD HH:mm`. Names of months
 * and days are English.
 */
import { OperationFailure } from "../../errors/failures.ts";
import { type Parts, partsOf } from "./calendar.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

/** What a pattern may write. `offset` is that of the zone, in milliseconds. */
type Moment = Parts & { readonly instant: number; readonly offset: number };

function digits(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function month({ month }: Parts): string {
  return MONTHS[month - 1] ?? "";
}

function day({ weekday }: Parts): string {
  return DAYS[weekday - 1] ?? "";
}

function hour12({ hour }: Parts): number {
  return hour % 12 === 0 ? 12 : hour % 12;
}

function offsetText(offset: number, colon: string): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  return `${offset < 0 ? "-" : "+"}${digits(Math.floor(minutes / 60), 2)}${colon}${digits(minutes % 60, 2)}`;
}

function dateText({ year, month, day }: Parts): string {
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

function timeText({ hour, minute, second }: Parts): string {
  return `${digits(hour, 2)}:${digits(minute, 2)}:${digits(second, 2)}`;
}

/** `2024-03-31T02:30:00+02:00`; milliseconds where there are any, `Z` for UTC. */
function rfc3339(moment: Moment): string {
  const fraction = moment.millisecond === 0 ? "" : `.${digits(moment.millisecond, 3)}`;
  const zone = moment.offset === 0 ? "Z" : offsetText(moment.offset, ":");
  return `${dateText(moment)}T${timeText(moment)}${fraction}${zone}`;
}

type Writer = (moment: Moment) => string;

const CODES: Readonly<Record<string, Writer>> = {
  Y: (m) => digits(m.year, 4),
  y: (m) => digits(m.year % 100, 2),
  m: (m) => digits(m.month, 2),
  d: (m) => digits(m.day, 2),
  e: (m) => String(m.day).padStart(2, " "),
  H: (m) => digits(m.hour, 2),
  I: (m) => digits(hour12(m), 2),
  M: (m) => digits(m.minute, 2),
  S: (m) => digits(m.second, 2),
  f: (m) => digits(m.millisecond * 1000, 6),
  L: (m) => digits(m.millisecond, 3),
  p: (m) => (m.hour < 12 ? "AM" : "PM"),
  j: (m) => digits(m.yearday, 3),
  b: (m) => month(m).slice(0, 3),
  B: (m) => month(m),
  a: (m) => day(m).slice(0, 3),
  A: (m) => day(m),
  u: (m) => String(m.weekday),
  w: (m) => String(m.weekday % 7),
  V: (m) => digits(m.week, 2),
  G: (m) => digits(m.weekyear, 4),
  F: dateText,
  T: timeText,
  z: (m) => offsetText(m.offset, ""),
  s: (m) => String(Math.floor(m.instant / 1000)),
  "%": () => "%",
};

const CODE = /%(-?)([A-Za-z%])?/g;

const LETTERS: Readonly<Record<string, Writer>> = {
  YYYY: (m) => digits(m.year, 4),
  yyyy: (m) => digits(m.year, 4),
  YY: (m) => digits(m.year % 100, 2),
  yy: (m) => digits(m.year % 100, 2),
  MMMM: (m) => month(m),
  MMM: (m) => month(m).slice(0, 3),
  MM: (m) => digits(m.month, 2),
  M: (m) => String(m.month),
  DD: (m) => digits(m.day, 2),
  dd: (m) => digits(m.day, 2),
  D: (m) => String(m.day),
  d: (m) => String(m.day),
  dddd: (m) => day(m),
  EEEE: (m) => day(m),
  ddd: (m) => day(m).slice(0, 3),
  EEE: (m) => day(m).slice(0, 3),
  HH: (m) => digits(m.hour, 2),
  H: (m) => String(m.hour),
  hh: (m) => digits(hour12(m), 2),
  h: (m) => String(hour12(m)),
  mm: (m) => digits(m.minute, 2),
  m: (m) => String(m.minute),
  ss: (m) => digits(m.second, 2),
  s: (m) => String(m.second),
  SSS: (m) => digits(m.millisecond, 3),
  A: (m) => (m.hour < 12 ? "AM" : "PM"),
  a: (m) => (m.hour < 12 ? "am" : "pm"),
  Z: (m) => offsetText(m.offset, ":"),
  T: () => "T",
};

const LETTER = /\[([^\]]*)\]|'([^']*)'|([A-Za-z])\3*/g;

/** `offset`: of the zone at the instant. Fails for a code that is not known. */
export function writtenInstant(instant: number, offset: number, pattern: string): string {
  const moment: Moment = { ...partsOf(instant + offset), instant, offset };
  if (pattern === "" || pattern === "iso" || pattern === "rfc3339") return rfc3339(moment);
  if (pattern.includes("%")) {
    return pattern.replaceAll(CODE, (code, bare: string, letter = "") => {
      const text = writerOf(CODES, letter, code)(moment);
      return bare === "-" ? text.replace(/^[0 ]+(?=.)/, "") : text;
    });
  }
  return pattern.replaceAll(LETTER, (run, bracketed?: string, quoted?: string) => {
    return bracketed ?? quoted ?? writerOf(LETTERS, run, run)(moment);
  });
}

function writerOf(writers: Readonly<Record<string, Writer>>, key: string, code: string): Writer {
  const writer = Object.hasOwn(writers, key) ? writers[key] : undefined;
  if (writer === undefined) throw new OperationFailure(`unknown code in the date pattern: ${code}`, "value_error");
  return writer;
}
