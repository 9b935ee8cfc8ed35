/**
 * Texts that become parts of headers or commands. A line break in one of them would start a header or command of its own, so it is
 * refused where arguments are checked; what comes from received mail is cleaned instead.
 */
import { z } from "./define.ts";

/** Control characters and line separators. */
const BREAKING = /[\p{Cc}\u2028\u2029]/u;
const ALL_BREAKING = /[\p{Cc}\u2028\u2029]+/gu;

/** Text of at most `most` characters that stays on one line. */
export function singleLine(most: number) {
  return z
    .string()
    .max(most)
    .refine((text) => text.isWellFormed() && !BREAKING.test(text), "text without line breaks and control characters");
}

export function isSingleLine(text: string): boolean {
  return text.isWellFormed() && !BREAKING.test(text);
}

/** `text` on one line. */
export function onOneLine(text: string): string {
  return text.toWellFormed().replace(ALL_BREAKING, " ").trim();
}

/** The first `most` bytes of a text in UTF-8, without half a character at the end. */
export function firstBytes(text: string, most: number): { readonly text: string; readonly cut: boolean } {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= most) return { text, cut: false };
  return { text: new TextDecoder().decode(bytes.subarray(0, most), { stream: true }), cut: true };
}
