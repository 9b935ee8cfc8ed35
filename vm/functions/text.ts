/**
 * Text (docs/functions.md): joining, splitting, searching, case, trimming. Any value stands for its text; positions
 * are code points and no pair of surrogates is cut. Caps are tested before anything is built.
 */
import { isObject, type Json } from "../../compiler/json.ts";
import { codePointSlice, cutsPair } from "../code-points.ts";
import { OperationFailure } from "../errors.ts";
import { listContains } from "../list-ops.ts";
import { textOf } from "../text.ts";
import { containsText } from "../text-search.ts";
import { isList, MAX_TEXT_UNITS, tooLarge, typeName } from "../values.ts";
import { charge, createTally, type WorkMeter } from "../work-meter.ts";
import { type FunctionGroup, joinTwo, optionalWhole, required, requiredText } from "./arguments.ts";
import { lowerText, upperText } from "./letter-case.ts";
import { insertBetween, joinBlanks, replaceText, splitAt, splitAtBlanks } from "./text-parts.ts";

function concat(args: readonly Json[], meter: WorkMeter): Json {
  const a = args[0];
  const b = args[1];
  if (args.length === 2 && a !== undefined && b !== undefined)
    return joinTwo(textOf(a, meter), textOf(b, meter), meter);
  return joinTexts(args, 0, "", meter);
}

/** The texts of `values` from `start` on with `separator` between them. */
function joinTexts(values: readonly Json[], start: number, separator: string, meter: WorkMeter): string {
  const count = values.length - start;
  if (count <= 0) return "";
  let length = separator.length * (count - 1);
  const texts: string[] = [];
  const tally = createTally(meter);
  for (let i = start; i < values.length; i++) {
    const text = textOf(values[i] as Json, meter);
    tally(1 + text.length);
    length += text.length;
    if (length > MAX_TEXT_UNITS) throw tooLarge();
    texts.push(text);
  }
  return texts.join(separator);
}

function join(args: readonly Json[], meter: WorkMeter): Json {
  const separator = requiredText(args, 0, "join", meter);
  if (args.length > 2) return joinTexts(args, 1, separator, meter);
  const source = args[1];
  if (source === undefined || source === null || source === "") return "";
  if (typeof source === "string") return insertBetween(source, separator, meter);
  if (isList(source)) return joinTexts(source, 0, separator, meter);
  if (isObject(source)) return joinTexts(Object.keys(source), 0, separator, meter);
  throw new OperationFailure(`cannot join ${typeName(source)}`, "type_error");
}

function split(args: readonly Json[], meter: WorkMeter): Json {
  const text = requiredText(args, 0, "split", meter);
  charge(meter, text.length);
  const separator = args[1];
  return separator === undefined ? splitAtBlanks(text, meter) : splitAt(text, textOf(separator, meter), meter);
}

function replace(args: readonly Json[], meter: WorkMeter): Json {
  const text = requiredText(args, 0, "replace", meter);
  const old = requiredText(args, 1, "replace", meter);
  return replaceText(text, old, requiredText(args, 2, "replace", meter), meter);
}

function contains(args: readonly Json[], meter: WorkMeter): Json {
  const hay = required(args, 0, "contains");
  const needle = args[1];
  if (isList(hay)) return listContains(hay, needle === undefined ? null : needle, meter);
  if (isObject(hay)) return needle !== undefined && Object.hasOwn(hay, textOf(needle, meter));
  if (needle === undefined) return true;
  const text = textOf(hay, meter);
  charge(meter, text.length);
  return containsText(text, textOf(needle, meter), meter);
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

function trim(args: readonly Json[], meter: WorkMeter): Json {
  const value = args[0];
  if (value === undefined) return "";
  const text = textOf(value, meter);
  charge(meter, text.length);
  return joinBlanks(text.trim(), meter);
}

type Edit = (text: string) => string;

/** A function of one text whose result is not longer than it. */
function edit(name: string, change: Edit): FunctionGroup[string] {
  return (args, meter) => {
    const text = requiredText(args, 0, name, meter);
    charge(meter, text.length);
    return change(text);
  };
}

function substr(args: readonly Json[], meter: WorkMeter): Json {
  const text = requiredText(args, 0, "substr", meter);
  const start = Math.max(0, optionalWhole(args, 1, 0));
  const length = Math.max(0, optionalWhole(args, 2, Number.POSITIVE_INFINITY));
  charge(meter, text.length);
  return codePointSlice(text, start, start + length);
}

function str(args: readonly Json[], meter: WorkMeter): Json {
  const value = args[0];
  if (value === undefined || value === null) return "";
  const text = textOf(value, meter);
  charge(meter, text.length);
  return text;
}

function fail(args: readonly Json[], meter: WorkMeter): Json {
  const cause = args[0];
  throw new OperationFailure(cause === undefined ? "failed" : textOf(cause, meter), "program");
}

export const textFunctions: FunctionGroup = {
  concat,
  join,
  split,
  lower: (args, meter) => lowerText(requiredText(args, 0, "lower", meter), meter),
  upper: (args, meter) => upperText(requiredText(args, 0, "upper", meter), meter),
  replace,
  contains,
  startswith: startsWith,
  endswith: endsWith,
  trim,
  strip: edit("strip", (text) => text.trim()),
  lstrip: edit("lstrip", (text) => text.trimStart()),
  rstrip: edit("rstrip", (text) => text.trimEnd()),
  substr,
  str,
  fail,
};
