/** How tokens of the Python form are written, in the notation of GBNF. Character classes hold letters of common scripts; the language takes any letter of Unicode. */
import { KEYWORDS, MARKS } from "../../python/lexing/tokens.ts";
import {
  choice,
  EMPTY,
  type Expression,
  IMPOSSIBLE,
  notation,
  optional,
  type Production,
  rule,
  sequence,
  text,
} from "../expression.ts";

/** Where a token is written: on a line, in brackets, in a field of an f-string between double or single quotes. */
export type Place = "line" | "in" | "double" | "single";
/** How it joins others: words need a blank between them; `none`: no blank may stand there. */
export type End = "word" | "mark" | "none";
export type Written = { readonly of: Expression; readonly end: End };

const IMAGES: ReadonlyMap<string, string> = new Map([
  ...[...KEYWORDS, ...MARKS].map(([image, { name }]): [string, string] => [name, image]),
  ["Match", "match"],
  ["Case", "case"],
  ["FOpen", "{"],
  ["FEqual", "="],
  ["FColon", ":"],
  ["FClose", "}"],
]);
const AUGMENTED = choice(...[...MARKS].flatMap(([image, { name }]) => (name === "Augmented" ? [text(image)] : [])));
const CONVERSION = sequence(text("!"), choice(text("r"), text("s"), text("a")));
/** Labels that say which operator a token is; others say what it means there. */
const isImage = (type: string, label: string): boolean => (MARKS.get(label) ?? KEYWORDS.get(label))?.name === type;

function image(type: string, label: string | null): string {
  const found = label !== null && isImage(type, label) ? label : IMAGES.get(type);
  if (found === undefined) throw new Error(`no text is known for the token ${type}`);
  return found;
}

// ---- for readers ----

const NAMED: Readonly<Record<string, Expression>> = {
  Name: rule("name"),
  NumberLiteral: rule("number"),
  Text: rule("string"),
  Bytes: rule("bytes"),
  Newline: text("\n"),
  Indent: rule("indent"),
  Dedent: rule("dedent"),
  End: EMPTY,
  FStart: text('f"'),
  FEnd: text('"'),
  FText: rule("format-text"),
  FConversion: CONVERSION,
  Augmented: AUGMENTED,
};

export function readToken(type: string, label: string | null): Expression {
  return NAMED[type] ?? text(image(type, label));
}

const named = (name: string, doc: string, body: string): Production => ({ name, doc, body: notation(body) });

export const READER_RULES: readonly Production[] = [
  { name: "indent", doc: "", body: { is: "class", set: "a line with more blanks in front than the one above" } },
  { name: "dedent", doc: "", body: { is: "class", set: "a line with as many blanks in front as one further above" } },
  named("format-text", "Characters of an f-string outside of its fields.", '[^{}\\n] | "{{" | "}}"'),
];

// ---- for decoders ----

/** In a field of an f-string no quote of its kind, no brace and no function may stand. */
const NEVER_IN_FIELDS: ReadonlySet<string> = new Set(["LBrace", "Lambda", "Walrus", "Bytes", "Format", "Yield"]);
const INDENTATION = "    ";

export function writtenToken(type: string, label: string | null, place: Place, level: number): Written {
  const isField = place === "double" || place === "single";
  if (isField && NEVER_IN_FIELDS.has(type)) return { of: IMPOSSIBLE, end: "mark" };
  switch (type) {
    case "Newline":
      return { of: rule("line-end"), end: "none" };
    case "Line":
      return { of: level === 0 ? EMPTY : { is: "space", text: INDENTATION.repeat(level) }, end: "none" };
    case "Name":
    case "NumberLiteral":
    case "Bytes":
      return { of: NAMED[type] as Expression, end: "word" };
    case "Text":
      return { of: rule(isField ? `string-${place}` : "string"), end: "word" };
    case "Format":
      return { of: rule("format"), end: "word" };
    case "FColon":
      return { of: sequence(optional(rule("thin")), text(":")), end: "none" };
    case "Spec":
      return { of: rule(`spec-${place}`), end: "none" };
    case "FConversion":
      return { of: CONVERSION, end: "mark" };
    case "Augmented":
      return { of: AUGMENTED, end: "mark" };
    default: {
      const written = image(type, label);
      return { of: text(written), end: /^\w/.test(written) ? "word" : "mark" };
    }
  }
}

const LETTERS = [
  "A-Za-z",
  "\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F",
  "\\u0400-\\u0481\\u048A-\\u052F",
  "\\u3041-\\u3096\\u30A1-\\u30FA\\u4E00-\\u9FFF\\uAC00-\\uD7A3",
].join("");

/** Any name that is not one of these words: after each beginning of one, what does not continue it. */
function nameBut(words: readonly string[]): Expression {
  const rest = `[${LETTERS}0-9_]`;
  const after = (begun: string): Expression => {
    const longer = words.filter((word) => word.startsWith(begun) && word !== begun);
    const next = [...new Set(longer.map((word) => word.charAt(begun.length)))].sort();
    const others = charactersBut(next, begun === "");
    const ways = [sequence({ is: "class", set: others }, notation(`${rest}*`))];
    for (const letter of next) ways.push(sequence(text(letter), after(begun + letter)));
    // The beginning of a word is a name itself.
    if (begun !== "" && !words.includes(begun)) ways.push(EMPTY);
    return choice(...ways);
  };
  return after("");
}

/** Letters, digits and `_` but for some. */
function charactersBut(but: readonly string[], isFirst: boolean): string {
  const plain = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"].filter((one) => !but.includes(one));
  return `[${plain.join("")}${LETTERS.slice("A-Za-z".length)}_${isFirst ? "" : "0-9"}]`;
}

/** Characters of texts between quotes; in those of three quotes a single one may stand, and the text does not end with one. */
const ESCAPE = String.raw`"\\" ([^xuUN\r\n] | "x" hex hex | "u" scalar | "U00" ("00" scalar | ("0" [1-9a-fA-F] | "10") hex hex hex hex) | "\n")`;
const quotes = (quote: string, raw: string, more = ""): string => {
  const one = `"${quote}"`;
  return `${one} ([^${raw}\\\\\\n\\r\\x00] | escape${more})* ${one} | "${quote.repeat(3)}" ((${one} ${one}?)? ([^${raw}\\\\\\r\\x00] | escape${more}))* "${quote.repeat(3)}"`;
};
const DOUBLE = String.raw`\"`;

export const CHARACTERS: readonly Production[] = [
  { name: "name", doc: "A name that is not a keyword.", body: nameBut([...KEYWORDS.keys()]) },
  named(
    "number",
    "",
    `[1-9] ("_"? [0-9])* | "0"+ | "0" [xX] ("_"? hex)+ | "0" [oO] ("_"? [0-7])+ | "0" [bB] ("_"? [01])+ | digits "." digits? exponent? | "." digits exponent? | digits exponent`,
  ),
  named("digits", "", '[0-9] ("_"? [0-9])*'),
  named("exponent", "", "[eE] [+-]? [0-9] [0-9]? [0-9]?"),
  named("hex", "", "[0-9a-fA-F]"),
  named("escape", "", ESCAPE),
  named("scalar", "Four digits that are not those of a surrogate.", "([0-9a-cA-Ce-fE-F] hex | [dD] [0-7]) hex hex"),
  named("string", "A text.", `[rRuU]? (${quotes(DOUBLE, '"')} | ${quotes("'", "'")})`),
  named("string-double", "", `"'" [^'"\\\\{}\\n\\r\\x00]* "'"`),
  named("string-single", "", `"\\"" [^'"\\\\{}\\n\\r\\x00]* "\\""`),
  named(
    "bytes",
    "",
    String.raw`([bB] | [rR] [bB] | [bB] [rR]) ("\"" ([ !#-\[\]-~] | byte)* "\"" | "'" ([ -&(-\[\]-~] | byte)* "'")`,
  ),
  named("byte", "", String.raw`"\\" ([ -wy-~] | "x" hex hex)`),
  named("comment", "", '"#" [^\\n\\r\\x00]*'),
  named("line-end", "", '" "* comment? "\\n" (" "* comment? "\\n")*'),
  named("blank", "A blank on a line.", '" "+ ("\\\\\\n" " "*)?'),
  named("gap", "A blank in brackets.", '" "+ | (" "* comment? "\\n")+ " "*'),
  named("thin", "A blank in a field.", '" "+'),
];

/** f-strings, by the rules of their fields. */
export function formatRules(double: string, single: string): readonly Production[] {
  return [
    named(
      "format",
      "A text with fields.",
      `([fF] | [rR] [fF] | [fF] [rR]) (${quotes(DOUBLE, '"{}', ` | "{{" | "}}" | ${double}`)} | ${quotes("'", "'{}", ` | "{{" | "}}" | ${single}`)})`,
    ),
    named("spec-double", "", `([^'"\\\\{}\\n\\r\\x00] | ${double})*`),
    named("spec-single", "", `([^'"\\\\{}\\n\\r\\x00] | ${single})*`),
  ];
}
