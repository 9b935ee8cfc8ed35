/** How the tokens of the indented form are written, those included that its token source reads as one. */
import * as T from "../../indented/tokens.ts";
import { type Expression, notation, rule, sequence, text, words } from "../expression.ts";
import type { GrammarShape } from "../shape.ts";
import type { Spelling } from "../spelling.ts";
import { BRANCHES, spellingOf } from "./opcode.ts";

/** The rule of the same name for text without line ends. */
export const lineName = (name: string): string => `line-${name}`;

const line = (of: Expression): Spelling => ({ of, before: "line" });
const mark = (characters: string): Spelling => ({ of: text(characters), before: "glue", after: "glue" });

/** The tokens that are written as words of their own. */
function worded(table: ReadonlyMap<string, { readonly name: string }>): [string, Expression][] {
  const names = new Set([...table.values()].map(({ name }) => name));
  const wordsOf = (type: string): string[] => [...table].flatMap(([word, { name }]) => (name === type ? [word] : []));
  return [...names].map((name) => [name, words(...wordsOf(name))]);
}

const TOKENS: Readonly<Record<string, Spelling | null>> = {
  between: { ...line(rule("between")), after: "glue" },
  Newline: { of: rule("line-end"), before: "glue", after: "glue" },
  HeaderLine: line(rule("header")),
  InputLine: line(rule("inputs")),
  BlockColon: { of: text(":"), before: "glue" },
  raise: line(text("raise")),
  "bare-graph": { ...line(rule("graph-name")), after: "glue" },
  Each: line(notation('name " " "=" " " "call" " " call-target " " "for" " " name " " "in"')),
  "branch-limit": { of: sequence(notation('"limit" (" " | "=")'), BRANCHES) },
  "line-choice": { of: rule(lineName("choice")) },
  settle: { of: text("settle") },
  Target: line(notation('name " " "="')),
  "put-name": line(rule("put-name")),
  "put-element": line(notation('put-name ("." identifier | "[" (digits | string | name) "]")+')),
  "call-line": line(notation('name " " "=" " " assigned | called')),
  "assigned-call": line(notation('name " " "=" " " assigned | "call" " " call-target')),
  NameLike: { of: rule("name") },
  Path: { of: rule("path") },
  Variable: { of: rule("variable") },
  Constant: { of: rule("constant") },
  NumberWord: { of: rule("unsigned") },
  Text: { of: rule("string") },
  "graph-name": { of: rule("graph-name"), after: "glue" },
  "known-call": { of: rule("known-call") },
  "bracket-call": { of: rule("bracket-call") },
  "spaced-call": { of: rule("spaced-call") },
  limit: { of: notation('"limit" (" " | "=") [1-9] [0-9]? [0-9]? [0-9]? [0-9]? [0-9]? [0-9]?') },
  "template-value": { of: notation('name ("." identifier | "[" digits "]")*'), before: "glue", after: "glue" },
  TemplateStart: { of: text('f"'), after: "glue" },
  TemplateText: { ...mark(""), of: notation('[^"\\\\{}\\n\\r\\x00] | "\\\\" [nt"\\\\] | "{{" | "}}"') },
  TemplateOpen: mark("{"),
  TemplateSpec: { ...mark(""), of: notation('":." [0-9] "f"') },
  TemplateClose: mark("}"),
  TemplateEnd: { of: text('"'), before: "glue" },
  OpenCall: mark("("),
  OpenIndex: mark("["),
  Member: { of: notation('"." identifier'), before: "glue" },
  LimitWord: { of: text("limit") },
  Operator: { of: words(...T.OPERATORS) },
  Assign: { of: words("=", "+=", "-=", "*=", "/=") },
  ...Object.fromEntries(worded(T.LINE_WORDS).map(([type, of]) => [type, line(of)])),
  ...Object.fromEntries(worded(T.OPERATOR_WORDS).map(([type, of]) => [type, { of }])),
};

/** How a token is written; null: no formatted program has it there. */
export function spellingIn({ adapters, closed }: GrammarShape, type: string, label: string | null): Spelling | null {
  if (type === "include" || type.startsWith("declaration-")) return line(rule(type));
  if (type === "step-word") return line(text(label ?? ""));
  // Only a graph that exists may be called for nothing but its effects: no grammar for sampling knows.
  if (type === "bare-graph" && adapters !== null) return null;
  // A closed grammar does not know what its graphs take.
  if (type === "Node" || (type === "raise" && closed !== null) || (type === "graph-name" && closed !== null))
    return null;
  if (label === "sign") return { of: rule("negative") };
  if (label === "names") return { of: text(","), before: "glue" };
  if (label === "slice") return mark(":");
  if (label === "update") return { of: words(...T.OPERATORS.map((operator) => `${operator}=`)) };
  if (label === "spaced-sign" || label === "loose") return null;
  return TOKENS[type] ?? spellingOf(type, label, closed);
}
