/** Methods of bytes, and what turns texts into bytes and back. */
import "../bytes/slots.ts";
import { decode, encode } from "../bytes/codecs.ts";
import { latin, newBytes } from "../bytes/slots.ts";
import { OVERFLOW_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { BYTES_TYPE, PyBytes } from "../kinds/bytes.ts";
import { PyTuple } from "../kinds/list.ts";
import { Bytes, type Calling, type Context, type Natives, typeOf, type Value } from "../object.ts";
import { each, isInt } from "../operations.ts";
import { positionOf, textLength } from "../operators/texts.ts";
import { boundOf, indexOf, made, nameOf, smallOf, textOf, self as textSelf, wordOf } from "./arguments.ts";
import type { Part } from "./registry.ts";

export function bytesOf(value: Value | undefined): Uint8Array {
  if (value instanceof PyBytes) return value.bytes;
  throw raised(TYPE_ERROR, `a bytes-like object is required, not '${nameOf(value)}'`);
}

function selfBytes(value: Value): PyBytes {
  if (value instanceof PyBytes) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of bytes was called on a value of type ${typeOf(value).name}`);
}

const self = (value: Value): Uint8Array => selfBytes(value).bytes;

/** The text of bytes, for `bytes.decode` and `str(b, encoding)`. */
export function decoded(ctx: Context, bytes: Uint8Array, encoding: string, errors: string): string {
  ctx.charge(bytes.length);
  ctx.room(bytes.length * Bytes.Unit);
  return made(ctx, decode(bytes, encoding, errors));
}

function encoded(ctx: Context, text: string, encoding: string, errors: string): PyBytes {
  ctx.charge(text.length);
  ctx.room(text.length);
  return newBytes(ctx, encode(text, encoding, errors));
}

function make(
  ctx: Context,
  source: Value | undefined,
  encoding: Value | undefined,
  errors: Value | undefined,
): Value | Calling {
  if (typeof source === "string") {
    if (encoding === undefined) throw raised(TYPE_ERROR, "string argument without an encoding");
    return encoded(ctx, source, wordOf(encoding, "bytes() argument 'encoding'"), errorsOf(errors, "bytes()"));
  }
  if (encoding !== undefined) wordOf(encoding, "bytes() argument 'encoding'");
  errorsOf(errors, "bytes()");
  if (encoding !== undefined || errors !== undefined)
    throw raised(
      TYPE_ERROR,
      encoding === undefined ? "errors without a string argument" : "encoding without a string argument",
    );
  if (source === undefined) return newBytes(ctx, new Uint8Array());
  if (source instanceof PyBytes) return source;
  if (isInt(source)) {
    const count = Number(source);
    if (Math.abs(count) >= 2 ** 63) throw raised(OVERFLOW_ERROR, "cannot fit 'int' into an index-sized integer");
    if (count < 0) throw raised(VALUE_ERROR, "negative count");
    ctx.room(count);
    return newBytes(ctx, new Uint8Array(count));
  }
  if (typeOf(source).slots.iterate === undefined)
    throw raised(TYPE_ERROR, `cannot convert '${nameOf(source)}' object to bytes`);
  const bytes: number[] = [];
  const ASKED = 65_536;
  return each(
    source,
    ctx,
    (item) => {
      bytes.push(byteOf(item));
      if (bytes.length % ASKED === 0) ctx.room(bytes.length * Bytes.Element);
    },
    () => newBytes(ctx, Uint8Array.from(bytes)),
  );
}

function byteOf(value: Value): number {
  const byte = indexOf(value);
  if (byte < 0 || byte > 255) throw raised(VALUE_ERROR, "bytes must be in range(0, 256)");
  return Number(byte);
}

function errorsOf(value: Value | undefined, name: string): string {
  return value === undefined ? "strict" : wordOf(value, `${name} argument 'errors'`);
}

function fromHex(ctx: Context, text: string): PyBytes {
  const bytes: number[] = [];
  ctx.charge(text.length);
  const foreign = text.search(/[^\0-\x7f]/);
  if (foreign >= 0)
    throw raised(VALUE_ERROR, `non-hexadecimal number found in fromhex() arg at position ${positionOf(text, foreign)}`);
  for (let at = 0; at < text.length; ) {
    if (/[ \t\n\v\f\r]/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    for (const place of [at, at + 1])
      if (!/^[0-9a-fA-F]$/.test(text.charAt(place)))
        throw raised(VALUE_ERROR, `non-hexadecimal number found in fromhex() arg at position ${place}`);
    bytes.push(Number.parseInt(text.slice(at, at + 2), 16));
    at += 2;
  }
  return newBytes(ctx, Uint8Array.from(bytes));
}

/** The length of a value that has one. */
function lengthOf(value: Value, ctx: Context): number | undefined {
  return value === null ? undefined : typeOf(value).slots.length?.(value, ctx);
}

/** Groups of bytes are counted from the right, of a negative size from the left. */
function hex(ctx: Context, bytes: Uint8Array, sep: Value | undefined, group: Value): string {
  ctx.charge(bytes.length);
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const size = smallOf(group);
  if (sep === undefined) return made(ctx, pairs.join(""));
  const between = sep instanceof PyBytes ? latin(sep.bytes) : sep;
  const count = typeof between === "string" ? textLength(between) : lengthOf(between, ctx);
  if (count !== 1 && count !== undefined) throw raised(VALUE_ERROR, "sep must be length 1.");
  if (typeof between !== "string") throw raisedLoosely(TYPE_ERROR, "sep must be str or bytes.");
  if (between > "\x7f") throw raised(VALUE_ERROR, "sep must be ASCII.");
  if (size === 0) return made(ctx, pairs.join(""));
  const width = Math.abs(size);
  const groups: string[] = [];
  const first = size > 0 ? pairs.length % width || width : width;
  for (let at = 0; at < pairs.length; at += at === 0 ? first : width)
    groups.push(pairs.slice(at, at + (at === 0 ? first : width)).join(""));
  return made(ctx, groups.join(between));
}

/** Null: the first bound stands after the last one, so not even an empty part is there. */
function rangeOf(bytes: Uint8Array, start: Value, end: Value): { readonly from: number; readonly to: number } | null {
  const isBeyond = typeof start === "bigint" ? start > 0n : typeof start === "number" && start > bytes.length;
  const from = boundOf(start, bytes.length, 0);
  const to = boundOf(end, bytes.length, bytes.length);
  return isBeyond || from > to ? null : { from, to };
}

function search(ctx: Context, bytes: Uint8Array, sub: Value, start: Value, end: Value): number {
  const range = rangeOf(bytes, start, end);
  if (!isInt(sub) && !(sub instanceof PyBytes))
    throw raised(TYPE_ERROR, `argument should be integer or bytes-like object, not '${nameOf(sub)}'`);
  if (isInt(sub) && (Number(sub) < 0 || Number(sub) > 255)) throw raised(VALUE_ERROR, "byte must be in range(0, 256)");
  const part = isInt(sub) ? String.fromCharCode(Number(sub)) : latin(sub.bytes);
  if (range === null) return -1;
  ctx.charge(bytes.length);
  const found = latin(bytes).indexOf(part, range.from);
  return found < 0 || found + part.length > range.to ? -1 : found;
}

function found(place: number): number {
  if (place < 0) throw raised(VALUE_ERROR, "subsection not found");
  return place;
}

function matches(name: string, bytes: Uint8Array, part: Value, start: Value, end: Value): boolean {
  const range = rangeOf(bytes, start, end);
  const text = range === null ? "" : latin(bytes.subarray(range.from, range.to));
  const one = (value: Value): boolean => {
    if (!(value instanceof PyBytes))
      throw raisedLoosely(TYPE_ERROR, `${name} first arg must be bytes or a tuple of bytes, not ${nameOf(value)}`);
    const wanted = latin(value.bytes);
    return range !== null && (name === "startswith" ? text.startsWith(wanted) : text.endsWith(wanted));
  };
  return part instanceof PyTuple ? part.items.some(one) : one(part);
}

/** The bytes that the methods of white space take off. */
const SPACES = Buffer.from(" \t\n\r\x0b\f", "latin1");

function stripped(ctx: Context, bytes: PyBytes, given: Value, atStart: boolean, atEnd: boolean): PyBytes {
  const unwanted = new Set(given === null ? SPACES : bytesOf(given));
  let [from, to] = [0, bytes.bytes.length];
  while (atStart && from < to && unwanted.has(bytes.bytes[from] as number)) from += 1;
  while (atEnd && from < to && unwanted.has(bytes.bytes[to - 1] as number)) to -= 1;
  ctx.charge(bytes.bytes.length - (to - from) + unwanted.size);
  return to - from === bytes.bytes.length ? bytes : newBytes(ctx, bytes.bytes.slice(from, to));
}

function joined(ctx: Context, between: Uint8Array, iterable: Value): Value | Calling {
  if (iterable === null || typeOf(iterable).slots.iterate === undefined)
    throw raised(TYPE_ERROR, "can only join an iterable");
  const parts: Uint8Array[] = [];
  let size = 0;
  return each(
    iterable,
    ctx,
    (item) => {
      if (!(item instanceof PyBytes))
        throw raised(TYPE_ERROR, `sequence item ${parts.length}: expected a bytes-like object, ${nameOf(item)} found`);
      size += item.bytes.length + (parts.length > 0 ? between.length : 0);
      ctx.charge(item.bytes.length + between.length);
      ctx.room(size + parts.length * Bytes.Element);
      parts.push(item.bytes);
    },
    () => newBytes(ctx, Buffer.concat(parts.flatMap((part, index) => (index > 0 ? [between, part] : [part])))),
  );
}

const natives: Natives = {
  bytes: make,
  "bytes.decode": (ctx, bytes, encoding, errors) =>
    decoded(
      ctx,
      self(bytes),
      wordOf(encoding, "decode() argument 'encoding'"),
      wordOf(errors, "decode() argument 'errors'"),
    ),
  "bytes.hex": (ctx, bytes, sep, group) => hex(ctx, self(bytes), sep, group),
  "bytes.fromhex": (ctx, text) => fromHex(ctx, textOf(text, "fromhex() argument")),
  "bytes.find": (ctx, bytes, sub, start, end) => search(ctx, self(bytes), sub, start, end),
  "bytes.index": (ctx, bytes, sub, start, end) => found(search(ctx, self(bytes), sub, start, end)),
  "bytes.join": (ctx, bytes, iterable) => joined(ctx, self(bytes), iterable),
  "bytes.lstrip": (ctx, bytes, given) => stripped(ctx, selfBytes(bytes), given, true, false),
  "bytes.rstrip": (ctx, bytes, given) => stripped(ctx, selfBytes(bytes), given, false, true),
  "bytes.strip": (ctx, bytes, given) => stripped(ctx, selfBytes(bytes), given, true, true),
  "bytes.startswith": (_ctx, bytes, prefix, start, end) => matches("startswith", self(bytes), prefix, start, end),
  "bytes.endswith": (_ctx, bytes, suffix, start, end) => matches("endswith", self(bytes), suffix, start, end),
  "str.encode": (ctx, text, encoding, errors) =>
    encoded(
      ctx,
      textSelf(text),
      wordOf(encoding, "encode() argument 'encoding'"),
      wordOf(errors, "encode() argument 'errors'"),
    ),
};

export const BYTES: Part = { natives, types: { bytes: BYTES_TYPE } };
