/**
 * Which function a written name means. Names are matched without regard to case and underscores, with or without `core.`
 * (docs/language.md, functions); the canonical spelling goes into the IR. Knows no operands.
 */
import type { Span } from "../../../grammar/text/span.ts";
import { type AdapterCatalog, findAdapter } from "../../catalog.ts";
import { FUNCTIONS, type FunctionSignature, findFunction } from "../../functions.ts";
import type { FindingSink } from "../findings.ts";

const FUNCTION_NAMES: readonly string[] = FUNCTIONS.flatMap((signature) => [signature.name, ...signature.aliases]);

/** Where a call of a function is reported. */
type CallSink = FindingSink & { readonly catalog: AdapterCatalog };

/** The function that `name` means, or WF5004. */
export function resolveFunction(
  name: string,
  span: Span,
  count: number,
  sink: CallSink,
): FunctionSignature | undefined {
  const signature = findFunction(name);
  if (signature === undefined) reportUnknownFunction(name, span, count, sink);
  return signature;
}

export function reportUnknownFunction(name: string, span: Span, count: number, sink: CallSink): void {
  const near = sink.nearest(name.replace(/^core\./i, ""), FUNCTION_NAMES);
  if (near !== null) {
    const fix = { title: `write ${near}`, edits: [{ span, new_text: near }] };
    sink.report("WF5004", span, { words: { name, near }, fix });
    return;
  }
  const [adapter = ""] = name.split(".");
  const suggestion =
    count === 0
      ? { suggestion: "write the value without brackets" }
      : findAdapter(sink.catalog, adapter) === undefined
        ? {}
        : { suggestion: `an adapter is called by a step of its own: R ${adapter}.VERB … ->name` };
  sink.report("WF5004", span, { words: { name }, fix: null, ...suggestion });
}
