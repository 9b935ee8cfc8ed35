/**
 * Expressions as other languages write them: `n > 3 and n < 5`, `a + 1`, `x is null`. Weft has no infix operators but the
 * comparison of a condition, so this only serves suggestions: it reads such words and gives the form Weft has for them.
 * It knows nothing of steps, and reports nothing.
 */
import type { Condition, Operand } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import type { Span } from "../text/span.ts";

/** An operand or a stray mark, as written. */
export type InfixWord = { readonly text: string; readonly kind: Operand["k"] | "mark"; readonly span: Span };

type InfixReading = {
  /** The condition or value in Weft's own form. */
  readonly text: string;
  /** The first operator that Weft does not have there. */
  readonly operator: InfixWord;
  /** How many words were read. */
  readonly used: number;
  /** The text means what the words mean elsewhere; else it is only an example to follow. */
  readonly exact: boolean;
};

type Operator = { readonly level: number; readonly fn: string; readonly compare?: string };

function comparison(fn: string, compare: string): Operator {
  return { level: 3, fn, compare };
}

const EQUAL = comparison("eq", "==");
const NOT_EQUAL = comparison("ne", "!=");
const AND: Operator = { level: 2, fn: "and" };
const OR: Operator = { level: 1, fn: "or" };
const AT_LEAST = comparison("gte", ">=");
const AT_MOST = comparison("lte", "<=");

/** A higher level binds more tightly. */
const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["or", OR],
  ["||", OR],
  ["OR", OR],
  ["and", AND],
  ["&&", AND],
  ["AND", AND],
  ["==", EQUAL],
  ["===", EQUAL],
  ["=", EQUAL],
  ["is", EQUAL],
  ["equals", EQUAL],
  ["!=", NOT_EQUAL],
  ["!==", NOT_EQUAL],
  ["<>", NOT_EQUAL],
  ["isnt", NOT_EQUAL],
  ["<", comparison("lt", "<")],
  [">", comparison("gt", ">")],
  ["<=", AT_MOST],
  ["=<", AT_MOST],
  [">=", AT_LEAST],
  ["=>", AT_LEAST],
  ["in", { level: 3, fn: "in" }],
  ["contains", { level: 3, fn: "contains" }],
  ["+", { level: 4, fn: "add" }],
  ["-", { level: 4, fn: "sub" }],
  ["*", { level: 5, fn: "mul" }],
  ["/", { level: 5, fn: "div" }],
  ["%", { level: 5, fn: "mod" }],
  ["//", { level: 5, fn: "idiv" }],
  ["**", { level: 6, fn: "pow" }],
]);

const NATIVE_COMPARATORS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">=", "="]);
const TEXT_FUNCTIONS: ReadonlySet<string> = new Set(["concat"]);
const ARITHMETIC: ReadonlySet<string> = new Set(["add", "sub", "mul", "div", "mod", "idiv", "pow"]);
/** Longer expressions get no form of their own. */
const MAX_WORDS = 40;

/** The function that stands for a foreign operator: `+` is `add`. */
export function functionOfOperator(word: string): string | null {
  return OPERATORS.get(word)?.fn ?? null;
}

/** Whether a word is an operator where an operand was expected to be over. */
export function isOperatorWord({ text, kind }: InfixWord): boolean {
  return (kind === "word" || kind === "name" || kind === "mark") && (OPERATORS.has(text) || text === "not");
}

export function wordOfOperand(operand: Operand, source: string): InfixWord {
  return { text: source.slice(operand.span.start, operand.span.end), kind: operand.k, span: operand.span };
}

/** The words of a condition that was read already; null for what has no plain words. */
export function wordsOfCondition(condition: Condition, source: string): readonly InfixWord[] | null {
  switch (condition.c) {
    case "truthy":
      return [wordOfOperand(condition.of, source)];
    case "cmp":
    case "text_eq": {
      const left = wordOfOperand(condition.left, source);
      const right = wordOfOperand(condition.right, source);
      if (right.text === "") return null;
      const between = source.slice(left.span.end, right.span.start).trim();
      return [left, { text: between, kind: "mark", span: condition.span }, right];
    }
    case "present":
      return [{ text: `(ne ${wordOfOperand(condition.of, source).text} null)`, kind: "call", span: condition.span }];
    case "not": {
      const inner = wordsOfCondition(condition.of, source);
      if (inner === null) return null;
      return [{ text: "not", kind: "mark", span: { ...condition.span, end: condition.of.span.start } }, ...inner];
    }
  }
}

/** What `words` say, when they begin with an expression that holds an operator; null when they do not. */
export function readInfix(words: readonly InfixWord[], place: "condition" | "value"): InfixReading | null {
  if (words.length < 2 || words.length > MAX_WORDS || words.some(({ text }) => text.includes("\n"))) return null;
  const reader = new InfixReader(words, place);
  const root = reader.expression(1);
  const operator = reader.foreign ?? (place === "value" ? reader.first : null);
  if (root === null || operator === null) return null;
  const inner = place === "condition" && root.compare !== undefined ? root.compare : root.text;
  return { text: inner, operator, used: reader.at, exact: reader.exact };
}

/** What is said of words that `reading` reads, which stand at `span`. */
export function adviceOf(
  { text, exact }: InfixReading,
  span: Span,
): { readonly suggestion: string; readonly fix: Fix | null } {
  const suggestion = `write ${text}`;
  return { suggestion, fix: exact ? { title: suggestion, edits: [{ span, new_text: text }] } : null };
}

/** `fn` is null for a word as it stands. */
type Part = {
  readonly text: string;
  readonly fn: string | null;
  readonly kind: InfixWord["kind"];
  readonly compare?: string;
};

class InfixReader {
  at = 0;
  exact = true;
  /** The first operator, and the first that even a condition does not have. */
  first: InfixWord | null = null;
  foreign: InfixWord | null = null;
  private readonly words: readonly InfixWord[];
  private readonly place: "condition" | "value";

  constructor(words: readonly InfixWord[], place: "condition" | "value") {
    this.words = words;
    this.place = place;
  }

  /** Operators of `level` and above, left to right. Recursion goes no deeper than there are levels and words. */
  expression(level: number): Part | null {
    let left = this.primary();
    while (left !== null) {
      const word = this.words[this.at];
      const operator = word === undefined || !isOperatorWord(word) ? undefined : OPERATORS.get(word.text);
      if (word === undefined || operator === undefined || operator.level < level) return left;
      this.note(word);
      // `=` compares text, which no function does.
      if (word.text === "=" && this.place === "condition") this.exact = false;
      this.at++;
      const negated = this.takeNot(word);
      const right = this.expression(operator.level + 1);
      if (right === null) return null;
      left = this.join(left, operator, right, negated);
    }
    return left;
  }

  private note(word: InfixWord): void {
    this.first ??= word;
    if (this.place === "value" || !NATIVE_COMPARATORS.has(word.text) || this.at > 1) this.foreign ??= word;
  }

  /** `is not`, and `not in` after its `not`. */
  private takeNot(word: InfixWord): boolean {
    if (word.text !== "is" || this.words[this.at]?.text !== "not") return false;
    this.at++;
    return true;
  }

  private primary(): Part | null {
    const word = this.words[this.at];
    if (word === undefined) return null;
    this.at++;
    if (word.text === "not" && this.at < this.words.length) {
      const inner = this.expression(3);
      return inner === null ? null : { text: `(not ${inner.text})`, fn: "not", kind: "call" };
    }
    if (word.kind === "mark" || isOperatorWord(word)) return null;
    return { text: word.text, fn: null, kind: word.kind };
  }

  private join(left: Part, operator: Operator, right: Part, negated: boolean): Part {
    const { fn } = operator;
    if (operator.compare !== undefined) return this.comparison(left, negated ? NOT_EQUAL : operator, right);
    if (fn === "in") return call("contains", right, left);
    if (fn !== "add") return call(fn, left, right);
    if (isText(left) || isText(right)) return call("concat", left, right);
    if (!isNumber(left) && !isNumber(right)) this.exact = false;
    return call("add", left, right);
  }

  private comparison(left: Part, { fn, compare = "==" }: Operator, right: Part): Part {
    // A bare word on the right of a comparison may be text there, but not in a call.
    if (this.place === "condition" && (right.kind === "name" || right.kind === "path" || right.kind === "word")) {
      this.exact = false;
    }
    return { ...call(fn, left, right), compare: `${left.text} ${compare} ${right.text}` };
  }
}

function call(fn: string, left: Part, right: Part): Part {
  return { text: `(${fn} ${left.text} ${right.text})`, fn, kind: "call" };
}

function isText({ kind, fn }: Part): boolean {
  return kind === "str" || (fn !== null && TEXT_FUNCTIONS.has(fn));
}

function isNumber({ kind, fn }: Part): boolean {
  return kind === "num" || (fn !== null && ARITHMETIC.has(fn));
}
