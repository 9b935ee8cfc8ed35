/**
 * The grammar of the indented form, read from its parser. What the token source of that form reads as one token (headers, calls of
 * adapters, steps of the opcode form) is spelled here. GBNF cannot count, so blocks are bounded to a number of levels.
 */
import { indentedProductions } from "../../indented/parser/program.ts";
import { OPS } from "../../ops.ts";
import { ruleNameOf } from "../../parser/step-parser.ts";
import {
  choice,
  type Expression,
  IMPOSSIBLE,
  isRule,
  isToken,
  many,
  mapped,
  optional,
  type Production,
  reachable,
  rule,
  sequence,
  some,
  text,
  token,
} from "../expression.ts";
import { asProductions, type Docs, readProductions } from "../productions.ts";
import type { GrammarShape } from "../shape.ts";
import { rulesWith, type Spelling, spelled } from "../spelling.ts";
import { lineName, spellingIn } from "./indented-tokens.ts";
import { characterRules } from "./indented-words.ts";
import { stepBodies } from "./opcode.ts";

/** Blocks inside one another, that of the graph included. */
export const BLOCK_LEVELS = 5;

const DOCS: Docs = {
  program: "Includes and declarations, then graphs.",
  graph: "A named block of statements.",
  statement: "A statement of one line, or one with a block.",
  choice: "A value: operands with operators between them.",
  binary: "Operands with operators between them, which bind as in Python.",
  postfix: "An operand, with what is taken from it.",
  comprehension: "A value for each element of a list.",
  template: "Text with values in it.",
  index: "An element, or a part of a list or text.",
};

/** All productions, `program` first. */
export function indentedRules(shape: GrammarShape): readonly Production[] {
  const own = new Map([...programRules(shape), ...inLoops(indentedBodies()), ...opcodeSteps(shape)]);
  const roots = [
    "program",
    "choice",
    "postfix",
    "step-operand",
    "step-nested",
    "step-structure",
    "list",
    "map",
    "paren",
  ];
  const spell = (type: string, label: string | null): Spelling | null => spellingIn(shape, type, label);
  const rules = spelled(asProductions(own, DOCS), roots, spell, BLOCK_LEVELS);
  const all = [...rules, ...characterRules(shape)];
  return reachable([...all, ...onOneLine(all)], ["program"]);
}

/** Copies of the rules that may continue on another line, for places where they may not. */
function onOneLine(productions: readonly Production[]): readonly Production[] {
  const copied = rulesWith((leaf) => isRule(leaf, "break"), productions);
  const change = (leaf: Expression): Expression => {
    if (isRule(leaf, "break")) return IMPOSSIBLE;
    return leaf.is === "rule" && copied.has(leaf.name) ? rule(lineName(leaf.name)) : leaf;
  };
  return productions
    .filter(({ name }) => copied.has(name))
    .map(({ name, body }) => ({ name: lineName(name), doc: "", body: mapped(body, change) }));
}

type Bodies = Map<string, Expression>;
const END = token("Newline");

// ---- the file ----

/** The last statement of a graph is one that only this form has: a file that never shows its form is read as the opcode form. */
function programRules({ closed, declarations }: GrammarShape): Bodies {
  const heads = OPS.filter(({ kind, name }) => kind === "declaration" && declarations.includes(name)).map(ruleNameOf);
  const body = sequence(many(rule("statement")), rule("last-statement"), token("Dedent"));
  const declared =
    closed === null
      ? []
      : [...closed.caches.map((name) => `C ${name} key 60\n`), ...closed.queues.map((name) => `Q ${name}\n`)];
  const blocks = closed?.labels.flatMap((id, index) => {
    const header = index === 0 ? `${declared.join("")}${id}(${closed.names.join(", ")}):` : `\n${id}:`;
    return [text(`${header}\n`), rule("graph-body")];
  });
  return new Map([
    [
      "program",
      blocks === undefined
        ? sequence(token("between"), many(rule("head-line")), some(rule("graph")))
        : sequence(...blocks),
    ],
    ["head-line", sequence(choice(...["include", ...heads].map((name) => token(name))), END)],
    ["graph", sequence(token("HeaderLine"), END, token("Indent"), optional(sequence(token("InputLine"), END)), body)],
    ["graph-body", sequence(token("Indent"), body)],
  ]);
}

// ---- statements ----

/** The rules of the parser, changed where its token source decides what a line is. */
function indentedBodies(): Bodies {
  const bodies = readProductions(indentedProductions());
  const change = (name: string, to: (body: Expression) => Expression): void => {
    bodies.set(name, to(bodies.get(name) ?? IMPOSSIBLE));
  };
  for (const name of ["file", "graph", "parameter", "deeper", "stray-else", "stray-except", "declaration"])
    bodies.delete(name);
  for (const name of ["if-statement", "try-statement"]) bodies.set(`last-${name}`, bodies.get(name) ?? IMPOSSIBLE);
  for (const name of ["if-statement", "try-statement"]) change(name, staying);
  bodies.set("staying-block", sequence(token("Indent"), some(rule("statement")), token("Dedent")));
  bodies.set("leaving-block", sequence(token("Indent"), many(rule("statement")), rule("leaving"), token("Dedent")));
  bodies.set("leaving", LEAVING);
  change("statements", () => choice(sequence(some(rule("statement")), optional(rule("leaving"))), rule("leaving")));
  bodies.set("last-statement", lastStatement(bodies.get("statement") ?? IMPOSSIBLE));
  change("statement", statements);
  change("whole", () =>
    choice(sequence(choice(token("call-line"), rule("step-line")), END), rule("guard-line"), RAISED),
  );
  bodies.set("guard-line", sequence(choice(rule("step-err"), rule("step-retry")), END));
  change("single", () => sequence(choice(token("Pass"), sequence(token("bare-graph"), rule("arguments"))), END));
  for (const name of ["for-statement", "comprehension"])
    change(name, (body) => mapped(body, (one) => (isToken(one, "Comma") ? token("Comma", "names") : one)));
  change("put", () => PUT);
  change("each", () =>
    sequence(token("Each"), token("line-choice"), optional(token("branch-limit")), optional(token("settle")), END),
  );
  change("valued", () => sequence(token("Target"), rule("choice"), END));
  change("reading", () => rule("choice"));
  change("except", (body) => mapped(body, (one) => (one.is === "repeat" ? optional(one.of) : one)));
  change("while-statement", (body) => mapped(body, limits));
  change("signed", () =>
    sequence(optional(token("NotWord")), choice(token("JoinedOperator", "sign"), rule("postfix"))),
  );
  bodies.set("postfix", operands(bodies.get("primary") ?? IMPOSSIBLE));
  change("paren", () =>
    sequence(token("OpenParen"), choice(rule("choice"), token("spaced-call")), token("CloseParen")),
  );
  change("index", parts);
  bodies.set("arguments", bodies.get("call") ?? IMPOSSIBLE);
  bodies.delete("call");
  for (const name of ["list", "arguments", "map"]) change(name, (body) => mapped(body, items));
  change("template", (body) => mapped(body, (one) => (isRule(one, "choice") ? token("template-value") : one)));
  return bodies;
}

function alternatives(one: Expression): readonly Expression[] {
  return one.is === "choice" ? one.of : [one];
}

/** Inputs stand below the header only; what stands in the wrong place is read by rules of its own. */
function statements(body: Expression): Expression {
  const left = ["inputs", "stray-else", "stray-except"];
  return choice(...alternatives(body).filter((one) => one.is !== "rule" || !left.includes(one.name)));
}

function lastStatement(body: Expression): Expression {
  const left = ["whole", "single"];
  const own = alternatives(statements(body)).filter((one) => one.is !== "rule" || !left.includes(one.name));
  return choice(...own, rule("leaving"), sequence(token("assigned-call"), END));
}

/** `rows[0].n = v`, `n += v`. */
const PUT = sequence(
  choice(sequence(token("put-element"), token("Assign")), sequence(token("put-name"), token("Assign", "update"))),
  rule("choice"),
  END,
);

/** Handled where it is raised, a failure does not leave the block. */
const RAISED = sequence(token("Err"), rule("choice"), END, some(rule("guard-line")));

/** What follows these in their block is never reached. */
const LEAVING = choice(
  sequence(token("Out"), optional(rule("choice")), END, many(rule("guard-line"))),
  sequence(token("Err"), rule("choice"), END, many(rule("guard-line"))),
  sequence(token("raise"), END),
  rule("last-if-statement"),
  rule("last-try-statement"),
);

/** At least one block of a statement does not leave, so that what follows the statement is reached. */
function staying(body: Expression): Expression {
  const [last, before] = [withLastBlock(body, "staying-block"), withLastBlock(body, "leaving-block")];
  return choice(last, withFirstBlock(required(before), "staying-block"));
}

/** With the block that may be missing at the end, an `else`. */
function required(body: Expression): Expression {
  if (body.is !== "sequence") return body;
  return sequence(
    ...body.of.map((part, index) => (part.is === "optional" && index === body.of.length - 1 ? part.of : part)),
  );
}

function withFirstBlock(body: Expression, name: string): Expression {
  if (body.is !== "sequence") return body;
  const first = body.of.findIndex((part) => isRule(part, "block"));
  return sequence(...body.of.map((part, index) => (index === first ? rule(name) : part)));
}

function withLastBlock(body: Expression, name: string): Expression {
  let isSeen = false;
  const change = (one: Expression): Expression => {
    if (isSeen) return one;
    if (isRule(one, "block")) {
      isSeen = true;
      return rule(name);
    }
    if (one.is === "optional") return optional(change(one.of));
    if (one.is !== "sequence") return one;
    return sequence(...one.of.toReversed().map(change).toReversed());
  };
  return change(body);
}

function limits(one: Expression): Expression {
  return one.is === "sequence" && isToken(one.of[0], "LimitWord") ? token("limit") : one;
}

/** `break` and `continue` stand in loops only: the rules around them are written once more for blocks of loops. */
function inLoops(bodies: Bodies): Bodies {
  const copied = [
    "block",
    "statements",
    "statement",
    "leaving",
    "staying-block",
    "leaving-block",
    "if-statement",
    "try-statement",
    "last-if-statement",
    "last-try-statement",
  ];
  const inLoop = (body: Expression): Expression =>
    mapped(body, (one) => (one.is === "rule" && copied.includes(one.name) ? rule(`loop-${one.name}`) : one));
  const all = new Map(bodies);
  for (const name of copied) all.set(`loop-${name}`, inLoop(bodies.get(name) ?? IMPOSSIBLE));
  for (const name of ["for-statement", "while-statement"]) all.set(name, inLoop(bodies.get(name) ?? IMPOSSIBLE));
  all.set(
    "loop-leaving",
    choice(bodies.get("leaving") ?? IMPOSSIBLE, sequence(choice(token("Break"), token("Continue")), END)),
  );
  return all;
}

// ---- expressions ----

/** What may be taken from an operand depends on what it is: nothing from a number, and only a name is called. */
function operands(primary: Expression): Expression {
  const plain = ["Constant", "NumberWord"];
  const isPlain = (one: Expression): boolean => one.is === "token" && plain.includes(one.type);
  const rest = many(choice(token("Member"), rule("index")));
  const whole = alternatives(primary).filter((one) => !isPlain(one));
  return choice(
    ...alternatives(primary).filter(isPlain),
    sequence(token("subject"), token("Question")),
    sequence(
      choice(...whole, token("known-call"), token("bracket-call"), sequence(token("graph-name"), rule("arguments"))),
      rest,
    ),
  );
}

/** `[i]`, `[a:b]`, and one of both may be missing around the colon. */
function parts(body: Expression): Expression {
  const [open = IMPOSSIBLE, first = IMPOSSIBLE, second = IMPOSSIBLE, ...close] = body.is === "sequence" ? body.of : [];
  if (first.is !== "optional" || second.is !== "optional") return IMPOSSIBLE;
  return sequence(open, choice(first.of, sequence(first, second.of)), ...close);
}

/** A comprehension stands after the only value. */
function items(one: Expression): Expression {
  if (one.is !== "optional" || one.of.is !== "sequence") return one;
  const [value, each, ...rest] = one.of.of;
  if (value === undefined || each?.is !== "optional" || each.of.is !== "rule") return one;
  return optional(choice(sequence(value, each.of), sequence(value, ...rest)));
}

// ---- steps of the opcode form ----

/** Statements of the opcode form that have no form of their own here. */
function isStepLine({ kind, name, terminal }: (typeof OPS)[number]): boolean {
  return kind === "step" && !terminal && !["R", "X", "Set", "Call", "Err", "Retry"].includes(name);
}

/** The rules of steps, under names that are not those of this form. */
function opcodeSteps(shape: GrammarShape): Bodies {
  const bodies = stepBodies(shape);
  const named = (name: string): string => (name.startsWith("step-") ? name : `step-${name}`);
  const change = (one: Expression): Expression => {
    if (one.is === "rule") return rule(named(one.name));
    return one.is === "token" && OPS.some(({ name }) => name === one.type) ? token("step-word", one.type) : one;
  };
  const steps = new Map([...bodies].map(([name, body]) => [named(name), mapped(body, change)]));
  const lines = OPS.filter((op) => isStepLine(op) && steps.has(ruleNameOf(op))).map((op) => rule(ruleNameOf(op)));
  steps.set("step-line", choice(...lines));
  return steps;
}
