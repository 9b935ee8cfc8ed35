/**
 * The parts of an f-string, as CPython 3.11 tells them apart: by characters, before the expressions are read. So an expression has no `\`, no
 * comment, and no quote like those around the f-string.
 */
import { BACKSLASH, CLOSE_BRACE, isLineEnd, isQuote, OPEN_BRACE } from "./characters.ts";
import type { Reader } from "./reader.ts";
import { textValue, type Written } from "./strings.ts";
import * as T from "./tokens.ts";

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** A field in the form of a field is the deepest. */
const MAX_DEPTH = 2;

export function readFormat(lexer: Reader, written: Written): void {
  const { start, bodyStart, bodyEnd, end, isRaw } = written;
  lexer.add(T.FStart, "", start, bodyStart);
  const parts = new Parts(lexer, bodyStart, bodyEnd, isRaw);
  parts.read(0);
  lexer.add(T.FEnd, "", bodyEnd, end);
}

class Parts {
  private readonly lexer: Reader;
  private readonly text: string;
  private readonly end: number;
  private readonly isRaw: boolean;
  private at: number;
  /** Up to where lines are counted. */
  private counted: number;

  constructor(lexer: Reader, start: number, end: number, isRaw: boolean) {
    this.lexer = lexer;
    this.text = lexer.text;
    this.at = start;
    this.counted = start;
    this.end = end;
    this.isRaw = isRaw;
  }

  /** Texts and fields, up to the end of the f-string or, in a field's form, up to its closing brace. */
  read(depth: number): void {
    while (this.at < this.end) {
      this.readLiteral(depth);
      if (this.at >= this.end) break;
      if (this.text.charCodeAt(this.at) === CLOSE_BRACE) return;
      this.readField(depth);
    }
    this.countTo(this.end);
  }

  private countTo(to: number): void {
    const { text, lexer } = this;
    for (let at = this.counted; at < to; at++)
      if (isLineEnd(text.charCodeAt(at)) && !(text.charAt(at) === "\r" && text.charAt(at + 1) === "\n")) lexer.line++;
    this.counted = Math.max(this.counted, to);
  }

  private readLiteral(depth: number): void {
    const { text, end } = this;
    let from = this.at;
    let at = from;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH && !this.isRaw && at + 1 < end) {
        at = this.afterEscape(at + 1);
        continue;
      }
      if (code !== OPEN_BRACE && code !== CLOSE_BRACE) {
        at++;
        continue;
      }
      if (depth > 0) break;
      if (at + 1 < end && text.charCodeAt(at + 1) === code) {
        this.addLiteral(from, at + 1);
        at += 2;
        from = at;
        continue;
      }
      if (code === CLOSE_BRACE) this.fail("format_single_brace", at, at + 1, "}}");
      break;
    }
    this.addLiteral(from, at);
    this.at = at;
  }

  /** The offset after the escape whose letter is at `at`. A brace is not an escape; those of `\N{…}` do not hold a field. */
  private afterEscape(at: number): number {
    const { text, end } = this;
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === CLOSE_BRACE) return at;
    if (text.charAt(at) !== "N" || text.charCodeAt(at + 1) !== OPEN_BRACE) return at + 1;
    const close = text.indexOf("}", at);
    return close < 0 || close >= end ? end : close + 1;
  }

  private addLiteral(from: number, to: number): void {
    if (from === to) return;
    const value = textValue(this.text, from, to, this.isRaw);
    if (value !== "") this.lexer.add(T.FText, value, from, to);
    this.countTo(to);
  }

  private readField(depth: number): void {
    const { lexer, text, end } = this;
    const open = this.at;
    if (depth >= MAX_DEPTH) lexer.fail("format_too_deep", open, open + 1);
    lexer.add(T.FOpen, "", open, open + 1);
    const from = open + 1;
    const to = this.expressionEnd(from);
    if (to >= end) lexer.fail("format_unclosed", open, open + 1);
    if (/^[ \t\n\f\r]*$/.test(text.slice(from, to))) lexer.fail("format_empty", open, Math.min(to + 1, end));
    this.countTo(from);
    lexer.at = from;
    lexer.formats++;
    lexer.readTokens(to);
    lexer.formats--;
    this.counted = to;
    this.at = to;
    this.readEqual(from);
    this.readConversion();
    if (this.at < end && text.charAt(this.at) === ":") {
      lexer.add(T.FColon, "", this.at, this.at + 1);
      this.at++;
      if (this.at >= end) lexer.fail("format_unclosed", open, open + 1);
      this.read(depth + 1);
    }
    if (this.at >= end || text.charCodeAt(this.at) !== CLOSE_BRACE)
      lexer.fail("format_unclosed", open, Math.max(open + 1, this.at));
    lexer.add(T.FClose, "", this.at, this.at + 1);
    this.at++;
  }

  private readEqual(from: number): void {
    const { lexer, text, end, at } = this;
    if (text.charAt(at) !== "=") return;
    let to = at + 1;
    while (to < end && /[ \t\n\v\f\r]/.test(text.charAt(to))) to++;
    lexer.add(T.FEqual, text.slice(from, to).replace(/\r\n?/g, "\n"), at, to);
    this.at = to;
    this.countTo(to);
  }

  private readConversion(): void {
    const { lexer, text, end, at } = this;
    if (at >= end || text.charAt(at) !== "!") return;
    const letter = text.charAt(at + 1);
    if (at + 1 >= end || !"rsa".includes(letter)) lexer.fail("format_conversion", at, Math.min(at + 2, end));
    lexer.add(T.FConversion, letter, at, at + 2);
    this.at = at + 2;
  }

  /** Where the expression ends: at `! : = }` outside of brackets and texts. */
  private expressionEnd(from: number): number {
    const { text, end } = this;
    const open: string[] = [];
    let quote = "";
    for (let at = from; at < end; at++) {
      const character = text.charAt(at);
      if (character === "\\") this.fail("format_backslash", at, at + 1, "\\");
      if (quote !== "") {
        if (!text.startsWith(quote, at) || at + quote.length > end) continue;
        at += quote.length - 1;
        quote = "";
      } else if (isQuote(text.charCodeAt(at))) {
        const triple = character.repeat(3);
        quote = at + 2 < end && text.startsWith(triple, at) ? triple : character;
        at += quote.length - 1;
      } else if (character in CLOSERS) open.push(CLOSERS[character] ?? "");
      else if (character === "#") this.fail("format_comment", at, at + 1, "#");
      else if (open.length === 0 && "!:}=<>".includes(character)) {
        if (text.charAt(at + 1) === "=" && at + 1 < end && "!=<>".includes(character)) at++;
        else if (character !== "<" && character !== ">") return at;
      } else if (")]}".includes(character) && open.pop() !== character)
        this.fail("format_bracket", at, at + 1, character);
    }
    if (quote !== "") this.fail("format_text_unterminated", from, end, quote);
    return end;
  }

  private fail(fault: Parameters<Reader["fail"]>[0], start: number, end: number, mark: string): never {
    this.lexer.fail(fault, start, end, { words: { mark } });
  }
}
