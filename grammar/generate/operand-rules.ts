/**
 * Productions of operands and conditions (docs/language.md, values and operands): what a slot of a step may hold, literals over several lines
 * included.
 */
import { COMPARATORS } from "../tokens.ts";
import {
  BLANK,
  choice,
  type Expression,
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

const ATOMS = ["string", "number", "constant", "variable", "path", "name"].map(rule);
const STRUCTURES = ["list", "map", "nested"].map(rule);

/** Inside brackets a line may end, with a comment, and go on with any indentation. */
const lineBreak = some(sequence(many(text(" ")), optional(rule("comment")), NEWLINE, many(text(" "))));
const gap = choice(BLANK, rule("break"));

function literal(open: string, item: Expression, close: string): Expression {
  const items = sequence(item, many(sequence(text(","), gap, item)), optional(text(",")));
  return sequence(text(open), optional(rule("break")), optional(items), optional(rule("break")), text(close));
}

/** `[1, 2]` and comparisons, in the order of the table of comparators; `=` compares texts and is glued. */
const comparators = [...COMPARATORS].filter((mark) => mark !== "=");

export const OPERAND_RULES: readonly Production[] = [
  production(
    "operand",
    "A value: text, a number, a variable, a path, a literal or a nested call.",
    choice(...ATOMS, rule("word"), ...STRUCTURES),
  ),
  production("inner-operand", "A value inside brackets.", choice(...ATOMS, rule("inner-word"), ...STRUCTURES)),
  production("list", "A list.", literal("[", rule("inner-operand"), "]")),
  production(
    "map",
    "A map.",
    literal("{", sequence(choice(rule("string"), rule("key")), text(":"), gap, rule("inner-operand")), "}"),
  ),
  production("break", "", lineBreak),
  production(
    "nested",
    "The value of a pure function, or a comparison.",
    sequence(
      text("("),
      choice(
        rule("function-call"),
        sequence(rule("inner-operand"), BLANK, rule("comparator"), BLANK, rule("inner-operand")),
      ),
      text(")"),
    ),
  ),
  production("comparator", "", words(...comparators)),
  production(
    "condition",
    "True or false: a value that is truthy, one that is present, a comparison.",
    sequence(
      optional(sequence(text("not"), BLANK)),
      choice(
        sequence(rule("subject"), optional(text("?"))),
        sequence(
          rule("subject"),
          text("="),
          optional(choice(rule("string"), rule("number"), rule("name"), rule("id"))),
        ),
        sequence(rule("subject"), BLANK, rule("comparator"), BLANK, rule("operand")),
        ...STRUCTURES,
        sequence(rule("fixed"), BLANK, rule("comparator"), BLANK, rule("operand")),
      ),
    ),
  ),
  production("subject", "What a condition looks at.", choice(rule("name"), rule("variable"), rule("path"))),
  production("fixed", "", choice(rule("string"), rule("number"), rule("constant"), ...STRUCTURES)),
];
