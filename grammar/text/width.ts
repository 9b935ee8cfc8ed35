/** How many columns a text takes where all letters are equally wide: in a terminal, and in a drawing with a monospace font. */

/** Made at its first use: that takes 12 ms, a tenth of a short command. */
let segmenter: Intl.Segmenter | null = null;

export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
/** Printable ASCII: one column each, no clusters. */
export const PLAIN = /^[ -~]*$/;

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let total = 0;
  for (const { segment } of graphemesOf(text)) total += graphemeWidth(segment);
  return total;
}

/** The widest code point of a cluster decides: a joined family of emoji takes two columns, not eight. */
function graphemeWidth(segment: string): number {
  if (segment.length === 1 && segment >= " " && segment <= "~") return 1;
  // An escaped text is several clusters by itself, so a cluster is one character with its marks.
  let widest = 0;
  for (const character of segment) widest = Math.max(widest, codePointWidth(character));
  return segment.includes("\uFE0F") ? 2 : widest;
}

function codePointWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return isWide(character.codePointAt(0) ?? 0) || EMOJI.test(character) ? 2 : 1;
}

/** East Asian Width W and F, by block. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0xa4cf) ||
    (code >= 0xa960 && code <= 0xa97f) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1f64f) ||
    (code >= 0x1f900 && code <= 0x1f9ff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}
