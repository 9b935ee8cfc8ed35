/** Functions, classes, `match`, and files. A parser is made at first use and kept. */
import type { Rule as GrammarRule } from "chevrotain";
import * as T from "../lexing/tokens.ts";
import { asToken, type Token } from "../lexing/tokens.ts";
import type { Expr, Keyword, MatchCase, Module, Stmt } from "../tree.ts";
import { BlockParser } from "./blocks.ts";
import type { Rule } from "./python-base.ts";

class PythonParser extends BlockParser {
  constructor(validate = false) {
    super(validate);
    this.analyse();
  }

  parse(tokens: readonly Token[]): Module {
    this.restart();
    this.input = tokens as never;
    const body: Stmt[] = [];
    this.body = body;
    this.decorators = [];
    this.file();
    const { end } = tokens.at(-1) as Token;
    return { kind: "Module", body, start: 0, end, line: 1 };
  }

  private readonly file: Rule<void> = this.RULE("file", (): void => {
    const { body } = this;
    this.MANY(() => {
      this.SUBRULE(this.statement);
      this.body = body;
    });
    this.CONSUME(T.End);
  });

  private readonly statementForms = [
    { ALT: (): void => this.SUBRULE(this.line) },
    { ALT: (): void => this.SUBRULE(this.if) },
    { ALT: (): void => this.SUBRULE(this.for) },
    { ALT: (): void => this.SUBRULE(this.while) },
    { ALT: (): void => this.SUBRULE(this.try) },
    { ALT: (): void => this.SUBRULE(this.with) },
    { ALT: (): void => this.SUBRULE(this.match) },
    { ALT: (): void => this.SUBRULE(this.function) },
    { ALT: (): void => this.SUBRULE(this.class) },
    { ALT: (): void => this.SUBRULE(this.async) },
    { ALT: (): void => this.SUBRULE(this.decorated) },
  ];
  /** Adds to the block that is read. */
  private readonly statement: Rule<void> = this.RULE("statement", (): void => this.OR(this.statementForms));

  private readonly blockForms = [
    {
      ALT: (): void => {
        const { body } = this;
        this.CONSUME(T.Newline);
        this.CONSUME(T.Indent);
        this.AT_LEAST_ONE(() => {
          this.SUBRULE(this.statement);
          this.body = body;
        });
        this.CONSUME(T.Dedent);
      },
    },
    { ALT: (): void => this.SUBRULE(this.line) },
  ];
  protected readonly block: Rule<Stmt[]> = this.RULE("block", (): Stmt[] => {
    const outer = this.body;
    const body: Stmt[] = [];
    this.body = body;
    this.CONSUME(T.Colon);
    this.OR(this.blockForms);
    this.body = outer;
    return body;
  });

  // ---- match ----

  private readonly match: Rule<void> = this.RULE("match", (): void => {
    const outer = this.body;
    const { start, line } = asToken(this.CONSUME(T.Match));
    const subject = this.SUBRULE(this.subject);
    this.CONSUME(T.Colon);
    this.CONSUME(T.Newline);
    this.CONSUME(T.Indent);
    const cases: MatchCase[] = [];
    this.AT_LEAST_ONE(() => cases.push(this.SUBRULE(this.case)));
    this.CONSUME(T.Dedent);
    outer.push({ kind: "Match", subject, cases, start, end: this.blockEnd, line });
  });

  private readonly subject: Rule<Expr> = this.RULE("subject", (): Expr => {
    const { start, line } = this.next;
    const first = this.SUBRULE(this.element);
    const elts = this.seesMore(T.Comma) ? this.more(first, this.element) : null;
    if (elts !== null) return { kind: "Tuple", elts, start, end: this.last.end, line };
    if (!this.RECORDING_PHASE && first.kind === "Starred") this.fail("star_alone", first);
    return first;
  });

  private readonly case: Rule<MatchCase> = this.RULE("case", (): MatchCase => {
    const { start, line } = asToken(this.CONSUME(T.Case));
    const pattern = this.SUBRULE(this.patterns);
    let guard: Expr | null = null;
    this.OPTION(() => {
      this.CONSUME(T.If);
      guard = this.SUBRULE(this.named);
    });
    const body = this.SUBRULE(this.block);
    return { kind: "MatchCase", pattern, guard, body, start, end: this.blockEnd, line };
  });

  // ---- functions and classes ----

  /** The decorators above the function or class that is read. */
  private decorators: readonly Expr[] = [];

  private readonly decorated: Rule<void> = this.RULE("decorated", (): void => {
    const outer = this.body;
    const decorators: Expr[] = [];
    this.AT_LEAST_ONE(() => {
      this.CONSUME(T.At);
      decorators.push(this.SUBRULE(this.named));
      this.CONSUME(T.Newline);
    });
    this.body = outer;
    this.decorators = decorators;
    this.OR([
      { ALT: () => this.SUBRULE(this.function) },
      { ALT: () => this.SUBRULE(this.class) },
      { ALT: () => this.SUBRULE(this.asyncFunction) },
    ]);
  });

  private readonly function: Rule<void> = this.RULE("function", (): void => {
    const { body: outer, decorators } = this;
    this.decorators = [];
    const { start, line } = asToken(this.CONSUME(T.Def));
    const name = this.CONSUME(T.Name).image;
    this.CONSUME(T.LParen);
    const args = this.SUBRULE(this.parameters);
    this.CONSUME(T.RParen);
    let returns: Expr | null = null;
    this.OPTION(() => {
      this.CONSUME(T.Arrow);
      returns = this.SUBRULE(this.expression);
    });
    const body = this.SUBRULE(this.block);
    const { blockEnd: end } = this;
    outer.push({ kind: "FunctionDef", name, args, body, decorators, returns, isAsync: false, start, end, line });
  });

  private readonly asyncFunction: Rule<void> = this.RULE("asyncFunction", (): void => {
    const { start, line } = asToken(this.CONSUME(T.Async));
    this.SUBRULE(this.function);
    this.makeAsync(start, line);
  });

  private readonly async: Rule<void> = this.RULE("async", (): void => {
    const { start, line } = asToken(this.CONSUME(T.Async));
    this.OR([
      { ALT: () => this.SUBRULE(this.function) },
      { ALT: () => this.SUBRULE(this.with) },
      { ALT: () => this.SUBRULE(this.for) },
    ]);
    this.makeAsync(start, line);
  });

  /** The statement read last has `async` before it. */
  private makeAsync(start: number, line: number): void {
    if (this.RECORDING_PHASE) return;
    const statement = this.body.pop() as Stmt;
    this.body.push({ ...statement, isAsync: true, start, line } as Stmt);
  }

  private checkBase(base: Expr | undefined, open: number): void {
    if (base?.kind === "GeneratorExp" && base.start === open) this.fail("base_generator", base);
  }

  private readonly class: Rule<void> = this.RULE("class", (): void => {
    const { body: outer, decorators } = this;
    this.decorators = [];
    const { start, line } = asToken(this.CONSUME(T.Class));
    const name = this.CONSUME(T.Name).image;
    let bases: readonly Expr[] = [];
    let keywords: readonly Keyword[] = [];
    this.OPTION(() => {
      const { start: open } = this.next;
      ({ args: bases, keywords } = this.SUBRULE(this.call));
      if (!this.RECORDING_PHASE) this.checkBase(bases[0], open);
    });
    const body = this.SUBRULE(this.block);
    outer.push({ kind: "ClassDef", name, bases, keywords, body, decorators, start, end: this.blockEnd, line });
  });
}

let parser: PythonParser | null = null;

export function parseModule(tokens: readonly Token[]): Module {
  parser ??= new PythonParser();
  return parser.parse(tokens);
}

/** The rules of the parser, for grammars that are made from them. */
export function pythonProductions(): Readonly<Record<string, GrammarRule>> {
  parser ??= new PythonParser();
  return parser.getGAstProductions();
}

/** A parser of its own, whose grammar chevrotain has checked. */
export function checkedParser(): PythonParser {
  return new PythonParser(true);
}
