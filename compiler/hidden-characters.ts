/**
 * Characters that could move the cursor or the reader instead of being read: controls, line and paragraph separators, direction marks,
 * lone surrogates, and characters without any width or ink, such as the zero-width space and tags. All output for people makes them
 * visible with the functions here. Joiners and variation selectors stay: they shape the letters next to them.
 */
export const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E00FF}]/u;
export const EACH_HIDDEN = new RegExp(HIDDEN.source, "gu");

/** `\x1b`, `\u202e`, `\u{e0041}` */
export function shownCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

export function shownText(text: string): string {
  return text.replace(EACH_HIDDEN, shownCharacter);
}
