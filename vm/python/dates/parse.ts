/** Texts in ISO 8601 to dates and times, as `fromisoformat` of CPython 3.11 reads them. */

import { raised, VALUE_ERROR } from "../exceptions.ts";
import { PyDatetime, type PyTime, PyTimedelta, PyTimezone, UTC } from "../kinds/dates.ts";
import type { Context } from "../object.ts";
import { repr } from "../operators/text.ts";
import { checkedDate, checkedTime, dateOfWeek } from "./calendar.ts";
import { timedeltaRepr } from "./write.ts";

/** The text is not in the form; the caller says which text. */
const FAULT = Symbol("fault");

function reading<T>(text: string, ctx: Context, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error !== FAULT) throw error;
    throw raised(VALUE_ERROR, `Invalid isoformat string: ${repr(text, ctx)}`);
  }
}

function digits(text: string, from: number, count: number): number {
  const part = text.slice(from, from + count);
  if (part.length !== count || !/^[0-9]+$/.test(part)) throw FAULT;
  return Number(part);
}

function dateParts(text: string): readonly [number, number, number] {
  if (text.length !== 7 && text.length !== 8 && text.length !== 10) throw FAULT;
  const year = digits(text, 0, 4);
  const hasDash = text[4] === "-";
  let at = hasDash ? 5 : 4;
  if (text[at] === "W") {
    const week = digits(text, at + 1, 2);
    at += 3;
    let weekday = 1;
    if (text.length > at) {
      if ((text[at] === "-") !== hasDash) throw FAULT;
      if (hasDash) at += 1;
      weekday = digits(text, at, 1);
      if (text.length > at + 1) throw FAULT;
    }
    try {
      return dateOfWeek(year, week, weekday);
    } catch {
      throw FAULT;
    }
  }
  const month = digits(text, at, 2);
  at += 2;
  if ((text[at] === "-") !== hasDash) throw FAULT;
  if (hasDash) at += 1;
  const day = digits(text, at, 2);
  if (text.length > at + 2) throw FAULT;
  return [year, month, day];
}

/** `HH[:?MM[:?SS[{.,}f+]]]`. */
function clockParts(text: string): readonly [hour: number, minute: number, second: number, micro: number] {
  const parts = [0, 0, 0, 0];
  let at = 0;
  let hasColon = false;
  for (let index = 0; index < 3; index++) {
    parts[index] = digits(text, at, 2);
    at += 2;
    const next = text[at];
    if (index === 0) hasColon = next === ":";
    if (next === undefined || index === 2 || next === "." || next === ",") break;
    if (hasColon && next !== ":") throw FAULT;
    if (hasColon) at += 1;
  }
  if (at < text.length) {
    const fraction = /^[.,]([0-9]+)$/.exec(text.slice(at))?.[1];
    if (fraction === undefined) throw FAULT;
    parts[3] = Number(fraction.slice(0, 6).padEnd(6, "0"));
  }
  return parts as unknown as readonly [number, number, number, number];
}

function timeParts(text: string): PyTime {
  if (text.length < 2) throw FAULT;
  const at = /[-+Z]/.exec(text)?.index ?? -1;
  const [hour, minute, second, micro] = clockParts(at < 0 ? text : text.slice(0, at));
  let zone: PyTimezone | null = null;
  if (at >= 0) {
    const written = text.slice(at + 1);
    if (text[at] === "Z") {
      if (written !== "") throw FAULT;
      zone = UTC;
    } else {
      if (written.length < 2 || written.length === 3) throw FAULT;
      const parts = clockParts(written);
      const size = (parts[0] * 3600 + parts[1] * 60 + parts[2]) * 1_000_000 + parts[3];
      zone = size === 0 ? UTC : new PyTimezone(checkedOffset(text[at] === "-" ? -size : size), null);
    }
  }
  return checkedTime(hour, minute, second, micro, zone, 0);
}

const DAY = 86_400_000_000;

/** An offset in microseconds, which is less than a day. */
export function checkedOffset(offset: number): number {
  if (Math.abs(offset) < DAY) return offset;
  const shown = timedeltaRepr(new PyTimedelta(BigInt(offset)));
  throw raised(
    VALUE_ERROR,
    `offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not ${shown}.`,
  );
}

export function readDate(text: string, ctx: Context): readonly [number, number, number] {
  return checkedDate(...reading(text, ctx, () => dateParts(text)));
}

export function readTime(text: string, ctx: Context): PyTime {
  return reading(text, ctx, () => timeParts(text.startsWith("T") ? text.slice(1) : text));
}

export function readDatetime(text: string, ctx: Context): PyDatetime {
  return reading(text, ctx, () => {
    if (text.length < 7) throw FAULT;
    const separator = separatorPlace(text);
    const date = checkedDate(...dateParts(text.slice(0, separator)));
    // The separator is one character of any kind.
    const width = (text.codePointAt(separator) ?? 0) > 0xffff ? 2 : 1;
    const rest = text.slice(separator + width);
    if (rest === "" && text.length > separator) throw FAULT;
    const time = rest === "" ? checkedTime(0, 0, 0, 0, null, 0) : timeParts(rest);
    return new PyDatetime(...date, time);
  });
}

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "9";

/** Where the date ends (as CPython's _find_isoformat_datetime_separator). */
function separatorPlace(text: string): number {
  const { length } = text;
  if (length === 7) return 7;
  if (text[4] === "-") {
    if (text[5] !== "W") return 10;
    if (length > 8 && text[8] === "-") {
      if (length === 9) throw FAULT;
      return length > 10 && isDigit(text[10]) ? 8 : 10;
    }
    return 8;
  }
  if (text[4] !== "W") return 8;
  let at = 7;
  while (isDigit(text[at])) at += 1;
  if (at < 9) return at;
  return at % 2 === 0 ? 7 : 8;
}
