/**
 * What an expression means: as a condition it keeps the forms of the opcode form as far as they go, as a value it
 * is an operand made of nested calls. A name alone is null when it is absent, so in values it is written as a variable.
 */
import type { Comparator, Condition, Operand, Slot } from "../ast.ts";
import { operandsIn } from "../operands.ts";
import type { Expression } from "./expressions.ts";

/** Constants of other languages: as text on the right of a comparison they go unnoticed, as variables in a call they are checked. */
const FOREIGN_CONSTANTS: ReadonlySet<string> = new Set([
  "None",
  "True",
  "False",
  "TRUE",
  "FALSE",
  "Null",
  "NULL",
  "nil",
  "undefined",
]);

export function asCondition(expression: Expression): Condition {
  const { span } = expression;
  switch (expression.e) {
    case "operand":
      return { c: "truthy", of: expression.of, span };
    case "present":
      return { c: "present", of: expression.of, span };
    case "compare": {
      const { left, right } = expression;
      const op = comparatorOf(expression.op);
      const fn = op === "==" ? "eq" : op === "!=" ? "ne" : null;
      if (fn !== null && right.e === "operand" && isForeignConstant(right)) {
        return { c: "truthy", of: callOf(fn, expression.op, [asValue(left), asValue(right)], span), span };
      }
      return { c: "cmp", op, left: sideOf(left), right: sideOf(right), span };
    }
    case "not":
      return { c: "not", of: asCondition(expression.of), span };
    default:
      return { c: "truthy", of: asValue(expression), span };
  }
}

export function asValue(expression: Expression): Operand {
  const { span } = expression;
  switch (expression.e) {
    case "operand":
      return nullWhenAbsent(expression.of);
    case "present":
      return callOf(
        "ne",
        expression.mark,
        [nullWhenAbsent(expression.of), { k: "null", span: expression.mark.span }],
        span,
      );
    case "compare": {
      const fn = { ...expression.op, text: comparatorOf(expression.op) };
      return { k: "call", fn, args: [asValue(expression.left), sideOf(expression.right)], infix: true, span };
    }
    case "not":
      return callOf("not", expression.word, [asValue(expression.of)], span);
    default:
      return balanced(expression.e, expression.word, expression.of.map(asValue));
  }
}

/** How many calls, lists and maps stand in one another. */
export function nestingOf(operand: Operand): number {
  const inner = operandsIn(operand);
  return inner === null ? 0 : 1 + inner.reduce((most, one) => Math.max(most, nestingOf(one)), 0);
}

/** `=` has its finding, and means what it was meant for. */
function comparatorOf({ text }: Slot): Comparator {
  return text === "=" ? "==" : (text as Comparator);
}

/** In a comparison a name is read as conditions read it: the right one may be text. */
function sideOf(expression: Expression): Operand {
  if (expression.e !== "operand") return asValue(expression);
  return isForeignConstant(expression) ? nullWhenAbsent(expression.of) : expression.of;
}

function isForeignConstant({ of }: Expression & { e: "operand" }): boolean {
  return of.k === "name" && FOREIGN_CONSTANTS.has(of.v);
}

function nullWhenAbsent(operand: Operand): Operand {
  if (operand.k === "name") return { k: "var", v: operand.v, span: operand.span };
  return operand.k === "path" ? { ...operand, text: null } : operand;
}

/** Functions take two; halves keep the calls few deep, however many parts there are. */
function balanced(fn: "and" | "or", word: Slot, parts: readonly Operand[]): Operand {
  const [first] = parts;
  const last = parts[parts.length - 1];
  if (first === undefined || last === undefined) return { k: "null", span: word.span };
  if (parts.length === 1) return first;
  const half = Math.ceil(parts.length / 2);
  const args = [balanced(fn, word, parts.slice(0, half)), balanced(fn, word, parts.slice(half))];
  return callOf(fn, word, args, {
    ...first.span,
    end_line: last.span.end_line,
    end_column: last.span.end_column,
    end: last.span.end,
  });
}

function callOf(name: string, word: Slot, args: readonly Operand[], span: Operand["span"]): Operand {
  return { k: "call", fn: { ...word, text: name }, args, infix: false, span };
}
