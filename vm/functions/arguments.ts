/**
 * How functions read their arguments: required ones by position, and the failures for missing ones. The type every
 * function has.
 */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors.ts";
import { readNumber, readWhole } from "../number-text.ts";
import { textOf } from "../text.ts";
import { MAX_TEXT_UNITS, tooLarge } from "../values.ts";
import { charge, unmetered, type WorkMeter } from "../work-meter.ts";

/** Depends on its arguments only and never changes them. Throws OperationFailure, or whatever the meter throws. */
export type PureFunction = (args: readonly Json[], meter: WorkMeter) => Json;

/** The functions of one file by canonical name. */
export type FunctionGroup = Readonly<Record<string, PureFunction>>;

export function missingArgument(position: number, name: string): OperationFailure {
  return new OperationFailure(`missing argument ${position} of ${name}`, "missing_argument");
}

export function required(args: readonly Json[], index: number, name: string): Json {
  const value = args[index];
  if (value === undefined) throw missingArgument(index + 1, name);
  return value;
}

export function requiredNumber(args: readonly Json[], index: number, name: string): number {
  return readNumber(required(args, index, name));
}

export function requiredText(args: readonly Json[], index: number, name: string, meter: WorkMeter = unmetered): string {
  return textOf(required(args, index, name), meter);
}

/** A whole number by num, cut; `fallback` when the argument is not given. */
export function optionalWhole(args: readonly Json[], index: number, fallback: number): number {
  const value = args[index];
  return value === undefined ? fallback : readWhole(value);
}

/** `a` followed by `b`, within the cap. */
export function joinTwo(a: string, b: string, meter: WorkMeter): string {
  const length = a.length + b.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  charge(meter, length);
  return a + b;
}
