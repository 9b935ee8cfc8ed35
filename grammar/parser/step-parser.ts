/**
 * The rules of steps. Every step op of the op table has one, made from its row: its word, then its slots in order. What does not belong
 * in a slot is read by `misplaced`, and what stands after the last slot by `surplus`, so that all of a line is known when its findings
 * are made; no step's rule names them, so the grammar as data holds only what is right. Which slot a piece fills is kept in the draft
 * (steps/draft.ts). A slot for which nothing is left ends the step: chevrotain continues at the end of the statement.
 */
import type { IToken, ParserMethod } from "chevrotain";
import type { Operand, Slot, Step } from "../ast.ts";
import { isAtom, opensStructure, startsOperand, type Token } from "../operands/tokens.ts";
import { findOp, isRequired, OPS, type Op, type Slot as OpSlot, type SlotClass } from "../ops.ts";
import { addCondition, addPiece, type Draft, isFilled, startDraft, wantsVerb } from "../steps/draft.ts";
import { assembleStep } from "../steps/steps.ts";
import { joinLines } from "../text/source.ts";
import { type Span, spanOver } from "../text/span.ts";
import type { Rule } from "./base-parser.ts";
import { ConditionParser } from "./condition-parser.ts";
import { NOTHING } from "./operand-parser.ts";
import * as T from "./tokens.ts";

/** Stands in where no step is being read. */
const NO_OP = findOp("J") as Op;
const NO_STEP = startDraft(NO_OP, { span: NOTHING.span, text: "", quoted: false });

/** Slots in which a list, map or call may stand. */
const STRUCTURED: ReadonlySet<SlotClass> = new Set(["operand", "key", "lenient", "fn"]);
/** The occurrence of what stands after the last slot: chevrotain tells equal parts of a rule apart by number. */
const LAST = 99;
/** Occurrences of words that stand after an arrow. */
const ARROWS = 100;
/** Occurrences of what may follow more than once. */
const FURTHER = 70;
/** Occurrences of a result that stands after the last slot. */
const AFTER_REST = 50;

/** The word between the list and the item of a Loop. */
const AS = { LABEL: "as" };

/** `step-cache-get`: the name of an op's rule, as the generated grammars write it. */
export function ruleNameOf(op: Op): string {
  const words = op.name.replace(/([a-z])([A-Z])/g, "$1-$2").replace(/[^A-Za-z0-9]+/g, "-");
  return `${op.kind}-${words.toLowerCase()}`;
}

/** `operand@value`, `enum:asc,desc@order`: what readers of the grammar learn of a slot. */
function labelOf({ class: slotClass, values, name }: OpSlot): string {
  return `${values === null ? slotClass : `${slotClass}:${values.join()}`}@${name}`;
}

const STEP_OPS: readonly Op[] = OPS.filter(({ kind }) => kind === "step");
const CALL = findOp("R") as Op;

const NO_ERRORS: readonly number[] = [];

/** Words between inline steps that belong to none. */
export type Junk = { readonly junk: true; readonly first: Token; readonly span: Span };

export abstract class StepParser extends ConditionParser {
  /** The step that is being read. */
  protected draft: Draft = NO_STEP;
  /** Steps follow each other on one line, after their label. */
  protected inline = false;
  /** Offsets of the lexer's errors in the statement that no step has taken yet. */
  private lexicalErrors: readonly number[] = [];

  /** At the end of the statement. */
  private atEnd(): boolean {
    const { type } = this.ahead();
    return type === "End" || type === undefined;
  }

  protected begin(draft: Draft): void {
    this.draft = draft;
    this.around = draft;
    this.depth = 0;
  }

  protected beginStatement(errors: readonly number[] | null, inline: boolean): void {
    this.lexicalErrors = errors ?? NO_ERRORS;
    this.inline = inline;
  }

  // ---- pieces ----

  /** An operand, an arrow with its word, or a mark that stands alone. */
  readonly piece: Rule<void> = this.rule("piece", () => {
    this.OR(this.pieces);
  });
  private readonly pieces = [
    { ALT: () => this.placeAtom(null, this.CONSUME(T.Atom)) },
    { ALT: () => this.placeStructure(this.SUBRULE(this.structure)) },
    { ALT: () => this.SUBRULE(this.reference) },
    { ALT: () => this.placeMark(this.CONSUME(T.Mark)) },
    { ALT: () => this.placeMark(this.CONSUME(T.Bang)) },
  ];

  /** The same, or the word of an op that starts no step where it stands. */
  private readonly anyPiece: Rule<void> = this.rule("any-piece", () => {
    this.OR([{ ALT: () => this.SUBRULE(this.piece) }, { ALT: () => this.placeAtom(null, this.CONSUME(T.OpWord)) }]);
  });

  /**
   * An arrow and the word it takes: a structure never, and on a label line no op word that starts a step. The label names the slot;
   * `index` tells the arrow from others in its rule.
   */
  private arrowReader(index: number, label: string): () => void {
    const options = { LABEL: label };
    return () => {
      const arrow = this.consume(index, T.Arrow);
      const { type, glued } = this.ahead();
      if (this.RECORDING_PHASE || (isAtom(type) && type !== "OpWord")) {
        this.placeAtom(arrow, this.consume(ARROWS + index, T.Atom, options));
      } else if (type === "OpWord" && (!this.inline || glued || !isFilled(this.draft))) {
        this.placeAtom(arrow, this.consume(ARROWS + index, T.OpWord));
      } else this.placeAlone(this.taken(arrow), null);
    };
  }

  private readonly reference: Rule<void> = this.rule("reference", this.arrowReader(0, "ref"));

  private placeAtom(arrow: IToken | null, token: IToken): void {
    if (this.RECORDING_PHASE) return;
    const word = this.taken(token);
    const operand = this.atom(word);
    const { span, type, value } = word;
    const before = arrow === null ? null : this.taken(arrow).span;
    addPiece(this.draft, {
      arrow: before,
      operand,
      mark: null,
      atom: true,
      name: type === "OpWord" || type === "NameWord",
      slot: { span, text: value, quoted: type === "Text" },
      span: before === null ? span : spanOver(before, span),
    });
  }

  private placeStructure(operand: Operand): void {
    if (this.RECORDING_PHASE) return;
    const { span } = operand;
    const slot: Slot = { span, text: this.structureText(span), quoted: false };
    addPiece(this.draft, { arrow: null, operand, mark: null, atom: false, name: false, slot, span });
  }

  private placeMark(token: IToken): void {
    if (!this.RECORDING_PHASE) this.placeAlone(this.taken(token), token.image);
  }

  /** A mark, or an arrow without a word. */
  private placeAlone({ span, image }: Token, mark: string | null): void {
    const arrow = mark === null ? span : null;
    const slot: Slot = { span, text: image, quoted: false };
    addPiece(this.draft, { arrow, operand: null, mark, atom: mark !== null, name: false, slot, span });
  }

  /** A structure as written, on one line. */
  private structureText(span: Span): string {
    const { source, comments } = this.reporter;
    if (span.line === span.end_line) return source.text.slice(span.start, span.end);
    return joinLines(source.text, span.start, span.end, comments);
  }

  // ---- slots ----

  /** Whatever stands in the place of a slot, until the slot is filled. */
  private readonly misplaced: Rule<void> = this.rule("misplaced", () => {
    const before = this.draft.filled.length;
    this.AT_LEAST_ONE({
      GATE: () => this.draft.filled.length === before,
      DEF: () => this.SUBRULE(this.anyPiece),
    });
  });

  /** Whatever stands after the last slot. */
  private readonly surplus: Rule<void> = this.rule("surplus", () => this.MANY(() => this.SUBRULE(this.piece)));

  /** Marks and arrows where a condition is due. */
  private readonly stray: Rule<void> = this.rule("stray", () => {
    this.OR([{ ALT: () => this.SUBRULE(this.reference) }, { ALT: () => this.placeMark(this.CONSUME(T.Mark)) }]);
  });

  /**
   * Reads the slots of an op from `index` on. An optional word is followed by others only where it stands; a result or node stands for
   * itself. A result that other slots may follow may also stand after them, where the formatter puts it.
   */
  private slotsReader(op: Op, index = 0): () => void {
    const slot = op.slots[index];
    if (slot === undefined) return () => {};
    const rest = this.slotsReader(op, index + 1);
    if (isRequired(slot)) return inOrder(this.requiredReader(op, slot, index), rest);
    const read = this.optionalForm(slot, index);
    if (slot.repeat) return inOrder(() => this.many(index, read), rest);
    if (slot.class !== "out" && slot.class !== "node") return () => this.option(index, inOrder(read, rest));
    const next = op.slots[index + 1];
    if (slot.class === "node" || next === undefined) return inOrder(() => this.option(index, read), rest);
    const last = this.arrowReader(AFTER_REST + index, labelOf(slot));
    const word = this.optionalForm(next, AFTER_REST + index + 1);
    const orders = [{ ALT: inOrder(read, rest) }, { ALT: inOrder(word, () => this.option(AFTER_REST + index, last)) }];
    return () => this.option(index, () => this.or(AFTER_REST + index, orders));
  }

  private requiredReader(op: Op, slot: OpSlot, index: number): () => void {
    if (slot.class === "cond") return this.conditionReader(index);
    const read = this.requiredSlot(slot, index);
    if (slot.repeat) return this.repeated(read, slot, index);
    if (op.name === "Loop" && slot.class === "name") return this.afterAs(read);
    return slot.class === "call" ? this.withSplitVerb(read, index) : read;
  }

  private requiredSlot(slot: OpSlot, index: number): () => void {
    const arrow = slot.class === "ref" ? [{ ALT: this.arrowReader(index, labelOf(slot)) }] : [];
    const read = this.oneOf([...arrow, ...this.wordForms(slot, index)], index);
    return () => {
      if (this.RECORDING_PHASE || this.fits(slot.class)) read();
      else this.subrule(index, this.misplaced);
    };
  }

  /** Whether what is ahead belongs in a slot of this class. */
  private fits(slotClass: SlotClass): boolean {
    const { type } = this.ahead();
    if (type === "Arrow") return slotClass === "ref";
    if (type === "Compare") return slotClass === "cmp";
    if (opensStructure(type)) return STRUCTURED.has(slotClass);
    return isAtom(type) && type !== "OpWord";
  }

  /** One reference after the other: at least one. */
  private repeated(read: () => void, slot: OpSlot, index: number): () => void {
    const further = this.arrowReader(FURTHER + index, labelOf(slot));
    return () => {
      read();
      this.many(FURTHER + index, further);
    };
  }

  private oneOf(forms: readonly { readonly ALT: () => void }[], index: number): () => void {
    const [only, other] = forms;
    const choice = [...forms];
    return other === undefined && only !== undefined ? only.ALT : () => this.or(index, choice);
  }

  private optionalForm(slot: OpSlot, index: number): () => void {
    if (slot.class === "ref" || slot.class === "out") return this.arrowReader(index, labelOf(slot));
    return this.oneOf(this.wordForms(slot, index), index);
  }

  /** One word of a slot, or a structure. */
  private wordForms(slot: OpSlot, index: number): { ALT: () => void }[] {
    const type = slot.class === "node" ? T.Node : T.Atom;
    const options = { LABEL: labelOf(slot) };
    const word = { ALT: () => this.placeAtom(null, this.consume(index, type, options)) };
    if (slot.class === "cmp") return [word, { ALT: () => this.placeMark(this.consume(index, T.Compare, options)) }];
    const structure = { ALT: () => this.placeStructure(this.subrule(index, this.structure)) };
    return STRUCTURED.has(slot.class) ? [word, structure] : [word];
  }

  private conditionReader(index: number): () => void {
    return () => {
      while (!this.RECORDING_PHASE && this.seesStray()) this.subrule(index, this.stray);
      const condition = this.subrule(index, this.condition);
      if (!this.RECORDING_PHASE) addCondition(this.draft, condition);
    };
  }

  private seesStray(): boolean {
    const { type } = this.ahead();
    return type !== "Bang" && !startsOperand(type) && !this.atEnd();
  }

  /** The word `as` may stand before the item name of a Loop. After an `as` that was left out, another one is the name. */
  private afterAs(read: () => void): () => void {
    return () => {
      const { span } = this.ahead();
      this.option(LAST, {
        GATE: () => this.ahead().image === "as" && this.ahead(2).type !== "Arrow",
        DEF: () => {
          this.consume(LAST, T.Atom, AS);
          if (!this.RECORDING_PHASE) this.draft.end = span;
        },
      });
      read();
    };
  }

  /** The verb of `R adapter VERB`, or what stands in its place. */
  private withSplitVerb(read: () => void, index: number): () => void {
    return () => {
      read();
      if (!this.RECORDING_PHASE && wantsVerb(this.draft) && !this.atEnd()) this.subrule(index, this.anyPiece);
    };
  }

  // ---- steps ----

  private readonly slotsReaders: ReadonlyMap<Op, () => void> = new Map(
    STEP_OPS.map((op) => [op, this.slotsReader(op)]),
  );

  private readSlots(op: Op): void {
    this.slotsReaders.get(op)?.();
    if (!this.RECORDING_PHASE && !this.atEnd()) this.subrule(LAST, this.surplus);
  }

  private readonly end = (): Step => this.finishStep();

  /** The rule of each op. A step that lacks a slot ends there. */
  protected readonly stepRules: readonly Rule<Step>[] = STEP_OPS.map((op) => {
    const type = T.opToken(op);
    const read = (): Step => {
      const word = this.taken(this.CONSUME(type));
      if (!this.RECORDING_PHASE) this.beginStep(op, word);
      this.readSlots(op);
      return this.finishStep();
    };
    return this.RULE(ruleNameOf(op), read, { recoveryValueFunc: this.end });
  });

  private beginStep(op: Op, word: Token): void {
    this.begin(startDraft(op, { span: word.span, text: word.image, quoted: false }));
    this.goOnAfter(word, true);
  }

  readonly step: Rule<Step> = this.rule("step", () => this.OR(this.steps));
  private readonly steps = this.stepRules.map((rule) => ({ ALT: () => this.SUBRULE(rule) }));

  /** An adapter call whose `R` is not written. */
  readonly call: ParserMethod<[Slot], Step> = this.RULE(
    "call-line",
    (word: Slot) => {
      if (!this.RECORDING_PHASE) this.begin(startDraft(CALL, word));
      this.readSlots(CALL);
      return this.end();
    },
    { recoveryValueFunc: this.end },
  );

  private finishStep(): Step {
    const { draft, lexicalErrors } = this;
    if (this.RECORDING_PHASE) return NO_STEP_READ;
    if (lexicalErrors.length > 0) {
      const boundary = this.atEnd() ? Infinity : this.ahead().span.start;
      const later = lexicalErrors.filter((offset) => offset >= boundary);
      if (later.length < lexicalErrors.length) draft.faulty = true;
      this.lexicalErrors = later;
    }
    return assembleStep(draft, this.reporter);
  }

  // ---- steps after a label ----

  /** Words up to the next op word. */
  readonly junk: Rule<Junk> = this.rule("junk", (): Junk => {
    const first = this.ahead();
    if (!this.RECORDING_PHASE) this.begin(startDraft(NO_OP, { span: first.span, text: "", quoted: false }));
    let last = first.span;
    const take = (token: IToken): void => {
      last = this.taken(token).span;
    };
    this.AT_LEAST_ONE(() =>
      this.OR([
        {
          ALT: () => {
            last = this.SUBRULE(this.operand).span;
          },
        },
        { ALT: () => take(this.CONSUME(T.Mark)) },
        { ALT: () => take(this.CONSUME(T.Arrow)) },
        { ALT: () => take(this.CONSUME(T.Bang)) },
      ]),
    );
    return { junk: true, first, span: this.RECORDING_PHASE ? NOTHING.span : spanOver(first.span, last) };
  });
}

function inOrder(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}

/** What a rule returns while chevrotain records the grammar. */
const NO_STEP_READ = null as unknown as Step;
