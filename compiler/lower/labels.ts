/**
 * The labels of all files in their final order, and what a reference means (docs/language.md, labels).
 * Knows which steps stand in which label, but not what a step does.
 */
import type { LabelLine, Ref, Step } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import type { Span } from "../../grammar/text/span.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { ANONYMOUS_LABEL } from "../ir/graph.ts";
import { FORBIDDEN_MEMBERS } from "../ir/supplied/bounds.ts";
import { MAX_ID } from "../ir/supplied/nodes.ts";
import { type FindingSink, sinkFor, withNear } from "./findings.ts";
import type { Module, Target } from "./lowered.ts";

/** Labels that a finding names. */
const MAX_NAMED = 12;

export type SourceStep = {
  readonly step: Step;
  /** Above the first label line. */
  readonly outside: boolean;
};

export type SourceLabel = {
  /** Qualified id. */
  readonly id: string;
  readonly module: Module;
  readonly span: Span;
  readonly steps: readonly SourceStep[];
};

export type LabelTable = {
  /** Main file first, then the modules in the order of their include lines. */
  readonly labels: readonly SourceLabel[];
  get(id: string): SourceLabel | undefined;
  /** Ids as they are written inside the module with this prefix: its own ones without it, then all others. */
  idsSeenFrom(prefix: string): readonly string[];
};

/** `alias/ID` references into a file that could not be included are not reported again. */
export type FailedAliases = ReadonlySet<string>;

type OpenLabel = { readonly id: string; readonly span: Span; readonly steps: SourceStep[] };

/** Labels of `modules` (main first); a repeated one is WF2005 in a file and WF3015 between files. */
export function collectLabels(modules: readonly Module[], findings: Finding[]): LabelTable {
  const byId = new Map<string, SourceLabel>();
  for (const module of modules) {
    const conflicts: SourceLabel[] = [];
    const own = labelsOfFile(module, findings);
    for (const label of own) {
      const qualified: SourceLabel = { id: module.prefix + label.id, module, span: label.span, steps: label.steps };
      const first = byId.get(qualified.id);
      if (first === undefined) byId.set(qualified.id, qualified);
      else conflicts.push(first);
      reportUnloadable(qualified, findings);
    }
    if (conflicts[0] !== undefined) reportConflict(module, conflicts[0], findings);
  }
  const labels = [...byId.values()];
  const seen = new Map<string, readonly string[]>();
  return {
    labels,
    get: (id) => byId.get(id),
    idsSeenFrom(prefix) {
      const known = seen.get(prefix) ?? idsFrom(labels, prefix);
      seen.set(prefix, known);
      return known;
    },
  };
}

/** Ids that IR cannot have when it is read again (docs/ir.md, IR from outside): an error in both modes. */
function reportUnloadable({ id, span }: SourceLabel, findings: Finding[]): void {
  const sink = sinkFor(findings, id);
  if (FORBIDDEN_MEMBERS.has(id)) {
    sink.report("WF2006", span, { severity: "error", words: { id: `_${id.replaceAll("_", "")}` } });
  } else if (id.length > MAX_ID) {
    const words = { what: "length of a label's name", limit: `${MAX_ID} characters` };
    sink.report("WF1011", span, { words, suggestion: "use a shorter name" });
  }
}

/** What `ref`, written in `module`, means. Reports WF3001 or WF3004 when it means nothing. */
export function resolveReference(
  ref: Ref,
  port: Target["port"],
  module: Module,
  table: LabelTable,
  failed: FailedAliases,
  sink: FindingSink,
): Target {
  const found = findLabel(ref.text, module.prefix, table);
  if (found !== undefined) return { id: found.id, exists: true, empty: false, ref, port };
  const id = withoutL(ref.text);
  const empty = id === "";
  if (empty) {
    sink.report("WF3004", ref.span);
  } else if (!pointsIntoFailed(ref.text, module.prefix, failed)) {
    reportUnknownLabel("WF3001", id, ref.span, module, table, sink);
  }
  return { id: module.prefix + (empty ? ref.text : id), exists: false, empty, ref, port };
}

/** The label that a written reference means, seen from the file with `prefix`. */
export function findLabel(text: string, prefix: string, table: LabelTable): SourceLabel | undefined {
  for (const start of prefix === "" ? [""] : [prefix, ""]) {
    const stripped = text.startsWith("L") ? table.get(start + text.slice(1)) : undefined;
    const label = stripped ?? (text === "" ? undefined : table.get(start + text));
    if (label !== undefined) return label;
  }
  return undefined;
}

/** WF3001, WF3020: with the nearest existing id and an edit that writes it. */
export function reportUnknownLabel(
  code: string,
  id: string,
  span: Span,
  module: Module,
  table: LabelTable,
  sink: FindingSink,
): void {
  const known = sink.nearest(id, table.idsSeenFrom(module.prefix));
  const near = known === null ? null : writtenLabel(known);
  const spelled = `${module.file.text.startsWith("->", span.start) ? "->" : ""}${near}`;
  sink.report(code, span, {
    words: withNear({ id: writtenLabel(id) }, near),
    ...(near === null ? { suggestion: missingLabelAdvice(id, module, table) } : {}),
    fix: near === null ? null : { title: `write ${spelled}`, edits: [{ span, new_text: spelled }] },
  });
}

function missingLabelAdvice(id: string, module: Module, table: LabelTable): string {
  const known = table.idsSeenFrom(module.prefix);
  const named = known.slice(0, MAX_NAMED).map(writtenLabel).join(", ");
  const more = known.length > MAX_NAMED ? ` and ${known.length - MAX_NAMED} more` : "";
  const declare = `write ${writtenLabel(id)}: with its steps`;
  return known.length === 0 ? declare : `${declare}, or use one of ${named}${more}`;
}

/** Drops the leading arrow and the trailing colon of a reference in a declaration. */
export function referenceText(word: string): string {
  const bare = word.startsWith("->") ? word.slice(2) : word;
  return bare.endsWith(":") ? bare.slice(0, -1) : bare;
}

/** The id of a reference that no label has: without the leading L. */
export function withoutL(text: string): string {
  return text.startsWith("L") ? text.slice(1) : text;
}

function labelsOfFile(module: Module, findings: Finding[]): readonly OpenLabel[] {
  const byId = new Map<string, OpenLabel>();
  let current: OpenLabel | null = null;
  for (const line of module.file.lines) {
    if (line.kind === "label") {
      current = openLabel(line, module, byId, findings);
      for (const step of line.steps) current.steps.push({ step, outside: false });
    } else if (line.kind === "step") {
      const outside = current === null;
      current ??= anonymousLabel(line.step, byId);
      current.steps.push({ step: line.step, outside });
      if (outside) current = null;
    }
  }
  return [...byId.values()];
}

function openLabel(line: LabelLine, module: Module, byId: Map<string, OpenLabel>, findings: Finding[]): OpenLabel {
  const first = byId.get(line.id);
  if (first === undefined) {
    const label: OpenLabel = { id: line.id, span: line.word.span, steps: [] };
    byId.set(line.id, label);
    return label;
  }
  sinkFor(findings, module.prefix + line.id).report("WF2005", line.word.span, {
    words: { id: writtenLabel(line.id) },
    related: [{ message: "first declared here", span: first.span }],
  });
  return first;
}

function anonymousLabel(step: Step, byId: Map<string, OpenLabel>): OpenLabel {
  const known = byId.get(ANONYMOUS_LABEL);
  if (known !== undefined) return known;
  const label: OpenLabel = { id: ANONYMOUS_LABEL, span: step.word.span, steps: [] };
  byId.set(ANONYMOUS_LABEL, label);
  return label;
}

/** One finding per include line: the first label that it gives a second time. */
function reportConflict(module: Module, first: SourceLabel, findings: Finding[]): void {
  const id = first.id.slice(module.prefix.length);
  sinkFor(findings).report("WF3015", module.included_at, {
    words: { alias: aliasOf(module), id: writtenLabel(id) },
    related: [{ message: "the first label with this id", span: first.span }],
  });
}

/** The last alias of a prefix: `outer/inner/` → `inner`. */
function aliasOf(module: Module): string {
  return module.prefix.split("/").at(-2) ?? "";
}

function idsFrom(labels: readonly SourceLabel[], prefix: string): readonly string[] {
  const own: string[] = [];
  const others: string[] = [];
  for (const label of labels) {
    if (prefix !== "" && label.id.startsWith(prefix)) own.push(label.id.slice(prefix.length));
    else others.push(label.id);
  }
  return [...own, ...others];
}

function pointsIntoFailed(text: string, prefix: string, failed: FailedAliases): boolean {
  if (failed.size === 0) return false;
  return [text, withoutL(text)].some((form) => {
    const slash = form.indexOf("/");
    return slash > 0 && failed.has(prefix + form.slice(0, slash));
  });
}
