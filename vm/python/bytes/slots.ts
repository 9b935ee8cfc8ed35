/** What bytes can do with operators and builtins. */
import { INDEX_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { BYTES_TYPE, PyBytes } from "../kinds/bytes.ts";
import { PySlice } from "../kinds/slice.ts";
import { notExact } from "../not-exact.ts";
import {
  Bytes,
  type Context,
  END,
  fillSlots,
  type Key,
  type Next,
  type Operator,
  type Order,
  PyIterator,
  type PyType,
  setType,
  typeOf,
  type Value,
} from "../object.ts";
import { asIndex, positionsOf } from "../operators/index.ts";
import { compoundKey } from "../operators/keys.ts";
import { isInt } from "../operators/numbers.ts";
import { iteratorType } from "../types/elements.ts";

/** New bytes of a run, counted. */
export function newBytes(ctx: Context, bytes: Uint8Array): PyBytes {
  ctx.alloc(Bytes.Object + bytes.length);
  return new PyBytes(bytes);
}

/** A character for each byte. */
export function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

class PyBytesIterator extends PyIterator {
  declare readonly type: PyType;
  readonly #bytes: Uint8Array;
  #at = 0;
  constructor(bytes: Uint8Array) {
    super();
    this.#bytes = bytes;
  }
  override next(): Next {
    return this.#at < this.#bytes.length ? (this.#bytes[this.#at++] as number) : END;
  }
}
setType(PyBytesIterator, iteratorType("bytes_iterator"));

function item({ bytes }: PyBytes, key: Value, ctx: Context): Value {
  if (key instanceof PySlice) {
    const { start, step, count } = positionsOf(key, bytes.length);
    ctx.charge(count);
    if (step === 1) return newBytes(ctx, bytes.slice(start, start + count));
    return newBytes(
      ctx,
      Uint8Array.from({ length: count }, (_, index) => bytes[start + index * step] as number),
    );
  }
  if (!isInt(key)) throw raised(TYPE_ERROR, `byte indices must be integers or slices, not ${typeOf(key).name}`);
  const index = asIndex(key);
  const byte = bytes[index < 0 ? index + bytes.length : index];
  if (byte === undefined) throw raised(INDEX_ERROR, "index out of range");
  return byte;
}

function contains({ bytes }: PyBytes, part: Value, ctx: Context): boolean {
  ctx.charge(bytes.length);
  if (part instanceof PyBytes) return latin(bytes).includes(latin(part.bytes));
  if (isInt(part)) {
    const byte = Number(part);
    if (byte < 0 || byte > 255) throw raised(VALUE_ERROR, "byte must be in range(0, 256)");
    return bytes.includes(byte);
  }
  throw raised(TYPE_ERROR, `a bytes-like object is required, not '${typeOf(part).name}'`);
}

function repeated(ctx: Context, { bytes }: PyBytes, times: Value): Value {
  if (!isInt(times)) throw raised(TYPE_ERROR, `can't multiply sequence by non-int of type '${typeOf(times).name}'`);
  const count = Math.max(0, asIndex(times));
  ctx.room(bytes.length * count);
  ctx.charge((bytes.length * count) >> 3);
  return newBytes(ctx, Buffer.alloc(bytes.length * count, bytes));
}

function binary(self: PyBytes, op: Operator, other: Value, ctx: Context): Value | undefined {
  if (op === "*") return repeated(ctx, self, other);
  if (op === "%") throw notExact("bytes are not formatted with % here; format a text and encode it");
  if (op !== "+") return undefined;
  if (!(other instanceof PyBytes)) throw raised(TYPE_ERROR, `can't concat ${typeOf(other).name} to bytes`);
  ctx.room(self.bytes.length + other.bytes.length);
  return newBytes(ctx, Buffer.concat([self.bytes, other.bytes]));
}

function order(self: PyBytes, op: Order, other: Value, ctx: Context): boolean | undefined {
  if (!(other instanceof PyBytes)) return undefined;
  ctx.charge(Math.min(self.bytes.length, other.bytes.length));
  const compared = Buffer.compare(self.bytes, other.bytes);
  if (op === "<") return compared < 0;
  if (op === "<=") return compared <= 0;
  return op === ">" ? compared > 0 : compared >= 0;
}

const SHORT_ESCAPES: { readonly [byte: number]: string } = { 9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\" };

function repr({ bytes }: PyBytes, ctx: Context): string {
  ctx.charge(bytes.length);
  ctx.room(bytes.length * 4 * Bytes.Unit);
  const quote = bytes.includes(39) && !bytes.includes(34) ? '"' : "'";
  let written = `b${quote}`;
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    if (char === quote) written += `\\${quote}`;
    else if (SHORT_ESCAPES[byte] !== undefined) written += SHORT_ESCAPES[byte];
    else written += byte >= 32 && byte < 127 ? char : `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return written + quote;
}

fillSlots<PyBytes>(BYTES_TYPE, {
  truth: ({ bytes }) => bytes.length > 0,
  length: ({ bytes }) => bytes.length,
  iterate: ({ bytes }) => new PyBytesIterator(bytes),
  contains,
  item,
  equals: (self, other) => (other instanceof PyBytes ? Buffer.compare(self.bytes, other.bytes) === 0 : undefined),
  order,
  key: ({ bytes }): Key => compoundKey("b", [latin(bytes)]),
  repr,
  binary,
  reflected: (self, op, other, ctx) => (op === "*" ? repeated(ctx, self, other) : undefined),
});
