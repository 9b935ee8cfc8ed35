/**
 * Markdown text as plain text: marks removed, blanks collapsed, bounded in length; and the slug of a title. Every pattern here
 * looks at a character a bounded number of times, because lines of strangers are matched against them.
 */

const LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;
const EMPHASIS = /\*+|_+|~~/g;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const CONTROLS = /\p{Cc}/gu;
const NO_WORD = /[^\p{L}\p{N}\p{M}]+/gu;
const MAX_SLUG_LENGTH = 80;

/** A title or sentence without emphasis, code and link marks and control characters; at most `limit` code points. */
export function plainText(markdown: string, limit: number): string {
  // Odd pieces stand between back-ticks: code is kept as it is written.
  const pieces = markdown.split("`").map((piece, index) => (index % 2 === 1 ? piece : withoutMarks(piece)));
  return cutText(collapsed(pieces.join("")), limit);
}

/** Blanks and line ends become single blanks; other control characters go. */
export function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").replace(CONTROLS, "").trim();
}

function withoutMarks(text: string): string {
  return text
    .replace(LINK, "$1")
    .replace(EMPHASIS, (mark, at: number, whole: string) =>
      isEmphasis(mark, whole.charAt(at - 1), whole.charAt(at + mark.length)) ? "" : mark,
    );
}

/** A star between blanks multiplies, an underscore inside a word belongs to it. */
function isEmphasis(mark: string, before: string, after: string): boolean {
  if (mark.startsWith("~")) return true;
  if (mark.startsWith("_") && WORD_CHARACTER.test(before) && WORD_CHARACTER.test(after)) return false;
  return before.trim() !== "" || after.trim() !== "";
}

/** The first `limit` code points. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return Array.from(text.slice(0, limit * 2))
    .slice(0, limit)
    .join("");
}

/** Lower-case letters and digits with single hyphens between them, at most 80 code points; `imported` for a text that has none. */
export function slugOf(title: string): string {
  const words = title.toLowerCase().normalize("NFC").replace(NO_WORD, "-").replace(/^-/, "");
  const slug = cutText(words, MAX_SLUG_LENGTH).replace(/-$/, "");
  return slug === "" ? "imported" : slug;
}

/** Code points of a text. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= 0xd800 && (text.codePointAt(at) ?? 0) > 0xffff) {
      count--;
      at++;
    }
  }
  return count;
}
