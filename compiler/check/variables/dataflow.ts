/**
 * Defined before use (docs/diagnostics.md, variables): every read of a name that nothing can have set. Most reads are settled
 * while walking a label; the rest become questions to the flow graph, answered together. What a finding says about a
 * name is in `undefined-read.ts`.
 */
import type { Finding } from "../../../grammar/diagnostic.ts";
import type { LoweredStep, Read } from "../../lower/lowered.ts";
import type { CompileOptions, UndeclaredRead } from "../../options.ts";
import type { ProgramView } from "../program-view.ts";
import { buildFlowGraph, type FlowGraph, writtenBy } from "./flow-graph.ts";
import { possiblySet, type Question } from "./possibly-set.ts";
import { PREDEFINED } from "./predefined.ts";
import { NearestNames, pathFinding, readFinding, type UnsetRead } from "./undefined-read.ts";

export type DataflowResult = { readonly findings: Finding[]; readonly undeclared_reads: UndeclaredRead[] };

export function checkDataflow(view: ProgramView, options: CompileOptions): DataflowResult {
  const base = new Set(PREDEFINED);
  for (const name of options.inputs ?? []) base.add(name);
  for (const name of view.program.inputs.keys()) base.add(name);
  const graph = buildFlowGraph(view);
  const open = openReads(view, graph, base);
  const settled = possiblySet(
    graph,
    open.map(({ reads: [first], vertex }) => ({ name: first.name, vertex })),
  );
  const unset = open.filter((_, index) => !settled[index]);
  const findings: Finding[] = [];
  const undeclared_reads: UndeclaredRead[] = [];
  if (unset.length === 0) return { findings: conflictingInputs(view), undeclared_reads };
  const nearest = nearestNames(view, graph, base, unset);
  for (const read of unset) {
    const finding = reportsWholeName(read) ? readFinding(view, read, nearest) : pathFinding(read, nearest);
    findings.push(finding);
    const node_id = read.step.node?.id;
    if (finding.code === "WF4001" && options.inputs === undefined && node_id !== undefined) {
      undeclared_reads.push({ name: read.reads[0].name, label_id: read.label.id, node_id, span: read.reads[0].span });
    }
  }
  return { findings: findings.concat(conflictingInputs(view)), undeclared_reads };
}

/** Reads that no earlier step of their own label settles, one per name, step and kind of finding, sorted by name. */
function openReads(view: ProgramView, graph: FlowGraph, base: ReadonlySet<string>): UnsetRead[] {
  const open: UnsetRead[] = [];
  const set = new Set<string>();
  const isOpen = (read: Read): boolean => isReported(read) && !set.has(read.name) && !base.has(read.name);
  for (const [index, label] of view.program.labels.entries()) {
    set.clear();
    const places = graph.places[index];
    for (let at = 0; at < label.steps.length; at++) {
      const step = label.steps[at] as LoweredStep;
      const written = writtenBy(step);
      for (const name of written) set.add(name);
      if (step.step.writes.length !== 1 || step.step.writes[0] !== written[0]) {
        for (const name of step.step.writes) set.add(name);
      }
      for (const reads of readsByName(step, isOpen)) {
        open.push({ label, step, at, vertex: places?.[at] ?? 0, reads });
      }
    }
  }
  return open;
}

function readsByName(step: LoweredStep, isOpen: (read: Read) => boolean): readonly UnsetRead["reads"][] {
  if (step.step.faulty || step.node === null) return NO_READS;
  const reads = readsOf(step);
  // Nearly every read of a program is settled here, so nothing is allocated before one is not.
  if (!reads.some(isOpen)) return NO_READS;
  const open = reads.filter(isOpen);
  const groups = new Map<string, [Read, ...Read[]]>();
  for (const read of open) {
    const key = `${isDottedText(read) ? "." : "$"}${read.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [read]);
    else group.push(read);
  }
  return [...groups.values()].sort(([a], [b]) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const NO_READS: readonly UnsetRead["reads"][] = [];

/** `J` alone reads `data`. */
export function readsOf({ step, reads }: LoweredStep): readonly Read[] {
  if (step.op !== "J" || step.value !== null || reads.length > 0) return reads;
  return [{ name: "data", span: step.word.span, form: "var", slot: "operand", text: "data" }];
}

/** Bare words of `key` and `lenient` slots may be text; `$x` is a variable everywhere. */
function isReported(read: Read): boolean {
  const bare = read.form === "name" || read.form === "path";
  return !bare || read.slot === "operand" || read.slot === "subject";
}

/** `a.b` without brackets is text when nothing sets `a`: a warning, not an error. */
function isDottedText(read: Read): boolean {
  return read.form === "path" && !read.text.includes("[");
}

function reportsWholeName(read: UnsetRead): boolean {
  return !isDottedText(read.reads[0]);
}

/** Near names are offered only where they can be set: a second round of questions, for the few reads that need one. */
function nearestNames(
  view: ProgramView,
  graph: FlowGraph,
  base: ReadonlySet<string>,
  unset: readonly UnsetRead[],
): NearestNames {
  const nearest = new NearestNames(view, base);
  const offers: { read: UnsetRead; near: string }[] = [];
  for (const read of unset) {
    const near = nearest.guess(read);
    if (near !== null) offers.push({ read, near });
  }
  const questions: Question[] = offers.map(({ read, near }) => ({ name: near, vertex: read.vertex }));
  const answers = possiblySet(graph, questions);
  for (const [index, { read, near }] of offers.entries()) {
    if (base.has(near) || nearest.setAbove(read, near) || answers[index]) nearest.confirm(read, near);
  }
  return nearest;
}

const SHORT_TYPES: Readonly<Record<string, string>> = {
  I: "integer",
  F: "number",
  S: "text",
  B: "boolean",
  D: "date",
  J: "any",
};

/** The same input declared with two types. */
function conflictingInputs(view: ProgramView): Finding[] {
  const findings: Finding[] = [];
  const first = new Map<string, { type: string; span: UnsetRead["reads"][0]["span"] }>();
  for (const { file } of view.program.modules) {
    for (const { name, type, span } of file.inputs) {
      const before = first.get(name);
      if (before === undefined) first.set(name, { type, span });
      else if (longType(before.type) !== longType(type)) {
        findings.push({
          code: "WF4003",
          span,
          words: { name, a: before.type, b: type },
          related: [{ message: `first declared as ${before.type}`, span: before.span }],
        });
      }
    }
  }
  return findings;
}

function longType(type: string): string {
  return (Object.hasOwn(SHORT_TYPES, type) ? SHORT_TYPES[type] : undefined) ?? type;
}
