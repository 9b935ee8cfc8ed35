/**
 * Characters that could move the cursor or the reader instead of being read: controls, line and paragraph separators, direction marks,
 * lone surrogates. All output for people makes them visible with the functions here.
 */
export const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;
export const EACH_HIDDEN = new RegExp(HIDDEN.source, "gu");

/** `\x1b`, `\u202e` */
export function shownCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

export function shownText(text: string): string {
  return text.replace(EACH_HIDDEN, shownCharacter);
}
