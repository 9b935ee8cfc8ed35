/**
 * Conditions out of their parts (docs/language.md, conditions): comparisons, a bracketed comparison as the comparison itself,
 * negations. It knows nothing of tokens' places in a step.
 */
import type { Comparator, Condition, Operand } from "../ast.ts";
import type { Reporter } from "../reporter.ts";
import { type Span, spanAfter, spanOver } from "../text/span.ts";
import type { Token } from "./tokens.ts";

/** `not` an odd number of times is one `not`; an even number is kept as two. */
export function negate(condition: Condition, negations: number, first: Span): Condition {
  if (negations === 0) return condition;
  const span = spanOver(first, condition.span);
  const once: Condition = { c: "not", of: condition, span };
  return negations % 2 === 1 ? once : { c: "not", of: once, span };
}

/** `left op right`; `=` without a right side compares with the empty text, any other comparator then means nothing. */
export function comparisonOf(left: Operand, compare: Token, right: Operand | null, reporter: Reporter): Condition {
  const span = spanOver(left.span, right?.span ?? compare.span);
  if (compare.image === "=") {
    checkTextEquality(left, compare.span, right, reporter);
    const empty: Operand = { k: "str", v: "", span: spanAfter(compare.span) };
    return { c: "text_eq", left, right: right ?? empty, op_span: compare.span, span };
  }
  if (right === null) return { c: "truthy", of: left, span: left.span };
  return { c: "cmp", op: compare.image as Comparator, left, right, span };
}

/** An operand alone. A bracketed comparison is the comparison. */
export function plainCondition(operand: Operand, reporter: Reporter): Condition {
  const { span } = operand;
  const [left, right] = operand.k === "call" && operand.infix ? operand.args : [];
  if (operand.k !== "call" || left === undefined || right === undefined) return { c: "truthy", of: operand, span };
  const { text } = operand.fn;
  if (text !== "=") return { c: "cmp", op: text as Comparator, left, right, span };
  checkTextEquality(left, operand.fn.span, right, reporter);
  return { c: "text_eq", left, right, op_span: operand.fn.span, span };
}

/** WF9009: `=` compares text, which is seldom meant with a number. */
function checkTextEquality(left: Operand, opSpan: Span, right: Operand | null, reporter: Reporter): void {
  if (right?.k !== "num") return;
  const glued = left.span.end === opSpan.start && right.span.start === opSpan.end;
  // With a blank after it, a question mark would ask whether its word is set.
  const apart = glued && !reporter.source.text.startsWith("?", opSpan.start - 1);
  reporter.report({
    code: "WF9009",
    span: opSpan,
    expected: ["=="],
    fix: { title: "compare with ==", edits: [{ span: opSpan, new_text: apart ? " == " : "==" }] },
  });
}
