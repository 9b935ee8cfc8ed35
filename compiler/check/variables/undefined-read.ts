/**
 * What is said about a name that nothing sets: WF4001, WF4002 or WF9008, with the most likely repair. In order: the result that
 * an R above forgot to name, a step elsewhere that sets it too late, a name that is spelt almost the same, text that lacks its quotes,
 * an input of the caller. A name that is a variable elsewhere in the program is never taken for text or for another name.
 * Whether a name is set is decided in `dataflow.ts`.
 */
import type { Finding, Fix } from "../../../grammar/diagnostic.ts";
import { isWritable } from "../../../grammar/operands/tokens.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { type Span, spanAfter } from "../../../grammar/text/span.ts";
import { writtenLabel } from "../../../grammar/text/written-label.ts";
import type { LoweredLabel, LoweredStep, Read } from "../../lower/lowered.ts";
import { branchLabels } from "../branches.ts";
import { type ProgramView, resolveLabel } from "../program-view.ts";
import { writtenBy } from "./flow-graph.ts";

/** All reads of one name by one step. */
export type UnsetRead = {
  readonly label: LoweredLabel;
  readonly step: LoweredStep;
  /** Position of the step in its label. */
  readonly at: number;
  readonly vertex: number;
  readonly reads: readonly [Read, ...Read[]];
};

type Repair = { readonly suggestion?: string; readonly fix?: Fix | null };

/** A name that may have been meant, and the line of the main writer when it is in the same file. */
export type NearName = { readonly name: string; readonly line: number | null };

/** Maximum number of comparisons of names; more would cost too much for suggestions that are not read. */
const MAX_COMPARISONS = 500_000;
/** How far from a read an R with an unnamed result, and what reads that, are looked for. */
const MAX_STEPS_APART = 50;

/** The names a program sets, to be offered in place of one it does not. */
export class NearestNames {
  readonly #writtenAt = new Map<string, Span | null>();
  readonly #names: readonly string[];
  readonly #guesses = new Map<string, string | null>();
  readonly #firstWriters = new Map<LoweredLabel, Map<string, number>>();
  readonly #confirmed = new Map<UnsetRead, string>();
  readonly #readAsVariable = new Set<string>();
  /** Names that only branches set. */
  readonly #inBranches = new Set<string>();

  constructor(view: ProgramView, base: ReadonlySet<string>) {
    for (const name of base) this.#writtenAt.set(name, null);
    const branches = branchLabels(view);
    for (const label of view.program.labels) {
      for (const step of label.steps) {
        for (const name of writtenBy(step)) {
          if (!branches.has(label.id)) this.#inBranches.delete(name);
          else if (!this.#writtenAt.has(name)) this.#inBranches.add(name);
          if (!this.#writtenAt.has(name)) this.#writtenAt.set(name, step.step.word.span);
        }
        for (const read of step.reads) if (isVariableForm(read)) this.#readAsVariable.add(read.name);
      }
    }
    this.#names = [...this.#writtenAt.keys()].filter(isWritable);
  }

  /** Where a step of the program or of an included file sets `name`, on whatever path; null where none does. */
  setAnywhere(name: string): Span | null {
    return this.#writtenAt.get(name) ?? null;
  }

  /** Whether branches set it, and nothing else. */
  setInBranches(name: string): boolean {
    return this.#inBranches.has(name);
  }

  /** Whether the program treats `name` as a variable: something sets it, or reads it in a form that text does not have. */
  isVariable(name: string): boolean {
    return this.#writtenAt.has(name) || this.#readAsVariable.has(name);
  }

  /** How many names `guess` compares with this one. */
  comparisons(read: UnsetRead): number {
    const { name } = read.reads[0];
    // A name that some step sets is spelt as it was meant.
    if (this.#writtenAt.has(name) || this.#guesses.has(name)) return 0;
    const affordable = (this.#guesses.size + 1) * this.#names.length <= MAX_COMPARISONS;
    return affordable ? this.#names.length : 0;
  }

  guess(read: UnsetRead): string | null {
    const { name } = read.reads[0];
    if (this.comparisons(read) === 0) return this.#guesses.get(name) ?? null;
    const near = nearest(name, this.#names);
    this.#guesses.set(name, near);
    return near;
  }

  /** Whether a step above the read sets `name`. */
  setAbove({ label, at }: UnsetRead, name: string): boolean {
    let writers = this.#firstWriters.get(label);
    if (writers === undefined) {
      writers = new Map();
      for (const [index, step] of label.steps.entries()) {
        for (const written of writtenBy(step)) if (!writers.has(written)) writers.set(written, index);
      }
      this.#firstWriters.set(label, writers);
    }
    return (writers.get(name) ?? at) < at;
  }

  confirm(read: UnsetRead, near: string): void {
    this.#confirmed.set(read, near);
  }

  nearTo(read: UnsetRead): NearName | null {
    const name = this.#confirmed.get(read);
    if (name === undefined) return null;
    const span = this.#writtenAt.get(name) ?? null;
    return { name, line: span !== null && span.file === read.reads[0].span.file ? span.line : null };
  }
}

/** `$x`, `x[0]`, and the subject of a condition; `x.y` may be text. */
function isVariableForm({ form, slot, text }: Read): boolean {
  return form === "var" || slot === "subject" || (form === "path" && text.includes("["));
}

/** A bare name, `$x`, or a path with `$` or brackets: WF4001, or WF9008 where J was taken for a jump. */
export function readFinding(view: ProgramView, unset: UnsetRead, names: NearestNames): Finding {
  const { label, step, reads } = unset;
  const [read] = reads;
  const place = { span: read.span, label_id: label.id, node_id: step.node?.id ?? null };
  const jump = jumpTarget(view, unset);
  if (jump !== null) {
    const id = writtenLabel(jump);
    const suggestion = `J returns a value; to continue at a label use If true ->${id} or Call ${id}`;
    return { code: "WF9008", ...place, words: { id, name: read.name }, suggestion, fix: null };
  }
  return { code: "WF4001", ...place, words: { name: read.name }, ...repairOf(view, unset, names) };
}

/** A dotted word whose root nothing sets: WF4002. */
export function pathFinding(unset: UnsetRead, names: NearestNames): Finding {
  const { label, step, reads } = unset;
  const near = names.nearTo(unset);
  const [read] = reads;
  const inCondition = read.slot === "subject";
  const reading = inCondition ? "null" : "read as text";
  const words = { word: read.text, root: read.name, reading };
  const place = { span: read.span, label_id: label.id, node_id: step.node?.id ?? null };
  if (near !== null) {
    const edits = reads.map(({ span, name, text }) => ({ span, new_text: near.name + text.slice(name.length) }));
    return { code: "WF4002", ...place, words, ...nearRepair(near, edits) };
  }
  const late = lateSuggestion(unset, names);
  if (late !== null) return { code: "WF4002", ...place, words, suggestion: late };
  if (inCondition || names.isVariable(read.name)) {
    return { code: "WF4002", ...place, words, suggestion: declareIt(read.name) };
  }
  const edits = reads.map(({ span, text }) => ({ span, new_text: JSON.stringify(text) }));
  return { code: "WF4002", ...place, words, fix: { title: `quote '${read.text}'`, edits } };
}

function repairOf(view: ProgramView, unset: UnsetRead, names: NearestNames): Repair {
  const { reads } = unset;
  const { name } = reads[0];
  const result = isWritable(name) ? resultRepair(unset, name) : null;
  if (result !== null) return result;
  const late = lateSuggestion(unset, names);
  if (late !== null) return { suggestion: late, fix: null };
  const near = names.nearTo(unset);
  if (near !== null) {
    const edits = reads.map((read) => ({ span: read.span, new_text: read.text.replace(read.name, () => near.name) }));
    return nearRepair(near, edits);
  }
  const fix = names.isVariable(name) ? null : quoteFix(reads);
  // A module is checked without the program that includes it, so what that sets has to be declared.
  if (unset.label.module.file.file !== null || isModule(view)) {
    const or_text = fix === null ? "" : ", or quote it if it is text";
    return { suggestion: `declare it in the module with '# frame: ${name}'${or_text}`, fix };
  }
  return {
    suggestion: `${fix === null ? "set it first" : "quote it if it is text"}, or ${declareIt(name)}`,
    fix,
  };
}

/** How a file says that a caller gives the value. */
function declareIt(name: string): string {
  return `declare it with '# frame: ${name}'`;
}

/** For a name that a step sets, though on no path to this one. */
function lateSuggestion(unset: UnsetRead, names: NearestNames): string | null {
  const [{ name, span }] = unset.reads;
  const setAt = names.setAnywhere(name);
  if (setAt === null) return null;
  if (names.setInBranches(name)) {
    return `line ${setAt.line} sets it in a branch, whose variables are its own: return the value with J`;
  }
  const place = `${setAt.file === span.file ? "" : `${setAt.file ?? "the main program"} `}line ${setAt.line}`;
  return `${place} sets it, but never before this step; set it earlier, or ${declareIt(name)}`;
}

/** A module that is looked at by itself. */
function isModule({ labelIndex, program }: ProgramView): boolean {
  return labelIndex.has("ENTRY") && program.endpoints.length === 0;
}

/** Names the result of an R step above; null without one, or where the call reads `name` itself. */
function resultRepair(unset: UnsetRead, name: string): Repair | null {
  const unnamed = unnamedResultAbove(unset);
  if (unnamed === null || unnamed.reads.some((read) => read.name === name)) return null;
  const { span } = unnamed.step;
  return {
    suggestion: `name the result: add ->${name} on line ${span.line}`,
    fix: { title: `add ->${name}`, edits: [{ span: spanAfter(span), new_text: ` ->${name}` }] },
  };
}

function nearRepair({ name, line }: NearName, edits: Fix["edits"]): Repair {
  const place = line === null ? "" : `, set on line ${line}`;
  return { suggestion: `did you mean '${name}'${place}?`, fix: { title: `replace with ${name}`, edits } };
}

/** Quotes every occurrence; null where a quoted word would mean something else than the text of that name. */
function quoteFix(reads: UnsetRead["reads"]): Fix | null {
  if (reads.some(({ form, slot }) => form !== "name" || slot !== "operand")) return null;
  const edits = reads.map(({ span, name }) => ({ span, new_text: `"${name}"` }));
  return { title: `quote '${reads[0].name}'`, edits };
}

/** One answer per step that reads several names: they may be very many. */
const unnamedResults = new WeakMap<LoweredStep, LoweredStep | null>();

function unnamedResultAbove(unset: UnsetRead): LoweredStep | null {
  if (unset.step.reads.length === 1) return findUnnamedResult(unset);
  const known = unnamedResults.get(unset.step);
  if (known !== undefined) return known;
  const found = findUnnamedResult(unset);
  unnamedResults.set(unset.step, found);
  return found;
}

/** The nearest R above whose result has no name of its own and is not read under the default one. */
function findUnnamedResult({ label, at }: UnsetRead): LoweredStep | null {
  const { steps } = label;
  if (isResultReadBelow(label, at)) return null;
  for (let index = at; index >= Math.max(0, at - MAX_STEPS_APART); index--) {
    const above = steps[index];
    if (above === undefined) break;
    if (index < at && hasUnnamedResult(above)) return above;
    if (readsResult(above)) break;
  }
  return null;
}

/** Whether a step below reads the default result before another call writes it. */
function isResultReadBelow({ steps }: LoweredLabel, at: number): boolean {
  for (const below of steps.slice(at + 1, at + 1 + MAX_STEPS_APART)) {
    if (readsResult(below)) return true;
    if (below.node?.writes.includes("res") === true) return false;
  }
  return false;
}

function readsResult({ reads }: LoweredStep): boolean {
  return reads.some(({ name }) => name === "res");
}

function hasUnnamedResult({ step, node }: LoweredStep): boolean {
  return step.op === "R" && !step.faulty && step.out === null && node?.writes.includes("res") === true;
}

/** The label that `J word` names, when that is all J says. */
function jumpTarget(view: ProgramView, { label, step, reads }: UnsetRead): string | null {
  const value = step.step.op === "J" ? step.step.value : null;
  if (value === null || value.k !== "name" || reads[0].form !== "name") return null;
  return resolveLabel(view, value.v, label.module);
}
