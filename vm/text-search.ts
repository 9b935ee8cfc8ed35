/**
 * Finding text in text without ever matching inside a surrogate pair, and in linear time whatever the texts: the
 * engine's own search compares up to length × length units for long repetitive needles, and nothing could interrupt
 * it. Must not know of functions or of what is done with a match.
 */
import { cutsPair, isHighSurrogate, isLowSurrogate } from "./code-points.ts";
import { CHUNK_MASK, chargeChunk, type WorkMeter } from "./work-meter.ts";

/** Up to here the engine's tables cover the whole needle, and its search is linear. */
const LONG_NEEDLE = 250;
const RISKY_PRODUCT = 2 ** 28;

/** Whether `needle` could match half of a pair: it begins with a low or ends with a high surrogate. */
function mayCutPair(needle: string): boolean {
  return isLowSurrogate(needle.charCodeAt(0)) || isHighSurrogate(needle.charCodeAt(needle.length - 1));
}

function isRisky(hay: string, needle: string): boolean {
  return needle.length > LONG_NEEDLE && hay.length * needle.length > RISKY_PRODUCT;
}

/**
 * Whether the engine's own search (also in `split` and `replaceAll`) is right and fast for these texts. `needle` is
 * not empty.
 */
export function searchesNatively(hay: string, needle: string): boolean {
  return !mayCutPair(needle) && !isRisky(hay, needle);
}

/** Unit positions of matches of one needle in one text; −1 when there is none from `from` on. */
export type Finder = (from: number) => number;

export function createFinder(hay: string, needle: string, meter: WorkMeter): Finder {
  const find = isRisky(hay, needle) ? linearFinder(hay, needle, meter) : (from: number) => hay.indexOf(needle, from);
  if (!mayCutPair(needle)) return find;
  return (from) => {
    let at = find(from);
    while (at >= 0 && (cutsPair(hay, at) || cutsPair(hay, at + needle.length))) at = find(at + 1);
    return at;
  };
}

export function containsText(hay: string, needle: string, meter: WorkMeter): boolean {
  if (needle === "") return true;
  if (searchesNatively(hay, needle)) return hay.includes(needle);
  return createFinder(hay, needle, meter)(0) >= 0;
}

/** Knuth, Morris, Pratt: each unit of the text is passed once. */
function linearFinder(hay: string, needle: string, meter: WorkMeter): Finder {
  const borders = borderTable(needle, meter);
  return (from) => {
    let matched = 0;
    for (let i = from; i < hay.length; i++) {
      if (((i - from) & CHUNK_MASK) === 0) chargeChunk(meter, hay.length - i);
      const unit = hay.charCodeAt(i);
      while (matched > 0 && unit !== needle.charCodeAt(matched)) matched = borders[matched - 1] as number;
      if (unit === needle.charCodeAt(matched)) matched++;
      if (matched === needle.length) return i - matched + 1;
    }
    return -1;
  };
}

/** For each prefix the length of its longest proper prefix that is also its end. */
function borderTable(needle: string, meter: WorkMeter): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let i = 1; i < needle.length; i++) {
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, needle.length - i);
    const unit = needle.charCodeAt(i);
    while (length > 0 && unit !== needle.charCodeAt(length)) length = borders[length - 1] as number;
    if (unit === needle.charCodeAt(length)) length++;
    borders[i] = length;
  }
  return borders;
}
