/** Patterns of `case`. */
import * as T from "../lexing/tokens.ts";
import { asToken, setOf, type Token } from "../lexing/tokens.ts";
import type { Constant, Expr, Pattern } from "../tree.ts";
import { constantFrom, numberFrom } from "./literals.ts";
import { ParameterParser } from "./parameters.ts";
import type { Rule } from "./python-base.ts";

/** What a pattern begins with, in a sequence, a mapping or a class. */
const BEGINS_PATTERN = setOf([
  ...[T.Name, T.NumberLiteral, T.Minus, T.Text, T.Bytes, T.FStart, T.True, T.False, T.None],
  ...[T.LParen, T.LBracket, T.LBrace, T.Star, T.DoubleStar],
]);
const SIGNED = setOf([T.Plus, T.Minus]);
const CONTINUES_NAME = setOf([T.Dot, T.LParen]);

type Row = { readonly patterns: readonly Pattern[]; readonly hasComma: boolean };

export abstract class PatternParser extends ParameterParser {
  /** What follows `case`: patterns with commas between them are a sequence. */
  protected readonly patterns: Rule<Pattern> = this.RULE("patterns", (): Pattern => {
    const { start, line } = this.next;
    const { patterns, hasComma } = this.SUBRULE(this.patternRow);
    if (this.RECORDING_PHASE) return null as never;
    const [first] = patterns as [Pattern];
    if (hasComma) return { kind: "MatchSequence", patterns, start, end: this.last.end, line };
    return this.notStarred(first);
  });

  private notStarred(pattern: Pattern): Pattern {
    if (pattern.kind === "MatchStar") this.fail("pattern_star_alone", pattern);
    return pattern;
  }

  private readonly patternRow: Rule<Row> = this.RULE("patternRow", (): Row => {
    const patterns = [this.SUBRULE(this.patternItem)];
    let hasComma = false;
    hasComma = this.seesMore(T.Comma);
    this.row(BEGINS_PATTERN, () => {
      patterns.push(this.SUBRULE1(this.patternItem));
    });
    const isStar = ({ kind }: Pattern): boolean => kind === "MatchStar";
    if (!this.RECORDING_PHASE && patterns.filter(isStar).length > 1)
      this.fail("pattern_two_stars", patterns.findLast(isStar) as Pattern);
    return { patterns, hasComma };
  });

  private readonly patternItem: Rule<Pattern> = this.RULE("patternItem", () =>
    this.OR([
      {
        ALT: (): Pattern => {
          const { start, line } = asToken(this.CONSUME(T.Star));
          const { image, end } = asToken(this.CONSUME(T.Name));
          return { kind: "MatchStar", name: image === "_" ? null : image, start, end, line };
        },
      },
      { ALT: (): Pattern => this.SUBRULE(this.pattern) },
    ]),
  );

  /** Alternatives with `|`, and a name for what fits. */
  private readonly pattern: Rule<Pattern> = this.RULE("pattern", (): Pattern => {
    const { start, line } = this.next;
    const alternatives = [this.SUBRULE(this.closedPattern)];
    this.MANY(() => {
      this.CONSUME(T.Pipe);
      alternatives.push(this.SUBRULE1(this.closedPattern));
    });
    const { end } = this.last;
    const [first] = alternatives as [Pattern];
    let made: Pattern = first;
    if (alternatives.length > 1) made = { kind: "MatchOr", patterns: alternatives, start, end, line };
    this.OPTION(() => {
      this.CONSUME(T.As);
      const name = asToken(this.CONSUME(T.Name));
      if (name.image === "_") this.fail("pattern_as_wildcard", name);
      made = { kind: "MatchAs", pattern: made, name: name.image, start, end: this.last.end, line };
    });
    return made;
  });

  private readonly closedForms = [
    { ALT: (): Pattern => this.SUBRULE(this.literalPattern) },
    { ALT: (): Pattern => this.singleton(asToken(this.CONSUME(T.True)), true) },
    { ALT: (): Pattern => this.singleton(asToken(this.CONSUME(T.False)), false) },
    { ALT: (): Pattern => this.singleton(asToken(this.CONSUME(T.None)), null) },
    { ALT: (): Pattern => this.SUBRULE(this.namePattern) },
    { ALT: (): Pattern => this.SUBRULE(this.groupPattern) },
    { ALT: (): Pattern => this.SUBRULE(this.listPattern) },
    { ALT: (): Pattern => this.SUBRULE(this.mappingPattern) },
  ];
  private readonly closedPattern: Rule<Pattern> = this.RULE("closedPattern", () => this.OR(this.closedForms));

  private singleton({ start, end, line }: Token, value: boolean | null): Pattern {
    return { kind: "MatchSingleton", value, start, end, line };
  }

  // ---- values ----

  private readonly literalPattern: Rule<Pattern> = this.RULE("literalPattern", (): Pattern => {
    const { start, line } = this.next;
    const value = this.SUBRULE(this.literalValue);
    return { kind: "MatchValue", value, start, end: this.last.end, line };
  });

  /** A number with a sign, a complex one, or a text. */
  private readonly literalValue: Rule<Expr> = this.RULE("literalValue", () =>
    this.OR([
      {
        ALT: (): Expr => {
          const { start, line } = this.next;
          const real = this.SUBRULE(this.signedNumber);
          if (!this.RECORDING_PHASE && !this.seesOneOf(SIGNED)) return real;
          let made = real;
          this.OPTION(() => {
            const op = this.OR1([
              { ALT: () => this.CONSUME(T.Plus).image },
              { ALT: () => this.CONSUME(T.Minus).image },
            ]);
            const right = numberFrom(asToken(this.CONSUME(T.NumberLiteral)));
            if (!this.RECORDING_PHASE) this.checkComplex(real, right);
            made = { kind: "BinOp", left: real, op: op as "+" | "-", right, start, end: this.last.end, line };
          });
          return made;
        },
      },
      {
        ALT: (): Expr => {
          const value = this.SUBRULE(this.texts);
          if (value.kind === "JoinedStr") this.fail("pattern_value", value);
          return value;
        },
      },
    ]),
  );

  private checkComplex(real: Expr, imaginary: Constant): void {
    const number = real.kind === "UnaryOp" ? real.operand : real;
    if (number.kind === "Constant" && number.type === "complex") this.fail("pattern_complex", real);
    if (imaginary.type !== "complex") this.fail("pattern_complex", imaginary);
  }

  private readonly signedNumber: Rule<Expr> = this.RULE("signedNumber", (): Expr => {
    const { start, line } = this.next;
    let isNegative = false;
    this.OPTION(() => {
      this.CONSUME(T.Minus);
      isNegative = true;
    });
    const operand = numberFrom(asToken(this.CONSUME(T.NumberLiteral)));
    return isNegative ? { kind: "UnaryOp", op: "-", operand, start, end: operand.end, line } : operand;
  });

  /** A name that is bound, `_`, the value of `a.b`, or a class with patterns. */
  private readonly namePattern: Rule<Pattern> = this.RULE("namePattern", (): Pattern => {
    const name = asToken(this.CONSUME(T.Name));
    const { start, line, image } = name;
    if (!this.RECORDING_PHASE && !this.seesOneOf(CONTINUES_NAME))
      return { kind: "MatchAs", pattern: null, name: image === "_" ? null : image, start, end: name.end, line };
    if (image === "_") this.fail("pattern_as_wildcard", name);
    let value: Expr = this.nameFrom(name);
    this.MANY(() => {
      this.CONSUME(T.Dot);
      const { image: attr, end } = asToken(this.CONSUME1(T.Name));
      value = { kind: "Attribute", value, attr, start, end, line };
    });
    let made: Pattern = { kind: "MatchValue", value, start, end: this.last.end, line };
    this.OPTION(() => {
      made = { ...this.SUBRULE(this.classPattern), cls: value, start, end: this.last.end, line };
    });
    return made;
  });

  // ---- patterns of patterns ----

  private readonly groupPattern: Rule<Pattern> = this.RULE("groupPattern", (): Pattern => {
    const { start, line } = asToken(this.CONSUME(T.LParen));
    let row: Row = { patterns: [], hasComma: true };
    this.OPTION(() => {
      row = this.SUBRULE(this.patternRow);
    });
    this.CONSUME(T.RParen);
    const { patterns, hasComma } = row;
    if (hasComma || this.RECORDING_PHASE) return { kind: "MatchSequence", patterns, start, end: this.last.end, line };
    return this.notStarred(patterns[0] as Pattern);
  });

  private readonly listPattern: Rule<Pattern> = this.RULE("listPattern", (): Pattern => {
    const { start, line } = asToken(this.CONSUME(T.LBracket));
    let patterns: readonly Pattern[] = [];
    this.OPTION(() => {
      ({ patterns } = this.SUBRULE(this.patternRow));
    });
    this.CONSUME(T.RBracket);
    return { kind: "MatchSequence", patterns, start, end: this.last.end, line };
  });

  private readonly mappingPattern: Rule<Pattern> = this.RULE("mappingPattern", (): Pattern => {
    const { start, line } = asToken(this.CONSUME(T.LBrace));
    const keys: Expr[] = [];
    const patterns: Pattern[] = [];
    let rest: string | null = null;
    const take = ({ key, pattern, name }: MappingItem): void => {
      if (this.RECORDING_PHASE) return;
      if (rest !== null) this.fail("pattern_rest_last", this.last);
      rest = name;
      if (key === null || pattern === null) return;
      keys.push(key);
      patterns.push(pattern);
    };
    this.OPTION(() => {
      take(this.SUBRULE(this.mappingItem));
      this.row(BEGINS_PATTERN, () => {
        take(this.SUBRULE1(this.mappingItem));
      });
    });
    this.CONSUME(T.RBrace);
    return { kind: "MatchMapping", keys, patterns, rest, start, end: this.last.end, line };
  });

  /** `key: pattern`, where the key is a value, or `**rest`. */
  private readonly mappingItem: Rule<MappingItem> = this.RULE(
    "mappingItem",
    (): MappingItem =>
      this.OR([
        {
          ALT: (): MappingItem => {
            this.CONSUME(T.DoubleStar);
            const name = asToken(this.CONSUME(T.Name));
            if (name.image === "_") this.fail("pattern_rest_wildcard", name);
            return { key: null, pattern: null, name: name.image };
          },
        },
        {
          ALT: (): MappingItem => {
            const key = this.SUBRULE(this.mappingKey);
            this.CONSUME(T.Colon);
            return { key, pattern: this.SUBRULE(this.pattern), name: null };
          },
        },
      ]),
  );

  private readonly mappingKey: Rule<Expr> = this.RULE("mappingKey", () =>
    this.OR([
      { ALT: () => this.SUBRULE(this.literalValue) },
      { ALT: (): Expr => constantFrom(asToken(this.CONSUME(T.True)), "bool", true) },
      { ALT: (): Expr => constantFrom(asToken(this.CONSUME(T.False)), "bool", false) },
      { ALT: (): Expr => constantFrom(asToken(this.CONSUME(T.None)), "none", null) },
      {
        ALT: (): Expr => {
          const name = asToken(this.CONSUME(T.Name));
          let value: Expr = this.nameFrom(name);
          this.AT_LEAST_ONE(() => {
            this.CONSUME(T.Dot);
            const { image: attr, end } = asToken(this.CONSUME1(T.Name));
            value = { kind: "Attribute", value, attr, start: name.start, end, line: name.line };
          });
          return value;
        },
      },
    ]),
  );

  /** The patterns of a class: those with a name come last. */
  private readonly classPattern: Rule<ClassContent> = this.RULE("classPattern", (): ClassContent => {
    this.CONSUME(T.LParen);
    const patterns: Pattern[] = [];
    const kwd_attrs: string[] = [];
    const kwd_patterns: Pattern[] = [];
    const take = ({ name, pattern }: ClassItem): void => {
      if (this.RECORDING_PHASE) return;
      if (name === null) {
        if (kwd_attrs.length > 0) this.fail("pattern_after_keyword", pattern);
        patterns.push(pattern);
        return;
      }
      kwd_attrs.push(name);
      kwd_patterns.push(pattern);
    };
    this.OPTION(() => {
      take(this.SUBRULE(this.classItem));
      this.row(BEGINS_PATTERN, () => {
        take(this.SUBRULE1(this.classItem));
      });
    });
    this.CONSUME(T.RParen);
    return { kind: "MatchClass", patterns, kwd_attrs, kwd_patterns };
  });

  private readonly classItem: Rule<ClassItem> = this.RULE("classItem", (): ClassItem => {
    const pattern = this.SUBRULE(this.pattern);
    let item: ClassItem = { name: null, pattern };
    this.OPTION({
      GATE: () => pattern.kind === "MatchAs" && pattern.pattern === null && pattern.end === this.last.end,
      DEF: () => {
        const { image: name } = this.last;
        this.CONSUME(T.Equal);
        item = { name, pattern: this.SUBRULE1(this.pattern) };
      },
    });
    return item;
  });
}

type MappingItem = { readonly key: Expr | null; readonly pattern: Pattern | null; readonly name: string | null };
type ClassItem = { readonly name: string | null; readonly pattern: Pattern };
type ClassContent = Pick<Extract<Pattern, { kind: "MatchClass" }>, "kind" | "patterns" | "kwd_attrs" | "kwd_patterns">;
