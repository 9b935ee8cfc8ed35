/**
 * Text as a terminal shows it: control characters made visible, width counted in columns, cuts that never split a character.
 * Carets, tables and windows all measure with this.
 */
import { EACH_HIDDEN, HIDDEN, shownCharacter } from "../../../compiler/hidden-characters.ts";
import { graphemesOf, PLAIN, widthOf } from "../../../grammar/text/width.ts";
import { replaceEach } from "./pieces.ts";

export type Piece = {
  readonly text: string;
  readonly columns: number;
  /** Offset of the source text it stands for, in UTF-16 code units from the start of the string. */
  readonly start: number;
  readonly end: number;
};

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
