/**
 * Collects what the stages of parsing report about one file, bounded in number: only the first findings of each code and
 * severity are kept, because no surface shows more than a thousand in all. It knows no codes' meaning.
 */
import type { CommentLine } from "./ast.ts";
import type { Finding, Fix } from "./diagnostic.ts";
import type { Source } from "./text/source.ts";
import type { Span } from "./text/span.ts";

const KEPT_PER_CODE = 1000;

export type Reporter = {
  readonly source: Source;
  readonly comments: CommentLine[];
  readonly findings: Finding[];
  /** Offsets of the lexer's WF1xxx findings in the current statement that no step has taken yet. */
  lexicalErrors: number[];
  /** Offsets of the calls that are reported with the whole statement they stand in. */
  readonly explainedCalls: Set<number>;
  readonly report: (finding: Finding) => void;
  /** Reports `image`, which has no place where it stands (WF1009). */
  readonly refuse: (span: Span, image: string, suggestion: string | null, fix?: Fix | null, covers?: Span) => void;
  /** No further finding of this code will be kept: spares the work of making one. */
  readonly isFull: (code: string) => boolean;
};

export function createReporter(source: Source): Reporter {
  const findings: Finding[] = [];
  const counts = new Map<string, number>();
  const report = (finding: Finding): void => {
    const key = finding.severity === undefined ? finding.code : finding.code + finding.severity;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= KEPT_PER_CODE) findings.push(finding);
  };
  return {
    source,
    comments: [],
    findings,
    lexicalErrors: [],
    explainedCalls: new Set(),
    report,
    refuse(span, image, suggestion, fix = null, covers) {
      const words = { token: `'${image}'` };
      report({ code: "WF1009", span, words, suggestion, fix, ...(covers === undefined ? {} : { covers }) });
    },
    isFull: (code) => (counts.get(code) ?? 0) >= KEPT_PER_CODE,
  };
}
