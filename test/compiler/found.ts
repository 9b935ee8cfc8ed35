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
