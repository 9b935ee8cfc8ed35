/** What the compiler finds in a program, as `line code` in reading order, for tests that look at a few codes. */
import { compile } from "../../compiler/compile.ts";
import type { CompileOptions } from "../../compiler/options.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { testCatalog } from "./test-catalog.ts";

export function diagnose(source: string, options: Partial<CompileOptions> = {}): readonly Diagnostic[] {
  return compile(source, { catalog: testCatalog, ...options }).diagnostics;
}

export function found(source: string, codes: readonly string[], options: Partial<CompileOptions> = {}): string[] {
  return diagnose(source, options)
    .filter(({ code }) => codes.includes(code))
    .map(({ code, span }) => `${span?.line ?? "-"} ${code}`);
}

/** A source, what is said about it, and the options it is compiled with. */
export type Said = readonly [source: string, said: readonly string[], options?: Partial<CompileOptions>];

/** All that the findings of these codes say, a line each: place, severity, node, message, suggestion, fix, related places. */
export function said(source: string, codes: readonly string[], options: Partial<CompileOptions> = {}): string[] {
  return diagnose(source, options)
    .filter(({ code }) => codes.includes(code))
    .map((one) => wordsOf(one, source));
}

function wordsOf({ code, span, severity, label_id, node_id, ...rest }: Diagnostic, source: string): string {
  const text = span === null ? "" : (source.slice(span.start, span.end).split("\n")[0] ?? "");
  const edits = (rest.fix?.edits ?? []).map(
    (edit) =>
      `${edit.span.line}:${edit.span.column}-${edit.span.end - edit.span.start} ${JSON.stringify(edit.new_text)}`,
  );
  return [
    span === null ? code : `${code} ${span.line}:${span.column} ${text}`,
    ...(severity === "error" ? [] : [severity]),
    ...(label_id === null ? [] : [`in ${label_id}${node_id === null ? "" : ` ${node_id}`}`]),
    rest.message,
    ...(rest.suggestion === null ? [] : [rest.suggestion]),
    ...(edits.length === 0 ? [] : [`fix: ${edits.join(", ")}`]),
    ...rest.related.map((one) => `${one.message} on ${one.span.line}`),
  ].join(" | ");
}
