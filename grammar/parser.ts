/**
 * The grammar of statements in operand mode (docs/language.md, steps): steps, references, conditions. One method per rule; the
 * same rules read a step on its own line and steps on a label line. No rule ever fails: what does not fit is reported and
 * left out. Which piece fills which slot is decided by `draft.ts` and `steps.ts`; the parser knows lines and files only
 * through the reporter.
 */
import type { Condition, Operand, Slot, Step } from "./ast.ts";
import { comparisonOf, negate, plainCondition } from "./conditions.ts";
import { addCondition, addPiece, type Draft, isFilled, startDraft, wantsCondition, wantsItem } from "./draft.ts";
import type { StatementLexer } from "./lexer.ts";
import { NO_OP, OperandRules } from "./operand-rules.ts";
import { findOp, type Op } from "./ops.ts";
import type { Reporter } from "./reporter.ts";
import { joinLines } from "./source.ts";
import { type Span, spanOver } from "./span.ts";
import { assembleStep } from "./steps.ts";
import { isAtom, opensStructure, startsOperand, type Token } from "./tokens.ts";

const CALL = findOp("R") as Op;

/** Words between inline steps that belong to none. */
export type Junk = { readonly junk: true; readonly first: Token; readonly span: Span };
type InlineItem = Step | Junk;

/** Reads one statement. */
class StatementParser extends OperandRules {
  private readonly inline: boolean;

  constructor(lexer: StatementLexer, reporter: Reporter, inline: boolean) {
    super(lexer, reporter);
    this.inline = inline;
  }

  /** The step read last, as far as its slots are filled. */
  get lastDraft(): Draft {
    return this.draft;
  }

  // ---- steps ----

  step(): Step {
    const word = this.take();
    this.draft = startDraft(findOp(word.image) ?? NO_OP, { span: word.span, text: word.image, quoted: false });
    this.depth = 0;
    this.goOnBehind(word, true);
    return this.slots();
  }

  /** An adapter call whose `R` is not written; `word` stands for it. */
  call(word: Slot): Step {
    this.draft = startDraft(CALL, word);
    return this.slots();
  }

  private slots(): Step {
    for (let next = this.peek(); next !== undefined && !this.endsStep(next); next = this.peek()) this.piece(next);
    return this.finishStep();
  }

  /** In inline steps a bare op word ends a step whose required slots are filled. */
  private endsStep(next: Token): boolean {
    return this.inline && next.type === "OpWord" && isFilled(this.draft);
  }

  private finishStep(): Step {
    const { draft, reporter } = this;
    if (reporter.lexicalErrors.length > 0) {
      const boundary = this.peek()?.span.start ?? Number.POSITIVE_INFINITY;
      const later = reporter.lexicalErrors.filter((offset) => offset >= boundary);
      if (later.length < reporter.lexicalErrors.length) draft.faulty = true;
      reporter.lexicalErrors = later;
    }
    return assembleStep(draft, reporter);
  }

  private piece(next: Token): void {
    const starts = startsOperand(next.type);
    if ((starts || next.type === "Bang") && wantsCondition(this.draft)) addCondition(this.draft, this.condition(next));
    else if (starts) this.takePiece(null, this.operand(), next);
    else if (next.type === "Arrow") this.arrowPiece();
    else this.takeMark(this.take());
  }

  private arrowPiece(): void {
    const arrow = this.take();
    const next = this.peek();
    if (next === undefined || !this.arrowTakes(next)) this.takeLoneArrow(arrow);
    else this.takePiece(arrow, this.operand(), next);
  }

  /** An arrow takes the word behind it; a structure never, and on a label line no op word that starts a step. */
  private arrowTakes(next: Token): boolean {
    if (!isAtom(next.type)) return false;
    return next.type !== "OpWord" || !this.inline || next.glued || !isFilled(this.draft);
  }

  /** `first` is the first token of the operand. */
  private takePiece(arrow: Token | null, operand: Operand, first: Token): void {
    if (arrow === null && this.isLoopAs(first)) {
      this.draft.end = first.span;
      return;
    }
    const { type } = first;
    const atom = !opensStructure(type);
    const slot: Slot = atom
      ? { span: first.span, text: first.value, quoted: type === "Text" }
      : { span: operand.span, text: this.structureText(operand.span), quoted: false };
    addPiece(this.draft, {
      arrow: arrow === null ? null : arrow.span,
      operand,
      mark: null,
      atom,
      name: type === "NameWord" || type === "OpWord",
      slot,
      span: arrow === null ? operand.span : spanOver(arrow.span, operand.span),
    });
  }

  /** A structure as written, on one line. */
  private structureText(span: Span): string {
    const { source, comments } = this.reporter;
    if (span.line === span.end_line) return source.text.slice(span.start, span.end);
    return joinLines(source.text, span.start, span.end, comments);
  }

  private isLoopAs(first: Token): boolean {
    if (first.image !== "as" || !wantsItem(this.draft) || this.sees("Arrow")) return false;
    // Behind an `as` that was left out, another one is the item's name.
    return this.draft.end === this.draft.pieces[this.draft.pieces.length - 1]?.span;
  }

  private takeLoneArrow({ span, image }: Token): void {
    const slot: Slot = { span, text: image, quoted: false };
    addPiece(this.draft, { arrow: span, operand: null, mark: null, atom: false, name: false, slot, span });
  }

  private takeMark({ span, image }: Token): void {
    const slot: Slot = { span, text: image, quoted: false };
    addPiece(this.draft, { arrow: null, operand: null, mark: image, atom: true, name: false, slot, span });
  }

  // ---- steps on a label line ----

  inlineSteps(): InlineItem[] {
    const items: InlineItem[] = [];
    for (let next = this.peek(); next !== undefined; next = this.peek()) {
      items.push(next.type === "OpWord" ? this.step() : this.junk(next));
    }
    return items;
  }

  /** Words up to the next op word. */
  private junk(first: Token): Junk {
    this.draft = startDraft(NO_OP, { span: first.span, text: "", quoted: false });
    this.depth = 0;
    let last = first.span;
    while (this.peek() !== undefined && !this.sees("OpWord")) {
      last = this.seesOperand() ? this.operand().span : this.take().span;
    }
    return { junk: true, first, span: spanOver(first.span, last) };
  }

  // ---- conditions ----

  private condition(first: Token): Condition {
    let negations = 0;
    this.depth++;
    while (this.seesNegation()) {
      this.take();
      negations++;
    }
    const condition = this.seesOperand() ? this.comparison() : null;
    this.depth--;
    if (condition !== null) return negate(condition, negations, first.span);
    this.reportUnexpected(first);
    return { c: "truthy", of: { k: "null", span: first.span }, span: first.span };
  }

  /** `!`, or the word `not` with something behind that a condition can begin with. */
  private seesNegation(): boolean {
    const next = this.peek();
    if (next === undefined || next.type === "Bang") return next !== undefined;
    if (next.type !== "NameWord" || next.image !== "not") return false;
    const behind = this.peek(1);
    return behind !== undefined && (behind.type === "Bang" || startsOperand(behind.type));
  }

  private comparison(): Condition {
    this.allowTextEquality = this.sees("OpenParen");
    const left = this.operand();
    if (this.sees("Question")) return { c: "present", of: left, span: spanOver(left.span, this.take().span) };
    if (!this.sees("Compare")) return plainCondition(left, this.reporter);
    const compare = this.take();
    const right = compare.value !== "" && this.seesOperand() ? this.operand() : null;
    if (right === null && compare.image !== "=") this.reportUnexpected(compare);
    return comparisonOf(left, compare, right, this.reporter);
  }
}

/** Reads a step on its own line. */
export function readStep(lexer: StatementLexer, reporter: Reporter): Step {
  return new StatementParser(lexer, reporter, false).step();
}

/** Reads an adapter call that is written without its `R`. */
export function readCall(lexer: StatementLexer, reporter: Reporter, word: Slot): Step {
  return new StatementParser(lexer, reporter, false).call(word);
}

/** Reads what stands behind a label. */
export function readInlineSteps(lexer: StatementLexer, reporter: Reporter): InlineItem[] {
  return new StatementParser(lexer, reporter, true).inlineSteps();
}

/** Reads a statement for the sake of its last step: what may come next is read off it. null: no op word yet. */
export function readDraft(lexer: StatementLexer, reporter: Reporter, inline: boolean): Draft | null {
  if (lexer.tokens[0]?.type !== "OpWord") return null;
  const parser = new StatementParser(lexer, reporter, inline);
  if (inline) parser.inlineSteps();
  else parser.step();
  return parser.lastDraft;
}
