/**
 * A source text with its lines: where each line starts and ends, what is a blank, and spans from offsets. Line ends are
 * LF or CR LF; a byte order mark belongs to no line's content (docs/language.md, bounds). It knows nothing of tokens.
 */
import type { Span } from "./span.ts";

export type Source = {
  readonly file: string | null;
  readonly text: string;
  /** Offset of the first character of each line (0-based index). */
  readonly starts: readonly number[];
  /** Offset just after the last character of each line, its line end left out. */
  readonly ends: readonly number[];
};

const CR = 13;
const BYTE_ORDER_MARK = 0xfeff;

export function createSource(text: string, file: string | null): Source {
  const starts: number[] = [0];
  const ends: number[] = [];
  let at = text.indexOf("\n");
  while (at !== -1) {
    ends.push(at > 0 && text.charCodeAt(at - 1) === CR ? at - 1 : at);
    starts.push(at + 1);
    at = text.indexOf("\n", at + 1);
  }
  ends.push(text.length);
  return { file, text, starts, ends };
}

/** Where reading of a line begins: after the byte order mark on the first one. */
export function contentStart(source: Source, line: number): number {
  const start = source.starts[line] ?? 0;
  return line === 0 && source.text.charCodeAt(0) === BYTE_ORDER_MARK ? start + 1 : start;
}

/** 0-based line index of an offset. */
function lineAt(source: Source, offset: number): number {
  let low = 0;
  let high = source.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((source.starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The span of a range that lies on one line, whose 0-based index is known. */
export function spanOnLine(source: Source, line: number, start: number, end: number): Span {
  const lineStart = source.starts[line] ?? 0;
  return {
    file: source.file,
    line: line + 1,
    column: start - lineStart + 1,
    end_line: line + 1,
    end_column: end - lineStart + 1,
    start,
    end,
  };
}

/** The span of any range. */
export function spanOf(source: Source, start: number, end: number): Span {
  const first = lineAt(source, start);
  const last = end === start ? first : lineAt(source, end);
  return {
    file: source.file,
    line: first + 1,
    column: start - (source.starts[first] ?? 0) + 1,
    end_line: last + 1,
    end_column: end - (source.starts[last] ?? 0) + 1,
    start,
    end,
  };
}

/** Space, tab, form feed, a lone CR and every Unicode space separator. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || code === 0x09 || code === 0x0c || code === CR;
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** Length in UTF-8 bytes; unpaired surrogates count three, as their replacement does. */
export function utf8Length(text: string, from: number, end: number): number {
  let bytes = 0;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** A range of text on one line: its comments cut out, its line breaks made blanks. `comments` are in order. */
export function joinLines(
  text: string,
  start: number,
  end: number,
  comments: readonly { readonly span: Span }[],
): string {
  const kept: string[] = [];
  let until = end;
  for (let index = comments.length - 1; index >= 0; index--) {
    const span = comments[index]?.span;
    if (span === undefined || span.end < start) break;
    if (span.start < start || span.start >= end) continue;
    kept.push(text.slice(span.end, until));
    until = span.start;
  }
  kept.push(text.slice(start, until));
  const lines = kept.reverse().join("").split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
