/**
 * Checks values against the types of the language: the words of inputs (`text`, `list`), the letters of `D` lines (`I`, `A[T]`,
 * `E[a,b]`, `T?`) and record types, deeply. Knows nothing of frames and requests; a problem is a path below the value and a sentence.
 */

import { annotationOf, bracketType } from "../../compiler/ir/input-type.ts";
import { pointer } from "../../compiler/ir/issues.ts";
import type { RecordTypes } from "../../compiler/ir/record-types.ts";
import { isObject, type Json } from "../../compiler/json.ts";

/** `path` is a JSON pointer. */
export type InputProblem = {
  readonly path: string;
  readonly code: "input_type" | "input_missing";
  readonly message: string;
};

/** Adds the problems of a value to `found`, up to MAX_PROBLEMS. */
export type ValueCheck = (value: unknown, path: string, found: InputProblem[]) => void;

/** Problems of one frame that are reported. */
export const MAX_PROBLEMS = 10;
const MAX_TYPE_DEPTH = 64;
const MAX_SHOWN_WORDS = 20;

type Accepts = (value: unknown) => boolean;

const PLAIN: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ["number", isNumber],
  ["F", isNumber],
  ["integer", Number.isInteger],
  ["I", Number.isInteger],
  ["text", isText],
  ["S", isText],
  ["boolean", isBoolean],
  ["B", isBoolean],
  ["list", Array.isArray],
  ["map", isObject],
  ["D", isDate],
]);
/** Letters in the words that inputs have for the same. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["F", "number"],
  ["I", "integer"],
  ["S", "text"],
  ["B", "boolean"],
  ["D", "a date such as 2030-01-31"],
]);

/** Makes the checks of types that name `records`. Each type is read once. */
export class TypeReader {
  readonly #records: RecordTypes;
  readonly #known = new Map<string, ValueCheck | null>();

  constructor(records: RecordTypes) {
    this.#records = records;
  }

  /** The check of a type as written; null: every value is one of it. */
  checkOf(written: string, depth = 0): ValueCheck | null {
    const known = this.#known.get(written);
    if (known !== undefined) return known;
    const optional = written.endsWith("?");
    const type = optional || written.endsWith("!") ? written.slice(0, -1) : written;
    const check = depth > MAX_TYPE_DEPTH ? null : this.#made(type, depth);
    const made = optional && check !== null ? orNull(check) : check;
    this.#known.set(written, made);
    return made;
  }

  #made(type: string, depth: number): ValueCheck | null {
    const plain = PLAIN.get(type);
    if (plain !== undefined) return plainCheck(WORDS.get(type) ?? type, plain);
    const fields = this.#records.get(type);
    if (fields !== undefined) return this.#record(type, fields);
    const written = bracketType(type);
    switch (written?.kind) {
      case "list":
        return listCheck(this.checkOf(written.of, depth + 1));
      case "map":
        return mapCheck(this.checkOf(written.of, depth + 1));
      case "union":
        return anyOf(written.of.map((one) => this.checkOf(one, depth + 1)));
      case "words":
        return wordCheck(written.words);
      case "values":
        return valueCheck(written.values);
      default:
        return null;
    }
  }

  /** Members that the type does not name are allowed. Its fields are read at the first value: types may name each other. */
  #record(type: string, fields: ReadonlyMap<string, string>): ValueCheck {
    return (value, path, found) => {
      if (!isObject(value)) {
        mismatch(found, path, type, value);
        return;
      }
      for (const [name, fieldType] of fields) {
        if (found.length >= MAX_PROBLEMS) return;
        if (Object.hasOwn(value, name)) this.checkOf(fieldType)?.(value[name], pointer(path, name), found);
        else if (!fieldType.endsWith("?")) missing(found, pointer(path, name), fieldType);
      }
    };
  }
}

/** The type as messages name it; what stands in brackets as Python annotates it. */
export function typeWords(type: string): string {
  const bare = type.endsWith("!") ? type.slice(0, -1) : type;
  return WORDS.get(bare) ?? (bracketType(bare) === null ? bare : annotationOf([bare]));
}

export function missing(found: InputProblem[], path: string, type: string): void {
  if (found.length >= MAX_PROBLEMS) return;
  const kind = type === "any" || type === "J" ? "a value" : typeWords(type);
  found.push({ path, code: "input_missing", message: `expected ${kind}, found nothing` });
}

function mismatch(found: InputProblem[], path: string, type: string, value: unknown): void {
  if (found.length >= MAX_PROBLEMS) return;
  found.push({ path, code: "input_type", message: `expected ${type}, found ${foundWord(value)}` });
}

/** The type of a value; never the value, which may be secret. */
function foundWord(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  return typeof value === "object" ? "map" : typeof value;
}

function plainCheck(word: string, accepts: Accepts): ValueCheck {
  return (value, path, found) => {
    if (accepts(value)) return;
    const fraction = word === "integer" && typeof value === "number";
    if (!fraction) mismatch(found, path, word, value);
    else if (found.length < MAX_PROBLEMS)
      found.push({ path, code: "input_type", message: "expected integer, found a number that is not whole" });
  };
}

function orNull(check: ValueCheck): ValueCheck {
  return (value, path, found) => {
    if (value !== null) check(value, path, found);
  };
}

function listCheck(each: ValueCheck | null): ValueCheck {
  return (value, path, found) => {
    if (!Array.isArray(value)) {
      mismatch(found, path, "list", value);
      return;
    }
    if (each === null) return;
    for (const [index, item] of value.entries()) {
      if (found.length >= MAX_PROBLEMS) return;
      each(item, `${path}/${index}`, found);
    }
  };
}

function mapCheck(each: ValueCheck | null): ValueCheck {
  return (value, path, found) => {
    if (!isObject(value)) {
      mismatch(found, path, "map", value);
      return;
    }
    if (each === null) return;
    for (const name of Object.keys(value)) {
      if (found.length >= MAX_PROBLEMS) return;
      each(value[name], pointer(path, name), found);
    }
  };
}

/** A value that one of them takes is right; else the problems are those of the first. */
export function anyOf(checks: readonly (ValueCheck | null)[]): ValueCheck | null {
  const [first] = checks;
  if (first === undefined || checks.includes(null)) return null;
  if (checks.length === 1) return first;
  return (value, path, found) => {
    const each = checks.map((check) => {
      const own: InputProblem[] = [];
      check?.(value, path, own);
      return own;
    });
    if (each.every((own) => own.length > 0)) found.push(...(each[0] ?? []).slice(0, MAX_PROBLEMS - found.length));
  };
}

/** One of some values: texts, numbers, booleans and null. */
function valueCheck(values: readonly Json[]): ValueCheck {
  const known = new Set<unknown>(values);
  const shown = values.slice(0, MAX_SHOWN_WORDS).map((value) => JSON.stringify(value));
  const words = `one of ${shown.join(", ")}${values.length > MAX_SHOWN_WORDS ? ", …" : ""}`;
  return (value, path, found) => {
    if (known.has(value) || found.length >= MAX_PROBLEMS) return;
    const is = values.some((one) => typeof one === typeof value) ? `another ${foundWord(value)}` : foundWord(value);
    found.push({ path, code: "input_type", message: `expected ${words}, found ${is}` });
  };
}

function wordCheck(words: readonly string[]): ValueCheck {
  const known = new Set<unknown>(words);
  const shown = `${words.slice(0, MAX_SHOWN_WORDS).join(", ")}${words.length > MAX_SHOWN_WORDS ? ", …" : ""}`;
  return (value, path, found) => {
    if (known.has(value)) return;
    if (typeof value !== "string") mismatch(found, path, `one of ${shown}`, value);
    else if (found.length < MAX_PROBLEMS)
      found.push({ path, code: "input_type", message: `expected one of ${shown}, found another text` });
  };
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** A date, with or without a time of day. */
function isDate(value: unknown): boolean {
  const [, year, month, day] = (typeof value === "string" && DATE.exec(value)) || [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // The year is set apart: those below 100 would mean others.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
