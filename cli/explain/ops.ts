/** Ops of the language: slots, other names and an example, from the op table. */

import { OP_EXAMPLES } from "../../grammar/op-examples.ts";
import { OPS, type Op, type Slot, type SlotClass, signatureOf } from "../../grammar/ops.ts";
import { listed } from "../../grammar/text/english.ts";
import { type Explanation, factIf } from "./explanation.ts";

export function opExplanations(): Explanation[] {
  return OPS.map(ofOp);
}

const KINDS: Readonly<Record<Op["kind"], string>> = {
  step: "step: it stands below a label",
  label: "label: the steps below it belong to it",
  include: "include: it stands above the first label",
  declaration: "declaration: it stands above the first label",
};

function ofOp(op: Op): Explanation {
  const { name, aliases, kind, slots, doc, lowers_to: call } = op;
  const called = call === null || call.adapter === "*" ? "" : `adapter ${call.adapter}, which must be enabled`;
  return {
    code: name,
    title: doc,
    kind: "op",
    names: kind === "label" ? ["label", "L"] : aliases,
    facts: [
      ["class", op.meaning ? KINDS[kind] : `${KINDS[kind]}, and changes nothing in a run`],
      ["write", kind === "label" ? name : signatureOf(op)],
      ...factIf("slots", slots.map(slotLine)),
      ...factIf("also", listed(aliases)),
      ...factIf("calls", called),
      ...factIf("ends", op.terminal ? "its label: steps below it are not reached" : ""),
      ...factIf("example", OP_EXAMPLES[name] ?? ""),
    ],
  };
}

/** `count: a value; 3 when left out` */
function slotLine(slot: Slot): string {
  const { name, class: kind, optional, repeat, default: fallback, values } = slot;
  const what = values === null ? CLASSES[kind] : listed(values, "or");
  const absent = fallback === null ? "optional" : `default: ${fallback}`;
  const count = repeat ? `; ${optional ? "any number" : "one or more"}` : optional ? `; ${absent}` : "";
  return `${name}: ${what}${count}`;
}

const CLASSES: Readonly<Record<SlotClass, string>> = {
  name: "the name of a variable",
  operand: "a value",
  key: "a key or path",
  lenient: "a value, or a bare word that is text",
  cond: "a condition, such as n > 3 or not done",
  ref: "a label",
  eref: "a label",
  node: "the number of a step, such as @n2 (default: the step above)",
  out: "the variable that gets the result",
  call: "adapter and verb, such as http.Get",
  fn: "a function, or one value alone",
  cmp: "==, !=, <, <=, >, >=, in or contains",
  int: "a whole number",
  enum: "one of some words",
  limit: "limit=N, the maximum number of rounds",
  word: "a word",
  rest: "the rest of the line",
  kv: "name=value",
  field: "name:type",
  type: "a type, such as S, I, F, B or A[S]",
  method: "G, P, U or D, or the full word",
  file: "the path of a file",
  step: "steps on the same line",
};
