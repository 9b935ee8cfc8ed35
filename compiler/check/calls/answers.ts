/**
 * WF5024: conditions, comparisons and members that misread the answer of a call. An answer that the catalog knows as an object is always
 * true and equals no text, so that a rejected approval would read as a yes. Only variables are followed that one call alone sets.
 */
import type { Condition, Operand } from "../../../grammar/ast.ts";
import type { Finding } from "../../../grammar/diagnostic.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import type { Span } from "../../../grammar/text/span.ts";
import { readValueType, type ValueType } from "../../catalog/value-types.ts";
import type { AdapterCatalog } from "../../catalog.ts";
import type { LoweredStep } from "../../lower/lowered.ts";
import type { CompileOptions } from "../../options.ts";
import { knownVerb } from "../known-verb.ts";
import { conditionOf, walkOperands } from "../operand-walk.ts";
import type { ProgramView } from "../program-view.ts";
import { writtenBy } from "../variables/flow-graph.ts";

type Answer = { readonly call: string; readonly type: ValueType; readonly args: readonly Operand[] };
/** What is known where a step stands. `isSet`: whether a variable surely has the answer there; it is null where its call was not made or failed. */
type Known = {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly isSet: (name: string) => boolean;
  readonly note: Note;
};
type ObjectType = Extract<ValueType, { k: "object" }>;
type Member = { readonly type: ValueType };
type Note = (span: Span, what: string, repair: string) => void;

/** Functions that ask whether a value is true: of how many of their first arguments. */
const TESTED: Readonly<Record<string, number>> = { and: 2, or: 2, not: 1, bool: 1, ite: 1 };
const COMPARED: ReadonlySet<string> = new Set(["==", "!=", "eq", "ne"]);

export function checkAnswers({ program }: ProgramView, { catalog }: CompileOptions): Finding[] {
  const answers = answersOf(program, catalog);
  for (const name of program.inputs.keys()) answers.delete(name);
  if (answers.size === 0) return [];
  const findings: Finding[] = [];
  const handles = program.labels.some(({ steps }) => steps.some(({ step }) => step.op === "Err"));
  for (const { id: label_id, steps } of program.labels) {
    const set = new Set<string>();
    for (const lowered of steps) {
      const { step, node } = lowered;
      const place = { label_id, node_id: node?.id ?? null };
      const note: Note = (span, what, repair) => {
        findings.push({ code: "WF5024", span, ...place, words: { what, repair } });
      };
      const known: Known = { answers, isSet: (name) => !handles && set.has(name), note };
      const condition = conditionOf(step);
      if (condition !== null) checkCondition(condition, known);
      walkOperands(step, (operand) => checkOperand(operand, known));
      if (step.op === "X" && step.first.k !== "call" && node?.op === "X" && node.data.value.k === "call")
        checkFunction(node.data.value.fn, step.args, known);
      for (const name of writtenBy(lowered)) set.add(name);
    }
  }
  return findings;
}

/** The variables that one call alone sets, and the answer that it gives. */
function answersOf({ labels }: ProgramView["program"], catalog: AdapterCatalog): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  const written = new Set<string>();
  for (const { steps } of labels)
    for (const lowered of steps) {
      const answer = answerOf(lowered, catalog);
      for (const name of namesSet(lowered)) {
        if (written.has(name)) answers.delete(name);
        else if (answer !== null) answers.set(name, answer);
        written.add(name);
      }
    }
  return answers;
}

function answerOf({ step, node }: LoweredStep, catalog: AdapterCatalog): Answer | null {
  const known = step.op === "R" && node?.op === "R" ? knownVerb(node.data, catalog) : null;
  if (known === null || known.verb.result === undefined || step.op !== "R") return null;
  return { call: known.target, type: readValueType(known.verb.result), args: step.args };
}

/** Items of loops and inputs of calls are set where their label begins. */
function namesSet(lowered: LoweredStep): readonly string[] {
  const { node } = lowered;
  const items = node?.op === "Loop" || node?.op === "Each" ? [node.data.item] : [];
  const given = node?.op === "Call" ? (node.data.inputs ?? []).map(([name]) => name) : [];
  return [...writtenBy(lowered), ...items, ...given];
}

function checkCondition(condition: Exclude<Condition, { c: "not" }>, known: Known): void {
  if (condition.c === "truthy") checkTested(condition.of, known);
  else if (condition.c === "text_eq" || (condition.c === "cmp" && COMPARED.has(condition.op)))
    checkCompared(condition.left, condition.right, known);
}

function checkOperand(operand: Operand, known: Known): void {
  if (operand.k === "path") checkMembers(operand, known);
  if (operand.k === "call") checkFunction(operand.fn.text.toLowerCase(), operand.args, known);
}

/** A bare name in a function is the text of the name where nothing set it, which is true and not null either. */
function checkFunction(fn: string, args: readonly Operand[], { answers, isSet, note }: Known): void {
  const [left, right] = args;
  const bare = new Set(args.flatMap((one) => (one.k === "name" ? [one.v] : [])));
  const known: Known = { answers, isSet: (name) => bare.has(name) || isSet(name), note };
  for (const argument of args.slice(0, TESTED[fn] ?? 0)) checkTested(argument, known);
  if (COMPARED.has(fn) && left !== undefined && right !== undefined) checkCompared(left, right, known);
}

function checkTested(operand: Operand, { answers, isSet, note }: Known): void {
  if (operand.k !== "name" && operand.k !== "var") return;
  const answer = isSet(operand.v) ? answers.get(operand.v) : undefined;
  if (answer?.type.k !== "object") return;
  const what = `the answer of ${answer.call} is an object, which is always true`;
  const member = [...answer.type.members].find(([, { type }]) => type.k === "bool")?.[0];
  note(operand.span, what, member === undefined ? membersText(answer.type) : `write ${operand.v}.${member}`);
}

function checkCompared(left: Operand, right: Operand, known: Known): void {
  const { answers, isSet, note } = known;
  for (const [read, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (!["str", "word", "num", "bool", "null"].includes(other.k)) continue;
    const isVariable = read.k === "name" || read.k === "var";
    const answer = isVariable ? answers.get(read.v) : undefined;
    if (isVariable && answer?.type.k === "object" && (other.k !== "null" || isSet(read.v))) {
      const what = `the answer of ${answer.call} is an object, and equals no such value`;
      note(read.span, what, `compare one of its members; ${membersText(answer.type)}`);
    } else if (other.k === "str" || other.k === "word") checkChoice(read, other, known);
  }
}

/** A text next to a member, or an answer, that is one of some texts. */
function checkChoice(read: Operand, other: Extract<Operand, { k: "str" | "word" }>, { answers, note }: Known): void {
  const root = read.k === "path" ? read.root : read.k === "name" || read.k === "var" ? read.v : null;
  const answer = root === null ? undefined : answers.get(root);
  if (answer === undefined) return;
  const type = read.k === "path" ? memberAt(answer.type, read.segments) : answer.type;
  const texts = type === null ? null : textsOf(type, answer.args);
  if (texts === null || texts.includes(other.v)) return;
  const near = nearest(other.v, texts) ?? texts.find((one) => other.v.startsWith(one.slice(0, PREFIX)));
  const one = `it is one of ${texts.map((text) => JSON.stringify(text)).join(", ")}`;
  const name = read.k === "path" ? `'${read.segments.join(".")}' of ${answer.call}` : `the answer of ${answer.call}`;
  note(other.span, `${name} is never '${other.v}'`, near === undefined ? one : `write "${near}"; ${one}`);
}

/** Texts with so much in common mean the same thing: `approved` and `approve`. */
const PREFIX = 5;

function checkMembers(path: Extract<Operand, { k: "path" }>, { answers, note }: Known): void {
  const answer = answers.get(path.root);
  if (answer === undefined) return;
  let type: ValueType | null = answer.type;
  for (const [at, name] of path.segments.entries()) {
    if (type?.k !== "object") return;
    const member: Member | undefined = type.members.get(name);
    if (member === undefined) {
      if (type.isOpen) return;
      const near = nearest(name, [...type.members.keys()]);
      const of =
        at === 0 ? `the answer of ${answer.call}` : `'${path.segments.slice(0, at).join(".")}' of ${answer.call}`;
      const all = membersText(type);
      note(path.span, `${of} has no member '${name}'`, near === null ? all : `write .${near}; ${all}`);
      return;
    }
    type = withoutNull(member.type);
  }
}

function memberAt(type: ValueType, segments: readonly string[]): ValueType | null {
  let at: ValueType | null = type;
  for (const name of segments) at = at?.k === "object" ? withoutNull(at.members.get(name)?.type) : null;
  return at;
}

/** null: it is one of several kinds. */
function withoutNull(type: ValueType | undefined): ValueType | null {
  if (type?.k !== "union") return type ?? null;
  const parts = type.of.filter(({ k }) => k !== "null");
  return parts.length === 1 ? (parts[0] ?? null) : parts.every(({ k }) => k === "literal") ? type : null;
}

/** All texts that a value can be; null: they are not known. */
function textsOf(type: ValueType, args: readonly Operand[]): readonly string[] | null {
  if (type.k === "choices") {
    const written = choicesIn(args, type.of);
    return written === null ? null : [...(written ?? type.otherwise), ...type.always];
  }
  const parts = type.k === "union" ? type.of.filter(({ k }) => k !== "null") : [type];
  const texts = parts.flatMap((part) => (part.k === "literal" && typeof part.value === "string" ? [part.value] : []));
  return texts.length === parts.length ? texts : null;
}

/** undefined: the call does not say; null: only a run knows. */
function choicesIn(args: readonly Operand[], name: string): readonly string[] | null | undefined {
  const options = args.at(-1);
  if (options === undefined || args.length === 1) return undefined;
  if (options.k !== "map") return null;
  const given = options.entries.find(({ key }) => key.text === name)?.value;
  if (given === undefined) return undefined;
  if (given.k !== "list") return null;
  const texts = given.items.flatMap((item) => (item.k === "str" || item.k === "word" ? [item.v] : []));
  return texts.length === given.items.length ? texts : null;
}

function membersText({ members }: ObjectType): string {
  return `it has ${[...members.keys()].join(", ")}`;
}
