/**
 * Which function a written name means. Names are matched without regard to case and underscores, with or without `core.`
 * (language reference, chapter 9); the canonical spelling goes into the IR. Knows no operands.
 */
import type { Operand } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/span.ts";
import { FUNCTIONS, type FunctionSignature, findFunction } from "../functions.ts";
import { type FindingSink, withNear } from "./findings.ts";
import { functionAdvice } from "./foreign-functions.ts";

const FUNCTION_NAMES: readonly string[] = FUNCTIONS.flatMap((signature) => [signature.name, ...signature.aliases]);

/** The function that `name` means, or WF5004. */
export function resolveFunction(
  name: string,
  span: Span,
  args: readonly Operand[],
  sink: CallSink,
): FunctionSignature | undefined {
  const signature = findFunction(name);
  if (signature === undefined) reportUnknownFunction(name, span, args, sink);
  return signature;
}

/** Where a call of a function is reported, and the text it stands in. */
type CallSink = FindingSink & { readonly source: string };

export function reportUnknownFunction(name: string, span: Span, args: readonly Operand[], sink: CallSink): void {
  const advice = functionAdvice(name, span, args, sink.source);
  if (advice !== null) {
    sink.report("WF5004", span, { words: { name }, ...advice });
    return;
  }
  const near = sink.nearest(name.replace(/^core\./i, ""), FUNCTION_NAMES);
  sink.report("WF5004", span, {
    words: withNear({ name }, near),
    fix: near === null ? null : { title: `write ${near}`, edits: [{ span, new_text: near }] },
  });
}
