/**
 * Operands and operators in a row → one expression, with the precedence of Python: `or`, `and`, `not`, comparisons, `+ -`, `* / // %`, a sign
 * before an operand, `**`. Works without recursion over the row: a row may be as long as a line.
 */
import type { Slot } from "../../ast.ts";
import { type Span, spanOver } from "../../text/span.ts";
import type { Expression } from "../tree.ts";

/** What stands before an operand: `not`, `!`, `-`. */
export type Prefix = { readonly kind: "not" | "-"; readonly slot: Slot };
/** `is not` and `not in` are one operator. */
export type Infix = { readonly text: string; readonly slot: Slot };
export type Signed = { readonly prefixes: readonly Prefix[]; readonly operand: Expression };

const LEVELS: ReadonlyMap<string, number> = new Map([
  ["or", 1],
  ["and", 2],
  ...["==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"].map((text) => [text, 4] as const),
  ["+", 5],
  ["-", 5],
  ["*", 6],
  ["/", 6],
  ["//", 6],
  ["%", 6],
  ["**", 8],
]);
const NOT_LEVEL = 3;
const SIGN_LEVEL = 7;
const COMPARE_LEVEL = 4;

/** The functions that compute. */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  "+": "plus",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "//": "idiv",
  "%": "mod",
  "**": "pow",
};

/** `bound` sees every expression that is made of others, and may replace it. */
export function combine(
  operands: readonly Signed[],
  operators: readonly Infix[],
  bound: (made: Expression) => Expression,
): Expression {
  return new Row(operands, operators, bound).all();
}

class Row {
  private at = 0;
  private readonly operands: readonly Signed[];
  private readonly operators: readonly Infix[];
  private readonly bound: (made: Expression) => Expression;

  constructor(operands: readonly Signed[], operators: readonly Infix[], bound: (made: Expression) => Expression) {
    this.operands = operands;
    this.operators = operators;
    this.bound = bound;
  }

  all(): Expression {
    return this.from(1);
  }

  /** Operators of `level` and above. It recurses once per level at most. */
  private from(level: number): Expression {
    let left = this.signed(this.operands[this.at] as Signed, 0, level);
    for (;;) {
      const operator = this.operators[this.at];
      const own = operator === undefined ? 0 : (LEVELS.get(operator.text) ?? 0);
      if (operator === undefined || own < level) return left;
      left = this.joined(left, operator, own);
    }
  }

  private signed({ prefixes, operand }: Signed, from: number, level: number): Expression {
    const first = prefixes[from];
    if (first === undefined) return operand;
    let end = from;
    while (prefixes[end]?.kind === first.kind) end++;
    const isNot = first.kind === "not";
    const rest = { prefixes: prefixes.slice(end), operand };
    let inner = this.signed(rest, 0, level);
    const own = isNot ? NOT_LEVEL : SIGN_LEVEL;
    // What binds more tightly than the sign belongs to it: `not a == b`, `-a ** b`.
    for (let next = this.operators[this.at]; next !== undefined; next = this.operators[this.at]) {
      const nextLevel = LEVELS.get(next.text) ?? 0;
      if (nextLevel <= own) break;
      inner = this.joined(inner, next, nextLevel);
    }
    return this.prefixed(first, end - from, inner);
  }

  private prefixed({ kind, slot }: Prefix, count: number, of: Expression): Expression {
    const span = spanOver(slot.span, of.span);
    if (kind === "-") return count % 2 === 0 ? of : this.bound({ e: "negative", word: slot, of, span });
    const word = { ...slot, text: "not" };
    const once = this.bound({ e: "not", word, of, span });
    return count % 2 === 1 ? once : this.bound({ e: "not", word, of: once, span });
  }

  private joined(left: Expression, operator: Infix, level: number): Expression {
    const { text, slot } = operator;
    if (text === "and" || text === "or") return this.alternatives(left, text, slot, level);
    if (level === COMPARE_LEVEL) return this.comparison(left);
    this.at++;
    const right = this.from(text === "**" ? level : level + 1);
    const span = spanOver(left.span, right.span);
    return this.bound({ e: "compute", fn: FUNCTIONS[text] ?? "plus", word: slot, left, right, span });
  }

  private alternatives(left: Expression, e: "and" | "or", word: Slot, level: number): Expression {
    const of = [left];
    while (this.operators[this.at]?.text === e) {
      this.at++;
      of.push(this.from(level + 1));
    }
    return this.bound({ e, word, of, span: over(left, of) });
  }

  private comparison(left: Expression): Expression {
    const of = [left];
    const ops: Slot[] = [];
    for (let next = this.operators[this.at]; next !== undefined; next = this.operators[this.at]) {
      if (LEVELS.get(next.text) !== COMPARE_LEVEL) break;
      ops.push({ ...next.slot, text: next.text });
      this.at++;
      of.push(this.from(COMPARE_LEVEL + 1));
    }
    return this.bound({ e: "compare", ops, of, span: over(left, of) });
  }
}

function over(first: Expression, parts: readonly Expression[]): Span {
  return spanOver(first.span, (parts.at(-1) ?? first).span);
}
