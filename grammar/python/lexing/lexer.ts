/**
 * The tokens of a file, by the rules of CPython 3.11: indentation in tabs and blanks, lines joined in brackets and by `\`, texts and f-strings.
 * An f-string becomes tokens of its own, those of its expressions among them, so that the parser needs one pass.
 */
import type { TokenType } from "chevrotain";
import type { FaultName } from "../faults.ts";
import { Refusal, type Said } from "../refusal.ts";
import type { Comment } from "../tree.ts";
import * as C from "./characters.ts";
import { readFormat } from "./fstrings.ts";
import { Indentation } from "./indentation.ts";
import { numberEnd } from "./numbers.ts";
import type { Reader } from "./reader.ts";
import { bytesOf, isPrefix, textValue, writtenAt } from "./strings.ts";
import * as T from "./tokens.ts";

/** A line that is a fence and nothing else. */
const FENCE = /^[ \t]*```\w*[ \t]*\r?\n?/gm;

export type Tokens = {
  /** The last one is an `End` or a `Broken`. */
  readonly tokens: readonly T.Token[];
  readonly comments: readonly Comment[];
  /** What is wrong at the `Broken` token. */
  readonly refusal: Refusal | null;
  /** How many tokens the longest logical line has. */
  readonly longest: number;
};

type Bracket = { readonly opener: string; readonly start: number };

/** As in CPython. */
const MAX_BRACKETS = 200;
/** A name in an IR has at most 256, and ids of labels and branches add to those of functions. */
const MAX_NAME = 200;
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

type Single = {
  readonly type: TokenType;
  readonly image: string;
  readonly closer: string | undefined;
  readonly closes: boolean;
};
/** Marks that no longer mark begins with, by their code. */
const SINGLES: (Single | undefined)[] = [];
for (const image of "()[]{},;~") {
  const type = T.MARKS.get(image) as TokenType;
  SINGLES[image.charCodeAt(0)] = { type, image, closer: CLOSERS[image], closes: ")]}".includes(image) };
}

export function tokenize(text: string, from: number): Tokens {
  const lexer = new Lexer(text, from);
  let refusal: Refusal | null = null;
  try {
    lexer.readFile();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
    const { start, end } = refusal.fault;
    lexer.add(T.Broken, "", start, end);
  }
  return { tokens: lexer.tokens, comments: lexer.comments, refusal, longest: lexer.longest };
}

class Lexer implements Reader {
  readonly text: string;
  readonly tokens: T.Token[] = [];
  readonly comments: Comment[] = [];
  at: number;
  line = 1;
  /** How many f-strings the place lies in. */
  formats = 0;
  longest = 0;
  private readonly brackets: Bracket[] = [];
  private readonly indentation: Indentation;
  /** The first token of the logical line. */
  private lineStart = 0;

  constructor(text: string, from: number) {
    this.text = text;
    this.at = from;
    this.indentation = new Indentation(this);
  }

  readFile(): void {
    const { text } = this;
    while (this.at < text.length) {
      if (this.indentation.begin()) {
        this.lineStart = this.tokens.length;
        this.readTokens(text.length);
        this.endLine();
      }
    }
    this.indentation.end();
    this.add(T.End, "", text.length, text.length);
  }

  add(type: TokenType, image: string, start: number, end: number): void {
    this.tokens.push(new T.Token(type, image, start, end, this.line));
  }

  fail(fault: FaultName, start: number, end: number, said?: Said): never {
    throw new Refusal(fault, { start, end }, said);
  }

  /** Reads tokens up to `limit`, or up to the line end that ends the logical line, which is left where it is. */
  readTokens(limit: number): void {
    const { text } = this;
    const isEnclosed = this.formats > 0;
    while (this.at < limit) {
      const { at } = this;
      const code = text.charCodeAt(at);
      if (code === C.SPACE || code === C.TAB || code === C.FORM_FEED) this.at++;
      else if (C.isWord(code)) {
        if (C.isDigit(code)) this.readNumber(at);
        else this.readWord(at, limit);
      } else if (C.isLineEnd(code)) {
        if (this.brackets.length === 0 && !isEnclosed) return;
        this.at = C.afterLineEnd(text, at);
        this.line++;
      } else if (C.isQuote(code)) this.readText(at, at, limit);
      else if (code === C.HASH) this.readComment(false);
      else if (code === C.BACKSLASH) this.joinLine();
      else if (code === C.DOT && C.isDigit(text.charCodeAt(at + 1))) this.readNumber(at);
      else this.readMark(at);
    }
  }

  private endLine(): void {
    const { text, at } = this;
    const open = this.brackets.at(-1);
    if (open !== undefined)
      this.fail("bracket_unclosed", open.start, open.start + 1, {
        words: { opener: open.opener, closer: CLOSERS[open.opener] ?? "" },
      });
    const end = at < text.length ? C.afterLineEnd(text, at) : at;
    this.softenLine();
    this.longest = Math.max(this.longest, this.tokens.length - this.lineStart);
    this.add(T.Newline, "", at, end);
    if (end > at) this.line++;
    this.at = end;
  }

  /** `match` at the beginning of a line that ends with a colon is a keyword, and `case` in its block is one. */
  private softenLine(): void {
    const { tokens, lineStart, indentation } = this;
    const first = tokens[lineStart];
    if (first === undefined || first.tokenTypeIdx !== T.Name.tokenTypeIdx) return;
    const { image, end, start } = first;
    if (end - start === 5 && image === "match") {
      const isHead = tokens.length - lineStart > 2 && tokens.at(-1)?.tokenTypeIdx === T.Colon.tokenTypeIdx;
      if (!isHead) return;
      first.tokenTypeIdx = T.Match.tokenTypeIdx ?? 0;
      indentation.holdsCases = true;
    } else if (end - start === 4 && image === "case" && indentation.isAmongCases)
      first.tokenTypeIdx = T.Case.tokenTypeIdx ?? 0;
  }

  readComment(ownLine: boolean): void {
    const { text, at, line } = this;
    let end = at;
    while (end < text.length && !C.isLineEnd(text.charCodeAt(end))) end++;
    this.comments.push({ start: at, end, line, text: text.slice(at, end), ownLine: ownLine || this.standsAlone(at) });
    this.at = end;
  }

  private standsAlone(at: number): boolean {
    let before = at - 1;
    while (before >= 0 && " \t\f".includes(this.text.charAt(before))) before--;
    return before < 0 || C.isLineEnd(this.text.charCodeAt(before));
  }

  /** Continues after a `\` and the line end that follows it. */
  joinLine(): void {
    const { text, at } = this;
    const next = at + 1;
    if (next < text.length && !C.isLineEnd(text.charCodeAt(next))) {
      const isEscaped = text.startsWith("\\n", at) && !text.trimEnd().includes("\n");
      this.fail(isEscaped ? "lines_escaped" : "line_joined_badly", at, at + 1);
    }
    this.at = next < text.length ? C.afterLineEnd(text, next) : next;
    if (this.at >= text.length) this.fail("line_joined_to_nothing", at, at + 1);
    this.line++;
  }

  private readNumber(start: number): void {
    this.at = numberEnd(this.text, start);
    this.add(T.NumberLiteral, this.text.slice(start, this.at), start, this.at);
  }

  private readWord(start: number, limit: number): void {
    const { text } = this;
    const end = C.wordEnd(text, start);
    const word = text.slice(start, end);
    if (end < limit && end - start <= 2 && C.isQuote(text.charCodeAt(end)) && isPrefix(word)) {
      this.readText(start, end, limit);
      return;
    }
    this.at = end;
    const keyword = T.KEYWORDS.get(word);
    if (end - start > MAX_NAME) this.fail("name_too_long", start, end, { words: { most: String(MAX_NAME) } });
    if (keyword !== undefined) this.add(keyword, word, start, end);
    else this.add(T.Name, C.nameOf(word) ?? this.refuseWord(word, start), start, end);
  }

  private refuseWord(word: string, start: number): never {
    const { character, at } = C.strangerIn(word);
    this.refuseCharacter(character, start + at);
  }

  private refuseCharacter(character: string, start: number): never {
    if (character === "`" && this.text.startsWith("```", start)) this.refuseFence(start);
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const place = { start, end: start + character.length };
    const words = { character, code: `U+${code}` };
    if (/\p{Zs}/u.test(character)) {
      const title = "write a blank";
      const fix = { title, edits: [{ ...place, text: " " }] };
      this.fail("character", start, place.end, { words: { ...words, instead: title }, fix });
    }
    this.fail("character", start, place.end, { words: { ...words, instead: C.insteadOf(character) } });
  }

  /** The lines around a code block of Markdown, which are left out together. */
  private refuseFence(start: number): never {
    const edits = [...this.text.matchAll(FENCE)].map(({ 0: line, index }) => ({
      start: index,
      end: index + line.length,
      text: "",
    }));
    const fix = { title: "leave the fences of Markdown out", edits };
    this.fail("fence", start, start + 3, edits.length <= 2 ? { fix } : {});
  }

  private readText(start: number, quoteAt: number, limit: number): void {
    const { text } = this;
    const written = writtenAt(text, start, quoteAt, limit);
    if (written.isFormat) readFormat(this, written);
    else if (written.isBytes) this.add(T.Bytes, bytesOf(text, written), start, written.end);
    else this.add(T.Text, textValue(text, written.bodyStart, written.bodyEnd, written.isRaw), start, written.end);
    if (!written.isFormat) this.line += written.lines;
    this.at = written.end;
  }

  private readMark(start: number): void {
    const { text } = this;
    const single = SINGLES[text.charCodeAt(start)];
    if (single !== undefined) {
      if (single.closer !== undefined) this.open(single.image, start);
      else if (single.closes) this.close(single.image, start);
      this.at = start + 1;
      this.add(single.type, single.image, start, this.at);
      return;
    }
    let length = Math.min(3, text.length - start);
    let type = T.MARKS.get(text.slice(start, start + length));
    while (type === undefined && length > 1) type = T.MARKS.get(text.slice(start, start + --length));
    if (type === undefined) this.refuseCharacter(text.charAt(start), start);
    const image = text.slice(start, start + length);
    this.at = start + length;
    this.add(type, image, start, this.at);
  }

  private open(opener: string, start: number): void {
    if (this.brackets.length >= MAX_BRACKETS) this.fail("brackets_too_deep", start, start + 1);
    this.brackets.push({ opener, start });
  }

  private close(closer: string, start: number): void {
    const open = this.brackets.pop();
    if (open === undefined) this.fail("bracket_unopened", start, start + 1, { words: { closer } });
    if (CLOSERS[open.opener] !== closer)
      this.fail("bracket_mismatched", start, start + 1, { words: { closer, opener: open.opener } });
  }
}
