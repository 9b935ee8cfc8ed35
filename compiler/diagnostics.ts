/**
 * From findings to diagnostics: severity by mode, templates filled, one record per code and place, in reading order and
 * bounded (language reference 14.1). The stages above report what they saw; this file alone decides how it is said.
 * It reads no source text, so the only program content in a message is the word a finding handed over.
 */
import type { Diagnostic, Finding, Severity } from "../grammar/diagnostic.ts";
import { nounFor } from "../grammar/english.ts";
import type { Span } from "../grammar/span.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "./diagnostic-codes.ts";

export { nearest } from "../grammar/nearest.ts";

const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 3, warning: 2, hint: 1 };
const MAX_DIAGNOSTICS = 1000;
const MAX_MESSAGE = 300;
/** Longer words are cut, so that the rest of the sentence stays readable. */
const MAX_WORD = 120;

/** C0 and C1 controls, line separators, marks that reorder text on a terminal, and halves of surrogate pairs. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const PLACEHOLDER = /\{([A-Za-z][A-Za-z+_]*)\}/g;

/** The diagnostics of one compile, ready for every surface. */
export function finishFindings(findings: readonly Finding[], mode: { readonly strict: boolean }): Diagnostic[] {
  const shown = withoutCovered(findings, mode);
  const unique = firstPerPlace(shown.map((finding) => finish(finding, mode.strict)).filter((d) => d !== null));
  const fileOrder = orderOfFiles(findings);
  const ordered = unique.sort((a, b) => compareByPlace(a, b, fileOrder));
  if (ordered.length <= MAX_DIAGNOSTICS) return ordered;
  const kept = mostSevere(ordered);
  const n = ordered.length - kept.length;
  const words = { n: String(n), findings: nounFor(n, "finding is", "findings are") };
  const rest = finish({ code: "WF1013", span: null, words }, mode.strict);
  return rest === null ? kept : [...kept, rest];
}

/**
 * Findings without those that follow from another one and lie in the step it covers. What is more severe than the finding
 * that covers it stays, so leaving them out never makes a broken program look fine.
 */
export function withoutCovered(findings: readonly Finding[], { strict }: { readonly strict: boolean }): Finding[] {
  const covers = findings.flatMap((finding): Cover[] => {
    const rank = rankOf(finding, strict);
    return finding.covers === undefined || rank === 0 ? [] : [{ finding, rank, span: finding.covers }];
  });
  if (covers.length === 0) return [...findings];
  // Steps do not overlap, so of those that start before a place only the last can hold it.
  const byFile = new Map<string | null, Cover[]>();
  for (const cover of covers.sort((a, b) => a.span.start - b.span.start)) {
    const known = byFile.get(cover.span.file);
    if (known === undefined) byFile.set(cover.span.file, [cover]);
    else known.push(cover);
  }
  return findings.filter((finding) => {
    const { span } = finding;
    const cover = span === null ? undefined : lastBefore(byFile.get(span.file) ?? [], span.start);
    if (span === null || cover === undefined || cover.finding === finding) return true;
    // Without strict mode the program may run all the same, and a missing label will stop it.
    if (!strict && finding.code.startsWith("WF3")) return true;
    return span.end > cover.span.end || rankOf(finding, strict) > cover.rank;
  });
}

type Cover = { readonly finding: Finding; readonly rank: number; readonly span: Span };

/** The last of `covers`, which are sorted, that starts at `offset` or before. */
function lastBefore(covers: readonly Cover[], offset: number): Cover | undefined {
  let low = 0;
  let high = covers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((covers[middle]?.span.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return covers[low - 1];
}

function rankOf(finding: Finding, strict: boolean): number {
  const severity = severityOf(finding, strict);
  return severity === null ? 0 : SEVERITY_RANK[severity];
}

function rowOf({ code }: Finding): DiagnosticCode {
  const row = Object.hasOwn(DIAGNOSTIC_CODES, code) ? DIAGNOSTIC_CODES[code] : undefined;
  if (row === undefined) throw new Error(`finding with unknown code ${code}`);
  return row;
}

function severityOf(finding: Finding, strict: boolean): Severity | null {
  const row = rowOf(finding);
  return finding.severity ?? (strict ? row.strict : row.loose);
}

function finish(finding: Finding, strict: boolean): Diagnostic | null {
  const row = rowOf(finding);
  const severity = severityOf(finding, strict);
  if (severity === null) return null;
  const words = finding.words ?? {};
  return {
    code: finding.code,
    name: row.name,
    severity,
    message: cut(fill(row.message, words).text, MAX_MESSAGE),
    span: finding.span,
    label_id: finding.label_id ?? null,
    node_id: finding.node_id ?? null,
    expected: finding.expected ?? [],
    suggestion: suggestionOf(finding, row.suggestion, words),
    fix: finding.fix ?? null,
    related: (finding.related ?? []).map(({ message, span }) => ({
      message: cut(printable(message), MAX_MESSAGE),
      span,
    })),
  };
}

function suggestionOf(
  finding: Finding,
  template: string | null,
  words: Readonly<Record<string, string>>,
): string | null {
  if (finding.suggestion !== undefined) {
    return finding.suggestion === null ? null : cut(printable(finding.suggestion), MAX_MESSAGE);
  }
  if (template === null) return null;
  // A sentence with a hole helps nobody: `did you mean …` without a near name is left out.
  const { text, complete } = fill(template, words);
  return complete ? cut(text, MAX_MESSAGE) : null;
}

function fill(template: string, words: Readonly<Record<string, string>>): { text: string; complete: boolean } {
  let complete = true;
  const text = template.replace(PLACEHOLDER, (hole: string, name: string) => {
    const word = Object.hasOwn(words, name) ? words[name] : undefined;
    if (word === undefined || (word === "" && name === "near")) {
      complete = false;
      return hole;
    }
    return cut(printable(word), MAX_WORD);
  });
  return { text, complete };
}

function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}

/** At most `length` code units, never half a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length - 1;
  const last = text.charCodeAt(end - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}…`;
}

function firstPerPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, span, label_id, message }) => {
    const place = span === null ? `${label_id ?? ""} ${message}` : `${span.start} ${span.end} ${span.file ?? ""}`;
    const key = `${code} ${span === null} ${place}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function orderOfFiles(findings: readonly Finding[]): ReadonlyMap<string | null, number> {
  const order = new Map<string | null, number>([[null, 0]]);
  for (const { span } of findings) {
    if (span !== null && !order.has(span.file)) order.set(span.file, order.size);
  }
  return order;
}

/** Main file first; findings about the whole program stand after those with a place. */
function compareByPlace(a: Diagnostic, b: Diagnostic, fileOrder: ReadonlyMap<string | null, number>): number {
  if (a.span === null || b.span === null) {
    if (a.span !== b.span) return a.span === null ? 1 : -1;
    return compareText(a.code, b.code);
  }
  const byFile = (fileOrder.get(a.span.file) ?? 0) - (fileOrder.get(b.span.file) ?? 0);
  return byFile || a.span.start - b.span.start || compareText(a.code, b.code) || a.span.end - b.span.end;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Too many: warnings and hints give way to errors, because a dropped error would make a broken program look fine. */
function mostSevere(ordered: readonly Diagnostic[]): Diagnostic[] {
  const kept = new Set<Diagnostic>();
  for (const severity of ["error", "warning", "hint"] satisfies Severity[]) {
    for (const diagnostic of ordered) {
      if (kept.size === MAX_DIAGNOSTICS) break;
      if (diagnostic.severity === severity) kept.add(diagnostic);
    }
  }
  return ordered.filter((diagnostic) => kept.has(diagnostic));
}
