/** What dates, times, durations and zones can do with operators and builtins. */
import { raised, TYPE_ERROR, ZERO_DIVISION_ERROR } from "../exceptions.ts";
import {
  DATE_TYPE,
  DATETIME_TYPE,
  ISO_DATE_TYPE,
  PyDate,
  PyDatetime,
  type PyIsoDate,
  PyTime,
  PyTimedelta,
  PyTimezone,
  type PyZoneInfo,
  TIME_TYPE,
  TIMEDELTA_TYPE,
  TIMEZONE_TYPE,
  UTC,
  ZONE_TYPE,
} from "../kinds/dates.ts";
import { floatOf, intOf, PyFloat } from "../kinds/float.ts";
import { type Context, fillSlots, type Key, type Operator, type Order, type Value } from "../object.ts";
import { compoundKey } from "../operators/keys.ts";
import { isFloat, isInt } from "../operators/numbers.ts";
import { repr } from "../operators/text.ts";
import { DAY_MICROS, dateOfOrdinal, datetimeOfMicros, ordinalOf, timeMicros, wallMicros } from "./calendar.ts";
import { bigOf, divideNearest, floatQuotient, floorDivide, ratioOf, timedelta } from "./deltas.ts";
import {
  daysAndRest,
  isoDate,
  isoDatetime,
  isoTime,
  strftime,
  timedeltaRepr,
  timedeltaText,
  valueRepr,
} from "./write.ts";
import { offsetOf, timezoneName, utcMicros } from "./zones.ts";

function inOrder(op: Order, a: bigint | number, b: bigint | number): boolean {
  if (op === "<") return a < b;
  if (op === "<=") return a <= b;
  return op === ">" ? a > b : a >= b;
}

// Durations

function timesDelta({ micros }: PyTimedelta, by: Value): Value | undefined {
  if (isInt(by)) return timedelta(micros * bigOf(by));
  if (!isFloat(by)) return undefined;
  const [above, below] = ratioOf(by instanceof PyFloat ? by.value : by);
  return timedelta(divideNearest(micros * above, below));
}

function divideDelta({ micros }: PyTimedelta, by: Value): Value | undefined {
  if (by instanceof PyTimedelta) return floatOf(floatQuotient(micros, by.micros));
  if (isInt(by)) return timedelta(divideNearest(micros, bigOf(by)));
  if (!isFloat(by)) return undefined;
  const [above, below] = ratioOf(by instanceof PyFloat ? by.value : by);
  return timedelta(divideNearest(micros * below, above));
}

function deltaBinary(self: PyTimedelta, op: Operator, other: Value): Value | undefined {
  if (op === "*") return timesDelta(self, other);
  if (op === "/") return divideDelta(self, other);
  if (op === "//" || op === "%") {
    const by = other instanceof PyTimedelta ? other.micros : op === "//" && isInt(other) ? bigOf(other) : undefined;
    if (by === undefined) return undefined;
    if (by === 0n)
      throw raised(ZERO_DIVISION_ERROR, op === "//" ? "integer division or modulo by zero" : "integer modulo by zero");
    const whole = floorDivide(self.micros, by);
    if (op === "%") return timedelta(self.micros - whole * by);
    return other instanceof PyTimedelta ? intOf(whole) : timedelta(whole);
  }
  if (!(other instanceof PyTimedelta)) return undefined;
  if (op === "+") return timedelta(self.micros + other.micros);
  return op === "-" ? timedelta(self.micros - other.micros) : undefined;
}

fillSlots<PyTimedelta>(TIMEDELTA_TYPE, {
  truth: ({ micros }) => micros !== 0n,
  equals: (self, other) => (other instanceof PyTimedelta ? self.micros === other.micros : undefined),
  order: (self, op, other) => (other instanceof PyTimedelta ? inOrder(op, self.micros, other.micros) : undefined),
  key: ({ micros }) => compoundKey("timedelta", [micros]),
  repr: timedeltaRepr,
  text: timedeltaText,
  binary: deltaBinary,
  reflected: (self, op, other) => (op === "*" ? timesDelta(self, other) : undefined),
  unary(self, op) {
    if (op === "-") return timedelta(-self.micros);
    if (op === "+") return self;
    return op === "abs" ? timedelta(self.micros < 0n ? -self.micros : self.micros) : undefined;
  },
  attribute({ micros }, name) {
    const [days, rest] = daysAndRest(micros);
    if (name === "days") return Number(days);
    if (name === "seconds") return Number(rest / 1_000_000n);
    return name === "microseconds" ? Number(rest % 1_000_000n) : undefined;
  },
});

// Dates and times

/** Wall times of one zone are compared as they are, others by UTC; undefined: one of them is naive. */
function comparable(a: PyDatetime, b: PyDatetime): readonly [bigint, bigint] | undefined {
  if (a.time.zone === b.time.zone) return [wallMicros(a), wallMicros(b)];
  const [first, second] = [offsetOf(a), offsetOf(b)];
  if (first === null && second === null) return [wallMicros(a), wallMicros(b)];
  return first === null || second === null ? undefined : [utcMicros(a, first), utcMicros(b, second)];
}

/** A time that clocks of its zone show twice, or not at all, equals none of another zone (PEP 495). */
function dependsOnFold(value: PyDatetime): boolean {
  const { hour, minute, second, micro, zone, fold } = value.time;
  const other = new PyTime(hour, minute, second, micro, zone, 1 - fold);
  return offsetOf(value) !== offsetOf(new PyDatetime(value.year, value.month, value.day, other));
}

function moved(value: PyDate, delta: bigint): PyDate {
  if (value instanceof PyDatetime) return datetimeOfMicros(wallMicros(value) + delta, value.time.zone);
  return dateOfOrdinal(ordinalOf(value) + Number(daysAndRest(delta)[0]));
}

function dateBinary(self: PyDate, op: Operator, other: Value): Value | undefined {
  if (other instanceof PyTimedelta) {
    if (op === "+") return moved(self, other.micros);
    // Of a date the days of the duration count, not those of its negative.
    if (op === "-" && !(self instanceof PyDatetime))
      return dateOfOrdinal(ordinalOf(self) - Number(daysAndRest(other.micros)[0]));
    return op === "-" ? moved(self, -other.micros) : undefined;
  }
  if (op !== "-" || !(other instanceof PyDate)) return undefined;
  if (self instanceof PyDatetime !== other instanceof PyDatetime) return undefined;
  if (!(self instanceof PyDatetime) || !(other instanceof PyDatetime))
    return timedelta(BigInt(ordinalOf(self) - ordinalOf(other)) * DAY_MICROS);
  const pair = comparable(self, other);
  if (pair === undefined) throw raised(TYPE_ERROR, "can't subtract offset-naive and offset-aware datetimes");
  return timedelta(pair[0] - pair[1]);
}

const dateAttributes = (self: PyDate, name: string): Value | undefined =>
  name === "year" || name === "month" || name === "day" ? self[name] : undefined;

function timeAttributes(self: PyTime, name: string): Value | undefined {
  switch (name) {
    case "hour":
    case "minute":
    case "second":
    case "fold":
      return self[name];
    case "microsecond":
      return self.micro;
    case "tzinfo":
      return self.zone;
    default:
      return undefined;
  }
}

function formatted(self: PyDate | PyTime, spec: string, text: string, ctx: Context): string {
  ctx.charge(spec.length * 8);
  return spec === "" ? text : strftime(spec, self);
}

fillSlots<PyDate>(DATE_TYPE, {
  equals(self, other) {
    if (!(other instanceof PyDate) || other instanceof PyDatetime) return undefined;
    return self.year === other.year && self.month === other.month && self.day === other.day;
  },
  order(self, op, other) {
    if (!(other instanceof PyDate)) return undefined;
    if (other instanceof PyDatetime) throw raised(TYPE_ERROR, "can't compare datetime.datetime to datetime.date");
    return inOrder(op, ordinalOf(self), ordinalOf(other));
  },
  key: (self): Key => compoundKey("date", [ordinalOf(self)]),
  repr: valueRepr,
  text: isoDate,
  format: (self, spec, ctx) => formatted(self, spec, isoDate(self), ctx),
  binary: dateBinary,
  reflected: (self, op, other) => (op === "+" && other instanceof PyTimedelta ? moved(self, other.micros) : undefined),
  attribute: dateAttributes,
});

fillSlots<PyDatetime>(DATETIME_TYPE, {
  equals(self, other) {
    if (!(other instanceof PyDatetime)) return other instanceof PyDate ? false : undefined;
    const pair = comparable(self, other);
    if (pair === undefined || pair[0] !== pair[1]) return false;
    return self.time.zone === other.time.zone || (!dependsOnFold(self) && !dependsOnFold(other));
  },
  order(self, op, other) {
    if (!(other instanceof PyDate)) return undefined;
    if (!(other instanceof PyDatetime)) throw raised(TYPE_ERROR, "can't compare datetime.datetime to datetime.date");
    const pair = comparable(self, other);
    if (pair === undefined) throw raised(TYPE_ERROR, "can't compare offset-naive and offset-aware datetimes");
    return inOrder(op, ...pair);
  },
  key(self): Key {
    const offset = offsetOf(self);
    if (offset === null) return compoundKey("datetime", [wallMicros(self)]);
    return compoundKey("aware", [utcMicros(self, offset)]);
  },
  repr: valueRepr,
  text: (self) => isoDatetime(self, " ", "auto"),
  format: (self, spec, ctx) => formatted(self, spec, isoDatetime(self, " ", "auto"), ctx),
  attribute: (self, name) => dateAttributes(self, name) ?? timeAttributes(self.time, name),
});

/** Microseconds since midnight, of UTC where the offset is known. */
function comparableTimes(a: PyTime, b: PyTime): readonly [bigint, bigint] | undefined {
  const [first, second] = [offsetOf(a), offsetOf(b)];
  if (a.zone === b.zone || (first === null && second === null)) return [timeMicros(a), timeMicros(b)];
  if (first === null || second === null) return undefined;
  return [timeMicros(a) - BigInt(first), timeMicros(b) - BigInt(second)];
}

fillSlots<PyTime>(TIME_TYPE, {
  equals(self, other) {
    if (!(other instanceof PyTime)) return undefined;
    const pair = comparableTimes(self, other);
    return pair !== undefined && pair[0] === pair[1];
  },
  order(self, op, other) {
    if (!(other instanceof PyTime)) return undefined;
    const pair = comparableTimes(self, other);
    if (pair === undefined) throw raised(TYPE_ERROR, "can't compare offset-naive and offset-aware times");
    return inOrder(op, ...pair);
  },
  key(self): Key {
    const offset = offsetOf(self);
    return compoundKey(offset === null ? "time" : "awaretime", [timeMicros(self) - BigInt(offset ?? 0)]);
  },
  repr: valueRepr,
  text: (self) => isoTime(self, offsetOf(self), "auto"),
  format: (self, spec, ctx) => formatted(self, spec, isoTime(self, offsetOf(self), "auto"), ctx),
  attribute: timeAttributes,
});

// Zones

fillSlots<PyTimezone>(TIMEZONE_TYPE, {
  equals: (self, other) => (other instanceof PyTimezone ? self.offset === other.offset : undefined),
  key: ({ offset }) => compoundKey("timezone", [offset]),
  repr(self, ctx) {
    if (self === UTC) return "datetime.timezone.utc";
    const delta = timedeltaRepr(new PyTimedelta(BigInt(self.offset)));
    return `datetime.timezone(${delta}${self.name === null ? "" : `, ${repr(self.name, ctx)}`})`;
  },
  text: timezoneName,
});

fillSlots<PyZoneInfo>(ZONE_TYPE, {
  repr: (self, ctx) => `zoneinfo.ZoneInfo(key=${repr(self.key, ctx)})`,
  text: (self) => self.key,
  key: (self) => compoundKey("zone", [self.key]),
  attribute: (self, name) => (name === "key" ? self.key : undefined),
});

const ISO_NAMES = ["year", "week", "weekday"];

fillSlots<PyIsoDate>(ISO_DATE_TYPE, {
  repr: ({ items: [year, week, weekday] }) =>
    `datetime.IsoCalendarDate(year=${year}, week=${week}, weekday=${weekday})`,
  attribute: ({ items }, name) => {
    const index = ISO_NAMES.indexOf(name);
    return index < 0 ? undefined : items[index];
  },
});
