/**
 * `format`: a template with `{}`, `{n}`, `{name}`, `{{` and `}}`, and after a colon `[,][width][.digits f]`. A
 * template is data like any text: it names values, never members of members, and nothing in it is evaluated.
 */
import { isObject, type Json } from "../../compiler/json.ts";
import { codePointLength } from "../code-points.ts";
import { OperationFailure } from "../errors.ts";
import { fixedText, readNumber } from "../number-text.ts";
import { textOf } from "../text.ts";
import { MAX_TEXT_UNITS, tooLarge } from "../values.ts";
import { charge, createTally, type WorkMeter } from "../work-meter.ts";
import { type FunctionGroup, missingArgument, requiredText } from "./arguments.ts";

const MAX_WIDTH = 1_000;
const MAX_DIGITS = 100;

function badTemplate(): OperationFailure {
  return new OperationFailure("bad template", "value_error");
}

/** Where the text between fields ends: at the next brace from `from` on. */
function nextBrace(template: string, from: number): number {
  for (let i = from; i < template.length; i++) {
    const unit = template.charCodeAt(i);
    if (unit === 0x7b || unit === 0x7d) return i;
  }
  return template.length;
}

function format(args: readonly Json[], meter: WorkMeter): Json {
  const template = requiredText(args, 0, "format", meter);
  charge(meter, template.length);
  const values = args.slice(1);
  const tally = createTally(meter);
  let result = "";
  let next = 0;
  const append = (piece: string): void => {
    if (result.length + piece.length > MAX_TEXT_UNITS) throw tooLarge();
    tally(1 + piece.length);
    result += piece;
  };
  for (let at = 0; at < template.length; ) {
    const brace = nextBrace(template, at);
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
    append(formatted(field.name === "" ? positional(values, next++) : named(values, field.name), field.spec, meter));
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

const SPEC = /^(,?)([1-9][0-9]{0,3})?(?:\.([0-9]{1,3})f)?$/;

function formatted(value: Json, spec: string, meter: WorkMeter): string {
  if (spec === "") return textOf(value, meter);
  const match = SPEC.exec(spec);
  const width = Number(match?.[2] ?? 0);
  const digits = match?.[3];
  if (match === null || width > MAX_WIDTH || Number(digits ?? 0) > MAX_DIGITS) {
    throw new OperationFailure("unknown format spec", "value_error");
  }
  const grouped = match[1] === ",";
  const numeric = grouped || digits !== undefined;
  if (!numeric) return padded(textOf(value, meter), width, typeof value === "number");
  const number = readNumber(value);
  const plain = digits === undefined ? String(number) : fixedText(number, Number(digits));
  return padded(grouped ? withThousands(plain) : plain, width, true);
}

/** Numbers stand at the right end of their width, everything else at the left. */
function padded(text: string, width: number, right: boolean): string {
  const missing = width - codePointLength(text);
  if (missing <= 0) return text;
  return right ? " ".repeat(missing) + text : text + " ".repeat(missing);
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

export const formatFunctions: FunctionGroup = { format };
