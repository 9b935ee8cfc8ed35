/**
 * The statements of one line: assignments, adapter calls, `in:`, `out`, `err`, `call`, `config`, `state`, and
 * steps of the opcode form, which are read by the very rules of that form. Knows nothing of blocks and of other graphs.
 */
import type { DeclarationLine, Operand, Slot, Step } from "../ast.ts";
import { findOp, type Op, stepBeforeArrow } from "../ops.ts";
import { readCall, readStep } from "../parser.ts";
import type { Reporter } from "../reporter.ts";
import { readDeclaration } from "../slot-lines.ts";
import { type LexerLimits, lexSlots, slotWordEnd } from "../slots.ts";
import { isBlank, type Source, skipBlanks, spanOnLine } from "../source.ts";
import { type Span, spanOver } from "../span.ts";
import { isName, nameEnd, pathEnd, readPath, type Token } from "../tokens.ts";
import { readCallLine } from "./call-line.ts";
import { type ExpressionReading, ExpressionRules } from "./expressions.ts";
import { readInputLine, type WrittenInput } from "./input-line.ts";
import type { JoinedWords } from "./joined-words.ts";
import { StepLexer, ValueLexer } from "./lexers.ts";
import type { Statement } from "./program.ts";
import { failStep, nameAt, placeAt, setStep, variable } from "./steps.ts";
import { asValue, nestingOf } from "./values.ts";
import { adviceFor, assignmentAt, endsLine, isDotted, type Keyword } from "./words.ts";

/** What one statement gave, and its last line. */
export type LineReading = { readonly statement: Statement | null; readonly last: number };

const RECORD = findOp("D") as Op;
/** What was meant by `err:` with lines below it. */
const HANDLER = "write err and a message; what handles a failure is a graph of its own: Err ->handler";
const TERMINAL: ReadonlySet<string> = new Set(["If", "Loop", "While"]);

export class StatementLines {
  readonly declarations: DeclarationLine[] = [];
  readonly inputs: WrittenInput[] = [];
  private readonly reporter: Reporter;
  private readonly source: Source;
  private readonly limits: LexerLimits;
  private readonly joined: JoinedWords;

  constructor(reporter: Reporter, limits: LexerLimits, joined: JoinedWords) {
    this.reporter = reporter;
    this.joined = joined;
    this.source = reporter.source;
    this.limits = limits;
  }

  /** Reads the statement at `start`, unless it is one of `keyword` that opens a block. */
  read(line: number, start: number, keyword: Keyword | null): LineReading {
    const { text } = this.source;
    const limit = this.source.ends[line] ?? text.length;
    const equals = assignmentAt(text, start, limit);
    if (equals !== -1) return this.readAssignment(line, start, equals);
    const word = text.slice(start, slotWordEnd(text, start, limit));
    const op = findOp(word) ?? stepBeforeArrow(word);
    if (op?.kind === "step") return this.readStepLine(line, start);
    if (op?.kind === "declaration") return this.readDeclarationLine(line, start, op);
    if (keyword !== null) return this.readKeyword(line, this.slot(line, start, start + keyword.length), keyword);
    if (isDotted(word) && !word.includes("(") && !this.assignsMember(start + word.length, limit)) {
      return this.readInvocation(line, start, null);
    }
    return this.readUnknown(line, start, limit);
  }

  /** `a.b = 1`. */
  private assignsMember(from: number, limit: number): boolean {
    const at = skipBlanks(this.source.text, from, limit);
    return at < limit && this.source.text.charAt(at) === "=" && this.source.text.charAt(at + 1) !== "=";
  }

  private slot(line: number, start: number, end: number): Slot {
    return { span: spanOnLine(this.source, line, start, end), text: this.source.text.slice(start, end), quoted: false };
  }

  private readKeyword(line: number, word: Slot, keyword: Keyword): LineReading {
    switch (keyword) {
      case "in":
        return this.readInputs(line, word);
      case "out":
        return this.readOut(line, word);
      case "err":
        return this.readErr(line, word);
      case "config":
      case "state":
        return this.readFields(line, word, keyword);
      case "call": {
        const statement = readCallLine(this.reporter, word, null);
        return { statement, last: line };
      }
      default:
        throw new Error(`${keyword} opens a block`);
    }
  }

  // ---- assignments and calls ----

  private readAssignment(line: number, start: number, equals: number): LineReading {
    const { text } = this.source;
    const limit = this.source.ends[line] ?? text.length;
    const word = this.slot(line, start, nameEnd(text, start));
    const name = nameAt(word.text, word);
    const from = skipBlanks(text, equals + 1, limit);
    const end = slotWordEnd(text, from, limit);
    const first = text.slice(from, end);
    const behind = skipBlanks(text, end, limit);
    if (first === "call" && behind > end && behind < limit && isName(text.charAt(behind))) {
      return { statement: readCallLine(this.reporter, this.slot(line, from, end), { word, name }), last: line };
    }
    if (first === "R" && isBlank(text.charCodeAt(end))) return this.readAssignedStep(line, from, word);
    const reading = this.dottedReading(from, end, limit);
    if (reading === "call") this.joined.seeTarget(first, spanOnLine(this.source, line, from, end));
    if (reading === "call") return this.readInvocation(line, from, word);
    if (reading === "alone") return this.readDotted(line, from, end, word);
    const lexer = this.valueAt(line, equals + 1);
    const rules = new ExpressionRules(lexer, this.reporter, spanOnLine(this.source, line, equals, equals + 1));
    const value = rules.readAssigned();
    const place = { word, span: spanOver(word.span, value.end), faulty: value.faulty };
    return {
      statement: { s: "steps", steps: [setStep(place, name, this.value(value, word))] },
      last: lexer.lastLine,
    };
  }

  /** 18.3: what a right side that begins with a dotted word is. */
  private dottedReading(start: number, end: number, limit: number): "call" | "alone" | "expression" {
    const { text } = this.source;
    const word = text.slice(start, end);
    if (!isDotted(word)) return "expression";
    const path = pathEnd(text, start, limit);
    if (path !== end && "[(=!<>?,".includes(text.charAt(path))) return "expression";
    const behind = skipBlanks(text, end, limit);
    if (behind >= limit || text.charAt(behind) === "#") return path === end ? "alone" : "call";
    const operator = /^(?:and|or|[=!<>]=?|[-+*/%]|&&|\|\|)$/.test(text.slice(behind, slotWordEnd(text, behind, limit)));
    return operator ? "expression" : "call";
  }

  /** Also the reading as a path is kept: which of them is meant depends on the names of the whole file. */
  private readDotted(line: number, start: number, end: number, word: Slot): LineReading {
    const image = this.source.text.slice(start, end);
    const { root, segments } = readPath(image);
    const span = spanOnLine(this.source, line, start, end);
    const lexer = new StepLexer(this.reporter, line, start, false, this.limits);
    const name = nameAt(word.text, word);
    const path = { k: "path", root, segments, text: image, span } as const;
    const statement = { s: "dotted", word, span: spanOver(word.span, span), faulty: false, name, path } as const;
    return { statement, last: lexer.lastLine };
  }

  /** `word` is the name that takes the result; without one it goes to `_`. */
  private readInvocation(line: number, start: number, word: Slot | null): LineReading {
    const { text } = this.source;
    const target = this.slot(line, start, slotWordEnd(text, start, this.source.ends[line] ?? text.length));
    const lexer = new StepLexer(this.reporter, line, start, false, this.limits);
    const step = readCall(lexer, this.reporter, { ...target, text: "R" });
    reportCommas(lexer.tokens, this.reporter);
    return { statement: { s: "steps", steps: [this.withResult(step, word, target)] }, last: lexer.lastLine };
  }

  /** `x = R http.GET u`: the R is one too many. */
  private readAssignedStep(line: number, start: number, word: Slot): LineReading {
    const { text } = this.source;
    const next = skipBlanks(text, start + 1, this.source.ends[line] ?? text.length);
    const span = spanOnLine(this.source, line, start, start + 1);
    const edits = [{ span: { ...span, end: next, end_column: span.column + next - start }, new_text: "" }];
    const fix = { title: "leave R out", edits };
    this.reporter.report({ code: "WF1009", span, words: { token: "'R'" }, suggestion: "leave R out", fix });
    const lexer = new StepLexer(this.reporter, line, start, false, this.limits);
    const step = this.withResult(readStep(lexer, this.reporter), word, word);
    return { statement: { s: "steps", steps: [{ ...step, faulty: true }] }, last: lexer.lastLine };
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

  // ---- keywords ----

  private readInputs(line: number, word: Slot): LineReading {
    const { text } = this.source;
    const hasColon = text.charAt(word.span.end) === ":";
    const { span } = word;
    const after = { ...span, start: span.end, column: span.end_column };
    const fix = { title: "add the colon", edits: [{ span: after, new_text: ":" }] };
    if (!hasColon) this.reporter.report({ code: "WF1107", span, suggestion: "write in: and the inputs", fix });
    const read = readInputLine(this.reporter, line, span.end + (hasColon ? 1 : 0));
    for (const input of read) this.inputs.push(input);
    const steps = read.map(({ name }) => {
      const slot: Slot = { span: name.span, text: name.name, quoted: false };
      return setStep(placeAt(slot), name, variable(name.name, slot));
    });
    return { statement: steps.length === 0 ? null : { s: "steps", steps }, last: line };
  }

  /** Where the value behind `out` or `err` begins. A colon there is one too many. */
  private valueStart({ span, text }: Slot): number {
    const { end } = span;
    if (this.source.text.charAt(end) !== ":") return end;
    const colon = { ...span, start: end, column: span.end_column, end: end + 1, end_column: span.end_column + 1 };
    // Of a line in the wrong place that is told, and of one thing at a time.
    const told = this.reporter.findings.at(-1);
    if (told?.code === "WF1101" && told.span?.line === span.line) return end + 1;
    const isWhole = text === "out" || !endsLine(this.source.text, end + 1, this.source.ends[span.line - 1] ?? end + 1);
    const fix = isWhole ? { title: `write ${text}`, edits: [{ span: colon, new_text: "" }] } : null;
    const suggestion = isWhole ? "leave it out" : HANDLER;
    this.reporter.report({ code: "WF1009", span: colon, words: { token: "':'" }, suggestion, fix });
    return end + 1;
  }

  private readOut(line: number, word: Slot): LineReading {
    const lexer = this.valueAt(line, this.valueStart(word));
    if (lexer.tokens.length === 0) {
      const value: Operand = { k: "str", v: "done", span: word.span };
      return { statement: { s: "out", ...placeAt(word), value, step: null }, last: line };
    }
    const reading = new ExpressionRules(lexer, this.reporter, word.span).read("a value");
    const place = { word, span: spanOver(word.span, reading.end), faulty: reading.faulty };
    const statement = { s: "out", ...place, value: this.value(reading, word), step: null } as const;
    return { statement, last: lexer.lastLine };
  }

  private readErr(line: number, word: Slot): LineReading {
    const from = this.valueStart(word);
    const lexer = this.valueAt(line, from);
    if (from > word.span.end && lexer.tokens.length === 0) return { statement: null, last: line };
    const reading = new ExpressionRules(lexer, this.reporter, word.span).read("a message");
    const place = { word, span: spanOver(word.span, reading.end), faulty: reading.faulty };
    return { statement: { s: "steps", steps: [failStep(place, this.value(reading, word))] }, last: lexer.lastLine };
  }

  /** `config a:T` adds fields to the record type `Config`, `state` to `State`. */
  private readFields(line: number, word: Slot, keyword: "config" | "state"): LineReading {
    const slots = lexSlots(this.reporter, line, word.span.end);
    if (slots.length === 0) {
      const words = { op: keyword, slots: "a field", signature: `${keyword} name:type` };
      this.reporter.report({ code: "WF2004", span: word.span, words, expected: ["field"] });
      return { statement: null, last: line };
    }
    const type = { ...word, text: keyword === "config" ? "Config" : "State" };
    this.declarations.push(readDeclaration(RECORD, { ...word, text: "D" }, [type, ...slots], this.reporter));
    return { statement: null, last: line };
  }

  private valueAt(line: number, from: number): ValueLexer {
    const lexer = new ValueLexer(this.reporter, line, from, false, this.limits);
    this.joined.see(lexer.tokens);
    return lexer;
  }

  private value({ expression }: ExpressionReading, word: Slot): Operand {
    if (expression === null) return { k: "null", span: word.span };
    const value = asValue(expression);
    const { nesting } = this.limits;
    if (nestingOf(value) > nesting) {
      this.reporter.report({ code: "WF1012", span: expression.span, words: { limit: String(nesting) } });
    }
    return value;
  }

  // ---- lines of the opcode form ----

  private readStepLine(line: number, start: number): LineReading {
    const lexer = new StepLexer(this.reporter, line, start, false, this.limits);
    const step = readStep(lexer, this.reporter);
    return { statement: statementOf(step), last: lexer.lastLine };
  }

  readDeclarationLine(line: number, start: number, op: Op): LineReading {
    const [word, ...slots] = lexSlots(this.reporter, line, start);
    if (word !== undefined) this.declarations.push(readDeclaration(op, word, slots, this.reporter));
    return { statement: null, last: line };
  }

  private readUnknown(line: number, start: number, limit: number): LineReading {
    const { text } = this.source;
    const slots = lexSlots(this.reporter, line, start);
    const end = slotWordEnd(text, start, limit);
    const span: Span = slots[0]?.span ?? spanOnLine(this.source, line, start, Math.max(end, start + 1));
    const last = slots[slots.length - 1]?.span.end ?? limit;
    const { suggestion, fix } = adviceFor(text, start, last, span);
    const word = text.slice(span.start, Math.min(span.end, span.start + 100));
    this.reporter.report({ code: "WF1106", span, words: { word }, suggestion, fix });
    return { statement: null, last: line };
  }
}

/** `http.GET url, 5`: outside of lists a comma is part of its word. */
function reportCommas(tokens: readonly Token[], reporter: Reporter): void {
  const edits = tokens.flatMap(({ type, image, span }) =>
    type === "Word" && image.length > 1 && image.endsWith(",")
      ? [{ span: { ...span, start: span.end - 1, column: span.end_column - 1 }, new_text: "" }]
      : [],
  );
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return;
  const fix = { title: "leave the commas out", edits };
  const suggestion = "blanks stand between operands";
  const covers = spanOver(first.span, last.span);
  reporter.report({ code: "WF1009", span: first.span, words: { token: "','" }, suggestion, fix, covers });
}

function statementOf(step: Step): Statement {
  if (step.op === "Err" || step.op === "Retry") return { s: "guard", step };
  if (TERMINAL.has(step.op)) return { s: "end", step };
  if (step.op !== "J") return { s: "steps", steps: [step] };
  const { word, span, faulty } = step;
  const value = step.value ?? variable("data", word);
  return { s: "out", word, span, faulty, value, step };
}
