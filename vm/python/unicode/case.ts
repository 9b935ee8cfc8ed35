/** Upper, lower, title and folded case of texts as CPython 3.11 has them, the Greek final sigma included. */
import { CASE_IGNORABLE, CASED, LOWER, UPPER } from "./sets.ts";
import { MAPS } from "./tables.ts";
import { Numbers } from "./vlq.ts";

class Mapping {
  readonly #written: string;
  #results: Map<number, string> | null = null;

  constructor(written: string) {
    this.#written = written;
  }

  of(char: string): string {
    this.#results ??= this.#read();
    return this.#results.get(char.codePointAt(0) as number) ?? char;
  }

  #read(): Map<number, string> {
    const results = new Map<number, string>();
    const numbers = new Numbers(this.#written);
    let at = 0;
    for (let runs = numbers.next(); runs > 0; runs--) {
      at += numbers.next();
      const countAndStep = numbers.next();
      const distance = numbers.signed();
      for (let count = 0; count < countAndStep >> 1; count++) {
        const code = at + count * ((countAndStep & 1) + 1);
        results.set(code, String.fromCodePoint(code + distance));
      }
    }
    for (at = 0; numbers.isOpen; ) {
      at += numbers.next();
      const codes = Array.from({ length: numbers.next() }, () => numbers.next());
      results.set(at, String.fromCodePoint(...codes));
    }
    return results;
  }
}

const TO_UPPER = new Mapping(MAPS.TO_UPPER);
const TO_LOWER = new Mapping(MAPS.TO_LOWER);
const TO_TITLE = new Mapping(MAPS.TO_TITLE);
const FOLDED = new Mapping(MAPS.FOLDED);

const ASCII = /^[\0-\x7f]*$/;
export const isAscii = (text: string): boolean => ASCII.test(text);

/** What is made of a part of a text: of its code units from `from` to `to`, which cut no character. */
type Cased = (text: string, from?: number, to?: number) => string;

/** Texts of ASCII are left to the engine; `of` gets every character of others, with its place in the whole text. */
const cased =
  (ascii: (part: string) => string, of: (char: string, text: string, at: number) => string): Cased =>
  (text, from = 0, to = text.length) => {
    const part = text.slice(from, to);
    if (isAscii(part)) return ascii(part);
    let result = "";
    let at = from;
    for (const char of part) {
      result += of(char, text, at);
      at += char.length;
    }
    return result;
  };

const asUpper = (part: string): string => part.toUpperCase();
const asLower = (part: string): string => part.toLowerCase();

export const upper = cased(asUpper, (char) => TO_UPPER.of(char));
export const lower = cased(asLower, (char, text, at) => lowered(text, char, at));
export const casefold = cased(asLower, (char) => FOLDED.of(char));

export const swapcase = cased(
  (part) => part.replace(/[a-z]+|[A-Z]+/g, (run) => (run < "a" ? run.toLowerCase() : run.toUpperCase())),
  (char, text, at) => {
    const code = char.codePointAt(0) as number;
    if (UPPER.has(code)) return lowered(text, char, at);
    return LOWER.has(code) ? TO_UPPER.of(char) : char;
  },
);

/** The first letter in title case, the others in lower case. */
export const capitalize: Cased = (text, from = 0, to = text.length) => {
  if (from > 0 || text === "") return lower(text, from, to);
  const first = String.fromCodePoint(text.codePointAt(0) as number);
  return TO_TITLE.of(first) + lower(text, first.length, to);
};

/** The first letter of each word in title case; a word begins after what has no case. */
export const title: Cased = (text, from = 0, to = text.length) => {
  const parts: string[] = [];
  let wasCased = from > 0 && CASED.has(pointBefore(text, from));
  for (let at = from; at < to; ) {
    const code = text.codePointAt(at) as number;
    const char = String.fromCodePoint(code);
    parts.push(wasCased ? lowered(text, char, at) : TO_TITLE.of(char));
    wasCased = CASED.has(code);
    at += char.length;
  }
  return parts.join("");
};

/** The code point that ends at `at`. */
function pointBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit < 0xe000 && at > 1 ? (text.codePointAt(at - 2) as number) : unit;
}

const SIGMA = "\u03a3";

/** The lower case of the character at `at` of a text, which a sigma takes from what stands around it. */
function lowered(text: string, char: string, at: number): string {
  if (char !== SIGMA) return TO_LOWER.of(char);
  return hasCased(text, at, -1) && !hasCased(text, at, 1) ? "\u03c2" : "\u03c3";
}

/** Whether the next character that is not ignored is a cased one. */
function hasCased(text: string, from: number, step: -1 | 1): boolean {
  for (let at = from + step; at >= 0 && at < text.length; at += step) {
    let code = text.charCodeAt(at);
    if (step < 0 && code >= 0xdc00 && code < 0xe000) code = text.codePointAt(--at) as number;
    else if (step > 0 && code >= 0xd800 && code < 0xdc00) code = text.codePointAt(at++) as number;
    if (!CASE_IGNORABLE.has(code)) return CASED.has(code);
  }
  return false;
}
