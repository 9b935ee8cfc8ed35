/**
 * Where the stages of lowering leave what they find: a list bound to one place (label and node), so that no caller has
 * to repeat the place with every finding. Knows nothing of severities or message texts; those are the code table's.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import type { Span } from "../../grammar/text/span.ts";
import { DIAGNOSTIC_CODES } from "../diagnostic-codes.ts";
import { nearest } from "../diagnostics.ts";

export type FindingDetails = Omit<Finding, "code" | "span" | "label_id" | "node_id">;

export type FindingSink = {
  report(code: string, span: Span | null, details?: FindingDetails): void;
  /** The nearest of `candidates`, or null; also null where looking would cost more than the answer is worth. */
  nearest(word: string, candidates: readonly string[]): string | null;
};

/** More findings than these are not shown, so their suggestions are not looked for. */
const MAX_SUGGESTIONS = 1000;
const MAX_CANDIDATES = 2000;

/** Adds to `findings` with the given place. It is a class instead of closures, because every step has one. */
export class PlaceSink implements FindingSink {
  readonly findings: Finding[];
  readonly label_id: string | null;
  readonly node_id: string | null;

  constructor(findings: Finding[], label_id: string | null, node_id: string | null) {
    this.findings = findings;
    this.label_id = label_id;
    this.node_id = node_id;
  }

  report(code: string, span: Span | null, details: FindingDetails = {}): void {
    this.findings.push({ code, span, label_id: this.label_id, node_id: this.node_id, ...details });
  }

  nearest(word: string, candidates: readonly string[]): string | null {
    if (this.findings.length >= MAX_SUGGESTIONS || candidates.length > MAX_CANDIDATES) return null;
    return nearest(word, candidates);
  }
}

/** A sink that adds to `list` with the given place. */
export function sinkFor(list: Finding[], label_id: string | null = null, node_id: string | null = null): FindingSink {
  return new PlaceSink(list, label_id, node_id);
}

/** `words` with `near` when there is one: the table leaves a suggestion out whose words are missing. */
export function withNear(words: Readonly<Record<string, string>>, near: string | null): Record<string, string> {
  return near === null ? { ...words } : { ...words, near };
}

/** Whether a finding stops the program in this mode. */
export function isError(finding: Finding, strict: boolean): boolean {
  const code = DIAGNOSTIC_CODES[finding.code];
  return (finding.severity ?? (strict ? code?.strict : code?.loose)) === "error";
}
