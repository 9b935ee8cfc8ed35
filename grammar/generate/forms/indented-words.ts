/** Productions over characters of the indented form: names, headers, inputs, and what its token source reads as one token. */

import { PLAIN_TYPES, SHORT_TYPES } from "../../input-types.ts";
import {
  choice,
  type Expression,
  IMPOSSIBLE,
  notation,
  optional,
  type Production,
  rule,
  sequence,
  text,
  words,
} from "../expression.ts";
import type { GrammarShape } from "../shape.ts";
import { bracketCallRule, callRule, declarationRules, expressionCallRules, functionRules } from "./calls.ts";
import { BETWEEN, lexicalRules, lineEnd } from "./lexical.ts";

/** A name at the beginning of a line that is neither a short word of a statement nor one of the opcode form. */
const LINE_NAME = notation("[a-hj-np-z_] [A-Za-z0-9_]* | [io] ([0-9_] | [A-Za-z0-9_] [A-Za-z0-9_]+)?");

const GRAPH_NAME = choice(LINE_NAME, notation("[A-KM-Z] [A-Z0-9_] [A-Z0-9_]+"));

/** The shape with fewer verbs. */
function without(shape: GrammarShape, isLeft: (adapter: string, verb: string) => boolean): GrammarShape {
  const all = shape.closed === null ? isLeft : (one: string, verb: string) => isTransaction(one) || isLeft(one, verb);
  const kept = shape.adapters?.map(({ name, verbs }) => ({
    name,
    verbs: verbs.filter((verb) => !all(name, verb.name)),
  }));
  return { ...shape, adapters: kept ?? null };
}

/** A closed grammar does not know which graphs are branches: those can neither begin nor end a transaction. */
function isTransaction(adapter: string): boolean {
  return adapter === "txn";
}

/** Productions over characters. */
export function characterRules(shape: GrammarShape): readonly Production[] {
  const { closed } = shape;
  const hosts = new Set(shape.functions.filter(({ host }) => host).map(({ name }) => name.toUpperCase()));
  const rules: readonly (readonly [name: string, doc: string, body: Expression])[] = [
    [
      "header",
      "The name of a graph, with decorators or inputs.",
      notation('graph-name ((" " decorator)* | "(" (input (", " input)*)? ")") ":"'),
    ],
    [
      "decorator",
      "",
      notation(
        '("@api" " " "\\"" "/" [A-Za-z0-9_/.{}-]* "\\"" (" " [A-Z]+)? | "@" [b-z] [a-z]* (" " ("\\"" [^"\\\\\\n\\r\\x00]* "\\"" | [A-Za-z0-9_/.-]+))*)',
      ),
    ],
    ["inputs", "The inputs of a graph.", notation('"in:" " " typed ("," " " typed)*')],
    ["typed", "", notation('name (":" " "? type)?')],
    ["input", "", notation('typed ("=" (string | number | constant))?')],
    ["type", "", sequence(rule("type-name"), optional(text("?")))],
    [
      "type-name",
      "A type. A closed grammar declares none.",
      choice(
        words(...PLAIN_TYPES, ...SHORT_TYPES),
        notation('"A[" type "]" | "E[" identifier ("," identifier)* "]"'),
        closed === null ? rule("identifier") : IMPOSSIBLE,
      ),
    ],
    ["spaced-operand", "", notation("string | unsigned | constant | variable | path | name | list | map | paren")],
    [
      "put-name",
      "A variable that is changed. Words of the opcode form begin with capital letters.",
      closed === null ? LINE_NAME : rule("name"),
    ],
    ["called", "A verb of an adapter, or graphs.", notation('call | acting-call | "call" " " branches')],
    ["assigned", "What a line gives a name to.", notation('call | host-bracket-call | "call" " " branches')],
    [
      "branches",
      "A graph, or several at once.",
      notation('call-target (("," " " call-target)+ (" " "settle")? | " " "settle")?'),
    ],
    [
      "call-argument",
      "",
      // Where arguments that compute end depends on the variables of the file.
      notation(
        shape.adapters === null
          ? "choice | word"
          : "string | number | constant | variable | path | name | step-structure | address",
      ),
    ],
    [
      "address",
      "Bare text that begins like a path. `~` alone is an operator in front of a variable.",
      notation('([/@] | "~/") [A-Za-z0-9_] [^ \\t\\n\\r\\x00#"\'()\\[\\]{},=<>]*'),
    ],
    ["unsigned", "", notation('(digits ("." [0-9]+)? | "." digits) ([eE] [+-]? [0-9] [0-9]?)?')],
    [
      "negative",
      "A number or variable with its sign. A short word after it would be an option of a command.",
      closed === null
        ? notation('"-" (unsigned | [A-Za-z_] [A-Za-z0-9_] [A-Za-z0-9_]+)')
        : notation('"-" (unsigned | name)'),
    ],
    [
      "name",
      "A variable: letters, digits and underscores.",
      closed === null ? rule("identifier") : words(...closed.names),
    ],
    ["graph-name", "The name of a graph.", closed === null ? GRAPH_NAME : words(...closed.labels)],
    ["call-target", "", closed === null ? notation('graph-name ("/" [A-Za-z0-9_]+)*') : rule("graph-name")],
    ["label-name", "A graph, as the opcode form may write it too.", notation('"L_"? graph-name')],
    ["line-end", "", lineEnd(closed === null)],
  ];
  return [
    callRule(
      without(shape, () => false),
      "call-argument",
    ),
    bracketCallRule(
      "bracket-call",
      without(shape, (adapter, verb) => adapter === "core" && hosts.has(verb)),
    ),
    bracketCallRule(
      "host-bracket-call",
      without(shape, (adapter, verb) => adapter !== "core" || !hosts.has(verb)),
    ),
    bracketCallRule(
      "acting-call",
      without(shape, (adapter) => adapter === "core"),
    ),
    ...functionRules(shape, "step-operand"),
    ...expressionCallRules(shape),
    ...rules.map(([name, doc, body]) => ({ name, doc, body })),
    ...declarationRules(shape),
    ...lexicalRules(closed === null),
    BETWEEN,
  ];
}
