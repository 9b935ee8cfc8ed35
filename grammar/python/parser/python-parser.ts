/** Statements with blocks, and files. A parser is made at first use and kept. */
import * as T from "../lexing/tokens.ts";
import { asToken, type Token } from "../lexing/tokens.ts";
import type { ExceptHandler, Expr, If, Keyword, MatchCase, Module, Stmt, WithItem } from "../tree.ts";
import type { Rule } from "./python-base.ts";
import { StatementParser } from "./statements.ts";
import { checkTarget } from "./targets.ts";

/** `elif` after `elif`: each is a level of the tree. */
const MAX_ELIFS = 1000;

class PythonParser extends StatementParser {
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
  private readonly block: Rule<Stmt[]> = this.RULE("block", (): Stmt[] => {
    const outer = this.body;
    const body: Stmt[] = [];
    this.body = body;
    this.CONSUME(T.Colon);
    this.OR(this.blockForms);
    this.body = outer;
    return body;
  });

  private readonly otherwise: Rule<Stmt[]> = this.RULE("otherwise", (): Stmt[] => {
    let body: Stmt[] = [];
    this.OPTION(() => {
      this.CONSUME(T.Else);
      body = this.SUBRULE(this.block);
    });
    return body;
  });

  private readonly if: Rule<void> = this.RULE("if", (): void => {
    const arms: { readonly word: Token; readonly test: Expr; readonly body: Stmt[] }[] = [];
    const outer = this.body;
    let word = asToken(this.CONSUME(T.If));
    arms.push({ word, test: this.SUBRULE(this.named), body: this.SUBRULE(this.block) });
    this.MANY(() => {
      word = asToken(this.CONSUME(T.Elif));
      if (arms.length > MAX_ELIFS) this.fail("elifs_too_many", word, { words: { most: String(MAX_ELIFS) } });
      arms.push({ word, test: this.SUBRULE1(this.named), body: this.SUBRULE1(this.block) });
    });
    let orelse: readonly Stmt[] = this.SUBRULE(this.otherwise);
    if (this.RECORDING_PHASE) return;
    const { blockEnd: end } = this;
    for (let at = arms.length - 1; at >= 0; at--) {
      const { word: first, test, body } = arms[at] as (typeof arms)[number];
      const made: If = { kind: "If", test, body, orelse, start: first.start, end, line: first.line };
      orelse = [made];
    }
    outer.push(...orelse);
  });

  private readonly for: Rule<void> = this.RULE("for", (): void => {
    const outer = this.body;
    const { start, line } = this.CONSUME(T.For) as never as Token;
    const target = this.SUBRULE(this.targets);
    this.CONSUME(T.In);
    const iter = this.SUBRULE(this.expressions);
    const body = this.SUBRULE(this.block);
    const orelse = this.SUBRULE(this.otherwise);
    const { blockEnd: end } = this;
    this.body = outer;
    outer.push({ kind: "For", target, iter, body, orelse, isAsync: false, start, end, line });
  });

  private readonly while: Rule<void> = this.RULE("while", (): void => {
    const outer = this.body;
    const { start, line } = asToken(this.CONSUME(T.While));
    const test = this.SUBRULE(this.named);
    const body = this.SUBRULE(this.block);
    const orelse = this.SUBRULE(this.otherwise);
    const { blockEnd: end } = this;
    outer.push({ kind: "While", test, body, orelse, start, end, line });
  });

  private readonly try: Rule<void> = this.RULE("try", (): void => {
    const outer = this.body;
    const word = asToken(this.CONSUME(T.Try));
    const { start, line } = word;
    const body = this.SUBRULE(this.block);
    const handlers: ExceptHandler[] = [];
    let orelse: Stmt[] = [];
    let finalbody: Stmt[] = [];
    this.MANY(() => {
      handlers.push(this.SUBRULE(this.handler));
      if (!this.RECORDING_PHASE && handlers.at(-2)?.type === null)
        this.fail("except_all_last", handlers.at(-2) as ExceptHandler);
    });
    if (handlers.length > 0 || this.RECORDING_PHASE) orelse = this.SUBRULE(this.otherwise);
    this.OPTION(() => {
      this.CONSUME(T.Finally);
      finalbody = this.SUBRULE1(this.block);
    });
    if (handlers.length + finalbody.length === 0 && !this.RECORDING_PHASE) this.fail("try_alone", word);
    const { blockEnd: end } = this;
    outer.push({ kind: "Try", body, handlers, orelse, finalbody, start, end, line });
  });

  private readonly handler: Rule<ExceptHandler> = this.RULE("handler", (): ExceptHandler => {
    const { start, line } = asToken(this.CONSUME(T.Except));
    if (this.sees(T.Star)) this.fail("except_star", this.next);
    let type: Expr | null = null;
    let name: string | null = null;
    this.OPTION(() => {
      type = this.SUBRULE(this.expression);
      this.OPTION1(() => {
        this.CONSUME(T.As);
        name = this.CONSUME(T.Name).image;
      });
    });
    const body = this.SUBRULE(this.block);
    return { kind: "ExceptHandler", type, name, body, start, end: this.blockEnd, line };
  });

  // ---- with ----

  private readonly with: Rule<void> = this.RULE("with", (): void => {
    const outer = this.body;
    const { start, line } = asToken(this.CONSUME(T.With));
    const items = this.SUBRULE(this.withItems);
    const body = this.SUBRULE(this.block);
    outer.push({ kind: "With", items, body, isAsync: false, start, end: this.blockEnd, line });
  });

  private readonly withItems: Rule<WithItem[]> = this.RULE("withItems", () =>
    this.OR([
      {
        GATE: () => this.enclosesItems(),
        ALT: (): WithItem[] => this.SUBRULE(this.enclosedItems),
      },
      {
        ALT: (): WithItem[] => {
          const items = [this.SUBRULE(this.withItem)];
          this.MANY(() => {
            this.CONSUME(T.Comma);
            items.push(this.SUBRULE1(this.withItem));
          });
          return items;
        },
      },
    ]),
  );

  /** Whether the bracket that comes next closes before the colon, with items in it and not the parts of one value. */
  private enclosesItems(): boolean {
    let depth = 0;
    let distance = 1;
    let isValue = false;
    for (; ; distance++) {
      const { tokenTypeIdx } = this.LA(distance);
      if (OPENS[tokenTypeIdx] === 1) depth++;
      else if (CLOSES[tokenTypeIdx] === 1) {
        depth--;
        if (depth === 0) break;
      } else if (ENDS[tokenTypeIdx] === 1) return false;
      else if (depth === 1 && tokenTypeIdx === T.As.tokenTypeIdx) return this.closesBeforeColon(distance);
      else if (depth === 1 && VALUE_ONLY[tokenTypeIdx] === 1) isValue = true;
      else if (depth === 1 && tokenTypeIdx === T.Star.tokenTypeIdx)
        isValue ||= BEFORE_ITEM[this.LA(distance - 1).tokenTypeIdx] === 1;
    }
    return !isValue && distance > 2 && this.LA(distance + 1).tokenTypeIdx === T.Colon.tokenTypeIdx;
  }

  private closesBeforeColon(from: number): boolean {
    let depth = 1;
    let distance = from;
    while (depth > 0) {
      distance++;
      const { tokenTypeIdx } = this.LA(distance);
      if (OPENS[tokenTypeIdx] === 1) depth++;
      else if (CLOSES[tokenTypeIdx] === 1) depth--;
      else if (ENDS[tokenTypeIdx] === 1) return false;
    }
    return this.LA(distance + 1).tokenTypeIdx === T.Colon.tokenTypeIdx;
  }

  private readonly enclosedItems: Rule<WithItem[]> = this.RULE("enclosedItems", (): WithItem[] => {
    this.CONSUME(T.LParen);
    const items = [this.SUBRULE(this.withItem)];
    let ended = false;
    this.MANY({
      GATE: () => !ended,
      DEF: () => {
        this.CONSUME(T.Comma);
        ended = true;
        this.OPTION(() => {
          ended = false;
          items.push(this.SUBRULE1(this.withItem));
        });
      },
    });
    this.CONSUME(T.RParen);
    return items;
  });

  private readonly withItem: Rule<WithItem> = this.RULE("withItem", (): WithItem => {
    const { start, line } = this.next;
    const context = this.SUBRULE(this.expression);
    let target: Expr | null = null;
    this.OPTION(() => {
      this.CONSUME(T.As);
      const made = this.SUBRULE(this.target);
      if (!this.RECORDING_PHASE) checkTarget(made);
      target = made;
    });
    return { kind: "WithItem", context, target, start, end: this.last.end, line };
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
    let elts: Expr[] | null = null;
    this.OPTION(() => {
      elts = this.more(first, this.element);
    });
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

const OPENS = T.setOf([T.LParen, T.LBracket, T.LBrace]);
const CLOSES = T.setOf([T.RParen, T.RBracket, T.RBrace]);
const ENDS = T.setOf([T.Newline, T.End, T.Broken]);
/** Between the commas of a bracket these make it a value: `(x := 1)`, `(a for a in b)`, `(yield)`. */
const VALUE_ONLY = T.setOf([T.Walrus, T.For, T.Yield]);
const BEFORE_ITEM = T.setOf([T.LParen, T.Comma]);

let parser: PythonParser | null = null;

export function parseTokens(tokens: readonly Token[]): Module {
  parser ??= new PythonParser();
  return parser.parse(tokens);
}

/** A parser of its own, whose grammar chevrotain has checked. */
export function checkedParser(): PythonParser {
  return new PythonParser(true);
}
