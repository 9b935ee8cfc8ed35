/** What a dotted name or a value before a place is: a module, an adapter, or a value of a type that the library has methods of. */
import type { TokenType } from "chevrotain";
import type { LibraryMember, LibraryShape } from "../../generate/shape.ts";
import * as T from "../lexing/tokens.ts";
import { setOf, type Token } from "../lexing/tokens.ts";
import type { Binding } from "./names.ts";

const OPENS = setOf([T.LParen, T.LBracket, T.LBrace]);
const CLOSES = setOf([T.RParen, T.RBracket, T.RBrace]);
/** Values that follow from values. */
const MAX_STEPS = 16;

const is = (token: Token | undefined, type: TokenType): boolean => token?.tokenTypeIdx === type.tokenTypeIdx;

export class Kinds {
  private readonly bindings: ReadonlyMap<string, Binding>;
  private readonly library: LibraryShape;
  private readonly builtins: ReadonlyMap<string, LibraryMember>;
  private steps = 0;

  constructor(bindings: ReadonlyMap<string, Binding>, library: LibraryShape) {
    this.bindings = bindings;
    this.library = library;
    this.builtins = new Map(library.builtins.map((one) => [one.name, one]));
  }

  /** The dotted name that ends with token `at`, as written; null: something else does. */
  static chain(tokens: readonly Token[], at: number): readonly string[] | null {
    const parts: string[] = [];
    for (let index = at; ; index -= 2) {
      const token = tokens[index];
      if (!is(token, T.Name)) return null;
      parts.unshift((token as Token).image);
      if (!is(tokens[index - 1], T.Dot)) return parts;
    }
  }

  /** The whole name of what the library has under a dotted name: `dt.date` → `datetime.date`. null: it is a variable, or unknown. */
  wholeName([first = "", ...others]: readonly string[]): string | null {
    const bound = this.bindings.get(first);
    if (bound === undefined) return [first, ...others].join(".");
    return bound.imported === null ? null : [bound.imported, ...others].join(".");
  }

  /** A builtin, or a member of a module or type. */
  member(whole: string): LibraryMember | undefined {
    const dot = whole.lastIndexOf(".");
    if (dot < 0) return this.builtins.get(whole);
    return this.library.under(whole.slice(0, dot)).find(({ name }) => name === whole.slice(dot + 1));
  }

  /** The type of the value that ends with token `at`. */
  kindBefore(tokens: readonly Token[], at: number): string | null {
    if (++this.steps > MAX_STEPS) return null;
    const token = tokens[at];
    if (is(token, T.Text) || is(token, T.FEnd)) return "str";
    if (is(token, T.Bytes)) return "bytes";
    if (is(token, T.RBrace)) return this.braces(tokens, opener(tokens, at));
    if (is(token, T.RBracket)) {
      const open = opener(tokens, at);
      return endsOperand(tokens[open - 1]) ? null : "list";
    }
    if (is(token, T.RParen)) return this.resultOf(tokens, opener(tokens, at) - 1);
    const chain = Kinds.chain(tokens, at);
    if (chain === null || chain.length > 1) return null;
    const bound = this.bindings.get(chain[0] ?? "");
    return bound?.value == null ? null : this.kindOfValue(bound.line, bound.value);
  }

  private braces(tokens: readonly Token[], open: number): string {
    let depth = 0;
    for (let at = open; at < tokens.length; at++) {
      const type = tokens[at]?.tokenTypeIdx ?? 0;
      if (OPENS[type] === 1) depth++;
      else if (CLOSES[type] === 1 && --depth === 0) return at === open + 1 ? "dict" : "set";
      else if (depth === 1 && (is(tokens[at], T.Colon) || is(tokens[at], T.DoubleStar))) return "dict";
    }
    return "dict";
  }

  /** What calling the value that ends with token `at` gives. */
  private resultOf(tokens: readonly Token[], at: number): string | null {
    const chain = Kinds.chain(tokens, at);
    const whole = chain === null ? null : this.wholeName(chain);
    const found = whole === null ? undefined : this.member(whole);
    if (found !== undefined) return this.typeOf(found.result);
    if (!is(tokens[at - 1], T.Dot)) return null;
    const kind = this.kindBefore(tokens, at - 2);
    const method = kind === null ? undefined : this.member(`${kind}.${tokens[at]?.image}`);
    return method === undefined ? null : this.typeOf(method.result);
  }

  /** The type that an annotation names, where the library has it: `list[str]` → `list`. */
  private typeOf(annotation: string): string | null {
    const [name = ""] = /^[\w.]*/.exec(annotation) ?? [];
    const isAlone = !/^[^[]*\|/.test(annotation.replace(/\| None$/, ""));
    return isAlone && this.library.under(name).length > 0 ? name : null;
  }

  /** Of the value or annotation that begins at token `at`: the whole of it, as far as it is one operand. */
  private kindOfValue(line: readonly Token[], at: number): string | null {
    if (is(line[at - 1], T.Colon)) {
      const whole = this.wholeName([line[at]?.image ?? ""]);
      return whole === null ? null : this.typeOf(whole);
    }
    let end = at;
    for (let depth = 0; end < line.length; end++) {
      const type = line[end]?.tokenTypeIdx ?? 0;
      const isPart =
        depth > 0 || is(line[end], T.Dot) || endsOperand(line[end]) || OPENS[type] === 1 || is(line[end], T.FStart);
      if (is(line[end], T.FStart) || OPENS[type] === 1) depth++;
      else if (is(line[end], T.FEnd) || CLOSES[type] === 1) depth--;
      if (!isPart || depth < 0) break;
    }
    const next = line[end];
    const isWhole = next === undefined || is(next, T.Semicolon) || is(next, T.Comma) || is(next, T.RParen);
    return isWhole && end > at ? this.kindBefore(line.slice(at, end), end - at - 1) : null;
  }
}

const OPERAND_ENDS = setOf([
  ...[T.Name, T.NumberLiteral, T.Text, T.Bytes, T.FEnd, T.True, T.False, T.None, T.RParen, T.RBracket, T.RBrace],
]);

function endsOperand(token: Token | undefined): boolean {
  return token !== undefined && OPERAND_ENDS[token.tokenTypeIdx] === 1;
}

/** Where the bracket opens that closes at token `at`. */
function opener(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at; index >= 0; index--) {
    const type = tokens[index]?.tokenTypeIdx ?? 0;
    if (CLOSES[type] === 1) depth++;
    else if (OPENS[type] === 1 && --depth === 0) return index;
  }
  return 0;
}

/** The bracket that is open at the end: its token; -1: none is. */
export function openBracket(tokens: readonly Token[]): number {
  let depth = 0;
  for (let index = tokens.length - 1; index >= 0; index--) {
    const type = tokens[index]?.tokenTypeIdx ?? 0;
    if (CLOSES[type] === 1) depth++;
    else if (OPENS[type] === 1 && depth-- === 0) return index;
  }
  return -1;
}
