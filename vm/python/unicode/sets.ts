/** Sets of code points as CPython 3.11 has them, read from the generated tables when they are first needed. */
import { SETS } from "./tables.ts";
import { Numbers } from "./vlq.ts";

const LATIN = 256;

/** Whether a code point is in a set. */
export class CodePoints {
  readonly #written: string;
  /** Where runs begin (even places) and end (odd places). */
  #edges: Uint32Array | null = null;
  readonly #latin = new Uint8Array(LATIN);

  constructor(written: string) {
    this.#written = written;
  }

  has(code: number): boolean {
    if (this.#edges === null) this.#edges = this.#read();
    return code < LATIN ? this.#latin[code] === 1 : (placeOf(this.#edges, code) & 1) === 1;
  }

  /** The first code point of the run that holds `code`. */
  startOf(code: number): number {
    this.#edges ??= this.#read();
    return this.#edges[placeOf(this.#edges, code) - 1] as number;
  }

  /** First and last code points of all runs. */
  ranges(): readonly (readonly [number, number])[] {
    this.#edges ??= this.#read();
    const ranges: [number, number][] = [];
    for (let at = 0; at < this.#edges.length; at += 2)
      ranges.push([this.#edges[at] as number, (this.#edges[at + 1] as number) - 1]);
    return ranges;
  }

  #read(): Uint32Array {
    const numbers = new Numbers(this.#written);
    const edges: number[] = [];
    for (let at = 0; numbers.isOpen; ) {
      at += numbers.next();
      edges.push(at);
    }
    const read = Uint32Array.from(edges);
    for (let code = 0; code < LATIN; code++) this.#latin[code] = placeOf(read, code) & 1;
    return read;
  }
}

/** How many edges are at or before a code point. */
function placeOf(edges: Uint32Array, code: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] as number) <= code) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const ALPHA = new CodePoints(SETS.ALPHA);
export const DECIMAL = new CodePoints(SETS.DECIMAL);
export const DIGIT = new CodePoints(SETS.DIGIT);
export const NUMERIC = new CodePoints(SETS.NUMERIC);
export const LOWER = new CodePoints(SETS.LOWER);
export const UPPER = new CodePoints(SETS.UPPER);
const SPACE = new CodePoints(SETS.SPACE);
const PRINTABLE = new CodePoints(SETS.PRINTABLE);
export const IDENTIFIER_START = new CodePoints(SETS.IDENTIFIER_START);
export const IDENTIFIER_PART = new CodePoints(SETS.IDENTIFIER_PART);
export const CASED = new CodePoints(SETS.CASED);
export const CASE_IGNORABLE = new CodePoints(SETS.CASE_IGNORABLE);
export const TITLE = new CodePoints(SETS.TITLE);

/** The value of a decimal digit of any script; -1: it is not one. Digits stand in rows of ten. */
export function digitValue(code: number): number {
  if (code < 128) return code >= 48 && code <= 57 ? code - 48 : -1;
  return DECIMAL.has(code) ? (code - DECIMAL.startOf(code)) % 10 : -1;
}

export function isAlphanumeric(code: number): boolean {
  // What is decimal or a digit is numeric as well.
  return ALPHA.has(code) || NUMERIC.has(code);
}

/** `str.isprintable` of one character: what `repr` writes as it is. */
export function isPrintable(code: number): boolean {
  return code < 127 ? code >= 32 : PRINTABLE.has(code);
}

/** One of Python's 29 white-space characters. */
export function isSpace(code: number): boolean {
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31) : SPACE.has(code);
}
