/** Steps of the opcode form and adapter calls inside a graph. Only the end of an open bracket follows the rules of the indented form. */
import type { Step } from "../../ast.ts";
import { StatementLexer } from "../../operands/lexer.ts";
import type { Token } from "../../operands/tokens.ts";
import type { Reporter } from "../../reporter.ts";
import { skipBlanks } from "../../text/source.ts";
import { spanOver } from "../../text/span.ts";
import { variable } from "../lower/steps.ts";
import type { Statement } from "../program.ts";
import { startsIndentedStatement } from "./line-words.ts";

export class StepLexer extends StatementLexer {
  protected override startsStatement(from: number, limit: number): boolean {
    return startsIndentedStatement(this.text, skipBlanks(this.text, from, limit), limit);
  }
}

const TERMINAL: ReadonlySet<string> = new Set(["If", "Loop", "While"]);

/** `http.GET url, 5`: outside of lists a comma is part of its word. */
export function reportCommas(tokens: readonly Token[], reporter: Reporter): void {
  const edits = tokens.flatMap(({ type, image, span }) =>
    type === "Word" && image.length > 1 && image.endsWith(",")
      ? [{ span: { ...span, start: span.end - 1, column: span.end_column - 1 }, new_text: "" }]
      : [],
  );
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return;
  const fix = { title: "leave the commas out", edits };
  reporter.refuse(first.span, ",", "separate operands by spaces", fix, spanOver(first.span, last.span));
}

/** The statement of a step. */
export function statementOf(step: Step): Statement {
  if (step.op === "Err" || step.op === "Retry") return { s: "guard", step };
  if (TERMINAL.has(step.op)) return { s: "end", step };
  if (step.op !== "J") return { s: "steps", steps: [step] };
  const { word, span, faulty } = step;
  const value = step.value ?? variable("data", word);
  return { s: "out", word, span, faulty, value, step };
}
