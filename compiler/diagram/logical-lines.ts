/** The logical lines of a source in Python: a statement over several lines is one of them. Told by the lexer, so an older spelling has its lines as well. */
import { tokenize } from "../../grammar/python/lexing/lexer.ts";
import * as T from "../../grammar/python/lexing/tokens.ts";
import { setOf } from "../../grammar/python/lexing/tokens.ts";

export type LogicalLine = {
  /** Of its first line, from 1. */
  readonly line: number;
  /** Without comments, with one blank for each break. */
  readonly text: string;
  /** Columns before it. */
  readonly indent: number;
};

const LAYOUT = setOf([T.Newline, T.Indent, T.Dedent, T.End, T.Broken]);

/** By the number of each line that belongs to one. */
export function logicalLines(source: string): ReadonlyMap<number, LogicalLine> {
  const { tokens, comments } = tokenize(source, source.charCodeAt(0) === 0xfeff ? 1 : 0);
  const lines = new Map<number, LogicalLine>();
  let first: T.Token | null = null;
  let end = 0;
  let last = 0;
  let seen = 0;
  for (const token of tokens) {
    if (LAYOUT[token.tokenTypeIdx] !== 1) {
      first ??= token;
      end = token.end;
      last = token.line;
    } else if (first !== null && token.tokenTypeIdx !== T.Indent.tokenTypeIdx) {
      const parts: string[] = [];
      let from = first.start;
      for (; seen < comments.length && (comments[seen]?.start ?? 0) < end; seen++) {
        const comment = comments[seen];
        if (comment === undefined || comment.start < from) continue;
        parts.push(source.slice(from, comment.start));
        from = comment.end;
      }
      parts.push(source.slice(from, end));
      const indent = first.start - (source.lastIndexOf("\n", first.start) + 1);
      const line = { line: first.line, indent, text: parts.join(" ").replaceAll(/\s*\\?\r?\n\s*|\s{2,}/g, " ") };
      for (let at = first.line; at <= last; at++) lines.set(at, line);
      first = null;
    }
  }
  return lines;
}

/** The lines below a condition. */
type Block = {
  isInside(line: number): boolean;
  /** The line that follows where the condition is false; null: none does. */
  readonly next: number | null;
};

const CONDITION = /^(?:if|elif|while|case)\b/;
const ELSE = /^else\b/;

/** The blocks of conditions, by the line that begins them. */
export class Blocks {
  readonly #lines: readonly LogicalLine[];
  readonly #places: ReadonlyMap<number, number>;
  readonly #known = new Map<number, Block | null>();

  /** In the order of the source. */
  constructor(lines: readonly LogicalLine[]) {
    this.#lines = lines;
    this.#places = new Map(lines.map(({ line }, at) => [line, at]));
  }

  /** null: the line is not a condition, or has what depends on it next to it. */
  blockOf(line: number): Block | null {
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const block = this.#find(line);
    this.#known.set(line, block);
    return block;
  }

  #find(line: number): Block | null {
    const at = this.#places.get(line);
    const head = at === undefined ? undefined : this.#lines[at];
    if (at === undefined || head === undefined || !CONDITION.test(head.text)) return null;
    let end = at + 1;
    while ((this.#lines[end]?.indent ?? -1) > head.indent) end++;
    if (end === at + 1) return null;
    const last = this.#lines[end - 1]?.line ?? line;
    const after = this.#lines[end];
    const next = after !== undefined && ELSE.test(after.text) ? this.#lines[end + 1] : after;
    return { isInside: (one) => one > line && one <= last, next: next?.line ?? null };
  }
}
