/** Texts by code points. Nearly all texts have no code point beyond U+FFFF, and then positions are those of JavaScript. */
import type { Order } from "../object.ts";

const SURROGATE = /[\ud800-\udfff]/;

export function hasSurrogate(text: string): boolean {
  return SURROGATE.test(text);
}

/** Shorter texts are looked through again each time. */
const SHORT = 64;
const REMEMBERED = 8;
/** Code points between two places of an index. */
const STRIDE = 128;

/** What is known of a long text. `places` are the offsets of every 128th code point; null: every position is its own offset. */
type Known = { text: string; readonly length: number; readonly places: readonly number[] | null };

const known: Known[] = [];

function lookedThrough(text: string): Known {
  if (!SURROGATE.test(text)) return { text, length: text.length, places: null };
  const places: number[] = [];
  let length = 0;
  for (let offset = 0; offset < text.length; offset += width(text, offset)) {
    if (length % STRIDE === 0) places.push(offset);
    length += 1;
  }
  return { text, length, places };
}

function about(text: string): Known {
  if (text.length < SHORT) return lookedThrough(text);
  for (const one of known) {
    if (one.text !== text) continue;
    // An equal text may be another copy, with which every comparison would read all of it.
    one.text = text;
    return one;
  }
  const found = lookedThrough(text);
  known.unshift(found);
  if (known.length > REMEMBERED) known.pop();
  return found;
}

/** Code units of the code point at an offset. */
function width(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
}

/** Whether positions in the text are also offsets in JavaScript. */
export function isPlain(text: string): boolean {
  return about(text).places === null;
}

export function textLength(text: string): number {
  return about(text).length;
}

/** The offset of the code point at `position`, which may be the length of the text. */
export function offsetOf(text: string, position: number): number {
  const { places, length } = about(text);
  if (places === null) return position;
  if (position >= length) return text.length;
  let offset = places[Math.floor(position / STRIDE)] as number;
  for (let left = position % STRIDE; left > 0; left -= 1) offset += width(text, offset);
  return offset;
}

/** The position of the code point at an offset. */
export function positionOf(text: string, offset: number): number {
  const { places, length } = about(text);
  if (places === null) return offset;
  if (offset >= text.length) return length;
  let [low, high] = [0, places.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  let position = low * STRIDE;
  for (let at = places[low] as number; at < offset; at += width(text, at)) position += 1;
  return position;
}

/** The code point at a position that exists. */
export function textAt(text: string, position: number): string {
  const offset = offsetOf(text, position);
  return width(text, offset) === 1 ? (text[offset] as string) : text.slice(offset, offset + 2);
}

/** -1, 0 or 1 by code points: those beyond U+FFFF come last, although their code units do not. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return rank(x) < rank(y) ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

export function isInOrder(op: Order, comparison: number): boolean {
  switch (op) {
    case "<":
      return comparison < 0;
    case "<=":
      return comparison <= 0;
    case ">":
      return comparison > 0;
    default:
      return comparison >= 0;
  }
}
