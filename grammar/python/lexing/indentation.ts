/**
 * Where blocks begin and end. As in CPython, a tab reaches to the next multiple of eight columns, and a line whose depth depends on how wide
 * a tab is is refused.
 */
import * as C from "./characters.ts";
import type { Reader } from "./reader.ts";
import * as T from "./tokens.ts";

type Level = { readonly column: number; readonly narrow: number; readonly ofCases: boolean };
type Column = Pick<Level, "column" | "narrow">;

const TAB_WIDTH = 8;
const MAX_BLOCKS = 64;

export class Indentation {
  /** The line read last is the head of a `match`. */
  holdsCases = false;
  private readonly lexer: Reader;
  private readonly levels: Level[] = [{ column: 0, narrow: 0, ofCases: false }];

  constructor(lexer: Reader) {
    this.lexer = lexer;
  }

  get isAmongCases(): boolean {
    return this.levels.at(-1)?.ofCases === true;
  }

  /** Reads the blanks at the beginning of a logical line; false where the line is empty or a comment alone, which ends with it. */
  begin(): boolean {
    const { lexer } = this;
    const { text } = lexer;
    const column = this.blanks();
    const code = text.charCodeAt(lexer.at);
    if (code === C.HASH) lexer.readComment(true);
    const isEmpty = code === C.HASH || lexer.at >= text.length || C.isLineEnd(code);
    if (!isEmpty) this.place(column);
    else if (lexer.at < text.length) {
      lexer.at = C.afterLineEnd(text, lexer.at);
      lexer.line++;
    }
    return !isEmpty;
  }

  end(): void {
    const { at } = this.lexer;
    while (this.levels.length > 1) {
      this.levels.pop();
      this.lexer.add(T.Dedent, "", at, at);
    }
  }

  private blanks(): Column {
    const { lexer } = this;
    const { text } = lexer;
    let column = 0;
    let narrow = 0;
    /** The depth of a line that is joined to the next inside its blanks. */
    let joined = 0;
    for (; ; lexer.at++) {
      const code = text.charCodeAt(lexer.at);
      if (code === C.SPACE) {
        column++;
        narrow++;
      } else if (code === C.TAB) {
        column = (Math.floor(column / TAB_WIDTH) + 1) * TAB_WIDTH;
        narrow++;
      } else if (code === C.FORM_FEED) {
        column = 0;
        narrow = 0;
      } else if (code === C.BACKSLASH) {
        joined = joined === 0 ? column : joined;
        lexer.joinLine();
        lexer.at--;
      } else return joined === 0 ? { column, narrow } : { column: joined, narrow: joined };
    }
  }

  private place({ column, narrow }: Column): void {
    const { lexer, levels, holdsCases } = this;
    const { at } = lexer;
    const start = Math.max(0, at - narrow);
    this.holdsCases = false;
    let top = levels.at(-1) as Level;
    if (column > top.column) {
      if (narrow <= top.narrow) lexer.fail("indentation_mixed", start, at);
      if (levels.length > MAX_BLOCKS) lexer.fail("blocks_too_deep", start, at, { words: { most: String(MAX_BLOCKS) } });
      levels.push({ column, narrow, ofCases: holdsCases });
      lexer.add(T.Indent, "", start, at);
      return;
    }
    while (column < top.column) {
      levels.pop();
      lexer.add(T.Dedent, "", at, at);
      top = levels.at(-1) as Level;
    }
    if (column !== top.column) lexer.fail("indentation_between", start, at);
    if (narrow !== top.narrow) lexer.fail("indentation_mixed", start, at);
  }
}
