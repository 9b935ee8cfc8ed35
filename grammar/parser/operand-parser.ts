/**
 * The rules both notations share: operands, lists, maps, nested calls. Brackets are balanced by the lexer. What does not fit inside a
 * pair of brackets is read by the rule `misfit` up to the closing one, so that one finding names what is wrong and the rest keeps
 * its meaning. No rule names `misfit`, so the grammar as data holds only what is right.
 */
import {
  createTokenInstance,
  EOF,
  type IParserErrorMessageProvider,
  type IToken,
  NoViableAltException,
  type ParserMethod,
  type TokenType,
} from "chevrotain";
import type { Operand } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import {
  ListReader,
  type LiteralFaults,
  MapReader,
  type NestedFault,
  type NestedPiece,
  nestedCall,
  reportRepeatedKeys,
} from "../operands/literals.ts";
import { atomOf, checkAtom, unexpected } from "../operands/operands.ts";
import type { Token } from "../operands/tokens.ts";
import type { Reporter } from "../reporter.ts";
import { type Span, spanOver } from "../text/span.ts";
import { BaseParser, type Rule } from "./base-parser.ts";
import * as T from "./tokens.ts";

/** What the operand rules say of the step around them. */
export type Faulty = { faulty: boolean };

/** The codes of what chevrotain finds. Text, place and fix are made where the step is put together, from all of its line. */
const MISSING_SLOT = "WF2004";
const UNEXPECTED = "WF1009";
const CODES: IParserErrorMessageProvider = {
  buildNoViableAltMessage: () => MISSING_SLOT,
  buildEarlyExitMessage: () => MISSING_SLOT,
  buildMismatchTokenMessage: () => UNEXPECTED,
  buildNotAllInputParsedMessage: () => UNEXPECTED,
};
const NOTATION = { tokens: T.TOKEN_TYPES, newline: T.Newline, messages: CODES };
const EOF_TOKEN = createTokenInstance(EOF, "", 0, 0, 0, 0, 0, 0);
const MISSING = new NoViableAltException(MISSING_SLOT, EOF_TOKEN, EOF_TOKEN);

export abstract class OperandParser extends BaseParser {
  protected reporter!: Reporter;
  /** What loses its meaning by a fault. */
  protected around: Faulty = { faulty: false };
  /** Structures and conditions around the current token: operands inside are checked where they stand. */
  protected depth = 0;
  /** Brackets that begin a condition may hold `a = b`. */
  protected allowTextEquality = false;

  constructor(validate: boolean) {
    super(NOTATION, validate);
  }

  /** A rule that leaves it to the statement around it to continue after a fault. */
  protected rule<A extends unknown[], R>(name: string, read: (...args: A) => R): ParserMethod<A, R> {
    return this.RULE(name, read, { resyncEnabled: false }) as ParserMethod<A, R>;
  }

  /** The token ahead, the next one unless a distance is given. */
  protected ahead(distance = 1): Token {
    return this.LA(distance) as IToken as unknown as Token;
  }

  protected taken(token: IToken): Token {
    return token as unknown as Token;
  }

  /**
   * A slot for which nothing is left: the step that lacks it ends there, and reports it once all of its line is known. Chevrotain would
   * make an error with a stack and everything that might have followed, which is never read.
   */
  protected raiseNoAltException(): never {
    throw MISSING;
  }
  protected raiseEarlyExitException(): never {
    throw MISSING;
  }

  /** No token is inserted or deleted: findings need what the author wrote. */
  protected getFollowsForInRuleRecovery(): TokenType[] {
    return [];
  }
  protected override canTokenTypeBeDeletedInRecovery(): boolean {
    return false;
  }

  // ---- operands ----

  readonly structure: Rule<Operand> = this.rule("structure", () => this.OR(this.structures));
  private readonly structures = [
    { ALT: () => this.SUBRULE(this.list) },
    { ALT: () => this.SUBRULE(this.map) },
    { ALT: () => this.SUBRULE(this.nested) },
  ];

  readonly operand: Rule<Operand> = this.rule("operand", () => this.OR(this.operands));
  private readonly operands = [{ ALT: () => this.atom(this.taken(this.CONSUME(T.Atom, INNER))) }, ...this.structures];

  protected atom(token: Token): Operand {
    this.allowTextEquality = false;
    if (this.RECORDING_PHASE) return NOTHING;
    const operand = atomOf(token);
    if (this.depth > 0 && checkAtom(operand, this.reporter)) this.around.faulty = true;
    return operand;
  }

  // ---- lists and maps ----

  readonly list: Rule<Operand> = this.rule("list", (): Operand => {
    const open = this.taken(this.CONSUME(T.OpenList));
    const multiline = this.enter(open);
    const reader = new ListReader();
    const value = (rule: () => Operand): void => {
      const first = this.ahead();
      const item = rule();
      if (!this.RECORDING_PHASE) reader.value(item, first.span);
    };
    this.OPTION(() => {
      value(() => this.SUBRULE(this.operand));
      this.MANY({
        GATE: () => T.beginsOperand(this.ahead(2)),
        DEF: () => {
          reader.comma(this.taken(this.CONSUME(T.Comma)).span);
          value(() => this.SUBRULE2(this.operand));
        },
      });
      this.OPTION2(() => reader.comma(this.taken(this.CONSUME2(T.Comma)).span));
    });
    this.misfits("CloseList", ({ operand, first }) => {
      if (operand !== null) reader.value(operand, first.span);
      else if (first.type === "Comma") reader.comma(first.span);
      else reader.faults.add(first.span, "a value");
    });
    const close = this.leave(T.CloseList);
    if (this.RECORDING_PHASE) return NOTHING;
    const { items } = reader;
    this.reportFaults(reader.faults, "list", "write [a, b]");
    return { k: "list", items, multiline, span: spanOver(open.span, close.span) };
  });

  readonly map: Rule<Operand> = this.rule("map", (): Operand => {
    const open = this.taken(this.CONSUME(T.OpenMap));
    const multiline = this.enter(open);
    const reader = new MapReader();
    this.OPTION({
      GATE: () => this.entryAhead(1),
      DEF: () => {
        this.SUBRULE(this.entry, { ARGS: [reader] });
        this.MANY({
          GATE: () => this.entryAhead(2),
          DEF: () => {
            reader.mark(this.taken(this.CONSUME(T.Comma)));
            this.SUBRULE2(this.entry, { ARGS: [reader] });
          },
        });
        this.OPTION2(() => reader.mark(this.taken(this.CONSUME2(T.Comma))));
      },
    });
    this.misfits("CloseMap", ({ operand, first }) => {
      if (operand === null) reader.mark(first);
      else reader.value(operand);
    });
    const close = this.leave(T.CloseMap);
    if (this.RECORDING_PHASE) return NOTHING;
    reader.finish(close.span);
    this.reportFaults(reader.faults, "map", 'write {"key": value}');
    reportRepeatedKeys(reader.entries, this.reporter);
    return { k: "map", entries: reader.entries, multiline, span: spanOver(open.span, close.span) };
  });

  readonly entry: ParserMethod<[MapReader], void> = this.rule("entry", (reader: MapReader) => {
    const key = this.taken(this.CONSUME(T.Key));
    const colon = this.taken(this.CONSUME(T.Colon));
    const value = this.SUBRULE(this.operand);
    if (this.RECORDING_PHASE) return;
    reader.mark(key);
    reader.mark(colon);
    reader.value(value);
  });

  private entryAhead(distance: number): boolean {
    if (this.ahead(distance).type !== "Key" || this.ahead(distance + 1).type !== "Colon") return false;
    return T.beginsOperand(this.ahead(distance + 2));
  }

  /** Reads into brackets; whether a line ends directly after the opening one. */
  private enter(open: Token): boolean {
    this.allowTextEquality = false;
    this.depth++;
    return !this.RECORDING_PHASE && this.ahead().span.line > open.span.end_line;
  }

  private leave(close: typeof T.CloseList): Token {
    this.depth--;
    return this.taken(this.CONSUME(close));
  }

  /** What is left inside brackets once their grammar is broken. */
  readonly misfit: Rule<NestedPiece> = this.rule("misfit", () => {
    const first = this.ahead();
    const operand = this.OR<Operand | null>([
      { ALT: () => this.SUBRULE(this.operand) },
      { ALT: () => this.markOnly(this.CONSUME(T.Mark)) },
      { ALT: () => this.markOnly(this.CONSUME(T.Arrow)) },
      { ALT: () => this.markOnly(this.CONSUME(T.Bang)) },
    ]);
    return { operand, first };
  });

  /** Reads what is left up to the closing bracket. */
  private misfits(close: Token["type"], take: (piece: NestedPiece) => void): void {
    while (!this.RECORDING_PHASE && this.ahead().type !== close) take(this.SUBRULE(this.misfit));
  }

  private markOnly(_token: IToken): null {
    return null;
  }

  private reportFaults(faults: LiteralFaults, kind: string, form: string): void {
    const { first, fix } = faults;
    if (first === null) return;
    this.report("WF1004", first.span, { expected: first.expected, kind }, fix, form);
  }

  // ---- calls and comparisons in brackets ----

  readonly nested: Rule<Operand> = this.rule("nested", (): Operand => {
    const { allowTextEquality } = this;
    const open = this.taken(this.CONSUME(T.OpenParen));
    this.enter(open);
    const inside: NestedPiece[] = [];
    const add = (rule: () => Operand): void => {
      const first = this.ahead();
      inside.push({ operand: rule(), first });
    };
    this.OPTION(() => {
      add(() => this.SUBRULE(this.operand));
      if (this.RECORDING_PHASE || this.ahead().type === "Compare") {
        this.OPTION2({
          GATE: () => T.beginsOperand(this.ahead(2)),
          DEF: () => {
            inside.push({ operand: null, first: this.taken(this.CONSUME(T.Compare)) });
            add(() => this.SUBRULE2(this.operand));
          },
        });
      }
      this.MANY(() => add(() => this.SUBRULE3(this.operand)));
    });
    this.misfits("CloseParen", (piece) => inside.push(piece));
    const close = this.leave(T.CloseParen);
    if (this.RECORDING_PHASE) return NOTHING;
    const call = nestedCall(inside, spanOver(open.span, close.span), allowTextEquality);
    if (call.fault !== null) this.reportNested(call.fault, open, inside, call.operand.span);
    return call.operand;
  });

  private reportNested(fault: NestedFault, open: Token, inside: readonly NestedPiece[], span: Span): void {
    if (fault.code === "WF1008") this.reportNoCall(fault.token ?? open, inside, span);
    else if (fault.instead === undefined) this.reportUnexpected(fault.token);
    else {
      const { span, image } = fault.token;
      const fix = { title: `write ${fault.instead}`, edits: [{ span, new_text: fault.instead }] };
      this.report("WF1009", span, { token: `'${image}'` }, fix, `write ${fault.instead}`);
    }
  }

  /** A value alone in brackets, as in `(0)`, should stand without them. */
  private reportNoCall({ span: place }: Token, inside: readonly NestedPiece[], span: Span): void {
    const [only] = inside;
    if (inside.length !== 1 || only === undefined || only.operand === null) this.report("WF1008", place, {});
    else {
      const { start, end } = only.operand.span;
      const title = "write the value without brackets";
      const edits = [{ span, new_text: this.sourceText.slice(start, end) }];
      this.report("WF1008", place, {}, { title, edits }, title);
    }
  }

  // ---- findings ----

  protected get sourceText(): string {
    return this.reporter.source.text;
  }

  protected report(code: string, span: Span, words: Record<string, string>, fix?: Fix | null, advice?: string): void {
    this.around.faulty = true;
    const suggestion = advice === undefined ? {} : { suggestion: advice };
    this.reporter.report({ code, span, words, ...(fix === undefined ? {} : { fix }), ...suggestion });
  }

  protected reportUnexpected(token: Token): void {
    this.around.faulty = true;
    unexpected(this.reporter, token.span, token.image);
  }
}

/** A word inside brackets ends at a bracket or comma too. */
const INNER = { LABEL: "inner" };

const NOWHERE: Span = { file: null, line: 0, column: 0, end_line: 0, end_column: 0, start: 0, end: 0 };
/** What rules return while chevrotain records the grammar. */
export const NOTHING: Operand = { k: "null", span: NOWHERE };
