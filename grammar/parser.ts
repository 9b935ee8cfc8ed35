/**
 * The grammar of operand mode (language reference 4): steps, conditions, operands, literals, nested calls. One chevrotain
 * parser, made once and used for every statement; the same rules read a step on its own line and steps on a label line.
 * No rule ever fails: what does not fit is reported and left out. Which piece fills which slot is decided by `draft.ts`
 * and `steps.ts`; the parser knows lines and files only through the reporter.
 */
import { EmbeddedActionsParser, type IToken, type TokenType } from "chevrotain";
import type { Comparator, Condition, MapEntry, Operand, Slot, Step } from "./ast.ts";
import type { Fix } from "./diagnostic.ts";
import {
  addCondition,
  addPiece,
  type Draft,
  isFilled,
  type Piece,
  startDraft,
  wantsCondition,
  wantsItem,
} from "./draft.ts";
import { atomOf, checkAtom, unexpected } from "./operands.ts";
import { findOp, type Op } from "./ops.ts";
import type { Reporter } from "./reporter.ts";
import { type Span, spanAfter, spanOver } from "./span.ts";
import { assembleStep } from "./steps.ts";
import * as T from "./tokens.ts";
import type { Token } from "./tokens.ts";

/** Words between inline steps that belong to none. */
export type Junk = { readonly junk: true; readonly first: Token; readonly slots: readonly Slot[]; readonly span: Span };
export type InlineItem = Step | Junk;

const NOWHERE: Span = { file: null, line: 0, column: 0, end_line: 0, end_column: 0, start: 0, end: 0 };
const NOTHING: Operand = { k: "null", span: NOWHERE };
const NO_CONDITION: Condition = { c: "truthy", of: NOTHING, span: NOWHERE };
const NO_OP = findOp("J") as Op;

const ATOMS: readonly TokenType[] = [
  T.Text,
  T.NumberWord,
  T.Constant,
  T.Variable,
  T.Path,
  T.NameWord,
  T.OpWord,
  T.Word,
];
const OPERAND_STARTS: ReadonlySet<TokenType> = new Set([...ATOMS, T.OpenParen, T.OpenList, T.OpenMap]);

function asToken(token: IToken): Token {
  return token as Token;
}

class OperandParser extends EmbeddedActionsParser {
  private reporter: Reporter | null = null;
  private inline = false;
  private draft: Draft = startDraft(NO_OP, { span: NOWHERE, text: "", quoted: false });
  /** Structures and conditions around the current token: operands inside are checked where they stand. */
  private depth = 0;
  /** Brackets that begin a condition may hold `a = b`. */
  private allowTextEquality = false;
  private nextLexicalError = 0;

  constructor() {
    super(T.TOKEN_TYPES, { maxLookahead: 1, recoveryEnabled: false, skipValidations: true, nodeLocationTracking: "none" });
    this.performSelfAnalysis();
  }

  /** Points the parser at the tokens of a statement. */
  begin(tokens: Token[], reporter: Reporter, inline: boolean): void {
    this.input = tokens;
    this.reporter = reporter;
    this.inline = inline;
    this.depth = 0;
    this.allowTextEquality = false;
    this.nextLexicalError = 0;
  }

  private next(): Token | null {
    const token = this.LA(1);
    return token.tokenType === undefined || Number.isNaN(token.startOffset) ? null : asToken(token);
  }

  private look(distance: number): TokenType {
    return this.LA(distance).tokenType;
  }

  private report(code: string, span: Span, words: Record<string, string>, fix?: Fix | null, suggestion?: string): void {
    this.draft.faulty = true;
    this.reporter?.report({
      code,
      span,
      words,
      ...(fix === undefined ? {} : { fix }),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  private reportUnexpected(token: Token, suggestion?: string): void {
    this.draft.faulty = true;
    if (this.reporter !== null) unexpected(this.reporter, token.span, token.image, suggestion);
  }

  // ---- steps ----

  readonly step = this.RULE("step", (): Step | null => {
    const word = asToken(this.CONSUME(T.OpWord));
    this.ACTION(() => {
      this.draft = startDraft(findOp(word.image) ?? NO_OP, { span: word.span, text: word.image, quoted: false });
      this.depth = 0;
    });
    this.MANY({
      GATE: () => !this.endsStep(),
      DEF: () => this.SUBRULE(this.piece),
    });
    return this.ACTION(() => this.finishStep());
  });

  /** In inline steps a bare op word ends a step whose required slots are filled. */
  private endsStep(): boolean {
    return this.inline && this.look(1) === T.OpWord && isFilled(this.draft);
  }

  private finishStep(): Step | null {
    if (this.reporter === null) return null;
    const { draft, reporter } = this;
    const boundary = this.next()?.span.start ?? Number.POSITIVE_INFINITY;
    const errors = reporter.lexicalErrors;
    while ((errors[this.nextLexicalError] ?? Number.POSITIVE_INFINITY) < boundary) {
      if ((errors[this.nextLexicalError] ?? 0) >= draft.word.span.start) draft.faulty = true;
      this.nextLexicalError++;
    }
    return assembleStep(draft, reporter);
  }

  private readonly piece = this.RULE("piece", () => {
    this.OR([
      {
        GATE: () => wantsCondition(this.draft) && this.startsCondition(),
        ALT: () => {
          const condition = this.SUBRULE(this.condition);
          this.ACTION(() => addCondition(this.draft, condition));
        },
      },
      { ALT: () => this.SUBRULE(this.arrowPiece) },
      {
        ALT: () => {
          const first = this.LA(1);
          const operand = this.SUBRULE(this.operand);
          this.ACTION(() => this.takePiece(null, operand, asToken(first)));
        },
      },
      { ALT: () => this.takeMark(this.CONSUME(T.Compare)) },
      { ALT: () => this.takeMark(this.CONSUME(T.Bang)) },
      { ALT: () => this.takeMark(this.CONSUME(T.Question)) },
    ]);
  });

  private startsCondition(): boolean {
    const type = this.look(1);
    return type === T.Bang || OPERAND_STARTS.has(type);
  }

  private readonly arrowPiece = this.RULE("arrowPiece", () => {
    const arrow = asToken(this.CONSUME(T.Arrow));
    let first: Token | null = null;
    let operand: Operand | null = null;
    this.OPTION({
      GATE: () => this.arrowTakesWord(),
      DEF: () => {
        first = asToken(this.LA(1));
        operand = this.SUBRULE(this.operand);
      },
    });
    this.ACTION(() => this.takePiece(arrow, operand, first));
  });

  /** An arrow takes the word behind it; a structure never, and on a label line no op word that starts a step. */
  private arrowTakesWord(): boolean {
    const type = this.look(1);
    if (type === T.OpenParen || type === T.OpenList || type === T.OpenMap) return false;
    return type !== T.OpWord || !this.inline || asToken(this.LA(1)).glued || !isFilled(this.draft);
  }

  private takePiece(arrow: Token | null, operand: Operand | null, first: Token | null): void {
    const type = first?.tokenType;
    const atom = type !== undefined && ATOMS.includes(type);
    if (this.draft.op.name === "Loop" && arrow === null && this.isLoopAs(first)) {
      this.draft.end = first?.span ?? this.draft.end;
      return;
    }
    const span = operand?.span ?? arrow?.span ?? NOWHERE;
    const slot: Slot =
      atom && first !== null
        ? { span: first.span, text: first.value, quoted: type === T.Text }
        : { span, text: this.reporter?.source.text.slice(span.start, span.end) ?? "", quoted: false };
    addPiece(this.draft, {
      arrow: arrow?.span ?? null,
      operand,
      mark: null,
      atom,
      name: type === T.NameWord || type === T.OpWord,
      slot,
      span: arrow === null ? span : spanOver(arrow.span, span),
    });
  }

  private isLoopAs(first: Token | null): boolean {
    return first?.image === "as" && wantsItem(this.draft) && this.look(1) !== T.Arrow;
  }

  private takeMark(token: IToken): void {
    if (this.RECORDING_PHASE) return;
    const { span, image } = asToken(token);
    const piece: Piece = {
      arrow: null,
      operand: null,
      mark: image,
      atom: true,
      name: false,
      slot: { span, text: image, quoted: false },
      span,
    };
    addPiece(this.draft, piece);
  }

  // ---- steps on a label line ----

  readonly inlineSteps = this.RULE("inlineSteps", (): InlineItem[] => {
    const items: InlineItem[] = [];
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            const step = this.SUBRULE(this.step);
            if (step !== null) items.push(step);
          },
        },
        {
          ALT: () => {
            const junk = this.SUBRULE(this.junk);
            if (junk !== null) items.push(junk);
          },
        },
      ]);
    });
    return items;
  });

  private readonly junk = this.RULE("junk", (): Junk | null => {
    const first = asToken(this.LA(1));
    const slots: Slot[] = [];
    this.ACTION(() => {
      this.draft = startDraft(NO_OP, { span: first.span, text: "", quoted: false });
      this.depth = 0;
    });
    this.AT_LEAST_ONE({
      GATE: () => this.look(1) !== T.OpWord,
      DEF: () => this.SUBRULE(this.junkPiece, { ARGS: [slots] }),
    });
    return this.ACTION(() => {
      const last = slots[slots.length - 1];
      return last === undefined ? null : { junk: true, first, slots, span: spanOver(first.span, last.span) };
    });
  });

  private readonly junkPiece = this.RULE("junkPiece", (slots: Slot[]) => {
    const token = this.OR([
      { ALT: () => this.CONSUME(T.Arrow) },
      { ALT: () => this.CONSUME(T.Compare) },
      { ALT: () => this.CONSUME(T.Bang) },
      { ALT: () => this.CONSUME(T.Question) },
      {
        ALT: () => {
          const first = this.LA(1);
          const { span } = this.SUBRULE(this.operand);
          return this.ACTION(() => ({ ...asToken(first), span }));
        },
      },
    ]);
    this.ACTION(() => {
      const { span, value, tokenType } = asToken(token);
      slots.push({ span, text: value, quoted: tokenType === T.Text });
    });
  });

  // ---- conditions ----

  private readonly condition = this.RULE("condition", (): Condition => {
    let negations = 0;
    let condition: Condition = NO_CONDITION;
    const first = asToken(this.LA(1));
    this.depth++;
    this.OR([
      {
        GATE: () => this.isNegation(),
        ALT: () => {
          this.AT_LEAST_ONE({
            GATE: () => this.isNegation(),
            DEF: () => {
              this.OR1([{ ALT: () => this.CONSUME(T.Bang) }, { ALT: () => this.CONSUME(T.NameWord) }]);
              negations++;
            },
          });
          this.OPTION(() => {
            condition = this.SUBRULE(this.comparison);
          });
        },
      },
      {
        ALT: () => {
          condition = this.SUBRULE1(this.comparison);
        },
      },
    ]);
    this.depth--;
    return this.ACTION(() => this.negate(condition, negations, first));
  });

  /** `!`, or the word `not` with something behind that a condition can begin with. */
  private isNegation(): boolean {
    const type = this.look(1);
    if (type === T.Bang) return true;
    if (type !== T.NameWord || this.LA(1).image !== "not") return false;
    const behind = this.look(2);
    return behind === T.Bang || OPERAND_STARTS.has(behind);
  }

  private negate(condition: Condition, negations: number, first: Token): Condition {
    if (condition === NO_CONDITION) {
      this.reportUnexpected(first);
      return { c: "truthy", of: { k: "null", span: first.span }, span: first.span };
    }
    if (negations === 0) return condition;
    const span = spanOver(first.span, condition.span);
    const once: Condition = { c: "not", of: condition, span };
    return negations % 2 === 1 ? once : { c: "not", of: once, span };
  }

  private readonly comparison = this.RULE("comparison", (): Condition => {
    const bracketed = this.look(1) === T.OpenParen;
    this.allowTextEquality = bracketed;
    let condition: Condition = NO_CONDITION;
    const left = this.SUBRULE(this.operand);
    this.OR([
      {
        ALT: () => {
          const mark = asToken(this.CONSUME(T.Question));
          this.ACTION(() => {
            condition = { c: "present", of: left, span: spanOver(left.span, mark.span) };
          });
        },
      },
      {
        ALT: () => {
          const compare = asToken(this.CONSUME(T.Compare));
          let right: Operand | null = null;
          this.OPTION({
            GATE: () => compare.value !== "",
            DEF: () => {
              right = this.SUBRULE2(this.operand);
            },
          });
          condition = this.ACTION(() => this.compare(left, compare, right));
        },
      },
      {
        ALT: () => {
          condition = this.ACTION(() => this.plainCondition(left));
        },
      },
    ]);
    return condition;
  });

  private compare(left: Operand, compare: Token, right: Operand | null): Condition {
    const span = spanOver(left.span, right?.span ?? compare.span);
    if (compare.image === "=") {
      this.checkTextEquality(left, compare.span, right);
      const empty: Operand = { k: "str", v: "", span: spanAfter(compare.span) };
      return { c: "text_eq", left, right: right ?? empty, op_span: compare.span, span };
    }
    if (right === null) {
      this.reportUnexpected(compare);
      return { c: "truthy", of: left, span };
    }
    return { c: "cmp", op: compare.image as Comparator, left, right, span };
  }

  /** A bracketed comparison is the comparison itself. */
  private plainCondition(left: Operand): Condition {
    const [a, b] = left.k === "call" && left.infix ? left.args : [];
    if (left.k !== "call" || a === undefined || b === undefined) return { c: "truthy", of: left, span: left.span };
    if (left.fn.text !== "=") return { c: "cmp", op: left.fn.text as Comparator, left: a, right: b, span: left.span };
    this.checkTextEquality(a, left.fn.span, b);
    return { c: "text_eq", left: a, right: b, op_span: left.fn.span, span: left.span };
  }

  private checkTextEquality(left: Operand, opSpan: Span, right: Operand | null): void {
    if (right?.k !== "num") return;
    const wide = left.span.end === opSpan.start && right.span.start === opSpan.end;
    this.reporter?.report({
      code: "WF9009",
      span: opSpan,
      expected: ["=="],
      fix: { title: "compare with ==", edits: [{ span: opSpan, new_text: wide ? " == " : "==" }] },
    });
  }

  // ---- operands ----

  private readonly operand = this.RULE("operand", (): Operand => {
    return this.OR([
      { ALT: () => this.takeAtom(this.CONSUME(T.NameWord)) },
      { ALT: () => this.takeAtom(this.CONSUME(T.Text)) },
      { ALT: () => this.takeAtom(this.CONSUME(T.NumberWord)) },
      { ALT: () => this.takeAtom(this.CONSUME(T.Constant)) },
      { ALT: () => this.takeAtom(this.CONSUME(T.Variable)) },
      { ALT: () => this.takeAtom(this.CONSUME(T.Path)) },
      { ALT: () => this.takeAtom(this.CONSUME(T.OpWord)) },
      { ALT: () => this.takeAtom(this.CONSUME(T.Word)) },
      { ALT: () => this.SUBRULE(this.list) },
      { ALT: () => this.SUBRULE(this.map) },
      { ALT: () => this.SUBRULE(this.nested) },
    ]);
  });

  private takeAtom(token: IToken): Operand {
    if (this.RECORDING_PHASE) return NOTHING;
    this.allowTextEquality = false;
    const operand = atomOf(asToken(token));
    if (this.depth > 0 && this.reporter !== null && checkAtom(operand, this.reporter)) this.draft.faulty = true;
    return operand;
  }

  private readonly list = this.RULE("list", (): Operand => {
    const items: Operand[] = [];
    let wantsItemNext = true;
    let sound = true;
    const complain = (span: Span, expected: string, fix?: Fix): void => {
      if (sound) this.report("WF1004", span, { expected, kind: "list" }, fix, "write [a, b]");
      sound = false;
    };
    this.allowTextEquality = false;
    const open = asToken(this.CONSUME(T.OpenList));
    this.depth++;
    const multiline = this.RECORDING_PHASE || this.breaksAfter(open);
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            const first = asToken(this.LA(1));
            const item = this.SUBRULE(this.operand);
            this.ACTION(() => {
              if (!wantsItemNext) complain(first.span, "','", insertComma(this.reporter, first.span));
              items.push(item);
              wantsItemNext = false;
            });
          },
        },
        {
          ALT: () => {
            const comma = asToken(this.CONSUME(T.Comma));
            this.ACTION(() => {
              if (wantsItemNext) complain(comma.span, "a value");
              wantsItemNext = true;
            });
          },
        },
        { ALT: () => this.SUBRULE(this.stray, { ARGS: [complain, "a value"] }) },
      ]);
    });
    this.depth--;
    const close = asToken(this.CONSUME(T.CloseList));
    return this.ACTION(() => ({ k: "list", items, multiline, span: spanOver(open.span, close.span) }));
  });

  /** Marks that stand for nothing inside a literal. */
  private readonly stray = this.RULE("stray", (complain: (span: Span, expected: string) => void, expected: string) => {
    const token = this.OR([{ ALT: () => this.CONSUME(T.Arrow) }, { ALT: () => this.CONSUME(T.Compare) }]);
    this.ACTION(() => complain(asToken(token).span, expected));
  });

  private readonly map = this.RULE("map", (): Operand => {
    const reader = new MapReader((span, expected, fix) => {
      this.report("WF1004", span, { expected, kind: "map" }, fix, 'write {"key": value}');
    }, this.reporter);
    this.allowTextEquality = false;
    const open = asToken(this.CONSUME(T.OpenMap));
    this.depth++;
    const multiline = this.RECORDING_PHASE || this.breaksAfter(open);
    this.MANY(() => {
      this.OR([
        { ALT: () => reader.key(this.CONSUME(T.Key)) },
        { ALT: () => reader.colon(this.CONSUME(T.Colon)) },
        { ALT: () => reader.comma(this.CONSUME(T.Comma)) },
        {
          ALT: () => {
            const value = this.SUBRULE(this.operand);
            this.ACTION(() => reader.value(value));
          },
        },
        { ALT: () => this.SUBRULE(this.stray, { ARGS: [reader.complain, "a key"] }) },
      ]);
    });
    this.depth--;
    const close = asToken(this.CONSUME(T.CloseMap));
    return this.ACTION(() => {
      reader.finish(close.span);
      this.reportRepeatedKeys(reader.entries);
      return { k: "map", entries: reader.entries, multiline, span: spanOver(open.span, close.span) };
    });
  });

  private reportRepeatedKeys(entries: readonly MapEntry[]): void {
    if (entries.length < 2) return;
    const seen = new Map<string, number>();
    entries.forEach((entry, index) => {
      const first = seen.get(entry.key.text);
      seen.set(entry.key.text, index);
      const former = first === undefined ? undefined : entries[first];
      const behind = first === undefined ? undefined : entries[first + 1];
      if (former === undefined || behind === undefined) return;
      const removed = { ...former.key.span, ...endOf(behind.key.span) };
      this.reporter?.report({
        code: "WF9026",
        span: entry.key.span,
        words: { key: entry.key.text },
        fix: { title: "remove the first", edits: [{ span: removed, new_text: "" }] },
        related: [{ message: "first here", span: former.key.span }],
      });
    });
  }

  private readonly nested = this.RULE("nested", (): Operand => {
    const allowTextEquality = this.allowTextEquality;
    this.allowTextEquality = false;
    const open = asToken(this.CONSUME(T.OpenParen));
    this.depth++;
    const inside: { operand: Operand | null; first: Token }[] = [];
    this.MANY(() => {
      const first = asToken(this.LA(1));
      let operand: Operand | null = null;
      this.OR([
        {
          ALT: () => {
            operand = this.SUBRULE(this.operand);
          },
        },
        { ALT: () => this.CONSUME(T.Compare) },
        { ALT: () => this.CONSUME(T.Comma) },
        { ALT: () => this.CONSUME(T.Arrow) },
      ]);
      this.ACTION(() => inside.push({ operand, first }));
    });
    this.depth--;
    const close = asToken(this.CONSUME(T.CloseParen));
    return this.ACTION(() => this.nestedCall(inside, spanOver(open.span, close.span), open, allowTextEquality));
  });

  /** Decides between `(a >= b)` and `(fn a b)`; what is neither becomes null, with a finding. */
  private nestedCall(
    inside: readonly { operand: Operand | null; first: Token }[],
    span: Span,
    open: Token,
    allowTextEquality: boolean,
  ): Operand {
    const [left, middle, right] = inside;
    if (inside.length === 3 && left?.operand && right?.operand && middle?.first.tokenType === T.Compare) {
      if (middle.first.image === "=" && !allowTextEquality) this.reportUnexpected(middle.first, "compare with ==");
      const fn: Slot = { span: middle.first.span, text: middle.first.image, quoted: false };
      return { k: "call", fn, args: [left.operand, right.operand], infix: true, span };
    }
    const function_ = left?.operand?.k;
    const image = left?.first.image ?? "";
    if (left === undefined || (function_ !== "name" && function_ !== "path") || /[$[]/.test(image)) {
      this.report("WF1008", left?.first.span ?? open.span, {});
      return { k: "null", span };
    }
    const args: Operand[] = [];
    let sound = true;
    for (const { operand, first } of inside.slice(1)) {
      if (operand !== null) args.push(operand);
      else if (sound) {
        this.reportUnexpected(first);
        sound = false;
      }
    }
    return { k: "call", fn: { span: left.first.span, text: image, quoted: false }, args, infix: false, span };
  }

  private breaksAfter(open: Token): boolean {
    const next = this.next();
    return next !== null && next.span.line > open.span.end_line;
  }
}

type Complain = (span: Span, expected: string, fix?: Fix) => void;

const enum MapExpects {
  Key,
  Colon,
  Value,
  Comma,
}

/** Puts the tokens of a map together; only the first fault of a map is reported. */
class MapReader {
  readonly entries: MapEntry[] = [];
  private expects: MapExpects = MapExpects.Key;
  private current: Slot | null = null;
  private sound = true;
  private readonly reportFault: Complain;
  private readonly reporter: Reporter | null;

  constructor(reportFault: Complain, reporter: Reporter | null) {
    this.reportFault = reportFault;
    this.reporter = reporter;
  }

  readonly complain: Complain = (span, expected, fix) => {
    if (this.sound) this.reportFault(span, expected, fix);
    this.sound = false;
  };

  key(token: IToken): void {
    const { span, value, image } = asToken(token);
    if (span === undefined) return;
    if (this.expects === MapExpects.Comma) this.complain(span, "','", insertComma(this.reporter, span));
    else if (this.expects !== MapExpects.Key) this.complain(span, this.expects === MapExpects.Colon ? "':'" : "a value");
    const quoted = image.startsWith('"') || image.startsWith("'");
    this.current = { span, text: quoted ? T.textValue(image.charCodeAt(0), stripQuotes(image)) : value, quoted };
    this.expects = MapExpects.Colon;
  }

  colon(token: IToken): void {
    if (this.expects !== MapExpects.Colon) this.complain(asToken(token).span, "a key");
    this.expects = MapExpects.Value;
  }

  comma(token: IToken): void {
    if (this.expects === MapExpects.Colon) this.complain(asToken(token).span, "':'");
    else if (this.expects !== MapExpects.Comma) {
      this.complain(asToken(token).span, this.expects === MapExpects.Key ? "a key" : "a value");
    }
    this.expects = MapExpects.Key;
  }

  value(operand: Operand): void {
    if (this.expects === MapExpects.Colon) this.complain(operand.span, "':'");
    else if (this.expects !== MapExpects.Value) {
      this.complain(operand.span, this.expects === MapExpects.Key ? "a key" : "','");
    }
    if (this.current !== null) this.entries.push({ key: this.current, value: operand });
    this.current = null;
    this.expects = MapExpects.Comma;
  }

  finish(close: Span): void {
    if (this.expects === MapExpects.Colon) this.complain(close, "':'");
    else if (this.expects === MapExpects.Value) this.complain(close, "a value");
  }
}

function stripQuotes(image: string): string {
  const closed = image.length > 1 && image.endsWith(image.charAt(0));
  return image.slice(1, closed ? -1 : undefined);
}

/** The fix for a missing comma: one behind what stands before, blanks left where they are. */
function insertComma(reporter: Reporter | null, before: Span): Fix {
  const at = { ...before, end_line: before.line, end_column: before.column, end: before.start };
  const blank = reporter !== null && /\s/.test(reporter.source.text.charAt(before.start - 1));
  return { title: "insert a comma", edits: [{ span: at, new_text: blank ? ", " : "," }] };
}

/** The start of `span` as an end. */
function endOf(span: Span): Pick<Span, "end_line" | "end_column" | "end"> {
  return { end_line: span.line, end_column: span.column, end: span.start };
}

const PARSER = new OperandParser();

/** Reads the tokens of a step on its own line. */
export function readStep(tokens: Token[], reporter: Reporter): Step | null {
  PARSER.begin(tokens, reporter, false);
  return PARSER.step();
}

/** Reads the tokens behind a label. */
export function readInlineSteps(tokens: Token[], reporter: Reporter): InlineItem[] {
  PARSER.begin(tokens, reporter, true);
  return PARSER.inlineSteps();
}
