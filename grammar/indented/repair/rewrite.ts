/**
 * Writes the expressions of a statement anew where they have forms of other languages: methods, functions of libraries, functions written in place,
 * arguments with names, tuples, spreads, `c ? a : b`. All of a statement is written at once, so that one edit repairs it. Works on tokens,
 * because such a statement cannot be parsed; what has no certain equivalent stays as it is, and then no edit is made.
 */
import { FOREIGN_COMPARATORS } from "../surplus.ts";
import * as T from "../tokens.ts";
import { groupEnd, type Lexeme } from "../tokens.ts";
import { type Argument, grouped, inOrder, isList, isText } from "./arguments.ts";
import { functionAsCall, isForeignFunction, isOwnFunction } from "./functions.ts";
import { changeOfDefault, isMethod, methodAsCall, methodAsChange, taken } from "./methods.ts";
import { isString, isTemplateEnd, TokenRows } from "./rows.ts";
import { templateOfMarks, withSpreads } from "./spreads.ts";

/** What a statement does with its value. */
export type Use = "value" | "assigned" | "result" | "nothing";

const WORDS: Readonly<Record<string, string>> = { "&&": "and", "||": "or" };
const OPTIONAL = /^[\p{L}_][\p{L}\p{Nd}_]*(?:\??\.[\p{L}\p{Nd}_]+|\[[0-9]+\])+$/u;
const CHAIN = new Set([T.Member, T.OpenIndex, T.OpenCall, T.Question]);

export class Rewriting extends TokenRows {
  /** The statement's expressions anew; null when nothing changes or something foreign is left. `indent` stands before the statement. */
  text(use: Use, indent: string): string | null {
    const { tokens } = this;
    const end = tokens.length;
    const made =
      this.asStatement(use, indent) ?? this.strings() ?? this.range(0, end, use === "assigned" || use === "result");
    return this.isChanged && !this.isStuck ? made : null;
  }

  /** `xs.append(1)`, and `x = xs.pop()`. */
  private asStatement(use: Use, indent: string): string | null {
    if (use !== "nothing" && use !== "assigned") return null;
    const open = this.lastCall();
    if (open === -1) return null;
    const wasStuck = this.isStuck;
    const before = this.range(0, open, false);
    const dot = before.lastIndexOf(".");
    const [of, method] = [before.slice(0, dot), before.slice(dot + 1)];
    const defaulted =
      use === "nothing" ? changeOfDefault(of, method, this.args(open + 1, this.tokens.length - 1)) : null;
    if (defaulted !== null) {
      this.isChanged = true;
      this.isStuck = wasStuck;
      return defaulted;
    }
    if (dot === -1 || !this.isValue(of)) return null;
    const args = this.args(open + 1, this.tokens.length - 1);
    const written = use === "nothing" ? this.changed(of, method, args) : this.popped(of, method, args, indent);
    this.isChanged ||= written !== null;
    return written;
  }

  private changed(of: string, method: string, args: readonly Argument[]): string | null {
    if (method !== "sort") return methodAsChange(of, method, args);
    const sorted = functionAsCall("sorted", [{ name: null, text: of }, ...args]);
    return sorted === null ? null : `${of} = ${sorted.replace(`each(${of})`, of)}`;
  }

  private popped(of: string, method: string, [key, ...more]: readonly Argument[], indent: string): string | null {
    if (method !== "pop" || more.length > 0 || key?.name != null) return null;
    const popped = taken(of, key?.text);
    return popped === null ? null : `${popped.value}\n${indent}${popped.rest}`;
  }

  /** `"a" f"{b}"`: texts next to each other. */
  private strings(): string | null {
    const texts: string[] = [];
    for (let at = 0; at < this.tokens.length; at = groupEnd(this.tokens, at) + 1) {
      if (!isString(this.tokens[at] as Lexeme)) return null;
      texts.push(this.row(at, groupEnd(this.tokens, at) + 1));
    }
    if (texts.length < 2) return null;
    this.isChanged = true;
    return texts.join(" + ");
  }

  /** The bracket of the call that the tokens end with, when all before it is its callee. */
  private lastCall(): number {
    const { tokens } = this;
    for (let at = 0; at < tokens.length; at++) {
      const end = groupEnd(tokens, at);
      if (end === tokens.length - 1 && tokens[at]?.tokenType === T.OpenCall) return at;
      if (at > 0 && !CHAIN.has((tokens[at] as Lexeme).tokenType)) return -1;
      at = end;
    }
    return -1;
  }

  // ---- rows of tokens ----

  /** The text of the tokens from `from` up to `to`. With `isWhole` a comma between values makes a list. */
  private range(from: number, to: number, isWhole: boolean): string {
    const commas = isWhole ? this.split(from, to) : [];
    if (commas.length > 1) {
      this.isChanged = true;
      return this.listOf(commas);
    }
    return this.ternary(from, to) ?? this.row(from, to);
  }

  private listOf(parts: readonly (readonly [number, number])[]): string {
    return `[${parts.map(([from, to]) => this.range(from, to, false)).join(", ")}]`;
  }

  /** `c ? a : b` → `a if c else b`, `a ?? b` → `coalesce(a, b)`. */
  private ternary(from: number, to: number): string | null {
    let question = -1;
    for (let at = from; at < to; at = groupEnd(this.tokens, at) + 1) {
      const { image, tokenType } = this.tokens[at] as Lexeme;
      if (image === "??") {
        this.isChanged = true;
        return `coalesce(${this.range(from, at, false)}, ${this.range(at + 1, to, false)})`;
      }
      if (image === "?" && question === -1) question = at;
      else if (question !== -1 && (image === ":" || tokenType === T.Colon || tokenType === T.BlockColon)) {
        this.isChanged = true;
        const [cond, then, otherwise] = [
          this.range(from, question, false),
          this.range(question + 1, at, false),
          this.range(at + 1, to, false),
        ];
        return `${then} if ${cond} else ${otherwise}`;
      }
    }
    return null;
  }

  private row(from: number, to: number): string {
    let text = "";
    let at = from;
    while (at < to) {
      const token = this.tokens[at] as Lexeme;
      if (at > from) text += this.gap(at);
      // Calls wait for their result.
      if (token.image === "await" && at + 1 < to && this.tokens[at + 1]?.glued === false) {
        this.isChanged = true;
        at++;
        text += this.row(at, to);
        break;
      }
      if (this.isForeignSign(at, to)) {
        text += FOREIGN_COMPARATORS.get(token.image + (this.tokens[at + 1] as Lexeme).image) ?? "";
        this.isChanged = true;
        at += 2;
        continue;
      }
      const [written, next] = this.repeated(at, to) ?? this.chain(at, to);
      text += written;
      at = next;
    }
    return text;
  }

  /** `"ab" * 3`, `[0] * n`, `"%s" % name` */
  private repeated(at: number, to: number): readonly [string, number] | null {
    const first = this.tokens[at] as Lexeme;
    const sign = groupEnd(this.tokens, at) + 1;
    const { image } = this.tokens[sign] ?? first;
    const isLiteral = isString(first) || first.tokenType === T.OpenList;
    if (sign + 1 >= to || !isLiteral || (image !== "*" && image !== "%")) return null;
    const [value] = this.chain(at, sign);
    const [operand, next] = this.chain(sign + 1, to);
    const template = image === "%" && first.tokenType === T.Text ? templateOfMarks(value, operand) : null;
    if (image === "%" && template === null) return null;
    this.isChanged = true;
    return [template ?? `repeat(${value}, ${operand})`, next];
  }

  // ---- values ----

  /** A value with all that touches it, and where the next token stands. */
  private chain(from: number, to: number): readonly [string, number] {
    let at = groupEnd(this.tokens, from) + 1;
    let text = this.primary(from, at - 1);
    while (at < to) {
      const token = this.tokens[at] as Lexeme;
      if (!token.glued || !CHAIN.has(token.tokenType)) break;
      const end = groupEnd(this.tokens, at);
      if (token.tokenType === T.OpenCall) text = this.called(text, at, end);
      else if (token.tokenType === T.OpenIndex) text = this.indexed(text, at, end);
      else text += token.image;
      at = end + 1;
    }
    return [this.member(text), at];
  }

  private indexed(of: string, open: number, end: number): string {
    const inner = this.source(open, end);
    if (!/^\[\s*:\s*:\s*-1\s*\]$/.test(inner)) return `${of}[${this.row(open + 1, end)}]`;
    this.isChanged = true;
    const held = isText(of) ? "text" : isList(of) ? "list" : this.facts.heldBy(of);
    // Of a text, `reverse` gives a list of its characters.
    this.isStuck ||= held === null;
    return held === "text" ? `join("", reverse(${of}))` : `reverse(${of})`;
  }

  private primary(from: number, last: number): string {
    const { tokenType, image } = this.tokens[from] as Lexeme;
    if (tokenType === T.OpenParen) return this.paren(from, last);
    if (tokenType === T.OpenList) return this.list(from, last);
    if (tokenType === T.OpenMap) return this.map(from, last);
    if (tokenType === T.TemplateStart) return this.template(from, last);
    if (last > from) return this.source(from, last);
    const before = this.tokens[from - 1];
    const own = Object.hasOwn(WORDS, image) && tokenType === T.Word ? WORDS[image] : undefined;
    const type = this.typeName(from);
    if (own !== undefined || type !== null) {
      this.isChanged = true;
      return own ?? type ?? image;
    }
    if (tokenType === T.Word && image.includes("?.") && OPTIONAL.test(image)) {
      this.isChanged = true;
      return image.replaceAll("?.", ".");
    }
    // `+n`
    if (/^\+[\p{L}\p{Nd}_.]+$/u.test(image) && before?.tokenType !== T.Text) {
      this.isChanged = true;
      return image.slice(1);
    }
    // A pattern is a string here, and nothing is made with `new`.
    if (tokenType === T.Word && /[?`;]|=>|^\.\.\.$|^\/.*\/[a-z]*$/.test(image)) this.isStuck = true;
    if (/^(?:\.\.\.)?new$/.test(image)) this.isStuck = true;
    return image;
  }

  /** `xs.length` of a value that does not name a variable. */
  private member(text: string): string {
    if (!/[)\]"']\.length$/.test(text)) return text;
    this.isChanged = true;
    return `len(${text.slice(0, -".length".length)})`;
  }

  /** A group; `(a, b)` is a list, and so is what a generator gives. */
  private paren(open: number, close: number): string {
    const parts = this.split(open + 1, close);
    const isGenerator = this.find(open + 1, close, T.ForWord) !== -1;
    const isTuple = parts.length > 0 && this.tokens[close - 1]?.tokenType === T.Comma;
    if (parts.length > 1 || isGenerator || isTuple) {
      this.isChanged = true;
      this.isStuck ||= this.hasArrow(open, close + 2);
      return this.listOf(parts);
    }
    return `(${this.range(open + 1, close, false)})`;
  }

  private list(open: number, close: number): string {
    const parts = this.split(open + 1, close);
    const spread = parts.map(([from]) => this.spreadAt(from));
    if (spread.some((width) => width > 0)) {
      this.isChanged = true;
      const texts = parts.map(([from, to]) => this.range(from, to, false));
      const lists = withSpreads(texts, spread, (items) => `[${items}]`, grouped);
      return lists.length === 1 ? `${lists[0]}` : `(${lists.join(" + ")})`;
    }
    const [only] = parts;
    const isOne = parts.length === 1 && only !== undefined;
    const nested = isOne ? this.nestedLoops(only[0], only[1]) : null;
    if (nested !== null) return nested;
    return `[${isOne ? this.range(open + 1, close, false) : this.row(open + 1, close)}]`;
  }

  /** `[t for r in rows for t in r["tags"]]` */
  private nestedLoops(from: number, to: number): string | null {
    const first = this.find(from, to, T.ForWord);
    const second = first === -1 ? -1 : this.find(first + 1, to, T.ForWord);
    if (second === -1) return null;
    if (this.find(second + 1, to, T.ForWord) !== -1) {
      this.isStuck = true;
      return null;
    }
    this.isChanged = true;
    const value = this.range(from, first, false);
    const inner = this.row(second, to);
    const list = new RegExp(`^for ${escaped(value)} in ((?:(?! if )[^])*)$`).exec(inner)?.[1];
    return `flatten([${list ?? `[${value} ${inner}]`} ${this.row(first, second).trimEnd()}])`;
  }

  private map(open: number, close: number): string {
    const parts = this.split(open + 1, close);
    const spread = parts.map(([from]) => this.spreadAt(from));
    if (!spread.some((width) => width > 0)) return `{${this.row(open + 1, close)}}`;
    this.isChanged = true;
    const texts = parts.map(([from, to]) => this.row(from, to));
    return `merge(${withSpreads(texts, spread, (entries) => `{${entries}}`).join(", ")})`;
  }

  /** How long the mark of a spread at `at` is: `*xs`, `**d`, `...xs`. */
  private spreadAt(at: number): number {
    const { image } = this.tokens[at] as Lexeme;
    return /^(?:\*\*?|\.\.\.)/.exec(image)?.[0].length ?? 0;
  }

  /** `f"{x.upper()}"`: what is written in the braces may not hold the quote of the template. */
  private template(from: number, last: number): string {
    const quote = (this.tokens[from] as Lexeme).image.slice(-1);
    let text = "";
    for (let at = from; at <= last; at++) {
      if (at > from) text += this.gap(at);
      const { tokenType, image } = this.tokens[at] as Lexeme;
      text += image;
      if (tokenType !== T.TemplateOpen) continue;
      let end = at + 1;
      while (end < last && !isTemplateEnd(this.tokens[end] as Lexeme)) end = groupEnd(this.tokens, end) + 1;
      if (end === at + 1) continue;
      text += this.gap(at + 1);
      const value = this.range(at + 1, end, false);
      const isFailure = this.facts.isFailure(value);
      this.isChanged ||= isFailure;
      const written = isFailure ? `${value}.message` : value;
      const own = quote === '"' ? written.replaceAll('"', "'") : written;
      const isPlain = !written.includes(quote) || (quote === '"' && !written.includes("'") && !written.includes("\\"));
      if (!isPlain) this.isStuck = true;
      text += own;
      at = end - 1;
    }
    return text;
  }

  // ---- calls ----

  private called(callee: string, open: number, close: number): string {
    const args = this.args(open + 1, close);
    const dot = callee.lastIndexOf(".");
    const written = this.ownCall(callee, dot, args);
    if (written === null) {
      const isForeign =
        args.some(({ name }) => name !== null) ||
        (isForeignFunction(callee) && !isOwnFunction(callee)) ||
        (dot > 0 && this.isValue(callee.slice(0, dot)));
      const named = this.byOrder(callee, args);
      this.isStuck ||= isForeign && named === null;
      if (named !== null) {
        this.isChanged = true;
        return named;
      }
      return `${callee}(${this.asWritten(open, close, args)})`;
    }
    this.isChanged = true;
    return written;
  }

  private ownCall(callee: string, dot: number, args: readonly Argument[]): string | null {
    if (isForeignFunction(callee)) return functionAsCall(callee, args);
    const [only] = args;
    if (callee === "str" && args.length === 1 && only !== undefined && this.facts.isFailure(only.text))
      return `${only.text}.message`;
    if (dot <= 0 && !callee.startsWith(".")) return null;
    const of = callee.slice(0, dot);
    return this.isValue(of) && isMethod(callee.slice(dot + 1)) ? methodAsCall(of, callee.slice(dot + 1), args) : null;
  }

  /** `helper(4, y=5)` for a graph, `http.Get(url, timeout=5)`: with the arguments in the order of the inputs. */
  private byOrder(callee: string, args: readonly Argument[]): string | null {
    if (args.every(({ name }) => name === null)) return null;
    const inputs = this.facts.inputsOf(callee)?.map((name) => ({ name, isOptional: false }));
    const parameters =
      inputs === undefined
        ? this.facts.parametersOf(callee)
        : { call: callee, inOrder: inputs, options: null, alsoCalled: new Map<string, string>() };
    const ordered = parameters === null ? null : inOrder(args, parameters);
    return ordered === null ? null : `${parameters?.call}(${ordered.join(", ")})`;
  }

  private asWritten(open: number, close: number, args: readonly Argument[]): string {
    if (this.split(open + 1, close).length !== args.length) return this.row(open + 1, close);
    return args.map(({ name, text }) => (name === null ? text : `${name}=${text}`)).join(", ");
  }

  private args(from: number, to: number): Argument[] {
    return this.split(from, to).map(([start, end]): Argument => {
      const first = this.tokens[start] as Lexeme;
      const name = first.tokenType === T.ArgumentName ? first.image.slice(0, -1) : null;
      const begin = name === null ? start : start + 1;
      if (begin >= end) return { name, text: "" };
      const written = this.source(begin, end - 1);
      // What is written in place is taken as it is: its values are the table's.
      if (/^lambda\b|^\(?\s*[\p{L}_]\w*\s*\)?\s*=>/u.test(written)) return { name, text: this.inPlace(begin, end) };
      const text = this.range(begin, end, false);
      return { name, text: this.find(begin, end, T.ForWord) === -1 ? text : `[${text}]` };
    });
  }

  /** `lambda x: x.name.upper()` with its value written anew. */
  private inPlace(from: number, to: number): string {
    let at = from;
    while (at < to && !/:$|=>$/.test((this.tokens[at] as Lexeme).image)) at++;
    if (this.tokens[at]?.image === ">" || this.tokens[at + 1]?.image === ">") at++;
    return at + 1 >= to ? this.source(from, to - 1) : `${this.source(from, at)} ${this.range(at + 1, to, false)}`;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
