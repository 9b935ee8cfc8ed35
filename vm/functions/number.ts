/**
 * Numbers (docs/functions.md): arithmetic, rounding, extremes. Each begins with the case that matters, two numbers,
 * and reads anything else by num. Call form differs from verb form in padding, and for `add` in joining
 * (docs/runtime.md, functions).
 */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { charge, type WorkMeter } from "../tasks/work-meter.ts";
import { compareStrict } from "../values/compare.ts";
import { finite, readNumber, readWhole, roundHalfEven } from "../values/numbers.ts";
import { isList, MAX_LIST_LENGTH, tooLarge, typeName } from "../values/values.ts";
import { type FunctionGroup, joinTwo, optionalWhole, required, requiredNumber, resumable } from "./arguments.ts";

function addNumbers(args: readonly Json[]): Json {
  const a = args[0];
  const b = args[1];
  if (typeof a === "number" && typeof b === "number") return finite(a + b);
  return finite(requiredNumber(args, 0, "add") + requiredNumber(args, 1, "add"));
}

function addOrJoin(args: readonly Json[], meter: WorkMeter): Json {
  const a = padded(args, 0, 0);
  const b = padded(args, 1, 0);
  if (typeof a === "number" && typeof b === "number") return finite(a + b);
  if (typeof a === "string" && typeof b === "string") return joinTwo(a, b, meter);
  if (isList(a) && isList(b)) {
    const length = a.length + b.length;
    if (length > MAX_LIST_LENGTH) throw tooLarge();
    charge(meter, length);
    return a.concat(b);
  }
  return finite(readNumber(a) + readNumber(b));
}

/** `+` of the indented form: nothing is read as something else. */
function plus(args: readonly Json[], meter: WorkMeter): Json {
  const a = required(args, 0, "plus");
  const b = required(args, 1, "plus");
  if (typeof a === "number" && typeof b === "number") return finite(a + b);
  if (typeof a === typeof b && (typeof a === "string" || (isList(a) && isList(b)))) return addOrJoin(args, meter);
  const kinds = [typeof a, typeof b];
  const advice = kinds.includes("string") && kinds.includes("number") ? "; turn the number into a string with str" : "";
  throw new OperationFailure(`cannot add ${typeName(a)} and ${typeName(b)}${advice}`, "type_error");
}

/** What call form takes for an argument that is not written; null is an argument like any other. */
function padded(args: readonly Json[], index: number, padding: number): Json {
  const value = args[index];
  return value === undefined ? padding : value;
}

function sub(args: readonly Json[]): Json {
  const a = args[0];
  const b = args[1];
  if (typeof a === "number" && typeof b === "number") return finite(a - b);
  return finite(requiredNumber(args, 0, "sub") - requiredNumber(args, 1, "sub"));
}

function subPadded(args: readonly Json[]): Json {
  return args.length >= 2 ? sub(args) : finite(readNumber(padded(args, 0, 0)));
}

function mul(args: readonly Json[]): Json {
  const a = args[0];
  const b = args[1];
  if (typeof a === "number" && typeof b === "number") return finite(a * b);
  return finite(requiredNumber(args, 0, "mul") * requiredNumber(args, 1, "mul"));
}

function mulPadded(args: readonly Json[]): Json {
  return args.length >= 2 ? mul(args) : finite(readNumber(padded(args, 0, 0)) * 0);
}

function divisionByZero(): OperationFailure {
  return new OperationFailure("division by zero", "division_by_zero");
}

function div(args: readonly Json[]): Json {
  const a = requiredNumber(args, 0, "div");
  const b = requiredNumber(args, 1, "div");
  if (b === 0) throw divisionByZero();
  return finite(a / b);
}

function divPadded(args: readonly Json[]): Json {
  return args.length >= 2 ? div(args) : finite(readNumber(padded(args, 0, 0)));
}

function idiv(args: readonly Json[]): Json {
  const a = requiredNumber(args, 0, "idiv");
  const b = requiredNumber(args, 1, "idiv");
  if (b === 0) throw divisionByZero();
  return finite(Math.floor(a / b));
}

function mod(args: readonly Json[]): Json {
  const a = requiredNumber(args, 0, "mod");
  const b = requiredNumber(args, 1, "mod");
  if (b === 0) throw divisionByZero();
  const rest = a % b;
  return finite(rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest);
}

function pow(args: readonly Json[]): Json {
  const base = requiredNumber(args, 0, "pow");
  const exponent = requiredNumber(args, 1, "pow");
  if (base === 0 && exponent < 0) throw new OperationFailure("zero to a negative power", "division_by_zero");
  if (base < 0 && !Number.isInteger(exponent)) {
    throw new OperationFailure("negative base with a fractional exponent", "value_error");
  }
  return finite(base ** exponent);
}

function round(args: readonly Json[]): Json {
  const x = requiredNumber(args, 0, "round");
  const digits = optionalWhole(args, 1, 0);
  if (digits < -308 || digits > 308) throw new OperationFailure("digits outside -308 to 308", "value_error");
  return roundHalfEven(x, digits);
}

/** The first of the smallest (direction 1) or largest (−1) values; one list stands for its elements. */
function* extreme(args: readonly Json[], direction: 1 | -1, pace: Pace): Task<Json> {
  const only = args.length === 1 ? args[0] : undefined;
  const values = isList(only) ? only : args;
  let best = values[0];
  if (best === undefined) throw new OperationFailure("no value", "value_error");
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as Json;
    if (compareStrict(value, best) * direction < 0) best = value;
    if (pace.add(typeof value === "string" ? 1 + (value.length >> 4) : 1)) yield;
  }
  return best;
}

function clamp(args: readonly Json[]): Json {
  const x = requiredNumber(args, 0, "clamp");
  const low = requiredNumber(args, 1, "clamp");
  const high = requiredNumber(args, 2, "clamp");
  return Math.max(low, Math.min(high, x)) + 0;
}

function int(args: readonly Json[]): Json {
  const value = args[0];
  return value === undefined || value === null ? 0 : readWhole(value);
}

function float(args: readonly Json[]): Json {
  const value = args[0];
  return value === undefined || value === null ? 0 : readNumber(value);
}

export const numberFunctions: FunctionGroup = {
  add: addNumbers,
  plus,
  sub,
  mul,
  div,
  idiv,
  mod,
  pow,
  abs: (args) => Math.abs(requiredNumber(args, 0, "abs")),
  ceil: (args) => Math.ceil(requiredNumber(args, 0, "ceil")) + 0,
  floor: (args) => Math.floor(requiredNumber(args, 0, "floor")),
  round,
  min: resumable((args, pace) => extreme(args, 1, pace)),
  max: resumable((args, pace) => extreme(args, -1, pace)),
  clamp,
  int,
  float,
};

/** The rows that call form treats otherwise. */
export const numberCallForms: FunctionGroup = { add: addOrJoin, sub: subPadded, mul: mulPadded, div: divPadded };
