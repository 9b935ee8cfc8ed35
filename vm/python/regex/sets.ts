/** Which characters a part of a pattern stands for, by Python's definitions of digits, words, white space and case. */
import { lower } from "../unicode/case.ts";
import { DECIMAL, isAlphanumeric, isSpace } from "../unicode/sets.ts";

export type Has = (code: number) => boolean;

/** What stands in brackets: a run of characters or a category. */
export type SetItem = { readonly first: number; readonly last: number } | { readonly category: string };

export type CaseRules = { readonly ignoresCase: boolean; readonly isAscii: boolean };

const UNDERSCORE = 95;
const isAsciiWord: Has = (code) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === UNDERSCORE;

export function isWord(code: number, isAscii: boolean): boolean {
  return code < 128 ? isAsciiWord(code) : !isAscii && isAlphanumeric(code);
}

const CATEGORIES: { readonly [letter: string]: (code: number, isAscii: boolean) => boolean } = {
  d: (code, isAscii) => (code < 128 ? code >= 48 && code <= 57 : !isAscii && DECIMAL.has(code)),
  s: (code, isAscii) => (isAscii ? code === 32 || (code >= 9 && code <= 13) : isSpace(code)),
  w: isWord,
};

/** `letter`: d, D, s, S, w or W. */
function categoryOf(letter: string, isAscii: boolean): Has {
  const category = CATEGORIES[letter.toLowerCase()] as (code: number, isAscii: boolean) => boolean;
  return letter >= "a" ? (code) => category(code, isAscii) : (code) => !category(code, isAscii);
}

/** Lower-case characters that match each other besides (CPython's `re._casefix`). */
const EQUIVALENT: readonly (readonly number[])[] = [
  [0x69, 0x131],
  [0x73, 0x17f],
  [0xb5, 0x3bc],
  [0x345, 0x3b9, 0x1fbe],
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0x3b2, 0x3d0],
  [0x3b5, 0x3f5],
  [0x3b8, 0x3d1],
  [0x3ba, 0x3f0],
  [0x3c0, 0x3d6],
  [0x3c1, 0x3f1],
  [0x3c2, 0x3c3],
  [0x3c6, 0x3d5],
  [0x432, 0x1c80],
  [0x434, 0x1c81],
  [0x43e, 0x1c82],
  [0x441, 0x1c83],
  [0x442, 0x1c84, 0x1c85],
  [0x44a, 0x1c86],
  [0x463, 0x1c87],
  [0xa64b, 0x1c88],
  [0x1e61, 0x1e9b],
  [0xfb05, 0xfb06],
]; // prettier-ignore

const SIGMA = 0x3a3;
const SMALL_SIGMA = 0x3c3;

/** The lower case that is one character. */
function lowerCode(code: number, isAscii: boolean): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  if (isAscii) return code;
  if (code === SIGMA) return SMALL_SIGMA;
  return lower(String.fromCodePoint(code)).codePointAt(0) as number;
}

let family: Map<number, number[]> | null = null;

/** Characters by what they are in lower case, equivalents included. */
function families(): ReadonlyMap<number, readonly number[]> {
  if (family !== null) return family;
  const made = new Map<number, number[]>();
  const add = (low: number, code: number): void => {
    const known = made.get(low);
    if (known === undefined) made.set(low, [low, code]);
    else if (!known.includes(code)) known.push(code);
  };
  // ASCII letters have a rule of their own in `matching`, and stand here as equivalents of others.
  for (let code = 128; code < 0x1f000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const low = lowerCode(code, false);
    if (low !== code) add(low, code);
  }
  for (const group of EQUIVALENT) {
    const all = group.flatMap((code) => [...upperOfAscii(code), ...(made.get(code) ?? [code])]);
    for (const low of group) for (const code of all) add(low, code);
  }
  family = made;
  return made;
}

function upperOfAscii(low: number): readonly number[] {
  return low >= 97 && low <= 122 ? [low - 32] : [];
}

/** All characters that match `code` without regard to case. */
function matching(code: number, isAscii: boolean): readonly number[] {
  const low = lowerCode(code, isAscii);
  const upper = upperOfAscii(low);
  if (isAscii) return [low, ...upper];
  return [low, ...upper, ...(families().get(low) ?? [])];
}

export function setOf(items: readonly SetItem[], isNegated: boolean, { ignoresCase, isAscii }: CaseRules): Has {
  const categories: Has[] = [];
  const ranges: (readonly [number, number])[] = [];
  for (const item of items)
    if ("category" in item) categories.push(categoryOf(item.category, isAscii));
    else ranges.push([item.first, item.last]);
  const isInRange = (code: number): boolean => ranges.some(([first, last]) => code >= first && code <= last);
  const [only] = ranges;
  let has: Has;
  if (ignoresCase)
    has = (code) => matching(code, isAscii).some(isInRange) || categories.some((one) => one(lowerCode(code, isAscii)));
  else if (categories.length === 0 && ranges.length === 1 && only !== undefined) {
    const [first, last] = only;
    has = first === last ? (code) => code === first : (code) => code >= first && code <= last;
  } else if (ranges.length === 0 && categories.length === 1) has = categories[0] as Has;
  else has = (code) => isInRange(code) || categories.some((one) => one(code));
  return isNegated ? (code) => !has(code) : has;
}
