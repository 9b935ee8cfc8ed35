/**
 * The grammar of the opcode form, read from its parser. A shape changes it: calls and functions get the names that exist, labels get
 * their steps in an order that means something, and a closed shape lets names be only those that the program declares.
 */
import { COMPARATORS, FILTER_COMPARATORS, isName } from "../../operands/tokens.ts";
import { DECLARED_BY, findOp, OPS, type Op } from "../../ops.ts";
import { opcodeProductions } from "../../parser/opcode-parser.ts";
import { ruleNameOf } from "../../parser/step-parser.ts";
import {
  choice,
  type Expression,
  IMPOSSIBLE,
  leavesOf,
  many,
  mapped,
  notation,
  optional,
  type Production,
  reachable,
  rule,
  sequence,
  text,
  token,
  words,
} from "../expression.ts";
import { asProductions, type Docs, readProductions } from "../productions.ts";
import type { ClosedNames, GrammarShape } from "../shape.ts";
import { type Spelling, spelled } from "../spelling.ts";
import { callRule, declarationRules, functionRules, nameRules } from "./calls.ts";
import { BETWEEN, lexicalRules, lineEnd } from "./lexical.ts";

const DOCS: Docs = {
  program: "Includes and declarations, then labels with their steps.",
  block: "A label and its steps.",
  body: "Steps of a label.",
  plain: "A step that continues with the next.",
  end: "A step that ends its label.",
  guard: "What happens when the step above fails.",
  condition: "True or false: a value that is truthy, one that is present, a comparison.",
  list: "A list.",
  map: "A map.",
  nested: "The value of a pure function, or a comparison.",
  operand: "A value inside brackets.",
  ...Object.fromEntries(OPS.map((op) => [ruleNameOf(op), op.doc])),
};

/** All productions, `program` first. */
export function opcodeRules(shape: GrammarShape): readonly Production[] {
  const bodies = stepBodies(shape);
  const program = shape.closed === null ? openProgram(shape) : closedProgram(shape.closed);
  const own = new Map([...program, ...lineRules(bodies, shape.closed === null), ...bodies]);
  const speller = (type: string, label: string | null): Spelling | null =>
    lineSpelling(type) ?? spellingOf(type, label, shape.closed);
  const rules = spelled(asProductions(own, DOCS), ["program", "operand", "nested", "structure"], speller, 0);
  const all = [
    ...rules,
    callRule(shape, "step-argument"),
    ...functionRules(shape, "operand"),
    { name: "step-argument", doc: "", body: choice(rule("atom"), rule("structure")) },
    ...declarationRules(shape),
    ...nameRules(shape.closed),
    ...lexicalRules(shape.closed === null),
    { name: "line-end", doc: "", body: lineEnd(shape.closed === null) },
    BETWEEN,
  ];
  return reachable(all, ["program"]);
}

// ---- lines ----

type Rules = [string, Expression][];
const END = token("Newline");

function openProgram({ declarations }: GrammarShape): Rules {
  const heads = OPS.filter(({ kind, name }) => kind === "declaration" && declarations.includes(name)).map(ruleNameOf);
  const head = sequence(choice(...["include", ...heads].map((name) => token(name))), END);
  const block = sequence(token("Label"), END, rule("body"));
  return [
    ["program", sequence(token("between"), many(rule("head-line")), many(rule("block")))],
    ["head-line", head],
    ["block", block],
  ];
}

/** The lines that declare the names, then each label once. */
function closedProgram({ labels, names, caches, queues }: ClosedNames): Rules {
  const head = [
    `# frame: ${names.join(", ")}`,
    ...caches.map((name) => `C ${name} key 60`),
    ...queues.map((name) => `Q ${name}`),
  ];
  const blocks = labels.flatMap((id) => [text(`\nL${id}:\n`), rule("body")]);
  return [["program", sequence(text(`${head.join("\n")}\n`), ...blocks)]];
}

/** Steps in the order in which they mean something: Err and Retry stand below the step they protect, and an end ends. */
function lineRules(bodies: ReadonlyMap<string, Expression>, isOpen: boolean): Rules {
  const ops = OPS.filter((op) => op.kind === "step" && bodies.has(ruleNameOf(op)));
  const isGuard = ({ name }: Op): boolean => name === "Err" || name === "Retry";
  const line = (admitted: readonly Op[]): Expression =>
    sequence(choice(...admitted.map((op) => rule(ruleNameOf(op)))), END);
  const guards = many(rule("guard"));
  const end = sequence(rule("end"), guards);
  return [
    [
      "body",
      isOpen
        ? sequence(many(choice(rule("plain"), rule("guard"))), optional(end))
        : sequence(many(sequence(rule("plain"), guards)), rule("end")),
    ],
    ["plain", line(ops.filter((op) => !op.terminal && !isGuard(op)))],
    ["end", line(ops.filter((op) => op.terminal))],
    ["guard", line(ops.filter(isGuard))],
  ];
}

// ---- steps ----

/** What a closed grammar knows by name, by its declaration. */
const LISTS: Readonly<Record<string, "caches" | "queues">> = { C: "caches", Q: "queues" };

/** The rules of the parser, without the steps that the shape does not admit. */
function stepBodies({ closed }: GrammarShape): Map<string, Expression> {
  const bodies = readProductions(opcodeProductions());
  for (const name of ["program", "call-line"]) bodies.delete(name);
  for (const op of OPS.filter(({ kind }) => kind === "step")) {
    const name = ruleNameOf(op);
    const body = references(bodies.get(name) ?? IMPOSSIBLE, op.name !== "Call");
    bodies.set(name, body);
    if (op.name === "Each") bodies.set(name, mapped(body, branchLimit));
    if (op.name === "R") bodies.set(name, withPiece(body, "call", token("call")));
    else if (op.name === "X") bodies.set(name, withPiece(body, "fn", token("function-value")));
    else if (closed !== null && declaredFor(op, closed)?.length === 0) bodies.delete(name);
    else if (closed !== null) bodies.set(name, closedStep(op, bodies.get(name) ?? body, closed));
  }
  bodies.set("nested", nestedCalls(bodies.get("nested") ?? IMPOSSIBLE));
  bodies.set("condition", conditionForms(bodies.get("condition") ?? IMPOSSIBLE));
  return bodies;
}

function branchLimit(one: Expression): Expression {
  return one.is === "token" && one.label === "limit" ? token(one.type, "branch-limit") : one;
}

/** The names that a step may begin with; null: any. */
function declaredFor(op: Op, closed: ClosedNames): readonly string[] | null {
  const declaration = DECLARED_BY[op.name];
  if (declaration === undefined) return null;
  const list = LISTS[declaration];
  return list === undefined ? [] : closed[list];
}

/** `J` alone reads the variable `data`, which a closed grammar may not know: there its value is written. */
function closedStep(op: Op, body: Expression, closed: ClosedNames): Expression {
  const names = declaredFor(op, closed);
  if (names !== null) return withPiece(body, "word", words(...names));
  const readsVariable = op.slots.some(
    (slot) => slot.class === "operand" && slot.optional && isName(slot.default ?? ""),
  );
  if (!readsVariable || body.is !== "sequence") return body;
  return sequence(...body.of.map((part) => (part.is === "optional" ? part.of : part)));
}

/** The body with `piece` in the place of the slot of that class and of those that repeat after it. */
function withPiece(body: Expression, label: string, piece: Expression): Expression {
  const parts = body.is === "sequence" ? body.of : [body];
  const at = parts.findIndex((part) => leavesOf(part).some((leaf) => leaf.is === "token" && leaf.label === label));
  const isRepeated = parts[at + 1]?.is === "repeat";
  return sequence(...parts.slice(0, at), piece, ...parts.slice(isRepeated ? at + 2 : at + 1));
}

/** The parser reads references with and without an arrow; the formatter writes one everywhere but after `Call`. */
function references(body: Expression, hasArrow: boolean): Expression {
  return mapped(body, (one) => {
    if (one.is !== "choice" || !one.of.some((part) => part.is === "token" && part.label === "ref")) return one;
    return choice(...one.of.filter((part) => (part.is === "sequence") === hasArrow));
  });
}

/** The parser reads any values in round brackets; a program has a function that exists there, or a comparison. */
function nestedCalls(body: Expression): Expression {
  return mapped(body, (one) => {
    if (one.is !== "optional" || one.of.is !== "sequence") return one;
    const [left, compared] = one.of.of;
    if (left?.is !== "rule" || compared?.is !== "optional") return one;
    return choice(token("function-call"), sequence(left, compared.of));
  });
}

/** Only what may be unset is asked for with `?` or compared as text, and a constant alone is not a condition. */
function conditionForms(body: Expression): Expression {
  return mapped(body, (one) => {
    const [operand, said] = one.is === "sequence" ? one.of.slice(-2) : [];
    if (one.is !== "sequence" || operand?.is !== "rule" || said?.is !== "optional") return one;
    const forms = said.of.is === "choice" ? said.of.of : [said.of];
    const [touching, apart] = [true, false].map((wanted) =>
      choice(...forms.filter((form) => (firstToken(form) !== "Compare") === wanted).map(withoutRight)),
    );
    const subject = sequence(token("subject"), optional(touching ?? IMPOSSIBLE));
    const compared = sequence(choice(token("left-side"), rule("structure")), apart ?? IMPOSSIBLE);
    return sequence(...one.of.slice(0, -2), choice(subject, compared, rule("structure")));
  });
}

function firstToken(one: Expression): string | null {
  if (one.is === "sequence") return one.of[0] === undefined ? null : firstToken(one.of[0]);
  return one.is === "token" ? one.type : null;
}

/** The right side of `=` is part of its spelling. */
function withoutRight(form: Expression): Expression {
  return firstToken(form) === "Equals" ? token("Equals") : form;
}

// ---- tokens ----

/** What begins and ends lines. */
function lineSpelling(type: string): Spelling | null {
  if (type === "Newline") return { of: rule("line-end"), before: "glue", after: "glue" };
  if (type === "Label") return { of: notation('"L" id ":"'), before: "line" };
  if (type === "between") return { of: rule("between"), before: "line", after: "glue" };
  if (type === "include" || type.startsWith("declaration-")) return { of: rule(type), before: "line" };
  return findOp(type)?.kind === "step"
    ? { of: sequence({ is: "space", text: "  " }, text(type)), before: "line" }
    : null;
}

const TOKENS: Readonly<Record<string, Spelling>> = {
  Arrow: { of: text("->"), after: "glue" },
  OpenParen: { of: text("("), after: "glue" },
  CloseParen: { of: text(")"), before: "glue" },
  OpenList: { of: text("["), after: "open" },
  CloseList: { of: text("]"), before: "close" },
  OpenMap: { of: text("{"), after: "open" },
  CloseMap: { of: text("}"), before: "close" },
  Comma: { of: text(","), before: "glue", after: "gap" },
  Key: { of: choice(rule("string"), rule("key")) },
  Colon: { of: text(":"), before: "glue", after: "gap" },
  Compare: { of: rule("comparator") },
  Equals: { of: notation('"=" (string | number | name | id)?'), before: "glue" },
  Question: { of: text("?"), before: "glue" },
  Not: { of: text("not") },
  subject: { of: notation("name | variable | path") },
  "left-side": { of: notation("string | number | constant | name | variable | path") },
  call: { of: rule("call") },
  "function-call": { of: rule("function-call") },
  "function-value": { of: choice(rule("function-call"), rule("host-call"), rule("nested")) },
};

/** How many branches may run at once. */
const BRANCHES = notation('[1-5] [0-9]? | "6" [0-4]? | [7-9]');

const SLOTS: Readonly<Record<string, Expression>> = {
  call: notation('identifier "." id'),
  inner: rule("inner-atom"),
  name: rule("name"),
  out: rule("name"),
  ref: rule("label-name"),
  cmp: words(...FILTER_COMPARATORS.filter((one) => !COMPARATORS.has(one))),
  int: rule("digits"),
  limit: notation('"limit=" [1-9] [0-9]? [0-9]? [0-9]? [0-9]? [0-9]? [0-9]?'),
  "branch-limit": sequence(text("limit="), BRANCHES),
  word: rule("text"),
};

/** How a token of a step is written. A closed grammar names no step by number: it does not know which a label has. */
export function spellingOf(type: string, label: string | null, closed: ClosedNames | null): Spelling | null {
  if (type === "Node") return closed === null ? { of: rule("node") } : null;
  if (label === "as") return null;
  if (type !== "Atom") return TOKENS[type] ?? null;
  if (label?.startsWith("enum:")) return { of: words(...label.slice("enum:".length).split(",")) };
  return { of: SLOTS[label ?? ""] ?? rule("atom") };
}
