/** Statements with blocks that branch, loop, and catch exceptions. */
import * as T from "../lexing/tokens.ts";
import { asToken, type Token } from "../lexing/tokens.ts";
import type { ExceptHandler, Expr, If, Stmt, WithItem } from "../tree.ts";
import type { Rule } from "./python-base.ts";
import { StatementParser } from "./statements.ts";
import { checkTarget } from "./targets.ts";
import { BEGINS_EXPRESSION } from "./token-sets.ts";

/** `elif` after `elif`: each is a level of the tree. */
const MAX_ELIFS = 500;

const OPENS = T.setOf([T.LParen, T.LBracket, T.LBrace]);
const CLOSES = T.setOf([T.RParen, T.RBracket, T.RBrace]);
const ENDS = T.setOf([T.Newline, T.End, T.Broken]);
/** Between the commas of a bracket these make it a value: `(x := 1)`, `(a for a in b)`, `(yield)`. */
const VALUE_ONLY = T.setOf([T.Walrus, T.For, T.Yield]);
const BEFORE_ITEM = T.setOf([T.LParen, T.Comma]);

export abstract class BlockParser extends StatementParser {
  protected abstract readonly block: Rule<Stmt[]>;

  private readonly otherwise: Rule<Stmt[]> = this.RULE("otherwise", (): Stmt[] => {
    let body: Stmt[] = [];
    this.OPTION(() => {
      this.CONSUME(T.Else);
      body = this.SUBRULE(this.block);
    });
    return body;
  });

  protected readonly if: Rule<void> = this.RULE("if", (): void => {
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

  protected readonly for: Rule<void> = this.RULE("for", (): void => {
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

  protected readonly while: Rule<void> = this.RULE("while", (): void => {
    const outer = this.body;
    const { start, line } = asToken(this.CONSUME(T.While));
    const test = this.SUBRULE(this.named);
    const body = this.SUBRULE(this.block);
    const orelse = this.SUBRULE(this.otherwise);
    const { blockEnd: end } = this;
    outer.push({ kind: "While", test, body, orelse, start, end, line });
  });

  protected readonly try: Rule<void> = this.RULE("try", (): void => {
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

  protected readonly with: Rule<void> = this.RULE("with", (): void => {
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
    this.row(BEGINS_EXPRESSION, () => {
      items.push(this.SUBRULE1(this.withItem));
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
}
