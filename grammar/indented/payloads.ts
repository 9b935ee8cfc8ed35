/** Data of the first token of a statement. */
import type { Name } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import type { Span } from "../text/span.ts";
import type { Statement } from "./program.ts";

/** What the first token knows about the whole statement. */
export type StatementPayload = {
  /** There is a finding about its characters. */
  readonly faulty: boolean;
  /** It ends with a colon. When that is a mistake, the lines below it are read as if they were not indented further. */
  readonly hasColon: boolean;
  /** The lines below it are read although it opens no block: `err:`, `try:`. */
  readonly opens: boolean;
  /** For statements that were read as a whole. */
  readonly statement: Statement | null;
  /** The text before the expression: a missing expression is reported there. */
  readonly head: Span;
  /** The colon of `out:`. */
  readonly colon: SurplusColon | null;
};

/** The inputs of a line, and their statement. */
export type InputPayload = { readonly names: readonly Name[]; readonly statement: Statement | null };

/** A colon that does not belong there. */
export type SurplusColon = { readonly span: Span; readonly suggestion: string; readonly fix: Fix | null };
