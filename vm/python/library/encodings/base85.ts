/** Base85 and Ascii85 of the module base64. */
import { latin, newBytes } from "../../bytes/slots.ts";
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { notExact } from "../../not-exact.ts";
import type { Calling, Context, Natives, Value } from "../../object.ts";
import { isInt, truth } from "../../operations.ts";
import { isAscii } from "../../unicode/case.ts";
import { nameOf, sizeOf } from "../arguments.ts";
import { begun } from "../calling.ts";

/** Bytes between two turns. */
const TURN = 65_536;

/** What CPython asks for a memoryview of. */
export function viewedBytes(value: Value): Uint8Array {
  if (value instanceof PyBytes) return value.bytes;
  throw raised(TYPE_ERROR, `memoryview: a bytes-like object is required, not '${nameOf(value)}'`);
}

/** A text of ASCII or bytes, a character for each byte. */
export function asciiOf(value: Value): string {
  if (value instanceof PyBytes) return latin(value.bytes);
  if (typeof value !== "string")
    throw raised(TYPE_ERROR, `argument should be a bytes-like object or ASCII string, not '${nameOf(value)}'`);
  if (!isAscii(value)) throw raised(VALUE_ERROR, "string argument should contain only ASCII characters");
  return value;
}

const codesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");

const ASCII_85 = Uint8Array.from({ length: 85 }, (_, digit) => digit + 33);
const BASE_85 = codesOf("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~");

const DIGITS_85: ReadonlyMap<number, number> = new Map([...BASE_85].map((code, digit) => [code, digit]));

const [Z, Y, SPACES] = [122, 121, 0x20202020];

type Folds = { readonly nuls: boolean; readonly spaces: boolean };

function* encoded(
  ctx: Context,
  bytes: Uint8Array,
  digits: Uint8Array,
  isPadded: boolean,
  folds: Folds,
): Calling<Uint8Array> {
  ctx.room(Math.ceil(bytes.length / 4) * 5);
  const result = new Uint8Array(Math.ceil(bytes.length / 4) * 5);
  let size = 0;
  for (let from = 0; from < bytes.length; from += 4) {
    const word = wordAt(bytes, from);
    // What is cut off is not folded.
    const isCut = !isPadded && from + 4 > bytes.length;
    if (folds.nuls && word === 0 && !isCut) result[size++] = Z;
    else if (folds.spaces && word === SPACES) result[size++] = Y;
    else {
      for (let place = 4, rest = word; place >= 0; place -= 1, rest = Math.floor(rest / 85))
        result[size + place] = digits[rest % 85] as number;
      size += isCut ? bytes.length - from + 1 : 5;
    }
    if ((from + 4) % TURN !== 0) continue;
    ctx.charge(TURN);
    yield null;
  }
  ctx.charge(bytes.length % TURN);
  return result.subarray(0, size);
}

/** Four bytes, with zeros after the last one. */
function wordAt(bytes: Uint8Array, from: number): number {
  const byte = (at: number): number => bytes[from + at] ?? 0;
  return byte(0) * 2 ** 24 + byte(1) * 2 ** 16 + byte(2) * 2 ** 8 + byte(3);
}

function* base85(ctx: Context, value: Value, pad: Value): Calling {
  const bytes = viewedBytes(value);
  return newBytes(ctx, yield* encoded(ctx, bytes, BASE_85, truth(pad, ctx), { nuls: false, spaces: false }));
}

function* ascii85(ctx: Context, value: Value, spaces: Value, wrapcol: Value, pad: Value, adobe: Value): Calling {
  const bytes = viewedBytes(value);
  const folds = { nuls: true, spaces: truth(spaces, ctx) };
  const digits = yield* encoded(ctx, bytes, ASCII_85, truth(pad, ctx), folds);
  const isAdobe = truth(adobe, ctx);
  const whole = isAdobe ? Buffer.concat([codesOf("<~"), digits]) : digits;
  const lines = truth(wrapcol, ctx) ? wrapped(ctx, whole, wrapcol, isAdobe) : whole;
  return newBytes(ctx, isAdobe ? Buffer.concat([lines, codesOf("~>")]) : lines);
}

/** In lines of at most `wrapcol` digits, the last of which leaves place for the end mark. */
function wrapped(ctx: Context, digits: Uint8Array, wrapcol: Value, isAdobe: boolean): Uint8Array {
  if (!isInt(wrapcol)) throw notExact("wrapcol is an int here");
  const width = Math.max(isAdobe ? 2 : 1, sizeOf(wrapcol));
  const breaks = Math.max(0, Math.ceil(digits.length / width) - 1);
  ctx.charge(digits.length);
  ctx.room(digits.length + breaks);
  const lines = Buffer.alloc(digits.length + breaks, "\n");
  for (let line = 0; line <= breaks; line += 1)
    lines.set(digits.subarray(line * width, (line + 1) * width), line * (width + 1));
  const last = digits.length - breaks * width;
  return isAdobe && last + 2 > width ? Buffer.concat([lines, codesOf("\n")]) : lines;
}

/** Writes words of four bytes. */
class Words {
  readonly #bytes: Uint8Array;
  #size = 0;

  constructor(most: number) {
    this.#bytes = new Uint8Array(most);
  }

  add(word: number): void {
    for (const shift of [24, 16, 8, 0]) this.#bytes[this.#size++] = Math.floor(word / 2 ** shift) % 256;
  }

  /** Without the last ones. */
  bytes(padding: number): Uint8Array {
    return this.#bytes.subarray(0, this.#size - padding);
  }
}

const TILDE = 126;

function* fromBase85(ctx: Context, value: Value): Calling {
  const codes = codesOf(asciiOf(value));
  const count = Math.ceil(codes.length / 5);
  const words = new Words(count * 4);
  for (let hunk = 0; hunk < count; hunk += 1) {
    let word = 0;
    for (let at = hunk * 5; at < hunk * 5 + 5; at += 1) {
      const digit = DIGITS_85.get(codes[at] ?? TILDE);
      if (digit === undefined) throw raised(VALUE_ERROR, `bad base85 character at position ${at}`);
      word = word * 85 + digit;
    }
    if (word >= 2 ** 32) throw raised(VALUE_ERROR, `base85 overflow in hunk starting at byte ${hunk * 5}`);
    words.add(word);
    ctx.charge(10);
    if ((hunk + 1) % (TURN / 4) === 0) yield null;
  }
  return newBytes(ctx, words.bytes(count * 5 - codes.length));
}

function withoutMarks(text: string): string {
  if (!text.endsWith("~>")) throw raised(VALUE_ERROR, "Ascii85 encoded byte sequences must end with b'~>'");
  return text.startsWith("<~") ? text.slice(2, -2) : text.slice(0, -2);
}

function ignoredBytes(value: Value | undefined): Uint8Array {
  if (value === undefined) return codesOf(" \t\n\r\v");
  if (value instanceof PyBytes) return value.bytes;
  throw notExact("ignorechars are bytes here");
}

const HIGHEST = 117;

function* fromAscii85(
  ctx: Context,
  value: Value,
  foldspaces: Value,
  adobe: Value,
  ignorechars: Value | undefined,
): Calling {
  const text = asciiOf(value);
  const codes = codesOf(`${truth(adobe, ctx) ? withoutMarks(text) : text}uuuu`);
  const hasSpaces = truth(foldspaces, ctx);
  const ignored = new Set(ignoredBytes(ignorechars));
  ctx.room(codes.length * 4);
  const words = new Words(codes.length * 4);
  let [word, held] = [0, 0];
  for (const [at, code] of codes.entries()) {
    if (code >= 33 && code <= HIGHEST) {
      word = word * 85 + code - 33;
      held += 1;
      if (held === 5) {
        if (word >= 2 ** 32) throw raised(VALUE_ERROR, "Ascii85 overflow");
        words.add(word);
        [word, held] = [0, 0];
      }
    } else if (code === Z || (hasSpaces && code === Y)) {
      if (held > 0) throw raised(VALUE_ERROR, `${String.fromCharCode(code)} inside Ascii85 5-tuple`);
      words.add(code === Z ? 0 : SPACES);
    } else if (!ignored.has(code)) throw raised(VALUE_ERROR, `Non-Ascii85 digit found: ${String.fromCharCode(code)}`);
    if ((at + 1) % TURN !== 0) continue;
    ctx.charge(2 * TURN);
    yield null;
  }
  ctx.charge(2 * (codes.length % TURN));
  return newBytes(ctx, words.bytes(4 - held));
}

export const BASE85: Natives = {
  "base64.b85encode": (ctx, ...args: [Value, Value]) => begun(base85(ctx, ...args)),
  "base64.b85decode": (ctx, value: Value) => begun(fromBase85(ctx, value)),
  "base64.a85encode": (ctx, ...args: [Value, Value, Value, Value, Value]) => begun(ascii85(ctx, ...args)),
  "base64.a85decode": (ctx, ...args: [Value, Value, Value, Value | undefined]) => begun(fromAscii85(ctx, ...args)),
};
