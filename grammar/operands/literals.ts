/**
 * What the tokens inside brackets make: maps, with their keys, colons and commas in order, and nested calls and
 * comparisons (docs/language.md, values and operands). The parser feeds them; they know nothing of steps.
 */
import type { MapEntry, Operand, Slot } from "../ast.ts";
import type { Edit, Fix } from "../diagnostic.ts";
import { functionOfOperator, type InfixWord, isOperatorWord, wordOfOperand } from "../foreign/infix.ts";
import type { Reporter } from "../reporter.ts";
import { type Span, spanAfter, spanBefore, spanOver, spanUpTo } from "../text/span.ts";
import type { Token } from "./tokens.ts";
import * as T from "./tokens.ts";

const MAX_ECHO_LENGTH = 80;

/** Where a list or map leaves its grammar, and what is missing there. */
type LiteralFault = { readonly span: Span; readonly expected: string };

/**
 * What is wrong inside one pair of brackets: the first is reported, with a fix where all that is missing are commas, or brackets around
 * calls such as `core.str n`.
 */
export class LiteralFaults {
  first: LiteralFault | null = null;
  /** Commas around an operator would make a text of it. */
  hasOperator = false;
  /** What else is meant than a literal that lacks something. */
  advice: string | null = null;
  private readonly commas: Edit[] = [];
  /** From the names of functions to the last of what follows them. */
  private readonly calls: Span[] = [];
  private isPlain = true;
  /** Of a list in which every comma is missing after a name: it may be meant as a call. */
  private maybeCall: readonly Operand[] | null = null;

  add(span: Span, expected: string): void {
    this.first ??= { span, expected };
    this.isPlain = false;
  }

  /** `“a”`: what begins with a typographic quote is a text with its quotes in it. */
  checkQuotes(word: string, span: Span): void {
    if (!TYPOGRAPHIC.test(word)) return;
    this.add(span, "a text in straight quotes");
    this.advice = 'write straight quotes: "text"';
  }

  /** At what stands at `span`, a comma is missing after `before`. */
  addComma(span: Span, before: Span): void {
    this.first ??= { span, expected: "','" };
    this.commas.push({ span: spanAfter(before), new_text: "," });
  }

  /** `operand` follows `before` without a comma. False where that makes no call. */
  addArgument(operand: Operand, before: Operand): boolean {
    const call = this.calls.at(-1);
    const goesOn = call !== undefined && call.end === before.span.end;
    if (!goesOn && !namesFunction(before)) return false;
    // Where the call of an argument ends is not known.
    if (namesFunction(operand)) this.isPlain = false;
    this.first ??= { span: before.span, expected: "'('" };
    if (goesOn) this.calls[this.calls.length - 1] = spanOver(call, operand.span);
    else this.calls.push(spanOver(before.span, operand.span));
    return true;
  }

  /** Something follows `fn` without a comma, and where the call ends is not known. False where `fn` makes no call. */
  addOpenCall(fn: Operand): boolean {
    if (!namesFunction(fn)) return false;
    this.first ??= { span: fn.span, expected: "'('" };
    this.isPlain = false;
    return true;
  }

  /** A list without any comma. */
  noCommas(items: readonly Operand[]): void {
    if (items.length > 1 && items[0]?.k === "name" && this.calls.length === 0) this.maybeCall = items;
  }

  /** How the call is written, where one is what is wrong first. */
  suggestion(source: string): string | null {
    const { first } = this;
    if (this.advice !== null) return this.advice;
    if (this.hasOperator) return "write functions: [(add a b)]";
    if (this.maybeCall !== null) return callOrList(this.maybeCall, source);
    if (first?.expected !== "'('") return null;
    const call = this.calls.find(({ start }) => start === first.span.start);
    const text = call === undefined ? "" : source.slice(call.start, call.end);
    if (text !== "" && text.length <= MAX_ECHO_LENGTH && !text.includes("\n")) return `write (${text})`;
    return `write (${source.slice(first.span.start, first.span.end).slice(0, MAX_ECHO_LENGTH)} …)`;
  }

  get fix(): Fix | null | undefined {
    const { calls, commas } = this;
    if (this.hasOperator || this.maybeCall !== null || this.advice !== null) return null;
    if (!this.isPlain || (calls.length > 0 && commas.length > 0)) return undefined;
    if (calls.length === 0) {
      return { title: commas.length === 1 ? "insert a comma" : "insert the missing commas", edits: commas };
    }
    const edits = calls.flatMap((call) => [
      { span: spanBefore(call), new_text: "(" },
      { span: spanAfter(call), new_text: ")" },
    ]);
    return { title: "insert the missing brackets", edits };
  }
}

function callOrList(items: readonly Operand[], source: string): string {
  const words = items.map(({ span }) => source.slice(span.start, span.end));
  const call = words.join(" ");
  if (call.length > MAX_ECHO_LENGTH || call.includes("\n")) return "write (f a) to call a function, [a, b] for a list";
  return `write (${call}) to call a function, [${words.join(", ")}] for a list`;
}

/** `core.str` is text where it is not a call, and seldom meant as text. */
function namesFunction(operand: Operand): boolean {
  return operand.k === "path" && operand.text !== null && operand.root === "core" && operand.segments.length === 1;
}

const TYPOGRAPHIC = /^[“”„«‘’‚]/u;

/** Puts the values and marks of a list together. */
export class ListReader<Item extends { readonly span: Span }> {
  readonly faults = new LiteralFaults();
  readonly items: Item[] = [];
  hasComma = false;
  /** Where the next value needs no comma. */
  wantsItem = true;
  private readonly asOperand: (item: Item) => Operand;

  constructor(asOperand: (item: Item) => Operand) {
    this.asOperand = asOperand;
  }

  /** `first` is the first token of the value. */
  value(item: Item, first: { readonly span: Span; readonly image: string }): void {
    const before = this.items.at(-1);
    this.items.push(item);
    if (!this.wantsItem && before !== undefined) {
      const operand = this.asOperand(item);
      if (isOperatorWord({ text: first.image, kind: operand.k, span: operand.span })) this.faults.hasOperator = true;
      if (!this.faults.addArgument(operand, this.asOperand(before))) this.faults.addComma(first.span, before.span);
    }
    this.wantsItem = false;
  }

  comma(span: Span): void {
    if (this.wantsItem) this.faults.add(span, "a value");
    this.wantsItem = true;
    this.hasComma = true;
  }

  /** A mark that stands for nothing here. */
  stray(span: Span, isOperator: boolean): void {
    this.faults.add(span, "a value");
    if (isOperator) this.faults.hasOperator = true;
  }

  /** The items, once the list is read to its end. */
  finish(): readonly Item[] {
    if (!this.hasComma && this.faults.first !== null) this.faults.noCommas(this.items.map(this.asOperand));
    return this.items;
  }
}

const enum MapExpects {
  Key,
  Colon,
  Value,
  Comma,
}

/** Puts the tokens of a map together. */
export class MapReader {
  readonly entries: MapEntry[] = [];
  readonly faults = new LiteralFaults();
  private expects: MapExpects = MapExpects.Key;
  private current: Slot | null = null;

  /** Takes everything that is not a value. */
  mark(token: Token): void {
    if (token.type === "Key") this.key(token);
    else if (token.type === "Colon") this.colon(token);
    else if (token.type === "Comma") this.comma(token);
    // A comparator or an arrow stands for nothing here.
    else this.faults.add(token.span, "a key");
  }

  private key({ span, value, image }: Token): void {
    const before = this.entries.at(-1);
    if (this.expects === MapExpects.Comma && before !== undefined) {
      if (!this.addCall()) this.faults.addComma(span, before.value.span);
    } else if (this.expects !== MapExpects.Key)
      this.faults.add(span, this.expects === MapExpects.Colon ? "':'" : "a value");
    const quoted = image.startsWith('"') || image.startsWith("'");
    if (!quoted) this.faults.checkQuotes(value, span);
    this.current = { span, text: quoted ? T.textValue(image.charCodeAt(0), stripQuotes(image)) : value, quoted };
    this.expects = MapExpects.Colon;
  }

  /** `{"n": core.str n}`: what follows a function's name may be an argument or the next key. */
  private addCall(): boolean {
    const before = this.entries.at(-1);
    return before !== undefined && this.faults.addOpenCall(before.value);
  }

  private colon({ span }: Token): void {
    if (this.expects !== MapExpects.Colon) this.faults.add(span, "a key");
    this.expects = MapExpects.Value;
  }

  private comma({ span }: Token): void {
    if (this.expects === MapExpects.Colon) this.faults.add(span, "':'");
    else if (this.expects !== MapExpects.Comma) {
      this.faults.add(span, this.expects === MapExpects.Key ? "a key" : "a value");
    }
    this.expects = MapExpects.Key;
  }

  value(operand: Operand): void {
    if (operand.k === "word") this.faults.checkQuotes(operand.v, operand.span);
    if (this.expects === MapExpects.Colon) this.faults.add(operand.span, "':'");
    else if (this.expects === MapExpects.Key) this.faults.add(operand.span, "a key");
    else if (this.expects === MapExpects.Comma && !this.addCall()) this.faults.add(operand.span, "','");
    if (this.current !== null) this.entries.push({ key: this.current, value: operand });
    this.current = null;
    this.expects = MapExpects.Comma;
  }

  finish(close: Span): void {
    if (this.expects === MapExpects.Colon) this.faults.add(close, "':'");
    else if (this.expects === MapExpects.Value) this.faults.add(close, "a value");
  }
}

function stripQuotes(image: string): string {
  const closed = image.length > 1 && image.endsWith(image.charAt(0));
  return image.slice(1, closed ? -1 : undefined);
}

/** WF9026: of the same key twice the last one counts. */
export function reportRepeatedKeys(entries: readonly MapEntry[], reporter: Reporter): void {
  if (entries.length < 2) return;
  const seen = new Map<string, number>();
  entries.forEach((entry, index) => {
    const { key } = entry;
    const first = seen.get(key.text);
    seen.set(key.text, index);
    const former = first === undefined ? undefined : entries[first];
    const after = first === undefined ? undefined : entries[first + 1];
    if (former === undefined || after === undefined || reporter.isFull("WF9026")) return;
    const removed = spanUpTo(former.key.span, after.key.span);
    reporter.report({
      code: "WF9026",
      span: key.span,
      words: { key: key.text.slice(0, 100) },
      fix: { title: "remove the first", edits: [{ span: removed, new_text: "" }] },
      related: [{ message: "first here", span: former.key.span }],
    });
  });
}

/** One operand or mark inside `( )`. */
export type NestedPiece = { readonly operand: Operand | null; readonly first: Token };
export type NestedFault =
  | { readonly code: "WF1008"; readonly token: Token | null }
  | { readonly code: "WF1009"; readonly token: Token /** Written instead of it. */; readonly instead?: string };

/** What stands inside `( )`, for reading it as an expression of another language. */
export function wordsOfNested(inside: readonly NestedPiece[], source: string): readonly InfixWord[] {
  return inside.map(({ operand, first }) =>
    operand === null ? { text: first.image, kind: "mark", span: first.span } : wordOfOperand(operand, source),
  );
}

/** Decides between `(a >= b)` and `(fn a b)`; what is neither is null, with a fault. */
export function nestedCall(
  inside: readonly NestedPiece[],
  span: Span,
  allowTextEquality: boolean,
): { operand: Operand; fault: NestedFault | null } {
  const [left, middle, right] = inside;
  if (inside.length === 3 && left?.operand && right?.operand && middle?.first.type === "Compare") {
    const { first } = middle;
    const fault = first.image === "=" && !allowTextEquality;
    const fn: Slot = { span: first.span, text: first.image, quoted: false };
    return {
      operand: { k: "call", fn, args: [left.operand, right.operand], infix: true, span },
      fault: fault ? { code: "WF1009", token: first, instead: "==" } : null,
    };
  }
  const kind = left?.operand?.k;
  if (left === undefined || (kind !== "name" && kind !== "path") || /[$[]/.test(left.first.image)) {
    return { operand: { k: "null", span }, fault: { code: "WF1008", token: left?.first ?? null } };
  }
  const { first } = left;
  const args: Operand[] = [];
  let stray: NestedPiece | undefined;
  for (const piece of inside) {
    if (piece.operand === null) stray ??= piece;
    else if (piece !== left) args.push(piece.operand);
  }
  return {
    operand: { k: "call", fn: { span: first.span, text: first.image, quoted: false }, args, infix: false, span },
    fault: stray === undefined ? null : { code: "WF1009", token: stray.first },
  };
}

const MAX_PREFIXED = 8;

/** `(- a b)`: an operator in the place of a function, and the function's call. */
export function prefixCall(
  inside: readonly NestedPiece[],
  source: string,
): { readonly suggestion: string; readonly fix: Fix | null } | null {
  const [operator, ...others] = wordsOfNested(inside, source);
  if (operator === undefined || others.length < 2 || others.length > MAX_PREFIXED) return null;
  if (others.some(({ kind, text }) => kind === "mark" || text.includes("\n"))) return null;
  const isSum = operator.text === "+";
  const isText = isSum && others.some(({ kind }) => kind === "str");
  const fn = isText ? "concat" : functionOfOperator(operator.text);
  if (fn === null) return null;
  const suggestion = `write (${[fn, ...others.map(({ text }) => text)].join(" ")})`;
  // `=` compares texts, and `+` may join them.
  const isExact = others.length === 2 && operator.text !== "=" && (!isSum || isText || others.some(isNumber));
  return { suggestion, fix: isExact ? { title: `write ${fn}`, edits: [{ span: operator.span, new_text: fn }] } : null };
}

function isNumber({ kind }: InfixWord): boolean {
  return kind === "num";
}
