/**
 * The grammar of expressions (docs/language.md, the indented form), as chevrotain rules. The rules read every row of tokens: what fits nowhere is
 * passed over and reported once, so that one file yields all its findings.
 */
import type { IParserErrorMessageProvider, IToken, ParserMethod } from "chevrotain";
import type { Slot } from "../../ast.ts";
import { BaseParser, EXPECTED } from "../../parser/base-parser.ts";
import { spanOver } from "../../text/span.ts";
import * as T from "../tokens.ts";
import { isEnd, type Lexeme } from "../tokens.ts";
import { asNode, type Expression } from "../tree.ts";
import { atomFrom, Faults } from "./faults.ts";
import { combine, type Infix, type Prefix, type Signed } from "./precedence.ts";

/** What a row of tokens gave: null where no expression could be read. */
type Maybe = Expression | null;
/** Where an operand stands: next to others with only spaces between them, or with marks between them. */
export type Row = "spaced" | "marked";

/** What to write where a token is missing. */
const MISSING: Readonly<Record<string, string>> = {
  ElseWord: "write a if condition else b",
  InWord: "write for x in list",
  NameLike: "write a name",
};
/** Each message is a suggestion, or empty. */
const errorMessages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => MISSING[expected.name] ?? "",
  buildNotAllInputParsedMessage: () => "",
  buildNoViableAltMessage: () => "",
  buildEarlyExitMessage: () => "",
};
const NOTATION = { tokens: T.TOKENS, newline: T.Newline, messages: errorMessages };

export abstract class ExpressionParser extends BaseParser {
  protected faults: Faults = Faults.NONE;
  protected row: Row = "marked";
  /** In the brackets of a list, a map or a spaced call: `(now)` calls there, and a name may be text. */
  protected isInner = false;
  /** The names of all comprehensions. */
  protected items: string[] = [];
  /** The group that begins next is a call when it holds a name alone. */
  protected callsAlone = false;

  constructor(validate: boolean) {
    super(NOTATION, validate);
  }

  /** Reads what stands between brackets. */
  protected inside(within: Row, inner: boolean, read: () => void): void {
    const { row, isInner } = this;
    this.row = within;
    this.isInner = inner;
    read();
    this.row = row;
    this.isInner = isInner;
  }

  // ---- looking ahead ----

  protected ahead(distance = 1): Lexeme {
    return this.LA(distance) as Lexeme;
  }

  protected sees(type: { readonly tokenTypeIdx?: number }, distance = 1): boolean {
    return this.LA(distance).tokenTypeIdx === type.tokenTypeIdx;
  }

  /** Whether an operand begins here. */
  protected seesOperand(distance = 1): boolean {
    const { tokenType } = this.LA(distance);
    if (tokenType === T.Operator) return this.row === "spaced";
    return T.BEGINS_OPERAND.has(tokenType) || tokenType.CATEGORIES?.includes(T.NameLike) === true;
  }

  protected seesValue(distance = 1): boolean {
    return this.seesOperand(distance) || this.seesPrefix(distance);
  }

  /** A sign or `not`, and an operand after it. */
  private seesPrefix(from = 1): boolean {
    let distance = from;
    while (distance < from + MAX_PREFIXES - 1 && this.isPrefix(distance)) distance++;
    return distance > from && this.seesOperand(distance);
  }

  private isPrefix(distance: number): boolean {
    const { tokenType, image } = this.ahead(distance);
    if (tokenType === T.JoinedOperator) return image === "-";
    if (this.row === "spaced") return false;
    if (tokenType === T.Operator) return image === "-";
    return tokenType === T.Bang || tokenType === T.NotWord;
  }

  /** `(abs -5)` calls: after a name at the beginning of brackets, a sign that touches what follows belongs to that. */
  private isSignedArgument(): boolean {
    const { tokenType, glued } = this.ahead();
    if (tokenType !== T.NegativeNumber && (tokenType !== T.JoinedOperator || glued)) return false;
    const { tokenType: before } = this.ahead(0);
    const isName = before === T.Path || before.CATEGORIES?.includes(T.NameLike) === true;
    return isName && this.sees(T.OpenParen, -1);
  }

  private seesInfix(): boolean {
    const { tokenType, glued } = this.ahead();
    // `(f a -b)` has two arguments, `(f a-b)` one.
    if (this.row === "spaced") return tokenType === T.JoinedOperator && glued;
    if (this.isSignedArgument()) return false;
    if (tokenType === T.JoinedOperator) return true;
    return INFIX.has(tokenType) || (tokenType === T.NotWord && this.sees(T.InWord, 2));
  }

  // ---- rules ----

  /** `a if c else b`, and everything that binds more tightly. */
  protected readonly choice: ParserMethod<[], Maybe> = this.RULE("choice", (): Maybe => {
    const parts: Maybe[] = [this.SUBRULE(this.binary)];
    const words: IToken[] = [];
    this.MANY({
      GATE: () => this.row === "marked" && parts.at(-1) !== null,
      DEF: () => {
        words.push(this.CONSUME(T.IfWord));
        parts.push(this.SUBRULE1(this.binary));
        this.CONSUME(T.ElseWord);
        parts.push(this.SUBRULE2(this.binary));
      },
    });
    return this.ACTION(() => this.choiceOf(parts, words as Lexeme[]));
  });

  /** The second word of an operator such as `not in`. */
  private second: IToken | null = null;
  private readonly infixes = [
    { ALT: () => this.CONSUME(T.Operator) },
    { ALT: () => this.CONSUME(T.JoinedOperator) },
    { ALT: () => this.CONSUME(T.AndWord) },
    { ALT: () => this.CONSUME(T.OrWord) },
    { ALT: () => this.CONSUME(T.InWord) },
    {
      ALT: () => {
        const word = this.CONSUME(T.NotWord);
        this.second = this.CONSUME1(T.InWord);
        return word;
      },
    },
    {
      ALT: () => {
        const word = this.CONSUME(T.IsWord);
        this.OPTION({
          GATE: () => this.seesOperand(2),
          DEF: () => {
            this.second = this.CONSUME1(T.NotWord);
          },
        });
        return word;
      },
    },
    {
      ALT: () => {
        const sign = this.CONSUME(T.Compare);
        // `<>` and `===` are two tokens.
        if (!this.RECORDING_PHASE && this.isForeign(sign as Lexeme)) this.second = this.CONSUME1(T.Compare);
        return sign;
      },
    },
  ];

  private isForeign(sign: Lexeme): boolean {
    const next = this.ahead();
    return next.tokenType === T.Compare && next.glued && this.faults.isForeignComparator(sign, next);
  }

  protected readonly binary: ParserMethod<[], Maybe> = this.RULE("binary", (): Maybe => {
    const operands: (Signed | null)[] = [this.SUBRULE(this.signed)];
    const operators: Infix[] = [];
    this.MANY({
      GATE: () => this.seesInfix() && operands.at(-1) != null,
      DEF: () => {
        this.OR([
          {
            ALT: () => {
              operators.push(this.SUBRULE(this.infix));
              let operand: Signed | null = null;
              this.option(EXPECTED, {
                GATE: () => this.seesValue(),
                DEF: () => {
                  operand = this.SUBRULE1(this.signed);
                },
              });
              operands.push(operand);
            },
          },
          {
            // `n -1`: the sign of the number is the operator.
            ALT: () => {
              const token = this.CONSUME(T.NegativeNumber) as Lexeme;
              this.ACTION(() => {
                operators.push(minusOf(token));
                this.faults.dropsSign = true;
                operands.push({ prefixes: [], operand: atomFrom(this.faults.took(token), this.faults, this.ahead()) });
              });
            },
          },
        ]);
      },
    });
    return this.ACTION(() => this.combined(operands, operators));
  });

  private readonly infix: ParserMethod<[], Infix> = this.RULE("infix", (): Infix => {
    this.second = null;
    const first = this.OR(this.infixes);
    return this.ACTION(() => this.infixOf(first as Lexeme, this.second as Lexeme | null));
  });

  private readonly signed: ParserMethod<[], Signed | null> = this.RULE("signed", (): Signed | null => {
    const prefixes: Prefix[] = [];
    this.MANY({
      GATE: () => this.seesPrefix(),
      DEF: () => {
        const token = this.OR([
          { ALT: () => this.CONSUME(T.NotWord) },
          { ALT: () => this.CONSUME(T.Bang) },
          { ALT: () => this.CONSUME(T.Operator, SPACED_SIGN) },
          { ALT: () => this.CONSUME(T.JoinedOperator, SIGN) },
        ]);
        this.ACTION(() => prefixes.push(prefixOf(this.faults.took(token))));
      },
    });
    const isNegative = !this.RECORDING_PHASE && /^-[0-9.]/.test(this.ahead().image);
    const operand = this.SUBRULE(this.postfix);
    return this.ACTION(() => {
      // `-2 ** 2` is -(2 ** 2): the sign binds less tightly.
      const isPower = isNegative && this.ahead().image === "**";
      if (!isPower || operand?.e !== "operand" || operand.of.k !== "num")
        return this.faults.signed(prefixes, operand ?? null);
      const { span, v } = operand.of;
      const sign = { ...span, end: span.start + 1, end_column: span.column + 1 };
      const rest = { ...span, start: sign.end, column: sign.end_column };
      const number: Expression = { e: "operand", of: { k: "num", v: -v, span: rest }, span: rest };
      return this.faults.signed([...prefixes, { kind: "-", slot: { span: sign, text: "-", quoted: false } }], number);
    });
  });

  protected readonly postfix: ParserMethod<[], Maybe> = this.RULE("postfix", (): Maybe => {
    let of: Maybe = this.SUBRULE(this.primary);
    this.MANY(() => {
      of = this.OR([
        { ALT: () => this.present(of, this.CONSUME(T.Question)) },
        { ALT: () => this.member(of, this.CONSUME(T.Member)) },
        { ALT: () => this.SUBRULE(this.index, { ARGS: [of] }) },
        { ALT: () => this.SUBRULE(this.call, { ARGS: [of] }) },
      ]);
    });
    return of;
  });

  protected abstract readonly primary: ParserMethod<[], Maybe>;
  protected abstract readonly index: ParserMethod<[Maybe], Maybe>;
  protected abstract readonly call: ParserMethod<[Maybe], Maybe>;

  // ---- what the rules make ----

  private present(of: Maybe, token: IToken): Maybe {
    return this.ACTION(() => {
      const mark = slotOf(this.faults.took(token));
      return of == null ? null : { e: "present", of, mark, span: spanOver(of.span, mark.span) };
    });
  }

  private member(of: Maybe, token: IToken): Maybe {
    return this.ACTION(() => {
      const { image, span } = this.faults.took(token);
      if (of == null) return null;
      let made: Expression = of;
      for (const name of image.slice(1).split(".")) {
        const word: Slot = { span, text: name, quoted: false };
        const key = asNode(/^[0-9]+$/.test(name) ? { k: "num", v: Number(name), span } : { k: "str", v: name, span });
        made = this.bounded({ e: "index", word, of: made, key, span: spanOver(of.span, span) });
      }
      return made;
    });
  }

  private choiceOf(parts: readonly Maybe[], words: readonly Lexeme[]): Maybe {
    let made: Maybe = parts.at(-1) ?? null;
    for (let at = words.length - 1; at >= 0; at--) {
      const [then, cond, word] = [parts[2 * at], parts[2 * at + 1], words[at]];
      if (then == null || cond == null || made === null || word === undefined) {
        if (word !== undefined) this.faults.missing("a if condition else b");
        return parts[0] ?? null;
      }
      const span = spanOver(then.span, made.span);
      made = this.bounded({ e: "choice", word: slotOf(word), cond, then, otherwise: made, span });
    }
    return made;
  }

  private combined(operands: readonly (Signed | null)[], operators: readonly Infix[]): Maybe {
    const read = operands.filter((one) => one != null);
    const [first] = read;
    if (first === undefined) return null;
    if (read.length < operands.length) {
      const last = operators.at(-1);
      if (last !== undefined) this.faults.missing(`a value after '${last.text}'`);
      return null;
    }
    return combine(read, operators, (made) => this.bounded(made));
  }

  private infixOf(first: Lexeme, second: Lexeme | null): Infix {
    this.faults.took(first);
    const slot = slotOf(first);
    if (first.tokenType === T.Compare) return this.faults.comparator(first, second);
    if (second === null) return { text: first.image, slot };
    this.faults.took(second);
    return { text: `${first.image} ${second.image}`, slot: { ...slot, span: spanOver(first.span, second.span) } };
  }

  protected bounded(made: Expression): Expression {
    return this.faults.bounded(made);
  }

  protected atEnd(): boolean {
    return isEnd(this.LA(1));
  }
}

/** `- x` and `-x`. */
const SPACED_SIGN = { LABEL: "spaced-sign" };
const SIGN = { LABEL: "sign" };

/** More signs in a row than this are surplus words. */
const MAX_PREFIXES = 80;
const INFIX: ReadonlySet<unknown> = new Set([
  T.Operator,
  T.AndWord,
  T.OrWord,
  T.InWord,
  T.IsWord,
  T.Compare,
  T.NegativeNumber,
]);

/** The operator of `n -1`. */
function minusOf({ span }: Lexeme): Infix {
  const sign = { ...span, end: span.start + 1, end_column: span.column + 1 };
  return { text: "-", slot: { span: sign, text: "-", quoted: false } };
}

function prefixOf(token: Lexeme): Prefix {
  return { kind: token.tokenType === T.NotWord || token.tokenType === T.Bang ? "not" : "-", slot: slotOf(token) };
}

export function slotOf({ span, image }: Lexeme): Slot {
  return { span, text: image, quoted: false };
}
