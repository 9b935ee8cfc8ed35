/**
 * The token types of the Python form, as chevrotain knows them, and the tokens themselves. An operator that only ever joins two operands is
 * an `Infix`, whatever it is; those that have other uses too (a sign, a parameter mark, a pattern mark) have types of their own.
 */
import { createToken, type IToken, type TokenType } from "chevrotain";

/** `image`: a name in its normal form, the value of a text, the digits of a number, or the mark itself. */
export class Token {
  readonly image: string;
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
  readonly line: number;
  /** Changes once at most: `match` and `case` are names until their line says otherwise. */
  tokenTypeIdx: number;

  constructor(type: TokenType, image: string, start: number, end: number, line: number) {
    this.tokenTypeIdx = type.tokenTypeIdx ?? 0;
    this.image = image;
    this.start = start;
    this.end = end;
    this.line = line;
  }
}

/** What the parser says of its next token is what the lexer made. */
export const asToken = (token: IToken): Token => token as unknown as Token;

const made: TokenType[] = [];

function kind(name: string): TokenType {
  const type = createToken({ name });
  made.push(type);
  return type;
}

export const Name = kind("Name");
export const NumberLiteral = kind("NumberLiteral");
/** A text without prefix `b` or `f`; its image is its value. */
export const Text = kind("Text");
export const Bytes = kind("Bytes");
export const FStart = kind("FStart");
export const FText = kind("FText");
export const FOpen = kind("FOpen");
/** The `=` of `{value=}`; its image is the text of the expression. */
export const FEqual = kind("FEqual");
/** `!r`; its image is the letter. */
export const FConversion = kind("FConversion");
export const FColon = kind("FColon");
export const FClose = kind("FClose");
export const FEnd = kind("FEnd");

export const Newline = kind("Newline");
export const Indent = kind("Indent");
export const Dedent = kind("Dedent");
export const End = kind("End");
/** The lexer found a fault here and stopped. */
export const Broken = kind("Broken");

export const False = kind("False");
export const None = kind("None");
export const True = kind("True");
export const And = kind("And");
export const As = kind("As");
export const Assert = kind("Assert");
export const Async = kind("Async");
export const Await = kind("Await");
export const Break = kind("Break");
export const Class = kind("Class");
export const Continue = kind("Continue");
export const Def = kind("Def");
export const Del = kind("Del");
export const Elif = kind("Elif");
export const Else = kind("Else");
export const Except = kind("Except");
export const Finally = kind("Finally");
export const For = kind("For");
export const From = kind("From");
export const Global = kind("Global");
export const If = kind("If");
export const Import = kind("Import");
export const In = kind("In");
export const Is = kind("Is");
export const Lambda = kind("Lambda");
export const Nonlocal = kind("Nonlocal");
export const Not = kind("Not");
export const Or = kind("Or");
export const Pass = kind("Pass");
export const Raise = kind("Raise");
export const Return = kind("Return");
export const Try = kind("Try");
export const While = kind("While");
export const With = kind("With");
export const Yield = kind("Yield");

/** Names elsewhere: `match` at the beginning of a line that ends with a colon, `case` at the beginning of a line of its block. */
export const Match = kind("Match");
export const Case = kind("Case");

export const LParen = kind("LParen");
export const RParen = kind("RParen");
export const LBracket = kind("LBracket");
export const RBracket = kind("RBracket");
export const LBrace = kind("LBrace");
export const RBrace = kind("RBrace");
export const Colon = kind("Colon");
export const Comma = kind("Comma");
export const Dot = kind("Dot");
export const Ellipsis = kind("Ellipsis");
export const Semicolon = kind("Semicolon");
export const Equal = kind("Equal");
export const Walrus = kind("Walrus");
export const Arrow = kind("Arrow");
export const At = kind("At");
export const Star = kind("Star");
export const DoubleStar = kind("DoubleStar");
export const Slash = kind("Slash");
export const Minus = kind("Minus");
export const Plus = kind("Plus");
export const Tilde = kind("Tilde");
export const Pipe = kind("Pipe");
/** `// % << >> & ^ == != < <= > >=`. */
export const Infix = kind("Infix");
/** `+= -= …`. */
export const Augmented = kind("Augmented");

export const TOKENS: readonly TokenType[] = made;

export const KEYWORDS: ReadonlyMap<string, TokenType> = new Map([
  ["False", False],
  ["None", None],
  ["True", True],
  ["and", And],
  ["as", As],
  ["assert", Assert],
  ["async", Async],
  ["await", Await],
  ["break", Break],
  ["class", Class],
  ["continue", Continue],
  ["def", Def],
  ["del", Del],
  ["elif", Elif],
  ["else", Else],
  ["except", Except],
  ["finally", Finally],
  ["for", For],
  ["from", From],
  ["global", Global],
  ["if", If],
  ["import", Import],
  ["in", In],
  ["is", Is],
  ["lambda", Lambda],
  ["nonlocal", Nonlocal],
  ["not", Not],
  ["or", Or],
  ["pass", Pass],
  ["raise", Raise],
  ["return", Return],
  ["try", Try],
  ["while", While],
  ["with", With],
  ["yield", Yield],
]);

export const MARKS: ReadonlyMap<string, TokenType> = new Map([
  ["(", LParen],
  [")", RParen],
  ["[", LBracket],
  ["]", RBracket],
  ["{", LBrace],
  ["}", RBrace],
  [":", Colon],
  [",", Comma],
  [".", Dot],
  ["...", Ellipsis],
  [";", Semicolon],
  ["=", Equal],
  [":=", Walrus],
  ["->", Arrow],
  ["@", At],
  ["*", Star],
  ["**", DoubleStar],
  ["/", Slash],
  ["-", Minus],
  ["+", Plus],
  ["~", Tilde],
  ["|", Pipe],
  ...["//", "%", "<<", ">>", "&", "^", "==", "!=", "<", "<=", ">", ">="].map((mark): [string, TokenType] => [
    mark,
    Infix,
  ]),
  ...["+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="].map(
    (mark): [string, TokenType] => [mark, Augmented],
  ),
]);

/** By the number of a token's type: whether it is one of these. */
export function setOf(types: readonly TokenType[]): Uint8Array {
  const members = new Uint8Array(1 + Math.max(...made.map(({ tokenTypeIdx }) => tokenTypeIdx ?? 0)));
  for (const { tokenTypeIdx } of types) members[tokenTypeIdx ?? 0] = 1;
  return members;
}
