/**
 * Syntax trees → the linked program: read the included files, collect labels and declared names, lower every label to
 * nodes and edges, resolve what declarations refer to, find the entry. Total: what is wrong with a program becomes a
 * finding, and the rest is lowered all the same. Severities and the dataflow of variables are judged later.
 */
import type { SourceFile } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { check } from "../check/check.ts";
import { withoutCovered } from "../diagnostics.ts";
import type { IrEdge } from "../ir/graph.ts";
import type { CompileOptions } from "../options.ts";
import { collectInputs, lowerEndpoints, resolveDeclarations, storedDeclarations } from "./declarations.ts";
import { defaultEntry } from "./entry.ts";
import { isError } from "./findings.ts";
import { type LoadedIncludes, loadIncludes } from "./includes/includes.ts";
import { collectLabels } from "./labels.ts";
import type { LoweredLabel, LoweredProgram, Module } from "./lowered.ts";
import { collectDeclaredNames } from "./names/declared-names.ts";
import { type LoweringContext, lowerLabel } from "./statements.ts";

export function lower(main: SourceFile, options: CompileOptions): LoweredProgram {
  const includes = loadIncludes(main, options, (file, below) => errorsOfModule(file, below, options));
  return lowerFiles(main, includes, options);
}

function lowerFiles(main: SourceFile, includes: LoadedIncludes, options: CompileOptions): LoweredProgram {
  const modules: readonly Module[] = [{ file: main, prefix: "", included_at: null }, ...includes.modules];
  const findings: Finding[] = modules.flatMap((module) => module.file.findings);
  const table = collectLabels(modules, findings);
  const names = collectDeclaredNames(modules);
  const context: LoweringContext = {
    strict: options.strict !== false,
    catalog: options.catalog,
    names,
    table,
    failed: includes.failed,
    findings,
  };
  const edges: IrEdge[] = [];
  const labels: LoweredLabel[] = [];
  for (const label of table.labels) {
    labels.push(lowerLabel(label, context, edges));
  }
  const declarations = storedDeclarations(modules);
  const endpoints = lowerEndpoints(declarations, table, includes.failed, findings);
  const kept = resolveDeclarations(declarations, table, findings);
  const inputs = collectInputs(modules);
  const entry = defaultEntry(table, endpoints, findings);
  return {
    modules,
    labels,
    edges,
    endpoints,
    declarations: kept,
    inputs,
    entry,
    findings: [...findings, ...includes.findings],
  };
}

/** A module is a program of its own first (docs/language.md, includes). Only its errors count there: advice is given for the merged program. */
function errorsOfModule(file: SourceFile, includes: LoadedIncludes, options: CompileOptions): readonly Finding[] {
  const program = lowerFiles(file, includes, options);
  const errors = new Map<string, Finding>();
  const findings = [...program.findings, ...check(program, options).findings];
  for (const finding of withoutCovered(findings, { strict: options.strict !== false })) {
    const key = `${finding.code} ${finding.span?.file} ${finding.span?.start}-${finding.span?.end}`;
    if (isError(finding, options.strict !== false) && !errors.has(key)) errors.set(key, finding);
  }
  return [...errors.values()];
}
