/** Methods of str that look for other texts, and those that replace or cut by what was found. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyTuple } from "../../kinds/list.ts";
import { Bytes, type Calling, type Context, type Natives, type Value } from "../../object.ts";
import { offsetOf, positionOf, textLength } from "../../operators/texts.ts";
import { boundOf, made, nameOf, self, sizeOf, textOf } from "../arguments.ts";
import { changed } from "./pieces.ts";

type Bound = Value | undefined;
type Range = { readonly from: number; readonly to: number };

/** The units between two bounds that are given as code points; null: the first one stands after the last one. */
function rangeOf(text: string, start: Bound, end: Bound): Range | null {
  if ((start === null || start === undefined) && (end === null || end === undefined))
    return { from: 0, to: text.length };
  const count = textLength(text);
  const last = boundOf(end, count, count);
  // Only a start beyond the end of the text differs from one that is clamped to it.
  const isBeyond = typeof start === "bigint" ? start > 0n : typeof start === "number" && start > count;
  const first = boundOf(start, count, 0);
  return first > last || isBeyond ? null : { from: offsetOf(text, first), to: offsetOf(text, last) };
}

function search(ctx: Context, text: string, sub: Bound, start: Bound, end: Bound, isLast: boolean): number {
  const range = rangeOf(text, start, end);
  const part = textOf(sub, "");
  if (range === null) return -1;
  ctx.charge(range.to - range.from);
  const found = isLast ? text.lastIndexOf(part, range.to - part.length) : text.indexOf(part, range.from);
  // lastIndexOf reads a negative place as 0.
  if (found < range.from || found + part.length > range.to) return -1;
  return positionOf(text, found);
}

function found(place: number): number {
  if (place < 0) throw raised(VALUE_ERROR, "substring not found");
  return place;
}

function occurrences(text: string, sub: string, range: Range): number {
  if (sub === "") return positionOf(text, range.to) - positionOf(text, range.from) + 1;
  let count = 0;
  for (let at = text.indexOf(sub, range.from); at >= 0 && at + sub.length <= range.to; count++)
    at = text.indexOf(sub, at + sub.length);
  return count;
}

function matches(name: string, text: string, sub: Bound, start: Bound, end: Bound, isEnd: boolean): boolean {
  const range = rangeOf(text, start, end);
  const one = (part: Value): boolean => {
    if (typeof part !== "string") {
      if (sub instanceof PyTuple)
        throw raised(TYPE_ERROR, `tuple for ${name} must only contain str, not ${nameOf(part)}`);
      throw raised(TYPE_ERROR, `${name} first arg must be str or a tuple of str, not ${nameOf(part)}`);
    }
    if (range === null || part.length > range.to - range.from) return false;
    return text.startsWith(part, isEnd ? range.to - part.length : range.from);
  };
  return sub instanceof PyTuple ? sub.items.some(one) : one(sub ?? null);
}

function separated(text: string, sep: Value, isLast: boolean): PyTuple {
  const between = textOf(sep, "");
  if (between === "") throw raised(VALUE_ERROR, "empty separator");
  const at = isLast ? text.lastIndexOf(between) : text.indexOf(between);
  if (at >= 0) return new PyTuple([text.slice(0, at), between, text.slice(at + between.length)]);
  return new PyTuple(isLast ? ["", "", text] : [text, "", ""]);
}

/** Places that are replaced before others get a turn. */
const TURN = 20_000;

function replace(ctx: Context, text: string, old: string, by: string, most: number): Value | Calling {
  if (old === "") return inserted(ctx, text, by, most < 0 ? text.length + 1 : most);
  ctx.charge(text.length >> 3);
  const all = occurrences(text, old, { from: 0, to: text.length });
  const count = most < 0 ? all : Math.min(most, all);
  if (count === 0 || old === by) return text;
  ctx.room((text.length + count * (by.length - old.length)) * Bytes.Unit);
  const rest = replaced(ctx, text, old, by, count);
  return count >= TURN ? rest : (rest.next(null).value as string);
}

function* replaced(ctx: Context, text: string, old: string, by: string, count: number): Calling<string> {
  const texts: string[] = [];
  let parts: string[] = [];
  let at = 0;
  for (let done = 0; done < count; done++) {
    const next = text.indexOf(old, at);
    parts.push(text.slice(at, next));
    at = next + old.length;
    if (parts.length < TURN) continue;
    ctx.charge(TURN);
    texts.push(parts.join(by));
    parts = [];
    yield null;
  }
  parts.push(text.slice(at));
  ctx.charge(parts.length + (text.length >> 3));
  texts.push(parts.join(by));
  return made(ctx, texts.join(by));
}

/** `by` before the first characters, and at the end if there are too few. */
function inserted(ctx: Context, text: string, by: string, count: number): Value | Calling {
  if (count === 0 || by === "") return text;
  ctx.room((text.length + Math.min(count, textLength(text) + 1) * by.length) * Bytes.Unit);
  let left = count;
  return changed(ctx, text, (from, to) => {
    const parts: string[] = [];
    let at = from;
    for (const char of text.slice(from, to)) {
      if (left === 0) break;
      parts.push(by, char);
      at += char.length;
      left -= 1;
    }
    parts.push(left === 0 || to < text.length ? text.slice(at, to) : by);
    return parts.join("");
  });
}

export const FIND: Natives = {
  "str.find": (ctx, text, sub, start, end) => search(ctx, self(text), sub, start, end, false),
  "str.rfind": (ctx, text, sub, start, end) => search(ctx, self(text), sub, start, end, true),
  "str.index": (ctx, text, sub, start, end) => found(search(ctx, self(text), sub, start, end, false)),
  "str.rindex": (ctx, text, sub, start, end) => found(search(ctx, self(text), sub, start, end, true)),
  "str.count": (ctx, text, sub, start, end) => {
    const range = rangeOf(self(text), start, end);
    const part = textOf(sub, "");
    if (range === null) return 0;
    ctx.charge(range.to - range.from);
    return occurrences(text, part, range);
  },
  "str.startswith": (_ctx, text, prefix, start, end) => matches("startswith", self(text), prefix, start, end, false),
  "str.endswith": (_ctx, text, suffix, start, end) => matches("endswith", self(text), suffix, start, end, true),
  "str.replace": (ctx, text, old, by, count) =>
    replace(ctx, self(text), textOf(old, "replace() argument 1"), textOf(by, "replace() argument 2"), sizeOf(count)),
  "str.partition": (ctx, text, sep) => {
    ctx.charge(self(text).length);
    ctx.alloc(Bytes.Object + text.length * Bytes.Unit);
    return separated(text, sep, false);
  },
  "str.rpartition": (ctx, text, sep) => {
    ctx.charge(self(text).length);
    ctx.alloc(Bytes.Object + text.length * Bytes.Unit);
    return separated(text, sep, true);
  },
  "str.removeprefix": (ctx, text, prefix) => {
    const part = textOf(prefix, "removeprefix() argument");
    return self(text).startsWith(part) ? made(ctx, text.slice(part.length)) : text;
  },
  "str.removesuffix": (ctx, text, suffix) => {
    const part = textOf(suffix, "removesuffix() argument");
    return part !== "" && self(text).endsWith(part) ? made(ctx, text.slice(0, -part.length)) : self(text);
  },
};
