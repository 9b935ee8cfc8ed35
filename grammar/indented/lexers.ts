/**
 * The lexers of the indented form. Operands are read as everywhere; what is added is what this form has between operands: comparators that
 * touch their words, `!`, `?`, and the colon that ends a line with a block. None of that happens inside lists and maps.
 */
import { StatementLexer } from "../lexer.ts";
import { isLabelWord, isQuote, slotWordEnd } from "../slots.ts";
import { skipBlanks } from "../source.ts";
import { comparatorEnd } from "../tokens.ts";
import { startsIndentedStatement } from "./words.ts";

/** A step of the opcode form or an adapter call: only where an open bracket ends is told by this form. */
export class StepLexer extends StatementLexer {
  protected override startsStatement(start: number, end: number): boolean {
    return startsLine(this.text, start, end);
  }
}

/** A value: `x = …`, `out …`, `err …`. */
export class ValueLexer extends StatementLexer {
  /** The line ends with a colon, and `=` is no part of a word. */
  protected get opensBlock(): boolean {
    return false;
  }

  protected override startsStatement(start: number, end: number): boolean {
    return startsLine(this.text, start, end);
  }

  protected override readWord(end: number): void {
    const { at: start, text } = this;
    const inner = this.open[this.open.length - 1]?.bracket;
    const path = Math.max(this.path, start);
    const isPlain = inner !== undefined && inner !== "(";
    const isBang = !isPlain && text.charAt(start) === "!" && text.charAt(start + 1) !== "=";
    const split = isPlain || isBang ? -1 : this.comparatorIn(path, end);
    const isColon = this.opensBlock && inner === undefined && text.charAt(end - 1) === ":";
    const asks = !isPlain && text.charAt(path) === "?";
    if (isBang) this.push("Bang", start + 1);
    else if (split === start) this.push("Compare", comparatorEnd(text, start));
    else if (split !== -1) this.readSubject(path, split);
    else if (isColon && end - 1 === start) this.push("Colon", end);
    else if (isColon || asks) this.readSubject(path, isColon ? end - 1 : end);
    else this.readPlainWord(end);
  }

  /** A word, and a `?` that touches it. */
  private readSubject(path: number, end: number): void {
    const asks = path === end - 1 && path > this.at && this.text.charAt(path) === "?";
    this.push(this.wordType(this.at, asks ? path : end), asks ? path : end);
    if (asks) this.push("Question", end);
  }

  private comparatorIn(from: number, end: number): number {
    for (let at = this.findComparator(from, end); at !== -1; at = this.findComparator(at + 1, end)) {
      const isText = this.text.charAt(at) === "=" && this.text.charAt(at + 1) !== "=";
      if (this.opensBlock || !isText) return at;
    }
    return -1;
  }

  private readPlainWord(end: number): void {
    const joins = this.text.charAt(end - 1) === "=" && isQuote(this.text.charCodeAt(end));
    // The word of an op starts no step here, so nothing waits behind it.
    if (joins || end === this.at) super.readWord(end);
    else this.push(this.wordType(this.at, end), end);
  }
}

/** What stands between `if`, `elif`, `for` or `while` and its colon. */
export class BlockLexer extends ValueLexer {
  protected override get opensBlock(): boolean {
    return true;
  }
}

function startsLine(text: string, from: number, limit: number): boolean {
  const start = skipBlanks(text, from, limit);
  if (isLabelWord(text.slice(start, slotWordEnd(text, start, limit)))) return true;
  return startsIndentedStatement(text, start, limit);
}
