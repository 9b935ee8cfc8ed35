/**
 * Slot mode and what both modes share (docs/language.md, text): words up to a blank, `#` or quote, strings,
 * comments, what starts a statement, the bound of a line. It knows op words, and nothing of operands.
 */
import type { Slot } from "../ast.ts";
import { closingQuote, textValue } from "../operands/tokens.ts";
import { findOp } from "../ops.ts";
import type { Reporter } from "../reporter.ts";
import { isBlank, skipBlanks, spanOnLine, utf8Length } from "../text/source.ts";

/** Of the bounds of a file, those of its text. */
export type LexerLimits = { readonly line_bytes: number; readonly nesting: number };

export const HASH = 0x23;
export const EQUALS = 0x3d;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

export function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

/** Where a bare word in slot mode ends: at a blank, `#` or a quote. */
export function slotWordEnd(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === HASH || isQuote(code) || isBlank(code)) break;
    at++;
  }
  return at;
}

/** True for a word of the form `L<id>:`. */
export function isLabelWord(word: string): boolean {
  return word.charCodeAt(0) === 0x4c && word.charCodeAt(word.length - 1) === 0x3a && word.length > 1;
}

/** Whether a line inside an open bracket starts a statement of its own: a label line, or an op word and something after. */
export function startsStatement(text: string, from: number, limit: number): boolean {
  const start = skipBlanks(text, from, limit);
  const end = slotWordEnd(text, start, limit);
  if (end === start) return false;
  const word = text.slice(start, end);
  if (isLabelWord(word)) return true;
  if (end === limit || !isBlank(text.charCodeAt(end)) || findOp(word) === undefined) return false;
  const next = skipBlanks(text, end, limit);
  return next < limit && text.charCodeAt(next) !== HASH;
}

/** False, with a finding, for a line longer than the bound. */
export function lineFits(reporter: Reporter, line: number, limits: LexerLimits): boolean {
  const { source } = reporter;
  const start = source.starts[line] ?? 0;
  const end = source.ends[line] ?? start;
  if ((end - start) * 3 <= limits.line_bytes) return true;
  if (end - start <= limits.line_bytes && utf8Length(source.text, start, end) <= limits.line_bytes) return true;
  reporter.report({
    code: "WF1011",
    span: spanOnLine(source, line, start, start),
    words: { what: "line", limit: `${Math.floor(limits.line_bytes / 1024)} KiB` },
  });
  return false;
}

/** Records the comment that starts at `at` and warns when it cuts a word. */
export function readComment(reporter: Reporter, line: number, at: number, ownLine: boolean, wordStart: number): void {
  const { source } = reporter;
  const end = source.ends[line] ?? at;
  const span = spanOnLine(source, line, at, end);
  reporter.comments.push({ span, text: source.text.slice(at + 1, end), own_line: ownLine });
  if (wordStart < 0) return;
  const here = spanOnLine(source, line, at, at);
  reporter.report({
    code: "WF9013",
    span: spanOnLine(source, line, at, at + 1),
    words: { word: source.text.slice(wordStart, at) },
    fix: { title: "put a blank before #", edits: [{ span: here, new_text: " " }] },
  });
}

/** Reports a string that is not closed on its line. */
export function reportUnterminated(reporter: Reporter, line: number, from: number): void {
  const { source } = reporter;
  reporter.lexicalErrors.push(from);
  reporter.report({
    code: "WF1001",
    span: spanOnLine(source, line, from, source.ends[line] ?? from),
    words: { q: source.text.charAt(from) },
  });
}

/** Reads the slots of a line from `from` to `limit`, its end when not given. */
export function lexSlots(reporter: Reporter, line: number, from: number, until?: number): Slot[] {
  const { source } = reporter;
  const { text } = source;
  const limit = until ?? source.ends[line] ?? text.length;
  const slots: Slot[] = [];
  let at = skipBlanks(text, from, limit);
  let wordStart = -1;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === HASH) {
      readComment(reporter, line, at, false, wordStart);
      break;
    }
    const start = at;
    if (isQuote(code)) {
      const close = closingQuote(text, at, limit);
      at = close === -1 ? limit : close + 1;
      if (close === -1) reportUnterminated(reporter, line, start);
      const body = text.slice(start + 1, close === -1 ? limit : close);
      slots.push({ span: spanOnLine(source, line, start, at), text: textValue(code, body), quoted: true });
    } else {
      at = slotWordEnd(text, at, limit);
      let word = text.slice(start, at);
      wordStart = start;
      const quote = text.charCodeAt(at);
      const close = text.charCodeAt(at - 1) === EQUALS && isQuote(quote) ? closingQuote(text, at, limit) : -1;
      if (close !== -1 && at < limit) {
        word += textValue(quote, text.slice(at + 1, close));
        at = close + 1;
      }
      slots.push({ span: spanOnLine(source, line, start, at), text: word, quoted: false });
    }
    const next = skipBlanks(text, at, limit);
    if (next > at || isQuote(text.charCodeAt(at - 1))) wordStart = -1;
    at = next;
  }
  return slots;
}
