/** What it means that a token fits no rule: the fault to report, and the edit where exactly one is meant. */
import type { TokenType } from "chevrotain";
import type { FaultName } from "../faults.ts";
import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import { type Edit, Refusal, type Said } from "../refusal.ts";

const is = (token: Token | undefined, type: TokenType): boolean => token?.tokenTypeIdx === type.tokenTypeIdx;

/** Operators of other languages, as their two tokens or their one, and Python's words for them. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ["&&", "and"],
  ["||", "or"],
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
]);
/** Words that begin a statement with a block. */
const HEADS = T.setOf([
  ...[
    T.If,
    T.Elif,
    T.Else,
    T.For,
    T.While,
    T.Def,
    T.Class,
    T.Try,
    T.Except,
    T.Finally,
    T.With,
    T.Match,
    T.Case,
    T.Async,
  ],
]);
const CLOSERS = T.setOf([T.RParen, T.RBracket, T.RBrace]);
const OPENERS = T.setOf([T.LParen, T.LBracket, T.LBrace]);
const VALUES = T.setOf([T.Name, T.NumberLiteral, T.Text]);

export function refusalOf(text: string, tokens: readonly Token[], token: Token): Refusal {
  return new Unfit(text, tokens, token).refusal();
}

/** First words of lines in other languages, and in programs of Weft before they were Python: what the line is here, or how it begins. */
const FIRST_WORDS: ReadonlyMap<string, (rest: string) => string> = new Map([
  ["out", (value: string) => `return ${value}`],
  ["err", (value: string) => `raise RuntimeError(${value})`],
  ["switch", (value: string) => `match ${value}`],
  ["throw", (value: string) => (value.startsWith("new ") ? "raise RuntimeError(…)" : `raise ${value}`)],
  ...["const", "let", "var"].map(
    (word) => [word, (rest: string) => (/^\w+ *=/.test(rest) ? rest : "name = …")] as const,
  ),
  ["elseif", (rest: string) => `elif ${rest}`],
  ["function", () => "def name(…):"],
]);
const FIRST_VALUES = T.setOf([T.Name, T.NumberLiteral, T.Text, T.FStart, T.LBrace, T.None, T.True, T.False]);

/** A field with texts in one kind of quotes and nothing else that is quoted. */
const QUOTED_FIELD = /\{[^{}"'\n]*(["'])[^{}"'\\\n]*\1[^{}"'\n]*(?:\1[^{}"'\\\n]*\1[^{}"'\n]*)*\}/y;

/** `f"{d["k"]}"` is a field with a text for Python 3.12, which 3.11 ends at the second quote. */
export function nestedQuotes(text: string, refusal: Refusal): Refusal {
  const { fault, start } = refusal.fault;
  if (fault !== "format_unclosed") return refusal;
  QUOTED_FIELD.lastIndex = start;
  const [field, quote = ""] = QUOTED_FIELD.exec(text) ?? [];
  if (field === undefined) return refusal;
  const other = quote === '"' ? "'" : '"';
  const place = { start, end: start + field.length };
  const edits = [...field].flatMap((character, at) =>
    character === quote ? [{ start: start + at, end: start + at + 1, text: other }] : [],
  );
  return new Refusal("format_quotes", place, { fix: { title: `write ${other} in the field`, edits } });
}

class Unfit {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private readonly token: Token;
  /** The number of the token. */
  private readonly at: number;
  /** The first token of its logical line. */
  private readonly head: Token | undefined;

  constructor(text: string, tokens: readonly Token[], token: Token) {
    this.text = text;
    this.tokens = tokens;
    this.token = token;
    this.at = tokens.indexOf(token);
    let first = this.at;
    while (first > 0 && !isLineStart(tokens[first - 1])) first--;
    this.head = tokens[first];
  }

  refusal(): Refusal {
    return (
      this.bracket() ??
      this.foreign() ??
      this.statement() ??
      this.block() ??
      this.refuse("syntax", { words: { found: this.shown() } })
    );
  }

  private refuse(
    fault: FaultName,
    said: Said,
    { start, end }: { readonly start: number; readonly end: number } = this.token,
  ): Refusal {
    return new Refusal(fault, { start, end }, said);
  }

  private fix(title: string, edit: Edit): Pick<Said, "fix"> {
    return { fix: { title, edits: [edit] } };
  }

  private before(distance = 1): Token | undefined {
    return this.tokens[this.at - distance];
  }

  /** A token on a line below an open bracket most likely means that the bracket should have been closed. */
  private bracket(): Refusal | null {
    const open: Token[] = [];
    for (const token of this.tokens.slice(0, this.at)) {
      if (OPENERS[token.tokenTypeIdx] === 1) open.push(token);
      else if (CLOSERS[token.tokenTypeIdx] === 1) open.pop();
    }
    const last = open.at(-1);
    const before = this.before();
    if (last === undefined || before === undefined || CLOSERS[this.token.tokenTypeIdx] === 1) return null;
    const isNewLine = /[\r\n]/.test(this.text.slice(before.end, this.token.start));
    if (!isNewLine && !is(this.token, T.End)) return null;
    const closer = { "(": ")", "[": "]", "{": "}" }[last.image] ?? "";
    return this.refuse("bracket_unclosed", { words: { opener: last.image, closer } }, last);
  }

  private foreign(): Refusal | null {
    const { text, token } = this;
    const [sign, other] = [this.before(2), this.before()];
    if (sign !== undefined && other?.start === sign.end && /^(?:\+\+|--)$/.test(sign.image + other.image)) {
      const place = { start: sign.start, end: other.end };
      const python = `${sign.image}= 1`;
      const words = { operator: text.slice(place.start, place.end), python };
      // Within an expression it has no place.
      const isAlone = this.before(3) === this.head;
      const fix = isAlone ? this.fix(`write ${python}`, { ...place, text: ` ${python}` }) : {};
      return this.refuse("foreign_operator", { words, ...fix }, place);
    }
    if (token.image === ">" && other?.image === "=")
      return this.refuse("foreign_operator", { words: { operator: "=>", python: "lambda x: …" } });
    for (const start of [token.start, this.before()?.start ?? token.start])
      for (const [operator, python] of FOREIGN) {
        if (!text.startsWith(operator, start)) continue;
        const end = start + operator.length;
        const said = this.fix(`write ${python}`, { start, end, text: spaced(text, start, end, python) });
        return this.refuse("foreign_operator", { words: { operator, python }, ...said }, { start, end });
      }
    return null;
  }

  private statement(): Refusal | null {
    const { token, head, text } = this;
    const before = this.before();
    if (is(before, T.Else) && is(token, T.If)) {
      const place = { start: before?.start ?? 0, end: token.end };
      return this.refuse("else_if", this.fix("write elif", { ...place, text: "elif" }), place);
    }
    if (before === head && head?.image === "print" && is(head, T.Name) && VALUES[token.tokenTypeIdx] === 1) {
      const end = this.endOfLine();
      const argument = text.slice(token.start, end);
      const edit = { start: head.start, end, text: `print(${argument})` };
      return this.refuse("print_statement", this.fix(`write print(${argument})`, edit), head);
    }
    const older = before === head && is(head, T.Name) ? FIRST_WORDS.get(head?.image ?? "") : undefined;
    if (older !== undefined && head !== undefined && FIRST_VALUES[token.tokenTypeIdx] === 1) {
      const end = this.endOfLine();
      const python = older(text.slice(token.start, end));
      const fix = python.includes("…") ? {} : this.fix(`write ${python}`, { start: head.start, end, text: python });
      return this.refuse("older_word", { words: { word: head.image, python }, ...fix }, head);
    }
    if (before === head && head?.image === "type" && is(head, T.Name) && is(token, T.Name)) {
      const edit = { start: head.start, end: token.start, text: "" };
      const isPlain = is(this.tokens[this.at + 1], T.Equal);
      const said = isPlain ? this.fix(`write ${token.image} = …`, edit) : {};
      return this.refuse("type_statement", { words: { name: token.image }, ...said }, head);
    }
    if (is(token, T.LBracket) && (is(this.before(2), T.Def) || is(this.before(2), T.Class)))
      return this.refuse("type_parameters", {});
    if (is(head, T.Except) && is(token, T.Comma)) return this.exceptMany();
    if (is(token, T.Equal)) return this.refuse("target_equality", {});
    return null;
  }

  /** `except A, B:` */
  private exceptMany(): Refusal {
    const { head, text } = this;
    const start = (this.tokens[this.tokens.indexOf(head as Token) + 1] as Token).start;
    let last = this.at;
    while (is(this.tokens[last], T.Comma) || is(this.tokens[last], T.Name) || is(this.tokens[last], T.Dot)) last++;
    const end = (this.tokens[last - 1] as Token).end;
    const classes = text.slice(start, end);
    const follows = this.tokens[last];
    const isPlain = is(follows, T.Colon) || is(follows, T.As);
    const said = isPlain ? this.fix(`write (${classes})`, { start, end, text: `(${classes})` }) : {};
    return this.refuse("except_many", { words: { classes }, ...said }, { start, end });
  }

  // ---- blocks ----

  private block(): Refusal | null {
    const { token, head } = this;
    const before = this.before();
    if (is(token, T.Indent)) return this.refuse("indentation_unexpected", {});
    if (is(before, T.Newline) && is(this.before(2), T.Colon)) {
      const statement = this.statementBefore(this.at - 2);
      return this.refuse("block_missing", { words: { statement } });
    }
    const isHead = head !== undefined && HEADS[head.tokenTypeIdx] === 1 && head !== token;
    if (!isHead || !(is(token, T.Newline) || is(token, T.LBrace)) || before === undefined) return null;
    const said = this.fix("add the colon", { start: before.end, end: before.end, text: ":" });
    const isFollowed = is(this.tokens[this.at + 1], T.Indent);
    return this.refuse("colon_missing", { words: { statement: `'${head.image}'` }, ...(isFollowed ? said : {}) });
  }

  /** The word that begins the line of the token with this number. */
  private statementBefore(at: number): string {
    let first = at;
    while (first > 0 && !isLineStart(this.tokens[first - 1])) first--;
    return `'${this.tokens[first]?.image ?? ""}'`;
  }

  private endOfLine(): number {
    let last = this.at;
    while (!is(this.tokens[last + 1], T.Newline) && last + 2 < this.tokens.length) last++;
    return (this.tokens[last] as Token).end;
  }

  private shown(): string {
    const { token, text } = this;
    if (is(token, T.Newline)) return "the end of the line";
    if (is(token, T.End)) return "the end of the file";
    if (is(token, T.Dedent)) return "the end of the block";
    return `'${text.slice(token.start, Math.min(token.end, token.start + 40))}'`;
  }
}

function isLineStart(before: Token | undefined): boolean {
  return is(before, T.Newline) || is(before, T.Indent) || is(before, T.Dedent);
}

/** With a blank on the sides that touch a word. */
function spaced(text: string, start: number, end: number, word: string): string {
  if (!/^\w/.test(word)) return word;
  const left = /\w$/.test(text.slice(0, start)) ? " " : "";
  return `${left}${word}${/^\w/.test(text.slice(end, end + 1)) ? " " : ""}`;
}
