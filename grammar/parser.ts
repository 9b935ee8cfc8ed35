/**
 * The grammar of statements in operand mode (language reference 4): steps, references, conditions. One chevrotain parser,
 * made once and used for every statement; the same rules read a step on its own line and steps on a label line. No rule
 * ever fails: what does not fit is reported and left out. Which piece fills which slot is decided by `draft.ts` and
 * `steps.ts`; the parser knows lines and files only through the reporter.
 */
import { EOF, type IToken, type TokenType } from "chevrotain";
import type { Condition, Operand, Slot, Step } from "./ast.ts";
import { comparisonOf, negate, plainCondition } from "./conditions.ts";
import {
  addCondition,
  addPiece,
  type Draft,
  isFilled,
  type Piece,
  startDraft,
  wantsCondition,
  wantsItem,
} from "./draft.ts";
import type { StatementLexer } from "./lexer.ts";
import { asToken, NO_OP, NOTHING, NOWHERE, OperandRules } from "./operand-rules.ts";
import { findOp } from "./ops.ts";
import type { Reporter } from "./reporter.ts";
import { joinLines } from "./source.ts";
import { type Span, spanOver } from "./span.ts";
import { assembleStep } from "./steps.ts";
import type { Token } from "./tokens.ts";
import * as T from "./tokens.ts";

/** Words between inline steps that belong to none. */
export type Junk = { readonly junk: true; readonly first: Token; readonly span: Span };
type InlineItem = Step | Junk;

const NO_CONDITION: Condition = { c: "truthy", of: NOTHING, span: NOWHERE };

const ATOMS: readonly TokenType[] = [
  T.Text,
  T.NumberWord,
  T.Constant,
  T.Variable,
  T.Path,
  T.NameWord,
  T.OpWord,
  T.Word,
];
const OPERAND_STARTS: ReadonlySet<TokenType> = new Set([...ATOMS, T.OpenParen, T.OpenList, T.OpenMap]);

class StatementParser extends OperandRules {
  private inline = false;
  private lexer: StatementLexer | null = null;

  constructor() {
    super();
    this.performSelfAnalysis();
  }

  /** Points the parser at a statement. */
  begin(lexer: StatementLexer, reporter: Reporter, inline: boolean): void {
    this.input = lexer.tokens;
    this.lexer = lexer;
    this.reporter = reporter;
    this.inline = inline;
    this.depth = 0;
    this.allowTextEquality = false;
  }

  /** The step read last, as far as its slots are filled. */
  get lastDraft(): Draft {
    return this.draft;
  }

  /** Tells the lexer whether the `If` or `While` just consumed starts a step, and takes over the tokens read then. */
  protected override afterOpWord(token: IToken, startsStep: boolean): void {
    const { lexer } = this;
    if (lexer === null || lexer.pausedAt !== token) return;
    const tokens: IToken[] = lexer.tokens;
    const sentinels: IToken[] = [];
    // The base class keeps end-of-file tokens behind the last one.
    for (let last = tokens.at(-1); last !== undefined && last.tokenType === EOF; last = tokens.at(-1)) {
      sentinels.push(last);
      tokens.pop();
    }
    lexer.resume(startsStep);
    this.setInputLength(tokens.length);
    tokens.push(...sentinels);
  }

  /** The base class takes the length of its input once, when it is set; here the input grows. */
  private setInputLength(length: number): void {
    Object.assign(this, { tokVectorLength: length });
  }

  // ---- steps ----

  readonly step = this.RULE("step", (): Step | null => {
    const word = asToken(this.CONSUME(T.OpWord));
    this.ACTION(() => {
      this.draft = startDraft(findOp(word.image) ?? NO_OP, { span: word.span, text: word.image, quoted: false });
      this.depth = 0;
      this.afterOpWord(word, true);
    });
    this.MANY({
      GATE: () => !this.endsStep(),
      DEF: () => this.SUBRULE(this.piece),
    });
    return this.ACTION(() => this.finishStep());
  });

  /** In inline steps a bare op word ends a step whose required slots are filled. */
  private endsStep(): boolean {
    return this.inline && this.look(1) === T.OpWord && isFilled(this.draft);
  }

  private finishStep(): Step | null {
    if (this.reporter === null) return null;
    const { draft, reporter } = this;
    const boundary = this.next()?.span.start ?? Number.POSITIVE_INFINITY;
    if (reporter.lexicalErrors.length > 0) {
      const later = reporter.lexicalErrors.filter((offset) => offset >= boundary);
      if (later.length < reporter.lexicalErrors.length) draft.faulty = true;
      reporter.lexicalErrors = later;
    }
    return assembleStep(draft, reporter);
  }

  private readonly piece = this.RULE("piece", () => {
    this.OR([
      {
        GATE: () => wantsCondition(this.draft) && this.startsCondition(),
        ALT: () => {
          const condition = this.SUBRULE(this.condition);
          this.ACTION(() => addCondition(this.draft, condition));
        },
      },
      { ALT: () => this.SUBRULE(this.arrowPiece) },
      {
        ALT: () => {
          const first = this.LA(1);
          const operand = this.SUBRULE(this.operand);
          this.ACTION(() => this.takePiece(null, operand, asToken(first)));
        },
      },
      { ALT: () => this.takeMark(this.CONSUME(T.Compare)) },
      { ALT: () => this.takeMark(this.CONSUME(T.Bang)) },
      { ALT: () => this.takeMark(this.CONSUME(T.Question)) },
    ]);
  });

  private startsCondition(): boolean {
    const type = this.look(1);
    return type === T.Bang || OPERAND_STARTS.has(type);
  }

  private readonly arrowPiece = this.RULE("arrowPiece", () => {
    const arrow = asToken(this.CONSUME(T.Arrow));
    let first: Token | null = null;
    let operand: Operand | null = null;
    this.OPTION({
      GATE: () => this.arrowTakesWord(),
      DEF: () => {
        first = asToken(this.LA(1));
        operand = this.SUBRULE(this.operand);
      },
    });
    this.ACTION(() => this.takePiece(arrow, operand, first));
  });

  /** An arrow takes the word behind it; a structure never, and on a label line no op word that starts a step. */
  private arrowTakesWord(): boolean {
    const type = this.look(1);
    if (type === T.OpenParen || type === T.OpenList || type === T.OpenMap) return false;
    return type !== T.OpWord || !this.inline || asToken(this.LA(1)).glued || !isFilled(this.draft);
  }

  private takePiece(arrow: Token | null, operand: Operand | null, first: Token | null): void {
    const type = first?.tokenType;
    const atom = type !== undefined && ATOMS.includes(type);
    if (this.draft.op.name === "Loop" && arrow === null && this.isLoopAs(first)) {
      this.draft.end = first?.span ?? this.draft.end;
      return;
    }
    const span = operand?.span ?? arrow?.span ?? NOWHERE;
    const slot: Slot =
      atom && first !== null
        ? { span: first.span, text: first.value, quoted: type === T.Text }
        : { span, text: this.structureText(span), quoted: false };
    addPiece(this.draft, {
      arrow: arrow?.span ?? null,
      operand,
      mark: null,
      atom,
      name: type === T.NameWord || type === T.OpWord,
      slot,
      span: arrow === null ? span : spanOver(arrow.span, span),
    });
  }

  /** A structure as written, on one line. */
  private structureText(span: Span): string {
    if (this.reporter === null) return "";
    const { source, comments } = this.reporter;
    if (span.line === span.end_line) return source.text.slice(span.start, span.end);
    return joinLines(source.text, span.start, span.end, comments);
  }

  private isLoopAs(first: Token | null): boolean {
    return first?.image === "as" && wantsItem(this.draft) && this.look(1) !== T.Arrow;
  }

  private takeMark(token: IToken): void {
    if (this.RECORDING_PHASE) return;
    const { span, image } = asToken(token);
    const piece: Piece = {
      arrow: null,
      operand: null,
      mark: image,
      atom: true,
      name: false,
      slot: { span, text: image, quoted: false },
      span,
    };
    addPiece(this.draft, piece);
  }

  // ---- steps on a label line ----

  readonly inlineSteps = this.RULE("inlineSteps", (): InlineItem[] => {
    const items: InlineItem[] = [];
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            const step = this.SUBRULE(this.step);
            if (step !== null) items.push(step);
          },
        },
        {
          ALT: () => {
            const junk = this.SUBRULE(this.junk);
            if (junk !== null) items.push(junk);
          },
        },
      ]);
    });
    return items;
  });

  /** Words up to the next op word. */
  private readonly junk = this.RULE("junk", (): Junk | null => {
    const first = asToken(this.LA(1));
    let last: Span = first.span;
    this.ACTION(() => {
      this.draft = startDraft(NO_OP, { span: first.span, text: "", quoted: false });
      this.depth = 0;
    });
    this.AT_LEAST_ONE({
      GATE: () => this.look(1) !== T.OpWord,
      DEF: () => {
        last = this.SUBRULE(this.junkPiece);
      },
    });
    return this.ACTION(() => ({ junk: true, first, span: spanOver(first.span, last) }));
  });

  private readonly junkPiece = this.RULE("junkPiece", (): Span => {
    return this.OR([
      { ALT: () => asToken(this.CONSUME(T.Arrow)).span },
      { ALT: () => asToken(this.CONSUME(T.Compare)).span },
      { ALT: () => asToken(this.CONSUME(T.Bang)).span },
      { ALT: () => asToken(this.CONSUME(T.Question)).span },
      { ALT: () => this.SUBRULE(this.operand).span },
    ]);
  });

  // ---- conditions ----

  private readonly condition = this.RULE("condition", (): Condition => {
    let negations = 0;
    let condition: Condition = NO_CONDITION;
    const first = asToken(this.LA(1));
    this.depth++;
    this.OR([
      {
        GATE: () => this.isNegation(),
        ALT: () => {
          this.AT_LEAST_ONE({
            GATE: () => this.isNegation(),
            DEF: () => {
              this.OR1([{ ALT: () => this.CONSUME(T.Bang) }, { ALT: () => this.CONSUME(T.NameWord) }]);
              negations++;
            },
          });
          this.OPTION(() => {
            condition = this.SUBRULE(this.comparison);
          });
        },
      },
      {
        ALT: () => {
          condition = this.SUBRULE1(this.comparison);
        },
      },
    ]);
    this.depth--;
    return this.ACTION(() => {
      if (condition !== NO_CONDITION) return negate(condition, negations, first.span);
      this.reportUnexpected(first);
      return { c: "truthy", of: { k: "null", span: first.span }, span: first.span };
    });
  });

  /** `!`, or the word `not` with something behind that a condition can begin with. */
  private isNegation(): boolean {
    const type = this.look(1);
    if (type === T.Bang) return true;
    if (type !== T.NameWord || this.LA(1).image !== "not") return false;
    const behind = this.look(2);
    return behind === T.Bang || OPERAND_STARTS.has(behind);
  }

  private readonly comparison = this.RULE("comparison", (): Condition => {
    const bracketed = this.look(1) === T.OpenParen;
    this.allowTextEquality = bracketed;
    let condition: Condition = NO_CONDITION;
    const left = this.SUBRULE(this.operand);
    this.OR([
      {
        ALT: () => {
          const mark = asToken(this.CONSUME(T.Question));
          this.ACTION(() => {
            condition = { c: "present", of: left, span: spanOver(left.span, mark.span) };
          });
        },
      },
      {
        ALT: () => {
          const compare = asToken(this.CONSUME(T.Compare));
          let right: Operand | null = null;
          this.OPTION({
            GATE: () => compare.value !== "",
            DEF: () => {
              right = this.SUBRULE2(this.operand);
            },
          });
          condition = this.ACTION(() => {
            if (right === null && compare.image !== "=") this.reportUnexpected(compare);
            return comparisonOf(left, compare, right, this.reporter);
          });
        },
      },
      {
        ALT: () => {
          condition = this.ACTION(() => plainCondition(left, this.reporter));
        },
      },
    ]);
    return condition;
  });
}

let made: StatementParser | null = null;

/** Made at its first use: that takes longer than reading most programs, and many processes read none. */
function begun(lexer: StatementLexer, reporter: Reporter, inline: boolean): StatementParser {
  made ??= new StatementParser();
  made.begin(lexer, reporter, inline);
  return made;
}

/** Reads a step on its own line. */
export function readStep(lexer: StatementLexer, reporter: Reporter): Step | null {
  return begun(lexer, reporter, false).step();
}

/** Reads what stands behind a label. */
export function readInlineSteps(lexer: StatementLexer, reporter: Reporter): InlineItem[] {
  return begun(lexer, reporter, true).inlineSteps();
}

/** Reads a statement for the sake of its last step: what may come next is read off it. null: no op word yet. */
export function readDraft(lexer: StatementLexer, reporter: Reporter, inline: boolean): Draft | null {
  if (lexer.tokens[0]?.tokenType !== T.OpWord) return null;
  const parser = begun(lexer, reporter, inline);
  if (inline) parser.inlineSteps();
  else parser.step();
  return parser.lastDraft;
}
