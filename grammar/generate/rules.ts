/**
 * The language as productions (docs/grammars.md): one model that every grammar format is printed from. It describes formatted
 * programs; the parser reads more. A closed shape gives a grammar whose sentences refer only to what they declare.
 */
import { OPERAND_RULES } from "./operand-rules.ts";
import {
  choice,
  type Expression,
  INDENT,
  many,
  NEWLINE,
  optional,
  type Production,
  production,
  rule,
  sequence,
  some,
  text,
  words,
} from "./production.ts";
import type { ClosedNames, GrammarShape } from "./shape.ts";
import { callRule, declarationRules, functionRules, ruleOf, stepRules, stepsOf } from "./step-rules.ts";
import { tokenRules } from "./token-rules.ts";

/** All productions, `program` first. */
export function rulesOf(shape: GrammarShape): readonly Production[] {
  const { closed } = shape;
  const declarations = closed === null ? declarationRules(shape) : [];
  const program = closed === null ? openProgram(declarations) : closedProgram(closed);
  return [
    ...program,
    ...blockRules(shape),
    ...stepRules(shape),
    callRule(shape),
    ...functionRules(shape),
    ...declarations,
    ...nameRules(closed),
    ...OPERAND_RULES,
    ...tokenRules(closed === null),
  ];
}

function openProgram(declarations: readonly Production[]): Production[] {
  const end = sequence(optional(rule("line-comment")), NEWLINE);
  return [
    production(
      "program",
      "Includes and declarations, then labels with their steps.",
      sequence(many(rule("head-line")), many(rule("block"))),
    ),
    production(
      "head-line",
      "",
      sequence(
        choice(
          sequence(optional(choice(...declarations.map(({ name }) => rule(name)))), end),
          sequence(rule("comment"), NEWLINE),
        ),
      ),
    ),
    production("block", "A label and its steps.", sequence(text("L"), rule("id"), text(":"), end, rule("body"))),
  ];
}

/** The lines that declare the names, then each label once. */
function closedProgram({ labels, names, caches, queues }: ClosedNames): Production[] {
  const head = [
    `# frame: ${names.join(", ")}`,
    ...caches.map((name) => `C ${name} key 60`),
    ...queues.map((name) => `Q ${name}`),
  ];
  const block = (id: string): Expression => sequence(text(`L${id}:`), NEWLINE, rule("body"));
  return [
    production(
      "program",
      "The lines that declare the names, then each label once.",
      sequence(...head.flatMap((line) => [text(line), NEWLINE]), ...labels.flatMap((id) => [NEWLINE, block(id)])),
    ),
  ];
}

/** Steps in the order in which they mean something: Err and Retry stand below the step they protect, and an end ends. */
function blockRules(shape: GrammarShape): Production[] {
  const ops = stepsOf(shape);
  const isGuard = (name: string): boolean => name === "Err" || name === "Retry";
  const of = (admitted: typeof ops): Expression => choice(...admitted.map((op) => rule(ruleOf(op))));
  const open = shape.closed === null;
  const line = (step: Expression): Expression =>
    sequence(INDENT, step, ...(open ? [optional(rule("line-comment"))] : []), NEWLINE);
  const guards = many(rule("guard"));
  const end = sequence(rule("end"), guards);
  const between = choice(NEWLINE, sequence(many(text(" ")), rule("comment"), NEWLINE));
  return [
    production(
      "body",
      "Steps of a label.",
      open
        ? sequence(
            many(choice(rule("plain"), rule("guard"), rule("between"))),
            optional(sequence(end, many(rule("between")))),
          )
        : sequence(many(sequence(rule("plain"), guards)), rule("end")),
    ),
    production(
      "plain",
      "A step that goes on with the next.",
      line(of(ops.filter((op) => !op.terminal && !isGuard(op.name)))),
    ),
    production("end", "A step that ends its label.", line(of(ops.filter((op) => op.terminal)))),
    production("guard", "What happens when the step above fails.", line(of(ops.filter((op) => isGuard(op.name))))),
    ...(open
      ? [production("between", "", between), production("line-comment", "", sequence(some(text(" ")), rule("comment")))]
      : []),
  ];
}

function nameRules(closed: ClosedNames | null): Production[] {
  const name = closed === null ? rule("identifier") : words(...closed.names);
  const id = closed === null ? rule("id") : words(...closed.labels);
  return [
    production("name", "A variable: letters, digits and underscores.", name),
    production("label-name", "A label to call.", sequence(closed === null ? optional(text("L")) : text("L"), id)),
    production("reference", "A label to go to.", sequence(text("->"), rule("label-name"))),
    production("result", "Where a result goes.", sequence(text("->"), rule("name"))),
  ];
}
