/**
 * Time zones: how far the clocks of a zone are from UTC at an instant, and the instant that a clock of a zone shows. The
 * rules are those of the platform (IANA). Instants and offsets are milliseconds.
 */
import { OperationFailure } from "../../errors/failures.ts";

/** Milliseconds that the clocks of a zone are ahead of UTC at an instant. */
export type Zone = (instant: number) => number;

const MINUTE = 60_000;
const DAY = 86_400_000;
const MAX_ZONES = 1_000;

const FIXED = /^(?:UTC|GMT)?([+-])([01][0-9]|2[0-3]):?([0-5][0-9])$/;
/** How `longOffset` writes it: `GMT`, `GMT+05:30`, `GMT-00:44:30`. */
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/;

export const utc: Zone = () => 0;

/** Opened zones by name. A formatter takes the platform a millisecond. */
const zones = new Map<string, Zone>();

/** `name`: an IANA name, `UTC`, `Z` or an offset such as `+02:00`. Fails for anything else. */
export function zoneOf(name: string): Zone {
  if (name === "Z" || name === "UTC" || name === "") return utc;
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = fixedZone(name) ?? namedZone(name);
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(name, zone);
  return zone;
}

function fixedZone(name: string): Zone | null {
  const [found, sign, hours, minutes] = FIXED.exec(name) ?? [];
  if (found === undefined) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE * (sign === "-" ? -1 : 1) + 0;
  return () => offset;
}

function namedZone(name: string): Zone {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset", year: "numeric" });
  } catch {
    throw new OperationFailure("unknown time zone", "value_error");
  }
  return (instant) => {
    const [, sign, hours, minutes, seconds = "0"] = OFFSET.exec(format.format(instant)) ?? [];
    if (sign === undefined) return 0;
    const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === "-" ? -offset : offset;
  };
}

/**
 * The instant at which clocks of the zone show `local`, milliseconds as if they were UTC. Of a time that is shown twice the first
 * one; one that is left out when clocks are put forward is as much later as they are.
 */
export function instantOf(local: number, zone: Zone): number {
  if (zone === utc) return local;
  const before = zone(local - DAY);
  const after = zone(local + DAY);
  if (before === after) return local - before;
  const first = local - before;
  if (zone(first) === before) return first;
  const second = local - after;
  return zone(second) === after ? second : first;
}
