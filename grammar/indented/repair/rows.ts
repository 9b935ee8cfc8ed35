/** Rows of tokens of one statement: their text, the parts between commas, what is known of their words. */
import { FOREIGN_COMPARATORS } from "../surplus.ts";
import * as T from "../tokens.ts";
import { groupEnd, type Lexeme } from "../tokens.ts";
import type { CallParameters } from "./arguments.ts";
import { TYPES } from "./functions.ts";

export type Facts = {
  readonly source: string;
  readonly isVariable: (name: string) => boolean;
  /** The inputs of a graph in order; null for a name without a graph. */
  readonly inputsOf: (graph: string) => readonly string[] | null;
  /** What a call of an adapter takes; null for one that the host does not know. */
  readonly parametersOf: (call: string) => CallParameters | null;
  /** What a name holds wherever the file sets it, as far as the lines say. */
  readonly heldBy: (name: string) => "list" | "text" | null;
  /** Whether a name holds a failure that was caught, and nothing else. */
  readonly isFailure: (name: string) => boolean;
};

const COMPARED: ReadonlySet<string> = new Set(["==", "!=", "is", "in"]);

export abstract class TokenRows {
  protected readonly tokens: readonly Lexeme[];
  protected readonly facts: Facts;
  /** Something is written otherwise than it was. */
  protected isChanged = false;
  /** Something foreign has no certain equivalent. */
  protected isStuck = false;

  constructor(tokens: readonly Lexeme[], facts: Facts) {
    this.tokens = tokens;
    this.facts = facts;
  }

  protected isValue(text: string): boolean {
    const root = /^[\p{L}_][\p{L}\p{Nd}_]*/u.exec(text)?.[0];
    return root === undefined || this.facts.isVariable(root) || /[([]/.test(text);
  }

  protected isForeignSign(at: number, to: number): boolean {
    const [token, next] = [this.tokens[at] as Lexeme, this.tokens[at + 1]];
    return (
      at + 1 < to &&
      token.tokenType === T.Compare &&
      next?.tokenType === T.Compare &&
      next.glued &&
      FOREIGN_COMPARATORS.has(token.image + next.image)
    );
  }

  /** What stands between a token and the one before it. */
  protected gap(at: number): string {
    const [before, token] = [this.tokens[at - 1] as Lexeme, this.tokens[at] as Lexeme];
    return this.facts.source.slice(before.span.end, token.span.start);
  }

  protected source(first: number, last: number): string {
    return this.facts.source.slice((this.tokens[first] as Lexeme).span.start, (this.tokens[last] as Lexeme).span.end);
  }

  /** `type(x) == str` */
  protected typeName(at: number): string | null {
    const [sign, call] = [this.tokens[at - 1], this.tokens[at - 2]];
    if (sign === undefined || call?.tokenType !== T.CloseParen || !COMPARED.has(sign.image)) return null;
    let open = at - 2;
    for (let depth = 0; open > 0; open--) {
      const { tokenType } = this.tokens[open] as Lexeme;
      if (tokenType.CATEGORIES?.includes(T.Closer) === true) depth++;
      if (tokenType.CATEGORIES?.includes(T.Opener) === true && --depth === 0) break;
    }
    const token = this.tokens[at] as Lexeme;
    const isOfType = this.tokens[open - 1]?.image === "type" && this.tokens[open]?.tokenType === T.OpenCall;
    const word = token.tokenType === T.Text ? token.value : token.image;
    const own = isOfType && Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
    const [only] = own ?? [];
    if (only === undefined || own?.length !== 1) return null;
    return token.tokenType === T.Text && only === word ? null : `"${only}"`;
  }

  /** The parts between commas that stand in no brackets. */
  protected split(from: number, to: number): (readonly [number, number])[] {
    const parts: (readonly [number, number])[] = [];
    let start = from;
    let loops = false;
    for (let at = from; at < to; at = groupEnd(this.tokens, at) + 1) {
      const { tokenType } = this.tokens[at] as Lexeme;
      // `for k, v in d` is one part.
      if (tokenType === T.ForWord) loops = true;
      if (tokenType === T.InWord) loops = false;
      if (tokenType !== T.Comma || loops) continue;
      parts.push([start, at]);
      start = at + 1;
    }
    if (start < to) parts.push([start, to]);
    return parts.filter(([first, end]) => first < end);
  }

  /** Whether a function is written in place, `(a, b) => …`, somewhere between the tokens at `from` and `to`. */
  protected hasArrow(from: number, to: number): boolean {
    return this.tokens
      .slice(from, to)
      .some(({ image }, at) => image === "=>" || (image === "=" && this.tokens[from + at + 1]?.image === ">"));
  }

  protected find(from: number, to: number, type: unknown): number {
    for (let at = from; at < to; at = groupEnd(this.tokens, at) + 1) if (this.tokens[at]?.tokenType === type) return at;
    return -1;
  }
}

export function isString({ tokenType }: Lexeme): boolean {
  return tokenType === T.Text || tokenType === T.TemplateStart;
}

export function isTemplateEnd({ tokenType }: Lexeme): boolean {
  return tokenType === T.TemplateSpec || tokenType === T.TemplateClose;
}
