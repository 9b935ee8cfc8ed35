/**
 * The tokens of the indented form, as chevrotain knows them. They are made by a token source of our own (`lexing/`), because what a character
 * means depends on its place: in a map key, after a function's name, in a file where `n-1` names a variable. No token has a pattern.
 */
import { createToken, EOF, type IToken, Lexer, type TokenType } from "chevrotain";
import type { Span } from "../text/span.ts";

/** A token with its place. */
export type Lexeme = IToken & {
  readonly span: Span;
  /** A string's text; else the image. */
  readonly value: string;
  /** Nothing stands between the token before it and this one. */
  readonly glued: boolean;
  /** What the token source read with the token. */
  readonly payload: unknown;
};

/** What the token source read of a whole line goes with the line's token. */
export type LineLexeme<P> = Lexeme & { readonly payload: P };

const all: TokenType[] = [];

function token(name: string, ...categories: TokenType[]): TokenType {
  const made = createToken({ name, pattern: Lexer.NA, categories });
  all.push(made);
  return made;
}

/** Words of expressions and words that begin a line, each with its token. The lexer, the generated grammars and completion read them. */
export const OPERATOR_WORDS = new Map<string, TokenType>();
export const LINE_WORDS = new Map<string, TokenType>();
/** Of these, the ones that open a block. */
export const BLOCK_WORDS = new Map<string, TokenType>();

function operatorWord(name: string, word: string): TokenType {
  const made = token(name, NameLike);
  OPERATOR_WORDS.set(word, made);
  return made;
}

function lineWord(name: string, ...words: string[]): TokenType {
  const made = token(name);
  for (const word of words) LINE_WORDS.set(word, made);
  return made;
}

function blockWord(name: string, word: string): TokenType {
  const made = lineWord(name, word);
  BLOCK_WORDS.set(word, made);
  return made;
}

export const OPERATORS: readonly string[] = ["+", "-", "*", "/", "//", "%", "**"];

/** What stands between the first word of a line and its end is a piece, an opening bracket or a closing one. */
export const Piece = token("Piece");
export const Opener = token("Opener");
export const Closer = token("Closer");
/** A word that may be a name. */
export const NameLike = token("NameLike", Piece);

// ---- layout ----
export const Newline = token("Newline");
export const Indent = token("Indent");
export const Dedent = token("Dedent");
/** The colon at the end of a line that opens a block. */
export const BlockColon = token("BlockColon");

// ---- operands ----
export const NameWord = token("NameWord", NameLike);
export const AndWord = operatorWord("AndWord", "and");
export const OrWord = operatorWord("OrWord", "or");
export const NotWord = operatorWord("NotWord", "not");
export const InWord = operatorWord("InWord", "in");
export const IsWord = operatorWord("IsWord", "is");
export const IfWord = operatorWord("IfWord", "if");
export const ElseWord = operatorWord("ElseWord", "else");
export const ForWord = operatorWord("ForWord", "for");
export const LimitWord = token("LimitWord", NameLike);
export const Path = token("Path", Piece);
export const Variable = token("Variable", Piece);
export const Constant = token("Constant", Piece);
export const NumberWord = token("NumberWord", Piece);
/** `-5` with a space before it: after an operand it subtracts. */
export const NegativeNumber = token("NegativeNumber", Piece);
export const Text = token("Text", Piece);
/** Bare text, such as `/orders`. */
export const Word = token("Word", Piece);
export const TemplateStart = token("TemplateStart", Piece);
export const TemplateText = token("TemplateText", Piece);
export const TemplateOpen = token("TemplateOpen", Piece);
export const TemplateSpec = token("TemplateSpec", Piece);
export const TemplateClose = token("TemplateClose", Piece);
export const TemplateEnd = token("TemplateEnd", Piece);

// ---- brackets ----
export const OpenParen = token("OpenParen", Opener);
/** Touches the name before it: `f(`. */
export const OpenCall = token("OpenCall", Opener);
export const CloseParen = token("CloseParen", Closer);
export const OpenList = token("OpenList", Opener);
/** Touches the operand before it: `rows[`. */
export const OpenIndex = token("OpenIndex", Opener);
export const CloseList = token("CloseList", Closer);
export const OpenMap = token("OpenMap", Opener);
export const CloseMap = token("CloseMap", Closer);
export const Key = token("Key", Piece);
/** `.name` that touches a closing bracket or a string. */
export const Member = token("Member", Piece);

// ---- marks ----
export const Comma = token("Comma", Piece);
/** In a map or an index. */
export const Colon = token("Colon", Piece);
export const Compare = token("Compare", Piece);
export const Bang = token("Bang", Piece);
export const Question = token("Question", Piece);
/** `+` with spaces around it, or after a closing bracket. */
export const Operator = token("Operator", Piece);
/** The operator of `n-1`. */
export const JoinedOperator = token("JoinedOperator", Piece);
export const Arrow = token("Arrow", Piece);
/** `name=` inside the brackets of a call. */
export const ArgumentName = token("ArgumentName", Piece);

// ---- the first word of a line ----
export const HeaderLine = token("HeaderLine");
export const IncludeLine = token("IncludeLine");
export const DeclarationLine = token("DeclarationLine");
/** At the margin: no line of this form. */
export const LostLine = token("LostLine");
/** A statement that was read as a whole: a step, a call of an adapter or a graph, inputs. */
export const ReadLine = token("ReadLine");
/** A line that is not a statement, or a word that has no effect. */
export const IdleLine = token("IdleLine");
export const If = blockWord("If", "if");
export const Elif = blockWord("Elif", "elif");
export const Else = blockWord("Else", "else");
export const For = blockWord("For", "for");
export const While = blockWord("While", "while");
export const Out = lineWord("Out", "out", "return");
export const Err = lineWord("Err", "err", "raise");
/** The name before `=`, and all that stands before the value. */
export const Target = token("Target");
/** The beginning of `rows[0] = v` and `n += 1`: what is set is an expression. */
export const Put = token("Put");
/** `=`, `+=` after what is set. */
export const Assign = token("Assign");
/** The beginning of `helper(a, b)` on a line of its own. */
export const Bare = token("Bare");
/** The beginning of `x = call graph for item in list`. */
export const Each = token("Each");
/** `in: a b` */
export const InputLine = token("InputLine");
/** An input in the brackets of a header. */
export const Parameter = token("Parameter");
export const Try = blockWord("Try", "try");
export const Except = blockWord("Except", "except");
export const Break = lineWord("Break", "break");
export const Continue = lineWord("Continue", "continue");
export const Pass = lineWord("Pass", "pass");

export const TOKENS: readonly TokenType[] = all;

/** What an operand begins with, words that may be names left out. */
export const BEGINS_OPERAND: ReadonlySet<TokenType> = new Set([
  ...[Path, Variable, Constant, NumberWord, NegativeNumber, Text, Word, TemplateStart],
  ...[OpenParen, OpenList, OpenMap],
]);

/** What an operand ends with, bare text left out. */
export const ENDS_OPERAND: ReadonlySet<TokenType> = new Set([
  ...[NameWord, Path, Variable, Constant, NumberWord, NegativeNumber, Text, TemplateEnd],
  ...[CloseParen, CloseList, CloseMap, Member, Question],
]);

/** A token at `span`. */
export function lexeme(
  type: TokenType,
  span: Span,
  image: string,
  value: string,
  glued: boolean,
  payload: unknown = null,
): Lexeme {
  return {
    image,
    startOffset: span.start,
    tokenType: type,
    tokenTypeIdx: type.tokenTypeIdx as number,
    span,
    value,
    glued,
    payload,
  };
}

export function isEnd({ tokenType }: IToken): boolean {
  return tokenType === EOF || tokenType === Newline || tokenType === BlockColon;
}

/** 1 for a token that opens brackets or a template, -1 for one that closes them. */
export function depthOf({ tokenType }: Lexeme): -1 | 0 | 1 {
  if (tokenType === TemplateStart || tokenType.CATEGORIES?.includes(Opener) === true) return 1;
  return tokenType === TemplateEnd || tokenType.CATEGORIES?.includes(Closer) === true ? -1 : 0;
}

/** The index of the token that closes what the one at `at` opens. */
export function groupEnd(tokens: readonly Lexeme[], at: number): number {
  let depth = 0;
  for (let index = at; index < tokens.length; index++) {
    depth += depthOf(tokens[index] as Lexeme);
    if (depth <= 0) return index;
  }
  return tokens.length - 1;
}
