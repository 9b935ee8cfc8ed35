/**
 * Values of times and rules as programs write them, in the one form that RFC 5545 has for them: ISO 8601 with its hyphens and colons, dates
 * without VALUE=DATE, rules in lower case. Any other value stays as it is; reading it later fails.
 */

const TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(?:(Z)|([+-])(\d\d):?(\d\d))?)?$/i;

const DAY_MS = 86_400_000;

/** As jCal has it, `2027-03-01` or `2027-03-01T09:00:00Z`; null: it is not a time. A day that does not exist stays as it is written. */
function jcalTimeOf(written: string): string | null {
  const found = TIME.exec(written.trim());
  if (found === null) return null;
  const [, year, month, day, hour, minute = "00", second = "00", zulu, sign, hours, minutes] = found;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const clock = `${date}T${hour}:${minute}:${second}`;
  const zone = zulu === undefined ? "" : "Z";
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const exists = new Date(midnight).toISOString().startsWith(date);
  if (!exists || Number(hour) > 24) return sign === undefined ? `${clock}${zone}` : null;
  // The end of a day is the beginning of the next one.
  if (hour === "24" && `${minute}${second}` === "0000" && sign === undefined)
    return `${new Date(midnight + DAY_MS).toISOString().slice(0, 19)}${zone}`;
  if (sign === undefined) return `${clock}${zone}`;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
  const utc = midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 - offset;
  return `${new Date(utc).toISOString().slice(0, 19)}Z`;
}

export type WrittenTimes = {
  /** A type of jCal. */
  readonly type: "date" | "date-time" | "period";
  /** Texts, and pairs of a start with its end or duration. */
  readonly values: readonly (string | readonly [string, string])[];
};

/** The times of a property, separated by commas; null without times. `declared`: the VALUE parameter. */
export function writtenTimes(text: string, declared: string | null): WrittenTimes | null {
  const parts = text.split(",").map((part) => part.trim());
  const written = parts.filter((part) => part !== "");
  if (written.length === 0) return null;
  const isDate = declared?.toLowerCase() === "date";
  const values = written.map((part): string | readonly [string, string] => {
    const [start = "", end] = part.split("/");
    const from = jcalTimeOf(start) ?? start;
    if (end !== undefined) return [from, jcalTimeOf(end) ?? end.trim().toUpperCase()];
    return isDate ? from.slice(0, 10) : from;
  });
  const [first] = values;
  if (typeof first !== "string") return { type: "period", values };
  return { type: first.length === 10 ? "date" : "date-time", values };
}

/** A recurrence rule in capital letters, without blanks and empty parts and entries; "" when nothing is left. */
export function writtenRule(text: string): string {
  const parts = text
    .toUpperCase()
    .replace(/\s+/g, "")
    .replace(/,+(?=[,;]|$)|(?<==),+/g, "")
    .replace(/^E?X?R?RULE[:=]/, "")
    .split(";");
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      const until = part.startsWith("UNTIL=") ? jcalTimeOf(part.slice(6)) : null;
      return until === null ? part : `UNTIL=${until.replace(/[-:]/g, "")}`;
    })
    .join(";");
}
