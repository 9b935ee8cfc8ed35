/**
 * `format`: a template with `{}`, `{n}`, `{name}`, `{{` and `}}`, and after a colon a format in the notation of Python. A
 * template is data like any text: it names values, never members of members, and nothing in it is evaluated.
 */
import { FORMAT_SPEC } from "../../compiler/guide/function-choices.ts";
import { isObject, type Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { codePointLength, codePointSlice } from "../values/code-points.ts";
import { fixedText, readNumber } from "../values/numbers.ts";
import { textTask } from "../values/text.ts";
import { MAX_TEXT_UNITS, tooLarge } from "../values/values.ts";
import { type FunctionGroup, missingArgument, requiredTextTask, resumable } from "./arguments.ts";

const MAX_WIDTH = 1_000;
const MAX_DIGITS = 100;

function badTemplate(): OperationFailure {
  return new OperationFailure("bad template", "value_error");
}

/** Units of a template that are passed in one go. */
const STRETCH = 65_536;
const FIELD_WORK = 8;

/** Where the text between fields ends: at the next brace from `from` on, or at `end`. */
function nextBrace(template: string, from: number, end = template.length): number {
  for (let i = from; i < end; i++) {
    const unit = template.charCodeAt(i);
    if (unit === 0x7b || unit === 0x7d) return i;
  }
  return end;
}

function* format(args: readonly Json[], pace: Pace): Task<Json> {
  const template = yield* requiredTextTask(args, 0, "format", pace);
  const values = args.slice(1);
  let result = "";
  let next = 0;
  const append = (piece: string): void => {
    if (result.length + piece.length > MAX_TEXT_UNITS) throw tooLarge();
    pace.note(FIELD_WORK + (piece.length >> 4));
    result += piece;
  };
  for (let at = 0; at < template.length; ) {
    if (pace.isDue()) yield;
    const brace = nextBrace(template, at, Math.min(template.length, at + STRETCH + 1));
    if (brace - at > STRETCH) {
      append(template.slice(at, at + STRETCH));
      at += STRETCH;
      continue;
    }
    append(template.slice(at, brace));
    if (brace === template.length) break;
    const kind = template[brace] as string;
    if (template[brace + 1] === kind) {
      append(kind);
      at = brace + 2;
      continue;
    }
    const close = nextBrace(template, brace + 1);
    if (kind === "}" || template[close] !== "}") throw badTemplate();
    const field = splitField(template.slice(brace + 1, close));
    const value = field.name === "" ? positional(values, next++) : named(values, field.name);
    append(yield* formatted(value, field.spec, pace));
    at = close + 1;
  }
  return result;
}

function splitField(field: string): { readonly name: string; readonly spec: string } {
  const colon = field.indexOf(":");
  return colon < 0 ? { name: field, spec: "" } : { name: field.slice(0, colon), spec: field.slice(colon + 1) };
}

function positional(values: readonly Json[], index: number): Json {
  const value = values[index];
  if (value === undefined) throw missingArgument(index + 2, "format");
  return value;
}

const POSITION = /^[0-9]{1,8}$/;
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

function named(values: readonly Json[], name: string): Json {
  if (POSITION.test(name)) return positional(values, Number(name));
  if (!NAME.test(name)) throw badTemplate();
  const source = values.find(isObject);
  if (!isObject(source) || !Object.hasOwn(source, name)) {
    throw new OperationFailure("missing named argument of format", "missing_argument");
  }
  return source[name] as Json;
}

type Spec = {
  readonly fill: string;
  /** Where the text stands in its width; null: numbers at the end, everything else at the start. */
  readonly align: string | null;
  readonly sign: string;
  readonly width: number;
  readonly grouped: boolean;
  readonly digits: number | null;
  readonly kind: string;
};

function readSpec(text: string): Spec {
  const match = FORMAT_SPEC.exec(text);
  const width = Number(match?.[6] ?? 0);
  const digits = match?.[8] === undefined ? null : Number(match[8]);
  if (match === null || width > MAX_WIDTH || (digits ?? 0) > MAX_DIGITS) throw unknownSpec();
  const zero = match[4] !== undefined && match[2] === undefined;
  return {
    fill: match[1] ?? (zero ? "0" : " "),
    align: zero ? "=" : (match[2] ?? null),
    sign: match[3] ?? "-",
    width,
    grouped: match[5] !== undefined || match[7] !== undefined,
    digits,
    kind: match[9] ?? "",
  };
}

function unknownSpec(): OperationFailure {
  return new OperationFailure("unknown format spec", "value_error");
}

function* formatted(value: Json, text: string, pace: Pace): Task<string> {
  if (text === "") return yield* textTask(value, pace);
  const spec = readSpec(text);
  const isNumber = typeof value === "number";
  const { kind, digits, grouped, sign, align } = spec;
  const plain = kind === "" && !grouped && digits === null && sign === "-" && align !== "=";
  if (kind !== "s" && !plain && !(kind === "" && typeof value === "string" && digits !== null)) {
    return aligned(numberText(readNumber(value), spec), spec, true);
  }
  if (kind === "s" && (grouped || sign !== "-")) throw unknownSpec();
  const whole = yield* textTask(value, pace);
  return aligned(digits === null ? whole : codePointSlice(whole, 0, digits), spec, isNumber && kind === "");
}

function numberText(number: number, { kind, digits, grouped, sign }: Spec): string {
  const text = plainNumber(Math.abs(number), kind, digits);
  const before = number < 0 && /[1-9a-f]/i.test(text) ? "-" : sign === "-" ? "" : sign;
  return before + (grouped ? withThousands(text) : text);
}

/** `number` is not negative. */
function plainNumber(number: number, kind: string, digits: number | null): string {
  switch (kind) {
    case "":
      if (digits !== null) throw unknownSpec();
      return String(number);
    case "f":
    case "F":
      return fixedText(number, digits ?? 6);
    case "%":
      return `${fixedText(number * 100, digits ?? 6)}%`;
    case "e":
    case "E": {
      const text = number.toExponential(digits ?? 6).replace(/e([+-])(\d)$/, "e$10$2");
      return kind === "E" ? text.toUpperCase() : text;
    }
    default:
      if (!Number.isInteger(number)) throw new OperationFailure("not a whole number", "value_error");
      if (digits !== null) throw unknownSpec();
      if (kind === "d") return BigInt(number).toString();
      if (kind === "X") return BigInt(number).toString(16).toUpperCase();
      return BigInt(number).toString(kind === "x" ? 16 : kind === "o" ? 8 : 2);
  }
}

function aligned(text: string, { fill, align, width }: Spec, right: boolean): string {
  if (text.length >= 2 * width) return text;
  const missing = width - codePointLength(text);
  if (missing <= 0) return text;
  const before = align === "^" ? missing >> 1 : align === ">" || (align === null && right) ? missing : 0;
  if (align === "=") {
    const signs = /^[+ -]/.test(text) ? 1 : 0;
    return text.slice(0, signs) + fill.repeat(missing) + text.slice(signs);
  }
  return fill.repeat(before) + text + fill.repeat(missing - before);
}

/** Commas between groups of three digits of the whole part; a number in exponent notation has a single digit there. */
function withThousands(text: string): string {
  const sign = text.startsWith("-") ? "-" : "";
  let end = sign.length;
  while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  const groups: string[] = [];
  for (let stop = end; stop > sign.length; stop -= 3) groups.unshift(text.slice(Math.max(sign.length, stop - 3), stop));
  return sign + groups.join(",") + text.slice(end);
}

export const formatFunctions: FunctionGroup = { format: resumable(format) };
