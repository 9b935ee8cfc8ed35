/**
 * Comparison and logic (docs/functions.md). Verb form of `eq` and `ne` tries numbers first; call form pads them with
 * null.
 */
import type { Json } from "../../compiler/json.ts";
import type { Task } from "../tasks/task.ts";
import { charge, type WorkMeter } from "../tasks/work-meter.ts";
import { compareLenient, equal, equalTask } from "../values/compare.ts";
import { numberOrNaN } from "../values/numbers.ts";
import { truthy } from "../values/values.ts";
import { type FunctionGroup, type PureFunction, required } from "./arguments.ts";

function equalStructural(args: readonly Json[], meter: WorkMeter): boolean {
  const a = args[0];
  const b = args[1];
  return equal(a === undefined ? null : a, b === undefined ? null : b, meter);
}

/** Both sides readable as numbers: by number; else as in call form. */
function equalNumericFirst(args: readonly Json[], name: string, meter: WorkMeter): boolean {
  const a = required(args, 0, name);
  const b = required(args, 1, name);
  if (typeof a === "number" && typeof b === "number") return a === b;
  const x = numberOrNaN(a);
  const y = numberOrNaN(b);
  return !Number.isNaN(x) && !Number.isNaN(y) ? x === y : equal(a, b, meter);
}

/** `eq` or `ne`: containers are compared in pieces. In both forms they are compared by structure. */
function equality(atOnce: PureFunction, wanted: boolean): PureFunction {
  return Object.assign((args: readonly Json[], meter: WorkMeter) => atOnce(args, meter), {
    task: ([a, b]: readonly Json[], meter: WorkMeter) =>
      typeof a === "object" && a !== null && typeof b === "object" && b !== null ? isEqual(a, b, wanted, meter) : null,
  });
}

function* isEqual(a: Json, b: Json, wanted: boolean, meter: WorkMeter): Task<boolean> {
  return (yield* equalTask(a, b, meter)) === wanted;
}

/** Negative, 0 or positive by lenient ordering of the first two arguments. */
function order(args: readonly Json[], name: string, meter: WorkMeter): number {
  const a = required(args, 0, name);
  const b = required(args, 1, name);
  if (typeof a === "string" && typeof b === "string") charge(meter, Math.min(a.length, b.length));
  return compareLenient(a, b);
}

/** A logical argument: missing ones have the value `missing`. */
function truth(value: Json | undefined, missing: boolean): boolean {
  return value === undefined ? missing : truthy(value);
}

export const logicFunctions: FunctionGroup = {
  eq: equality((args, meter) => equalNumericFirst(args, "eq", meter), true),
  ne: equality((args, meter) => !equalNumericFirst(args, "ne", meter), false),
  lt: (args, meter) => order(args, "lt", meter) < 0,
  lte: (args, meter) => order(args, "lte", meter) <= 0,
  gt: (args, meter) => order(args, "gt", meter) > 0,
  gte: (args, meter) => order(args, "gte", meter) >= 0,
  and: (args) => args.length > 0 && truth(args[0], true) && truth(args[1], true),
  or: (args) => truth(args[0], false) || truth(args[1], false),
  not: (args) => !truth(args[0], false),
  bool: (args) => truth(args[0], false),
  ite: (args) => {
    const chosen = truthy(required(args, 0, "ite")) ? args[1] : args[2];
    return chosen === undefined ? null : chosen;
  },
  coalesce: (args, meter) => {
    charge(meter, args.length);
    return args.find((value) => value !== null) ?? null;
  },
};

/** The rows that call form treats otherwise. */
export const logicCallForms: FunctionGroup = {
  eq: equality((args, meter) => equalStructural(args, meter), true),
  ne: equality((args, meter) => !equalStructural(args, meter), false),
};
