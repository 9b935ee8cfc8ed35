/** A compile in the words of the tools: findings as records and as short texts, what a run would lack, and what to call next. */
import { diagnosticDocument } from "../compiler/diagnostic-document.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import type { Diagnostic, Severity } from "../grammar/diagnostic.ts";
import type { ToolName } from "./exposure.ts";
import { type FrameHint, frameHints } from "./frame-hints.ts";
import { NOT_READY, type Readiness, readinessOf, requiredAdapters } from "./readiness.ts";
import type { McpServices } from "./services.ts";
import { sourceContext } from "./source-context.ts";

const MAX_DIAGNOSTICS = 50;

export type CheckOptions = {
  readonly strict: boolean;
  /** Names that the frame of the run has. */
  readonly inputs?: readonly string[];
};

export type CheckedProgram = {
  /** null: it does not compile. */
  readonly ir: Ir | null;
  readonly warnings: readonly string[];
  readonly required_adapters: readonly string[];
  readonly runtime_readiness: Readiness;
  readonly frame_hints: readonly FrameHint[];
  /** All of the above and the findings, in the shape that tools answer. */
  readonly report: { readonly ok: boolean; readonly [member: string]: unknown };
};

export function checkProgram(code: string, options: CheckOptions, services: McpServices): CheckedProgram {
  const { gateway } = services.runtime;
  const { strict, inputs = [] } = options;
  const { ir, diagnostics, undeclared_reads } = gateway.host.compile(code, {
    strict,
    inputs,
    allowed_adapters: gateway.grant.allowed_adapters,
  });
  const required_adapters = ir === null ? [] : requiredAdapters(ir);
  const runtime_readiness = ir === null ? NOT_READY : readinessOf(ir, services);
  const frame_hints = frameHints(code, undeclared_reads);
  const shown = mostSevere(diagnostics);
  const primary = shown.findIndex(({ severity }) => severity === "error");
  const warnings = textsOf(shown, "warning");
  return {
    ir,
    warnings,
    required_adapters,
    runtime_readiness,
    frame_hints,
    report: {
      ok: ir !== null,
      strict,
      errors: textsOf(shown, "error"),
      warnings,
      diagnostics: documentsOf(shown, code),
      ...(shown.length < diagnostics.length ? { diagnostics_truncated: diagnostics.length - shown.length } : {}),
      primary_diagnostic: primary === -1 ? null : primary,
      required_adapters,
      runtime_readiness,
      frame_hints,
      recommended_next_tools: nextTools(ir !== null, runtime_readiness.ready).filter((name) =>
        services.exposure.tools.has(name),
      ),
    },
  };
}

/** Findings with the lines they are about. */
export function documentsOf(diagnostics: readonly Diagnostic[], code: string): readonly object[] {
  const lines = diagnostics.length === 0 ? [] : code.split("\n");
  return diagnostics.map((one) => ({ ...diagnosticDocument(one), source_context: sourceContext(one.span, lines) }));
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
