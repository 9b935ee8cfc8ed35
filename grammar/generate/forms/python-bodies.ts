/**
 * The sentences of the Python form as productions over its tokens, read from the rules of its parser. Where a rule reads more than is allowed and
 * its action refuses what is too much, the production here says what is left: operators by how tightly they bind, targets, the order of
 * arguments and parameters. What only a look at the whole program tells (a name that two parameters have) no production says.
 */

import { KEYWORDS, MARKS } from "../../python/lexing/tokens.ts";
import { LEVELS } from "../../python/parser/precedence.ts";
import { pythonProductions } from "../../python/parser/python-parser.ts";
import { choice, type Expression, many, notation, optional, rule, sequence, token } from "../expression.ts";
import { readProductions } from "../productions.ts";

/** A row with commas between its parts, the last of which may stand alone. */
const row = (one: string): string => `${one} (Comma ${one})* Comma?`;

const BODIES: Readonly<Record<string, string>> = {
  // Statements.
  "value-statement":
    "value | (targets Equal)+ value | single-target Augmented value | single-target Colon:type expression (Equal value)?",
  "import-from": "From ((Dot:level | Ellipsis:level)* dotted-name | (Dot:level | Ellipsis:level)+) Import members",
  delete: `Del ${row("deleted")}`,
  deleted: `Name | part | LParen (${row("deleted")})? RParen | LBracket:list (${row("deleted")})? RBracket`,
  try: "Try block ((handler+ last-handler? | last-handler) otherwise? (Finally block)? | Finally block)",
  handler: "Except expression (As Name)? block",
  "last-handler": "Except block",
  otherwise: "Else block",
  if: "If named block (Elif named block)* otherwise?",
  for: "For targets In expressions loop-block otherwise?",
  while: "While named loop-block otherwise?",
  "loop-block": "block",
  "function-block": "block",
  "class-block": "block",
  function: "Def Name LParen parameters? RParen (Arrow expression)? function-block",
  class: "Class Name (LParen arguments? RParen)? class-block",
  "with-items": `with-item (Comma with-item)* | LParen ${row("with-item")} RParen`,
  "with-item": "expression (As target)?",
  subject: `named (Comma (${row("element")})?)? | starred Comma (${row("element")})?`,
  // Targets.
  targets: "target (Comma target)* (Comma star-targets?)? | Star:unpack target Comma (target (Comma target)* Comma?)?",
  "star-targets": "Star:unpack target (Comma target)* Comma?",
  target: "Name | part | LParen targets? RParen | LBracket:list list-targets? RBracket",
  "list-targets":
    "target (Comma target)* (Comma star-targets?)? | Star:unpack target (Comma (target (Comma target)* Comma?)?)?",
  "single-target": "Name | part | LParen single-target RParen",
  part: "atom trailer* (Dot Name | subscript)",
  // Values.
  expression: "lambda | disjunction (If disjunction Else expression)?",
  lambda: "Lambda lambda-parameters? Colon:lambda expression",
  named: "expression | Name Walrus expression",
  atom: "Name | literal | group | list | braces",
  trailer: "Dot Name | call | subscript",
  operand: "Await? atom trailer*",
  unpacked: "union",
  expressions: `expression (Comma (${row("item")})?)? | starred Comma (${row("item")})?`,
  content: "named (clauses | (Comma element)* Comma?) | starred (Comma element)* Comma?",
  "group-content": `yield | named (clauses | Comma (${row("element")})?)? | starred Comma (${row("element")})?`,
  group: "LParen group-content? RParen",
  list: "LBracket:list content? RBracket",
  braces:
    "LBrace (dict-or-set | starred elements | Name Walrus expression (clauses | elements) | DoubleStar:unpack unpacked entries)? RBrace",
  "dict-or-set": "expression (clauses | elements | Colon:entry expression (clauses | entries))",
  elements: "(Comma element)* Comma?",
  entries: "(Comma (entry | DoubleStar:unpack unpacked))* Comma?",
  entry: "expression Colon:entry expression",
  clauses: "(Async? For targets In disjunction (If disjunction)*)+",
  slice: "expression bounds? | Name Walrus expression | starred | bounds",
  bounds: "Colon:slice expression? (Colon:slice expression?)?",
  call: "LParen (named (clauses | more-arguments) | Star:unpack expression more-arguments | named-arguments Comma?)? RParen",
  arguments: "value-argument more-arguments | named-arguments Comma?",
  "more-arguments": "(Comma value-argument)* (Comma named-arguments)? Comma?",
  "value-argument": "named | Star:unpack expression",
  "named-argument": "Name Equal:named expression",
  "named-arguments": "named-argument (Comma (named-argument | Star:unpack expression))* (Comma mappings)? | mappings",
  mappings: "DoubleStar:unpack expression (Comma (named-argument | DoubleStar:unpack expression))*",
  texts: "(Text | format)+ | Bytes+",
  format: "FStart format-parts FEnd",
  field: "FOpen group-content FEqual? FConversion? (FColon format-parts)? FClose",
  // Patterns.
  patterns: `pattern (Comma pattern-row?)? | star-pattern Comma (${row("pattern")})?`,
  "pattern-row": `pattern (Comma pattern)* (Comma star-pattern (Comma pattern)*)? Comma? | star-pattern (Comma pattern)* Comma?`,
  "star-pattern": "Star:unpack Name",
  "group-pattern": "LParen patterns? RParen",
  "list-pattern": "LBracket:list pattern-row? RBracket",
  "literal-value": "signed-number | Text+ | Bytes+",
  "mapping-pattern":
    "LBrace (mapping-pair (Comma mapping-pair)* (Comma rest-pattern)? Comma? | rest-pattern Comma?)? RBrace",
  "mapping-pair": "mapping-key Colon:entry pattern",
  "rest-pattern": "DoubleStar:unpack Name",
  "class-pattern":
    "LParen (pattern (Comma pattern)* (Comma named-pattern)* Comma? | named-pattern (Comma named-pattern)* Comma?)? RParen",
  "named-pattern": "Name Equal:named pattern",
  ...parametersOf("", "Name (Colon:type expression)?", "Name (Colon:type variadic-annotation)?"),
  ...parametersOf("lambda-", "Name", "Name"),
};

/** Parameters with defaults follow those without; `/`, `*` and `**` stand in this order. */
function parametersOf(prefix: string, named: string, variadic: string): Record<string, string> {
  const [plain, preset, plains, presets] = ["plain", "preset", "plains", "presets"].map((one) => `${prefix}${one}`);
  return {
    [`${prefix}parameters`]: `${prefix}positional (Comma ${prefix}stars)? Comma? | ${prefix}stars Comma?`,
    [`${prefix}plain`]: named,
    [`${prefix}preset`]: `${plain} ${prefix === "" ? "Equal:default" : "Equal:named"} expression`,
    [`${prefix}plains`]: `${plain} (Comma ${plain})*`,
    [`${prefix}presets`]: `${preset} (Comma ${preset})*`,
    [`${prefix}positional`]: [
      `${plains} (Comma ${presets})?`,
      `${plains} Comma Slash:mark (Comma (${plains} (Comma ${presets})? | ${presets}))?`,
      `${plains} Comma ${presets} Comma Slash:mark (Comma ${presets})?`,
      `${presets} (Comma Slash:mark (Comma ${presets})?)?`,
    ].join(" | "),
    [`${prefix}stars`]: [
      `Star:unpack ${variadic} (Comma (${plain} | ${preset}))* (Comma DoubleStar:unpack ${named})?`,
      `Star:mark (Comma (${plain} | ${preset}))+ (Comma DoubleStar:unpack ${named})?`,
      `DoubleStar:unpack ${named}`,
    ].join(" | "),
  };
}

/** Words for the levels of operators, from the loosest; each level is a production of its own. */
const LEVEL_NAMES = new Map([
  [1, "disjunction"],
  [2, "conjunction"],
  [4, "comparison"],
  [5, "union"],
  [6, "difference"],
  [7, "intersection"],
  [8, "shifted"],
  [9, "sum"],
  [10, "product"],
]);

/** `operation` of the parser is a row of operands and operators; these say which operands an operator joins. */
function operations(): [string, Expression][] {
  const levels = [...LEVEL_NAMES.keys()].sort((left, right) => left - right);
  const bodies = levels.map((level, index): [string, Expression] => {
    const next = level === 2 ? "inversion" : (LEVEL_NAMES.get(levels[index + 1] ?? 0) ?? "signed");
    const operators = [...LEVELS].flatMap(([text, own]) => (own === level ? [operator(text)] : []));
    return [LEVEL_NAMES.get(level) as string, sequence(rule(next), many(sequence(choice(...operators), rule(next))))];
  });
  return [
    ...bodies,
    ["inversion", notation("Not inversion | comparison")],
    ["signed", notation("(Minus:sign | Plus:sign | Tilde) signed | power")],
    ["power", sequence(rule("operand"), optional(sequence(operator("**"), rule("signed"))))],
  ];
}

/** The tokens of an operator; those that share a type differ in their label. */
function operator(text: string): Expression {
  const parts = text.split(" ").map((part) => {
    const type = MARKS.get(part) ?? KEYWORDS.get(part);
    if (type === undefined) throw new Error(`no token is written ${part}`);
    return token(type.name, part);
  });
  return sequence(...parts);
}

/** The same without levels, which say what an operator joins but hardly what may follow: a row as the parser reads it. */
const FLAT: Readonly<Record<string, string>> = {
  disjunction: "operation",
  union: "tight (bitwise tight)*",
  tight: "(Minus | Plus | Tilde)* operand",
  bitwise: "Infix | Plus | Minus | Star | DoubleStar | Slash | At | Pipe",
};

const read = (bodies: Readonly<Record<string, string>>): [string, Expression][] =>
  Object.entries(bodies).map(([name, body]) => [name, notation(body)]);

/** Bodies by name; `file` is a whole program. `levels`: with a production for each level of operators. */
export function pythonBodies(levels: boolean): ReadonlyMap<string, Expression> {
  return new Map([...readProductions(pythonProductions()), ...read(BODIES), ...(levels ? operations() : read(FLAT))]);
}
