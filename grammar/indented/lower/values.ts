/**
 * The meaning of an expression. A condition uses the conditions of the opcode form where it can; a value is an operand made of nested calls. A name
 * alone is null when it is not set, so in values it is written as a variable.
 */
import type { Comparator, Condition, Operand, Slot } from "../../ast.ts";
import { operandsIn } from "../../operands/operands.ts";
import { nameEnd } from "../../operands/tokens.ts";
import type { Reporter } from "../../reporter.ts";
import { type Span, spanBefore, spanOver } from "../../text/span.ts";
import { adviceForMethod } from "../methods.ts";
import type { Entry, Expression } from "../tree.ts";
import { reportEscapes } from "./escapes.ts";
import { reportJoined, reportMarked } from "./joined-words.ts";
import { isLong, isSimple, isTruth } from "./truths.ts";

/** Constants of other languages: on the right of a comparison they would be text without a finding; in a call they are variables, which are checked. */
const FOREIGN_CONSTANTS: ReadonlySet<string> = new Set([
  "None",
  "True",
  "False",
  "TRUE",
  "FALSE",
  "Null",
  "NULL",
  "nil",
  "undefined",
]);
/** `{name}`, `{name.member:.2f}`, `{len(name)}`; not the templates of other languages, which are reported elsewhere. */
const TEMPLATE = /(?<![{$#])\{(?:[a-z_]+\()?([\p{L}_][\p{L}\p{Nd}_]*)(?:[.[) +*/-][^{}]*)?(?::[^{}]*)?\}(?!\})/u;
/** Their second argument is a pattern. */
const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set(["match", "find_all", "replace_all", "split_by"]);
const MAX_WORD_LENGTH = 100;
type Leaf = Expression & { readonly e: "operand" };

/** Lowers the expressions of one file. */
export class Values {
  private readonly variables: ReadonlySet<string>;
  private readonly lists: ReadonlySet<string>;
  private readonly reporter: Reporter;
  private readonly nesting: number;
  /** Start offsets of patterns, which have escapes of their own. */
  private readonly patterns = new Set<number>();
  /** Start offsets of the texts that were already checked. */
  private readonly seen = new Set<number>();

  constructor(variables: ReadonlySet<string>, lists: ReadonlySet<string>, reporter: Reporter, nesting: number) {
    this.variables = variables;
    this.lists = lists;
    this.reporter = reporter;
    this.nesting = nesting;
  }

  /** The operand of an expression; null where no expression could be read. */
  value(expression: Expression | null, word: Slot): Operand {
    if (expression === null) return { k: "null", span: word.span };
    const value = this.asValue(expression);
    this.checkNesting(value, expression.span);
    return value;
  }

  /** An argument of an adapter call. */
  operand(expression: Expression): Operand {
    const operand = this.inner(expression);
    this.checkNesting(operand, expression.span);
    return operand;
  }

  /** A value that a graph is called with. */
  argument(expression: Expression, fn: Slot): Operand {
    return this.value(expression, fn);
  }

  /** The condition of an expression; true where no expression could be read. */
  condition(expression: Expression | null, word: Slot): Condition {
    if (expression === null) return { c: "truthy", of: { k: "bool", v: true, span: word.span }, span: word.span };
    this.checkNesting(this.truth(expression), expression.span);
    return this.asCondition(expression);
  }

  /** `and`, `or` and `not` are calls around their parts, so a value may be nested more deeply than brackets may be. */
  private checkNesting(value: Operand, span: Span): void {
    if (nestingOf(value) <= this.nesting) return;
    this.reporter.report({ code: "WF1012", span, words: { limit: String(this.nesting) } });
  }

  private asCondition(expression: Expression): Condition {
    const { span } = expression;
    switch (expression.e) {
      case "operand":
        return { c: "truthy", of: this.leaf(expression), span };
      case "present":
        if (expression.of.e !== "operand") return { c: "truthy", of: this.asValue(expression), span };
        return { c: "present", of: this.leaf(expression.of), span };
      case "compare":
        return this.comparison(expression);
      case "not":
        return { c: "not", of: this.asCondition(expression.of), span };
      case "list":
      case "map":
      case "call":
        return { c: "truthy", of: this.inner(expression), span };
      default:
        return { c: "truthy", of: this.truth(expression), span };
    }
  }

  /** An operand with the truth of a condition, whatever its value. */
  private truth(expression: Expression): Operand {
    const { span } = expression;
    if (expression.e === "not") return callOf("not", expression.word, [this.truth(expression.of)], span);
    if (expression.e !== "and" && expression.e !== "or") return this.asValue(expression);
    return balanced(
      expression.e,
      expression.word,
      expression.of.map((one) => this.truth(one)),
    );
  }

  /** `a or b` is the first part that is true, or the last, as in Python; it is a boolean only where all parts are. */
  private firstThatCounts(expression: Expression & { readonly e: "and" | "or" }): Operand {
    const { word, of, e, span } = expression;
    if (of.every(isTruth)) return this.truth(expression);
    if (isLong(expression)) {
      const suggestion = `store the part before ${word.text} in a variable first`;
      this.reporter.refuse(word.span, word.text, suggestion);
      return { k: "null", span };
    }
    const [last, ...before] = of.toReversed();
    let made = this.asValue(last as Expression);
    for (const one of before) {
      const value = this.asValue(one);
      made = callOf("ite", word, [this.truth(one), ...(e === "or" ? [value, made] : [made, value])], span);
    }
    return made;
  }

  private comparison(expression: Expression & { readonly e: "compare" }): Condition {
    const { ops, of, span } = expression;
    const [sign] = ops;
    const [left, right] = of;
    if (ops.length > 1 || sign === undefined || left === undefined || right === undefined || !isComparator(sign.text))
      return { c: "truthy", of: this.asValue(expression), span };
    const fn = sign.text === "==" ? "eq" : sign.text === "!=" ? "ne" : null;
    if (fn !== null && this.isForeignConstant(right)) {
      return { c: "truthy", of: callOf(fn, sign, [this.asValue(left), this.asValue(right)], span), span };
    }
    return { c: "cmp", op: sign.text, left: this.side(left), right: this.side(right), span };
  }

  private asValue(expression: Expression): Operand {
    const { span } = expression;
    switch (expression.e) {
      case "operand":
        return nullWhenAbsent(this.leaf(expression));
      case "present": {
        const nothing: Operand = { k: "null", span: expression.mark.span };
        return callOf("ne", expression.mark, [this.asValue(expression.of), nothing], span);
      }
      case "compare":
        return this.compared(expression, (left) => this.asValue(left));
      case "not":
        return this.truth(expression);
      case "and":
      case "or":
        return this.firstThatCounts(expression);
      default:
        return this.inner(expression);
    }
  }

  /** A value in a list, a map or a call, where a name that is not set may be text. */
  private inner(expression: Expression): Operand {
    const { span } = expression;
    switch (expression.e) {
      case "operand":
        return this.leaf(expression);
      case "list":
        return {
          k: "list",
          items: expression.items.map((one) => this.inner(one)),
          multiline: expression.multiline,
          span,
        };
      case "map": {
        for (const entry of expression.entries) this.checkKey(entry);
        const entries = expression.entries.map(({ key, value }) => ({ key, value: this.inner(value) }));
        return { k: "map", entries, multiline: expression.multiline, span };
      }
      case "call": {
        this.checkMethod(expression);
        if (expression.fn.text === "set" && expression.args.length < 2) this.reportSet(expression);
        // The template of `format` contains braces.
        const isFormat = expression.fn.text === "format";
        const pattern = PATTERN_FUNCTIONS.has(expression.fn.text) ? expression.args[1] : undefined;
        if (pattern !== undefined) this.patterns.add(pattern.span.start);
        const args = expression.args.map((one, at) =>
          isFormat && at === 0 && one.e === "operand" ? one.of : this.callArgument(one, expression.isSpaced),
        );
        return { k: "call", fn: expression.fn, args, infix: false, span };
      }
      case "compare":
        return this.compared(expression, (left) => this.inner(left));
      case "not":
        return isSimple(expression.of)
          ? callOf("not", expression.word, [this.inner(expression.of)], span)
          : this.truth(expression);
      default:
        return this.computed(expression);
    }
  }

  /** In `get(d, r.key)` the path into a variable is a value. `(get d a.b)` keeps its earlier meaning: the text of the path. */
  private callArgument(expression: Expression, isSpaced: boolean): Operand {
    const operand = this.inner(expression);
    return !isSpaced && operand.k === "path" && this.variables.has(operand.root) ? nullWhenAbsent(operand) : operand;
  }

  /** Reports `x.f(a)` where `x` is a variable. */
  private checkMethod(call: Expression & { readonly e: "call" }): void {
    const { text, span } = call.fn;
    const root = text.slice(0, nameEnd(text, 0));
    if (this.reporter.explainedCalls.has(span.start)) return;
    if (call.isSpaced || root.length === text.length || !(this.variables.has(root) || root.startsWith("_"))) return;
    const suggestion = adviceForMethod(text.slice(text.lastIndexOf(".") + 1));
    this.reporter.refuse(span, text.slice(0, MAX_WORD_LENGTH), suggestion, null, call.span);
  }

  /** Warns of `{k: 1}` where `k` is a variable: the key is the text `k`. */
  private checkKey({ key, value }: Entry): void {
    if (key.quoted || !this.variables.has(key.text) || this.seen.has(key.span.start)) return;
    if (value.e === "operand" && value.of.k === "name" && value.of.v === key.text) return;
    this.seen.add(key.span.start);
    this.reporter.report({ code: "WF1111", span: key.span, words: { name: key.text.slice(0, MAX_WORD_LENGTH) } });
  }

  /** Reports `set(xs)`, because `set` is an alias of `put`. */
  private reportSet({ fn, args }: Expression & { readonly e: "call" }): void {
    const suggestion = args.length === 0 ? "sets do not exist: write a list, []" : "write unique(list)";
    const fix = args.length === 0 ? null : { title: "write unique", edits: [{ span: fn.span, new_text: "unique" }] };
    this.reporter.refuse(fn.span, "set", suggestion, fix, fn.span);
  }

  /** Operands for expressions that only the indented form has. */
  private computed(expression: Expression): Operand {
    const { span } = expression;
    switch (expression.e) {
      case "compute": {
        const args = [this.asValue(expression.left), this.asValue(expression.right)];
        return callOf(expression.fn, expression.word, args, span);
      }
      case "negative": {
        const of = this.asValue(expression.of);
        if (of.k === "num") return { k: "num", v: -of.v, span };
        return callOf("sub", expression.word, [{ k: "num", v: 0, span: expression.word.span }, of], span);
      }
      case "choice": {
        const args = [this.truth(expression.cond), this.asValue(expression.then), this.asValue(expression.otherwise)];
        return callOf("ite", expression.word, args, span);
      }
      case "index":
        return callOf("at", expression.word, [this.asValue(expression.of), this.asValue(expression.key)], span);
      case "slice": {
        const { word, from, to } = expression;
        const start: Operand = from === null ? { k: "null", span: word.span } : this.asValue(from);
        const args = [this.asValue(expression.of), start];
        if (to !== null) args.push(this.asValue(to));
        return callOf("slice", word, args, span);
      }
      case "template": {
        if (!this.seen.has(span.start)) reportEscapes(span, this.reporter);
        this.seen.add(span.start);
        const text: Operand = { k: "str", v: expression.text, span: expression.word.span };
        return callOf("format", expression.word, [text, ...expression.values.map((one) => this.asValue(one))], span);
      }
      default:
        return this.asValue(expression);
    }
  }

  /** A comparison as a value. `left` makes the left side. */
  private compared(expression: Expression & { readonly e: "compare" }, left: (of: Expression) => Operand): Operand {
    const { ops, of, span } = expression;
    const parts = ops.map((op, at): Operand => {
      const [a, b] = [of[at] as Expression, of[at + 1] as Expression];
      return this.pair(op, a, b, ops.length === 1 ? span : spanOver(a.span, b.span), left);
    });
    const [first] = ops;
    return parts.length === 1 || first === undefined ? (parts[0] as Operand) : balanced("and", first, parts);
  }

  private pair(op: Slot, a: Expression, b: Expression, span: Span, left: (of: Expression) => Operand): Operand {
    if (isComparator(op.text)) return { k: "call", fn: op, args: [left(a), this.side(b)], infix: true, span };
    if (op.text === "in") return callOf("contains", op, [this.asValue(b), this.asValue(a)], span);
    if (op.text === "not in") {
      return callOf("not", op, [callOf("contains", op, [this.asValue(b), this.asValue(a)], span)], span);
    }
    return callOf(op.text === "is" ? "eq" : "ne", op, [this.asValue(a), this.asValue(b)], span);
  }

  /** A name in a comparison is read as in conditions: the one on the right may be text. */
  private side(expression: Expression): Operand {
    if (expression.e !== "operand") return this.asValue(expression);
    return this.isForeignConstant(expression) ? nullWhenAbsent(this.leaf(expression)) : this.leaf(expression);
  }

  private isForeignConstant(expression: Expression): boolean {
    if (expression.e !== "operand") return false;
    const of = this.leaf(expression);
    return of.k === "name" && FOREIGN_CONSTANTS.has(of.v);
  }

  /** `"Hello {name}"` lacks its `f`. */
  private reportTemplate(text: string, span: Span): void {
    const [mark, name = ""] = TEMPLATE.exec(text) ?? [];
    if (mark === undefined || !this.variables.has(name)) return;
    // `f"{k}"` where only a text may stand, as the key of a map.
    if (/[fF]/.test(this.reporter.source.text.charAt(span.start - 1))) return;
    const suggestion = "write f before the string to put the value in";
    const edits = [{ span: spanBefore(span), new_text: "f" }];
    const words = { mark: mark.slice(0, MAX_WORD_LENGTH), joined: "" };
    this.reporter.report({ code: "WF9031", span, words, suggestion, fix: { title: suggestion, edits } });
  }

  /** Reports `rows.length` where `rows` is a list. */
  checkPath(of: Operand): void {
    if (of.k !== "path" || of.segments.length !== 1 || of.segments[0] !== "length") return;
    const { root, span } = of;
    if (!this.lists.has(root) || this.seen.has(span.start)) return;
    this.seen.add(span.start);
    const suggestion = `write len(${root})`.slice(0, MAX_WORD_LENGTH);
    const fix = { title: suggestion, edits: [{ span, new_text: `len(${root})` }] };
    this.reporter.refuse(span, "length", suggestion, fix, span);
  }

  private leaf({ of }: Leaf): Operand {
    this.checkPath(of);
    if ((of.k === "word" || of.k === "str") && !this.seen.has(of.span.start)) {
      // A condition is lowered both as a condition and as a value.
      this.seen.add(of.span.start);
      if (of.k === "word") {
        reportJoined(of.span, this.variables, this.reporter);
        reportMarked(of.span, this.variables, this.reporter);
      } else {
        this.reportTemplate(of.v, of.span);
        if (!this.patterns.has(of.span.start)) reportEscapes(of.span, this.reporter);
      }
    }
    if (of.k !== "name" || this.variables.has(of.v)) return of;
    // Constants as Python writes them, where nothing has their name.
    if (of.v === "None") return { k: "null", span: of.span };
    return of.v === "True" || of.v === "False" ? { k: "bool", v: of.v === "True", span: of.span } : of;
  }
}

function isComparator(text: string): text is Comparator {
  return text === "==" || text === "!=" || text === "<" || text === "<=" || text === ">" || text === ">=";
}

/** How deeply calls, lists and maps are nested. */
function nestingOf(operand: Operand): number {
  const inner = operandsIn(operand);
  return inner === null ? 0 : 1 + inner.reduce((most, one) => Math.max(most, nestingOf(one)), 0);
}

function nullWhenAbsent(operand: Operand): Operand {
  if (operand.k === "name") return { k: "var", v: operand.v, span: operand.span };
  return operand.k === "path" ? { ...operand, text: null } : operand;
}

/** A call for many parts. Functions take two arguments; splitting into halves keeps the nesting shallow. */
function balanced(fn: "and" | "or", word: Slot, parts: readonly Operand[]): Operand {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return { k: "null", span: word.span };
  if (parts.length === 1) return first;
  const half = Math.ceil(parts.length / 2);
  const args = [balanced(fn, word, parts.slice(0, half)), balanced(fn, word, parts.slice(half))];
  return callOf(fn, word, args, spanOver(first.span, last.span));
}

function callOf(name: string, word: Slot, args: readonly Operand[], span: Span): Operand {
  return { k: "call", fn: { ...word, text: name }, args, infix: false, span };
}
