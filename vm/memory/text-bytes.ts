/**
 * JSON as bytes in a buffer that grows: a short text is there sooner unit by unit than as a string that is joined, and encoded once more. What was
 * written after a place can be taken back (`at`).
 */

import { lineSafe } from "../values/json-line.ts";

/** A batch of a few rows makes one, so it begins small. */
const FIRST_BYTES = 4096;
/** Longer texts are encoded by the host. */
const SHORT = 48;
/** The room that a text may need is much more than it does: that of longer ones is found out first. */
const LARGE = 64 * 1024;
const MOST_BYTES_OF_UNIT = 3;
/** Whole numbers below this are written digit by digit, and so are fractions of it. */
const MOST_WHOLE = 1e15;
const SIX_PLACES = 1e6;
const PLACES = 6;
/** Floats in this range have no exponent in any language. */
const SMALLEST_PLAIN = 1e-4;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class TextBytes {
  bytes = new Uint8Array(FIRST_BYTES);
  /** Where the next byte goes. */
  at = 0;

  /** What is written, in a buffer of its own; the next text begins at 0. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.at);
    this.at = 0;
    return taken;
  }

  /** The text of what was written from `start` on. */
  since(start: number): string {
    return decoder.decode(this.bytes.subarray(start, this.at));
  }

  /** Makes room for `more` bytes. */
  room(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.at + more));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
  }

  byte(unit: number): void {
    if (this.at === this.bytes.length) this.room(1);
    this.bytes[this.at++] = unit;
  }

  /** Any text, as it is. */
  text(text: string): void {
    if (text.length > LARGE) {
      const encoded = encoder.encode(text);
      this.room(encoded.length);
      this.bytes.set(encoded, this.at);
      this.at += encoded.length;
      return;
    }
    this.room(text.length * MOST_BYTES_OF_UNIT);
    this.at += encoder.encodeInto(text, this.bytes.subarray(this.at)).written;
  }

  /** A short text of ASCII, as it is. */
  ascii(text: string): void {
    const { length } = text;
    this.room(length);
    const { bytes } = this;
    let { at } = this;
    for (let from = 0; from < length; from++) bytes[at++] = text.charCodeAt(from);
    this.at = at;
  }

  /** As JSON.stringify writes it, on one line for every reader; false: it has a lone surrogate, and nothing was written. */
  string(text: string): boolean {
    const { length } = text;
    if (length > SHORT) return this.#long(text);
    this.room(length + 2);
    const { bytes } = this;
    const start = this.at;
    let at = start;
    bytes[at++] = 34;
    for (let from = 0; from < length; from++) {
      const unit = text.charCodeAt(from);
      if (unit < 32 || unit > 126 || unit === 34 || unit === 92) return this.#long(text);
      bytes[at++] = unit;
    }
    bytes[at++] = 34;
    this.at = at;
    return true;
  }

  #long(text: string): boolean {
    if (SPECIAL.test(text)) {
      if (!text.isWellFormed()) return false;
      this.text(lineSafe(JSON.stringify(text)));
      return true;
    }
    this.byte(34);
    this.text(text);
    this.byte(34);
    return true;
  }

  /** A finite number as JavaScript writes it; false: Python writes it otherwise, and nothing was written. */
  number(value: number): boolean {
    const size = Math.abs(value);
    if (size < MOST_WHOLE && Number.isInteger(value)) {
      if (value < 0) this.byte(45);
      this.#digits(size);
      return true;
    }
    if (size < SMALLEST_PLAIN || size >= MOST_WHOLE) {
      if (!Number.isSafeInteger(value)) return false;
      this.ascii(String(value));
      return true;
    }
    // The quotient of two numbers that are exact is the number that its decimals are read as.
    const scaled = Math.round(size * SIX_PLACES);
    if (scaled >= MOST_WHOLE || scaled / SIX_PLACES !== size) {
      this.ascii(String(value));
      return true;
    }
    if (value < 0) this.byte(45);
    const whole = Math.floor(scaled / SIX_PLACES);
    this.#digits(whole);
    this.#places(scaled - whole * SIX_PLACES);
    return true;
  }

  #digits(value: number): void {
    this.room(20);
    const { bytes } = this;
    let length = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) length += 1;
    let rest = value;
    for (let at = this.at + length - 1; at >= this.at; at--) {
      const next = Math.floor(rest / 10);
      bytes[at] = 48 + (rest - next * 10);
      rest = next;
    }
    this.at += length;
  }

  /** The point and the places after it, without zeros at the end. */
  #places(millionths: number): void {
    this.room(PLACES + 1);
    const { bytes } = this;
    let places = PLACES;
    let rest = millionths | 0;
    while (rest % 10 === 0) {
      rest = (rest / 10) | 0;
      places -= 1;
    }
    bytes[this.at] = 46;
    for (let at = this.at + places; at > this.at; at--) {
      const next = (rest / 10) | 0;
      bytes[at] = 48 + (rest - next * 10);
      rest = next;
    }
    this.at += places + 1;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are escaped, as what some readers take for the end of a line; and a lone surrogate may be.
const SPECIAL = /["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
