/**
 * Lengths, positions and parts of text in code points. A pair of surrogates is one code point, a lone surrogate is
 * one, and no function here cuts a pair. Text without surrogates takes the engine's own operations, where units and
 * code points agree.
 */

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const SURROGATE = /[\ud800-\udfff]/;

export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text);
}

/** Whether position `at` lies between the two halves of a pair. */
export function cutsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1));
}

/** Unit position after the code point that starts at `at`. */
export function nextPosition(text: string, at: number): number {
  return at + 1 < text.length && cutsPair(text, at + 1) ? at + 2 : at + 1;
}

/** Unit position of the code point `index`; the end of the text when it has fewer. */
export function positionOf(text: string, index: number): number {
  let position = 0;
  for (let i = 0; i < index && position < text.length; i++) position = nextPosition(text, position);
  return position;
}

export function codePointLength(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  return codePointsBefore(text, text.length);
}

/** Code points in the first `end` units. */
export function codePointsBefore(text: string, end: number): number {
  let count = end;
  for (let i = 1; i < end; i++) {
    if (isLowSurrogate(text.charCodeAt(i)) && isHighSurrogate(text.charCodeAt(i - 1))) count--;
  }
  return count;
}

/** Code points `start` up to and without `end`; both within 0 … length, `end` may be Infinity. */
export function codePointSlice(text: string, start: number, end: number): string {
  if (end <= start) return "";
  if (!hasSurrogates(text)) return text.slice(start, end);
  const from = positionOf(text, start);
  let position = from;
  for (let count = start; count < end && position < text.length; count++) position = nextPosition(text, position);
  return text.slice(from, position);
}

export function characters(text: string): string[] {
  return hasSurrogates(text) ? Array.from(text) : text.split("");
}
