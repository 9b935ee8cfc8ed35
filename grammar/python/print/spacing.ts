/** Where a blank stands between two tokens of a line. Told by the tokens before and by the brackets around them. */
import type { TokenType } from "chevrotain";
import * as T from "../lexing/tokens.ts";
import { setOf, type Token } from "../lexing/tokens.ts";

const OPENS = setOf([T.LParen, T.LBracket, T.LBrace]);
const CLOSES = setOf([T.RParen, T.RBracket, T.RBrace]);
/** After these an operator joins two operands, and a bracket calls or indexes. */
const VALUES = setOf([
  ...[T.Name, T.NumberLiteral, T.Text, T.Bytes, T.FEnd, T.True, T.False, T.None, T.Ellipsis],
  ...[T.RParen, T.RBracket, T.RBrace],
]);
const SIGNS = setOf([T.Minus, T.Plus, T.Tilde, T.Star, T.DoubleStar, T.At]);

type Bracket = {
  /** The bracket of `x[…]`. */
  readonly isSubscript: boolean;
  /** Lambdas whose colon is still to come. */
  lambdas: number;
  /** The parameter that is read has an annotation. */
  isAnnotated: boolean;
};

const is = (token: Token, type: TokenType): boolean => token.tokenTypeIdx === type.tokenTypeIdx;

/** One for each logical line; it is asked for each token in turn. */
export class Spacing {
  private readonly brackets: Bracket[] = [{ isSubscript: false, lambdas: 0, isAnnotated: false }];
  private last: Token | null = null;
  /** The last token is a sign before its operand, the mark of a decorator, or a colon or `=` that touches what follows. */
  private touchesNext = false;
  /** Between `from` and `import`. */
  private isInModule = false;

  /** Whether a blank stands before this token. */
  before(token: Token): boolean {
    const { last } = this;
    const hasBlank = last !== null && !this.touchesNext && !this.touches(token, last);
    this.take(token, last);
    return hasBlank;
  }

  get depth(): number {
    return this.brackets.length - 1;
  }

  private get bracket(): Bracket {
    return this.brackets[this.brackets.length - 1] as Bracket;
  }

  private touches(token: Token, last: Token): boolean {
    if (OPENS[last.tokenTypeIdx] === 1 || CLOSES[token.tokenTypeIdx] === 1) return true;
    if (is(token, T.Comma) || is(token, T.Semicolon) || is(token, T.Colon)) return true;
    if (this.isInModule) return isDots(last) && !is(token, T.Import);
    if (is(token, T.Dot)) return !is(last, T.NumberLiteral);
    if (is(last, T.Dot)) return true;
    if (is(token, T.LParen) || is(token, T.LBracket)) return VALUES[last.tokenTypeIdx] === 1;
    return is(token, T.Equal) && this.isNameMark();
  }

  /** The `=` of an argument or of a default without annotation. */
  private isNameMark(): boolean {
    const { depth, bracket } = this;
    return bracket.lambdas > 0 || (depth > 0 && !bracket.isAnnotated);
  }

  private take(token: Token, last: Token | null): void {
    const { bracket } = this;
    const followsValue = last !== null && VALUES[last.tokenTypeIdx] === 1;
    this.touchesNext = SIGNS[token.tokenTypeIdx] === 1 && !followsValue;
    if (last === null && is(token, T.From)) this.isInModule = true;
    if (is(token, T.Import)) this.isInModule = false;
    if (OPENS[token.tokenTypeIdx] === 1)
      this.brackets.push({ isSubscript: is(token, T.LBracket) && followsValue, lambdas: 0, isAnnotated: false });
    else if (CLOSES[token.tokenTypeIdx] === 1) this.brackets.pop();
    else if (is(token, T.Lambda)) bracket.lambdas++;
    else if (is(token, T.Comma)) bracket.isAnnotated = bracket.isAnnotated && bracket.lambdas > 0;
    else if (is(token, T.Equal)) this.touchesNext = this.isNameMark();
    else if (is(token, T.Colon)) this.takeColon(bracket);
    this.last = token;
  }

  private takeColon(bracket: Bracket): void {
    if (bracket.lambdas > 0) bracket.lambdas--;
    else if (bracket.isSubscript) this.touchesNext = true;
    else bracket.isAnnotated = true;
  }
}

function isDots(token: Token): boolean {
  return is(token, T.Dot) || is(token, T.Ellipsis);
}
