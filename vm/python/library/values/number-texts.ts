/** Numbers out of texts, by the grammar of `int()` and `float()`: spaces around, digits of any script, `_` between digits. */
import { raised, VALUE_ERROR } from "../../exceptions.ts";
import type { PyBytes } from "../../kinds/bytes.ts";
import { intOf } from "../../kinds/float.ts";
import type { Context } from "../../object.ts";
import type { Int } from "../../operators/integers.ts";
import { MAX_DIGITS, repr } from "../../operators/text.ts";
import { digitValue, isSpace } from "../../unicode/sets.ts";

const MAX_SHOWN = 200;
/** Numbers of fewer digits are safe. */
const SAFE_DIGITS = 16;
const PLAIN_INT = /^[+-]?\d{1,15}$/;
const PLAIN_FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Without spaces around it, and with ASCII digits in the place of other decimal digits. */
function normalized(text: string): string {
  let plain = "";
  for (const point of text) {
    const code = point.codePointAt(0) as number;
    if (code < 0x80) plain += point;
    else {
      const digit = digitValue(code);
      plain += digit >= 0 ? String(digit) : isSpace(code) ? " " : point;
    }
  }
  return trimmed(plain);
}

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const BLANK = 0x20;
const FIRST_CONTROL = 9;
const LAST_CONTROL = 13;

/** What the C library calls space: of ASCII only this is left out, not the separators from 0x1c. */
function isBlank(code: number): boolean {
  return code === BLANK || (code >= FIRST_CONTROL && code <= LAST_CONTROL);
}

const PREFIXES: { readonly [radix: number]: string } = { 2: "0b", 8: "0o", 16: "0x" };

/** The text of bytes: digits of other scripts have none of theirs. */
function textOf(source: string | PyBytes): string {
  return typeof source === "string" ? source : Array.from(source.bytes, (byte) => String.fromCharCode(byte)).join("");
}

export function intFromText(source: string | PyBytes, radix: number, ctx: Context): Int {
  const text = textOf(source);
  if (radix === 10 && PLAIN_INT.test(text)) return Number(text) + 0;
  ctx.charge(text.length);
  const [, sign, given] = /^([+-]?)(.*)$/s.exec(normalized(text)) as unknown as [string, string, string];
  const lower = given.toLowerCase();
  const prefixed = Object.entries(PREFIXES).find(
    ([of, prefix]) => lower.startsWith(prefix) && (radix === 0 || radix === Number(of)),
  );
  const base = prefixed !== undefined ? Number(prefixed[0]) : radix === 0 ? 10 : radix;
  // An underscore may follow a prefix.
  const digits = prefixed !== undefined ? lower.slice(2).replace(/^_/, "") : lower;
  const isValid = /^[0-9a-z]+(?:_[0-9a-z]+)*$/.test(digits) && isInBase(digits, base);
  const isOctalLooking = radix === 0 && prefixed === undefined && /^0[0_]*[1-9]/.test(digits);
  if (!isValid || isOctalLooking) throw invalidInt(source, radix, ctx);
  const value = intOfDigits(digits.replaceAll("_", ""), base);
  return sign === "-" ? intOf(-BigInt(value)) : value;
}

function isInBase(digits: string, base: number): boolean {
  for (const digit of digits) if (digit !== "_" && Number.parseInt(digit, 36) >= base) return false;
  return true;
}

function intOfDigits(digits: string, base: number): Int {
  const isPowerOfTwo = (base & (base - 1)) === 0;
  if (digits.length > MAX_DIGITS && !isPowerOfTwo)
    throw raised(
      VALUE_ERROR,
      `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  if (base === 10) return digits.length < SAFE_DIGITS ? Number(digits) : intOf(BigInt(digits));
  const prefix = PREFIXES[base];
  if (prefix !== undefined) return intOf(BigInt(prefix + digits));
  return digitsInHalves(digits, base);
}

/** Halves keep the work for large numbers small. */
function digitsInHalves(digits: string, base: number): Int {
  if (digits.length <= 8) return Number.parseInt(digits, base);
  const middle = digits.length >> 1;
  const high = BigInt(digitsInHalves(digits.slice(0, middle), base));
  const low = BigInt(digitsInHalves(digits.slice(middle), base));
  return intOf(high * BigInt(base) ** BigInt(digits.length - middle) + low);
}

/** CPython shows the first 200 characters of the literal. */
function invalidInt(text: string | PyBytes, radix: number, ctx: Context) {
  const shown = Array.from(repr(text, ctx)).slice(0, MAX_SHOWN).join("");
  return raised(VALUE_ERROR, `invalid literal for int() with base ${radix}: ${shown}`);
}

export function floatFromText(source: string | PyBytes, ctx: Context): number {
  const text = textOf(source);
  if (PLAIN_FLOAT.test(text)) return Number(text);
  const plain = normalized(text);
  const digits = /_/.test(plain) ? withoutUnderscores(plain) : plain;
  if (digits !== null && PLAIN_FLOAT.test(digits)) return Number(digits);
  const [, sign, name] = /^([+-]?)(inf|infinity|nan)$/i.exec(plain) ?? [];
  if (name === undefined) throw raised(VALUE_ERROR, `could not convert string to float: ${repr(source, ctx)}`);
  const value = name.toLowerCase() === "nan" ? Number.NaN : Number.POSITIVE_INFINITY;
  return sign === "-" ? -value : value;
}

/** null: an underscore stands elsewhere than between two digits. */
function withoutUnderscores(text: string): string | null {
  return /^_|_$|[^\d]_|_[^\d]/.test(text) ? null : text.replaceAll("_", "");
}
