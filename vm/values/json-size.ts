/**
 * Sizes of values as JSON (docs/runtime.md, limits): the exact UTF-8 length of the compact text, without building it.
 * Values of any depth are measured, because a frame may hold what no walking operation would accept. Must not know how
 * a machine books sizes.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";

/** The least numbers of two, three, … ten digits, after 0. */
const LEAST = new Int32Array([0, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]);

/** Up to here a number of hundredths is exact as a 32-bit integer. */
const MAX_HUNDREDTHS = 2 ** 31 - 1;

export function numberBytes(number: number): number {
  const integer = number | 0;
  if (integer === number) return signBytes(integer) + digits(integer < 0 ? -integer : integer);
  // Prices have at most two decimals: 10 ns instead of 94 for the text of the number.
  const magnitude = Math.abs(number);
  const hundredths = Math.round(magnitude * 100);
  if (hundredths / 100 === magnitude && hundredths <= MAX_HUNDREDTHS)
    return signBytes(number) + digits(Math.trunc(magnitude)) + (hundredths % 10 === 0 ? 2 : 3);
  return String(number).length;
}

function signBytes(number: number): number {
  return number < 0 ? 1 : 0;
}

/** Digits of an integer from 0 to 2^31. */
function digits(integer: number): number {
  // 1233 / 4096 is the logarithm of 2 to the base 10. Comparing with each power of ten took 11 ns instead of 4 where lengths differ.
  const fewest = ((32 - Math.clz32(integer)) * 1233) >> 12;
  return integer < (LEAST[fewest] as number) ? fewest : fewest + 1;
}

/** Anything whose JSON is not the same single byte. */
const NOT_ITSELF = /[^ !#-[\]-~]/;
/** From this length on the engine's pattern search is faster than looking at each unit: 0.5 ns a unit against 1.3. */
const LONG_TEXT = 64;

/** Quotes included. Backspace, tab, line feed, form feed and carriage return have short escapes. */
export function textBytes(text: string): number {
  const length = text.length;
  if (length >= LONG_TEXT && !NOT_ITSELF.test(text)) return length + 2;
  let bytes = length + 2;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      if (unit === 0x22 || unit === 0x5c) bytes += 1;
      else if (unit < 0x20) bytes += unit >= 8 && unit <= 13 && unit !== 11 ? 1 : 5;
    } else if (unit < 0x800) {
      bytes += 1;
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes += 2;
    } else if (unit < 0xdc00 && i + 1 < length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      // Four bytes for the pair, of which the length has counted two.
      bytes += 2;
      i++;
    } else {
      // A lone surrogate is written as \uXXXX.
      bytes += 5;
    }
  }
  return bytes;
}

/** What an unset variable counts for, so that setting it adds key, colon and comma too. */
export function unsetSize(name: string): number {
  return -(textBytes(name) + 2);
}

export function jsonBytes(value: Json): number {
  if (typeof value === "number") return numberBytes(value);
  if (typeof value === "string") return textBytes(value);
  if (typeof value !== "object" || value === null) return value === false ? 5 : 4;
  return containerBytes(value);
}

/**
 * The same for a value that may hold one part ten thousand times and nests no deeper than operations may walk. Above `most` each part
 * is measured once: the whole would take minutes.
 */
export function sharedJsonBytes(value: Json, most: number): number {
  if (typeof value !== "object" || value === null) return jsonBytes(value);
  const bytes = containerBytes(value, most);
  return bytes <= most ? bytes : partBytes(value, new Map());
}

function partBytes(part: Json, known: Map<Json, number>): number {
  if (typeof part !== "object" && (typeof part !== "string" || part.length < LONG_TEXT)) return scalarBytes(part);
  if (part === null) return 4;
  const measured = known.get(part);
  if (measured !== undefined) return measured;
  let bytes: number;
  if (typeof part === "string") bytes = textBytes(part);
  else if (Array.isArray(part)) {
    bytes = part.length === 0 ? 2 : part.length + 1;
    for (const element of part as readonly Json[]) bytes += partBytes(element, known);
  } else {
    bytes = 1;
    const object = part as JsonObject;
    for (const key in object) bytes += textBytes(key) + 2 + partBytes(object[key] as Json, known);
    if (bytes === 1) bytes = 2;
  }
  known.set(part, bytes);
  return bytes;
}

type Container = readonly Json[] | JsonObject;

/**
 * The order of summands does not matter, so open containers wait on a list instead of the host's stack. Above `most` the walk ends with
 * any such number.
 */
function containerBytes(root: Container, most = Number.POSITIVE_INFINITY): number {
  const open: Container[] = [root];
  let bytes = 0;
  for (let next = open.pop(); next !== undefined && bytes <= most; next = open.pop()) {
    bytes += Array.isArray(next) ? listBytes(next, open, most) : objectBytes(next as JsonObject, open, most);
  }
  return bytes;
}

function listBytes(list: readonly Json[], open: Container[], most: number): number {
  const length = list.length;
  let bytes = length === 0 ? 2 : length + 1;
  for (let i = 0; i < length && bytes <= most; i++) {
    const element = list[i] as Json;
    if (typeof element === "object" && element !== null) open.push(element);
    else bytes += scalarBytes(element);
  }
  return bytes;
}

function objectBytes(object: JsonObject, open: Container[], most: number): number {
  let bytes = 1;
  for (const key in object) {
    if (bytes > most) break;
    const member = object[key] as Json;
    bytes += textBytes(key) + 2;
    if (typeof member === "object" && member !== null) open.push(member);
    else bytes += scalarBytes(member);
  }
  return bytes === 1 ? 2 : bytes;
}

function scalarBytes(value: null | boolean | number | string): number {
  if (typeof value === "number") return numberBytes(value);
  if (typeof value === "string") return textBytes(value);
  return value === false ? 5 : 4;
}
