/**
 * Dates as feeds and HTTP servers write them: RFC 5322 and its forerunners with all that writers make of them, RFC 850, asctime, and ISO 8601.
 * What a text means never depends on this machine: without a zone it is UTC, and a date that does not exist is invalid.
 */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Minutes ahead of UTC. Abbreviations that several parts of the world use are not read. */
const ZONES: Readonly<Record<string, number>> = {
  ...{
    z: 0,
    ut: 0,
    utc: 0,
    gmt: 0,
    wet: 0,
    west: 60,
    bst: 60,
    cet: 60,
    met: 60,
    cest: 120,
    mest: 120,
    eet: 120,
    eest: 180,
  },
  ...{ msk: 180, jst: 540, kst: 540, aest: 600, aedt: 660, nzst: 720, nzdt: 780 },
  ...{ edt: -240, est: -300, cdt: -300, cst: -360, mdt: -360, mst: -420, pdt: -420, pst: -480, akst: -540, hst: -600 },
};

const CLOCK =
  "(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<fraction>\\d+))?)?(?:\\s*(?<half>[ap]m))?";
const ZONE = "(?:(?:gmt|utc|ut)?(?<offset>[+-]\\d{1,2}(?::?\\d\\d)?)|(?<zone>[a-z]{1,5}))";
const WEEKDAY = "(?:\\p{L}+(?:\\.?,\\s*|\\.?\\s+))?";
const DATE = {
  iso: "(?<year>\\d{4})(?:[-/](?<month>\\d\\d)(?:[-/](?<day>\\d\\d))?)?",
  basic: "(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)",
  dayFirst: `${WEEKDAY}(?<day>\\d{1,2})[-\\s]+(?<name>[a-z]{3})\\p{L}*\\.?[-,\\s]+(?<year>\\d{2,4})`,
  monthFirst: `${WEEKDAY}(?<name>[a-z]{3})\\p{L}*\\.?\\s+(?<day>\\d{1,2}),?\\s+(?<year>\\d{4})`,
  yearLast: `${WEEKDAY}(?<name>[a-z]{3})\\p{L}*\\.?\\s+(?<day>\\d{1,2})\\s+${CLOCK}\\s+(?:${ZONE}\\s+)?(?<year>\\d{4})`,
} as const;
const BASIC_CLOCK = "(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)?";

const FORMS = [
  `${DATE.iso}(?:(?:t|\\s+)${CLOCK}(?:\\s*${ZONE})?)?`,
  `${DATE.basic}(?:t${BASIC_CLOCK}(?:${ZONE})?)?`,
  `${DATE.dayFirst}(?:[,\\s]+${CLOCK})?(?:\\s*${ZONE})?`,
  `${DATE.monthFirst}(?:[,\\s]+(?:at\\s+)?${CLOCK})?(?:\\s*${ZONE})?`,
  DATE.yearLast,
].map((form) => new RegExp(`^${form}$`, "iu"));

/** Longer strings are not dates. */
const MAX_LENGTH = 100;

/** Milliseconds since 1970; null: it is not a date, or one that does not exist. */
export function readDate(written: string): number | null {
  const text = written.length > MAX_LENGTH ? "" : written.replace(/\([^()]*\)/g, " ").trim();
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return instantOf(parts);
  }
  return null;
}

type Parts = { readonly [name: string]: string | undefined };

function instantOf(parts: Parts): number | null {
  const { name, month = "1", day = "1", hour = "0", minute = "0", second = "0", fraction = "" } = parts;
  const date = midnightOf(yearOf(parts["year"] ?? ""), name === undefined ? Number(month) : monthOf(name), Number(day));
  const hours = hoursOf(Number(hour), parts["half"]);
  const offset = offsetOf(parts);
  if (date === null || hours === null || offset === null || Number(minute) > 59 || Number(second) > 60) return null;
  // Midnight may be the end of a day.
  if (hours > 24 || (hours === 24 && Number(minute) + Number(second) > 0)) return null;
  const seconds = (hours * 60 + Number(minute)) * 60 + Math.min(Number(second), 59);
  return date + seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0")) - offset * 60_000;
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1;
}

/** Of two digits as RFC 5322 has it; of three, as programs count from 1900. */
function yearOf(text: string): number {
  const year = Number(text);
  if (text.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return text.length === 3 ? 1900 + year : year;
}

function midnightOf(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

function hoursOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
}

/** Minutes ahead of UTC; null for an unknown zone. */
function offsetOf({ offset, zone }: Parts): number | null {
  if (zone !== undefined) return ZONES[zone.toLowerCase()] ?? null;
  if (offset === undefined) return 0;
  const digits = offset.slice(1).replace(":", "");
  const [hours, minutes] =
    digits.length < 3 ? [Number(digits), 0] : [Number(digits.slice(0, -2)), Number(digits.slice(-2))];
  if (hours > 15 || minutes > 59) return null;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
