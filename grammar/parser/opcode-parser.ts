/**
 * The grammar of a file in the opcode form: lines of steps, labels, declarations and includes. Each step op of the op table
 * has a rule made from its row; declarations and includes are lines of plain words. One parser serves all files; what belongs to one is handed over with its tokens.
 */
import type { Rule as GrammarRule, IToken } from "chevrotain";
import type { Line, Step } from "../ast.ts";
import type { Token } from "../operands/tokens.ts";
import { createReporter, type Reporter } from "../reporter.ts";
import type { Draft } from "../steps/draft.ts";
import { createSource } from "../text/source.ts";
import type { Rule } from "./base-parser.ts";
import type { StatementLexer } from "./lexer.ts";
import { LineBuilder } from "./lines.ts";
import { type Junk, StepParser } from "./step-parser.ts";
import { type SourceLimits, TokenSource } from "./token-source.ts";
import * as T from "./tokens.ts";

/** Where tokens wait for the parser to decide: on label lines. */
type Waiting = Pick<TokenSource, "pausedAt" | "resume">;
const NOT_WAITING: Waiting = { pausedAt: null, resume: () => {} };
const NO_REPORTER = createReporter(createSource("", null));
export class OpcodeParser extends StepParser {
  private source: Waiting = NOT_WAITING;
  private file = new LineBuilder(NO_REPORTER);

  constructor(validate = false) {
    super(validate);
    this.analyse();
  }

  // ---- the grammar ----

  readonly program: Rule<void> = this.rule("program", () => {
    this.MANY(this.line);
  });
  private readonly line = (): void => {
    this.OR(this.lines);
    this.CONSUME(T.Newline);
  };

  readonly label: Rule<void> = this.rule("label", () => {
    const label = this.taken(this.CONSUME(T.Label));
    this.beginStatement(label.errors, true);
    const items = this.OPTION(this.afterLabel);
    if (!this.RECORDING_PHASE) this.file.addLabel(label, items ?? NO_ITEMS);
  });
  private readonly afterLabel = (): Items => this.SUBRULE(this.items);

  /** Steps after a label, and words between them. */
  readonly items: Rule<Items> = this.rule("inline-steps", () => {
    const items: (Step | Junk)[] = [];
    this.AT_LEAST_ONE(() =>
      this.OR([{ ALT: () => items.push(this.SUBRULE(this.step)) }, { ALT: () => items.push(this.SUBRULE(this.junk)) }]),
    );
    return items;
  });

  /** A line of plain words: how many a declaration needs is checked once it is read. */
  private readonly words: Rule<void> = this.rule("words", () => {
    const head = this.taken(this.OR(this.heads));
    const words: Token[] = [];
    this.MANY(() => words.push(this.taken(this.CONSUME(T.SlotWord))));
    if (!this.RECORDING_PHASE) this.file.addWords(head, words);
  });
  private readonly heads = [
    { ALT: () => this.CONSUME(T.Declaration) },
    { ALT: () => this.CONSUME(T.Include) },
    { ALT: () => this.CONSUME(T.Unknown) },
  ];

  private readonly lines = [
    ...this.stepRules.map((rule) => ({ ALT: () => this.stepLine(rule) })),
    { ALT: () => this.SUBRULE(this.label) },
    { ALT: () => this.SUBRULE(this.words) },
  ];

  private stepLine(rule: Rule<Step>): void {
    this.beginStatement(this.ahead().errors, false);
    const step = this.SUBRULE(rule);
    if (!this.RECORDING_PHASE) this.file.addStep(step);
  }

  // ---- reading ----

  protected override goOnAfter(word: Token, startsStep: boolean): void {
    if (this.source.pausedAt !== word) return;
    // Chevrotain has put marks of the end after the tokens: what is added stands before them.
    const tokens = this.input as IToken[] as unknown as Token[];
    const ends = tokens.splice(tokens.findLastIndex(({ type }) => type !== undefined) + 1);
    this.source.resume(startsStep, tokens);
    (this as unknown as { tokVectorLength: number }).tokVectorLength = tokens.length;
    for (const end of ends) tokens.push(end);
  }

  /** Reads some lines of a file. */
  readSection(tokens: Token[], source: TokenSource, file: LineBuilder): void {
    this.use(tokens, source.reporter, source);
    this.file = file;
    this.program();
    this.use([], NO_REPORTER, NOT_WAITING);
    this.file = new LineBuilder(NO_REPORTER);
  }

  /** Reads one statement alone, by one of the rules. */
  readAlone<R>(lexer: StatementLexer, reporter: Reporter, inline: boolean, rule: (parser: OpcodeParser) => R): R {
    this.use(lexer.tokens, reporter, new LoneLine(lexer));
    this.beginStatement(lexer.tokens[0]?.errors ?? null, inline);
    const result = rule(this);
    this.use([], NO_REPORTER, NOT_WAITING);
    return result;
  }

  private use(tokens: Token[], reporter: Reporter, source: Waiting): void {
    this.input = tokens as unknown[] as IToken[];
    this.reporter = reporter;
    this.source = source;
  }

  /** The step read last, as far as its slots are filled. */
  get lastDraft(): Draft {
    return this.draft;
  }
}

type Items = readonly (Step | Junk)[];
const NO_ITEMS: Items = [];

/** The tokens of one lexer, which may wait on a label line. */
class LoneLine implements Waiting {
  private readonly lexer: StatementLexer;

  constructor(lexer: StatementLexer) {
    this.lexer = lexer;
  }

  get pausedAt(): Token | null {
    return this.lexer.pausedAt;
  }

  /** The lexer's own tokens are the ones that are read. */
  resume(startsStep: boolean): void {
    this.lexer.resume(startsStep);
  }
}

let made: OpcodeParser | null = null;

/** Made at the first use, which takes some milliseconds. */
function parser(): OpcodeParser {
  made ??= new OpcodeParser();
  return made;
}

/** The grammar as data. */
export function opcodeProductions(): Readonly<Record<string, GrammarRule>> {
  return parser().getGAstProductions();
}

/** The lines of a file. */
export function readOpcode(reporter: Reporter, limits: SourceLimits): readonly Line[] {
  const source = new TokenSource(reporter, limits);
  const file = new LineBuilder(reporter);
  for (let tokens = source.section(0); tokens.length > 0; tokens = source.section(file.statements)) {
    parser().readSection(tokens, source, file);
  }
  return file.finish();
}

/** Reads a statement for the sake of its last step: what may come next is read off it. null: no op word yet. */
export function readDraft(lexer: StatementLexer, reporter: Reporter, inline: boolean): Draft | null {
  if (lexer.tokens[0]?.type !== "OpWord") return null;
  return parser().readAlone(lexer, reporter, inline, (rules) => {
    if (inline) rules.items();
    else rules.step();
    return rules.lastDraft;
  });
}
