/**
 * Unset names that are not forgotten variables: constants of other languages, a function where a value belongs, a
 * result name without its arrow. Everything here is decided from the step itself; `undefined-read.ts` looks further.
 */
import type { Fix } from "../../../grammar/diagnostic.ts";
import { beginsFunction, NO_FUNCTION_IN_PLACE } from "../../../grammar/foreign/in-place.ts";
import { behindForeignArrow, isForeignArrow } from "../../../grammar/foreign/marks.ts";
import { findOp } from "../../../grammar/ops.ts";
import { type Span, spanBefore, spanOver } from "../../../grammar/text/span.ts";
import { type AdapterCatalog, findAdapter, findVerb, type Parameter } from "../../catalog.ts";
import { findFunction } from "../../functions.ts";
import type { LoweredLabel, LoweredStep, Read } from "../../lower/lowered.ts";
import { constantFor } from "./predefined.ts";

/** All reads of one name by one step. */
export type UnsetRead = {
  readonly label: LoweredLabel;
  readonly step: LoweredStep;
  /** Position of the step in its label. */
  readonly at: number;
  readonly vertex: number;
  readonly reads: readonly [Read, ...Read[]];
};

export type Repair = { readonly suggestion?: string; readonly fix?: Fix | null; readonly covers?: Span };

const TEMPLATE_PREFIX = /^(?:f|F|fr|rf)$/;

/** How far below a call its result is looked for. */
const MAX_STEPS_BELOW = 50;

export function meantOtherwise(unset: UnsetRead, catalog: AdapterCatalog): Repair | null {
  return (
    constantRepair(unset) ??
    templateRepair(unset) ??
    stepRepair(unset) ??
    functionRepair(unset) ??
    arrowRepair(unset, catalog)
  );
}

/** The operand that an R ends with, when it is the bare word `name`, with an arrow of another form or without. */
export function lastArgument({ step }: LoweredStep, name: string): Span | null {
  if (step.op !== "R" || step.out !== null) return null;
  const last = step.args.at(-1);
  if (last?.k === "word") return behindForeignArrow(last.v) === name ? last.span : null;
  return last?.k === "name" && last.v === name ? last.span : null;
}

function constantRepair({ reads }: UnsetRead): Repair | null {
  const [{ name }] = reads;
  const constant = constantFor(name);
  if (constant === null || reads.some(({ form }) => form !== "name")) return null;
  const suggestion = `write ${constant}`;
  return { suggestion, fix: { title: suggestion, edits: reads.map(({ span }) => ({ span, new_text: constant })) } };
}

/** `f"Hello {name}"`: a prefix that makes a template of a text elsewhere. */
function templateRepair({ step: { step }, label, reads }: UnsetRead): Repair | null {
  const [{ name, span, form }] = reads;
  const { text } = label.module.file;
  if (form !== "name" || !TEMPLATE_PREFIX.test(name) || !/["']/.test(text.charAt(span.end))) return null;
  return { suggestion: 'texts have no templates: use X name concat "Hello " other', fix: null, covers: step.span };
}

/** `R core.LEN xs ->n J n`: a step after another on its line. */
function stepRepair({ step: { step }, reads }: UnsetRead): Repair | null {
  const [{ name, span }] = reads;
  if (findOp(name)?.kind !== "step" || (step.op !== "R" && step.op !== "X")) return null;
  if (!step.args.some((argument) => argument.k === "name" && argument.span.start === span.start)) return null;
  return {
    suggestion: `${name} begins a step of its own: write it on the next line, or quote it if it is text`,
    fix: { title: `write ${name} on the next line`, edits: [{ span: spanBefore(span), new_text: "\n  " }] },
    covers: spanOver(span, step.span),
  };
}

/** `Set h add 1 2`: functions are called with X. `Set f lambda x: …`: the language has no lambdas. */
function functionRepair({ step: { step }, label, reads }: UnsetRead): Repair | null {
  const [{ name, span: place, form }] = reads;
  if (form === "name" && beginsFunction(name))
    return { suggestion: NO_FUNCTION_IN_PLACE, fix: null, covers: spanOver(place, step.span) };
  if (step.op !== "Set" || step.value.k !== "name" || step.value.v !== name || step.extra.length === 0) return null;
  const { word, span } = step;
  if (findFunction(name) === undefined) return null;
  const written = label.module.file.text.slice(word.span.end, span.end);
  return {
    suggestion: `use X: X${written}`,
    fix: { title: "write X", edits: [{ span: word.span, new_text: "X" }] },
    covers: span,
  };
}

/** `R core.ADD 1 2 x`: more than the call needs, and read below as if it were set. */
function arrowRepair(unset: UnsetRead, catalog: AdapterCatalog): Repair | null {
  const { step, reads } = unset;
  const [{ name }] = reads;
  const span = lastArgument(step, name);
  if (span === null || reads.length > 1) return null;
  const spare = spareArgument(step, catalog);
  if (spare === "no" || (spare === "maybe" && !isReadBelow(unset))) return null;
  const suggestion = `write ->${name} if it names the result`;
  const title = `write ->${name}`;
  const arrow = arrowBefore(step);
  if (arrow === null)
    return { suggestion, fix: { title, edits: [{ span: spanBefore(span), new_text: "->" }] }, covers: span };
  const both = spanOver(arrow, span);
  return { suggestion, fix: { title, edits: [{ span: both, new_text: `->${name}` }] }, covers: both };
}

/** The arrow of another form that stands alone before the last argument. */
function arrowBefore({ step }: LoweredStep): Span | null {
  const before = step.op === "R" ? step.args.at(-2) : undefined;
  return before?.k === "word" && isForeignArrow(before.v) ? before.span : null;
}

/** Whether the last argument may be a result's name: `maybe` where the call can also take it as an argument. */
export function spareArgument({ step }: LoweredStep, catalog: AdapterCatalog): "surely" | "maybe" | "no" {
  if (step.op !== "R") return "no";
  const entry = findAdapter(catalog, step.adapter.text);
  const parameters = entry === undefined ? null : (findVerb(entry, step.verb.text)?.parameters ?? null);
  if (parameters === null) return "maybe";
  const count = step.args.length;
  if (count > mostArguments(parameters)) return "surely";
  const least = parameters.filter(({ optional, repeat }) => !optional && !repeat).length;
  return count > least ? "maybe" : "no";
}

function isReadBelow({ label, at, reads }: UnsetRead): boolean {
  const below = label.steps.slice(at + 1, at + 1 + MAX_STEPS_BELOW);
  return below.some((later) => later.reads.some((read) => read.name === reads[0].name));
}

function mostArguments(parameters: readonly Parameter[]): number {
  return parameters.some(({ repeat }) => repeat) ? Number.POSITIVE_INFINITY : parameters.length;
}
