/**
 * What is reported of one statement while its expressions are read. Only the first fault of a statement is reported, because what follows it is most
 * often its consequence.
 */

import { EOF } from "chevrotain";
import type { Operand, Slot } from "../../ast.ts";
import type { Fix } from "../../diagnostic.ts";
import { adviceOf, type InfixWord, readInfix } from "../../foreign/infix.ts";
import { quotedBy } from "../../foreign/marks.ts";
import type { LiteralFaults } from "../../operands/literals.ts";
import { atomOf, checkAtom, unexpected } from "../../operands/operands.ts";
import { isName, pathEnd, readPath, type WordType } from "../../operands/tokens.ts";
import type { Reporter } from "../../reporter.ts";
import { type Span, spanAfter, spanOver } from "../../text/span.ts";
import { adviceForMethod, NO_FUNCTION_HERE } from "../methods.ts";
import { takenText } from "../repair/arguments.ts";
import { FOREIGN_COMPARATORS, surplusAdvice } from "../surplus.ts";
import * as T from "../tokens.ts";
import { groupEnd, type Lexeme } from "../tokens.ts";
import { asNode, type Expression, partsOf } from "../tree.ts";
import type { Infix, Prefix, Signed } from "./precedence.ts";
import { type Row, StatementFaults } from "./statement-faults.ts";

type Maybe = Expression | null;
const MAX_WORD_LENGTH = 100;
/** Groups between brackets may stand in one another; the exact bound of values is checked where they are made. */
const ROOM = 4;

/** Arguments of Python's `sorted`, `min` and `max`, for which no order of arguments stands. */
const NAMED: Readonly<Record<string, string>> = {
  "key=":
    "order by a field: sort_by(rows, field), max_by(rows, field); for another order give each row a field with it",
  "reverse=": 'write reverse(sort(xs)), or sort_by(rows, field, "desc")',
  "default=": "write (max(xs) if xs else value)",
};

export class Faults extends StatementFaults {
  /** Stands in where nothing is being read. */
  static readonly NONE = new Faults(null as unknown as Reporter, 0, null as unknown as Row);

  /** The statement is `name = value`. */
  private sets = false;
  /** The sign of the number that comes next was an operator. */
  dropsSign = false;
  private readonly nesting: number;
  /** How deep the expressions of the statement are. */
  private readonly depths = new Map<Expression, number>();

  constructor(reporter: Reporter, nesting: number, row: Row) {
    super(reporter, row);
    this.nesting = nesting;
  }

  /** Begins a statement whose first word stands at `span`. */
  begin(span: Span, faulty: boolean): void {
    this.faulty = faulty;
    this.isRepaired = false;
    this.hasNoRepair = false;
    this.sets = this.source.charAt(span.start) === "=";
    this.last = span;
    this.dropsSign = false;
    if (this.depths.size > 0) this.depths.clear();
  }

  took(token: unknown): Lexeme {
    const taken = token as Lexeme;
    // A token that recovery put in has no place of its own.
    if (taken.span === undefined) return { ...taken, image: "", value: "", span: spanAfter(this.last) };
    this.last = taken.span;
    return taken;
  }

  reportIn(say: (reporter: Reporter) => void): void {
    say(this.reporter);
  }

  // ---- bounds ----

  bounded(made: Expression): Expression {
    let depth = 0;
    for (const part of partsOf(made)) depth = Math.max(depth, this.depths.get(part) ?? 0);
    if (depth < this.nesting * ROOM) {
      this.depths.set(made, depth + 1);
      return made;
    }
    if (!this.faulty) this.report("WF1012", made.span, { limit: String(this.nesting) });
    return asNode({ k: "null", span: made.span });
  }

  grouped(value: Expression, span: Span): Expression {
    const group = { ...value, span };
    this.depths.set(group, this.depths.get(value) ?? 0);
    return group;
  }

  signed(prefixes: readonly Prefix[], operand: Maybe): Signed | null {
    const [first] = prefixes;
    if (operand == null) return null;
    if (first !== undefined && prefixes.length > this.nesting) {
      if (!this.faulty) this.report("WF1012", first.slot.span, { limit: String(this.nesting) });
      return { prefixes: [], operand };
    }
    return { prefixes, operand };
  }

  // ---- what is missing or too much ----

  /** `expected` should stand where the last token ended. */
  missing(expected: string): void {
    if (this.faulty) return;
    const next = this.row.peek();
    if (next.tokenType !== T.Newline && next.tokenType !== EOF) this.unexpected(next);
    else
      this.report("WF1009", this.last, { token: `end of the line: expected ${expected}` }, `write ${expected}`, null);
  }

  unexpected({ span, image, tokenType }: Lexeme): void {
    this.faulty = true;
    // `n << 1`, `xs[::-1]`: something else is meant than what is left without it.
    if (
      tokenType === T.Compare ||
      tokenType === T.Colon ||
      tokenType === T.Operator ||
      tokenType === T.JoinedOperator
    ) {
      const suggestion =
        tokenType === T.Colon
          ? "write xs[a:b] for a part, reverse(list) for the other order"
          : "this operator does not exist";
      this.unexpectedAt(span, image, suggestion);
      return;
    }
    const repair = this.repair();
    const token = `'${image.slice(0, MAX_WORD_LENGTH)}'`;
    // Without its comma, `(a, b) => …` is something else again.
    const suggestion = this.hasFunction() ? NO_FUNCTION_HERE : "leave it out, or write a list: [a, b]";
    if (repair !== null) this.reporter.report({ code: "WF1009", span, words: { token }, ...repair });
    else if (tokenType === T.Comma)
      this.reporter.report({ code: "WF1009", span, words: { token }, suggestion, fix: null });
    else unexpected(this.reporter, span, image.slice(0, MAX_WORD_LENGTH));
  }

  unexpectedAt(span: Span, image: string, suggestion: string, fix: Fix | null = null): void {
    this.report("WF1009", span, { token: `'${image.slice(0, MAX_WORD_LENGTH)}'` }, suggestion, fix);
  }

  /** What stands after an expression from `first` on. */
  surplus(first: Lexeme): void {
    if (this.faulty) return;
    const { span, image, tokenType } = first;
    if (tokenType === T.Comma) {
      const isLast = this.row.tokens().at(-1) === first;
      const suggestion = isLast ? "leave it out" : "leave it out, or write a list: [a, b]";
      this.unexpectedAt(
        span,
        image,
        suggestion,
        isLast ? { title: suggestion, edits: [{ span, new_text: "" }] } : null,
      );
      return;
    }
    const { words, from } = this.words(first);
    const { suggestion, fix } = surplusAdvice(words, image, span, from);
    this.unexpectedAt(span, image, suggestion, fix);
  }

  /** The words of the statement, brackets and all in them as one; how many stand before `first`. */
  private words(first: Lexeme | null): { readonly words: readonly InfixWord[]; readonly from: number } {
    const tokens = this.row.tokens();
    const words: InfixWord[] = [];
    let from = 0;
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] as Lexeme;
      if (token === first) from = words.length;
      const end = groupEnd(tokens, at);
      if (end === at) words.push(wordFrom(token));
      else words.push(this.wordOver(token, tokens[end] as Lexeme));
      at = end;
    }
    return { words, from };
  }

  private wordOver(first: Lexeme, last: Lexeme): InfixWord {
    const span = spanOver(first.span, last.span);
    return { text: this.source.slice(span.start, span.end), kind: "call", span };
  }

  // ---- brackets ----

  literal(found: LiteralFaults, kind: string, form: string): void {
    const { first, fix } = found;
    if (first === null) return;
    const hasFunction = this.hasFunction();
    const suggestion = hasFunction ? NO_FUNCTION_HERE : (found.suggestion(this.source) ?? form);
    this.report("WF1004", first.span, { expected: first.expected, kind }, suggestion, hasFunction ? null : fix);
  }

  private hasFunction(): boolean {
    return this.row.tokens().some((token, at, all) => isFunction(token, all[at + 1]));
  }

  /** WF1008 at `span`: nothing is called there. */
  noCall(
    span: Span,
    better: { readonly suggestion: string; readonly span: Span; readonly fn: string | null } | null,
  ): void {
    if (this.faulty) return;
    if (better === null) this.report("WF1008", span, {});
    else {
      const { suggestion, fn } = better;
      const fix = fn === null ? null : { title: suggestion, edits: [{ span: better.span, new_text: fn }] };
      this.report("WF1008", span, {}, suggestion, fix);
    }
  }

  /** `",".join(xs)`, `s.lower().split(" ")`: what is called has no name. */
  method(of: Expression, open: Lexeme): void {
    if (this.faulty) return;
    const isMethod =
      of.e === "index" && of.key.e === "operand" && of.key.of.k === "str" && of.key.of.v === of.word.text;
    if (!isMethod) {
      this.unexpectedAt(open.span, open.image, "what is called is a function or a graph, by its name");
      return;
    }
    this.unexpectedAt(of.word.span, `.${of.word.text}`, adviceForMethod(of.word.text));
  }

  /** A mark among the arguments of a spaced call that reaches over `span`. */
  nested(stray: Lexeme, span: Span): void {
    if (this.faulty) return;
    const inside = this.row.tokens().filter((token) => token.span.start > span.start && token.span.end < span.end);
    const words = inside.map(wordFrom);
    const isFlat = !inside.some(({ tokenType }) => tokenType.CATEGORIES?.includes(T.Opener) === true);
    const reading = isFlat ? readInfix(words, "value") : null;
    if (reading === null || reading.used !== words.length) {
      this.unexpected(stray);
      return;
    }
    const { suggestion, fix } = adviceOf(reading, span);
    this.unexpectedAt(stray.span, stray.image, suggestion, fix);
  }

  argumentName({ span, image }: Lexeme): void {
    if (this.faulty || this.isRepaired) return;
    const call = this.adapterCall(span);
    const parameters = call === null ? null : this.row.facts.parametersOf(call);
    const repair = this.repair();
    if (call !== null && repair !== null)
      this.reporter.report({ code: "WF5014", span, words: { name: call }, ...repair });
    else {
      const own = Object.hasOwn(NAMED, image) ? NAMED[image] : undefined;
      const taken =
        parameters === null ? (own ?? "arguments have no names here: leave the name out") : takenText(parameters);
      this.unexpectedAt(span, image, taken, null);
    }
  }

  templateValue(value: Maybe, open: Lexeme, surplus: Lexeme, close: Lexeme): Expression {
    if (value == null && !this.faulty)
      this.unexpectedAt(open.span, open.image, "write a value in the braces, or {{ for a brace");
    else if (value?.e === "operand" && value.of.k === "name" && this.row.facts.isFailure(value.of.v))
      this.reportFailure(value.span, value.of.v);
    else if (surplus !== close && surplus.tokenType !== T.TemplateSpec && !this.faulty) this.unexpected(surplus);
    return value ?? asNode({ k: "null", span: open.span });
  }

  /** The key of `{k: v for k in xs}`: a name there is a variable. */
  keyValue({ text, quoted, span }: Slot): Expression {
    if (!quoted && isName(text)) return asNode({ k: "var", v: text, span });
    if (!quoted && pathEnd(text, 0, text.length) === text.length) {
      return asNode({ k: "path", ...readPath(text), text: null, span });
    }
    return asNode({ k: "str", v: text, span });
  }

  // ---- comparators ----

  isForeignComparator(first: Lexeme, second: Lexeme): boolean {
    return second.span.start === first.span.end && FOREIGN_COMPARATORS.has(first.image + second.image);
  }

  comparator(first: Lexeme, second: Lexeme | null): Infix {
    const { image, span } = first;
    const slot: Slot = { span, text: image, quoted: false };
    const own = second === null ? undefined : FOREIGN_COMPARATORS.get(image + second.image);
    if (second !== null && own !== undefined) {
      const whole = spanOver(span, this.took(second).span);
      const fix = { title: `write ${own}`, edits: [{ span: whole, new_text: own }] };
      this.unexpectedAt(whole, image + second.image, `write ${own}`, fix);
      return { text: own, slot: { ...slot, text: own, span: whole } };
    }
    if (image !== "=") return { text: image, slot };
    if (this.sets) {
      this.unexpectedAt(span, "=", "a line sets one name; == compares", this.faulty ? null : this.chained());
      return { text: "==", slot };
    }
    const { tokenType } = this.row.head();
    const isCondition = tokenType === T.If || tokenType === T.Elif || tokenType === T.While;
    const edits = [{ span, new_text: first.glued ? " == " : "==" }];
    const fix = isCondition ? { title: "compare with ==", edits } : null;
    this.unexpectedAt(span, "=", "compare with ==", fix);
    return { text: "==", slot };
  }

  // ---- words ----

  /** Of a word that is an operand. `next` is what stands after it. */
  checkWord({ tokenType, image, span }: Lexeme, next: Lexeme): void {
    if (tokenType !== T.Word || this.checkForeignWord(image, span)) return;
    const quoted = quotedBy(image, span, this.source);
    if (quoted !== null) {
      const { mark, ...finding } = quoted;
      this.reporter.report({ code: "WF9030", words: { mark, word: image.slice(0, MAX_WORD_LENGTH) }, ...finding });
      return;
    }
    const mark = image.slice(-1);
    if (image === ";") {
      this.unexpectedAt(span, ";", "leave it out", {
        title: "leave it out",
        edits: [{ span, new_text: "" }],
      });
      return;
    }
    if (image.length === 1 || (mark !== ";" && mark !== ",")) return;
    const place = { ...span, start: span.end - 1, column: span.end_column - 1 };
    const isLast = next.tokenType === T.Newline || next.tokenType === T.BlockColon;
    if (mark === ";" && !isLast) {
      const lineStart = this.source.lastIndexOf("\n", place.start) + 1;
      const indent = /^[ \t]*/.exec(this.source.slice(lineStart, place.start))?.[0] ?? "";
      const edits = [
        {
          span: {
            ...next.span,
            start: place.start,
            column: place.column,
            end: next.span.start,
            end_column: next.span.column,
            end_line: next.span.line,
          },
          new_text: `\n${indent}`,
        },
      ];
      const fix = { title: "write a line for each statement", edits };
      this.unexpectedAt(place, ";", "write a line for each statement", next.span.line === place.line ? fix : null);
      return;
    }
    const fix = isLast ? { title: "leave it out", edits: [{ span: place, new_text: "" }] } : null;
    const suggestion = isLast || mark === ";" ? "leave it out" : "leave it out, or write a list: [a, b]";
    this.unexpectedAt(place, mark, suggestion, fix);
  }

  checkOperand(operand: Operand): void {
    if (checkAtom(operand, this.reporter)) this.faulty = true;
  }
}

/** `lambda`, `=>` */
function isFunction({ image, tokenType }: Lexeme, next: Lexeme | undefined): boolean {
  if (image === "lambda" || image === "=>") return true;
  const isArrow = next?.image.startsWith(">") === true && next.glued;
  return isArrow && (tokenType === T.ArgumentName || image === "=");
}

/** The operand that a token is. */
export function atomFrom(token: Lexeme, faults: Faults, next: Lexeme): Expression {
  const { tokenType, span, value, glued } = token;
  const type = (TYPES.get(tokenType.name) ?? (tokenType === T.Operator ? "Word" : "NameWord")) as WordType;
  const isSigned = tokenType === T.NegativeNumber && faults.dropsSign;
  faults.dropsSign = false;
  const image = isSigned ? token.image.slice(1) : token.image;
  const operand = atomOf({ type, image, span, value, glued, tokenTypeIdx: 0, errors: null });
  faults.checkWord(token, next);
  if (tokenType === T.Text) faults.checkComputed(span, next);
  faults.checkOperand(operand);
  return asNode(operand);
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ...["Path", "Variable", "Constant", "NumberWord", "Text", "Word"].map((name) => [name, name] as const),
  ["NegativeNumber", "NumberWord"],
]);
const KINDS: ReadonlyMap<string, Operand["k"]> = new Map([
  ["Path", "path"],
  ["Variable", "var"],
  ["Constant", "bool"],
  ["NumberWord", "num"],
  ["NegativeNumber", "num"],
  ["Text", "str"],
  ["Word", "word"],
]);

/** A token as a word of another language's expression. */
function wordFrom({ image, tokenType, span }: Lexeme): InfixWord {
  const isName = tokenType.CATEGORIES?.includes(T.NameLike) === true;
  return { text: image, kind: isName ? "name" : (KINDS.get(tokenType.name) ?? "mark"), span };
}
