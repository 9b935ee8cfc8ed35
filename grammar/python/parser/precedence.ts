/**
 * Operands and operators in a row → one expression, with Python's precedence. Works without recursion: a row may be as long as a file.
 */
import type { Token } from "../lexing/tokens.ts";
import { Refusal } from "../refusal.ts";
import type { BinaryOperator, CompareOperator, Expr, UnaryOperator } from "../tree.ts";

const OR = 1;
const AND = 2;
const NOT = 3;
const COMPARE = 4;
export const BITWISE_OR = 5;
const SIGN = 11;
const POWER = 12;

/** The operators between two operands: how tightly each binds. */
export const LEVELS: ReadonlyMap<string, number> = new Map([
  ["or", OR],
  ["and", AND],
  ...["==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"].map((text) => [text, COMPARE] as const),
  ["|", BITWISE_OR],
  ["^", 6],
  ["&", 7],
  ["<<", 8],
  [">>", 8],
  ["+", 9],
  ["-", 9],
  ["*", 10],
  ["/", 10],
  ["//", 10],
  ["%", 10],
  ["@", 10],
  ["**", POWER],
]);

/** An operand with the brackets around it: an operation begins and ends with those of its operands. */
type Operand = { readonly value: Expr; readonly start: number; readonly end: number; readonly line: number };
type Waiting = { readonly text: string; readonly level: number; readonly sign: Token | null };

export class Row {
  private readonly operands: Operand[] = [];
  private readonly waiting: Waiting[] = [];
  /** The level of the loosest operator. */
  loosest = POWER + 1;

  /** `not`, `-`, `+` or `~` before an operand. */
  prefix(sign: Token): void {
    const isNot = sign.image === "not";
    const before = this.waiting.at(-1);
    if (isNot && before !== undefined && before.level > NOT) throw new Refusal("not_in_operand", sign);
    this.wait({ text: sign.image, level: isNot ? NOT : SIGN, sign });
  }

  operand(value: Expr, first: Token, last: Token): void {
    this.operands.push({ value, start: first.start, end: last.end, line: first.line });
  }

  infix(text: string): void {
    const level = LEVELS.get(text) ?? 0;
    // Comparisons, `and` and `or` gather all their operands; `**` binds from the right.
    const gathers = level === COMPARE || level === AND || level === OR || level === POWER;
    for (let top = this.waiting.at(-1); top !== undefined; top = this.waiting.at(-1)) {
      if (top.level < level || (top.level === level && gathers)) break;
      this.reduce();
    }
    this.wait({ text, level, sign: null });
  }

  finish(): Expr {
    while (this.waiting.length > 0) this.reduce();
    return (this.operands[0] as Operand).value;
  }

  private wait(operator: Waiting): void {
    this.waiting.push(operator);
    if (operator.level < this.loosest) this.loosest = operator.level;
  }

  private reduce(): void {
    const operator = this.waiting.pop() as Waiting;
    if (operator.sign !== null) this.reducePrefix(operator.sign);
    else if (operator.level === COMPARE) this.reduceComparison(operator);
    else if (operator.level <= AND) this.reduceAlternatives(operator);
    else {
      const right = this.operands.pop() as Operand;
      const left = this.operands.pop() as Operand;
      this.push(binary(operator.text as BinaryOperator, left, right));
    }
  }

  private push(value: Expr): void {
    this.operands.push({ value, start: value.start, end: value.end, line: value.line });
  }

  private reducePrefix({ image, start, line }: Token): void {
    const { value, end } = this.operands.pop() as Operand;
    this.push({ kind: "UnaryOp", op: image as UnaryOperator, operand: value, start, end, line });
  }

  private gather(last: Waiting): { readonly parts: readonly Operand[]; readonly texts: readonly string[] } {
    const { waiting, operands } = this;
    let count = 1;
    while (isLike(waiting[waiting.length - count], last)) count++;
    const texts = [...waiting.splice(waiting.length - count + 1), last].map(({ text }) => text);
    return { parts: operands.splice(operands.length - count - 1), texts };
  }

  private reduceComparison(last: Waiting): void {
    const { parts, texts } = this.gather(last);
    const [left, ...others] = parts as [Operand, ...Operand[]];
    const comparators = others.map(({ value }) => value);
    const ops = texts as readonly CompareOperator[];
    this.push({ kind: "Compare", left: left.value, ops, comparators, ...over(left, others.at(-1) ?? left) });
  }

  private reduceAlternatives(last: Waiting): void {
    const { parts } = this.gather(last);
    const values = parts.map(({ value }) => value);
    const op = last.level === OR ? "or" : "and";
    this.push({ kind: "BoolOp", op, values, ...over(parts[0] as Operand, parts.at(-1) as Operand) });
  }
}

/** A row of two operands. */
function binary(op: BinaryOperator, left: Operand, right: Operand): Expr {
  return {
    kind: "BinOp",
    left: left.value,
    op,
    right: right.value,
    start: left.start,
    end: right.end,
    line: left.line,
  };
}

function isLike(operator: Waiting | undefined, last: Waiting): boolean {
  return operator !== undefined && operator.level === last.level && operator.sign === null;
}

function over(first: Operand, last: Operand): Pick<Operand, "start" | "end" | "line"> {
  return { start: first.start, end: last.end, line: first.line };
}
