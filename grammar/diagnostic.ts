/**
 * Diagnostics: what the language says about a program. Stages report *findings*: a code, a place and the words to fill
 * in. Only `compiler/diagnostics.ts` turns findings into diagnostics, because the severity depends on the mode
 * (`diagnostic-codes.ts` holds the table). Nothing here knows about files or surfaces.
 */
import type { Span } from "./text/span.ts";

/** Errors alone keep a program from being compiled. */
export type Severity = "error" | "warning" | "hint";

/** The text of `span` becomes `new_text`. */
export type Edit = { readonly span: Span; readonly new_text: string };
/** Edits that fix a mistake together; their spans do not overlap. */
export type Fix = { readonly title: string; readonly edits: readonly Edit[] };
export type Related = { readonly message: string; readonly span: Span };

/** One finished diagnostic, in the shape every surface prints. */
export type Diagnostic = {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span | null;
  readonly label_id: string | null;
  readonly node_id: string | null;
  readonly expected: readonly string[];
  readonly suggestion: string | null;
  readonly fix: Fix | null;
  readonly related: readonly Related[];
  /** Index of the diagnostic whose edits touch those of this one: it most likely follows from that, and has no fix. */
  readonly caused_by?: number;
};

/** What a stage reports. `words` fill the `{…}` of the code's message and suggestion. */
export type Finding = {
  readonly code: string;
  readonly span: Span | null;
  readonly words?: Readonly<Record<string, string>>;
  readonly label_id?: string | null;
  readonly node_id?: string | null;
  readonly expected?: readonly string[];
  /** Replaces the suggestion of the table; null removes it. */
  readonly suggestion?: string | null;
  readonly fix?: Fix | null;
  readonly related?: readonly Related[];
  /** Overrides the table's severity for this finding in both modes (WF2003 of R and J is a warning in both). */
  readonly severity?: Severity;
  /** What lies in here follows from this finding and is not shown next to it, unless it is more severe. */
  readonly covers?: Span;
};
