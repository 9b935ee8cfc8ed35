/** Methods of str that take texts apart, and `join`. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { Bytes, type Calling, type Context, type Natives, typeOf, type Value } from "../../object.ts";
import { each, keep } from "../../operations.ts";
import { isSpace } from "../../unicode/sets.ts";
import { trimEnd, trimStart } from "../../unicode/trim.ts";
import { made, nameOf, self, sizeOf, smallOf } from "../arguments.ts";
import { PIECE } from "./pieces.ts";

function listOf(ctx: Context, text: string, parts: string[]): PyList {
  ctx.charge(text.length);
  return listMade(ctx, text, parts);
}

function listMade(ctx: Context, text: string, parts: string[]): PyList {
  ctx.alloc(Bytes.Object + parts.length * Bytes.Element + text.length * Bytes.Unit);
  return new PyList(parts);
}

/** Parts that are cut off before others get a turn. */
const TURN = 20_000;

/** All parts of a long text; `next` cuts one off at a place, and gives the place after it, -1 at the end. */
function* longList(
  ctx: Context,
  text: string,
  next: (at: number, parts: string[]) => number,
  isFromRight = false,
): Calling<PyList> {
  const parts: string[] = [];
  let begins = 0;
  let count = 0;
  for (let at = 0; at >= 0; ) {
    at = next(at, parts);
    count += 1;
    if (count < TURN && at - begins < PIECE) continue;
    ctx.charge(at < 0 ? text.length - begins : at - begins);
    ctx.room(parts.length * Bytes.Element);
    begins = at;
    count = 0;
    yield null;
  }
  return listMade(ctx, text, isFromRight ? parts.reverse() : parts);
}

/** Cuts off the next word; the place after it, -1 at the end. Every white-space character is one unit. */
function nextWord(text: string, from: number, parts: string[]): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  if (at === text.length) return -1;
  const start = at;
  while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
  parts.push(text.slice(start, at));
  return at;
}

/** The parts between runs of white space. */
export function words(text: string, most: number): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at >= 0 && parts.length < most) at = nextWord(text, at, parts);
  if (at >= 0) {
    const rest = trimStart(text.slice(at), isSpace);
    if (rest !== "") parts.push(rest);
  }
  return parts;
}

/** The same from the right: at most `most` parts are cut off at the end. */
function wordsFromRight(text: string, most: number): string[] {
  const parts: string[] = [];
  let at = text.length;
  for (;;) {
    while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
    if (at === 0) return parts.reverse();
    if (parts.length === most) {
      parts.push(text.slice(0, at));
      return parts.reverse();
    }
    const end = at;
    while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at -= 1;
    parts.push(text.slice(at, end));
  }
}

function split(text: string, between: string, most: number): string[] {
  if (most === Infinity) return text.split(between);
  const parts: string[] = [];
  let at = 0;
  while (at >= 0 && parts.length < most) at = nextPart(text, between, at, parts);
  if (at >= 0) parts.push(text.slice(at));
  return parts;
}

function splitFromRight(text: string, between: string, most: number): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at >= 0 && parts.length < most) at = lastPart(text, between, at, parts);
  if (at >= 0) parts.push(text.slice(0, text.length - at));
  return parts.reverse();
}

function cut(
  ctx: Context,
  text: string,
  sep: Value,
  maxsplit: Value,
  atSpaces: typeof words,
  atText: typeof split,
): Value | Calling {
  const size = sizeOf(maxsplit);
  const most = size < 0 ? Infinity : size;
  const isLong = text.length > PIECE && most === Infinity;
  if (sep === null) {
    if (isLong) return longList(ctx, text, (at, parts) => nextWord(text, at, parts));
    return listOf(ctx, text, atSpaces(text, most));
  }
  if (typeof sep !== "string") throw raised(TYPE_ERROR, `must be str or None, not ${nameOf(sep)}`);
  if (sep === "") throw raised(VALUE_ERROR, "empty separator");
  if (!isLong) return listOf(ctx, text, atText(text, sep, most));
  if (atText === splitFromRight) return longList(ctx, text, (at, parts) => lastPart(text, sep, at, parts), true);
  return longList(ctx, text, (at, parts) => nextPart(text, sep, at, parts));
}

function nextPart(text: string, between: string, at: number, parts: string[]): number {
  const next = text.indexOf(between, at);
  parts.push(next < 0 ? text.slice(at) : text.slice(at, next));
  return next < 0 ? -1 : next + between.length;
}

/** The same from the right: `at` counts from the end. */
function lastPart(text: string, between: string, at: number, parts: string[]): number {
  const end = text.length - at;
  // lastIndexOf reads a negative place as 0.
  const next = end < between.length ? -1 : text.lastIndexOf(between, end - between.length);
  parts.push(text.slice(next < 0 ? 0 : next + between.length, end));
  return next < 0 ? -1 : text.length - next;
}

/** The ten ends of lines that Python knows; `\r\n` is one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end lines.
const LINE_END = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/g;

/** Cuts off the next line; the place after it, -1 at the end. */
function nextLine(text: string, at: number, keepEnds: boolean, parts: string[]): number {
  if (at === text.length) return -1;
  LINE_END.lastIndex = at;
  const end = LINE_END.exec(text);
  const next = end === null ? text.length : LINE_END.lastIndex;
  parts.push(text.slice(at, end === null || keepEnds ? next : end.index));
  return next;
}

export function lines(text: string, keepEnds: boolean): string[] {
  const parts: string[] = [];
  for (let at = 0; at >= 0; ) at = nextLine(text, at, keepEnds, parts);
  return parts;
}

function splitLines(ctx: Context, text: string, keepEnds: boolean): Value | Calling {
  if (text.length <= PIECE) return listOf(ctx, text, lines(text, keepEnds));
  return longList(ctx, text, (at, parts) => nextLine(text, at, keepEnds, parts));
}

function strip(ctx: Context, text: string, chars: Value, atLeft: boolean, atRight: boolean): string {
  let rest = text;
  if (chars === null) {
    if (atLeft) rest = trimStart(rest, isSpace);
    if (atRight) rest = trimEnd(rest, isSpace);
  } else {
    if (typeof chars !== "string") throw raised(TYPE_ERROR, `${nameOfStrip(atLeft, atRight)} arg must be None or str`);
    const set = new Set(Array.from(chars, (char) => char.codePointAt(0)));
    let start = 0;
    let end = rest.length;
    while (atLeft && start < end) {
      const code = rest.codePointAt(start) as number;
      if (!set.has(code)) break;
      start += code > 0xffff ? 2 : 1;
    }
    while (atRight && start < end) {
      const isPair = end - start > 1 && (rest.charCodeAt(end - 1) & 0xfc00) === 0xdc00;
      if (!set.has(rest.codePointAt(isPair ? end - 2 : end - 1))) break;
      end -= isPair ? 2 : 1;
    }
    rest = rest.slice(start, end);
    ctx.charge(chars.length);
  }
  if (rest === text) return text;
  ctx.charge(text.length - rest.length);
  return made(ctx, rest);
}

function nameOfStrip(atLeft: boolean, atRight: boolean): string {
  return atLeft ? (atRight ? "strip" : "lstrip") : "rstrip";
}

function joined(ctx: Context, between: string, items: readonly Value[]): string {
  let units = between.length * Math.max(0, items.length - 1);
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as Value;
    if (typeof item !== "string")
      throw raised(TYPE_ERROR, `sequence item ${index}: expected str instance, ${typeOf(item).name} found`);
    units += item.length;
  }
  ctx.charge(items.length + (units >> 3));
  ctx.room(units * Bytes.Unit);
  ctx.alloc(units * Bytes.Unit);
  return items.join(between);
}

function join(ctx: Context, between: string, iterable: Value): Value | Calling {
  if (iterable instanceof PyList || iterable instanceof PyTuple) return joined(ctx, between, iterable.items);
  if (typeOf(iterable).slots.iterate === undefined) throw raised(TYPE_ERROR, "can only join an iterable");
  // All values are there before the first one is looked at, as in CPython.
  const items: Value[] = [];
  return each(
    iterable,
    ctx,
    (item) => keep(items, item, ctx),
    () => joined(ctx, between, items),
  );
}

export const SPLIT: Natives = {
  "str.split": (ctx, text, sep, maxsplit) => cut(ctx, self(text), sep, maxsplit, words, split),
  "str.rsplit": (ctx, text, sep, maxsplit) => cut(ctx, self(text), sep, maxsplit, wordsFromRight, splitFromRight),
  "str.splitlines": (ctx, text, keepends) => splitLines(ctx, self(text), smallOf(keepends) !== 0),
  "str.strip": (ctx, text, chars) => strip(ctx, self(text), chars, true, true),
  "str.lstrip": (ctx, text, chars) => strip(ctx, self(text), chars, true, false),
  "str.rstrip": (ctx, text, chars) => strip(ctx, self(text), chars, false, true),
  "str.join": (ctx, between, iterable) => join(ctx, self(between), iterable),
};
