/**
 * Which function a written name means. Names are matched without regard to case and underscores, with or without `core.`
 * (docs/language.md, functions); the canonical spelling goes into the IR. Knows no operands.
 */
import type { Operand } from "../../../grammar/ast.ts";
import { beginsFunction } from "../../../grammar/foreign/in-place.ts";
import { type Span, spanOver } from "../../../grammar/text/span.ts";
import { type AdapterCatalog, findAdapter } from "../../catalog.ts";
import { FUNCTIONS, type FunctionSignature, findFunction } from "../../functions.ts";
import type { FindingSink } from "../findings.ts";
import { functionAdvice, withOneArgument } from "./foreign-functions.ts";

const FUNCTION_NAMES: readonly string[] = FUNCTIONS.flatMap((signature) => [signature.name, ...signature.aliases]);

/** The function that `name` means, or WF5004. */
export function resolveFunction(
  name: string,
  span: Span,
  args: readonly Operand[],
  sink: CallSink,
): FunctionSignature | undefined {
  const single = args.length === 1 ? withOneArgument(name) : undefined;
  const signature = findFunction(single ?? name);
  if (signature === undefined) reportUnknownFunction(name, span, args, sink);
  return signature;
}

/** Where a call of a function is reported, the text it stands in, and the adapters that may be meant instead. */
type CallSink = FindingSink & { readonly source: string; readonly catalog: AdapterCatalog };

export function reportUnknownFunction(name: string, span: Span, args: readonly Operand[], sink: CallSink): void {
  const advice = functionAdvice(name, span, args, sink.source);
  if (advice !== null) {
    // What stands in a function that cannot be written is not looked at.
    const covers = beginsFunction(name) ? { covers: spanOver(span, args.at(-1)?.span ?? span) } : {};
    sink.report("WF5004", span, { words: { name }, ...advice, ...covers });
    return;
  }
  const word = name.replace(/^core\./i, "");
  const found = sink.nearest(word, FUNCTION_NAMES);
  const isAdapter = findAdapter(sink.catalog, word) !== undefined;
  const near = found === null || isAdapter || isOtherWord(word, found) ? null : found;
  if (near === null) {
    const suggestion = suggestionFor(name, args, sink);
    sink.report("WF5004", span, { words: { name }, fix: null, ...(suggestion === null ? {} : { suggestion }) });
    return;
  }
  const fix = { title: `write ${near}`, edits: [{ span, new_text: near }] };
  sink.report("WF5004", span, { words: { name, near }, fix });
}

/** Short names that begin otherwise are other names (`sin` and `min`), unless their first letters are swapped. */
function isOtherWord(word: string, near: string): boolean {
  const [first = "", second = ""] = word.toLowerCase();
  return word.length <= 4 && first !== near[0] && second !== near[0];
}

/** What a call of nothing known was meant to be: a value in brackets, a member of one, or a call of an adapter. */
function suggestionFor(name: string, args: readonly Operand[], { catalog, source }: CallSink): string | null {
  if (args.length === 0) return "write the value without brackets";
  const [adapter = ""] = name.split(".");
  if (name !== "R" && findAdapter(catalog, adapter) === undefined) return memberAdvice(name, args, source);
  const call = name === "R" ? "R" : `R ${adapter === name ? `${name}.VERB` : name}`;
  return `an adapter is called by R: ${call} … ->name, in a step of its own`;
}

/** `(rows 0)`: an element or a member is read by `get`. */
function memberAdvice(name: string, [key, ...others]: readonly Operand[], source: string): string | null {
  if (key === undefined || others.length > 0 || (key.k !== "num" && key.k !== "str")) return null;
  return `write get ${name} ${source.slice(key.span.start, key.span.end)} to read what is in ${name}`;
}
