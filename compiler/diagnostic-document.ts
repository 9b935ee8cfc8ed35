/** A diagnostic as surfaces answer it: with line and column of its span's start next to the message. */
import type { Diagnostic } from "../grammar/diagnostic.ts";

export type DiagnosticDocument = Diagnostic & { readonly line: number | null; readonly column: number | null };

export function diagnosticDocument(diagnostic: Diagnostic): DiagnosticDocument {
  const { code, name, severity, message, ...rest } = diagnostic;
  const { line = null, column = null } = diagnostic.span ?? {};
  return { code, name, severity, message, line, column, ...rest };
}
