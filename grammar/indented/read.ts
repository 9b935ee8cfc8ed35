/**
 * Reads a file of the indented form (docs/language.md, the indented form): text → tokens → tree → labels and steps. It never throws and never
 * stops at a fault.
 */
import type { InputDeclaration, Line } from "../ast.ts";
import { declareInputs, readInputs } from "../inputs.ts";
import type { Reporter } from "../reporter.ts";
import type { LexerLimits } from "../steps/slots.ts";
import type { Task } from "../text/task.ts";
import { layOut } from "./lexing/layout.ts";
import { likelyVariables } from "./lexing/variables.ts";
import { lowerIndented } from "./lower/lower.ts";
import { parseTokens } from "./parser/program.ts";
import type { CallParameters } from "./repair/arguments.ts";

export function* readIndented(
  reporter: Reporter,
  limits: LexerLimits & { readonly statements: number },
  parametersOf: (call: string) => CallParameters | null,
): Task<{ readonly lines: readonly Line[]; readonly inputs: readonly InputDeclaration[] }> {
  const variables = likelyVariables(reporter.source.text);
  const isVariable = (name: string): boolean => variables.has(name);
  const layout = yield* layOut({ reporter, limits, isVariable }, limits);
  const { graphs, declarations, items } = yield* parseTokens(layout, reporter, limits.nesting, {
    isVariable,
    parametersOf,
  });
  const commented = readInputs(reporter.comments, declarations, reporter);
  const inputs = declareInputs(layout.inputs, commented, declarations, reporter);
  return { lines: yield* lowerIndented({ graphs, declarations, inputs, items }, reporter, limits), inputs };
}
