/**
 * Dates (docs/functions.md): instants are milliseconds since 1970. A function that takes an instant also takes its text in the
 * form of RFC 3339. Without a zone everything is UTC.
 */
import { PARTS_OF_DATES } from "../../../compiler/guide/function-choices.ts";
import type { Json } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import { charge, type WorkMeter } from "../../tasks/work-meter.ts";
import { readNumber } from "../../values/numbers.ts";
import { type FunctionGroup, type PureFunction, required, requiredNumber, requiredText } from "../arguments.ts";
import { addTo, inRange, type Parts, partsOf, readInstant, startOf, unitOf, unitsBetween } from "./calendar.ts";
import { writtenInstant } from "./written.ts";
import { utc, type Zone, zoneOf } from "./zones.ts";

/** Units of work of a call: the platform's look into a zone takes some microseconds. */
const ZONE_WORK = 512;
const MAX_PATTERN = 1_000;

function instant(args: readonly Json[], index: number, name: string): number {
  const value = required(args, index, name);
  return typeof value === "string" ? readInstant(value, utc) : inRange(Math.trunc(readNumber(value)));
}

/** The zone that argument `index` names; UTC where it is not given or null. */
function zone(args: readonly Json[], index: number, name: string, meter: WorkMeter): Zone {
  const value = args[index];
  if (value === undefined || value === null) return utc;
  charge(meter, ZONE_WORK);
  return zoneOf(requiredText(args, index, name, meter));
}

function format(args: readonly Json[], meter: WorkMeter): Json {
  const at = instant(args, 0, "date_format");
  const pattern = args[1] === undefined || args[1] === null ? "" : requiredText(args, 1, "date_format", meter);
  if (pattern.length > MAX_PATTERN) throw new OperationFailure("date pattern too long", "too_large");
  charge(meter, ZONE_WORK + pattern.length);
  return writtenInstant(at, zone(args, 2, "date_format", meter)(at), pattern);
}

const PART_NAMES: Readonly<Record<string, keyof Parts>> = PARTS_OF_DATES;

function part(args: readonly Json[], meter: WorkMeter): Json {
  const at = instant(args, 0, "date_part");
  const name = requiredText(args, 1, "date_part", meter).toLowerCase();
  const key = Object.hasOwn(PART_NAMES, name) ? PART_NAMES[name] : undefined;
  if (key === undefined) throw new OperationFailure("unknown part of a date", "value_error");
  return partsOf(at + zone(args, 2, "date_part", meter)(at))[key];
}

const parse: PureFunction = (args, meter) =>
  readInstant(requiredText(args, 0, "date_parse", meter), zone(args, 1, "date_parse", meter));

const add: PureFunction = (args, meter) => {
  const at = instant(args, 0, "date_add");
  const count = requiredNumber(args, 1, "date_add");
  return addTo(at, count, unitOf(requiredText(args, 2, "date_add", meter)), zone(args, 3, "date_add", meter));
};

const difference: PureFunction = (args, meter) => {
  const from = instant(args, 0, "date_diff");
  const to = instant(args, 1, "date_diff");
  return unitsBetween(from, to, unitOf(requiredText(args, 2, "date_diff", meter)), zone(args, 3, "date_diff", meter));
};

const truncate: PureFunction = (args, meter) => {
  const at = instant(args, 0, "date_trunc");
  return startOf(at, unitOf(requiredText(args, 1, "date_trunc", meter)), zone(args, 2, "date_trunc", meter));
};

export const dateFunctions: FunctionGroup = {
  date_parse: parse,
  date_format: format,
  date_add: add,
  date_diff: difference,
  date_part: part,
  date_trunc: truncate,
};
