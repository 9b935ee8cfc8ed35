/** Offsets of aware values: fixed ones, and those of the platform's zones with the rules of PEP 495 for times that clocks show twice or not at all. */
import { KEY_ERROR, raised } from "../exceptions.ts";
import { PyDatetime, PyTime, PyTimezone, type PyTzinfo, PyZoneInfo } from "../kinds/dates.ts";
import { notExact } from "../not-exact.ts";
import { PyType } from "../object.ts";
import { DAY_SECONDS, datetimeOfMicros, EPOCH_ORDINAL, ordinalOf, SECOND_MICROS, wallMicros } from "./calendar.ts";

export const ZONE_NOT_FOUND = new PyType(
  "ZoneInfoNotFoundError",
  [KEY_ERROR, ...KEY_ERROR.bases],
  {},
  "zoneinfo._common.ZoneInfoNotFoundError",
);

/** The platform's data of earlier years differs from system to system. */
const FIRST_YEAR = 1970;

/** How `longOffset` writes it: `GMT`, `GMT+05:30`, `GMT-00:44:30`. */
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/;
const zones = new Map<string, PyZoneInfo>();
const MAX_ZONES = 1_000;

export function zoneInfo(key: string): PyZoneInfo {
  const known = zones.get(key);
  if (known !== undefined) return known;
  const zone = new PyZoneInfo(key, offsetsOf(key));
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(key, zone);
  return zone;
}

function offsetsOf(key: string): (instant: number) => number {
  let format: Intl.DateTimeFormat | null = null;
  try {
    if (/^[A-Za-z]/.test(key))
      format = new Intl.DateTimeFormat("en-US", { timeZone: key, timeZoneName: "longOffset", year: "numeric" });
  } catch {
    // It is not known.
  }
  const canonical = format?.resolvedOptions().timeZone;
  const isMisspelt = canonical !== key && canonical?.toLowerCase() === key.toLowerCase() && key !== "UTC";
  if (format === null || isMisspelt) throw raised(ZONE_NOT_FOUND, `No time zone found with key ${key}`);
  const written = format;
  let last = { hour: Number.NaN, offset: 0 };
  return (instant) => {
    // Offsets change at full quarters of an hour.
    const hour = Math.floor(instant / 900);
    if (last.hour === hour) return last.offset;
    const [, sign, hours, minutes, seconds = "0"] = OFFSET.exec(written.format(hour * 900_000)) ?? [];
    const size = sign === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    last = { hour, offset: sign === "-" ? -size : size };
    return last.offset;
  };
}

/** Seconds since 1970 that the clock shows. */
function wallSeconds(value: PyDatetime): number {
  const { hour, minute, second } = value.time;
  return (ordinalOf(value) - EPOCH_ORDINAL) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}

/** In microseconds; null: the value is naive, or a time in a zone that changes. */
export function offsetOf(value: PyDatetime | PyTime): number | null {
  const { zone } = value instanceof PyDatetime ? value.time : value;
  if (zone instanceof PyTimezone) return zone.offset;
  if (!(zone instanceof PyZoneInfo) || !(value instanceof PyDatetime)) return null;
  if (value.year < FIRST_YEAR) throw notExact(`time zones are known from the year ${FIRST_YEAR} on`);
  return zoneOffset(wallSeconds(value), zone, value.time.fold) * 1_000_000;
}

/** Clocks that were put back show a time twice; one that was left out takes the offset before it, with `fold` the one after it. */
function zoneOffset(wall: number, { offsetAt }: PyZoneInfo, fold: number): number {
  const before = offsetAt(wall - DAY_SECONDS);
  const after = offsetAt(wall + DAY_SECONDS);
  if (before === after) {
    // Two changes within two days, or none.
    return offsetAt(wall - before);
  }
  const isBefore = offsetAt(wall - before) === before;
  const isAfter = offsetAt(wall - after) === after;
  if (isBefore !== isAfter) return isBefore ? before : after;
  return fold === 0 ? before : after;
}

/** An instant of UTC as the clocks of a zone show it. */
export function fromUtc(micros: bigint, zone: PyTzinfo): PyDatetime {
  if (zone instanceof PyTimezone) return datetimeOfMicros(micros + BigInt(zone.offset), zone);
  const { offsetAt } = zone as PyZoneInfo;
  const instant = Number(micros / SECOND_MICROS) - EPOCH_ORDINAL * DAY_SECONDS;
  if (instant < 0) throw notExact(`time zones are known from the year ${FIRST_YEAR} on`);
  const offset = offsetAt(instant);
  const shown = datetimeOfMicros(micros + BigInt(offset) * SECOND_MICROS, zone);
  // Shown for the second time if the first offset is another one.
  const isSecond = zoneOffset(instant + offset, zone as PyZoneInfo, 0) !== offset;
  return isSecond ? datetimeOfMicros(wallMicros(shown), zone, 1) : shown;
}

/** The instant of an aware value. */
export function utcMicros(value: PyDatetime, offset: number): bigint {
  return wallMicros(value) - BigInt(offset);
}

/** `+05:30`, `+05:30:10.000001`. */
export function offsetText(offset: number, separator: string): string {
  const size = Math.abs(offset);
  const seconds = Math.floor(size / 1_000_000);
  const two = (value: number): string => String(value).padStart(2, "0");
  let text = `${offset < 0 ? "-" : "+"}${two(Math.floor(seconds / 3600))}${separator}${two(Math.floor(seconds / 60) % 60)}`;
  if (size % 60_000_000 !== 0) text += separator + two(seconds % 60);
  if (size % 1_000_000 !== 0) text += `.${String(size % 1_000_000).padStart(6, "0")}`;
  return text;
}

const HOUR = 3_600_000_000;

/** Abbreviations of some zones since 1970 by their hours ahead of UTC: the platform does not tell them in one spelling. */
const ABBREVIATIONS: readonly (readonly [zones: string, names: { readonly [hours: string]: string }])[] = [
  [
    "Europe/Amsterdam Europe/Berlin Europe/Brussels Europe/Budapest Europe/Copenhagen Europe/Madrid Europe/Oslo Europe/Paris Europe/Prague Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich",
    { 1: "CET", 2: "CEST" },
  ],
  ["Europe/Athens Europe/Bucharest Europe/Helsinki", { 2: "EET", 3: "EEST" }],
  ["Europe/London", { 0: "GMT", 1: "BST" }],
  ["America/New_York America/Toronto", { "-5": "EST", "-4": "EDT" }],
  ["America/Chicago", { "-6": "CST", "-5": "CDT" }],
  ["America/Denver", { "-7": "MST", "-6": "MDT" }],
  ["America/Los_Angeles", { "-8": "PST", "-7": "PDT" }],
  ["Asia/Tokyo", { 9: "JST" }],
  ["Asia/Kolkata", { 5.5: "IST" }],
  ["Australia/Sydney", { 10: "AEST", 11: "AEDT" }],
];

function abbreviationOf(key: string, offset: number): string | undefined {
  return ABBREVIATIONS.find(([zones]) => zones.split(" ").includes(key))?.[1][String(offset / HOUR)];
}

/** `tzname()`: null for naive values. */
export function zoneName(value: PyDatetime | PyTime): string | null {
  const { zone } = value instanceof PyDatetime ? value.time : value;
  if (zone === null) return null;
  if (zone instanceof PyTimezone) return timezoneName(zone);
  if ((zone as PyZoneInfo).key === "UTC") return "UTC";
  if (value instanceof PyTime) return null;
  const name = abbreviationOf((zone as PyZoneInfo).key, offsetOf(value) as number);
  if (name === undefined) throw notExact("the abbreviations of this time zone are not known; use %z");
  return name;
}

export function timezoneName({ offset, name }: PyTimezone): string {
  return name ?? (offset === 0 ? "UTC" : `UTC${offsetText(offset, ":")}`);
}
