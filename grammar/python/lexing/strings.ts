/** Texts: where one ends, and what its escapes stand for. */
import { Refusal, type Stretch } from "../refusal.ts";
import { afterLineEnd, BACKSLASH, CARRIAGE_RETURN, isLineEnd } from "./characters.ts";

/** A text as it stands in the source. */
export type Written = {
  /** With the prefix. */
  readonly start: number;
  readonly end: number;
  /** Between the quotes. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly isRaw: boolean;
  readonly isBytes: boolean;
  readonly isFormat: boolean;
  /** How many lines the text spans besides its first. */
  readonly lines: number;
};

const PREFIX = /^(?:[rub]|f|br|rb|fr|rf)$/i;

export const isPrefix = (word: string): boolean => PREFIX.test(word);

/** The text whose opening quote is at `quoteAt`; it must end before `limit`. */
export function writtenAt(text: string, start: number, quoteAt: number, limit: number): Written {
  const prefix = text.slice(start, quoteAt).toLowerCase();
  const quote = text.charCodeAt(quoteAt);
  const isTriple =
    text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote && quoteAt + 2 < limit;
  const isEmpty = !isTriple && text.charCodeAt(quoteAt + 1) === quote && quoteAt + 1 < limit;
  const bodyStart = quoteAt + (isTriple ? 3 : 1);
  let at = bodyStart;
  let lines = 0;
  while (!isEmpty) {
    if (at >= limit) throw unterminated(text, start, quoteAt, limit, isTriple);
    const code = text.charCodeAt(at);
    if (code === quote && (!isTriple || closes(text, at, quote, limit))) break;
    if (code === BACKSLASH) {
      at++;
      if (at >= limit) throw unterminated(text, start, quoteAt, limit, isTriple);
      if (isLineEnd(text.charCodeAt(at))) {
        lines++;
        at = afterLineEnd(text, at);
      } else at++;
    } else if (isLineEnd(code)) {
      if (!isTriple) throw unterminated(text, start, quoteAt, at, false);
      lines++;
      at = afterLineEnd(text, at);
    } else at++;
  }
  return {
    start,
    end: at + (isTriple ? 3 : 1),
    bodyStart,
    bodyEnd: at,
    isRaw: prefix.includes("r"),
    isBytes: prefix.includes("b"),
    isFormat: prefix.includes("f"),
    lines,
  };
}

function closes(text: string, at: number, quote: number, limit: number): boolean {
  return at + 2 < limit && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
}

function unterminated(text: string, start: number, quoteAt: number, end: number, isTriple: boolean): Refusal {
  const quote = text.charAt(quoteAt).repeat(isTriple ? 3 : 1);
  const shown = isTriple ? quoteAt + 3 : end;
  return new Refusal("text_unterminated", { start, end: Math.min(shown, text.length) }, { words: { quote } });
}

const SIMPLE: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const ESCAPE =
  /\\(?:(\r\n|\r|\n)|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^{}]*)\}|([\s\S]))|\r\n?/g;
const BYTES_ESCAPE = /\\(?:(\r\n|\r|\n)|([0-7]{1,3})|x([0-9a-fA-F]{2})|([\s\S]))|\r\n?/g;

/** The value of the source between `start` and `end`, a part of a text without quotes. */
export function textValue(text: string, start: number, end: number, isRaw: boolean): string {
  const body = text.slice(start, end);
  if (!body.includes("\\") && !body.includes("\r")) return body;
  if (isRaw) return body.replace(/\r\n?/g, "\n");
  return body.replace(ESCAPE, (...match: (string | undefined)[]) => {
    const [whole = "", newline, octal, byte, short, long, name, other] = match;
    if (whole.charCodeAt(0) === CARRIAGE_RETURN) return "\n";
    if (newline !== undefined) return "";
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const at = start + Number(match[8]);
    const place = { start: at, end: at + whole.length };
    const hex = byte ?? short ?? long;
    if (hex !== undefined) {
      const code = Number.parseInt(hex, 16);
      if (code > 0x10ffff) throw new Refusal("escape_out_of_range", place, { words: { escape: whole } });
      if (code >= 0xd800 && code <= 0xdfff) throw new Refusal("escape_surrogate", place, { words: { escape: whole } });
      return String.fromCodePoint(code);
    }
    if (name !== undefined) throw new Refusal("escape_by_name", place, { words: { escape: whole } });
    return simple(whole, other, place, "xuUN");
  });
}

export function bytesOf(text: string, { bodyStart, bodyEnd, start, isRaw }: Written): string {
  const body = text.slice(bodyStart, bodyEnd);
  for (let at = 0; at < body.length; at++)
    if (body.charCodeAt(at) >= 128)
      throw new Refusal("bytes_not_ascii", { start, end: bodyEnd + 1 }, { words: { character: body.charAt(at) } });
  if (isRaw) return body.replace(/\r\n?/g, "\n");
  return body.replace(BYTES_ESCAPE, (...match: (string | undefined)[]) => {
    const [whole = "", newline, octal, byte, other] = match;
    if (whole.charCodeAt(0) === CARRIAGE_RETURN) return "\n";
    if (newline !== undefined) return "";
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
    const at = bodyStart + Number(match[5]);
    return simple(whole, other, { start: at, end: at + whole.length }, "x");
  });
}

/** An unknown escape stays as it is written, but one that lacks its digits or its name is refused. */
function simple(whole: string, character = "", place: Stretch, needMore: string): string {
  if (needMore.includes(character)) throw new Refusal("escape_malformed", place, { words: { escape: whole } });
  return SIMPLE[character] ?? whole;
}
