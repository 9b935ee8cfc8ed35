/** A port of CPython's `textwrap.TextWrapper`. */
import { raised, VALUE_ERROR } from "../exceptions.ts";
import { offsetOf, textLength } from "../operators/texts.ts";
import { isSpace } from "../unicode/sets.ts";
import { trimEnd, trimStart } from "../unicode/trim.ts";
import { chunksOf } from "./chunks.ts";

export type WrapOptions = {
  readonly width: number;
  readonly initialIndent: string;
  readonly subsequentIndent: string;
  readonly replacesWhiteSpace: boolean;
  readonly fixesSentenceEndings: boolean;
  readonly breaksLongWords: boolean;
  readonly dropsWhiteSpace: boolean;
  readonly breaksOnHyphens: boolean;
  readonly maxLines: number | null;
  readonly placeholder: string;
};

const isBlank = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
};
const leftStripped = (text: string): string => trimStart(text, isSpace);
const rightStripped = (text: string): string => trimEnd(text, isSpace);

/** Tabs are spaces already where that was asked for. */
export function wrap(given: string, options: WrapOptions): string[] {
  const text = options.replacesWhiteSpace ? given.replace(/[\t\n\v\f\r ]/g, " ") : given;
  const chunks = chunksOf(text, options.breaksOnHyphens);
  if (options.fixesSentenceEndings) fixSentences(chunks);
  return linesOf(chunks, options);
}

function fixSentences(chunks: string[]): void {
  for (let at = 0; at < chunks.length - 1; ) {
    if (chunks[at + 1] === " " && /[a-z][.!?]["']?$/.test(chunks[at] as string)) {
      chunks[at + 1] = "  ";
      at += 2;
    } else at += 1;
  }
}

function checkWidths({ width, maxLines, initialIndent, subsequentIndent, placeholder }: WrapOptions): void {
  if (width <= 0) throw raised(VALUE_ERROR, `invalid width ${width} (must be > 0)`);
  if (maxLines === null) return;
  const indent = maxLines > 1 ? subsequentIndent : initialIndent;
  if (textLength(indent) + textLength(leftStripped(placeholder)) > width)
    throw raised(VALUE_ERROR, "placeholder too large for max width");
}

function linesOf(given: string[], options: WrapOptions): string[] {
  checkWidths(options);
  const { maxLines, dropsWhiteSpace } = options;
  const lines: string[] = [];
  const chunks = given.reverse();
  while (chunks.length > 0) {
    const indent = lines.length > 0 ? options.subsequentIndent : options.initialIndent;
    const width = options.width - textLength(indent);
    if (dropsWhiteSpace && lines.length > 0 && isBlank(chunks.at(-1) as string)) chunks.pop();
    const line: string[] = [];
    let length = 0;
    while (chunks.length > 0 && length + textLength(chunks.at(-1) as string) <= width) {
      const chunk = chunks.pop() as string;
      line.push(chunk);
      length += textLength(chunk);
    }
    if (chunks.length > 0 && textLength(chunks.at(-1) as string) > width) {
      cutLongWord(chunks, line, length, width, options);
      length = line.reduce((sum, part) => sum + textLength(part), 0);
    }
    const last = line.at(-1);
    if (dropsWhiteSpace && last !== undefined && isBlank(last)) {
      length -= textLength(last);
      line.pop();
    }
    if (line.length === 0) continue;
    const isEnd =
      (chunks.length === 0 || (dropsWhiteSpace && chunks.length === 1 && isBlank(chunks[0] as string))) &&
      length <= width;
    if (maxLines !== null && lines.length + 1 >= maxLines && !isEnd) {
      endWithPlaceholder(lines, line, length, width, indent, options);
      break;
    }
    lines.push(indent + line.join(""));
  }
  return lines;
}

function cutLongWord(chunks: string[], line: string[], length: number, width: number, options: WrapOptions): void {
  const left = width < 1 ? 1 : width - length;
  if (options.breaksLongWords) {
    const chunk = chunks.at(-1) as string;
    let end = left;
    if (options.breaksOnHyphens && textLength(chunk) > left) {
      const start = chunk.slice(0, offsetOf(chunk, left));
      const hyphen = start.lastIndexOf("-");
      if (hyphen > 0 && /[^-]/.test(start.slice(0, hyphen))) end = textLength(start.slice(0, hyphen)) + 1;
    }
    const offset = offsetOf(chunk, end);
    line.push(chunk.slice(0, offset));
    chunks[chunks.length - 1] = chunk.slice(offset);
  } else if (line.length === 0) line.push(chunks.pop() as string);
}

function endWithPlaceholder(
  lines: string[],
  line: string[],
  given: number,
  width: number,
  indent: string,
  { placeholder, width: whole }: WrapOptions,
): void {
  let length = given;
  for (let last = line.at(-1); last !== undefined; last = line.at(-1)) {
    if (!isBlank(last) && length + textLength(placeholder) <= width) {
      lines.push(indent + line.join("") + placeholder);
      return;
    }
    length -= textLength(last);
    line.pop();
  }
  const before = lines.at(-1);
  if (before !== undefined) {
    const stripped = rightStripped(before);
    if (textLength(stripped) + textLength(placeholder) <= whole) {
      lines[lines.length - 1] = stripped + placeholder;
      return;
    }
  }
  lines.push(indent + leftStripped(placeholder));
}

/** Without the white space that all lines begin with. */
export function dedent(given: string): string {
  const lines = given.split("\n").map((line) => (/^[ \t]+$/.test(line) ? "" : line));
  let margin: string | null = null;
  for (const line of lines) {
    const indent = /^[ \t]*(?=[^ \t])/.exec(line)?.[0];
    if (indent === undefined) continue;
    if (margin === null || margin.startsWith(indent)) margin = indent;
    else if (!indent.startsWith(margin)) margin = common(margin, indent);
  }
  if (margin === null || margin === "") return lines.join("\n");
  const cut = margin;
  return lines.map((line) => (line.startsWith(cut) ? line.slice(cut.length) : line)).join("\n");
}

function common(a: string, b: string): string {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end += 1;
  return a.slice(0, end);
}
