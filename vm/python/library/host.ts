/** `print`, and values of Python from answers of the host. */
import { datetimeOfEpoch } from "../dates/instants.ts";
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { PyDate, PyTzinfo } from "../kinds/dates.ts";
import { PyFloat } from "../kinds/float.ts";
import { PyUuid } from "../kinds/identifiers.ts";
import type { PyTuple } from "../kinds/list.ts";
import { type Context, typeOf, type Value } from "../object.ts";
import { isNumber, text } from "../operations.ts";
import { RANDOM } from "./random.ts";
import type { Part } from "./registry.ts";

function print(ctx: Context, values: PyTuple, sep: Value, end: Value): Value {
  const parts = values.items.map((value) => text(value, ctx));
  ctx.print?.(parts.join(separator(sep, " ", "sep")) + separator(end, "\n", "end"));
  return null;
}

function separator(value: Value, usual: string, name: string): string {
  if (value === null) return usual;
  if (typeof value === "string") return value;
  throw raised(TYPE_ERROR, `${name} must be None or a string, not ${typeOf(value).name}`);
}

const MICROS = 1_000_000n;

/** The clock of the host counts whole seconds since 1970. */
function micros(seconds: Value): bigint {
  return BigInt(seconds as number) * MICROS;
}

function datetimeNow(_ctx: Context, seconds: Value, tz: Value): Value {
  if (tz !== null && !(tz instanceof PyTzinfo))
    throw raised(TYPE_ERROR, `tzinfo argument must be None or of a tzinfo subclass, not type '${typeOf(tz).name}'`);
  return datetimeOfEpoch(micros(seconds), tz);
}

function dateToday(_ctx: Context, seconds: Value): Value {
  const { year, month, day } = datetimeOfEpoch(micros(seconds), null);
  return new PyDate(year, month, day);
}

/** Begun milliseconds count as whole ones. */
function sleepMs(_ctx: Context, seconds: Value): Value {
  if (!isNumber(seconds))
    throw raised(TYPE_ERROR, `'${typeOf(seconds).name}' object cannot be interpreted as an integer`);
  const value = seconds instanceof PyFloat ? seconds.value : Number(seconds);
  if (Number.isNaN(value)) throw raised(VALUE_ERROR, "Invalid value NaN (not a number)");
  if (value < 0) throw raised(VALUE_ERROR, "sleep length must be non-negative");
  if (value > MOST_SECONDS) throw raised(OVERFLOW_ERROR, "timestamp too large to convert to C _PyTime_t");
  return Math.ceil(value * 1000);
}

/** CPython counts nanoseconds in 64 bits. */
const MOST_SECONDS = 9_223_372_036;

export const HOST: Part = {
  natives: {
    ...RANDOM,
    print,
    "host.sleep_ms": sleepMs,
    "host.slept": () => null,
    "host.datetime_now": datetimeNow,
    "host.date_today": dateToday,
    "host.uuid4": (_ctx: Context, written: Value) => new PyUuid((written as string).replaceAll("-", "").toLowerCase()),
  },
};
