/**
 * Frame inputs that a program overwrites before anything can read them (WF9028): the caller gives a value and it is never used. An input
 * counts as used as soon as one path from one entry reads it first, so defaults, corrections (`X n add n 1`) and overrides in one branch
 * are not reported. Where the analysis is not exact (what a called label overwrites), it errs on the side of silence.
 */
import type { Finding } from "../../../grammar/diagnostic.ts";
import type { Span } from "../../../grammar/text/span.ts";
import type { LoweredLabel, LoweredStep } from "../../lower/lowered.ts";
import type { ProgramView } from "../program-view.ts";
import { readsOf } from "./dataflow.ts";
import { entryLabels } from "./entry-labels.ts";
import { writtenBy } from "./flow-graph.ts";
import { PREDEFINED } from "./predefined.ts";

/** Steps looked at for all inputs together. Programs that need more get no further advice. */
const MAX_VISITS = 2_000_000;

type Overwrite = { readonly label: LoweredLabel; readonly lowered: LoweredStep };
type Budget = { visits: number };

/** `given`: names that the caller says the frame will hold, next to those that the program declares. */
export function overwrittenInputs(view: ProgramView, given: readonly string[]): Finding[] {
  const candidates = writtenInputs(view, given);
  if (candidates.size === 0) return [];
  const entries = entryLabels(view);
  const budget: Budget = { visits: MAX_VISITS };
  const findings: Finding[] = [];
  for (const [name, declared] of candidates) {
    const overwrites = unreadOverwrites(view, entries, name, budget);
    if (budget.visits < 0) break;
    for (const { label, lowered } of overwrites) {
      if (label.module.prefix !== "") continue;
      findings.push({
        code: "WF9028",
        span: placeOf(lowered, name),
        label_id: label.id,
        node_id: lowered.node?.id ?? null,
        severity: "hint",
        words: { name },
        related: declared === null ? [] : [{ message: "declared here", span: declared }],
      });
    }
  }
  return findings;
}

/** Declared in the main file or by the caller, and written somewhere. Modules get their inputs from the program, which has to write them. */
function writtenInputs(view: ProgramView, given: readonly string[]): ReadonlyMap<string, Span | null> {
  const inputs = new Map<string, Span | null>();
  for (const { file, prefix } of view.program.modules) {
    if (prefix === "") for (const { name, span } of file.inputs) if (!inputs.has(name)) inputs.set(name, span);
  }
  for (const name of given) if (!inputs.has(name)) inputs.set(name, null);
  for (const name of PREDEFINED) inputs.delete(name);
  if (inputs.size === 0) return inputs;
  const written = new Set<string>();
  for (const { steps } of view.program.labels) {
    for (const step of steps) for (const name of namesWritten(step)) written.add(name);
  }
  return new Map([...inputs].filter(([name]) => written.has(name)));
}

/** With the item of a Loop, which hides what its name held before. */
function namesWritten(lowered: LoweredStep): readonly string[] {
  const { step } = lowered;
  return step.op === "Loop" ? [...writtenBy(lowered), step.item.name] : writtenBy(lowered);
}

/** The steps that overwrite what the caller gave for `name`; none when something may read it. */
function unreadOverwrites(view: ProgramView, entries: readonly string[], name: string, budget: Budget): Overwrite[] {
  const reached = new Set(entries);
  const waiting = [...entries];
  const overwrites: Overwrite[] = [];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const label = view.program.labels[view.labelIndex.get(id) ?? -1];
    if (label === undefined) continue;
    budget.visits -= label.steps.length;
    const walked = budget.visits < 0 ? null : walkUnread(label, name);
    if (walked === null) return [];
    overwrites.push(...walked.overwrites.map((lowered) => ({ label, lowered })));
    for (const next of walked.reached) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  }
  return overwrites;
}

type Walk = {
  readonly overwrites: readonly LoweredStep[];
  /** Labels that can start while `name` still holds what the caller gave. */
  readonly reached: readonly string[];
};

/** One label from its start, where `name` holds what the caller gave, up to where it does not any more; null when that is read. */
function walkUnread(label: LoweredLabel, name: string): Walk | null {
  const overwrites: LoweredStep[] = [];
  const reached: string[] = [];
  /** Nodes that can fail while `name` still holds what the caller gave. */
  const before = new Set<string>();
  let overwritten = false;
  for (const lowered of label.steps) {
    const { step, node, targets, protects } = lowered;
    if (overwritten) {
      // An Err below can protect a step above, which fails before it writes.
      if (protects !== null && before.has(protects)) reached.push(...existing(targets));
      continue;
    }
    if (node === null || step.faulty) return null;
    before.add(node.id);
    if (isSelfCopy(lowered, name)) continue;
    if (readsOf(lowered).some((read) => read.name === name)) return null;
    const hides = (step.op === "Loop" || step.op === "Each") && step.item.name === name;
    // An Each hides it from its branches only.
    if (hides && step.op === "Loop") overwrites.push(lowered);
    reached.push(...existing(hides ? targets.filter(({ port }) => port !== "body") : targets));
    if (!writtenBy(lowered).includes(name)) continue;
    overwrites.push(lowered);
    overwritten = true;
  }
  return { overwrites, reached };
}

function existing(targets: LoweredStep["targets"]): string[] {
  return targets.filter(({ exists }) => exists).map(({ id }) => id);
}

/** `Set x x` and `Set x $x` say that x is an input: neither a use nor an overwrite. */
function isSelfCopy({ step }: LoweredStep, name: string): boolean {
  if (step.op !== "Set" || step.name.name !== name) return false;
  return (step.value.k === "name" || step.value.k === "var") && step.value.v === name;
}

function placeOf({ step }: LoweredStep, name: string): Span {
  const named = [
    "out" in step ? step.out : null,
    step.op === "Loop" ? step.item : null,
    "name" in step && step.op !== "Tx" ? step.name : null,
  ];
  return named.find((one) => one?.name === name)?.span ?? step.word.span;
}
