/**
 * Productions of steps and declarations, made from the op table: one per op, its slots in order (docs/reference.md, statements). The ops
 * whose slots depend on more than the table (calls and functions) take their arguments from the shape.
 */
import { OPS, type Op, type Slot } from "../ops.ts";
import { isName } from "../tokens.ts";
import {
  BLANK,
  choice,
  type Expression,
  many,
  oneOf,
  optional,
  type Production,
  production,
  rule,
  sequence,
  some,
  text,
  words,
} from "./production.ts";
import type { CallShape, ClosedNames, GrammarShape } from "./shape.ts";

/** `CacheGet` → `step-cache-get`: GBNF wants small letters and dashes. */
export function ruleOf(op: Op): string {
  const words = op.name.replace(/([a-z])([A-Z])/g, "$1-$2").replace(/[^A-Za-z0-9]+/g, "-");
  return `${op.kind}-${words.toLowerCase()}`;
}

/** Steps that read or write something a closed grammar has to know by name, and which list names it. */
const NAMED: Readonly<Record<string, keyof ClosedNames | null>> = {
  CacheGet: "caches",
  CacheSet: "caches",
  QueuePut: "queues",
  Tx: null,
  Enf: null,
};

export function stepsOf(shape: GrammarShape): readonly Op[] {
  return OPS.filter(({ kind, name }) => kind === "step" && (shape.closed === null || isKnown(name, shape.closed)));
}

function isKnown(op: string, closed: ClosedNames): boolean {
  const list = NAMED[op];
  return list === undefined || (list !== null && closed[list].length > 0);
}

/** Productions of every step the shape admits. */
export function stepRules(shape: GrammarShape): Production[] {
  return stepsOf(shape).map((op) => production(ruleOf(op), op.doc, sequence(text(op.name), stepBody(op, shape))));
}

function stepBody(op: Op, shape: GrammarShape): Expression {
  if (op.name === "R") return sequence(BLANK, rule("call"), optional(sequence(BLANK, rule("result"))));
  if (op.name === "X")
    return sequence(BLANK, rule("name"), BLANK, choice(rule("function-call"), rule("host-call"), rule("nested")));
  // Which steps a label has is not known to a grammar: a closed one names none by number.
  const admitted = op.slots.filter((slot) => shape.closed === null || slot.class !== "node");
  const placed = admitted.map((slot): Placed => ({ slot, of: slotOf(op, slot, shape) }));
  const slots = shape.closed === null ? placed : placed.map(withoutVariableDefault);
  const result = slots.findIndex(({ slot }) => slot.class === "out");
  if (result === -1 || result === slots.length - 1) return inOrder(slots);
  // The formatter puts the result last; before the slots behind it, it is read as well.
  const last = [...slots.slice(0, result), ...slots.slice(result + 1), ...slots.slice(result, result + 1)];
  return choice(inOrder(slots), inOrder(last));
}

type Placed = { readonly slot: Slot; readonly of: Expression };

/** `J` alone reads the variable `data`, which a closed grammar may not know: there its value is written. */
function withoutVariableDefault({ slot, of }: Placed): Placed {
  const readsVariable = slot.class === "operand" && slot.default !== null && isName(slot.default);
  return readsVariable ? { slot: { ...slot, optional: false }, of } : { slot, of };
}

/** Slots one after the other; an optional one may be followed only when it is there, a result or node stands for itself. */
function inOrder(slots: readonly Placed[]): Expression {
  const [first, ...rest] = slots;
  if (first === undefined) return sequence();
  const behind = rest.length === 0 ? [] : [inOrder(rest)];
  const here = sequence(BLANK, first.of);
  if (first.slot.repeat) return sequence(first.slot.optional ? many(here) : some(here), ...behind);
  if (!first.slot.optional) return sequence(here, ...behind);
  const marked = first.slot.class === "out" || first.slot.class === "node";
  return marked ? sequence(optional(here), ...behind) : optional(sequence(here, ...behind));
}

/** What a slot of a step holds. */
function slotOf(op: Op, slot: Slot, { closed }: GrammarShape): Expression {
  const list = NAMED[op.name];
  if (slot.class === "word" && closed !== null && list != null && slot === op.slots[0]) return words(...closed[list]);
  switch (slot.class) {
    case "name":
      return rule("name");
    case "cond":
      return rule("condition");
    case "ref":
      return rule(op.name === "Call" ? "label-name" : "reference");
    case "node":
      return rule("node");
    case "out":
      return rule("result");
    case "cmp":
      return words("==", "!=", "<", "<=", ">", ">=", "in", "contains");
    case "int":
      return rule("digits");
    case "limit":
      return sequence(text("limit="), oneOf("[1-9]"), many(oneOf("[0-9]")));
    case "enum":
      return words(...(slot.values ?? []));
    case "word":
      return choice(rule("string"), rule("name"), rule("word"));
    default:
      return rule("operand");
  }
}

/** `adapter.VERB arguments`, an alternative for every verb where the adapters are known. */
export function callRule({ adapters }: GrammarShape): Production {
  const any = sequence(rule("identifier"), text("."), rule("id"), many(sequence(BLANK, rule("operand"))));
  const verbs = adapters?.flatMap((adapter) =>
    adapter.verbs.map((verb) => called(`${adapter.name}.${verb.name}`, verb, "operand")),
  );
  return production("call", "A verb of an adapter and its arguments.", verbs === undefined ? any : choice(...verbs));
}

export function functionRules({ functions }: GrammarShape): Production[] {
  const calls = (host: boolean): Expression =>
    sequence(
      optional(text("core.")),
      choice(...functions.filter((one) => one.host === host).map((one) => called(one.name, one, "inner-operand"))),
    );
  return [
    production("function-call", "A pure function and its arguments.", calls(false)),
    production("host-call", "A function that reads clock, randomness or environment.", calls(true)),
  ];
}

/** A word and as many arguments as it takes. */
function called(word: string, { least, most }: CallShape, operand: string): Expression {
  const argument = sequence(BLANK, rule(operand));
  const required = Array.from({ length: least }, () => argument);
  if (most === null) return sequence(text(word), ...required, many(argument));
  let further: Expression | null = null;
  for (let count = least; count < most; count++)
    further = optional(further === null ? argument : sequence(argument, further));
  return sequence(text(word), ...required, ...(further === null ? [] : [further]));
}

/** Productions of the declarations the shape admits, and of includes. */
export function declarationRules({ declarations }: GrammarShape): Production[] {
  const admitted = OPS.filter(({ kind, name }) => kind === "declaration" && declarations.includes(name));
  const slot = choice(rule("string"), rule("slot-word"));
  return [
    production(
      "include",
      "Merge another file, under an alias or not.",
      sequence(text("include"), BLANK, slot, optional(sequence(BLANK, text("as"), BLANK, rule("identifier")))),
    ),
    ...admitted.map((op) => production(ruleOf(op), op.doc, sequence(text(op.name), declared(op, slot)))),
  ];
}

/** Declarations are read by one rule: so many slots at least, and what they mean is checked later. */
function declared(op: Op, slot: Expression): Expression {
  return inOrder(op.slots.map((one): Placed => ({ slot: one, of: declaredSlot(one, slot) })));
}

function declaredSlot({ class: slotClass, values }: Slot, slot: Expression): Expression {
  switch (slotClass) {
    case "eref":
      return rule("reference");
    case "ref":
      return rule("label-name");
    case "out":
      return rule("result");
    case "int":
      return rule("digits");
    case "enum":
      return words(...(values ?? []));
    case "rest":
      return sequence(slot, many(sequence(BLANK, slot)));
    default:
      return slot;
  }
}
