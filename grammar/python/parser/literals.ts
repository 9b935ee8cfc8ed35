/** Numbers, constants, texts and f-strings. Neighbouring texts are one. */
import { numberValue } from "../lexing/numbers.ts";
import * as T from "../lexing/tokens.ts";
import { asToken, type Token } from "../lexing/tokens.ts";
import type { Constant, Expr, FormattedValue, JoinedStr } from "../tree.ts";
import { BracketParser } from "./brackets.ts";
import type { Rule } from "./python-base.ts";

type Piece = Constant | FormattedValue;
type Conversion = FormattedValue["conversion"];

export abstract class LiteralParser extends BracketParser {
  private readonly literals = [
    { ALT: (): Expr => numberFrom(asToken(this.CONSUME(T.NumberLiteral))) },
    { ALT: (): Expr => this.SUBRULE(this.texts) },
    { ALT: (): Expr => constantFrom(asToken(this.CONSUME(T.True)), "bool", true) },
    { ALT: (): Expr => constantFrom(asToken(this.CONSUME(T.False)), "bool", false) },
    { ALT: (): Expr => constantFrom(asToken(this.CONSUME(T.None)), "none", null) },
    { ALT: (): Expr => constantFrom(asToken(this.CONSUME(T.Ellipsis)), "ellipsis", null) },
  ];
  protected readonly literal: Rule<Expr> = this.RULE("literal", (): Expr => this.OR(this.literals));

  /** Parts of the text that is read: texts, bytes, and the pieces of f-strings. */
  private pieces: Piece[] = [];
  private isFormat = false;

  private readonly textForms = [
    {
      ALT: (): Token => {
        const token = asToken(this.CONSUME(T.Text));
        addText(this.pieces, token.image, token);
        return token;
      },
    },
    {
      ALT: (): Token => {
        const token = asToken(this.CONSUME(T.Bytes));
        addText(this.pieces, token.image, token);
        return token;
      },
    },
    {
      ALT: (): Token => {
        this.isFormat = true;
        const token = asToken(this.CONSUME(T.FStart));
        this.SUBRULE(this.formatParts);
        this.CONSUME(T.FEnd);
        return token;
      },
    },
  ];

  protected readonly texts: Rule<Expr> = this.RULE("texts", (): Expr => {
    const { pieces: outer, isFormat: outerIsFormat, next: first } = this;
    const pieces: Piece[] = [];
    this.pieces = pieces;
    this.isFormat = false;
    this.AT_LEAST_ONE(() => {
      const token = this.OR(this.textForms);
      if (!this.RECORDING_PHASE && isBytes(token) !== isBytes(first)) this.fail("bytes_and_text", token);
      this.pieces = pieces;
    });
    const { isFormat } = this;
    this.pieces = outer;
    this.isFormat = outerIsFormat;
    const { start, line } = first;
    const { end } = this.last;
    if (isFormat) return { kind: "JoinedStr", values: pieces.filter(isNotEmpty), start, end, line };
    const [piece] = pieces;
    const value = piece?.kind === "Constant" ? piece.value : "";
    return { kind: "Constant", type: isBytes(first) ? "bytes" : "str", value, start, end, line };
  });

  private readonly partForms = [
    {
      ALT: (): void => {
        const token = asToken(this.CONSUME(T.FText));
        addText(this.pieces, token.image, token);
      },
    },
    {
      ALT: (): void => {
        const { pieces } = this;
        const field = this.SUBRULE(this.field);
        this.pieces = pieces;
        if (!this.RECORDING_PHASE) pieces.push(field);
      },
    },
  ];
  /** Texts and fields of an f-string, or of the form of a field. */
  private readonly formatParts: Rule<void> = this.RULE("formatParts", (): void => {
    this.MANY(() => this.OR(this.partForms));
  });

  private readonly field: Rule<FormattedValue> = this.RULE("field", (): FormattedValue => {
    const { pieces } = this;
    const open = asToken(this.CONSUME(T.FOpen));
    const value = this.OR([
      { ALT: () => this.SUBRULE(this.yield) },
      {
        ALT: () => {
          const content = this.SUBRULE(this.content);
          return this.grouped(open, content);
        },
      },
    ]);
    let conversion: Conversion = null;
    let spec: JoinedStr | null = null;
    let isShown = false;
    this.OPTION(() => {
      const token = asToken(this.CONSUME(T.FEqual));
      isShown = true;
      addText(pieces, token.image, token);
    });
    this.OPTION1(() => {
      conversion = this.CONSUME(T.FConversion).image as Conversion;
    });
    this.OPTION2(() => {
      const { start, line } = asToken(this.CONSUME(T.FColon));
      const values: Piece[] = [];
      this.pieces = values;
      this.SUBRULE(this.formatParts);
      spec = { kind: "JoinedStr", values, start, end: this.last.end, line };
    });
    this.CONSUME(T.FClose);
    if (isShown && conversion === null && spec === null) conversion = "r";
    return { kind: "FormattedValue", value, conversion, spec, start: open.start, end: this.last.end, line: open.line };
  });
}

const isBytes = (token: Token): boolean => token.tokenTypeIdx === T.Bytes.tokenTypeIdx;
const isNotEmpty = (piece: Piece): boolean => piece.kind !== "Constant" || piece.value !== "";

/** A text that follows a text is one with it. */
function addText(pieces: Piece[], text: string, { start, end, line }: Token): void {
  const last = pieces.at(-1);
  if (last?.kind === "Constant") pieces[pieces.length - 1] = { ...last, value: `${last.value}${text}`, end };
  else pieces.push({ kind: "Constant", type: "str", value: text, start, end, line });
}

export function numberFrom({ image, start, end, line }: Token): Constant {
  const { type, value } = numberValue(image);
  return { kind: "Constant", type, value, start, end, line };
}

export function constantFrom({ start, end, line }: Token, type: Constant["type"], value: boolean | null): Constant {
  return { kind: "Constant", type, value, start, end, line };
}
