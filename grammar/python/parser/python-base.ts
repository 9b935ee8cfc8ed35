/**
 * How the rules of the Python form are run. A file has one fault at most: where a token is not what a rule needs, reading ends. So
 * chevrotain's ways of calling rules and reading tokens, which keep what is needed to continue after a fault, are replaced by short ones; that
 * makes reading two to three times as fast, and brackets in brackets need a third of the stack.
 */
import type { IParserErrorMessageProvider, ParserMethod, TokenType } from "chevrotain";
import { BaseParser } from "../../parser/base-parser.ts";
import type { FaultName } from "../faults.ts";
import { Comma, End, Newline, TOKENS, Token } from "../lexing/tokens.ts";
import { Refusal, type Said, type Stretch } from "../refusal.ts";

export type Rule<T> = ParserMethod<[], T>;

/** A rule as `SUBRULE` calls it: its number among chevrotain's, and what it does. */
type Lean = { readonly own: number; readonly impl: (this: Inner) => unknown };
/** The parts of chevrotain's parser that its types do not show. */
type Inner = {
  currRuleShortName: number;
  currIdx: number;
  readonly tokVector: readonly Token[];
  readonly fullRuleNameToShort: Readonly<Record<string, number>>;
};

const NO_MESSAGE = (): string => "";
const MESSAGES: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: NO_MESSAGE,
  buildNotAllInputParsedMessage: NO_MESSAGE,
  buildNoViableAltMessage: NO_MESSAGE,
  buildEarlyExitMessage: NO_MESSAGE,
};

/** What comes next while the grammar is recorded, without a file. */
const NOTHING = new Token(End, "", 0, 0, 1);

/** Thrown where a token fits no rule; `parse.ts` finds out what that means. */
export class Unexpected extends Error {
  readonly token: Token;
  readonly expected: TokenType | null;

  constructor(token: Token, expected: TokenType | null) {
    super("unexpected token");
    this.token = token;
    this.expected = expected;
  }
}

export abstract class PythonBase extends BaseParser {
  constructor(validate: boolean) {
    super({ tokens: TOKENS, newline: Newline, messages: MESSAGES }, validate);
  }

  protected override analyse(): void {
    this.performSelfAnalysis();
  }

  /** The token that is read next. */
  protected get next(): Token {
    const { tokVector, currIdx } = this as unknown as Inner;
    return tokVector[currIdx + 1] ?? NOTHING;
  }

  /** The token that was read last. */
  protected get last(): Token {
    const { tokVector, currIdx } = this as unknown as Inner;
    return tokVector[currIdx] ?? NOTHING;
  }

  protected sees(type: TokenType): boolean {
    return this.next.tokenTypeIdx === type.tokenTypeIdx;
  }

  protected seesOneOf(types: Uint8Array): boolean {
    return types[this.next.tokenTypeIdx] === 1;
  }

  /**
   * What follows the first of a row of items with commas, or another separator, between them; `begins` has the tokens that an item begins with. The last comma
   * may stand alone, which one token of look-ahead cannot tell as a rule: so the rule is only recorded, and a loop reads.
   */
  protected row(begins: Uint8Array, read: () => void, separator = Comma): void {
    if (this.RECORDING_PHASE) {
      this.MANY9(() => {
        this.CONSUME9(separator);
        read();
      });
      this.OPTION9(() => this.CONSUME8(separator));
      return;
    }
    while (this.sees(separator)) {
      this.CONSUME9(separator);
      if (!this.seesOneOf(begins)) return;
      read();
    }
  }

  protected fail(fault: FaultName, { start, end }: Stretch, said?: Said): never {
    throw new Refusal(fault, { start, end }, said);
  }

  // ---- in place of chevrotain's ----

  protected defineRule(name: string, impl: () => unknown, config: unknown): unknown {
    const former = Object.getPrototypeOf(PythonBase.prototype) as { defineRule: (...args: unknown[]) => object };
    const rule = former.defineRule.call(this, name, impl, config);
    const own = (this as unknown as Inner).fullRuleNameToShort[name] ?? 0;
    return Object.assign(rule, { own, impl });
  }

  protected raiseNoAltException(): never {
    throw new Unexpected(this.next, null);
  }

  protected raiseEarlyExitException(): never {
    throw new Unexpected(this.next, null);
  }
}

/** The words of rules are numbered: `CONSUME` to `CONSUME9`, `SUBRULE` to `SUBRULE9`. */
const OCCURRENCES = ["", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

function take(this: Inner, type: TokenType): Token {
  const token = this.tokVector[this.currIdx + 1] as Token;
  if (token.tokenTypeIdx !== type.tokenTypeIdx) throw new Unexpected(token, type);
  this.currIdx++;
  return token;
}

function subrule(this: Inner, { own, impl }: Lean): unknown {
  const outer = this.currRuleShortName;
  this.currRuleShortName = own;
  const made = impl.call(this);
  this.currRuleShortName = outer;
  return made;
}

for (const occurrence of OCCURRENCES) {
  const own = PythonBase.prototype as unknown as Record<string, unknown>;
  own[`CONSUME${occurrence}`] = take;
  own[`SUBRULE${occurrence}`] = subrule;
}
