/**
 * What stands between brackets, put together piece by piece: lists, arguments, maps, groups and spaced calls. Reports what is wrong inside one
 * pair of brackets once.
 */
import type { Operand, Slot } from "../../ast.ts";
import { functionOfOperator, isForeignSign } from "../../foreign/infix.ts";
import { ListReader, MapReader, reportRepeatedKeys } from "../../operands/literals.ts";
import type { Token, WordType } from "../../operands/tokens.ts";
import type { Span } from "../../text/span.ts";
import { spanOver } from "../../text/span.ts";
import type { Lexeme } from "../tokens.ts";
import * as T from "../tokens.ts";
import { asNode, type Comprehension, type Entry, type Expression } from "../tree.ts";
import type { Faults } from "./faults.ts";

type Maybe = Expression | null;
const CLAUSES: ReadonlySet<string> = new Set(["for", "if"]);
const NESTED_CLAUSES = "one for and one if stand in brackets: [value for x in xs if c]; write the rest as loops";

/** An operand in the place of an expression, for advice that looks at operands. */
function shadow(value: Expression): Operand {
  if (value.e === "operand") return value.of;
  return { k: "call", fn: { span: value.span, text: "", quoted: false }, args: [], infix: false, span: value.span };
}

function plainToken({ tokenType, image, span, value, glued }: Lexeme): Token {
  return { type: tokenType.name as WordType, image, span, value, glued, tokenTypeIdx: 0, errors: null };
}

/** What the parts between brackets make. */
export abstract class Reading {
  protected readonly open: Lexeme;
  protected firstLine: number | null = null;
  protected comprehension: Comprehension | null = null;

  constructor(open: Lexeme) {
    this.open = open;
  }

  /** One value stands here, and nothing after it yet. */
  abstract get isOne(): boolean;
  /** `first`: where the value begins. */
  abstract value(first: Lexeme, value: Maybe): void;
  abstract comma(token: Lexeme): void;
  abstract stray(token: Lexeme): void;

  each(comprehension: Comprehension | null): void {
    this.comprehension = comprehension;
  }

  protected isMultiline({ span }: Lexeme): boolean {
    return (this.firstLine ?? span.line) > this.open.span.end_line;
  }
}

/** A list, or the arguments of a call with commas. */
export class ListReading extends Reading {
  private readonly kind: "list" | "call";
  private readonly reader = new ListReader<Expression>(shadow);
  private lastImage = "";

  constructor(open: Lexeme, kind: "list" | "call") {
    super(open);
    this.kind = kind;
  }

  get isOne(): boolean {
    return this.reader.items.length === 1 && !this.reader.hasComma && this.comprehension === null;
  }

  value(first: Lexeme, value: Maybe): void {
    const { reader } = this;
    this.firstLine ??= first.span.line;
    if (value == null) {
      reader.faults.add(first.span, "a value");
      return;
    }
    if (!reader.wantsItem) {
      if (CLAUSES.has(first.image)) reader.faults.advice = NESTED_CLAUSES;
      if (isForeignSign(first.image) || isForeignSign(this.lastImage))
        reader.faults.advice = "this operator does not exist";
    }
    reader.value(value, first);
    this.lastImage = first.image;
  }

  comma({ span }: Lexeme): void {
    this.firstLine ??= span.line;
    this.reader.comma(span);
  }

  stray({ span, tokenType }: Lexeme): void {
    this.firstLine ??= span.line;
    this.reader.stray(span, tokenType === T.Compare || tokenType === T.Operator);
  }

  list(close: Lexeme, faults: Faults): Expression {
    const items = this.finish(faults);
    const span = spanOver(this.open.span, close.span);
    const [value] = items;
    if (this.comprehension !== null && value !== undefined) return { ...this.comprehension, value, span };
    return { e: "list", items, multiline: this.isMultiline(close), span };
  }

  call(of: Maybe, close: Lexeme, faults: Faults): Expression {
    const items = this.finish(faults);
    const span = spanOver(of?.span ?? this.open.span, close.span);
    const fn = of === null ? null : functionName(of, faults);
    const [value] = items;
    const args = this.comprehension !== null && value !== undefined ? [{ ...this.comprehension, value }] : items;
    if (fn !== null) return { e: "call", fn, args, isSpaced: false, span };
    if (of !== null) faults.method(of, this.open);
    return asNode({ k: "null", span });
  }

  private finish(faults: Faults): readonly Expression[] {
    const items = this.reader.finish();
    faults.literal(this.reader.faults, this.kind, this.kind === "list" ? "write [a, b]" : "write f(a, b)");
    return items;
  }
}

/** The word in front of brackets, as written. */
function functionName(of: Expression, { source }: Faults): Slot | null {
  if (of.e !== "operand" || (of.of.k !== "name" && of.of.k !== "path")) return null;
  const text = source.slice(of.span.start, of.span.end);
  return /[$[]/.test(text) ? null : { span: of.span, text, quoted: false };
}

/** A map. */
export class MapReading extends Reading {
  private readonly reader = new MapReader();
  private readonly values: Expression[] = [];

  get isOne(): boolean {
    return this.values.length === 1 && this.comprehension === null;
  }

  value({ span }: Lexeme, value: Maybe): void {
    if (value == null) return;
    this.firstLine ??= span.line;
    const { length } = this.reader.entries;
    this.reader.value(shadow(value));
    if (this.reader.entries.length > length) this.values.push(value);
  }

  comma(token: Lexeme): void {
    this.stray(token);
  }

  stray(token: Lexeme): void {
    this.firstLine ??= token.span.line;
    this.reader.mark(plainToken(token));
  }

  finish(close: Lexeme, faults: Faults): Expression {
    const span = spanOver(this.open.span, close.span);
    this.reader.finish(close.span);
    faults.literal(this.reader.faults, "map", 'write {"key": value}');
    const entries = this.reader.entries.flatMap(({ key }, at): Entry[] => {
      const value = this.values[at];
      return value === undefined ? [] : [{ key, value }];
    });
    const [only] = entries;
    if (this.comprehension !== null && only !== undefined) {
      return { ...this.comprehension, key: faults.keyValue(only.key), value: only.value, span };
    }
    faults.reportIn((reporter) => reportRepeatedKeys(this.reader.entries, reporter));
    return { e: "map", entries, multiline: this.isMultiline(close), span };
  }
}

const MAX_PREFIXED = 8;

/** A group such as `(a + b)`, or a call such as `(f a b)`. */
export class ParenReading {
  private readonly open: Lexeme;
  /** In a list, a map or another call, `(now)` calls. */
  private readonly callsAlone: boolean;
  private first: { readonly token: Lexeme; readonly value: Maybe } | null = null;
  private readonly args: Expression[] = [];
  private surplus: Lexeme | null = null;

  constructor(open: Lexeme, callsAlone: boolean) {
    this.open = open;
    this.callsAlone = callsAlone;
  }

  begin(token: Lexeme, value: Maybe): void {
    this.first = { token, value };
  }

  add(first: Lexeme, value: Maybe): void {
    if (value == null) this.stray(first);
    else this.args.push(value);
  }

  stray(token: Lexeme): void {
    this.surplus ??= token;
  }

  finish(close: Lexeme, faults: Faults): Maybe {
    const span = spanOver(this.open.span, close.span);
    const value = this.first?.value ?? null;
    if (this.surplus !== null) {
      faults.nested(this.surplus, span);
      return asNode({ k: "null", span });
    }
    if (this.first === null) {
      faults.noCall(this.open.span, null);
      return asNode({ k: "null", span });
    }
    if (value === null) return null;
    const isName = value.e === "operand" && this.first.token.span.end === value.span.end;
    const fn = isName ? functionName(value, faults) : null;
    if (this.args.length === 0 && (fn === null || !this.callsAlone)) return faults.grouped(value, span);
    if (fn !== null) return faults.bounded({ e: "call", fn, args: this.args, isSpaced: true, span });
    faults.noCall(this.first.token.span, this.prefixed(faults.source));
    return asNode({ k: "null", span });
  }

  /** `(- a b)`: an operator in the place of a function. */
  private prefixed(
    source: string,
  ): { readonly suggestion: string; readonly span: Span; readonly fn: string | null } | null {
    const { first, args } = this;
    if (first === null || first.value?.e !== "negative" || args.length === 0 || args.length > MAX_PREFIXED) return null;
    const fn = functionOfOperator(first.token.image) ?? "sub";
    const words = [first.value.of, ...args].map(({ span }) => source.slice(span.start, span.end));
    const isExact = args.length === 1;
    return { suggestion: `write (${[fn, ...words].join(" ")})`, span: first.token.span, fn: isExact ? `${fn} ` : null };
  }
}
