/**
 * Characters that could move the cursor or the reader instead of being read: controls, line and paragraph separators, direction marks,
 * lone surrogates. Whoever shows text of a program to people writes them visibly.
 */
export const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;
export const EACH_HIDDEN = new RegExp(HIDDEN.source, "gu");
