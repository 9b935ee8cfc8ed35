/**
 * Steps of the syntax tree that have no step line in the source. Each points at the words of the indented form that it was made for: findings and
 * traces show it at `word`.
 */
import type {
  CallInput,
  CallStep,
  Condition,
  EachStep,
  ErrStep,
  FunctionStep,
  IfStep,
  LabelCallStep,
  LoopStep,
  Name,
  Operand,
  ParStep,
  Ref,
  ReturnStep,
  SetStep,
  Slot,
  Step,
  WhileStep,
} from "../../ast.ts";
import { dottedSlots } from "../../steps/slot-readers.ts";
import type { Span } from "../../text/span.ts";

export type Place = { readonly word: Slot; readonly span: Span; readonly faulty: boolean };

/** The labels of a loop; `until` is the variable that ends it. */
export type Targets = { readonly body: string; readonly after: string; readonly until: string | null };

function untilOf(until: string | null): { readonly until?: string } {
  return until === null ? {} : { until };
}

type Base = Pick<Step, "word" | "span" | "faulty" | "node" | "writes" | "extra">;

/** The members that every step has, at the place of its statement. */
function baseOf(op: Step["op"], { word, span, faulty }: Place, writes: readonly string[]): Base {
  return { word: { ...word, text: op }, span, faulty, node: true, writes, extra: [] };
}

/** The place of a further step of a statement; only the first step of a faulty statement is marked as faulty. */
export function placeAt(word: Slot): Place {
  return { word, span: word.span, faulty: false };
}

export function nameAt(name: string, { span }: Slot): Name {
  return { name, span };
}

function refTo(id: string, { span }: Slot): Ref {
  return { text: `L${id}`, arrow: true, span };
}

export function truth(v: boolean, { span }: Slot): Operand {
  return { k: "bool", v, span };
}

export function variable(v: string, { span }: Slot): Operand {
  return { k: "var", v, span };
}

export function isTrue(of: Operand): Condition {
  return { c: "truthy", of, span: of.span };
}

export function isNotTrue(of: Operand): Condition {
  return { c: "not", of: isTrue(of), span: of.span };
}

export function setStep(place: Place, name: Name, value: Operand): SetStep {
  return { op: "Set", name, value, ...baseOf("Set", place, [name.name]) };
}

/** `null` when no value is given. */
export function returnStep(place: Place, value?: Operand): ReturnStep {
  return { op: "J", value: value ?? { k: "null", span: place.word.span }, ...baseOf("J", place, []) };
}

export function ifStep(place: Place, cond: Condition, then: string, otherwise: string | null): IfStep {
  const { word } = place;
  const other = otherwise === null ? null : refTo(otherwise, word);
  return { op: "If", cond, then: refTo(then, word), else: other, ...baseOf("If", place, []) };
}

/** Continues at a label. */
export function goStep(place: Place, to: string): IfStep {
  return ifStep(place, isTrue(truth(true, place.word)), to, null);
}

export function loopStep(place: Place, list: Operand, item: Name, { body, after, until }: Targets): LoopStep {
  const { word } = place;
  const refs = { body: refTo(body, word), after: refTo(after, word) };
  return { op: "Loop", list, item, ...refs, ...untilOf(until), ...baseOf("Loop", place, [item.name, "_loop_last"]) };
}

export function whileStep(
  place: Place,
  cond: Condition,
  { body, after, until }: Targets,
  { limit, limit_slot }: Pick<WhileStep, "limit" | "limit_slot">,
): WhileStep {
  const { word } = place;
  const refs = { body: refTo(body, word), after: refTo(after, word) };
  return {
    op: "While",
    cond,
    ...refs,
    limit,
    limit_slot,
    ...untilOf(until),
    ...baseOf("While", place, ["_while_last"]),
  };
}

/** The result goes to `_call_result` when it has no name; a call with variables of its own sets no other variable. */
export function callStep(
  place: Place,
  label: Ref,
  out: Name | null,
  inputs: readonly CallInput[] | null = null,
): LabelCallStep {
  const written = out ?? nameAt("_call_result", place.word);
  const writes = inputs === null ? [...new Set([written.name, "_call_result"])] : [written.name];
  return { op: "Call", label, out: written, ...(inputs === null ? {} : { inputs }), ...baseOf("Call", place, writes) };
}

type Forked = { readonly out: Name; readonly mode: Slot | null };

/** A branch for each element. */
export function eachStep(
  place: Place,
  body: Ref,
  {
    out,
    mode,
    list,
    item,
    limit,
  }: Forked & { readonly list: Operand; readonly item: Name; readonly limit: Slot | null },
): EachStep {
  const written = limit === null ? null : Number(limit.text);
  const options = { limit: written, limit_slot: limit, mode };
  return { op: "Each", name: out, list, item, body, ...options, ...baseOf("Each", place, [out.name]) };
}

/** A branch for each label. */
export function parStep(place: Place, bodies: readonly Ref[], { out, mode }: Forked): ParStep {
  return { op: "Par", name: out, bodies, mode, ...baseOf("Par", place, [out.name]) };
}

/** A failure of the step before goes to the label `handler`. */
export function errStep(place: Place, handler: string): ErrStep {
  return { op: "Err", protects: null, handler: refTo(handler, place.word), ...baseOf("Err", place, []) };
}

/** `adapter.verb`, with its arguments. */
export function adapterStep(
  place: Place,
  target: { readonly text: string; readonly span: Span },
  args: readonly Operand[],
  out: Name,
): CallStep {
  const { adapter, verb } = dottedSlots(target);
  const word: Slot = { span: target.span, text: "R", quoted: false };
  return { op: "R", adapter, verb, split: false, args, out, ...baseOf("R", { ...place, word }, [out.name]) };
}

/** Fails with a message. */
export function failStep(place: Place, message: Operand): FunctionStep {
  const { word } = place;
  const first: Operand = { k: "name", v: "fail", span: word.span };
  return { op: "X", name: nameAt("_", word), first, args: [message], ...baseOf("X", place, ["_"]) };
}

export function blockRef(id: string, word: Slot): Ref {
  return refTo(id, word);
}
