/**
 * Parsing of one file of opcode text: `parse(text)` gives its syntax tree and everything that can be said from this text alone. Line by
 * line: which kind of line is it, read it, put it into place. It never throws and never stops at a fault; work is linear
 * in the text. It knows nothing of other files, of adapters or of which labels exist.
 */
import type { SourceFile } from "./ast.ts";
import { readInputs } from "./inputs.ts";
import { readOpcode } from "./parser/opcode-parser.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import { createSource, spanOf, utf8Length } from "./text/source.ts";
import type { Span } from "./text/span.ts";

/** Bounds of one file (docs/language.md, bounds). A host may lower them; higher ones are ignored. */
export type ParseLimits = {
  readonly source_bytes: number;
  readonly line_bytes: number;
  readonly statements: number;
  readonly nesting: number;
};

export const PARSE_LIMITS: ParseLimits = {
  source_bytes: 1_048_576,
  line_bytes: 65_536,
  statements: 100_000,
  nesting: 64,
};

export type ParseOptions = {
  readonly file?: string | null;
  readonly limits?: Partial<ParseLimits>;
};

export function parse(text: string, options: ParseOptions = {}): SourceFile {
  // Also the door of the library, whose callers may have no types.
  if (typeof text !== "string") throw new TypeError("a program must be text");
  const file = options.file ?? null;
  const limits = lowerLimits(options.limits ?? {});
  // A unit of UTF-16 takes at most three bytes.
  if (text.length * 3 > limits.source_bytes && utf8Length(text, 0, text.length) > limits.source_bytes) {
    return tooLarge(text, file, limits);
  }
  const source = createSource(text, file);
  const reporter = createReporter(source);
  reportInvalidCharacters(reporter);
  const lines = readOpcode(reporter, limits);
  const inputs = readInputs(reporter.comments, lines, reporter);
  const findings = reporter.findings.sort(byPlace);
  return { file, text, lines, comments: reporter.comments, inputs, findings };
}

function lowerLimits(wanted: Partial<ParseLimits>): ParseLimits {
  const lower = (name: keyof ParseLimits): number =>
    Math.max(1, Math.min(PARSE_LIMITS[name], wanted[name] ?? Infinity));
  return {
    source_bytes: lower("source_bytes"),
    line_bytes: lower("line_bytes"),
    statements: lower("statements"),
    nesting: lower("nesting"),
  };
}

function tooLarge(text: string, file: string | null, limits: ParseLimits): SourceFile {
  const span: Span = { file, line: 1, column: 1, end_line: 1, end_column: 1, start: 0, end: 0 };
  const words = { what: "source", limit: `${limits.source_bytes} bytes` };
  return { file, text, lines: [], comments: [], inputs: [], findings: [{ code: "WF1011", span, words }] };
}

type Placed = { readonly code: string; readonly span: Span | null };

function byPlace(left: Placed, right: Placed): number {
  const difference = (left.span?.start ?? 0) - (right.span?.start ?? 0);
  if (difference !== 0) return difference;
  return left.code < right.code ? -1 : left.code > right.code ? 1 : 0;
}

const MAX_INVALID_CHARACTERS = 1000;

function reportInvalidCharacters(reporter: Reporter): void {
  const pattern = /\0|\p{Surrogate}/gu;
  for (let count = 0; count < MAX_INVALID_CHARACTERS; count++) {
    const match = pattern.exec(reporter.source.text);
    if (match === null) return;
    const hex = `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    const span = spanOf(reporter.source, match.index, match.index + 1);
    reporter.report({ code: "WF1010", span, words: { "U+hex": hex } });
  }
}
