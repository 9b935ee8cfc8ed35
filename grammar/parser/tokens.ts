/**
 * The token types of both notations, as chevrotain knows them. A category stands for all its members: a rule that reads an `Atom`
 * reads a name, a string, a number or any other operand of one token. Tokens are made by lexers of our own, because what a word is
 * depends on its place; here stands only what kinds there are. Every op of the table has a type of its own.
 */
import { createToken, type TokenType } from "chevrotain";
import { startsOperand, type Token, type WordType } from "../operands/tokens.ts";
import { findOp, OPS, type Op } from "../ops.ts";
import { NODE_PATTERN } from "../steps/draft.ts";

/** All types, in order; a lexer's word has the type of the same name. */
const made: TokenType[] = [];

function kind(name: string, ...categories: TokenType[]): TokenType {
  const type = createToken({ name, categories });
  made.push(type);
  return type;
}

/** A word or string: an operand of one token. */
export const Atom = kind("Atom");
/** A token that is neither an operand nor an arrow; only its rule knows what to do with it. */
export const Mark = kind("Mark");

export const Arrow = kind("Arrow");
export const OpenParen = kind("OpenParen");
export const CloseParen = kind("CloseParen");
export const OpenList = kind("OpenList");
export const CloseList = kind("CloseList");
export const OpenMap = kind("OpenMap");
export const CloseMap = kind("CloseMap");
export const Comma = kind("Comma", Mark);
export const Colon = kind("Colon", Mark);
/** A key of a map, bare or quoted. */
export const Key = kind("Key", Mark);
export const Compare = kind("Compare", Mark);
/** `!` before a condition. */
export const Bang = kind("Bang");
/** `?` after the subject of a condition. */
export const Question = kind("Question", Mark);
for (const name of ["Text", "NumberWord", "Constant", "Variable", "Path"]) kind(name, Atom);
const Name = kind("NameWord", Atom);
/** The word of a step's op. */
export const OpWord = kind("OpWord");
kind("Word", Atom);
/** The end of a statement. */
export const Newline = kind("Newline");
/** The word `not`, which is also a name. */
export const Not = kind("Not", Name);
/** `@n1` directly after an op that takes it. */
export const Node = kind("Node", Atom);
/** `=` compares texts. */
export const Equals = kind("Equals", Compare);
export const Label = kind("Label");
/** The words of declarations, and of includes. */
export const Declaration = kind("Declaration");
export const Include = kind("Include");
/** The first word of a line that starts no statement. */
export const Unknown = kind("Unknown");
/** A word or string of a declaration, an include or an unknown line. */
export const SlotWord = kind("SlotWord");

/** The types of the words of step ops: an op and its aliases share one. */
const STEP_TOKENS: ReadonlyMap<string, TokenType> = new Map(
  OPS.filter((op) => op.kind === "step").flatMap((op) => {
    const type = kind(op.name, OpWord);
    return [op.name, ...op.aliases].map((word): [string, TokenType] => [word, type]);
  }),
);

export function opToken(op: Op): TokenType {
  return STEP_TOKENS.get(op.name) ?? (op.kind === "include" ? Include : Declaration);
}

const TYPES: ReadonlyMap<string, TokenType> = new Map(made.map((type) => [type.name, type]));

/** What the grammar reads a word of this kind as, after the token before it; `joined`: a string is part of it. */
export function tokenTypeOf(type: WordType, image: string, before: Token | undefined, joined: boolean): TokenType {
  if (before?.type === "OpWord" && !joined && isNode(before, type, image)) return Node;
  if (type === "NameWord") return image === "not" ? Not : Name;
  if (type === "Compare") return image === "=" ? Equals : Compare;
  return (type === "OpWord" ? STEP_TOKENS.get(image) : TYPES.get(type)) ?? OpWord;
}

/** `n1` or `@n1` after `Err` or `Retry`. */
function isNode(op: Token, type: WordType, image: string): boolean {
  const isWord = type === "NameWord" || type === "Word";
  return isWord && NODE_PATTERN.test(image) && findOp(op.image)?.slots[0]?.class === "node";
}

export const TOKEN_TYPES: readonly TokenType[] = made;

/** Whether an operand begins with this token; the word of a step's op counts only where `ops` says so. */
export function beginsOperand({ type }: Token, ops = false): boolean {
  return startsOperand(type) && (ops || type !== "OpWord");
}
