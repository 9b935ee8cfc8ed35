/**
 * Calls that run and give something else than they say (WF5014): arguments in the order of other languages, patterns and fields as they are written
 * there, seconds where milliseconds belong, a match that is asked for its truth. Only what is certain from literals and known types is reported.
 */
import type { Operand, Step } from "../../../grammar/ast.ts";
import type { Edit, Finding } from "../../../grammar/diagnostic.ts";
import { spanAfter } from "../../../grammar/text/span.ts";
import type { Task } from "../../../grammar/text/task.ts";
import { findFunction } from "../../functions.ts";
import { conditionOf, walkOperands } from "../operand-walk.ts";
import { eachStep, type ProgramView } from "../program-view.ts";
import { ORDER_RULES } from "./argument-order.ts";
import { type Advice, type Call, isPattern, type Place, type Rule, shown } from "./call-advice.ts";
import { FIELD_RULES } from "./field-arguments.ts";
import type { ListUses } from "./list-uses.ts";
import { choice, TEXT_RULES } from "./text-arguments.ts";
import { kindOf, type ValueTypes } from "./value-types.ts";

/** `types` and `uses`: asked for only when there is a call to look at. */
export function* checkMistakenCalls(
  { program }: ProgramView,
  types: () => ValueTypes,
  uses: ListUses,
): Task<Finding[]> {
  const findings: Finding[] = [];
  const hasMatches = program.modules.some(({ file }) => file.text.includes("match"));
  const isItem = itemsOf(program);
  yield* eachStep(program, ({ id: label_id, module }, { step, node }) => {
    if (step.faulty || node === null) return;
    const isList = (one: Operand): boolean =>
      kindOf(types().of(one), types().records) === "list" || uses.isList(label_id, one);
    const known = { types, isItem, isList, hasMatches, source: module.file.text };
    for (const [name, { span }, advice] of mistakesIn(step, known)) {
      if (advice !== null)
        findings.push({ code: "WF5014", span, words: { name }, label_id, node_id: node.id, ...advice });
    }
  });
  return findings;
}

/** Which names loops pass, found at the first question. */
function itemsOf({ labels }: ProgramView["program"]): (name: string) => boolean {
  let items: Set<string> | null = null;
  return (name) => {
    items ??= new Set(
      labels.flatMap(({ steps }) =>
        steps.flatMap(({ step }) => (step.op === "Loop" || step.op === "Each" ? [step.item.name] : [])),
      ),
    );
    return items.has(name);
  };
}

type Judged = readonly [name: string, at: Operand, advice: Advice | null];
type Known = Pick<Place, "isItem" | "isList"> & {
  readonly types: () => ValueTypes;
  readonly hasMatches: boolean;
  readonly source: string;
};

function mistakesIn(step: Step, { types, isItem, isList, hasMatches, source }: Known): readonly Judged[] {
  const found: Judged[] = [];
  const placeAt = (isMarked: boolean): Place => ({
    get types() {
      return types();
    },
    isItem,
    isList,
    text: ({ span }) => source.slice(span.start, span.end),
    isMarked,
  });
  const asked = (one: Operand, place: Place): void => {
    if (hasMatches) found.push(["match", one, truth(one, place)]);
  };
  walkOperands(step, (operand) => {
    if (operand.k === "path" && hasMatches) found.push(["match", operand, group(operand, placeAt(true))]);
    if (operand.k !== "call" || operand.infix) return;
    const name = findFunction(operand.fn.text)?.name ?? "";
    const { start, end } = operand.fn.span;
    const isCall = source.charAt(end) === "(";
    const place = placeAt(isCall || source.charAt(start - 1) !== "(");
    // `(substr t -3)` is of those who know the form.
    if (isCall) {
      const advice = [RULES, ORDER_RULES, FIELD_RULES].map((rules) => rules[name]?.(operand, place) ?? null);
      advice.push(choice(name, operand));
      found.push([name, operand, advice.find((one) => one !== null) ?? null]);
    }
    // `t[:10]` and `x in e` have a sign in the place of the name.
    const isSign = findFunction(source.slice(start, end)) === undefined;
    const shownName = isSign && name !== "format" ? source.slice(start, end) : name;
    if (isCall || isSign) found.push([shownName, operand, TEXT_RULES[name]?.(operand, place) ?? null]);
    if (name === "contains") found.push([source.slice(start, end), operand, oneInBrackets(operand, source)]);
    if (TRUTHS.has(name)) for (const one of name === "ite" ? operand.args.slice(0, 1) : operand.args) asked(one, place);
  });
  const condition = conditionOf(step);
  if (condition?.c === "truthy") asked(condition.of, placeAt(true));
  return found;
}

/** Functions that ask their arguments for their truth; `ite` the first one. */
const TRUTHS: ReadonlySet<string> = new Set(["and", "or", "not", "ite", "bool"]);

// ---- texts and lists ----

const split: Rule = ({ args, fn }) => (args[1]?.k === "str" ? asPattern(args[1].v, fn.span, "split_by") : null);

/** `concat([1], [2])`, `merge(xs, ys)`: texts and objects are joined there. */
const lists: Rule = ({ args, span }, { types, text }) => {
  if (args.length < 2 || args.some((one) => kindOf(types.of(one), types.records) !== "list")) return null;
  const written = `(${args.map(text).join(" + ")})`;
  const isPlain = args.every(({ k }) => k !== "call");
  return {
    suggestion: isPlain ? `write ${shown(written)}` : "lists join with +",
    fix: isPlain ? { title: "join the lists with +", edits: [{ span, new_text: written }] } : null,
  };
};

/** `format("%d items", n)`: the marks of C are text here. */
const format: Rule = ({ args: [template, ...values] }, { text }) => {
  if (template?.k !== "str" || values.length === 0 || template.v.includes("{")) return null;
  const marks = template.v.match(MARK) ?? [];
  if (marks.length !== values.length || template.v.includes("%%")) return null;
  const written = text(template).replaceAll(MARK, (_all, digits?: string) =>
    digits === undefined ? "{}" : `{:${digits}f}`,
  );
  const suggestion = `write ${shown(written)}`;
  return { suggestion, fix: { title: suggestion, edits: [{ span: template.span, new_text: written }] } };
};

const MARK = /%(?:[sdi]|(\.[0-9])f)/g;

/** `x in ("a")`: a list of one is meant far more often than a part of the string. */
function oneInBrackets({ args: [whole] }: Call, source: string): Advice | null {
  if (whole?.k !== "str" || !/\bin[ \t]*\([ \t]*$/.test(source.slice(0, whole.span.start).slice(-MAX_BEFORE)))
    return null;
  const text = shown(source.slice(whole.span.start, whole.span.end));
  const suggestion = `write [${text}] for a list of one, or ${text} without brackets for a part of it`;
  return { suggestion, fix: null, severity: "warning" };
}

const MAX_BEFORE = 20;

// ---- patterns ----

function asPattern(written: string, span: Call["fn"]["span"], instead: string): Advice | null {
  if (!isPattern(written)) return null;
  const suggestion = `write ${instead} for a pattern`;
  return { suggestion, fix: { title: `write ${instead}`, edits: [{ span, new_text: instead }] } };
}

const replace: Rule = ({ args, fn }) => (args[1]?.k === "str" ? asPattern(args[1].v, fn.span, "replace_all") : null);

/** A match is an object, which is true also where nothing was found. */
function truth(operand: Operand, { types, text, isMarked }: Place): Advice | null {
  if (types.of(operand) !== "match") return null;
  const isCall = operand.k === "call";
  const written = `${isCall ? "match(…)" : text(operand)}.found`;
  const suggestion = `a match is true also where nothing was found: write ${written}`;
  const isEditable = isMarked && (!isCall || text(operand).endsWith(")"));
  const edits = [{ span: spanAfter(operand.span), new_text: ".found" }];
  return { suggestion, fix: isEditable ? { title: `write ${written}`, edits } : null };
}

/** `m[1]` is the first group elsewhere. */
function group(operand: Operand, { types }: Place): Advice | null {
  if (operand.k !== "path" || !/^[0-9]+$/.test(operand.segments[0] ?? "")) return null;
  const isMatch = types.of({ k: "var", v: operand.root, span: operand.span }) === "match";
  return isMatch ? { suggestion: "text is all of the match, groups[0] its first group", fix: null } : null;
}

// ---- fields ----

/** `sort_by(rows, "-price")`, `sort_by(rows, ["a", "b"])` */
const sortBy: Rule = (call, { text, isMarked }) => {
  const [list, field, order] = call.args;
  if (list === undefined || field === undefined) return null;
  if (field.k === "str" && /^-[\p{L}_]/u.test(field.v)) {
    const written = `${JSON.stringify(field.v.slice(1))}${isMarked ? "," : ""} "desc"`;
    const fix =
      order === undefined ? { title: `write ${written}`, edits: [{ span: field.span, new_text: written }] } : null;
    return { suggestion: `write ${written}`, fix };
  }
  if (order?.k === "bool") {
    const written = order.v ? '"desc"' : '"asc"';
    const fix = { title: `write ${written}`, edits: [{ span: order.span, new_text: written }] };
    return { suggestion: `write ${written}`, fix };
  }
  if (field.k !== "list") return null;
  const isWritten =
    isMarked && order === undefined && field.items.length > 0 && field.items.every(({ k }) => k === "str");
  const suggestion = "sort by the last field first: sorting keeps the order of equal elements";
  const written = field.items.toReversed().reduce((made, one) => `sort_by(${made}, ${text(one)})`, text(list));
  return {
    suggestion,
    fix: isWritten
      ? { title: "sort by one field after the other", edits: [{ span: call.span, new_text: written }] }
      : null,
  };
};

// ---- numbers ----

/** `substr(t, -3)`: negative numbers are 0 there. */
const substr: Rule = ({ args, fn }) => {
  const [, start] = args;
  if (start?.k !== "num" || start.v >= 0) return null;
  const fix = args.length > 2 ? null : { title: "write slice", edits: [{ span: fn.span, new_text: "slice" }] };
  return { suggestion: "write slice, which counts from the end", fix };
};

/** `date_format(now(), …)`: `now` gives seconds. */
const times =
  (count: number): Rule =>
  ({ args }, { types, text, isMarked }) => {
    const wrong = args
      .slice(0, count)
      .filter((one) => isWrittenSeconds(one) || (types.of(one) === "seconds" && !isNow(one)));
    const [one] = wrong;
    if (one === undefined) return null;
    const isPlain = wrong.every(({ k }) => k === "name" || k === "var" || k === "path" || k === "num");
    const edits = wrong.map(({ span }): Edit => ({ span: spanAfter(span), new_text: " * 1000" }));
    const suggestion = `times are milliseconds, and now gives seconds: write ${isPlain ? shown(text(one)) : `(${shown(text(one))})`} * 1000`;
    return { suggestion, fix: isMarked && isPlain ? { title: "write * 1000", edits } : null };
  };

/** `1700000000`: in milliseconds a day of January 1970. */
function isWrittenSeconds(operand: Operand): boolean {
  return operand.k === "num" && operand.v >= 1e9 && operand.v < 1e10;
}

/** Reported where it stands: it cannot be nested. */
function isNow(operand: Operand): boolean {
  return operand.k === "call" && findFunction(operand.fn.text)?.name === "now";
}

const RULES: Readonly<Record<string, Rule | undefined>> = {
  format,
  split,
  concat: lists,
  merge: lists,
  replace,
  substr,
  sort_by: sortBy,
  date_format: times(1),
  date_add: times(1),
  date_part: times(1),
  date_trunc: times(1),
  date_diff: times(2),
};
