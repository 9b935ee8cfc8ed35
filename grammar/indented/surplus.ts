/**
 * Advice for words after an expression: operators of other languages, a function without its brackets, a text without its quotes.
 * Knows the words of one line.
 */
import type { Fix } from "../diagnostic.ts";
import { beginsFunction } from "../foreign/in-place.ts";
import { adviceOf, type InfixWord, readInfix } from "../foreign/infix.ts";
import { type Span, spanOver } from "../text/span.ts";
import { NO_FUNCTION_HERE } from "./methods.ts";

/** Words that other languages have between operands, and what to write instead. */
const FOREIGN_OPERATORS: Readonly<Record<string, string>> = { "&&": "and", "||": "or" };
/** Comparators of other languages, and what to write instead. */
export const FOREIGN_COMPARATORS: ReadonlyMap<string, string> = new Map([
  ["<>", "!="],
  ["===", "=="],
  ["!==", "!="],
  ["=<", "<="],
  ["=>", ">="],
]);
const JOINED = "strings are joined with +, and a number needs str: a + str(n)";
/** Words between operands that no operator has, and what does the same. */
const MEANT: Readonly<Record<string, string>> = {
  ".": JOINED,
  "..": JOINED,
  "++": JOINED,
  "&": "write and for conditions, + for strings, intersect(a, b) for lists",
  "|": "write or for conditions, merge(a, b) for objects, unique(a + b) for lists",
  between: "write low <= x <= high",
  like: 'write contains, startswith or endswith, or match(text, "pattern").found',
  matches: 'write match(text, "pattern").found',
  where: "write [row for row in rows if row.field == value]",
  for: "put it into brackets: [value for x in list]",
  instanceof: 'write type(x) == "list"',
  xor: "write a != b",
};
const MAX_WORD_LENGTH = 100;

type Advice = { readonly suggestion: string; readonly fix: Fix | null };

/** `words` are all words of the line; the first surplus word is `image` at `span`, with `from` words before it. */
export function surplusAdvice(words: readonly InfixWord[], image: string, span: Span, from: number): Advice {
  const own = Object.hasOwn(FOREIGN_OPERATORS, image) ? FOREIGN_OPERATORS[image] : undefined;
  if (own !== undefined) {
    const suggestion = `write ${own}`;
    return { suggestion, fix: { title: suggestion, edits: [{ span, new_text: own }] } };
  }
  const meant = Object.hasOwn(MEANT, image) ? MEANT[image] : undefined;
  if (meant !== undefined) return { suggestion: meant, fix: null };
  const foreign = foreignForm(words, image, span);
  if (foreign !== null) return foreign;
  const reading = readInfix(words, "value");
  const [first, last] = [words[0], words.at(-1)];
  if (reading === null || reading.used !== words.length || first === undefined || last === undefined) {
    return { suggestion: adviceForWords(words, from), fix: null };
  }
  return adviceOf(reading, spanOver(first.span, last.span));
}

/** `if a then:`, `a not in xs`, `a if b else c`, `f"{a}"`. */
function foreignForm(words: readonly InfixWord[], image: string, span: Span): Advice | null {
  const [first, second, third, fourth] = words;
  const plain = words.map(({ text }) => text);
  if (plain.at(-1) === image && (image === "then" || image === "do")) {
    return { suggestion: `leave ${image} out`, fix: { title: `leave ${image} out`, edits: [{ span, new_text: "" }] } };
  }
  if (first?.kind === "name" && beginsFunction(first.text)) {
    return { suggestion: NO_FUNCTION_HERE, fix: null };
  }
  if (first !== undefined && second?.text === "not" && third?.text === "in" && fourth !== undefined) {
    const new_text = `not (contains ${fourth.text} ${first.text})`;
    const edits = [{ span: spanOver(first.span, fourth.span), new_text }];
    const isWhole = words.length === 4 && new_text.length <= MAX_WORD_LENGTH;
    return isWhole
      ? { suggestion: `write ${new_text}`, fix: { title: `write ${new_text}`, edits } }
      : { suggestion: "write not (contains list value)", fix: null };
  }
  if (image === "?" || image === "if") return { suggestion: "write (ite condition a b), or if and else", fix: null };
  if (second?.kind === "str" && first?.kind === "name" && first.span.end === second.span.start) {
    return { suggestion: 'texts have no values in them: write (concat "text " value)', fix: null };
  }
  return null;
}

/** `add a b`, `hello world`. */
function adviceForWords(words: readonly InfixWord[], from: number): string {
  const plain = words.every(({ kind }) => kind !== "mark") && from === 1 && words[0]?.kind === "name";
  const text = words.map((word) => word.text).join(" ");
  if (!plain || text.length > MAX_WORD_LENGTH || /["\n]/.test(text)) {
    return "leave it out, or put a function in brackets: (add a b)";
  }
  return `write (${text}) to call a function, "${text}" for a text`;
}
