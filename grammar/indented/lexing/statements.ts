/**
 * The tokens of one statement: its first word, then either an expression or, for steps of the opcode form, the statement as a whole. Does
 * not know blocks or other graphs.
 */
import type { TokenType } from "chevrotain";
import type { Name, Slot, Step } from "../../ast.ts";
import type { Finding } from "../../diagnostic.ts";
import { isName, nameEnd, pathEnd, readPath } from "../../operands/tokens.ts";
import { findOp, type Op, stepBeforeArrow } from "../../ops.ts";
import { readCall, readStep } from "../../parser/opcode-parser.ts";
import type { Reporter } from "../../reporter.ts";
import { readDeclaration } from "../../steps/slot-lines.ts";
import { lexSlots, slotWordEnd } from "../../steps/slots.ts";
import { type Source, skipBlanks, spanOf, spanOnLine } from "../../text/source.ts";
import { type Span, spanOver } from "../../text/span.ts";
import { nameAt, placeAt, setStep, variable } from "../lower/steps.ts";
import type { InputPayload, StatementPayload, SurplusColon } from "../payloads.ts";
import type { Statement } from "../program.ts";
import { matchAsIf } from "../repair/match.ts";
import * as T from "../tokens.ts";
import { type Lexeme, lexeme } from "../tokens.ts";
import { asCall, computes, dottedReading, looseWord, resultAfter } from "./adapter-arguments.ts";
import { readCallLine } from "./call-line.ts";
import { ExpressionLexer, type LexingContext } from "./expression-lexer.ts";
import { type ForkLine, forkAt, readFork } from "./fork-line.ts";
import { type Signature, signatureParts } from "./header.ts";
import { readInputLine, reportNoComma, type WrittenInput } from "./input-line.ts";
import {
  adviceFor,
  assignmentAt,
  endsLine,
  isBareCall,
  isDotted,
  isIndexedCall,
  keywordAt,
  putAt,
} from "./line-words.ts";
import { reportCommas, StepLexer, statementOf } from "./steps-lexer.ts";

const RECORD = findOp("D") as Op;
/** Advice for `err:` with lines below it. */
const HANDLER = "write err and a message; what handles a failure is a graph of its own: Err ->handler";
export class StatementLexing {
  readonly inputs: WrittenInput[] = [];
  private readonly context: LexingContext;
  private readonly reporter: Reporter;
  private readonly source: Source;
  private readonly tokens: Lexeme[];
  /** How many findings there were before the statement. */
  private findingsBefore = 0;

  constructor(context: LexingContext, tokens: Lexeme[]) {
    this.context = context;
    this.reporter = context.reporter;
    this.source = context.reporter.source;
    this.tokens = tokens;
  }

  /** Reads the statement at `start` and returns its last line. */
  read(line: number, start: number): number {
    const { text } = this.source;
    const limit = this.limit(line);
    this.findingsBefore = this.reporter.findings.length;
    this.reporter.lexicalErrors = [];
    const equals = assignmentAt(text, start, limit);
    if (equals !== -1) return this.readAssignment(line, start, equals);
    const keyword = keywordAt(text, start, limit);
    const block = T.BLOCK_WORDS.get(keyword ?? "");
    if (keyword !== null && block !== undefined) {
      const word = this.slot(line, start, start + keyword.length);
      return this.readExpression(block, word, line, word.span, true);
    }
    const word = text.slice(start, slotWordEnd(text, start, limit));
    const op = findOp(word) ?? stepBeforeArrow(word);
    if (op?.kind === "step") return this.readStepLine(line, start);
    if (op?.kind === "declaration") return this.readDeclarationLine(line, start, op);
    if (keyword !== null) return this.readKeyword(line, this.slot(line, start, start + keyword.length), keyword);
    const put = putAt(text, start, limit);
    if (put !== null) return this.readPut(line, start, put);
    if (isBareCall(text, start, limit) || isIndexedCall(text, start, limit)) return this.readBare(line, start);
    if (isDotted(word) && !word.includes("(")) return this.readInvocation(line, start, null);
    return this.readUnknown(line, start, limit);
  }

  private limit(line: number): number {
    return this.source.ends[line] ?? this.source.text.length;
  }

  slot(line: number, start: number, end: number): Slot {
    return { span: spanOnLine(this.source, line, start, end), text: this.source.text.slice(start, end), quoted: false };
  }

  /** Adds a statement that was read as a whole, up to the line `last`, which it returns. */
  private add(
    type: TokenType,
    span: Span,
    last: number,
    statement: Statement | null,
    payload: unknown = null,
    colon: SurplusColon | null = null,
  ): number {
    const text = this.source.text.slice(span.start, this.source.ends[last]).trimEnd();
    const own: StatementPayload = {
      faulty: this.reporter.findings.length > this.findingsBefore,
      hasColon: text.endsWith(":"),
      opens: type === T.IdleLine && text.endsWith(":"),
      statement,
      head: span,
      colon,
    };
    this.tokens.push(lexeme(type, span, "", "", false, payload ?? own));
    return last;
  }

  /** Adds the first word of a statement and the tokens after it. */
  private readExpression(
    type: TokenType,
    word: Slot,
    line: number,
    head: Span,
    opensBlock: boolean,
    colon: SurplusColon | null = null,
  ): number {
    const from = colon === null ? head.end : colon.span.end;
    const lexer = new ExpressionLexer(this.context, line, from, opensBlock);
    const text = this.source.text.slice(word.span.start, this.source.ends[lexer.lastLine]).trimEnd();
    const payload: StatementPayload = {
      faulty: this.reporter.lexicalErrors.length > 0,
      hasColon: text.endsWith(":"),
      opens: lexer.tokens.length === 0 && text.endsWith(":"),
      statement: null,
      head,
      colon,
    };
    this.tokens.push(lexeme(type, word.span, word.text, word.text, false, payload));
    for (const token of lexer.tokens) this.tokens.push(token);
    return lexer.lastLine;
  }

  // ---- assignments and calls ----

  private readAssignment(line: number, start: number, equals: number): number {
    const { text } = this.source;
    const limit = this.limit(line);
    const word = this.slot(line, start, nameEnd(text, start));
    const name = nameAt(word.text, word);
    const from = skipBlanks(text, equals + 1, limit);
    const end = slotWordEnd(text, from, limit);
    const first = text.slice(from, end);
    const after = skipBlanks(text, end, limit);
    if (first === "call" && after > end && after < limit && isName(text.charAt(after))) {
      const fork = forkAt(text, after, limit);
      if (fork !== null) return this.readFork(line, fork, word, name);
      if (isBareCall(text, after, limit))
        return this.readExpression(T.Target, word, line, this.slot(line, from, end).span, false);
      return this.addCall(line, this.slot(line, from, end), { word, name });
    }
    if (first === "R" && isDotted(text.slice(after, slotWordEnd(text, after, limit))))
      return this.readAssignedStep(line, from, word);
    const reading = dottedReading(text, from, end, limit, this.context.isVariable);
    if (reading === "call") return this.readInvocation(line, from, word);
    if (reading === "alone") return this.readDotted(line, from, end, word);
    return this.readExpression(T.Target, word, line, spanOnLine(this.source, line, equals, equals + 1), false);
  }

  private addCall(line: number, word: Slot, assigned: { readonly word: Slot; readonly name: Name } | null): number {
    return this.add(T.ReadLine, (assigned?.word ?? word).span, line, readCallLine(this.reporter, word, assigned));
  }

  private readFork(line: number, fork: ForkLine, word: Slot, out: Name): number {
    const read = readFork(this.context, line, fork, { word, out });
    if ("statement" in read) return this.add(T.ReadLine, word.span, line, read.statement);
    for (const token of read.tokens) this.tokens.push(token);
    return line;
  }

  /** Keeps the reading as a path too, because the names of the whole file decide between the two. */
  private readDotted(line: number, start: number, end: number, word: Slot): number {
    const image = this.source.text.slice(start, end);
    const { root, segments } = readPath(image);
    const span = spanOnLine(this.source, line, start, end);
    const { lastLine } = new StepLexer(this.reporter, line, start, false, this.context.limits);
    const name = nameAt(word.text, word);
    const path = { k: "path", root, segments, text: image, span } as const;
    const statement = { s: "dotted", word, span: spanOver(word.span, span), faulty: false, name, path } as const;
    return this.add(T.ReadLine, word.span, lastLine, statement);
  }

  /** `word` is the name that takes the result; without one it goes to `_`. */
  private readInvocation(line: number, start: number, word: Slot | null): number {
    const target = this.slot(line, start, slotWordEnd(this.source.text, start, this.limit(line)));
    if (isDotted(target.text) && computes(this.source.text, target.span.end, this.context.isVariable))
      return this.readComputed(line, target, word);
    const lexer = new StepLexer(this.reporter, line, start, false, this.context.limits);
    const step = readCall(lexer, this.reporter, { ...target, text: "R" });
    reportCommas(lexer.tokens, this.reporter);
    const statement: Statement = { s: "steps", steps: [this.withResult(step, word, target)] };
    return this.add(T.ReadLine, (word ?? target).span, lexer.lastLine, statement);
  }

  /** `x = http.GET base + "/x"`: the operands are read as expressions. */
  private readComputed(line: number, callee: Slot, word: Slot | null): number {
    const last = this.readExpression(word === null ? T.Bare : T.Target, word ?? callee, line, callee.span, false);
    const at = this.tokens.findLastIndex(({ tokenType }) => tokenType === T.Bare || tokenType === T.Target);
    const operands = this.tokens.splice(at + 1);
    const name = lexeme(T.Path, callee.span, callee.text, callee.text, false);
    const loose = looseWord(operands);
    if (loose !== null) {
      const suggestion = `write the operands in brackets: ${callee.text}(…)`;
      this.reporter.refuse(loose.span, loose.image, suggestion);
    }
    const result = word === null ? resultAfter(operands) : null;
    const call = asCall(name, result === null ? operands : operands.slice(0, -2));
    if (result !== null) {
      const { span, image } = result;
      this.tokens[at] = lexeme(T.Target, span, image, image, false, this.tokens[at]?.payload);
    }
    for (const token of call) this.tokens.push(token);
    return last;
  }

  /** `x = R http.GET u`: reports the R, which does not belong there. */
  private readAssignedStep(line: number, start: number, word: Slot): number {
    const lexer = new StepLexer(this.reporter, line, start, false, this.context.limits);
    const span = spanOnLine(this.source, line, start, start + 1);
    const gap = skipBlanks(this.source.text, start + 1, this.limit(line));
    const edits = [{ span: spanOnLine(this.source, line, start, gap), new_text: "" }];
    const suggestion = "leave R out";
    this.reporter.refuse(span, "R", suggestion, { title: suggestion, edits });
    const step = this.withResult(readStep(lexer, this.reporter), word, word);
    return this.add(T.ReadLine, word.span, lexer.lastLine, { s: "steps", steps: [{ ...step, faulty: true }] });
  }

  private withResult(step: Step, word: Slot | null, target: Slot): Step {
    const out = nameAt(word?.text ?? "_", word ?? target);
    const span = word === null ? step.span : spanOver(word.span, step.span);
    if (step.op !== "R") return { ...step, span, writes: [...step.writes, out.name] };
    if (step.out !== null && word !== null) {
      const related = [{ message: "first result name", span: word.span }];
      this.reporter.report({ code: "WF2015", span: step.out.span, related });
    }
    if (step.out !== null && word === null) return step;
    return { ...step, span, out, writes: [out.name] };
  }

  /** `rows[0] = v`, `n += v`. */
  private readPut(line: number, start: number, put: { readonly start: number; readonly end: number }): number {
    const target = new ExpressionLexer(this.context, line, start, false, put.start);
    const end = nameEnd(this.source.text, start);
    const last = this.readExpression(
      T.Put,
      this.slot(line, start, end),
      line,
      spanOnLine(this.source, line, put.start, put.end),
      false,
    );
    const sign = this.slot(line, put.start, put.end);
    const at = this.tokens.findLastIndex(({ tokenType }) => tokenType === T.Put);
    this.tokens.splice(at + 1, 0, ...target.tokens, lexeme(T.Assign, sign.span, sign.text, sign.text, false));
    return last;
  }

  /** `helper(a, b)`; `from` is where the call begins, which may be after the word `call`. */
  private readBare(line: number, start: number, from: number = start): number {
    const end = pathEnd(this.source.text, from, this.limit(line));
    const head =
      from === start ? spanOnLine(this.source, line, start, start) : spanOnLine(this.source, line, start, from);
    return this.readExpression(T.Bare, this.slot(line, start, end), line, head, false);
  }

  /** Reads the inputs in the brackets of a header. */
  readParameters(line: number, { open, close }: Signature): void {
    const { text } = this.source;
    for (const { start, end, fallback } of signatureParts(text, open + 1, close)) {
      const [input, surplus] = readInputLine(this.reporter, line, start, fallback === -1 ? end : fallback - 1);
      if (input === undefined) continue;
      if (surplus !== undefined) reportNoComma(surplus, this.reporter);
      this.inputs.push(input);
      this.tokens.push(lexeme(T.Parameter, input.name.span, input.name.name, "", false, input));
      if (fallback === -1) continue;
      const { tokens } = new ExpressionLexer(this.context, line, fallback, false, end);
      for (const token of tokens) this.tokens.push(token);
    }
  }

  private readKeyword(line: number, word: Slot, keyword: string): number {
    switch (keyword) {
      case "in":
        return this.readInputs(line, word);
      case "config":
      case "state":
        return this.readFields(line, word, keyword);
      case "call": {
        const from = skipBlanks(this.source.text, word.span.end, this.limit(line));
        if (isBareCall(this.source.text, from, this.limit(line))) return this.readBare(line, word.span.start, from);
        const fork = forkAt(this.source.text, from, this.limit(line));
        if (fork !== null) return this.readFork(line, fork, word, nameAt("_call_result", word));
        return this.addCall(line, word, null);
      }
      default:
        return this.readValue(line, word, T.LINE_WORDS.get(keyword) ?? T.Out);
    }
  }

  private readInputs(line: number, word: Slot): number {
    const { span } = word;
    const hasColon = this.source.text.charAt(span.end) === ":";
    const after = { ...span, start: span.end, column: span.end_column };
    const fix = { title: "add the colon", edits: [{ span: after, new_text: ":" }] };
    if (!hasColon) this.reporter.report({ code: "WF1107", span, suggestion: "write in: and the inputs", fix });
    const read = readInputLine(this.reporter, line, span.end + (hasColon ? 1 : 0));
    for (const input of read) this.inputs.push(input);
    const steps = read.map(({ name }) => {
      const slot: Slot = { span: name.span, text: name.name, quoted: false };
      return setStep(placeAt(slot), name, variable(name.name, slot));
    });
    const statement: Statement | null = steps.length === 0 ? null : { s: "steps", steps };
    const payload: InputPayload = { names: read.map(({ name }) => name), statement };
    return this.add(T.InputLine, span, line, null, payload);
  }

  /** Reads `out` and `err`. A colon after them does not belong there. */
  private readValue(line: number, word: Slot, type: TokenType): number {
    const { span, text } = word;
    const { end } = span;
    if (this.source.text.charAt(end) !== ":") return this.readExpression(type, word, line, span, false);
    const isAlone = endsLine(this.source.text, end + 1, this.limit(line));
    const isWhole = text !== "err" || !isAlone;
    const place = spanOnLine(this.source, line, end, end + 1);
    const fix = isWhole ? { title: `write ${text}`, edits: [{ span: place, new_text: "" }] } : null;
    const colon: SurplusColon = { span: place, suggestion: isWhole ? "leave it out" : HANDLER, fix };
    if (isWhole) return this.readExpression(type, word, line, span, false, colon);
    // Keeps the comment of the line.
    lexSlots(this.reporter, line, end + 1);
    return this.add(T.IdleLine, span, line, null, null, colon);
  }

  /** `config a:T` adds fields to the record type `Config`, `state` to `State`. */
  private readFields(line: number, word: Slot, keyword: "config" | "state"): number {
    const slots = lexSlots(this.reporter, line, word.span.end);
    if (slots.length === 0) {
      const words = { op: keyword, slots: "a field", signature: `${keyword} name:type` };
      this.reporter.report({ code: "WF2004", span: word.span, words, expected: ["field"] });
      return this.add(T.ReadLine, word.span, line, null);
    }
    const type = { ...word, text: keyword === "config" ? "Config" : "State" };
    const declaration = readDeclaration(RECORD, { ...word, text: "D" }, [type, ...slots], this.reporter);
    return this.add(T.DeclarationLine, word.span, line, null, declaration);
  }

  // ---- lines of the opcode form ----

  private readStepLine(line: number, start: number): number {
    const lexer = new StepLexer(this.reporter, line, start, false, this.context.limits);
    const step = readStep(lexer, this.reporter);
    return this.add(T.ReadLine, step.word.span, lexer.lastLine, statementOf(step));
  }

  private readDeclarationLine(line: number, start: number, op: Op): number {
    const [word, ...slots] = lexSlots(this.reporter, line, start);
    if (word === undefined) return line;
    const declaration = readDeclaration(op, word, slots, this.reporter);
    return this.add(T.DeclarationLine, word.span, line, null, declaration);
  }

  private readUnknown(line: number, start: number, limit: number): number {
    const { text } = this.source;
    const slots = lexSlots(this.reporter, line, start);
    const end = slotWordEnd(text, start, limit);
    const span: Span = slots[0]?.span ?? spanOnLine(this.source, line, start, Math.max(end, start + 1));
    const last = slots.at(-1)?.span.end ?? limit;
    const word = text.slice(span.start, Math.min(span.end, span.start + 100));
    const advice = (word === "match" ? this.asConditions(start) : null) ?? adviceFor(text, start, last, span);
    this.reporter.report({ code: "WF1106", span, words: { word }, ...advice });
    return this.add(T.IdleLine, spanOnLine(this.source, line, start, end), line, null);
  }

  private asConditions(start: number): Pick<Finding, "suggestion" | "fix" | "covers"> | null {
    const found = matchAsIf(this.source.text, start);
    if (found === null) return null;
    const span = spanOf(this.source, start, found.end);
    const title = "write if, elif and else";
    return { suggestion: title, fix: { title, edits: [{ span, new_text: found.written }] }, covers: span };
  }
}
