/**
 * From findings to diagnostics: severity by mode, templates filled, one record per code and place, in reading order and
 * bounded (docs/diagnostics.md). The stages above report what they saw; this file alone decides how it is said.
 * It reads no source text, so the only program content in a message is the word a finding handed over.
 */
import type { Diagnostic, Finding, Severity } from "../grammar/diagnostic.ts";
import { nounFor } from "../grammar/text/english.ts";
import type { Span } from "../grammar/text/span.ts";
import { withIndependentFixes } from "./check/independent-fixes.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "./diagnostic-codes.ts";
import { shownText } from "./hidden-characters.ts";

export { nearest } from "../grammar/text/nearest.ts";

const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 3, warning: 2, hint: 1 };
const MAX_DIAGNOSTICS = 1000;
const MAX_MESSAGE = 300;
/** Longer words are cut, so that the rest of the sentence stays readable. */
const MAX_WORD = 120;

const PLAIN = /^[ -~]*$/;
const PLACEHOLDER = /\{([A-Za-z][A-Za-z+_]*)\}/;

/** The diagnostics of one compile, ready for every surface. */
export function finishFindings(findings: readonly Finding[], mode: { readonly strict: boolean }): Diagnostic[] {
  if (findings.length === 0) return [];
  const shown = withoutCovered(findings, mode).filter((finding) => severityOf(finding, mode.strict) !== null);
  const fileOrder = orderOfFiles(findings);
  const ordered = firstPerPlace(shown.sort((a, b) => compareByPlace(a, b, fileOrder)));
  // Put into words last: of very many, nearly all are left out.
  const kept = withIndependentFixes(mostSevere(ordered, mode.strict).map((finding) => finish(finding, mode.strict)));
  const n = ordered.length - kept.length;
  if (n === 0) return kept;
  const words = { n: String(n), findings: nounFor(n, "finding is", "findings are") };
  return [...kept, finish({ code: "WF1013", span: null, words }, mode.strict)];
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
  const byFile = new Map<string | null, Cover[]>();
  for (const cover of covers.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)) {
    const known = byFile.get(cover.span.file);
    const last = known?.at(-1);
    // One in another says nothing more. Those that are left do not overlap, so of those that start before a place only the last can hold it.
    if (known === undefined || last === undefined) byFile.set(cover.span.file, [cover]);
    else if (cover.span.end > last.span.end || cover.rank > last.rank) known.push(cover);
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

/** For a finding that is shown in this mode. */
function finish(finding: Finding, strict: boolean): Diagnostic {
  const row = rowOf(finding);
  const severity = severityOf(finding, strict);
  if (severity === null) throw new Error(`${finding.code} is not shown in this mode`);
  const words = finding.words ?? {};
  return {
    code: finding.code,
    name: row.name,
    severity,
    message: messageOf(finding),
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
  // Omit `did you mean …` without a near name.
  const { text, complete } = fill(template, words);
  return complete ? cut(text, MAX_MESSAGE) : null;
}

function fill(template: string, words: Readonly<Record<string, string>>): { text: string; complete: boolean } {
  const parts = partsOf(template);
  let complete = true;
  let text = parts[0] ?? "";
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? "";
    const word = Object.hasOwn(words, name) ? words[name] : undefined;
    if (word === undefined || (word === "" && name === "near")) {
      complete = false;
      text += `{${name}}`;
    } else text += cut(printable(word.slice(0, MAX_WORD + 1)), MAX_WORD);
    text += parts[at + 1];
  }
  return { text, complete };
}

/** By template; bounded, because all templates come from the table. */
const templateParts = new Map<string, readonly string[]>();

/** Text and placeholder in turn. */
function partsOf(template: string): readonly string[] {
  let parts = templateParts.get(template);
  if (parts === undefined) {
    parts = template.split(PLACEHOLDER);
    templateParts.set(template, parts);
  }
  return parts;
}

function printable(text: string): string {
  return PLAIN.test(text) ? text : shownText(text);
}

/** At most `length` code units, never half a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length - 1;
  const last = text.charCodeAt(end - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}…`;
}

/** The first of each code and place. `ordered` by `compareByPlace`, so those of one place stand together. */
function firstPerPlace(ordered: readonly Finding[]): readonly Finding[] {
  const whole = new Set<string>();
  let last: Finding | null = null;
  return ordered.filter((finding) => {
    const { code, span, label_id } = finding;
    if (span !== null) {
      const isNew = last === null || last.code !== code || !isSamePlace(last.span, span);
      last = finding;
      return isNew;
    }
    const key = `${code} ${label_id ?? ""} ${messageOf(finding)}`;
    if (whole.has(key)) return false;
    whole.add(key);
    return true;
  });
}

function isSamePlace(a: Span | null, b: Span): boolean {
  return a !== null && a.start === b.start && a.end === b.end && a.file === b.file;
}

function messageOf(finding: Finding): string {
  return cut(fill(rowOf(finding).message, finding.words ?? {}).text, MAX_MESSAGE);
}

function orderOfFiles(findings: readonly Finding[]): ReadonlyMap<string | null, number> {
  const order = new Map<string | null, number>([[null, 0]]);
  for (const { span } of findings) {
    if (span !== null && !order.has(span.file)) order.set(span.file, order.size);
  }
  return order;
}

/** Main file first; findings about the whole program stand after those with a place. */
function compareByPlace(a: Finding, b: Finding, fileOrder: ReadonlyMap<string | null, number>): number {
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
function mostSevere(ordered: readonly Finding[], strict: boolean): readonly Finding[] {
  if (ordered.length <= MAX_DIAGNOSTICS) return ordered;
  const kept = new Set<Finding>();
  for (const severity of ["error", "warning", "hint"] satisfies Severity[]) {
    for (const finding of ordered) {
      if (kept.size === MAX_DIAGNOSTICS) break;
      if (severityOf(finding, strict) === severity) kept.add(finding);
    }
  }
  return ordered.filter((finding) => kept.has(finding));
}
