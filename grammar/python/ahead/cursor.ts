/**
 * The place at the end of an unfinished text: the lines above it, which are whole, and the tokens of the line that it stands in. Told by the
 * lexer alone, so it is there whatever is wrong above.
 */
import { tokenize } from "../lexing/lexer.ts";
import * as T from "../lexing/tokens.ts";
import { setOf, type Token } from "../lexing/tokens.ts";

/** A text that is open at the end, or a comment. */
type Open = { readonly kind: "text" | "comment"; readonly start: number };

export type Cursor = {
  /** All tokens before the unfinished line, without those that end the file. */
  readonly above: readonly Token[];
  /** The tokens of the unfinished line: those before `open`. */
  readonly tokens: readonly Token[];
  /** Where the unfinished line begins. */
  readonly from: number;
  readonly open: Open | null;
  /** The lexer refuses a character above or before the end: nothing makes it right. */
  readonly isBroken: boolean;
};

const LAYOUT = setOf([T.Indent, T.Dedent]);
/** Marks of one character that only become tokens with the next one, and words that numbers begin with. */
const HALF_MARK = "!";

export function cursorOf(text: string): Cursor {
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const { tokens: all, comments, refusal } = tokenize(text, from);
  const tokens = all.slice(0, -1);
  // The lexer ends the last line and its blocks, which are still open.
  while (tokens.length > 0 && isLayout(tokens.at(-1)) && tokens.at(-1)?.start === text.length) tokens.pop();
  const last = tokens.at(-1);
  if (last !== undefined && last.tokenTypeIdx === T.Newline.tokenTypeIdx && last.end === last.start) tokens.pop();
  let first = tokens.length;
  while (first > 0 && tokens[first - 1]?.tokenTypeIdx !== T.Newline.tokenTypeIdx) first--;
  const above = tokens.slice(0, first);
  let line = tokens.slice(first);
  while (isLayout(line[0])) above.push(line.shift() as Token);
  const comment = comments.at(-1);
  const fault = refusal?.fault;
  let open: Open | null =
    comment?.end === text.length && text.length > 0 ? { kind: "comment", start: comment.start } : null;
  let isBroken = false;
  if (fault?.fault === "text_unterminated") {
    const isTriple = fault.words["quote"]?.length === 3;
    isBroken = !isTriple && fault.end < text.length;
    open = isBroken ? null : { kind: "text", start: fault.start };
    line = line.filter(({ end }) => end <= fault.start);
  } else if (fault?.fault.startsWith("number_") === true && /^[\w.]+$/.test(text.slice(fault.start))) {
    line.push(new T.Token(T.NumberLiteral, text.slice(fault.start), fault.start, text.length, 0));
  } else if (fault !== undefined && fault.fault !== "bracket_unclosed" && fault.fault !== "line_joined_to_nothing")
    isBroken = !(text.endsWith(HALF_MARK) && fault.start === text.length - 1);
  const begin = line[0]?.start ?? open?.start ?? text.length;
  return { above, tokens: line, from: text.lastIndexOf("\n", begin - 1) + 1, open, isBroken };
}

function isLayout(token: Token | undefined): boolean {
  return token !== undefined && LAYOUT[token.tokenTypeIdx] === 1;
}

// ---- blocks ----

/** Which words may continue a statement, by its first word. */
export const CONTINUES: Readonly<Record<string, readonly string[]>> = {
  if: ["elif", "else"],
  elif: ["elif", "else"],
  for: ["else"],
  while: ["else"],
  try: ["except", "finally"],
  except: ["except", "else", "finally"],
};

/** A logical line above the place that a block hangs on, or a sibling before it. */
export type Head = {
  /** Blanks before the line. */
  readonly indent: string;
  /** The first token; of a line with a block and a decorator, what it begins with all the same. */
  readonly first: Token;
  /** It ends with a colon: the lines below it stand in its block. */
  readonly opens: boolean;
};

/** The lines that the place stands below: of each level the last one, from the outermost. */
export function headsAbove(text: string, above: readonly Token[]): readonly Head[] {
  const heads: Head[] = [];
  let level = 0;
  let first: Token | null = null;
  let last: Token | null = null;
  for (const token of above) {
    if (token.tokenTypeIdx === T.Indent.tokenTypeIdx) level++;
    else if (token.tokenTypeIdx === T.Dedent.tokenTypeIdx) level--;
    else if (token.tokenTypeIdx === T.Newline.tokenTypeIdx) {
      if (first !== null) {
        heads.length = Math.min(heads.length, level);
        let start = first.start;
        while (start > 0 && " \t\f".includes(text.charAt(start - 1))) start--;
        heads[level] = {
          indent: text.slice(start, first.start),
          first,
          opens: last?.tokenTypeIdx === T.Colon.tokenTypeIdx,
        };
      }
      first = null;
    } else {
      first ??= token;
      last = token;
    }
  }
  return heads;
}
