/** Timestamps: seconds since 1970 in UTC, which is the local zone of every run. */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import type { PyDatetime, PyTzinfo } from "../kinds/dates.ts";
import { PyFloat } from "../kinds/float.ts";
import { notExact } from "../not-exact.ts";
import { typeOf, type Value } from "../object.ts";
import { isFloat, isInt } from "../operators/numbers.ts";
import { DAY_MICROS, datetimeOfMicros, EPOCH_ORDINAL, wallMicros } from "./calendar.ts";
import { fromUtc, offsetOf, utcMicros } from "./zones.ts";

export const EPOCH_MICROS = BigInt(EPOCH_ORDINAL) * DAY_MICROS;
const MACHINE_WORD = 2 ** 63;

/** A timestamp: seconds as an int, or a float that a machine word can hold. */
function checkedSeconds(timestamp: Value): bigint | number {
  if (isInt(timestamp)) {
    const seconds = BigInt(timestamp);
    if (seconds >= BigInt(MACHINE_WORD) || seconds < -BigInt(MACHINE_WORD))
      throw raised(OVERFLOW_ERROR, "timestamp out of range for platform time_t");
    return seconds;
  }
  if (!isFloat(timestamp))
    throw raised(TYPE_ERROR, `'${typeOf(timestamp).name}' object cannot be interpreted as an integer`);
  const float = timestamp instanceof PyFloat ? timestamp.value : timestamp;
  if (Number.isNaN(float)) throw raised(VALUE_ERROR, "Invalid value NaN (not a number)");
  if (!(Math.abs(float) < MACHINE_WORD)) throw raised(OVERFLOW_ERROR, "timestamp out of range for platform time_t");
  return float;
}

/** As the module time counts them: rounded down. */
export function wholeSeconds(timestamp: Value): bigint {
  const seconds = checkedSeconds(timestamp);
  return typeof seconds === "bigint" ? seconds : BigInt(Math.floor(seconds));
}

/** Microseconds of a timestamp, half to even. */
function microsOf(timestamp: Value): bigint {
  const float = checkedSeconds(timestamp);
  if (typeof float === "bigint") return float * 1_000_000n;
  const whole = Math.trunc(float);
  return BigInt(whole) * 1_000_000n + BigInt(halfEven((float - whole) * 1e6));
}

function halfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** The naive value in UTC, or the aware one in a zone. Years beyond 1 to 9999 end the run: CPython raises one of two errors. */
export function instantOf(timestamp: Value, zone: PyTzinfo | null = null): PyDatetime {
  return datetimeOfEpoch(microsOf(timestamp), zone);
}

/** The value of microseconds since 1970, which the host knows for `now` and `today`. */
export function datetimeOfEpoch(micros: bigint, zone: PyTzinfo | null): PyDatetime {
  const all = micros + EPOCH_MICROS;
  if (all < DAY_MICROS || all >= 3_652_060n * DAY_MICROS) throw notExact("the year of a timestamp is not 1 to 9999");
  return zone === null ? datetimeOfMicros(all, null) : fromUtc(all, zone);
}

/** `timestamp()`: of a naive value as if it were UTC. */
export function epochMicros(value: PyDatetime): bigint {
  const offset = offsetOf(value);
  return (offset === null ? wallMicros(value) : utcMicros(value, offset)) - EPOCH_MICROS;
}
