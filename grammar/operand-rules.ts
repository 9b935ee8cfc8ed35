/**
 * The rules for operands: words, strings, lists, maps, nested calls (language reference 4, 5). The statement parser builds
 * on them. Nothing fails here: what does not fit is reported and left out.
 */
import { EmbeddedActionsParser, type IToken, type TokenType } from "chevrotain";
import type { Operand } from "./ast.ts";
import type { Fix } from "./diagnostic.ts";
import { type Draft, startDraft } from "./draft.ts";
import { readInfix } from "./infix.ts";
import {
  type Complain,
  insertComma,
  MapReader,
  type NestedFault,
  type NestedPiece,
  nestedCall,
  reportRepeatedKeys,
  wordsOfNested,
} from "./literals.ts";
import { atomOf, checkAtom, unexpected } from "./operands.ts";
import { findOp, type Op } from "./ops.ts";
import type { Reporter } from "./reporter.ts";
import { type Span, spanOver } from "./span.ts";
import type { Token } from "./tokens.ts";
import * as T from "./tokens.ts";

export const NOWHERE: Span = { file: null, line: 0, column: 0, end_line: 0, end_column: 0, start: 0, end: 0 };
export const NOTHING: Operand = { k: "null", span: NOWHERE };
/** Stands in where no step is being read. */
export const NO_OP = findOp("J") as Op;

export function asToken(token: IToken): Token {
  return token as Token;
}

export abstract class OperandRules extends EmbeddedActionsParser {
  protected reporter: Reporter | null = null;
  protected draft: Draft = startDraft(NO_OP, { span: NOWHERE, text: "", quoted: false });
  /** Structures and conditions around the current token: operands inside are checked where they stand. */
  protected depth = 0;
  /** Brackets that begin a condition may hold `a = b`. */
  protected allowTextEquality = false;

  constructor() {
    super(T.TOKEN_TYPES, {
      maxLookahead: 1,
      recoveryEnabled: false,
      skipValidations: true,
      nodeLocationTracking: "none",
    });
  }

  /** Called behind every bare op word, before anything that follows is looked at. */
  protected abstract afterOpWord(token: IToken, startsStep: boolean): void;

  protected next(): Token | null {
    const token = this.LA(1);
    return token.tokenType === undefined || Number.isNaN(token.startOffset) ? null : asToken(token);
  }

  protected look(distance: number): TokenType {
    return this.LA(distance).tokenType;
  }

  protected report(
    code: string,
    span: Span,
    words: Record<string, string>,
    fix?: Fix | null,
    suggestion?: string,
  ): void {
    this.draft.faulty = true;
    this.reporter?.report({
      code,
      span,
      words,
      ...(fix === undefined ? {} : { fix }),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  protected reportUnexpected(token: Token): void {
    this.draft.faulty = true;
    if (this.reporter !== null) unexpected(this.reporter, token.span, token.image);
  }

  protected readonly operand = this.RULE("operand", (): Operand => {
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
    if (token.tokenType === T.OpWord) this.afterOpWord(token, false);
    const operand = atomOf(asToken(token));
    if (this.depth > 0 && this.reporter !== null && checkAtom(operand, this.reporter)) this.draft.faulty = true;
    return operand;
  }

  private readonly list = this.RULE("list", (): Operand => {
    const items: Operand[] = [];
    let wantsItemNext = true;
    let sound = true;
    const complain: Complain = (span, expected, fix) => {
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
  private readonly stray = this.RULE("stray", (complain: Complain, expected: string) => {
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
      if (this.reporter !== null) reportRepeatedKeys(reader.entries, this.reporter);
      return { k: "map", entries: reader.entries, multiline, span: spanOver(open.span, close.span) };
    });
  });

  private readonly nested = this.RULE("nested", (): Operand => {
    const allowTextEquality = this.allowTextEquality;
    this.allowTextEquality = false;
    const open = asToken(this.CONSUME(T.OpenParen));
    this.depth++;
    const inside: NestedPiece[] = [];
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
    return this.ACTION(() => {
      const call = nestedCall(inside, spanOver(open.span, close.span), allowTextEquality);
      if (call.fault !== null) this.reportNested(call.fault, open, inside, call.operand.span);
      return call.operand;
    });
  });

  private reportNested(fault: NestedFault, open: Token, inside: readonly NestedPiece[], span: Span): void {
    const source = this.reporter?.source.text ?? "";
    const reading = readInfix(wordsOfNested(inside, source), "value");
    if (reading !== null && reading.used === inside.length) {
      const token = (fault.token ?? open).span;
      const suggestion = `write ${reading.text}`;
      const fix = reading.exact ? { title: suggestion, edits: [{ span, new_text: reading.text }] } : null;
      this.report(fault.code, token, { token: `'${source.slice(token.start, token.end)}'` }, fix, suggestion);
    } else if (fault.code === "WF1008") this.report("WF1008", (fault.token ?? open).span, {});
    else if (fault.instead === undefined) this.reportUnexpected(fault.token);
    else {
      const { span, image } = fault.token;
      const fix = { title: `write ${fault.instead}`, edits: [{ span, new_text: fault.instead }] };
      this.report("WF1009", span, { token: `'${image}'` }, fix, `write ${fault.instead}`);
    }
  }

  private breaksAfter(open: Token): boolean {
    const next = this.next();
    return next !== null && next.span.line > open.span.end_line;
  }
}
