/**
 * What both parsers share, and how chevrotain is used: one token of look-ahead, and after a fault reading continues at the end of the
 * statement. Some of chevrotain's inner methods are replaced, because they take far longer than reading a small program; each says why.
 */
import {
  EmbeddedActionsParser,
  EOF,
  type IParserConfig,
  type IParserErrorMessageProvider,
  type ParserMethod,
  type TokenType,
} from "chevrotain";
import { OneToken } from "./lookahead.ts";

/** A rule without arguments. */
export type Rule<T> = ParserMethod<[], T>;

/**
 * Numbers from here on mark an OPTION or MANY that every valid program has: its rule reports what is missing. The generated grammars
 * require it.
 */
export const EXPECTED = 200;

/** The words of rules that chevrotain replaces while it records them. */
const RECORDED =
  /^(?:(?:CONSUME|SUBRULE|OPTION|OR|MANY|MANY_SEP|AT_LEAST_ONE|AT_LEAST_ONE_SEP)\d?|consume|subrule|option|or|many|atLeastOne|ACTION|BACKTRACK|LA)$/;

export type Notation = {
  readonly tokens: readonly TokenType[];
  /** Ends a statement. */
  readonly newline: TokenType;
  readonly messages: IParserErrorMessageProvider;
};

export abstract class BaseParser extends EmbeddedActionsParser {
  private readonly statementEnds: TokenType[];

  /** `validate`: check the grammar itself by all that chevrotain knows of it, which takes far longer than reading a program. */
  constructor({ tokens, newline, messages }: Notation, validate: boolean) {
    const config: IParserConfig = {
      maxLookahead: 1,
      nodeLocationTracking: "none",
      skipValidations: !validate,
      errorMessageProvider: messages,
    };
    super([...tokens], validate ? config : { ...config, lookaheadStrategy: new OneToken() });
    this.statementEnds = [newline, EOF];
  }

  /** To be called once all rules are made. */
  protected analyse(): void {
    this.performSelfAnalysis();
    // Chevrotain would collect for every place what may follow it. Here a statement ends at the end of its line, wherever it broke.
    (this as unknown as { recoveryEnabled: boolean }).recoveryEnabled = true;
  }

  /**
   * While it records the grammar, chevrotain puts methods of its own in the place of the rules' words, and deletes them afterwards, which
   * takes longer than the recording: here the former ones are put back.
   */
  protected disableRecording(): void {
    const own = this as unknown as Record<string, unknown>;
    const former = Object.getPrototypeOf(this) as Record<string, unknown>;
    own.RECORDING_PHASE = false;
    for (const name of Object.keys(own)) if (RECORDED.test(name)) own[name] = former[name];
  }

  /** Where reading continues after a fault. */
  protected getFollowSetFromFollowKey(): TokenType[] {
    return this.statementEnds;
  }
}
