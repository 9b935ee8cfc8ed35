/**
 * Reads one JSON object of a text, and of it only the members that are wanted: others are checked and passed over without being made. It takes what
 * nearly all rows look like. Anything else, also what is not JSON, it leaves to a reader that says what is wrong.
 */
import type { Json } from "../../../compiler/json.ts";
import { exactly } from "../../inputs/exact-text.ts";
import { PyFloat } from "../../python/kinds/float.ts";
import { MAX_NESTING } from "../../values/values.ts";

/** JSON, or a whole float as a program in Python has it. */
export type RowValue = Json | PyFloat;

/** Digits that a number holds exactly, and powers of ten that it divides exactly by. */
const MOST_DIGITS = 15;
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, power) => 10 ** power);
/** Digits of a number that is passed over: it is finite. */
const FINITE_DIGITS = 300;

const enum Unit {
  Tab = 9,
  Newline = 10,
  Return = 13,
  Space = 32,
  Quote = 34,
  Plus = 43,
  Comma = 44,
  Minus = 45,
  Point = 46,
  Zero = 48,
  Nine = 57,
  Colon = 58,
  E = 69,
  Open = 91,
  Backslash = 92,
  Close = 93,
  SmallE = 101,
  OpenBrace = 123,
  CloseBrace = 125,
}

export class RowReader {
  /** What was read last, by wanted name; undefined: the row does not have it. */
  readonly values: (RowValue | undefined)[];
  /** Names that were passed over, each once; of many the first ones. */
  readonly passed = new Set<string>();
  readonly #names: ReadonlyMap<string, number>;
  readonly #keepsFloats: boolean;
  /** By place in the row: the key that stood there last, with its quotes, and which one it is (-1: passed over). */
  readonly #lastKeys: string[] = [];
  readonly #lastWanted: number[] = [];
  #text = "";
  #at = 0;
  #isEscaped = false;
  #hasFloat = false;
  /** The row that was read last has members that were passed over. */
  hasPassed = false;

  /** `keepsFloats`: `2.0` is not the number 2. */
  constructor(names: readonly string[], keepsFloats: boolean) {
    this.values = names.map(() => undefined);
    this.#names = new Map(names.map((name, at) => [name, at]));
    this.#keepsFloats = keepsFloats;
  }

  /** Where the line of the object ends, which begins at `start`; -1: this is a row for another reader. */
  read(text: string, start: number): number {
    this.#text = text;
    this.#at = start;
    this.#hasFloat = this.hasPassed = false;
    this.values.fill(undefined);
    this.#skipBlanks();
    if (text.charCodeAt(this.#at) !== Unit.OpenBrace || !this.#members()) return -1;
    this.#skipBlanks();
    const at = this.#at;
    return at === text.length || text.charCodeAt(at) === Unit.Newline ? at : -1;
  }

  /** The values as JavaScript has them. */
  plain(): readonly unknown[] {
    if (!this.#hasFloat) return this.values;
    return this.values.map((value) => (value instanceof PyFloat ? value.value : value));
  }

  #skipBlanks(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== Unit.Space && unit !== Unit.Tab && unit !== Unit.Return) return;
      this.#at += 1;
    }
  }

  #members(): boolean {
    const text = this.#text;
    this.#at += 1;
    this.#skipBlanks();
    if (text.charCodeAt(this.#at) === Unit.CloseBrace) {
      this.#at += 1;
      return true;
    }
    for (let place = 0; ; place++) {
      const wanted = this.#key(place);
      if (wanted < -1) return false;
      if (wanted < 0) {
        this.hasPassed = true;
        if (!this.#pass(1)) return false;
      } else if (this.values[wanted] !== undefined || !this.#take(wanted)) return false;
      this.#skipBlanks();
      const unit = text.charCodeAt(this.#at);
      this.#at += 1;
      if (unit === Unit.CloseBrace) return true;
      if (unit !== Unit.Comma) return false;
      this.#skipBlanks();
    }
  }

  /** Goes past the colon of a member. Which name it has; -1: one that is passed over; -2: it cannot be read. */
  #key(place: number): number {
    const text = this.#text;
    const last = this.#lastKeys[place];
    let wanted: number;
    if (last !== undefined && text.startsWith(last, this.#at)) {
      this.#at += last.length;
      wanted = this.#lastWanted[place] as number;
    } else {
      const start = this.#at;
      if (text.charCodeAt(start) !== Unit.Quote || !this.#string() || this.#isEscaped) return -2;
      const key = text.slice(start + 1, this.#at - 1);
      wanted = this.#names.get(key) ?? -1;
      if (wanted < 0 && this.passed.size <= MOST_PASSED) this.passed.add(key);
      if (place < MOST_KEYS && key.length < MOST_KEY_UNITS) {
        this.#lastKeys[place] = `"${key}"`;
        this.#lastWanted[place] = wanted;
      }
    }
    this.#skipBlanks();
    if (text.charCodeAt(this.#at) !== Unit.Colon) return -2;
    this.#at += 1;
    this.#skipBlanks();
    return wanted;
  }

  #take(wanted: number): boolean {
    const text = this.#text;
    const start = this.#at;
    const unit = text.charCodeAt(start);
    if (unit === Unit.Quote) {
      if (!this.#string()) return false;
      if (!this.#isEscaped) {
        this.values[wanted] = text.slice(start + 1, this.#at - 1);
        return true;
      }
      const value: unknown = parsed(text.slice(start, this.#at));
      if (typeof value !== "string" || !value.isWellFormed()) return false;
      this.values[wanted] = value;
      return true;
    }
    if (unit === Unit.Minus || (unit >= Unit.Zero && unit <= Unit.Nine)) return this.#number(wanted);
    if (!this.#pass(1)) return false;
    if (unit === Unit.OpenBrace || unit === Unit.Open) {
      const written = text.slice(start, this.#at);
      // A lone surrogate can only be written as an escape.
      if (written.includes("\\u")) return false;
      const value = parsed(written);
      if (value === undefined) return false;
      this.values[wanted] = exactly(value, written);
    } else this.values[wanted] = unit === 116 ? true : unit === 102 ? false : null;
    return true;
  }

  /** A number whose value is computed exactly; others are left to another reader. */
  #number(wanted: number): boolean {
    const text = this.#text;
    let at = this.#at;
    const isNegative = text.charCodeAt(at) === Unit.Minus;
    if (isNegative) at += 1;
    const start = at;
    let value = 0;
    let unit = text.charCodeAt(at);
    for (; unit >= Unit.Zero && unit <= Unit.Nine; unit = text.charCodeAt(at)) {
      value = value * 10 + (unit - Unit.Zero);
      at += 1;
    }
    let digits = at - start;
    if (digits === 0 || (digits > 1 && text.charCodeAt(start) === Unit.Zero)) return false;
    let decimals = 0;
    if (unit === Unit.Point) {
      at += 1;
      const point = at;
      for (unit = text.charCodeAt(at); unit >= Unit.Zero && unit <= Unit.Nine; unit = text.charCodeAt(at)) {
        value = value * 10 + (unit - Unit.Zero);
        at += 1;
      }
      decimals = at - point;
      if (decimals === 0) return false;
      digits += decimals;
    }
    if (digits > MOST_DIGITS || unit === Unit.E || unit === Unit.SmallE) return false;
    this.#at = at;
    if (decimals > 0) value /= POWERS[decimals] as number;
    if (decimals > 0 && this.#keepsFloats && Number.isInteger(value)) {
      this.#hasFloat = true;
      this.values[wanted] = new PyFloat(isNegative ? -value : value);
    } else this.values[wanted] = isNegative && value !== 0 ? -value : value;
    return true;
  }

  /** From the opening quote to past the closing one; false: no text ends here. */
  #string(): boolean {
    const text = this.#text;
    let at = this.#at + 1;
    this.#isEscaped = false;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit === Unit.Quote) {
        this.#at = at + 1;
        return true;
      }
      if (unit === Unit.Backslash) {
        this.#isEscaped = true;
        at += isEscape(text, at) ? 2 : text.length;
      } else if (unit >= Unit.Space) at += 1;
      // Also past the end, where the unit is not a number.
      else return false;
    }
  }

  /** Goes past a value, which is checked and not made. `depth`: of containers around it. */
  #pass(depth: number): boolean {
    const text = this.#text;
    const unit = text.charCodeAt(this.#at);
    if (unit === Unit.Quote) return this.#string();
    if (unit === Unit.OpenBrace || unit === Unit.Open)
      return depth < MAX_NESTING && this.#passContainer(unit, depth + 1);
    const word = unit === 116 ? "true" : unit === 102 ? "false" : unit === 110 ? "null" : null;
    if (word === null) return this.#passNumber();
    if (!text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #passContainer(open: number, depth: number): boolean {
    const text = this.#text;
    const close = open === Unit.Open ? Unit.Close : Unit.CloseBrace;
    this.#at += 1;
    this.#skipBlanks();
    if (text.charCodeAt(this.#at) === close) {
      this.#at += 1;
      return true;
    }
    for (;;) {
      if (open === Unit.OpenBrace) {
        if (text.charCodeAt(this.#at) !== Unit.Quote || !this.#string()) return false;
        this.#skipBlanks();
        if (text.charCodeAt(this.#at) !== Unit.Colon) return false;
        this.#at += 1;
        this.#skipBlanks();
      }
      if (!this.#pass(depth)) return false;
      this.#skipBlanks();
      const unit = text.charCodeAt(this.#at);
      this.#at += 1;
      if (unit === close) return true;
      if (unit !== Unit.Comma) return false;
      this.#skipBlanks();
    }
  }

  #passNumber(): boolean {
    const text = this.#text;
    let at = this.#at;
    if (text.charCodeAt(at) === Unit.Minus) at += 1;
    const start = at;
    at = afterDigits(text, at);
    if (at === start || (at - start > 1 && text.charCodeAt(start) === Unit.Zero)) return false;
    if (text.charCodeAt(at) === Unit.Point) {
      const point = at + 1;
      at = afterDigits(text, point);
      if (at === point) return false;
    }
    const unit = text.charCodeAt(at);
    if (unit === Unit.E || unit === Unit.SmallE || at - start > FINITE_DIGITS) return false;
    this.#at = at;
    return true;
  }
}

/** Names that are reported as passed over; one more tells that there are others. */
const MOST_PASSED = 10;
const MOST_KEYS = 256;
const MOST_KEY_UNITS = 128;

function afterDigits(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit >= Unit.Zero && unit <= Unit.Nine; unit = text.charCodeAt(at)) at += 1;
  return at;
}

/** The units after a backslash that JSON has; four digits follow `u`, which are checked here too. */
function isEscape(text: string, at: number): boolean {
  const letter = text[at + 1];
  if (letter === undefined) return false;
  return letter === "u" ? HEX.test(text.slice(at + 2, at + 6)) : '"\\/bfnrt'.includes(letter);
}

const HEX = /^[0-9a-fA-F]{4}$/;

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
