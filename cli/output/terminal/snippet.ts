/**
 * The picture of a place in a source text: gutter, line, carets. Carets count terminal columns; a line longer than the terminal
 * is shown as a window around them.
 */
import type { Paint } from "./colour.ts";
import { type Piece, pieces } from "./columns.ts";

/** Code units looked at on each side of a place, per column there is room for: a line may be a megabyte. */
const REACH = 3;

export type Place = {
  readonly line: number;
  /** 0-based code unit columns in that line, end exclusive. */
  readonly from: number;
  readonly to: number;
};

/** Where the last answer began: pictures are asked for in reading order, and a text may have 100 000 lines. */
let last: { readonly text: string; readonly number: number; readonly start: number } | null = null;

/** Line `number` (1-based) of a text, without its line break; null when the text is shorter. */
export function lineOf(text: string, number: number): string | null {
  const known = last !== null && last.text === text && last.number <= number ? last : { number: 1, start: 0 };
  let { start } = known;
  for (let line = known.number; line < number; line += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return null;
    start = end + 1;
  }
  last = { text, number, start };
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? text.length : end).replace(/\r$/, "");
}

/** The lines of a picture, the gutter's blank first line included. `before` lines of context stand above. */
export function snippet(
  text: string,
  place: Place,
  options: { width: number; before: number; paint: (text: string) => string; dim: Paint["dim"] },
): string[] {
  const target = lineOf(text, place.line);
  if (target === null) return [];
  const digits = String(place.line).length;
  const gutter = (label: string): string => options.dim(`${label.padStart(digits + 1)} |`);
  const room = Math.max(20, options.width - digits - 5);
  const lines = [gutter("")];
  for (let number = Math.max(1, place.line - options.before); number < place.line; number += 1) {
    const above = lineOf(text, number) ?? "";
    lines.push(`${gutter(String(number))} ${windowed(above, number, { from: 0, to: 0 }, room).line}`.trimEnd());
  }
  const shown = windowed(target, place.line, place, room);
  lines.push(`${gutter(String(place.line))} ${shown.line}`);
  lines.push(`${gutter("")} ${" ".repeat(shown.column)}${options.paint("^".repeat(Math.max(1, shown.length)))}`);
  return lines;
}

/** Never between the halves of a surrogate pair. */
function startOfCharacter(text: string, offset: number): number {
  if (offset <= 0) return 0;
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}

type Window = { readonly line: string; readonly column: number; readonly length: number };

function windowed(whole: string, number: number, place: { from: number; to: number }, room: number): Window {
  const reach = room * REACH;
  const offset = startOfCharacter(whole, Math.min(place.from, whole.length) - reach);
  const slice = whole.slice(offset, place.from + reach);
  const mark = number === 1 && offset === 0 && slice.startsWith("\uFEFF");
  const all = pieces(slice).filter((piece) => !(mark && piece.start === 0));
  const from = place.from - offset;
  const to = Math.max(place.to - offset, from + 1);
  const starts = columnsOf(all);
  const total = starts[all.length] ?? 0;
  const first = indexAt(all, from);
  const last = indexAt(all, to);
  const caret = starts[first] ?? total;
  const cutLeft = offset > 0 || (total > room && caret > room / 2);
  const cutRight = offset + slice.length < whole.length || total > room;
  if (!cutLeft && !cutRight)
    return { line: textOf(all), column: caret, length: Math.max(1, (starts[last] ?? total) - caret) };
  return cutOut(all, starts, { first, last, room, cutLeft });
}

function cutOut(
  all: readonly Piece[],
  starts: readonly number[],
  at: { first: number; last: number; room: number; cutLeft: boolean },
): Window {
  const caret = starts[at.first] ?? 0;
  const wanted = at.cutLeft ? Math.max(0, caret - Math.floor(at.room / 3)) : 0;
  let begin = 0;
  while (begin < at.first && (starts[begin] ?? 0) < wanted) begin += 1;
  const base = starts[begin] ?? 0;
  const left = at.cutLeft ? 1 : 0;
  let end = begin;
  while (end < all.length && (starts[end + 1] ?? 0) - base <= at.room - left - 1) end += 1;
  const right = end < all.length ? "…" : "";
  const stop = Math.min(at.last, end);
  return {
    line: `${at.cutLeft ? "…" : ""}${textOf(all.slice(begin, end))}${right}`,
    column: caret - base + left,
    length: Math.max(1, (starts[stop] ?? caret) - caret),
  };
}

/** Column where each piece starts, and the end as last element. */
function columnsOf(all: readonly Piece[]): number[] {
  const starts = [0];
  for (const piece of all) starts.push((starts[starts.length - 1] ?? 0) + piece.columns);
  return starts;
}

/** Index of the piece that holds an offset; the number of pieces past the end. */
function indexAt(all: readonly Piece[], offset: number): number {
  const index = all.findIndex((piece) => offset < piece.end);
  return index === -1 ? all.length : index;
}

function textOf(all: readonly Piece[]): string {
  return all.map((piece) => piece.text).join("");
}
