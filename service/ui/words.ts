/**
 * Times, durations, sizes and counts as a person reads them. Formats of the platform take 15 ms to begin with, a fifth of what a list of 500 jobs
 * takes, so only times in zones use them.
 */
import { nounFor } from "../../grammar/text/english.ts";

const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

export function ago(time: string, now: number = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  if (seconds === 0) return "now";
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const);
  const count = Math.round(Math.abs(seconds) / size);
  if (unit === "day" && count === 1) return seconds < 0 ? "yesterday" : "tomorrow";
  const span = counted(count, unit);
  return seconds < 0 ? `${span} ago` : `in ${span}`;
}

export function exact(time: string): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(" ");
  // Of a file from somebody's disk, say.
  if (clock === undefined) return time;
  return `${Number(day)} ${month} ${year}, ${clock} UTC`;
}

/** The same time in a zone. */
export function inZone(time: string, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone }).format(
    Date.parse(time),
  );
}

export function duration(ms: number): string {
  if (ms < 1000) return `${number(Math.round(ms * 10) / 10)} ms`;
  if (ms < 60_000) return `${number(Math.round(ms / 100) / 10)} s`;
  if (ms < 3_600_000) return inTwo(Math.round(ms / 1000), 60, "min", "s");
  if (ms < 86_400_000) return inTwo(Math.round(ms / 60_000), 60, "h", "min");
  return inTwo(Math.round(ms / 3_600_000), 24, "d", "h");
}

/** `count`: of the smaller unit; `size` of them are one of the larger. */
function inTwo(count: number, size: number, larger: string, smaller: string): string {
  const rest = count % size;
  return `${number((count - rest) / size)} ${larger}${rest === 0 ? "" : ` ${rest} ${smaller}`}`;
}

/** `1,200 jobs`. */
export const counted = (count: number, noun: string, plural?: string): string =>
  `${number(count)} ${nounFor(count, noun, plural)}`;

/** `runtime_error` as a person reads it. */
export const spaced = (name: string): string => name.replaceAll("_", " ");

export const number = (value: number): string =>
  String(Math.round(value * 1000) / 1000).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ",");
export const mebibytes = (bytes: number): string => `${number(Math.round(bytes / 1_048_576))} MiB`;
