/** The rules of conditions: a subject, and what is said of it. In a condition the word of an op is an operand like others. */
import type { Condition, Operand } from "../ast.ts";
import { comparisonOf, negate, plainCondition } from "../operands/conditions.ts";
import type { Token } from "../operands/tokens.ts";
import { spanOver } from "../text/span.ts";
import type { Rule } from "./base-parser.ts";
import { NOTHING, OperandParser } from "./operand-parser.ts";
import * as T from "./tokens.ts";

const NO_CONDITION: Condition = { c: "truthy", of: NOTHING, span: NOTHING.span };

export abstract class ConditionParser extends OperandParser {
  /** `If` and `While` after a label: only here it is known whether they start a step, and so whether a condition follows. */
  protected abstract goOnAfter(word: Token, startsStep: boolean): void;

  protected override atom(token: Token): Operand {
    if (token.type === "OpWord") this.goOnAfter(token, false);
    return super.atom(token);
  }

  private readonly anyOperand: Rule<Operand> = this.rule("any-operand", () => this.OR(this.anyOperands));
  private readonly anyOperands = [
    { ALT: () => this.atom(this.taken(this.CONSUME(T.Atom))) },
    { ALT: () => this.SUBRULE(this.structure) },
    { ALT: () => this.atom(this.taken(this.CONSUME(T.OpWord))) },
  ];

  readonly condition: Rule<Condition> = this.rule("condition", (): Condition => {
    const first = this.ahead();
    let negations = 0;
    this.depth++;
    if (this.RECORDING_PHASE || this.negates()) {
      this.MANY({
        GATE: () => this.negates(),
        DEF: () => {
          negations++;
          this.OR(this.negations);
        },
      });
    }
    const hasSubject = negations === 0 || T.beginsOperand(this.ahead(), true) || this.RECORDING_PHASE;
    const condition = hasSubject ? this.comparison() : null;
    this.depth--;
    if (this.RECORDING_PHASE) return NO_CONDITION;
    if (condition !== null) return negate(condition, negations, first.span);
    this.reportUnexpected(first);
    return { c: "truthy", of: { k: "null", span: first.span }, span: first.span };
  });

  private readonly negations = [{ ALT: () => this.CONSUME(T.Bang) }, { ALT: () => this.CONSUME(T.Not) }];

  /** `!`, or the word `not` with something after that a condition can begin with. */
  private negates(): boolean {
    const { type, image } = this.ahead();
    if (type === "Bang") return true;
    if (image !== "not" || type !== "NameWord") return false;
    const after = this.ahead(2);
    return after.type === "Bang" || T.beginsOperand(after, true);
  }

  /** The rest of a condition's rule: its subject and what is said of it. */
  private comparison(): Condition {
    this.allowTextEquality = this.ahead().type === "OpenParen";
    this.subject = this.SUBRULE(this.anyOperand);
    return this.OPTION(this.said) ?? plainCondition(this.subject, this.reporter);
  }

  private subject: Operand = NOTHING;
  private readonly said = (): Condition => this.OR2(this.comparisons);
  private readonly comparisons = {
    DEF: [
      { ALT: () => this.present(this.taken(this.CONSUME(T.Question))) },
      { ALT: () => this.textEqual(this.taken(this.CONSUME(T.Equals))) },
      { ALT: () => this.compared(this.taken(this.CONSUME(T.Compare))) },
    ],
    IGNORE_AMBIGUITIES: true,
  };

  private present(mark: Token): Condition {
    if (this.RECORDING_PHASE) return NO_CONDITION;
    return { c: "present", of: this.subject, span: spanOver(this.subject.span, mark.span) };
  }

  private textEqual(compare: Token): Condition {
    const { subject } = this;
    const right = this.OPTION2({ GATE: () => compare.value !== "", DEF: () => this.SUBRULE2(this.anyOperand) });
    return this.RECORDING_PHASE ? NO_CONDITION : comparisonOf(subject, compare, right ?? null, this.reporter);
  }

  private compared(compare: Token): Condition {
    const { subject } = this;
    const hasRight = this.RECORDING_PHASE || (compare.value !== "" && T.beginsOperand(this.ahead(), true));
    const right = hasRight ? this.SUBRULE3(this.anyOperand) : null;
    if (this.RECORDING_PHASE) return NO_CONDITION;
    if (right === null) this.reportUnexpected(compare);
    return comparisonOf(subject, compare, right, this.reporter);
  }
}
