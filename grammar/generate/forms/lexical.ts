/**
 * How tokens are written (docs/language.md, text), in the notation of GBNF. Character classes hold letters of common scripts; the
 * language itself takes any letter of Unicode.
 */
import { COMPARATORS, CONSTANTS } from "../../operands/tokens.ts";
import { type Expression, notation, type Production, words } from "../expression.ts";

/** Ranges in which every character is a letter. */
const LETTERS = [
  "A-Za-z",
  "\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F",
  "\\u0400-\\u0481\\u048A-\\u052F",
  "\\u3041-\\u3096\\u30A1-\\u30FA\\u4E00-\\u9FFF\\uAC00-\\uD7A3",
].join("");
/** Inside brackets `L1:` would open a label. */
const KEY_LETTERS = LETTERS.replace("A-Z", "A-KM-Z");

/** A word does not look like an operator of another language; `open`: the characters it may begin with besides those that need company. */
function word(open: string, rest: string): string {
  return `"*" | ${open} ${rest}* | [*+%&|;?:\\\\-] [A-Za-z0-9_/.*] ${rest}*`;
}

const QUOTED = String.raw`"\"" ([^"\\\n\r\x00] | "\\" [^\n\r\x00])* "\""`;

const RULES: readonly (readonly [name: string, doc: string, body: string])[] = [
  ["atom", "A value of one word.", "string | number | constant | variable | path | name | word"],
  [
    "inner-atom",
    "A value of one word inside brackets.",
    "string | number | constant | variable | path | name | inner-word",
  ],
  ["text", "A word that is taken as text.", "string | name | word"],
  ["digits", "", "[0-9]+"],
  ["number", "A number, always finite.", '"-"? (digits ("." [0-9]*)? | "." digits) ([eE] [+-]? [0-9] [0-9]?)?'],
  ["constant", "", [...CONSTANTS].map((word) => `"${word}"`).join(" | ")],
  [
    "string",
    `Text. Double quotes know the escapes \\" \\\\ \\n \\t \\r, single quotes \\' and \\\\ only.`,
    `${QUOTED} | ${QUOTED.replace('[^"', "[^'").replaceAll(String.raw`"\""`, `"'"`)}`,
  ],
  ["segment", "", '"." (identifier | digits) | "[" (digits | string) "]"'],
  ["identifier", "", `[${LETTERS}_] [${LETTERS}0-9_]*`],
  ["key", "A key of a map.", `[${KEY_LETTERS}_] [${LETTERS}0-9_.-]*`],
  ["variable", "A variable, always: null when it is unset.", '"$" name'],
  ["path", "A value inside a variable.", '"$"? name segment+'],
  [
    "slot-word",
    "A word of a declaration: everything up to a space, # or quote.",
    "[^ \\t\\n\\r\\x00#\"'=:@] [^ \\t\\n\\r\\x00#\"']*",
  ],
  ["id", "The id of a label; alias/id for one of an included file.", "[A-Za-z0-9_./~-]+"],
  ["node", "A step of the label, by its number.", '"@n" digits'],
  ["comment", "", '"#" [^\\n\\r\\x00]*'],
  ["break", "A line end inside brackets.", '(" "* comment? "\\n" " "*)+'],
];

/** `named`: a bare word may have the form of a name, which then may be a variable. */
export function lexicalRules(named: boolean): readonly Production[] {
  const rest = "[^ \\t\\n\\r\\x00#\"'>]";
  const innerRest = "[^ \\t\\n\\r\\x00#\"'<>=!()\\[\\]{},]";
  return [
    ...RULES.map(([name, doc, body]) => ({ name, doc, body: notation(body) })),
    {
      name: "word",
      doc: "Any other run of characters: text.",
      body: notation(word(named ? "[A-Za-z0-9_/.@~]" : "[/@~]", rest)),
    },
    {
      name: "inner-word",
      doc: "A word inside brackets, which brackets and commas end.",
      body: notation(word(named ? "[A-KM-Za-z0-9_/.@~]" : "[/@~]", innerRest)),
    },
    { name: "comparator", doc: "", body: COMPARATOR },
  ];
}

/** `=` compares texts and is touched by both sides. */
const COMPARATOR: Expression = words(...[...COMPARATORS].filter((mark) => mark !== "="));

/** What ends a line. A commented grammar admits comments and empty lines there. */
export function lineEnd(commented: boolean): Expression {
  return notation(commented ? '(" "+ comment)? "\\n" between' : '"\\n"');
}

/** Comments and empty lines between two lines. */
export const BETWEEN: Production = { name: "between", doc: "", body: notation('(" "* comment? "\\n")*') };
