/**
 * Steps of the syntax tree that no step line was written for. Each points at the words of the indented text it stands for: `word` is where
 * findings and traces see it.
 */
import type {
  CallStep,
  Condition,
  FunctionStep,
  IfStep,
  LabelCallStep,
  LoopStep,
  Name,
  Operand,
  Ref,
  ReturnStep,
  SetStep,
  Slot,
  Step,
  WhileStep,
} from "../ast.ts";
import type { Span } from "../span.ts";

export type Place = { readonly word: Slot; readonly span: Span; readonly faulty: boolean };

type Base = Pick<Step, "word" | "span" | "faulty" | "node" | "writes" | "extra">;

/** The word of the step that it stands for, at its own place. */
function baseOf(op: Step["op"], { word, span, faulty }: Place, writes: readonly string[]): Base {
  return { word: { ...word, text: op }, span, faulty, node: true, writes, extra: [] };
}

/** What a statement adds at its own word; a fault of the statement stays with its first step. */
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

/** Goes on at a label. */
export function goStep(place: Place, to: string): IfStep {
  return ifStep(place, isTrue(truth(true, place.word)), to, null);
}

export function loopStep(place: Place, list: Operand, item: Name, body: string, after: string): LoopStep {
  const { word } = place;
  const refs = { body: refTo(body, word), after: refTo(after, word) };
  return { op: "Loop", list, item, ...refs, ...baseOf("Loop", place, [item.name, "_loop_last"]) };
}

export function whileStep(
  place: Place,
  cond: Condition,
  body: string,
  after: string,
  { limit, limit_slot }: Pick<WhileStep, "limit" | "limit_slot">,
): WhileStep {
  const { word } = place;
  const refs = { body: refTo(body, word), after: refTo(after, word) };
  return { op: "While", cond, ...refs, limit, limit_slot, ...baseOf("While", place, ["_while_last"]) };
}

/** The result goes to `_call_result` when it has no name. */
export function callStep(place: Place, label: Ref, out: Name | null): LabelCallStep {
  const written = out ?? nameAt("_call_result", place.word);
  return { op: "Call", label, out: written, ...baseOf("Call", place, [...new Set([written.name, "_call_result"])]) };
}

/** `adapter.verb`, without arguments. */
export function adapterStep(place: Place, target: { readonly text: string; readonly span: Span }, out: Name): CallStep {
  const { text, span } = target;
  const dot = text.indexOf(".");
  const adapter: Slot = {
    span: { ...span, end: span.start + dot, end_column: span.column + dot },
    text: text.slice(0, dot),
    quoted: false,
  };
  const verb: Slot = {
    span: { ...span, start: span.start + dot + 1, column: span.column + dot + 1 },
    text: text.slice(dot + 1),
    quoted: false,
  };
  const word: Slot = { span, text: "R", quoted: false };
  return { op: "R", adapter, verb, split: false, args: [], out, ...baseOf("R", { ...place, word }, [out.name]) };
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
