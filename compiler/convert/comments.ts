/** Puts the comments of a program where they belong in another text of it: above what they stood above, or after what they stood after. */
import type { CommentLine } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/text/span.ts";

/** A line of the new text, and the place in the old one that it comes from; null for one that has none. */
export type WrittenLine = {
  readonly indent: string;
  readonly text: string;
  readonly span: Span | null;
  /** An empty line above it. */
  readonly gap: boolean;
};

const SURFACE = /^\s*surface\s*:/;

/** The new text. A comment goes to the line that comes from the next place after it; of several such lines to the first. */
export function withComments(lines: readonly WrittenLine[], comments: readonly CommentLine[]): string {
  const above = new Map<WrittenLine, CommentLine[]>();
  const after = new Map<WrittenLine, CommentLine[]>();
  const last: CommentLine[] = [];
  const places = placesOf(lines);
  for (const comment of comments) {
    if (SURFACE.test(comment.text)) continue;
    const own = comment.own_line ? undefined : lineBefore(places, comment);
    const line = own ?? lineAfter(places, comment);
    const placed = own === undefined ? above : after;
    if (line === undefined) {
      last.push(comment);
      continue;
    }
    const known = placed.get(line);
    if (known === undefined) placed.set(line, [comment]);
    else known.push(comment);
  }
  const made: string[] = [];
  for (const line of lines) {
    if (line.gap && made.length > 0) made.push("");
    for (const comment of above.get(line) ?? []) made.push(line.indent + commentText(comment));
    const [first, ...more] = after.get(line) ?? [];
    // One line holds one comment.
    for (const comment of more) made.push(line.indent + commentText(comment));
    made.push(`${line.indent}${line.text}${first === undefined ? "" : `  ${commentText(first)}`}`);
  }
  const indent = lines.at(-1)?.indent ?? "";
  for (const comment of last) made.push((comment.span.column > 1 ? indent : "") + commentText(comment));
  return made.length === 0 ? "" : `${made.join("\n")}\n`;
}

function commentText({ text }: CommentLine): string {
  return `#${text}`.trimEnd();
}

type Place = { readonly start: number; readonly line: WrittenLine };

/** In the order of the old text, each place once. */
function placesOf(lines: readonly WrittenLine[]): readonly Place[] {
  const found = new Map<number, WrittenLine>();
  for (const line of lines) {
    const start = line.span?.start;
    if (start !== undefined && !found.has(start)) found.set(start, line);
  }
  return [...found].map(([start, line]) => ({ start, line })).sort((a, b) => a.start - b.start);
}

function lineAfter(places: readonly Place[], { span }: CommentLine): WrittenLine | undefined {
  return places[firstFrom(places, span.start)]?.line;
}

/** The first thing on the line of the comment. */
function lineBefore(places: readonly Place[], { span }: CommentLine): WrittenLine | undefined {
  let found: WrittenLine | undefined;
  for (let at = firstFrom(places, span.start) - 1; at >= 0; at--) {
    const { line } = places[at] as Place;
    const isThere = (line.span?.line ?? 0) <= span.line && (line.span?.end_line ?? 0) >= span.line;
    if (!isThere) break;
    found = line;
  }
  return found;
}

/** The first place at or after `start`. */
function firstFrom(places: readonly Place[], start: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as Place).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
