/** Encodings of texts: utf-8, ascii and latin-1 with CPython's handlers of errors. */
import { madeException } from "../exception-members.ts";
import { LOOKUP_ERROR, Raised, raised, TYPE_ERROR, UNICODE_DECODE_ERROR, UNICODE_ENCODE_ERROR } from "../exceptions.ts";
import { PyBytes } from "../kinds/bytes.ts";
import { notExact } from "../not-exact.ts";

type Encoding = "utf-8" | "utf-8-sig" | "ascii" | "latin-1";

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ...["utf_8", "utf8", "u8", "utf"].map((name) => [name, "utf-8"] as const),
  ["utf_8_sig", "utf-8-sig"],
  ...["ascii", "us_ascii", "646", "us"].map((name) => [name, "ascii"] as const),
  ...["latin_1", "latin1", "latin", "l1", "iso_8859_1", "iso8859_1", "iso_8859_1_1987", "cp819", "8859", "iso8859"].map(
    (name) => [name, "latin-1"] as const,
  ),
]);

function encodingOf(name: string): Encoding {
  const found = ENCODINGS.get(name.toLowerCase().replace(/[^a-z0-9.]+/g, "_"));
  if (found === undefined)
    throw notExact("only the encodings utf-8, utf-8-sig, ascii and latin-1 are supported; use one of them");
  return found;
}

const LARGEST: { readonly [encoding in "ascii" | "latin-1"]: number } = { ascii: 0x7f, "latin-1": 0xff };

/** What utf-8-sig writes before a text, and drops where it reads one. */
const MARK = "\ufeff";
const MARK_BYTES = 3;

export function encode(text: string, name: string, errors: string): Uint8Array {
  const encoding = encodingOf(name);
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-8-sig") return Buffer.from(MARK + text, "utf8");
  const largest = LARGEST[encoding];
  const outside = encoding === "ascii" ? /[^\0-\x7f]/u : /[^\0-\xff]/u;
  if (!outside.test(text)) return Buffer.from(text, "latin1");
  let result = "";
  let at = 0;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (code > largest && STRICT.has(errors)) throw notEncoded(text, at, encoding);
    result += code <= largest ? char : replacement(code, errors);
    at += 1;
  }
  return Buffer.from(result, "latin1");
}

/** Without lone surrogates, the handlers of these do nothing else. */
const STRICT = new Set(["strict", "surrogateescape", "surrogatepass"]);

/** `start`: of the first character that the encoding does not have; those that follow it belong to the same fault. */
function notEncoded(text: string, start: number, encoding: "ascii" | "latin-1"): Raised {
  const points = [...text];
  let end = start;
  while (end < points.length && (points[end]?.codePointAt(0) as number) > LARGEST[encoding]) end += 1;
  const reason = `ordinal not in range(${LARGEST[encoding] + 1})`;
  return new Raised(madeException(UNICODE_ENCODE_ERROR, [encoding, text, start, end, reason], null));
}

/** What stands for a character that an encoding does not have. */
function replacement(code: number, errors: string): string {
  switch (errors) {
    case "ignore":
      return "";
    case "replace":
      return "?";
    case "xmlcharrefreplace":
      return `&#${code};`;
    case "backslashreplace": {
      const hex = code.toString(16);
      if (code < 0x100) return `\\x${hex}`;
      return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
    }
    case "namereplace":
      throw notExact("the error handler 'namereplace' is not supported; use 'backslashreplace'");
    default:
      throw unknownHandler(errors);
  }
}

export function decode(given: Uint8Array, name: string, errors: string): string {
  const named = encodingOf(name);
  const isMarked = named === "utf-8-sig" && given[0] === 0xef && given[1] === 0xbb && given[2] === 0xbf;
  const bytes = isMarked ? given.subarray(MARK_BYTES) : given;
  const encoding = named === "utf-8-sig" ? "utf-8" : named;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === "latin-1") return view.toString("latin1");
  const text = view.toString("utf8");
  const isValid =
    encoding === "utf-8" ? !text.includes("\ufffd") : text.length === bytes.length && !text.includes("\ufffd");
  return isValid ? text : decodeFaulty(bytes, encoding, errors);
}

/** Bytes with faults, or a real U+FFFD. */
function decodeFaulty(bytes: Uint8Array, encoding: Encoding, errors: string): string {
  let result = "";
  for (let at = 0; at < bytes.length; ) {
    const length = encoding === "ascii" ? ((bytes[at] as number) < 0x80 ? 1 : -1) : sequenceAt(bytes, at);
    const end = at + Math.abs(length);
    if (length > 0) result += Buffer.from(bytes.subarray(at, end)).toString("utf8");
    else result += undecoded(bytes, at, end, encoding, errors);
    at = end;
  }
  return result;
}

/** Bytes of the character at a place; negative: of a faulty part, as long as it could still have become one. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return -1;
  const count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let next = 1; next < count; next++) {
    const byte = bytes[at + next];
    if (byte === undefined || byte < low || byte > high) return -next;
    low = 0x80;
    high = 0xbf;
  }
  return count;
}

/** Why the bytes from `start` to `end` are not a character. */
function faultOf(bytes: Uint8Array, start: number, end: number, encoding: Encoding): string {
  if (encoding === "ascii") return "ordinal not in range(128)";
  const first = bytes[start] as number;
  if (first < 0xc2 || first > 0xf4) return "invalid start byte";
  return end === bytes.length ? "unexpected end of data" : "invalid continuation byte";
}

function undecoded(bytes: Uint8Array, start: number, end: number, encoding: Encoding, errors: string): string {
  const part = bytes.subarray(start, end);
  switch (errors) {
    case "ignore":
      return "";
    case "replace":
      return "\ufffd";
    case "backslashreplace":
      return Array.from(part, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
    case "surrogateescape":
      throw notExact("a text cannot hold a lone surrogate; use errors='replace'");
    case "xmlcharrefreplace":
    case "namereplace":
      throw raised(TYPE_ERROR, "don't know how to handle UnicodeDecodeError in error callback");
    case "strict":
    case "surrogatepass":
      throw notDecoded(bytes, start, end, encoding);
    default:
      throw unknownHandler(errors);
  }
}

function notDecoded(bytes: Uint8Array, start: number, end: number, encoding: Encoding): Raised {
  const parts = [encoding, new PyBytes(bytes), start, end, faultOf(bytes, start, end, encoding)];
  return new Raised(madeException(UNICODE_DECODE_ERROR, parts, null));
}

function unknownHandler(errors: string): ReturnType<typeof raised> {
  return raised(LOOKUP_ERROR, `unknown error handler name '${errors}'`);
}
