/**
 * Text (docs/functions.md): joining, splitting, searching, case, trimming. Any value stands for its text; positions
 * are code points and no pair of surrogates is cut. Caps are tested before anything is built.
 */
import { isObject, type Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { charge, type WorkMeter } from "../tasks/work-meter.ts";
import { cutsPair } from "../values/code-points.ts";
import { listContainsTask } from "../values/filter-sort.ts";
import { textOf, textTask } from "../values/text.ts";
import { markedSlice } from "../values/text-marks.ts";
import { containsTextTask } from "../values/text-search.ts";
import { isContainer, isList, MAX_TEXT_UNITS, tooLarge, typeName } from "../values/values.ts";
import {
  type FunctionGroup,
  joinTwo,
  onMarkedText,
  optionalWhole,
  required,
  requiredText,
  requiredTextTask,
  resumable,
} from "./arguments.ts";
import { lowerText, upperText } from "./letter-case.ts";
import { insertBetween, joinBlanks, joinedParts, replaceText, splitAt, splitAtBlanks, trimmed } from "./text-parts.ts";

function concat(args: readonly Json[], meter: WorkMeter): Json {
  const a = args[0];
  const b = args[1];
  if (args.length === 2 && a !== undefined && b !== undefined)
    return joinTwo(textOf(a, meter), textOf(b, meter), meter);
  let length = 0;
  const texts: string[] = [];
  for (const value of args) {
    const text = textOf(value, meter);
    length += text.length;
    if (length > MAX_TEXT_UNITS) throw tooLarge();
    texts.push(text);
  }
  charge(meter, length);
  return texts.join("");
}

/** The texts of `values` with `separator` between them. */
function* joinTexts(values: readonly Json[], separator: string, pace: Pace): Task<string> {
  let length = separator.length * Math.max(0, values.length - 1);
  const texts: string[] = [];
  for (const value of values) {
    const text = yield* textTask(value, pace);
    length += text.length;
    if (length > MAX_TEXT_UNITS) throw tooLarge();
    texts.push(text);
    if (pace.add(1)) yield;
  }
  return yield* joinedParts(texts, separator, pace);
}

function* join(args: readonly Json[], pace: Pace): Task<Json> {
  const separator = yield* requiredTextTask(args, 0, "join", pace);
  if (args.length > 2) return yield* joinTexts(args.slice(1), separator, pace);
  const source = args[1];
  if (source === undefined || source === null || source === "") return "";
  if (typeof source === "string") return yield* insertBetween(source, separator, pace);
  if (isList(source)) return yield* joinTexts(source, separator, pace);
  if (isObject(source)) return yield* joinTexts(Object.keys(source), separator, pace);
  throw new OperationFailure(`cannot join ${typeName(source)}`, "type_error");
}

function* split(args: readonly Json[], pace: Pace): Task<Json> {
  const text = yield* requiredTextTask(args, 0, "split", pace);
  const separator = args[1];
  if (separator === undefined) return yield* splitAtBlanks(text, pace);
  return yield* splitAt(text, yield* textTask(separator, pace), pace);
}

function* replace(args: readonly Json[], pace: Pace): Task<Json> {
  const text = yield* requiredTextTask(args, 0, "replace", pace);
  const old = yield* requiredTextTask(args, 1, "replace", pace);
  return yield* replaceText(text, old, yield* requiredTextTask(args, 2, "replace", pace), pace);
}

function* contains(args: readonly Json[], pace: Pace, meter: WorkMeter): Task<Json> {
  const hay = required(args, 0, "contains");
  const needle = args[1];
  if (isList(hay)) return yield* listContainsTask(hay, needle === undefined ? null : needle, meter);
  if (isObject(hay)) return needle !== undefined && Object.hasOwn(hay, yield* textTask(needle, pace));
  if (needle === undefined) return true;
  const text = yield* textTask(hay, pace);
  return yield* containsTextTask(text, yield* textTask(needle, pace), pace);
}

function startsWith(args: readonly Json[], meter: WorkMeter): Json {
  const text = requiredText(args, 0, "startswith", meter);
  const part = requiredText(args, 1, "startswith", meter);
  return text.startsWith(part) && !cutsPair(text, part.length);
}

function endsWith(args: readonly Json[], meter: WorkMeter): Json {
  const text = requiredText(args, 0, "endswith", meter);
  const part = requiredText(args, 1, "endswith", meter);
  return text.endsWith(part) && !cutsPair(text, text.length - part.length);
}

function* trim(args: readonly Json[], pace: Pace): Task<Json> {
  const value = args[0];
  if (value === undefined) return "";
  return yield* joinBlanks(yield* trimmed(yield* textTask(value, pace), pace), pace);
}

/** `strip` and its two halves. */
function strip(name: string, edge: "both" | "start" | "end"): FunctionGroup[string] {
  return resumable(function* (args, pace) {
    return yield* trimmed(yield* requiredTextTask(args, 0, name, pace), pace, edge);
  });
}

function substr(args: readonly Json[], meter: WorkMeter): Json {
  const text = requiredText(args, 0, "substr", meter);
  const start = Math.max(0, optionalWhole(args, 1, 0));
  const length = Math.max(0, optionalWhole(args, 2, Number.POSITIVE_INFINITY));
  return markedSlice(text, start, start + length, meter);
}

function* str(args: readonly Json[], pace: Pace): Task<Json> {
  const value = args[0];
  return value === undefined || value === null ? "" : yield* textTask(value, pace);
}

function fail(args: readonly Json[], meter: WorkMeter): Json {
  const cause = args[0];
  throw new OperationFailure(cause === undefined ? "failed" : textOf(cause, meter), "program");
}

export const textFunctions: FunctionGroup = {
  concat: resumable(
    function* (args, pace) {
      return yield* joinTexts(args, "", pace);
    },
    { atOnce: concat, isQuick: (args) => !args.some(isContainer) },
  ),
  join: resumable(join),
  split: resumable(split),
  lower: resumable(function* (args, pace) {
    return yield* lowerText(yield* requiredTextTask(args, 0, "lower", pace), pace);
  }),
  upper: resumable(function* (args, pace) {
    return yield* upperText(yield* requiredTextTask(args, 0, "upper", pace), pace);
  }),
  replace: resumable(replace),
  contains: resumable(contains),
  startswith: startsWith,
  endswith: endsWith,
  trim: resumable(trim),
  strip: strip("strip", "both"),
  lstrip: strip("lstrip", "start"),
  rstrip: strip("rstrip", "end"),
  substr: onMarkedText(substr, () => true),
  str: resumable(str, { isQuick: ([value]) => !isContainer(value) }),
  fail,
};
