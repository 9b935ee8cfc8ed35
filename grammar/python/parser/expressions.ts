/**
 * Expressions. Rules follow CPython's grammar where one token decides; where it does not, a rule reads more than is allowed and its action
 * refuses what is too much. Most expressions are a single operand, so each rule looks first whether there is anything else to read.
 */
import * as T from "../lexing/tokens.ts";
import { asToken, type Token } from "../lexing/tokens.ts";
import type { Arguments, Call, Comprehension, Expr } from "../tree.ts";
import { BITWISE_OR, Row } from "./precedence.ts";
import { PythonBase, type Rule } from "./python-base.ts";
import { checkTarget } from "./targets.ts";
import { BEGINS_ITEM, INFIX, PREFIX, TRAILER } from "./token-sets.ts";

/** An operand alone binds more tightly than every operator. */
const LOOSEST_OF_OPERAND = 99;

/** Lambdas in lambdas. */
const MAX_LAMBDAS = 50;

export abstract class ExpressionParser extends PythonBase {
  private lambdas = 0;
  /** The operand that the next trailer belongs to, and where it begins. */
  private head: Expr | null = null;
  private headAt: Token | null = null;

  /** The same for every file, whatever the one before ended with. */
  protected restart(): void {
    this.lambdas = 0;
  }

  // ---- conditional expressions, lambdas, assignments in expressions ----

  private readonly expressionForms = [
    { ALT: () => this.SUBRULE(this.lambda) },
    { ALT: () => this.SUBRULE(this.operation) },
  ];
  private readonly otherwiseForms = [
    { ALT: () => this.SUBRULE1(this.lambda) },
    { ALT: () => this.SUBRULE2(this.operation) },
  ];

  /** `a if c else b`, and everything that binds more tightly; or a lambda. */
  protected readonly expression: Rule<Expr> = this.RULE("expression", (): Expr => {
    const first = this.next;
    const isLambda = this.seesMore(T.Lambda);
    const value: Expr = isLambda ? this.OR(this.expressionForms) : this.SUBRULE(this.operation);
    return this.seesMore(T.If) ? this.choice(first, value) : value;
  });

  /** `else` is followed by another conditional as often as one likes. */
  private choice(first: Token, value: Expr): Expr {
    const parts: { readonly value: Expr; readonly test: Expr; readonly first: Token }[] = [];
    let at = first;
    let last = value;
    this.MANY(() => {
      this.CONSUME(T.If);
      const test = this.SUBRULE1(this.operation);
      this.CONSUME(T.Else);
      parts.push({ value: last, test, first: at });
      at = this.next;
      last = this.OR1(this.otherwiseForms);
    });
    const { end } = this.last;
    return parts.reduceRight<Expr>(
      (orelse, { value: body, test, first: { start, line } }) => ({
        kind: "IfExp",
        test,
        body,
        orelse,
        start,
        end,
        line,
      }),
      last,
    );
  }

  protected readonly lambda: Rule<Expr> = this.RULE("lambda", (): Expr => {
    const { start, line } = asToken(this.CONSUME(T.Lambda));
    if (++this.lambdas > MAX_LAMBDAS) this.fail("expression_too_deep", this.last);
    const args = this.SUBRULE(this.lambdaParameters);
    this.CONSUME(T.Colon);
    const body = this.SUBRULE(this.expression);
    this.lambdas--;
    return { kind: "Lambda", args, body, start, end: this.last.end, line };
  });

  protected abstract readonly lambdaParameters: Rule<Arguments>;

  /** `name := value`, or an expression. */
  protected readonly named: Rule<Expr> = this.RULE("named", (): Expr => {
    const first = this.next;
    const target = this.SUBRULE(this.expression);
    if (!this.seesMore(T.Walrus)) return target;
    let value = target;
    this.OPTION(() => {
      this.CONSUME(T.Walrus);
      value = this.SUBRULE1(this.expression);
    });
    if (this.RECORDING_PHASE) return target;
    // Brackets around the name are not allowed either.
    if (target.kind !== "Name" || target.start !== first.start) this.fail("walrus_target", target);
    return { kind: "NamedExpr", target, value, start: first.start, end: this.last.end, line: first.line };
  });

  // ---- operators ----

  private readonly signs = [
    { ALT: () => this.CONSUME(T.Not) },
    { ALT: () => this.CONSUME(T.Minus) },
    { ALT: () => this.CONSUME(T.Plus) },
    { ALT: () => this.CONSUME(T.Tilde) },
  ];
  private readonly infixes = [
    { ALT: (): string => this.CONSUME(T.Infix).image },
    { ALT: (): string => this.CONSUME1(T.Plus).image },
    { ALT: (): string => this.CONSUME1(T.Minus).image },
    { ALT: (): string => this.CONSUME(T.Star).image },
    { ALT: (): string => this.CONSUME(T.DoubleStar).image },
    { ALT: (): string => this.CONSUME(T.Slash).image },
    { ALT: (): string => this.CONSUME(T.At).image },
    { ALT: (): string => this.CONSUME(T.Pipe).image },
    { ALT: (): string => this.CONSUME(T.And).image },
    { ALT: (): string => this.CONSUME(T.Or).image },
    { ALT: (): string => this.CONSUME(T.In).image },
    {
      ALT: (): string => {
        this.CONSUME1(T.Not);
        this.CONSUME1(T.In);
        return "not in";
      },
    },
    {
      ALT: (): string => {
        this.CONSUME(T.Is);
        let text = "is";
        this.OPTION1(() => {
          this.CONSUME2(T.Not);
          text = "is not";
        });
        return text;
      },
    },
  ];

  /** The loosest operator of the operation read last, as `precedence.ts` counts them. */
  private loosest = 0;

  /** Operands and operators in a row, however many. */
  protected readonly operation: Rule<Expr> = this.RULE("operation", (): Expr => {
    if (!this.RECORDING_PHASE && !this.seesOneOf(PREFIX)) {
      const only = this.next;
      const value = this.SUBRULE(this.operand);
      this.loosest = LOOSEST_OF_OPERAND;
      return this.seesOneOf(INFIX) ? this.continued(value, only) : value;
    }
    const row = new Row();
    this.MANY(() => row.prefix(asToken(this.OR(this.signs))));
    let first = this.next;
    row.operand(this.SUBRULE(this.operand), first, this.last);
    this.MANY1(() => {
      row.infix(this.OR1(this.infixes));
      this.MANY2(() => row.prefix(asToken(this.OR2(this.signs2))));
      first = this.next;
      row.operand(this.SUBRULE1(this.operand), first, this.last);
    });
    if (this.RECORDING_PHASE) return null as never;
    this.loosest = row.loosest;
    return row.finish();
  });

  /** The operators and operands after the first one. */
  private continued(value: Expr, only: Token): Expr {
    const row = new Row();
    row.operand(value, only, this.last);
    while (this.seesOneOf(INFIX)) {
      row.infix(this.OR1(this.infixes));
      while (this.seesOneOf(PREFIX)) row.prefix(asToken(this.OR2(this.signs2)));
      const first = this.next;
      row.operand(this.SUBRULE1(this.operand), first, this.last);
    }
    this.loosest = row.loosest;
    return row.finish();
  }
  private readonly signs2 = [
    { ALT: () => this.CONSUME3(T.Not) },
    { ALT: () => this.CONSUME3(T.Minus) },
    { ALT: () => this.CONSUME3(T.Plus) },
    { ALT: () => this.CONSUME1(T.Tilde) },
  ];

  // ---- operands ----

  private readonly atoms = [
    { ALT: (): Expr => this.nameFrom(asToken(this.CONSUME(T.Name))) },
    { ALT: (): Expr => this.SUBRULE(this.literal) },
    { ALT: (): Expr => this.SUBRULE(this.group) },
    { ALT: (): Expr => this.SUBRULE(this.list) },
    { ALT: (): Expr => this.SUBRULE(this.braces) },
  ];

  protected abstract readonly literal: Rule<Expr>;
  protected abstract readonly group: Rule<Expr>;
  protected abstract readonly list: Rule<Expr>;
  protected abstract readonly braces: Rule<Expr>;
  protected abstract readonly subscript: Rule<Expr>;
  protected abstract readonly call: Rule<Pick<Call, "args" | "keywords">>;

  private readonly trailers = [
    {
      ALT: (): Expr => {
        const { head, headAt } = this;
        this.CONSUME(T.Dot);
        const { image, end } = asToken(this.CONSUME1(T.Name));
        const { start, line } = headAt as Token;
        return { kind: "Attribute", value: head as Expr, attr: image, start, end, line };
      },
    },
    {
      ALT: (): Expr => {
        const { head, headAt } = this;
        const { args, keywords } = this.SUBRULE(this.call);
        const { start, line } = headAt as Token;
        return { kind: "Call", func: head as Expr, args, keywords, start, end: this.last.end, line };
      },
    },
    {
      ALT: (): Expr => {
        const { head, headAt } = this;
        const slice = this.SUBRULE(this.subscript);
        const { start, line } = headAt as Token;
        return { kind: "Subscript", value: head as Expr, slice, start, end: this.last.end, line };
      },
    },
  ];

  /** A value with what follows it: `await f(x)[0].name`. */
  protected readonly operand: Rule<Expr> = this.RULE("operand", (): Expr => {
    let first = this.next;
    let wait: Token | null = null;
    if (this.seesMore(T.Await))
      this.OPTION(() => {
        wait = asToken(this.CONSUME(T.Await));
        first = this.next;
      });
    let value: Expr = this.sees(T.Name) ? this.nameFrom(asToken(this.CONSUME(T.Name))) : this.OR(this.atoms);
    if (this.RECORDING_PHASE || this.seesOneOf(TRAILER))
      this.MANY(() => {
        this.head = value;
        this.headAt = first;
        value = this.OR1(this.trailers);
      });
    if (wait === null || this.RECORDING_PHASE) return value;
    const { start, line } = wait;
    return { kind: "Await", value, start, end: this.last.end, line };
  });

  // ---- rows of expressions ----

  /** What `*` and `**` unpack in a display: comparisons, `not`, `and` and `or` need brackets. */
  protected readonly unpacked: Rule<Expr> = this.RULE("unpacked", (): Expr => {
    const first = this.next;
    const value = this.SUBRULE(this.operation);
    if (!this.RECORDING_PHASE && first.start === value.start && this.loosest < BITWISE_OR)
      this.fail("star_operand", value);
    return value;
  });

  /** `*value`. */
  protected readonly starred: Rule<Expr> = this.RULE("starred", (): Expr => {
    const { start, line } = asToken(this.CONSUME(T.Star));
    const value = this.SUBRULE(this.unpacked);
    return { kind: "Starred", value, start, end: this.last.end, line };
  });

  private readonly elementForms = [{ ALT: () => this.SUBRULE(this.starred) }, { ALT: () => this.SUBRULE(this.named) }];
  /** What stands between the commas of brackets. */
  protected readonly element: Rule<Expr> = this.RULE(
    "element",
    (): Expr => (this.seesMore(T.Star) ? this.OR(this.elementForms) : this.SUBRULE(this.named)),
  );

  private readonly itemForms = [
    { ALT: () => this.SUBRULE(this.starred) },
    { ALT: () => this.SUBRULE(this.expression) },
  ];
  private readonly item: Rule<Expr> = this.RULE(
    "item",
    (): Expr => (this.seesMore(T.Star) ? this.OR(this.itemForms) : this.SUBRULE(this.expression)),
  );

  /** Expressions without brackets around them; more than one, or a comma, are a tuple. */
  protected readonly expressions: Rule<Expr> = this.RULE("expressions", (): Expr => {
    const first = this.next;
    const value = this.SUBRULE(this.item);
    if (!this.seesMore(T.Comma)) {
      if (value.kind === "Starred") this.fail("star_alone", value);
      return value;
    }
    const elts = this.more(value, this.item);
    return { kind: "Tuple", elts, start: first.start, end: this.last.end, line: first.line };
  });

  /** The first of a row and those after commas. */
  protected more(first: Expr, rule: Rule<Expr>, begins = BEGINS_ITEM): Expr[] {
    const items = [first];
    this.row(begins, () => items.push(this.SUBRULE9(rule)));
    return items;
  }

  private readonly yieldForms = [
    {
      ALT: (): Expr => {
        this.CONSUME(T.From);
        return this.SUBRULE(this.expression);
      },
    },
    { ALT: (): Expr => this.SUBRULE(this.expressions) },
  ];

  protected readonly yield: Rule<Expr> = this.RULE("yield", (): Expr => {
    const { start, line } = asToken(this.CONSUME(T.Yield));
    const isFrom = this.sees(T.From);
    let value: Expr | null = null;
    this.OPTION(() => {
      value = this.OR(this.yieldForms);
    });
    const { end } = this.last;
    if (isFrom) return { kind: "YieldFrom", value: value as never as Expr, start, end, line };
    return { kind: "Yield", value, start, end, line };
  });

  private readonly valueForms = [
    { ALT: () => this.SUBRULE(this.yield) },
    { ALT: () => this.SUBRULE(this.expressions) },
  ];
  /** What may follow `=`, and alone as a statement. */
  protected readonly value: Rule<Expr> = this.RULE(
    "value",
    (): Expr => (this.seesMore(T.Yield) ? this.OR(this.valueForms) : this.SUBRULE(this.expressions)),
  );

  // ---- comprehensions ----

  protected readonly clauses: Rule<Comprehension[]> = this.RULE("clauses", (): Comprehension[] => {
    const clauses: Comprehension[] = [];
    this.AT_LEAST_ONE(() => {
      const { start, line } = this.next;
      let isAsync = false;
      this.OPTION(() => {
        this.CONSUME(T.Async);
        isAsync = true;
      });
      this.CONSUME(T.For);
      const target = this.SUBRULE(this.targets);
      this.CONSUME(T.In);
      const iter = this.SUBRULE(this.operation);
      const ifs: Expr[] = [];
      this.MANY(() => {
        this.CONSUME(T.If);
        ifs.push(this.SUBRULE1(this.operation));
      });
      clauses.push({ kind: "Comprehension", target, iter, ifs, isAsync, start, end: this.last.end, line });
    });
    return clauses;
  });

  /** One target of `for`, `with` or `del`, not yet checked. */
  protected readonly target: Rule<Expr> = this.RULE("target", (): Expr => {
    const { start, line } = this.next;
    let isStarred = false;
    this.OPTION(() => {
      this.CONSUME(T.Star);
      isStarred = true;
    });
    const value = this.SUBRULE(this.operand);
    return isStarred ? { kind: "Starred", value, start, end: this.last.end, line } : value;
  });

  /** The targets of `for`. */
  protected readonly targets: Rule<Expr> = this.RULE("targets", (): Expr => {
    const { start, line } = this.next;
    const first = this.SUBRULE(this.target);
    const isRow = this.seesMore(T.Comma);
    const elts = isRow ? this.more(first, this.target) : [];
    const target: Expr = !isRow ? first : { kind: "Tuple", elts, start, end: this.last.end, line };
    if (!this.RECORDING_PHASE) checkTarget(target);
    return target;
  });

  // ---- what the rules make ----

  protected nameFrom({ image, start, end, line }: Token): Expr {
    return { kind: "Name", id: image, start, end, line };
  }

  /** Whether the token comes next; while the grammar is recorded everything does. */
  protected seesMore(type: Parameters<ExpressionParser["sees"]>[0]): boolean {
    return this.RECORDING_PHASE || this.sees(type);
  }
}
