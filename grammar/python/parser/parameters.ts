/** Parameters of functions and lambdas. */
import * as T from "../lexing/tokens.ts";
import { asToken, setOf, type Token } from "../lexing/tokens.ts";
import type { Arg, Arguments, Expr } from "../tree.ts";
import { LiteralParser } from "./literals.ts";
import type { Rule } from "./python-base.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
const BEGINS_PARAMETER = setOf([T.Name, T.Star, T.DoubleStar, T.Slash]);

/** What was read of the parameters so far. */
type Draft = Mutable<Arguments> & {
  stage: "positional" | "keyword" | "ended";
  hasSlash: boolean;
  bareStar: Token | null;
};

export abstract class ParameterParser extends LiteralParser {
  private draft: Draft = emptyDraft();

  protected readonly parameters: Rule<Arguments> = this.RULE("parameters", () => this.readParameters(this.parameter));
  protected readonly lambdaParameters: Rule<Arguments> = this.RULE("lambdaParameters", () =>
    this.readParameters(this.lambdaParameter),
  );

  private readParameters(rule: Rule<void>): Arguments {
    const outer = this.draft;
    const draft = emptyDraft();
    this.draft = draft;
    this.OPTION(() => {
      this.SUBRULE(rule);
      this.draft = draft;
      this.row(BEGINS_PARAMETER, () => {
        this.SUBRULE1(rule);
        this.draft = draft;
      });
    });
    this.draft = outer;
    if (draft.bareStar !== null && draft.kwonlyargs.length === 0 && !this.RECORDING_PHASE)
      this.fail("parameter_star_alone", draft.bareStar);
    const { posonlyargs, args, vararg, kwonlyargs, kw_defaults, kwarg, defaults } = draft;
    return { posonlyargs, args, vararg, kwonlyargs, kw_defaults, kwarg, defaults };
  }

  private readonly parameter: Rule<void> = this.RULE("parameter", () => {
    this.OR([
      { ALT: () => this.takeSlash(asToken(this.CONSUME(T.Slash))) },
      {
        ALT: () => {
          const star = asToken(this.CONSUME(T.Star));
          let arg: Arg | null = null;
          this.OPTION(() => {
            const name = asToken(this.CONSUME(T.Name));
            let annotation: Expr | null = null;
            this.OPTION1(() => {
              this.CONSUME(T.Colon);
              annotation = this.SUBRULE(this.variadicAnnotation);
            });
            arg = this.argFrom(name, annotation);
          });
          this.takeStar(star, arg);
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.DoubleStar);
          const name = asToken(this.CONSUME1(T.Name));
          let annotation: Expr | null = null;
          this.OPTION2(() => {
            this.CONSUME1(T.Colon);
            annotation = this.SUBRULE(this.expression);
          });
          this.takeMapping(this.argFrom(name, annotation));
        },
      },
      {
        ALT: () => {
          const { draft } = this;
          const name = asToken(this.CONSUME2(T.Name));
          let annotation: Expr | null = null;
          let value: Expr | null = null;
          this.OPTION3(() => {
            this.CONSUME2(T.Colon);
            annotation = this.SUBRULE1(this.expression);
          });
          const arg = this.argFrom(name, annotation);
          this.OPTION4(() => {
            this.CONSUME(T.Equal);
            value = this.SUBRULE2(this.expression);
          });
          this.draft = draft;
          this.takeNamed(arg, value);
        },
      },
    ]);
  });

  private readonly lambdaParameter: Rule<void> = this.RULE("lambdaParameter", () => {
    this.OR([
      { ALT: () => this.takeSlash(asToken(this.CONSUME(T.Slash))) },
      {
        ALT: () => {
          const star = asToken(this.CONSUME(T.Star));
          let arg: Arg | null = null;
          this.OPTION(() => {
            arg = this.argFrom(asToken(this.CONSUME(T.Name)), null);
          });
          this.takeStar(star, arg);
        },
      },
      {
        ALT: () => {
          this.CONSUME(T.DoubleStar);
          this.takeMapping(this.argFrom(asToken(this.CONSUME1(T.Name)), null));
        },
      },
      {
        ALT: () => {
          const { draft } = this;
          const arg = this.argFrom(asToken(this.CONSUME2(T.Name)), null);
          let value: Expr | null = null;
          this.OPTION1(() => {
            this.CONSUME(T.Equal);
            value = this.SUBRULE(this.expression);
          });
          this.draft = draft;
          this.takeNamed(arg, value);
        },
      },
    ]);
  });

  /** `*args: *Ts` is allowed. */
  private readonly variadicAnnotation: Rule<Expr> = this.RULE("variadicAnnotation", () =>
    this.OR([{ ALT: () => this.SUBRULE(this.starred) }, { ALT: () => this.SUBRULE(this.expression) }]),
  );

  // ---- their order ----

  private argFrom({ image, start, line }: Token, annotation: Expr | null): Arg {
    return { kind: "Arg", arg: image, annotation, start, end: this.last.end, line };
  }

  private takeSlash(slash: Token): void {
    const { draft } = this;
    if (this.RECORDING_PHASE) return;
    if (draft.stage === "ended") this.fail("parameter_after_mapping", slash);
    if (draft.hasSlash || draft.stage === "keyword" || draft.args.length === 0) this.fail("parameter_slash", slash);
    draft.hasSlash = true;
    draft.posonlyargs = draft.args;
    draft.args = [];
  }

  private takeStar(star: Token, arg: Arg | null): void {
    const { draft } = this;
    if (this.RECORDING_PHASE) return;
    if (draft.stage === "ended") this.fail("parameter_after_mapping", star);
    if (draft.stage === "keyword") this.fail("parameter_two_stars", star);
    if (this.sees(T.Equal)) this.fail("parameter_star_default", this.next);
    draft.stage = "keyword";
    draft.vararg = arg;
    draft.bareStar = arg === null ? star : null;
  }

  private takeMapping(arg: Arg): void {
    const { draft } = this;
    if (this.RECORDING_PHASE) return;
    if (draft.stage === "ended") this.fail("parameter_after_mapping", arg);
    if (this.sees(T.Equal)) this.fail("parameter_star_default", this.next);
    draft.stage = "ended";
    draft.kwarg = arg;
  }

  private takeNamed(arg: Arg, value: Expr | null): void {
    const { draft } = this;
    if (this.RECORDING_PHASE) return;
    if (draft.stage === "ended") this.fail("parameter_after_mapping", arg);
    if (draft.stage === "keyword") {
      draft.kwonlyargs.push(arg);
      draft.kw_defaults.push(value);
      return;
    }
    if (value === null && draft.defaults.length > 0)
      this.fail("parameter_default_order", arg, { words: { name: arg.arg } });
    draft.args.push(arg);
    if (value !== null) draft.defaults.push(value);
  }
}

function emptyDraft(): Draft {
  return {
    posonlyargs: [],
    args: [],
    vararg: null,
    kwonlyargs: [],
    kw_defaults: [],
    kwarg: null,
    defaults: [],
    stage: "positional",
    hasSlash: false,
    bareStar: null,
  };
}
