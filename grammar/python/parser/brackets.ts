/** What stands in brackets: groups, tuples, lists, dicts, sets, comprehensions, arguments, subscripts. */
import * as T from "../lexing/tokens.ts";
import { asToken, setOf, type Token } from "../lexing/tokens.ts";
import type { Call, Comprehension, Expr, Keyword, Slice } from "../tree.ts";
import { ExpressionParser } from "./expressions.ts";
import type { Rule } from "./python-base.ts";
import { BEGINS_ARGUMENT, BEGINS_EXPRESSION, BEGINS_SLICE } from "./token-sets.ts";

export type Content = {
  readonly elts: readonly Expr[];
  readonly hasComma: boolean;
  readonly clauses: readonly Comprehension[] | null;
};

const BEGINS_CLAUSE = setOf([T.For, T.Async]);
const UNPACKS = setOf([T.Star, T.DoubleStar]);
const EMPTY: Content = { elts: [], hasComma: false, clauses: null };

export abstract class BracketParser extends ExpressionParser {
  /** The elements of `( )` and `[ ]`, or a comprehension. */
  protected readonly content: Rule<Content> = this.RULE("content", (): Content => {
    const first = this.SUBRULE(this.element);
    if (this.RECORDING_PHASE)
      this.OR([{ ALT: () => this.SUBRULE(this.clauses) }, { ALT: () => this.more(first, this.element) }]);
    else if (this.seesOneOf(BEGINS_CLAUSE)) {
      if (first.kind === "Starred") this.fail("star_in_comprehension", first);
      return { elts: [first], hasComma: false, clauses: this.SUBRULE(this.clauses) };
    } else if (this.sees(T.Comma)) return { elts: this.more(first, this.element), hasComma: true, clauses: null };
    return { elts: [first], hasComma: false, clauses: null };
  });

  protected readonly group: Rule<Expr> = this.RULE("group", (): Expr => {
    const open = asToken(this.CONSUME(T.LParen));
    let content: Content | null = null;
    let value: Expr | null = null;
    if (this.RECORDING_PHASE)
      this.OPTION(() => this.OR([{ ALT: () => this.SUBRULE(this.yield) }, { ALT: () => this.SUBRULE(this.content) }]));
    else if (this.sees(T.Yield)) value = this.SUBRULE(this.yield);
    else if (!this.sees(T.RParen)) content = this.SUBRULE(this.content);
    this.CONSUME(T.RParen);
    return value ?? this.grouped(open, content);
  });

  /** What `(…)` means. */
  protected grouped({ start, line }: Token, content: Content | null): Expr {
    const { end } = this.last;
    if (this.RECORDING_PHASE) return null as never;
    if (content === null) return { kind: "Tuple", elts: [], start, end, line };
    const { elts, hasComma, clauses } = content;
    const [first] = elts as [Expr];
    if (clauses !== null) return { kind: "GeneratorExp", elt: first, generators: clauses, start, end, line };
    if (hasComma) return { kind: "Tuple", elts, start, end, line };
    if (first.kind === "Starred") this.fail("star_alone", first);
    return first;
  }

  protected readonly list: Rule<Expr> = this.RULE("list", (): Expr => {
    const { start, line } = asToken(this.CONSUME(T.LBracket));
    let content: Content | null = null;
    if (this.RECORDING_PHASE) this.OPTION(() => this.SUBRULE(this.content));
    else if (!this.sees(T.RBracket)) content = this.SUBRULE(this.content);
    this.CONSUME(T.RBracket);
    const { end } = this.last;
    const { elts, clauses } = (content ?? EMPTY) as Content;
    if (this.RECORDING_PHASE) return null as never;
    if (clauses !== null) return { kind: "ListComp", elt: elts[0] as Expr, generators: clauses, start, end, line };
    return { kind: "List", elts, start, end, line };
  });

  // ---- dicts and sets ----

  protected readonly braces: Rule<Expr> = this.RULE("braces", (): Expr => {
    const open = asToken(this.CONSUME(T.LBrace));
    const keys: (Expr | null)[] = [];
    const values: Expr[] = [];
    if (this.RECORDING_PHASE) this.OPTION(() => this.SUBRULE(this.entries));
    let clauses: Comprehension[] | null = null;
    let isSet = false;
    if (!this.RECORDING_PHASE && !this.sees(T.RBrace)) {
      isSet = this.readEntry(keys, values);
      if (this.seesOneOf(BEGINS_CLAUSE)) clauses = this.SUBRULE(this.clauses);
      else
        this.row(BEGINS_ARGUMENT, () => {
          if (this.readEntry(keys, values) !== isSet) this.fail("dict_or_set", this.last);
        });
    }
    this.CONSUME(T.RBrace);
    if (this.RECORDING_PHASE) return null as never;
    return this.braced(open, { keys, values, isSet, clauses });
  });

  /** Recorded for the grammar alone: `braces` reads what it holds. */
  private readonly entries: Rule<void> = this.RULE("entries", (): void => {
    this.SUBRULE(this.entry);
    this.OR([
      { ALT: () => this.SUBRULE(this.clauses) },
      { ALT: () => this.row(BEGINS_ARGUMENT, () => this.SUBRULE1(this.entry)) },
    ]);
  });

  private entryKey: Expr | null = null;
  private entryValue: Expr | null = null;

  /** Returns whether it is an element of a set. */
  private readEntry(keys: (Expr | null)[], values: Expr[]): boolean {
    const kind = this.SUBRULE(this.entry);
    keys.push(this.entryKey);
    values.push(this.entryValue as Expr);
    return kind === "element";
  }

  /** `key: value`, `**mapping`, or an element of a set. */
  private readonly entry: Rule<"entry" | "mapping" | "element"> = this.RULE("entry", () =>
    this.OR([
      {
        ALT: () => {
          this.CONSUME(T.DoubleStar);
          const value = this.SUBRULE(this.unpacked);
          this.entryKey = null;
          this.entryValue = value;
          return "mapping" as const;
        },
      },
      {
        ALT: () => {
          const first = this.next;
          const key = this.SUBRULE(this.element);
          let value: Expr | null = null;
          this.OPTION(() => {
            this.CONSUME(T.Colon);
            if (!this.RECORDING_PHASE) this.checkKey(key, first);
            value = this.SUBRULE(this.expression);
          });
          this.entryKey = key;
          this.entryValue = value ?? key;
          return value === null ? ("element" as const) : ("entry" as const);
        },
      },
    ]),
  );

  private checkKey(key: Expr, first: Token): void {
    const isBare = key.start === first.start;
    if (key.kind === "Starred" || (key.kind === "NamedExpr" && isBare)) this.fail("dict_key", key);
  }

  private braced(
    { start, line }: Token,
    {
      keys,
      values,
      isSet,
      clauses,
    }: {
      readonly keys: readonly (Expr | null)[];
      readonly values: readonly Expr[];
      readonly isSet: boolean;
      readonly clauses: readonly Comprehension[] | null;
    },
  ): Expr {
    const { end } = this.last;
    if (clauses === null) {
      if (isSet) return { kind: "Set", elts: values, start, end, line };
      return { kind: "Dict", keys, values, start, end, line };
    }
    const [key] = keys;
    const [value] = values as [Expr];
    if (key === null || value.kind === "Starred") this.fail("star_in_comprehension", value);
    if (isSet) return { kind: "SetComp", elt: value, generators: clauses, start, end, line };
    return { kind: "DictComp", key: key as Expr, value, generators: clauses, start, end, line };
  }

  // ---- calls ----

  protected readonly call: Rule<Pick<Call, "args" | "keywords">> = this.RULE("call", () => {
    const open = asToken(this.CONSUME(T.LParen));
    const args: Expr[] = [];
    const keywords: Keyword[] = [];
    let generator: Expr | null = null;
    const take = (argument: Expr | Keyword): void => {
      generator = this.argumentInto(args, keywords, argument) ?? generator;
    };
    const readAll = (): void => {
      take(this.SUBRULE(this.argument));
      this.row(BEGINS_ARGUMENT, () => take(this.SUBRULE1(this.argument)));
    };
    if (this.RECORDING_PHASE) this.OPTION(readAll);
    else if (!this.sees(T.RParen)) readAll();
    const hasComma = !this.RECORDING_PHASE && (this.last.image === "," || args.length + keywords.length > 1);
    this.CONSUME(T.RParen);
    if (generator !== null) this.closeGenerator(generator, args, open, hasComma);
    return { args, keywords };
  });

  /** A comprehension as the only argument needs no brackets of its own, and has those of the call. */
  private closeGenerator(generator: Expr, args: Expr[], { start, line }: Token, hasOthers: boolean): void {
    const edits = [
      { start: generator.start, end: generator.start, text: "(" },
      { start: generator.end, end: generator.end, text: ")" },
    ];
    if (hasOthers) this.fail("generator_bare", generator, { fix: { title: "put it in brackets", edits } });
    args[0] = { ...generator, start, end: this.last.end, line } as Expr;
  }

  /** What the positional argument read last is. */
  private argumentKind: "value" | "star" | "generator" = "value";

  /** Puts the argument where it belongs; returns it if it is a comprehension without brackets. */
  private argumentInto(args: Expr[], keywords: Keyword[], argument: Expr | Keyword): Expr | null {
    if (this.RECORDING_PHASE) return null;
    if (argument.kind === "Keyword") {
      keywords.push(argument);
      return null;
    }
    const before = keywords.at(-1);
    if (before !== undefined) {
      const isUnpacked = keywords.some(({ arg }) => arg === null);
      if (argument.kind === "Starred" && this.argumentKind === "star") {
        if (isUnpacked) this.fail("argument_star_after_mapping", argument);
      } else this.fail(isUnpacked ? "argument_after_mapping" : "argument_after_keyword", argument);
    }
    args.push(argument);
    return this.argumentKind === "generator" ? argument : null;
  }

  private readonly unpackedArguments = [
    {
      ALT: (): Expr => {
        const { start, line } = asToken(this.CONSUME(T.Star));
        const value = this.SUBRULE(this.expression);
        this.argumentKind = "star";
        return { kind: "Starred", value, start, end: this.last.end, line };
      },
    },
    {
      ALT: (): Keyword => {
        const { start, line } = asToken(this.CONSUME(T.DoubleStar));
        const value = this.SUBRULE1(this.expression);
        return { kind: "Keyword", arg: null, value, start, end: this.last.end, line };
      },
    },
    { ALT: (): Expr | Keyword => this.valueOrKeyword() },
  ];
  private readonly argument: Rule<Expr | Keyword> = this.RULE("argument", (): Expr | Keyword =>
    this.RECORDING_PHASE || this.seesOneOf(UNPACKS) ? this.OR(this.unpackedArguments) : this.valueOrKeyword(),
  );

  private valueOrKeyword(): Expr | Keyword {
    const first = this.next;
    const value = this.SUBRULE(this.named);
    this.argumentKind = "value";
    if (this.RECORDING_PHASE)
      this.OPTION(() =>
        this.OR1([{ ALT: () => this.keyword(value, first) }, { ALT: () => this.generator(value, first) }]),
      );
    if (this.sees(T.Equal)) return this.keyword(value, first);
    return this.seesOneOf(BEGINS_CLAUSE) ? this.generator(value, first) : value;
  }

  private keyword(name: Expr, { start, line }: Token): Keyword {
    this.CONSUME(T.Equal);
    // Brackets around the name are not allowed either.
    if (!this.RECORDING_PHASE && (name.kind !== "Name" || name.start !== start)) this.fail("argument_name", name);
    const value = this.SUBRULE2(this.expression);
    const arg = name.kind === "Name" ? name.id : "";
    return { kind: "Keyword", arg, value, start, end: this.last.end, line };
  }

  private generator(elt: Expr, { start, line }: Token): Expr {
    const generators = this.SUBRULE(this.clauses);
    this.argumentKind = "generator";
    return { kind: "GeneratorExp", elt, generators, start, end: this.last.end, line };
  }

  // ---- subscripts ----

  protected readonly subscript: Rule<Expr> = this.RULE("subscript", (): Expr => {
    this.CONSUME(T.LBracket);
    const { start, line } = this.next;
    const first = this.SUBRULE(this.slice);
    const elts = this.seesMore(T.Comma) ? this.more(first, this.slice, BEGINS_SLICE) : null;
    const { end } = this.last;
    this.CONSUME(T.RBracket);
    if (elts !== null) return { kind: "Tuple", elts, start, end, line };
    // `a[*b]` is a tuple of one.
    if (first.kind === "Starred") return { kind: "Tuple", elts: [first], start, end, line };
    return first;
  });

  /** `i`, `*i`, `a:b`, `a:b:c`; every part of the last two may be missing. */
  private readonly slice: Rule<Expr> = this.RULE("slice", (): Expr => {
    const first = this.next;
    if (this.RECORDING_PHASE) {
      this.OR([
        {
          ALT: () => {
            this.SUBRULE(this.element);
            this.OPTION(() => this.SUBRULE(this.bounds));
          },
        },
        { ALT: () => this.SUBRULE1(this.bounds) },
      ]);
      return null as never;
    }
    const lower = this.sees(T.Colon) ? null : this.SUBRULE(this.element);
    if (!this.sees(T.Colon)) return lower as Expr;
    if (lower !== null) this.checkBound(lower, first);
    return { ...this.SUBRULE(this.bounds), lower, start: first.start, line: first.line };
  });

  private checkBound(value: Expr, first: Token): void {
    const isBare = value.start === first.start;
    if (isBare && (value.kind === "Starred" || value.kind === "NamedExpr")) this.fail("slice_bound", value);
  }

  private readonly bounds: Rule<Slice> = this.RULE("bounds", (): Slice => {
    const { start, line } = asToken(this.CONSUME(T.Colon));
    let upper: Expr | null = null;
    let step: Expr | null = null;
    if (this.RECORDING_PHASE) {
      this.OPTION(() => this.SUBRULE(this.expression));
      this.OPTION1(() => {
        this.CONSUME1(T.Colon);
        this.OPTION2(() => this.SUBRULE1(this.expression));
      });
    }
    if (this.seesOneOf(BEGINS_EXPRESSION)) upper = this.SUBRULE(this.expression);
    if (this.sees(T.Colon)) {
      this.CONSUME1(T.Colon);
      if (this.seesOneOf(BEGINS_EXPRESSION)) step = this.SUBRULE1(this.expression);
    }
    return { kind: "Slice", lower: null, upper, step, start, end: this.last.end, line };
  });
}
