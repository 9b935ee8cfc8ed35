/** What a shape knows by name: verbs of adapters, functions, declarations, labels and variables, with as many words as each takes. */
import { OPS, type Op, type Slot } from "../../ops.ts";
import { ruleNameOf } from "../../parser/step-parser.ts";
import {
  choice,
  EMPTY,
  type Expression,
  many,
  notation,
  optional,
  type Production,
  rule,
  sequence,
  some,
  text,
  words,
} from "../expression.ts";
import type { CallShape, ClosedNames, GrammarShape } from "../shape.ts";

const SPACE: Expression = { is: "space", text: " " };

/** How arguments stand after their function: `f a b` or `f(a, b)`. */
type Style = { readonly open: Expression; readonly between: Expression; readonly close: Expression };
const SPACED: Style = { open: SPACE, between: SPACE, close: EMPTY };
/** A word and as many arguments as it takes. */
function called(word: string, { least, most }: CallShape, argument: Expression, style: Style): Expression {
  const { open, between, close } = style;
  const next = sequence(between, argument);
  let further = most === null ? many(next) : EMPTY;
  for (let count = Math.max(least, 1); most !== null && count < most; count++)
    further = optional(sequence(next, further));
  const required = Array.from({ length: least - 1 }, () => next);
  const all = sequence(argument, ...required.slice(0, Math.max(0, least - 1)), further);
  const isBare = style === SPACED;
  if (most === 0) return isBare ? text(word) : sequence(text(word), open, close);
  if (isBare) return sequence(text(word), least === 0 ? optional(sequence(open, all)) : sequence(open, all));
  return sequence(text(word), open, least === 0 ? optional(all) : all, close);
}

/** An alternative for every verb; `any` where the adapters are not known. */
function verbCalls({ adapters }: GrammarShape, argument: string, style: Style, any: string): Expression {
  if (adapters === null) return notation(any);
  const calls = adapters.flatMap(({ name, verbs }) =>
    verbs.map((verb) => called(`${name}.${verb.name}`, verb, rule(argument), style)),
  );
  return choice(...calls);
}

/** `adapter.VERB arguments`. */
export function callRule(shape: GrammarShape, argument: string): Production {
  const body = verbCalls(shape, argument, SPACED, `identifier "." id (" " ${argument})*`);
  return { name: "call", doc: "A verb of an adapter and its arguments.", body };
}

/** Functions and their arguments, `f a b`. */
export function functionRules({ functions }: GrammarShape, argument: string): readonly Production[] {
  const calls = (host: boolean): Expression =>
    sequence(
      optional(text("core.")),
      choice(
        ...functions.filter((one) => one.host === host).map((one) => called(one.name, one, rule(argument), SPACED)),
      ),
    );
  return [
    {
      name: "function-call",
      doc: "A pure function and its arguments.",
      body: functions.length === 0 ? notation(`identifier (" " ${argument})*`) : calls(false),
    },
    { name: "host-call", doc: "A function that reads clock, randomness or environment.", body: calls(true) },
  ];
}

/** Names that a closed shape limits to those that are declared. */
export function nameRules(closed: ClosedNames | null): readonly Production[] {
  const id = closed === null ? notation('"L"? id') : sequence(text("L"), words(...closed.labels));
  return [
    {
      name: "name",
      doc: "A variable: letters, digits and underscores.",
      body: closed === null ? rule("identifier") : words(...closed.names),
    },
    { name: "label-name", doc: "A label.", body: id },
  ];
}

/** The declarations that the shape admits, from their rows in the op table, and includes. */
export function declarationRules({ declarations }: GrammarShape): readonly Production[] {
  const admitted = OPS.filter(({ kind, name }) => kind === "declaration" && declarations.includes(name));
  const declared = (op: Op): Production => ({
    name: ruleNameOf(op),
    doc: op.doc,
    body: sequence(text(op.name), inOrder(op.slots)),
  });
  return [
    {
      name: "include",
      doc: "Merge another file, under an alias or not.",
      body: notation('"include" " " declared (" " "as" " " identifier)?'),
    },
    ...admitted.map(declared),
    { name: "declared", doc: "A word of a declaration.", body: notation("string | slot-word") },
  ];
}

/** Slots one after the other. An optional one may be followed only when it is there; a result stands for itself. */
function inOrder([slot, ...others]: readonly Slot[]): Expression {
  if (slot === undefined) return EMPTY;
  const one = sequence(SPACE, declaredSlot(slot));
  const rest = inOrder(others);
  if (slot.repeat) return sequence(slot.optional ? many(one) : some(one), rest);
  if (!slot.optional) return sequence(one, rest);
  return slot.class === "out" ? sequence(optional(one), rest) : optional(sequence(one, rest));
}

function declaredSlot({ class: slotClass, values }: Slot): Expression {
  switch (slotClass) {
    case "eref":
      return notation('"->" label-name');
    case "out":
      return notation('"->" name');
    case "ref":
      return rule("label-name");
    case "int":
      return rule("digits");
    case "enum":
      return words(...(values ?? []));
    case "rest":
      return notation('declared (" " declared)*');
    default:
      return rule("declared");
  }
}
