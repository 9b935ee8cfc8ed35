/** What may follow the tokens of an unfinished line, by the productions of the parser. */
import type { TokenType } from "chevrotain";
import { choice, EMPTY, type Expression, notation, rule } from "../../generate/expression.ts";
import { Following } from "../../generate/following.ts";
import { pythonBodies } from "../../generate/forms/python-bodies.ts";
import * as T from "../lexing/tokens.ts";
import { KEYWORDS, setOf, TOKENS, type Token } from "../lexing/tokens.ts";
import type { Cursor } from "./cursor.ts";

/** Longer lines are not followed to their end. */
const MAX_TOKENS = 600;
/** Nor are brackets in brackets beyond this: each may still become several things. */
const MAX_DEPTH = 30;
const OPENS = setOf([T.LParen, T.LBracket, T.LBrace]);
const CLOSES = setOf([T.RParen, T.RBracket, T.RBrace]);

const NAMES: string[] = [];
for (const { name, tokenTypeIdx } of TOKENS) NAMES[tokenTypeIdx ?? 0] = name;

const is = (token: Token | undefined, { tokenTypeIdx }: TokenType): boolean => token?.tokenTypeIdx === tokenTypeIdx;

let following: Following<Token> | null = null;

function lines(): Following<Token> {
  following ??= new Following(
    pythonBodies(false),
    (leaf, { tokenTypeIdx }) => (leaf.is === "token" && leaf.type === NAMES[tokenTypeIdx] ? EMPTY : null),
    ({ tokenTypeIdx }) => NAMES[tokenTypeIdx] ?? "",
  );
  return following;
}

/** Lines that continue the statement above, by their first token. */
const CONTINUED: Readonly<Record<string, Expression>> = {
  Elif: notation("Elif named block"),
  Else: rule("otherwise"),
  Except: choice(rule("handler"), rule("last-handler")),
  Finally: notation("Finally block"),
  Case: rule("case"),
};

/**
 * The token types that may come next; empty: nothing continues the tokens. null: the line is too long to tell. `isApart`: what comes next does
 * not touch the last token, so `match` alone may begin a statement.
 */
export function typesAfter(tokens: readonly Token[], isApart = false): ReadonlySet<string> | null {
  if (tokens.length > MAX_TOKENS || depthOf(tokens) > MAX_DEPTH) return null;
  const [first] = tokens;
  const found = new Set<string>();
  const add = (start: Expression, items: readonly Token[]): void => {
    for (const way of lines().after(start, items)) if (way?.first.is === "token") found.add(way.first.type);
  };
  add(
    first === undefined ? rule("statement") : (CONTINUED[NAMES[first.tokenTypeIdx] ?? ""] ?? rule("statement")),
    tokens,
  );
  const soft = first?.image === "match" ? T.Match : first?.image === "case" ? T.Case : null;
  if (
    first !== undefined &&
    soft !== null &&
    (isApart || tokens.length > 1) &&
    first.tokenTypeIdx === T.Name.tokenTypeIdx
  ) {
    const head = new T.Token(soft, first.image, first.start, first.end, first.line);
    add(soft === T.Case ? rule("case") : rule("statement"), [head, ...tokens.slice(1)]);
  }
  return found;
}

function depthOf(tokens: readonly Token[]): number {
  let depth = 0;
  let deepest = 0;
  for (const { tokenTypeIdx } of tokens) {
    depth += (OPENS[tokenTypeIdx] ?? 0) - (CLOSES[tokenTypeIdx] ?? 0);
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** The same within the field of an f-string. */
export function typesInField(tokens: readonly Token[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const way of lines().after(FIELD, tokens)) if (way?.first.is === "token") found.add(way.first.type);
  return found;
}
const FIELD = notation("group-content FEqual? FConversion? (FColon format-parts)? FClose");

/** How words and marks of a type are written. Names, numbers and texts have none. */
export const SPELLINGS: ReadonlyMap<string, readonly string[]> = spellings();

function spellings(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [text, { name }] of [...T.KEYWORDS, ...T.MARKS]) found.set(name, [...(found.get(name) ?? []), text]);
  return found.set("Match", ["match"]).set("Case", ["case"]);
}

/** What a text may be, by the letters before its quote. */
export function typeOfText(written: string): string {
  const prefix = /^[A-Za-z]*/.exec(written)?.[0].toLowerCase() ?? "";
  return prefix.includes("f") ? "FStart" : prefix.includes("b") ? "Bytes" : "Text";
}

/** Whether the unfinished line can be continued. `word`: what touches the end may be the beginning of a longer token. */
export function canContinue(text: string, { tokens, open }: Cursor): boolean {
  if (text.endsWith("..") && is(tokens.at(-1), T.Dot) && is(tokens.at(-2), T.Dot))
    return typesAfter(tokens.slice(0, -2))?.has("Ellipsis") !== false;
  if (open?.kind === "comment") return typesAfter(tokens)?.size !== 0;
  const types = typesAfter(tokens, open !== null && (tokens.at(-1)?.end ?? 0) < open.start);
  if (open !== null) return types === null || types.has(typeOfText(text.slice(open.start)));
  if (types === null) return true;
  if (text.endsWith("!")) return types.has("Infix");
  if (types.size > 0) return true;
  const last = tokens.at(-1);
  if (last === undefined || last.end !== text.length) return false;
  const before = typesAfter(tokens.slice(0, -1));
  // A keyword may be the beginning of a name.
  const isWord = KEYWORDS.has(last.image) && before?.has("Name") === true;
  return isWord || before === null || [...before].some((type) => begins(type, text.slice(last.start)));
}

/** Whether a token of the type may begin like this. */
function begins(type: string, partial: string): boolean {
  if (type === "NumberLiteral") return partial === ".";
  if (type === "Text" || type === "Bytes" || type === "FStart") return /^(?:[rubf]|br|rb|fr|rf)$/i.test(partial);
  return SPELLINGS.get(type)?.some((text) => text.startsWith(partial)) ?? false;
}
