/**
 * Times of calendars: the clock on the wall, as milliseconds of a day count without zone, and instants, as milliseconds since 1970. A zone
 * leads from one to the other; named ones are those of the platform (IANA), others come from the calendar (`vtimezone.ts`).
 */
import { badCalendar } from "./ical.ts";

export const DAY_MS = 86_400_000;

export type Zone = {
  readonly name: string;
  /** Milliseconds that the wall is ahead of UTC at an instant. */
  offsetAt(utcMs: number): number;
};

export const UTC: Zone = { name: "UTC", offsetAt: () => 0 };

/** A start or end. `floating`: it names no zone, and holds wherever one is. */
export type Moment = {
  readonly wall: number;
  readonly allDay: boolean;
  readonly zone: Zone;
  readonly floating: boolean;
  readonly utc: number;
};

const zones = new Map<string, Zone | null>();
/** More names than there are, in all their spellings. */
const MAX_ZONES = 2_000;

/** A zone of the platform; null: it has none of that name. */
export function namedZone(name: string): Zone | null {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = platformZone(name);
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(name, zone);
  }
  return zone;
}

function platformZone(name: string): Zone | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return null;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return null;
  }
  const { timeZone } = format.resolvedOptions();
  if (timeZone === "UTC") return UTC;
  return { name: timeZone, offsetAt: (utcMs) => statedOffset(format, utcMs) };
}

/** `GMT`, `GMT+01:00`, or with seconds in times long past. */
function statedOffset(format: Intl.DateTimeFormat, utcMs: number): number {
  const stated = format.formatToParts(utcMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(stated) ?? [];
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -ms : ms;
}

/** The instant at which a wall shows this. A time that is skipped counts from before the change; of two equal ones the first is meant. */
export function instantOf(wall: number, zone: Zone): number {
  const before = zone.offsetAt(wall - DAY_MS);
  if (zone.offsetAt(wall - before) === before) return wall - before;
  const after = zone.offsetAt(wall + DAY_MS);
  return zone.offsetAt(wall - after) === after ? wall - after : wall - before;
}

/** Whether a wall shows a time that it showed before, as it does when it is put back: the time alone means the first one. */
export function isShownAgain({ wall, utc, zone }: Moment): boolean {
  return instantOf(wall, zone) !== utc;
}

export function wallOf(utcMs: number, zone: Zone): number {
  return utcMs + zone.offsetAt(utcMs);
}

type Kind = { readonly allDay: boolean; readonly floating: boolean };

export function momentAt(wall: number, zone: Zone, { allDay, floating }: Kind): Moment {
  return { wall, zone, allDay, floating, utc: instantOf(wall, zone) };
}

/** The same kind of time as `like`, at an instant. */
export function momentLike(utcMs: number, like: Moment): Moment {
  return { ...like, wall: wallOf(utcMs, like.zone), utc: utcMs };
}

/** The beginning of a day. The platform's own takes years below 100 for those of the last century. */
export function utcOf(year: number, month = 0, day = 1): number {
  return year > 99 ? Date.UTC(year, month, day) : new Date(0).setUTCFullYear(year, month, day);
}

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(Z)?)?$/;

/** The wall that a date or time of jCal shows, and what kind it is. Throws ADAPTER_BAD_DATA. */
export function readTime(value: unknown): { readonly wall: number; readonly allDay: boolean; readonly utc: boolean } {
  const found = typeof value === "string" ? WRITTEN.exec(value) : null;
  if (found === null) throw badCalendar("has a time that does not exist");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const wall = utcOf(year, month - 1, day) + ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000;
  // Sixty seconds are a leap second; what else does not come back as it was given does not exist.
  const back = new Date(wall);
  if (
    back.getUTCFullYear() !== year ||
    back.getUTCMonth() !== month - 1 ||
    back.getUTCDate() !== day ||
    hour > 23 ||
    minute > 59 ||
    second > 60
  )
    throw badCalendar("has a time that does not exist");
  return { wall, allDay: found[4] === undefined, utc: found[7] === "Z" };
}

/** What the formats of times can say: years of four digits. */
const FIRST_MS = utcOf(0);
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether a time can be written, by its own clock and by that of UTC. */
export function isWritable({ wall, utc }: Moment): boolean {
  return Math.min(wall, utc) >= FIRST_MS && Math.max(wall, utc) <= LAST_MS;
}

/** Milliseconds as `2027-03-01T09:00:00.000Z`; what is too far away is as far as can be written. */
export function isoTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString();
}

/** A wall as jCal writes it: `2027-03-01` or `2027-03-01T09:00:00`. */
export function jcalTime(wall: number, allDay: boolean): string {
  return isoTime(wall).slice(0, allDay ? 10 : 19);
}

/** As programs see it: a date, or RFC 3339 with the offset that holds then. */
export function writtenTime({ wall, utc, allDay, zone }: Moment): string {
  if (allDay) return jcalTime(wall, true);
  // Offsets of times long past have seconds, which the format cannot express.
  const minutes = Math.round(zone.offsetAt(utc) / 60_000);
  const shown = jcalTime(utc + minutes * 60_000, false);
  if (minutes === 0) return `${shown}Z`;
  const part = (count: number) => String(count).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${shown}${minutes < 0 ? "-" : "+"}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}
