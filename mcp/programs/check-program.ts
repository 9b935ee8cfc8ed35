/** A compile in the words of the tools: findings as records and as short texts, what a run would lack, and what to call next. */
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import { withCertainFixes } from "../../compiler/fixes/apply-fixes.ts";
import { readDeclaredInputs } from "../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { CompileResult, UndeclaredRead } from "../../compiler/options.ts";
import type { Diagnostic, Severity } from "../../grammar/diagnostic.ts";
import { parse } from "../../grammar/parse.ts";
import { isPython } from "../../grammar/surface.ts";
import type { McpServices } from "../services.ts";
import type { ToolName } from "../tool/exposure.ts";
import type { Payload } from "../tool/results.ts";
import { NOT_READY, type Readiness, readinessOf, requiredAdapters } from "./readiness.ts";
import type { ReadSource } from "./source.ts";
import { sourceContext } from "./source-context.ts";

const MAX_DIAGNOSTICS = 50;

export type CompileChoices = {
  readonly strict: boolean;
  /** Names that the frame of the run has. */
  readonly inputs?: readonly string[];
};

export type CompiledProgram = Pick<CompileResult, "ir" | "diagnostics" | "undeclared_reads"> & {
  readonly code: string;
  readonly strict: boolean;
};

type FrameHint = {
  readonly name: string;
  readonly type: string;
  /** Present and true where every run needs it. */
  readonly required?: true;
  /** `parameter`: of a function where runs begin. */
  readonly source: "parameter" | "comment" | "inferred";
};

export type ProgramFacts = {
  readonly required_adapters: readonly string[];
  readonly runtime_readiness: Readiness;
  readonly frame_hints: readonly FrameHint[];
};

export function compileProgram(
  { code, includes }: ReadSource,
  choices: CompileChoices,
  { runtime }: McpServices,
): CompiledProgram {
  const { strict, inputs = [] } = choices;
  const { host, grant } = runtime.gateway;
  const { ir, diagnostics, undeclared_reads } = host.compile(code, {
    strict,
    inputs,
    includes,
    allowed_adapters: grant.allowed_adapters,
  });
  return { code, strict, ir, diagnostics, undeclared_reads };
}

export function warningsOf({ diagnostics }: CompiledProgram): readonly string[] {
  return textsOf(diagnostics, "warning");
}

/** What a run would need. */
export function factsOf({ code, ir, undeclared_reads }: CompiledProgram, services: McpServices): ProgramFacts {
  return {
    required_adapters: ir === null ? [] : requiredAdapters(ir),
    runtime_readiness: ir === null ? NOT_READY : readinessOf(ir, services),
    frame_hints: isPython(code) ? parameterHints(ir) : frameHints(code, undeclared_reads),
  };
}

/** All that is known of a program, in the shape that tools answer. */
export function reportOf(program: CompiledProgram, services: McpServices): Payload {
  const { code, strict, ir, diagnostics } = program;
  const shown = mostSevere(diagnostics);
  const hidden = diagnostics.length - shown.length;
  const primary = shown.findIndex(({ severity }) => severity === "error");
  const facts = factsOf(program, services);
  const next = nextTools(ir !== null, facts.runtime_readiness.ready);
  const fixed = ir === null ? withCertainFixes(code, diagnostics) : null;
  return {
    ok: ir !== null,
    strict,
    errors: textsOf(shown, "error"),
    warnings: textsOf(shown, "warning"),
    diagnostics: documentsOf(shown, code),
    ...(hidden === 0 ? {} : { diagnostics_truncated: hidden }),
    primary_diagnostic: primary === -1 ? null : primary,
    ...(fixed === null ? {} : { fixed_code: fixed }),
    ...facts,
    recommended_next_tools: next.filter((name) => services.exposure.tools.has(name)),
  };
}

/** Findings with the lines they are about. */
export function documentsOf(diagnostics: readonly Diagnostic[], code: string): readonly object[] {
  const lines = diagnostics.length === 0 ? [] : code.split("\n");
  return diagnostics.map((one) => ({
    ...diagnosticDocument(one),
    source_context: sourceContext(one.span, lines),
  }));
}

/** `WF4001 line 2: nothing sets 'ghost' before this step` */
function textsOf(diagnostics: readonly Diagnostic[], severity: Severity): readonly string[] {
  return diagnostics
    .filter((one) => one.severity === severity)
    .map(({ code, message, span }) => `${code}${span === null ? "" : ` line ${span.line}`}: ${message}`);
}

/** In reading order; of too many, warnings and hints give way to errors. */
function mostSevere(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= MAX_DIAGNOSTICS) return diagnostics;
  const bySeverity = (["error", "warning", "hint"] as const).flatMap((severity) =>
    diagnostics.filter((one) => one.severity === severity),
  );
  const kept = new Set(bySeverity.slice(0, MAX_DIAGNOSTICS));
  return diagnostics.filter((one) => kept.has(one));
}

function nextTools(compiles: boolean, ready: boolean): readonly ToolName[] {
  if (!compiles) return ["wf_validate"];
  return ready ? ["wf_run", "wf_compile"] : ["wf_security_report", "wf_capabilities"];
}

/** What a program in Python takes; nothing is known of one that does not compile. */
function parameterHints(ir: Ir | null): readonly FrameHint[] {
  if (ir === null) return [];
  return readDeclaredInputs(ir).map(({ name, types, required }) => ({
    name,
    type: types[0] ?? "any",
    ...(required === null ? {} : { required: true }),
    source: "parameter",
  }));
}

/** What a program of the opcode form wants in its frame: what it declares, then what it reads and never sets. */
function frameHints(code: string, undeclared: readonly UndeclaredRead[]): readonly FrameHint[] {
  const hints = new Map<string, FrameHint>();
  for (const { name, type, required } of parse(code).inputs) {
    const known = hints.get(name);
    // As everywhere: of several declarations the first that names a type.
    const named = known === undefined || known.type === "any" ? type : known.type;
    const isRequired = required !== undefined || known?.required === true;
    hints.set(name, { name, type: named, ...(isRequired ? { required: true } : {}), source: "comment" });
  }
  for (const { name } of undeclared) if (!hints.has(name)) hints.set(name, { name, type: "any", source: "inferred" });
  return [...hints.values()];
}
