/**
 * Values of columns as programs see them. A declared type says what is accepted and in which one form it is handed out, so that no
 * database's own forms leak: whole numbers beyond ±(2^53−1) and decimals that no double holds are decimal text, times are
 * RFC 3339 in UTC, bytes are `{"$base64"}`. Knows no database.
 */
import type { Json, JsonObject } from "../../../compiler/json.ts";

export const COLUMN_TYPES = ["integer", "number", "text", "boolean", "json", "timestamp", "bytes"] as const;
/** `any`: a member of a document without declared columns. */
export type ColumnType = (typeof COLUMN_TYPES)[number] | "any";

const WHOLE = /^-?\d{1,19}$/;
const DECIMAL = /^(-?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;
/** Of a number without exponent, which is how databases hand it out: what is written must be readable again. */
const MAX_DIGITS = 1_000;
/** Its length aside; a pattern of groups would run out of stack on a few megabytes. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** `value` in the one form of its type; undefined: it does not fit. null fits every type. */
export function columnValue(type: ColumnType, value: Json): Json | undefined {
  if (value === null) return null;
  switch (type) {
    case "integer":
      return wholeNumber(value);
    case "number":
      return decimal(value);
    case "text":
      return typeof value === "string" && value.isWellFormed() ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "timestamp":
      return typeof value === "string" && /(Z|[+-]\d\d:\d\d)$/i.test(value) ? utcTime(value) : undefined;
    case "bytes":
      return base64Of(value) === undefined ? undefined : value;
    case "json":
    case "any":
      return value;
  }
}

function wholeNumber(value: Json): number | string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== "string" || !WHOLE.test(value)) return undefined;
  const whole = BigInt(value);
  if (whole < MIN_INTEGER || whole > MAX_INTEGER) return undefined;
  const near = Number(whole);
  return Number.isSafeInteger(near) ? near : whole.toString();
}

/** A number where a double holds exactly these digits, else the text. */
function decimal(value: Json): number | string | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.length > MAX_DIGITS) return undefined;
  const written = digitsOf(value);
  if (written === undefined) return undefined;
  const near = Number(value);
  return Number.isFinite(near) && digitsOf(String(near)) === written ? near : value;
}

/** Sign, digits and place of the point without leading and trailing zeros: equal for texts of the same number. */
function digitsOf(text: string): string | undefined {
  const parts = DECIMAL.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  const length = Math.max(whole.length + Number(exponent), 1) + Math.max(fraction.length - Number(exponent), 0);
  // With its sign and its point.
  if (length > MAX_DIGITS - 2) return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

/** The bytes' text when `value` is `{"$base64": text}` and nothing else. */
export function base64Of(value: Json): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const text = (value as JsonObject)["$base64"];
  return Object.keys(value).length === 1 && typeof text === "string" && isBase64(text) ? text : undefined;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

/**
 * RFC 3339 in UTC with three digits of a second, or six where they are not zero. Without a zone the text is taken as UTC, without a
 * time as midnight: databases hand out such. Undefined: no time, or a year outside 0 to 9999.
 */
export function utcTime(text: string): string | undefined {
  const parts = TIME.exec(text);
  if (parts === null) return undefined;
  const [, date = "", hours = "00", minutes = "00", seconds = "00", fraction = "", zone = "Z"] = parts;
  const day = Date.parse(`${date}T00:00:00Z`);
  // The engine takes the 30th of February as the 1st of March.
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return undefined;
  const time = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`) - zoneMinutes(zone) * 60_000;
  const whole = new Date(time).toISOString();
  if (whole.length !== "0000-00-00T00:00:00.000Z".length) return undefined;
  const micros = fraction.slice(0, 6).padEnd(6, "0");
  return `${whole.slice(0, 19)}.${micros.endsWith("000") ? micros.slice(0, 3) : micros}Z`;
}

function zoneMinutes(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const total = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)) * (zone.length > 3 ? 1 : 0);
  return zone.startsWith("-") ? -total : total;
}
