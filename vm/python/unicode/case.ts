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

export function upper(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  let result = "";
  for (const char of text) result += TO_UPPER.of(char);
  return result;
}

export function lower(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let result = "";
  let at = 0;
  for (const char of text) {
    result += lowered(text, char, at);
    at += char.length;
  }
  return result;
}

export function casefold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let result = "";
  for (const char of text) result += FOLDED.of(char);
  return result;
}

export function swapcase(text: string): string {
  let result = "";
  let at = 0;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (UPPER.has(code)) result += lowered(text, char, at);
    else result += LOWER.has(code) ? TO_UPPER.of(char) : char;
    at += char.length;
  }
  return result;
}

/** The first letter in title case, the others in lower case. */
export function capitalize(text: string): string {
  return titled(text, (_code, isFirst) => isFirst);
}

/** The first letter of each word in title case; a word begins after what has no case. */
export function title(text: string): string {
  let wasCased = false;
  return titled(text, (code) => {
    const begins = !wasCased;
    wasCased = CASED.has(code);
    return begins;
  });
}

function titled(text: string, begins: (code: number, isFirst: boolean) => boolean): string {
  let result = "";
  let at = 0;
  for (const char of text) {
    result += begins(char.codePointAt(0) as number, at === 0) ? TO_TITLE.of(char) : lowered(text, char, at);
    at += char.length;
  }
  return result;
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
