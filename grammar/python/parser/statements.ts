/** Statements of one line. Several may stand on a line, with `;` between them. */
import * as T from "../lexing/tokens.ts";
import { asToken, setOf, type Token } from "../lexing/tokens.ts";
import type { Alias, BinaryOperator, Expr, Stmt } from "../tree.ts";
import { PatternParser } from "./patterns.ts";
import type { Rule } from "./python-base.ts";
import { checkDeleted, checkSingle, checkTarget } from "./targets.ts";
import { EXPRESSION_BEGINS } from "./token-sets.ts";

/** What a statement of one line begins with. */
const BEGINS_SMALL = setOf([
  ...[...EXPRESSION_BEGINS, T.Star, T.Yield, T.Return, T.Pass, T.Break, T.Continue, T.Raise],
  ...[T.Import, T.From, T.Assert, T.Del, T.Global, T.Nonlocal],
]);
const BEGINS_MEMBER = setOf([T.Name]);
const CONTINUES_VALUE = setOf([T.Equal, T.Augmented, T.Colon]);

export abstract class StatementParser extends PatternParser {
  private readonly smallForms = [
    { ALT: (): Stmt => this.SUBRULE(this.valueStatement) },
    { ALT: (): Stmt => this.SUBRULE(this.return) },
    { ALT: (): Stmt => this.alone("Pass", asToken(this.CONSUME(T.Pass))) },
    { ALT: (): Stmt => this.alone("Break", asToken(this.CONSUME(T.Break))) },
    { ALT: (): Stmt => this.alone("Continue", asToken(this.CONSUME(T.Continue))) },
    { ALT: (): Stmt => this.SUBRULE(this.raise) },
    { ALT: (): Stmt => this.SUBRULE(this.import) },
    { ALT: (): Stmt => this.SUBRULE(this.importFrom) },
    { ALT: (): Stmt => this.SUBRULE(this.assert) },
    { ALT: (): Stmt => this.SUBRULE(this.delete) },
    { ALT: (): Stmt => this.SUBRULE(this.global) },
    { ALT: (): Stmt => this.SUBRULE(this.nonlocal) },
  ];
  private readonly small: Rule<Stmt> = this.RULE("small", (): Stmt => this.OR(this.smallForms));

  /** The statements of the block that is read. */
  protected body: Stmt[] = [];
  /** Where the line read last ends, without its comment: a statement with blocks ends with the last line of the last one. */
  protected blockEnd = 0;

  /** The statements of one line. */
  protected readonly line: Rule<void> = this.RULE("line", (): void => {
    const { body } = this;
    body.push(this.SUBRULE(this.small));
    this.body = body;
    this.row(BEGINS_SMALL, () => body.push(this.SUBRULE1(this.small)), T.Semicolon);
    this.blockEnd = this.last.end;
    this.CONSUME(T.Newline);
  });

  private alone(kind: "Pass" | "Break" | "Continue", { start, end, line }: Token): Stmt {
    return { kind, start, end, line };
  }

  // ---- values and assignments ----

  private readonly valueStatement: Rule<Stmt> = this.RULE("valueStatement", (): Stmt => {
    const first = this.next;
    const value = this.SUBRULE(this.value);
    let made: Stmt | null = null;
    if (this.RECORDING_PHASE || this.seesOneOf(CONTINUES_VALUE))
      this.OPTION(() => {
        made = this.OR([
          { ALT: () => this.assigned(value, first) },
          { ALT: () => this.augmented(value, first) },
          { ALT: () => this.annotated(value, first) },
        ]);
      });
    if (made !== null) return made;
    return { kind: "Expr", value, start: first.start, end: this.last.end, line: first.line };
  });

  private assigned(first: Expr, { start, line }: Token): Stmt {
    const targets: Expr[] = [];
    let last = first;
    this.AT_LEAST_ONE(() => {
      if (!this.RECORDING_PHASE) checkTarget(last);
      targets.push(last);
      this.CONSUME(T.Equal);
      last = this.SUBRULE1(this.value);
    });
    return { kind: "Assign", targets, value: last, start, end: this.last.end, line };
  }

  private augmented(target: Expr, { start, line }: Token): Stmt {
    if (!this.RECORDING_PHASE) checkSingle("target_augmented", target);
    const op = this.CONSUME(T.Augmented).image.slice(0, -1) as BinaryOperator;
    const value = this.SUBRULE2(this.value);
    return { kind: "AugAssign", target: target as never, op, value, start, end: this.last.end, line };
  }

  private annotated(target: Expr, { start, line }: Token): Stmt {
    if (!this.RECORDING_PHASE) checkSingle("target_annotated", target);
    this.CONSUME(T.Colon);
    const annotation = this.SUBRULE(this.expression);
    let value: Expr | null = null;
    this.OPTION1(() => {
      this.CONSUME1(T.Equal);
      value = this.SUBRULE3(this.value);
    });
    const simple = target.kind === "Name" && target.start === start;
    return { kind: "AnnAssign", target: target as never, annotation, value, simple, start, end: this.last.end, line };
  }

  // ---- the rest ----

  private readonly return: Rule<Stmt> = this.RULE("return", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.Return));
    let value: Expr | null = null;
    this.OPTION(() => {
      value = this.SUBRULE(this.expressions);
    });
    return { kind: "Return", value, start, end: this.last.end, line };
  });

  private readonly raise: Rule<Stmt> = this.RULE("raise", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.Raise));
    let exc: Expr | null = null;
    let cause: Expr | null = null;
    this.OPTION(() => {
      exc = this.SUBRULE(this.expression);
      this.OPTION1(() => {
        this.CONSUME(T.From);
        cause = this.SUBRULE1(this.expression);
      });
    });
    return { kind: "Raise", exc, cause, start, end: this.last.end, line };
  });

  private readonly assert: Rule<Stmt> = this.RULE("assert", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.Assert));
    const test = this.SUBRULE(this.expression);
    let msg: Expr | null = null;
    this.OPTION(() => {
      this.CONSUME(T.Comma);
      msg = this.SUBRULE1(this.expression);
    });
    return { kind: "Assert", test, msg, start, end: this.last.end, line };
  });

  private readonly delete: Rule<Stmt> = this.RULE("delete", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.Del));
    const first = this.SUBRULE(this.target);
    const targets = this.more(first, this.target);
    if (!this.RECORDING_PHASE) targets.forEach(checkDeleted);
    return { kind: "Delete", targets, start, end: this.last.end, line };
  });

  private names(): string[] {
    const names = [this.CONSUME(T.Name).image];
    this.MANY(() => {
      this.CONSUME(T.Comma);
      names.push(this.CONSUME1(T.Name).image);
    });
    return names;
  }

  private readonly global: Rule<Stmt> = this.RULE("global", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.Global));
    return { kind: "Global", names: this.names(), start, end: this.last.end, line };
  });

  private readonly nonlocal: Rule<Stmt> = this.RULE("nonlocal", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.Nonlocal));
    return { kind: "Nonlocal", names: this.names(), start, end: this.last.end, line };
  });

  // ---- imports ----

  private readonly import: Rule<Stmt> = this.RULE("import", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.Import));
    const names = [this.SUBRULE(this.module)];
    this.MANY(() => {
      this.CONSUME(T.Comma);
      names.push(this.SUBRULE1(this.module));
    });
    return { kind: "Import", names, start, end: this.last.end, line };
  });

  private readonly dottedName: Rule<string> = this.RULE("dottedName", (): string => {
    const parts = [this.CONSUME(T.Name).image];
    this.MANY(() => {
      this.CONSUME(T.Dot);
      parts.push(this.CONSUME1(T.Name).image);
    });
    return parts.join(".");
  });

  private readonly module: Rule<Alias> = this.RULE("module", (): Alias => {
    const { start, line } = this.next;
    const name = this.SUBRULE(this.dottedName);
    return this.alias(name, start, line);
  });

  private readonly member: Rule<Alias> = this.RULE("member", (): Alias => {
    const { start, line } = this.next;
    const name = this.CONSUME1(T.Name).image;
    return this.alias(name, start, line);
  });

  private alias(name: string, start: number, line: number): Alias {
    let asname: string | null = null;
    this.OPTION(() => {
      this.CONSUME(T.As);
      asname = this.CONSUME(T.Name).image;
    });
    return { kind: "Alias", name, asname, start, end: this.last.end, line };
  }

  private readonly importFrom: Rule<Stmt> = this.RULE("importFrom", (): Stmt => {
    const { start, line } = asToken(this.CONSUME(T.From));
    let level = 0;
    let module: string | null = null;
    this.MANY(() => {
      const dots = this.OR([{ ALT: () => this.CONSUME(T.Dot) }, { ALT: () => this.CONSUME(T.Ellipsis) }]);
      level += dots.image?.length ?? 0;
    });
    this.OPTION(() => {
      module = this.SUBRULE(this.dottedName);
    });
    if (module === null && level === 0 && !this.RECORDING_PHASE) this.fail("import_module", this.next);
    this.CONSUME(T.Import);
    const names = this.SUBRULE(this.members);
    return { kind: "ImportFrom", module, names, level, start, end: this.last.end, line };
  });

  /** `*`, or names; only those in brackets may end with a comma. */
  private readonly members: Rule<Alias[]> = this.RULE("members", () =>
    this.OR([
      {
        ALT: (): Alias[] => {
          const { start, end, line } = asToken(this.CONSUME(T.Star));
          return [{ kind: "Alias", name: "*", asname: null, start, end, line }];
        },
      },
      {
        ALT: (): Alias[] => {
          const names = [this.SUBRULE(this.member)];
          this.MANY(() => {
            this.CONSUME(T.Comma);
            if (this.sees(T.Newline)) this.fail("import_comma", this.last);
            names.push(this.SUBRULE1(this.member));
          });
          return names;
        },
      },
      {
        ALT: (): Alias[] => {
          this.CONSUME(T.LParen);
          const names = [this.SUBRULE2(this.member)];
          this.row(BEGINS_MEMBER, () => {
            names.push(this.SUBRULE3(this.member));
          });
          this.CONSUME(T.RParen);
          return names;
        },
      },
    ]),
  );
}
