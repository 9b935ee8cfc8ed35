/**
 * Differences and comparisons of unlike values (WF5013): `now` gives seconds and dates are milliseconds, a date is a number and not its text, and a
 * string never equals a list, as `t == reverse(t)` asks. Only what is certain from known types is reported.
 */
import type { Condition, Operand } from "../../../grammar/ast.ts";
import type { Edit, Finding } from "../../../grammar/diagnostic.ts";
import { isIndented } from "../../../grammar/surface.ts";
import { type Span, spanAfter, spanBefore } from "../../../grammar/text/span.ts";
import type { Task } from "../../../grammar/text/task.ts";
import { findFunction } from "../../functions.ts";
import { conditionOf, walkOperands } from "../operand-walk.ts";
import { eachStep, type ProgramView } from "../program-view.ts";
import { shown } from "./call-advice.ts";
import { kindOf, type ValueTypes } from "./value-types.ts";

type Pair = { readonly sign: string; readonly a: Operand; readonly b: Operand; readonly span: Span };
type Known = { readonly types: () => ValueTypes; readonly source: string };

/** `types`: asked for only when there is something to compare. */
export function* checkUnlikeValues({ program }: ProgramView, types: () => ValueTypes): Task<Finding[]> {
  const findings: Finding[] = [];
  yield* eachStep(program, ({ id: label_id, module }, { step, node }) => {
    if (step.faulty) return;
    const known: Known = { types, source: module.file.text };
    const judge = (pair: Pair | null): void => {
      const finding = pair === null ? null : (mixed(pair, known) ?? written(pair, known) ?? neverEqual(pair, known));
      if (finding !== null) findings.push({ ...finding, label_id, node_id: node?.id ?? null });
    };
    judge(compared(conditionOf(step)));
    walkOperands(step, (operand) => judge(computed(operand, known.source)));
  });
  return findings;
}

function compared(condition: Condition | null): Pair | null {
  if (condition?.c !== "cmp") return null;
  return { sign: condition.op, a: condition.left, b: condition.right, span: condition.span };
}

const SIGNS: Readonly<Record<string, string>> = {
  sub: "-",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  eq: "==",
  ne: "!=",
};

function computed(operand: Operand, source: string): Pair | null {
  if (operand.k !== "call" || operand.args.length !== 2) return null;
  const name = findFunction(operand.fn.text)?.name ?? operand.fn.text;
  const sign = operand.infix ? operand.fn.text : SIGNS[name];
  const [a, b] = operand.args as readonly [Operand, Operand];
  if (sign === undefined || !Object.values(SIGNS).includes(sign)) return null;
  const { start, end } = operand.fn.span;
  const isSign = operand.infix || findFunction(source.slice(start, end)) === undefined;
  return { sign: isSign ? sign : name, a, b, span: operand.span };
}

/** `t - date_parse(x)` where `t = now()`. */
function mixed({ sign, a, b, span }: Pair, { types, source }: Known): Finding | null {
  const [left, right] = [types().of(a), types().of(b)];
  if (![left, right].includes("seconds") || ![left, right].includes("time")) return null;
  const seconds = left === "seconds" ? a : b;
  const text = source.slice(seconds.span.start, seconds.span.end);
  const isPlain = isIndented(source) && (seconds.k === "name" || seconds.k === "var");
  const edits: Edit[] = [{ span: spanAfter(seconds.span), new_text: " * 1000" }];
  const place = {
    code: "WF5013",
    span,
    words: { op: sign, what: "seconds, as now gives them, and milliseconds, as times are" },
  };
  const product = isIndented(source)
    ? `${isPlain ? shown(text) : `(${shown(text)})`} * 1000`
    : `(mul ${shown(text)} 1000)`;
  // Which of the two the difference is meant in is for its reader to say.
  if (sign === "-" || sign === "sub") {
    const time = seconds === a ? b : a;
    const other = shown(source.slice(time.span.start, time.span.end));
    const ends = seconds === a ? `${other}, ${product}` : `${product}, ${other}`;
    return { ...place, suggestion: `write date_diff(${ends}, "second"), or another unit`, fix: null };
  }
  return { ...place, suggestion: `write ${product}`, fix: isPlain ? { title: `write ${text} * 1000`, edits } : null };
}

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;

/** `date_parse(x) < "2024-01-31"` */
function written({ sign, a, b, span }: Pair, { types, source }: Known): Finding | null {
  const [date, other] = a.k === "str" ? [a, b] : [b, a];
  if (date.k !== "str" || !DATE.test(date.v) || types().of(other) !== "time") return null;
  const text = source.slice(date.span.start, date.span.end);
  const title = `write date_parse(${shown(text)})`;
  const edits = [
    { span: spanBefore(date.span), new_text: "date_parse(" },
    { span: spanAfter(date.span), new_text: ")" },
  ];
  return {
    code: "WF5013",
    span,
    words: { op: sign, what: "a time in milliseconds and a string" },
    suggestion: title,
    fix: isIndented(source) ? { title, edits } : null,
  };
}

/** `t == reverse(t)`: the characters of a string are a list. */
function neverEqual({ sign, a, b, span }: Pair, { types, source }: Known): Finding | null {
  if (!["==", "!=", "eq", "ne"].includes(sign)) return null;
  const known = types();
  const [left, right] = [kindOf(known.of(a), known.records), kindOf(known.of(b), known.records)];
  if (![left, right].includes("text") || ![left, right].includes("list")) return null;
  const place = {
    code: "WF5013",
    severity: "warning",
    span,
    words: { op: sign, what: "a string and a list" },
  } as const;
  const list = left === "list" ? a : b;
  const text = source.slice(list.span.start, list.span.end);
  if (list.k === "list" && list.items.length === 0) {
    const other = shown(source.slice(...(list === a ? [b.span.start, b.span.end] : [a.span.start, a.span.end])));
    return { ...place, suggestion: `an empty string is "": write ${other} ${sign} ""`, fix: null };
  }
  if (list.k !== "call" || findFunction(list.fn.text)?.name !== "reverse" || !text.endsWith(")"))
    return { ...place, suggestion: "they are never equal", fix: null };
  const title = `write join("", ${shown(text)})`;
  const edits = [
    { span: spanBefore(list.span), new_text: 'join("", ' },
    { span: spanAfter(list.span), new_text: ")" },
  ];
  return { ...place, suggestion: title, fix: isIndented(source) ? { title, edits } : null };
}
