/**
 * Text as a terminal shows it: control characters made visible, width counted in columns, cuts that never split a character.
 * Carets, tables and windows all measure with this.
 */
import { EACH_HIDDEN, HIDDEN, shownCharacter } from "../../../compiler/hidden-characters.ts";
import { replaceEach } from "./pieces.ts";

export type Piece = {
  readonly text: string;
  readonly columns: number;
  /** Offset of the source text it stands for, in UTF-16 code units from the start of the string. */
  readonly start: number;
  readonly end: number;
};

/** Made at its first use: that takes 12 ms, a tenth of a short command. */
let segmenter: Intl.Segmenter | null = null;

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
/** Printable ASCII: one column each, no clusters. */
const PLAIN = /^[ -~]*$/;
const TAB = "  ";

/** Printable pieces of a text, one per character as people count them. Tabs are two blanks. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  for (const { segment, index } of graphemesOf(text)) {
    const printed = HIDDEN.test(segment) ? visible(segment) : segment;
    found.push({ text: printed, columns: widthOf(printed), start: index, end: index + segment.length });
  }
  return found;
}

function escaped(character: string): string {
  return character === "\t" ? TAB : shownCharacter(character);
}

/** One line of user text, safe to print: nothing in it can reach the terminal as an escape sequence. */
export function visible(text: string): string {
  return replaceEach(text, EACH_HIDDEN, escaped);
}

/** Several lines of user text: line breaks stay. A carriage return before a line feed is part of the break. */
export function visibleLines(text: string): string {
  const broken = replaceEach(text, /\r(?=\n)/g, () => "");
  return replaceEach(broken, EACH_HIDDEN, (character) => (character === "\n" ? character : escaped(character)));
}

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

/** The text cut to a width, with `…` when something is missing. */
export function cut(text: string, width: number): string {
  if (PLAIN.test(text)) return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
  // A character takes at most ten columns when escaped and none when combining, so only a bounded start needs measuring.
  const start = text.length > width * 8 ? text.slice(0, width * 8) : text;
  let printed = "";
  let used = 0;
  const list = pieces(start);
  for (const [index, piece] of list.entries()) {
    const last = index === list.length - 1 && start.length === text.length;
    if (used + piece.columns > width - (last ? 0 : 1)) return `${printed}…`;
    printed += piece.text;
    used += piece.columns;
  }
  return start.length === text.length ? printed : `${printed}…`;
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
