/** Times, durations, sizes and counts as a person reads them. */
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const EXACT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const NUMBER = new Intl.NumberFormat("en");

export function ago(time: string, now: number = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const);
  return RELATIVE.format(Math.round(seconds / size), unit);
}

export const exact = (time: string): string => `${EXACT.format(Date.parse(time))} UTC`;

/** The same time in a zone. */
export function inZone(time: string, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone }).format(
    Date.parse(time),
  );
}

export function duration(ms: number): string {
  if (ms < 1000) return `${NUMBER.format(Math.round(ms * 10) / 10)} ms`;
  if (ms < 60_000) return `${NUMBER.format(Math.round(ms / 100) / 10)} s`;
  if (ms < 3_600_000) return inTwo(Math.round(ms / 1000), "min", "s");
  return inTwo(Math.round(ms / 60_000), "h", "min");
}

/** `count`: of the smaller unit; 60 are one of the larger. */
function inTwo(count: number, larger: string, smaller: string): string {
  const rest = count % 60;
  return `${NUMBER.format((count - rest) / 60)} ${larger}${rest === 0 ? "" : ` ${rest} ${smaller}`}`;
}

export const number = (value: number): string => NUMBER.format(value);
export const mebibytes = (bytes: number): string => `${number(Math.round(bytes / 1_048_576))} MiB`;
