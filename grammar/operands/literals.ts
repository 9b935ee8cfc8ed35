/**
 * What the tokens inside brackets make: maps, with their keys, colons and commas in order, and nested calls and
 * comparisons (docs/language.md, values and operands). The parser feeds them; they know nothing of steps.
 */
import type { MapEntry, Operand, Slot } from "../ast.ts";
import type { Edit, Fix } from "../diagnostic.ts";
import type { Reporter } from "../reporter.ts";
import { type Span, spanAfter, spanUpTo } from "../text/span.ts";
import type { Token } from "./tokens.ts";
import * as T from "./tokens.ts";

/** Where a list or map leaves its grammar, and what is missing there. */
type LiteralFault = { readonly span: Span; readonly expected: string };

/** What is wrong inside one pair of brackets: the first is reported, with a fix where all that is missing are commas. */
export class LiteralFaults {
  first: LiteralFault | null = null;
  private readonly commas: Edit[] = [];
  private lacksCommasOnly = true;

  add(span: Span, expected: string): void {
    this.first ??= { span, expected };
    this.lacksCommasOnly = false;
  }

  /** At what stands at `span`, a comma is missing after `before`. */
  addComma(span: Span, before: Span): void {
    this.first ??= { span, expected: "','" };
    this.commas.push({ span: spanAfter(before), new_text: "," });
  }

  get fix(): Fix | undefined {
    const { commas } = this;
    if (!this.lacksCommasOnly) return undefined;
    return { title: commas.length === 1 ? "insert a comma" : "insert the missing commas", edits: commas };
  }
}

/** Puts the values and marks of a list together. */
export class ListReader {
  readonly faults = new LiteralFaults();
  readonly items: Operand[] = [];
  private wantsItem = true;

  /** `first` is the place of the value's first token. */
  value(item: Operand, first: Span): void {
    const before = this.items.at(-1);
    this.items.push(item);
    if (!this.wantsItem && before !== undefined) this.faults.addComma(first, before.span);
    this.wantsItem = false;
  }

  comma(span: Span): void {
    if (this.wantsItem) this.faults.add(span, "a value");
    this.wantsItem = true;
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
      this.faults.addComma(span, before.value.span);
    } else if (this.expects !== MapExpects.Key)
      this.faults.add(span, this.expects === MapExpects.Colon ? "':'" : "a value");
    const quoted = image.startsWith('"') || image.startsWith("'");
    this.current = { span, text: quoted ? T.textValue(image.charCodeAt(0), stripQuotes(image)) : value, quoted };
    this.expects = MapExpects.Colon;
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
    if (this.expects === MapExpects.Colon) this.faults.add(operand.span, "':'");
    else if (this.expects === MapExpects.Key) this.faults.add(operand.span, "a key");
    else if (this.expects === MapExpects.Comma) this.faults.add(operand.span, "','");
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
