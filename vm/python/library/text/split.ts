/** Methods of str that take texts apart, and `join`. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { Bytes, type Calling, type Context, type Natives, typeOf, type Value } from "../../object.ts";
import { each } from "../../operations.ts";
import { isSpace } from "../../unicode/sets.ts";

import { trimEnd, trimStart } from "../../unicode/trim.ts";
import { made, nameOf, self, sizeOf, smallOf } from "../arguments.ts";

function listOf(ctx: Context, text: string, parts: string[]): PyList {
  ctx.charge(text.length);
  ctx.alloc(Bytes.Object + parts.length * Bytes.Element + text.length * Bytes.Unit);
  return new PyList(parts);
}

/** The parts between runs of white space. Every white-space character is one unit. */
export function words(text: string, most: number): string[] {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
    if (at === text.length) return parts;
    if (parts.length === most) {
      parts.push(text.slice(at));
      return parts;
    }
    const start = at;
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
    parts.push(text.slice(start, at));
  }
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
  while (parts.length < most) {
    const next = text.indexOf(between, at);
    if (next < 0) break;
    parts.push(text.slice(at, next));
    at = next + between.length;
  }
  parts.push(text.slice(at));
  return parts;
}

function splitFromRight(text: string, between: string, most: number): string[] {
  const parts: string[] = [];
  let end = text.length;
  while (parts.length < most) {
    // lastIndexOf reads a negative place as 0.
    const next = end < between.length ? -1 : text.lastIndexOf(between, end - between.length);
    if (next < 0) break;
    parts.push(text.slice(next + between.length, end));
    end = next;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

function cut(
  ctx: Context,
  text: string,
  sep: Value,
  maxsplit: Value,
  atSpaces: typeof words,
  atText: typeof split,
): PyList {
  const size = sizeOf(maxsplit);
  const most = size < 0 ? Infinity : size;
  if (sep === null) return listOf(ctx, text, atSpaces(text, most));
  if (typeof sep !== "string") throw raised(TYPE_ERROR, `must be str or None, not ${nameOf(sep)}`);
  if (sep === "") throw raised(VALUE_ERROR, "empty separator");
  return listOf(ctx, text, atText(text, sep, most));
}

/** The ten ends of lines that Python knows; `\r\n` is one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end lines.
const LINE_END = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/g;

export function lines(text: string, keepEnds: boolean): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: end, index } of text.matchAll(LINE_END)) {
    parts.push(text.slice(at, keepEnds ? index + end.length : index));
    at = index + end.length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function strip(ctx: Context, text: string, chars: Value, atLeft: boolean, atRight: boolean): string {
  let rest = text;
  if (chars === null) {
    if (atLeft) rest = trimStart(rest, isSpace);
    if (atRight) rest = trimEnd(rest, isSpace);
  } else {
    if (typeof chars !== "string") throw raised(TYPE_ERROR, `${nameOfStrip(atLeft, atRight)} arg must be None or str`);
    const set = new Set(chars);
    let start = 0;
    let end = rest.length;
    while (atLeft && start < end) {
      const char = String.fromCodePoint(rest.codePointAt(start) as number);
      if (!set.has(char)) break;
      start += char.length;
    }
    while (atRight && start < end) {
      const isPair = (rest.charCodeAt(end - 1) & 0xfc00) === 0xdc00;
      if (!set.has(rest.slice(isPair ? end - 2 : end - 1, end))) break;
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
    (item) => {
      items.push(item);
    },
    () => joined(ctx, between, items),
  );
}

export const SPLIT: Natives = {
  "str.split": (ctx, text, sep, maxsplit) => cut(ctx, self(text), sep, maxsplit, words, split),
  "str.rsplit": (ctx, text, sep, maxsplit) => cut(ctx, self(text), sep, maxsplit, wordsFromRight, splitFromRight),
  "str.splitlines": (ctx, text, keepends) => listOf(ctx, self(text), lines(text, smallOf(keepends) !== 0)),
  "str.strip": (ctx, text, chars) => strip(ctx, self(text), chars, true, true),
  "str.lstrip": (ctx, text, chars) => strip(ctx, self(text), chars, true, false),
  "str.rstrip": (ctx, text, chars) => strip(ctx, self(text), chars, false, true),
  "str.join": (ctx, between, iterable) => join(ctx, self(between), iterable),
};
