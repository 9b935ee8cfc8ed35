/**
 * The grammar of template strings in the indented form, `f"{a} of {b:.2f}"`, and the rule that passes over what fits nowhere.
 */
import type { ParserMethod } from "chevrotain";
import { EXPECTED } from "../../parser/base-parser.ts";
import { spanOver } from "../../text/span.ts";
import type { Lexeme } from "../tokens.ts";
import * as T from "../tokens.ts";
import type { Expression } from "../tree.ts";
import { ExpressionParser, slotOf } from "./expressions.ts";

type Maybe = Expression | null;

export abstract class TemplateParser extends ExpressionParser {
  protected readonly template: ParserMethod<[], Maybe> = this.RULE("template", (): Maybe => {
    const start = this.CONSUME(T.TemplateStart) as Lexeme;
    const values: Expression[] = [];
    let text = "";
    const read = (): void => {
      this.OR([
        {
          ALT: () => {
            text += (this.CONSUME(T.TemplateText) as Lexeme).value;
          },
        },
        {
          ALT: () => {
            const open = this.CONSUME(T.TemplateOpen) as Lexeme;
            let value: Maybe = null;
            this.option(EXPECTED, {
              GATE: () => this.seesValue(),
              DEF: () => {
                value = this.SUBRULE(this.choice);
              },
            });
            const surplus = this.ahead();
            this.MANY1({
              GATE: () => !this.sees(T.TemplateClose) && !this.sees(T.TemplateSpec),
              DEF: () => this.SUBRULE(this.anything),
            });
            let spec = "";
            this.OPTION(() => {
              spec = this.CONSUME(T.TemplateSpec).image;
            });
            const close = this.CONSUME(T.TemplateClose) as Lexeme;
            this.ACTION(() => {
              text += `{${spec}}`;
              values.push(this.faults.templateValue(value, open, surplus, close));
            });
          },
        },
      ]);
    };
    this.inside("marked", false, () => this.MANY(read));
    const end = this.CONSUME(T.TemplateEnd) as Lexeme;
    return this.ACTION(() => {
      const span = spanOver(start.span, this.faults.took(end).span);
      return this.bounded({ e: "template", word: slotOf(start), text, values, span });
    });
  });

  /** One token, or all between two brackets. */
  protected readonly anything: ParserMethod<[], void> = this.RULE("anything", (): void => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(T.Opener);
          this.MANY(() => this.SUBRULE(this.anything));
          const close = this.CONSUME(T.Closer);
          this.ACTION(() => this.faults.took(close));
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(T.Piece);
          this.ACTION(() => this.faults.took(token));
        },
      },
    ]);
  });
}
