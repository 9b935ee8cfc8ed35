/**
 * Productions of what is glued together without blanks (docs/language.md, text): names, numbers, strings, paths, words, references,
 * comments. Character classes hold letters of common scripts; the language itself takes any letter of Unicode.
 */
import {
  choice,
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

/** Ranges without a character that is no letter. */
const LETTERS = [
  "A-Za-z",
  "\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F",
  "\\u0400-\\u0481\\u048A-\\u052F",
  "\\u3041-\\u3096\\u30A1-\\u30FA\\u4E00-\\u9FFF\\uAC00-\\uD7A3",
].join("");

const digits = some(oneOf("[0-9]"));
const escaped = sequence(text("\\"), oneOf("[^\\n\\r\\x00]"));

/**
 * A word is text of its own only when it does not look like an operator of another language; `open`: the characters a word may begin
 * with besides those that need company.
 */
function wordWith(open: string, rest: string) {
  return choice(
    text("*"),
    sequence(oneOf(open), many(oneOf(rest))),
    sequence(oneOf("[*+%&|;?:\\\\-]"), oneOf("[A-Za-z0-9_/.*]"), many(oneOf(rest))),
  );
}

/** `named`: a word may have the form of a name, which then may be a variable. Inside brackets `L1:` would open a label. */
function wordRules(named: boolean): Production[] {
  return [
    production(
      "word",
      "Any other run of characters: text.",
      wordWith(named ? "[A-Za-z0-9_/.@~]" : "[/@~]", "[^ \\t\\n\\r\\x00#\"'>]"),
    ),
    production(
      "inner-word",
      "A word inside brackets, which brackets and commas end.",
      wordWith(named ? "[A-KM-Za-z0-9_/.@~]" : "[/@~]", "[^ \\t\\n\\r\\x00#\"'<>=!()\\[\\]{},]"),
    ),
  ];
}

/** Names of variables are left to the caller: a grammar may admit only some, and then no word may have the form of one. */
export function tokenRules(named: boolean): Production[] {
  return [...wordRules(named), ...TOKEN_RULES];
}

const TOKEN_RULES: readonly Production[] = [
  production("digits", "", digits),
  production(
    "number",
    "A number, always finite.",
    sequence(
      optional(text("-")),
      choice(sequence(digits, optional(sequence(text("."), many(oneOf("[0-9]"))))), sequence(text("."), digits)),
      optional(sequence(oneOf("[eE]"), optional(oneOf("[+-]")), oneOf("[0-9]"), optional(oneOf("[0-9]")))),
    ),
  ),
  production("constant", "", words("true", "false", "null")),
  production(
    "string",
    `Text. Double quotes know the escapes \\" \\\\ \\n \\t \\r, single quotes \\' and \\\\ only.`,
    choice(
      sequence(text('"'), many(choice(oneOf('[^"\\\\\\n\\r\\x00]'), escaped)), text('"')),
      sequence(text("'"), many(choice(oneOf("[^'\\\\\\n\\r\\x00]"), escaped)), text("'")),
    ),
  ),
  production(
    "segment",
    "",
    choice(
      sequence(text("."), choice(rule("identifier"), digits)),
      sequence(text("["), choice(digits, rule("string")), text("]")),
    ),
  ),
  production("identifier", "", sequence(oneOf(`[${LETTERS}_]`), many(oneOf(`[${LETTERS}0-9_]`)))),
  production(
    "key",
    "A key of a map.",
    sequence(oneOf(`[${LETTERS.replace("A-Z", "A-KM-Z")}_]`), many(oneOf(`[${LETTERS}0-9_.-]`))),
  ),
  production("variable", "A variable, always: null when it is unset.", sequence(text("$"), rule("name"))),
  production("path", "A value inside a variable.", sequence(optional(text("$")), rule("name"), some(rule("segment")))),
  production(
    "slot-word",
    "A word of a declaration: everything up to a blank, # or quote.",
    some(oneOf("[^ \\t\\n\\r\\x00#\"']")),
  ),
  production("id", "The id of a label; alias/id for one of an included file.", some(oneOf("[A-Za-z0-9_./~-]"))),
  production("node", "A step of the label, by its number.", sequence(text("@n"), digits)),
  production("comment", "", sequence(text("#"), many(oneOf("[^\\n\\r\\x00]")))),
];
