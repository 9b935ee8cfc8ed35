/** The module base64. `binascii.Error` is a ValueError of its own. */
import { latin, newBytes } from "../../bytes/slots.ts";
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { notExact } from "../../not-exact.ts";
import { type Context, type Natives, PyType, type Value } from "../../object.ts";
import { truth } from "../../operations.ts";
import { trimEnd } from "../../unicode/trim.ts";
import { nameOf, smallOf } from "../arguments.ts";
import { bytesOf } from "../bytes.ts";
import type { Part } from "../registry.ts";
import { asciiOf, BASE85, viewedBytes } from "./base85.ts";

const BINASCII_ERROR = new PyType("Error", [VALUE_ERROR, ...VALUE_ERROR.bases], {}, "binascii.Error");

const encoding =
  (write: (bytes: Uint8Array) => string, given: (value: Value) => Uint8Array = bytesOf) =>
  (ctx: Context, value: Value): PyBytes => {
    const bytes = given(value);
    ctx.charge(bytes.length);
    ctx.room(bytes.length * 2);
    return newBytes(ctx, Buffer.from(write(bytes), "latin1"));
  };

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

const ALPHABET = /^[A-Za-z0-9+/]$/;

/** As binascii.a2b_base64: what is not of the alphabet is passed over, and the first complete padding ends the text. */
function decode64(text: string): Uint8Array {
  let digits = "";
  let pads = 0;
  for (const char of text) {
    if (char === "=") {
      const quad = digits.length % 4;
      pads += 1;
      if (quad >= 2 && quad + pads >= 4) return Buffer.from(digits, "base64");
      continue;
    }
    if (!ALPHABET.test(char)) continue;
    pads = 0;
    digits += char;
  }
  const left = digits.length % 4;
  if (left === 1)
    throw raised(
      BINASCII_ERROR,
      `Invalid base64-encoded string: number of data characters (${digits.length}) cannot be 1 more than a multiple of 4`,
    );
  if (left !== 0) throw raised(BINASCII_ERROR, "Incorrect padding");
  return Buffer.from(digits, "base64");
}

const VALID = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBase64(ctx: Context, value: Value, altchars: Value, validate: Value): PyBytes {
  let text = asciiOf(value);
  ctx.charge(text.length * 2);
  if (altchars !== null) {
    const alternative = asciiOf(altchars);
    if (alternative.length !== 2) throw raisedLoosely(VALUE_ERROR, "altchars has two characters");
    text = text.replaceAll(alternative.charAt(0), "+").replaceAll(alternative.charAt(1), "/");
  }
  if (smallOf(validate) !== 0 && !VALID.test(text)) throw raisedLoosely(BINASCII_ERROR, "only base64 data is allowed");
  return newBytes(ctx, decode64(text));
}

function encodeBase64(ctx: Context, value: Value, altchars: Value): PyBytes {
  const plain = encoding(base64)(ctx, value);
  if (altchars === null) return plain;
  const alternative = latin(bytesOf(altchars));
  if (alternative.length !== 2) throw raisedLoosely(VALUE_ERROR, "altchars has two characters");
  const text = latin(plain.bytes).replace(/[+/]/g, (char) => alternative.charAt(char === "+" ? 0 : 1));
  return newBytes(ctx, Buffer.from(text, "latin1"));
}

const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE_32_HEX = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

const encode32 =
  (alphabet: string) =>
  (bytes: Uint8Array): string => {
    let text = "";
    let bits = 0;
    let held = 0;
    for (const byte of bytes) {
      held = (held << 8) | byte;
      for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((held >> (bits - 5)) & 31);
      held &= (1 << bits) - 1;
    }
    if (bits > 0) text += alphabet.charAt((held << (5 - bits)) & 31);
    return text.padEnd(Math.ceil(text.length / 8) * 8, "=");
  };

/** Letters of the last group of eight by the number of pads that are possible. */
const PADS_OF_32: ReadonlySet<number> = new Set([0, 1, 3, 4, 6]);

function decode32(ctx: Context, alphabet: string, value: Value, casefold: Value, map01: Value): PyBytes {
  let text = asciiOf(value);
  ctx.charge(text.length * 2);
  if (map01 !== null) throw notExact("map01 is not supported");
  if (text.length % 8 !== 0) throw raised(BINASCII_ERROR, "Incorrect padding");
  if (truth(casefold, ctx)) text = text.toUpperCase();
  const digits = trimEnd(text, (unit) => unit === 61);
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of digits) {
    const digit = alphabet.indexOf(char);
    if (digit < 0) throw raised(BINASCII_ERROR, "Non-base32 digit found");
    held = ((held << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
  }
  if (!PADS_OF_32.has(text.length - digits.length)) throw raised(BINASCII_ERROR, "Incorrect padding");
  return newBytes(ctx, Uint8Array.from(bytes));
}

function decode16(ctx: Context, value: Value, casefold: Value): PyBytes {
  let text = asciiOf(value);
  ctx.charge(text.length);
  if (truth(casefold, ctx)) text = text.toUpperCase();
  if (/[^0-9A-F]/.test(text)) throw raised(BINASCII_ERROR, "Non-base16 digit found");
  if (text.length % 2 === 1) throw raised(BINASCII_ERROR, "Odd-length string");
  return newBytes(ctx, Buffer.from(text, "hex"));
}

const urlSafe = (text: string): string => text.replaceAll("-", "+").replaceAll("_", "/");

/** In lines of 76 digits, each with its end. */
const lines64 = (bytes: Uint8Array): string => base64(bytes).replace(/.{1,76}/g, "$&\n");

function likeBytes(value: Value): Uint8Array {
  if (value instanceof PyBytes) return value.bytes;
  throw raised(TYPE_ERROR, `expected bytes-like object, not ${nameOf(value)}`);
}

const natives: Natives = {
  "base64.b64encode": encodeBase64,
  "base64.b64decode": decodeBase64,
  "base64.standard_b64encode": encoding(base64),
  "base64.standard_b64decode": (ctx, value) => decodeBase64(ctx, value, null, false),
  "base64.urlsafe_b64encode": encoding((bytes) => base64(bytes).replaceAll("+", "-").replaceAll("/", "_")),
  "base64.urlsafe_b64decode": (ctx, value) => decodeBase64(ctx, urlSafe(asciiOf(value)), null, false),
  "base64.b32encode": encoding(encode32(BASE_32), viewedBytes),
  "base64.b32decode": (ctx, value, casefold, map01) => decode32(ctx, BASE_32, value, casefold, map01),
  "base64.b32hexencode": encoding(encode32(BASE_32_HEX), viewedBytes),
  "base64.b32hexdecode": (ctx, value, casefold) => decode32(ctx, BASE_32_HEX, value, casefold, null),
  "base64.encodebytes": encoding(lines64, likeBytes),
  "base64.decodebytes": (ctx, value) => {
    const bytes = likeBytes(value);
    ctx.charge(bytes.length * 2);
    return newBytes(ctx, decode64(latin(bytes)));
  },
  "base64.b16encode": encoding((bytes) => Buffer.from(bytes).toString("hex").toUpperCase()),
  "base64.b16decode": decode16,
};

export const BASE64: Part = { natives: { ...natives, ...BASE85 }, types: { "binascii.Error": BINASCII_ERROR } };
