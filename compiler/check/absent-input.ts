/**
 * WF4004: a declared input, or a variable that only some paths set, is tested for its absence with its bare name. A name without a value
 * is read as text where a value is due, so `(eq limit null)` is false when the caller leaves `limit` out, and `(or limit 10)` sees a text.
 * `$limit` is null then. Only tests are reported: anywhere else the text may be meant.
 */
import type { Operand } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import type { Span } from "../../grammar/text/span.ts";
import { Pieces, type Task } from "../../grammar/text/task.ts";
import { findFunction } from "../functions.ts";
import type { LoweredLabel, LoweredStep } from "../lower/lowered.ts";
import { conditionOf, walkOperands } from "./operand-walk.ts";
import { type ProgramView, STEPS_OF_A_PIECE } from "./program-view.ts";
import { writtenBy } from "./variables/flow-graph.ts";
import { PREDEFINED } from "./variables/predefined.ts";
import { UnsetPaths } from "./variables/unset-paths.ts";

type Name = Extract<Operand, { k: "name" }>;

/** Functions that ask about a value whatever the others are: how many of their first arguments. */
const TESTED_ARGUMENTS: Readonly<Record<string, number>> = { and: 2, or: 2, not: 1, bool: 1, ite: 1, type: 1 };

/** `unset`: the reads of names that nothing can have set, which are reported as such. */
export function* checkAbsentInputs(view: ProgramView, unset: readonly Finding[]): Task<Finding[]> {
  const { program } = view;
  const writers = labelsThatWrite(program.labels, program.inputs);
  const paths = new UnsetPaths(view);
  const reported = new Set(unset.map(({ span }) => placeOf(span)));
  const findings: Finding[] = [];
  const pieces = new Pieces(STEPS_OF_A_PIECE);
  for (const label of program.labels) {
    const set = new Set<string>(PREDEFINED);
    for (const [at, lowered] of label.steps.entries()) {
      if (pieces.add()) yield;
      for (const name of testedNames(lowered)) {
        if (set.has(name.v) || reported.has(placeOf(name.span))) continue;
        if (program.inputs.has(name.v)) {
          const setElsewhere = writers.get(name.v)?.some((writer) => writer !== label) === true;
          if (!setElsewhere) findings.push(findingOf(name, "when the caller leaves it out", label, lowered));
        } else if (paths.canBeUnset(name.v, label, at)) {
          findings.push(findingOf(name, "on the paths that do not set it", label, lowered));
        }
      }
      for (const name of writtenBy(lowered)) set.add(name);
    }
  }
  return findings;
}

function placeOf(span: Span | null): string {
  return `${span?.file} ${span?.start}`;
}

function findingOf({ v: name, span }: Name, when: string, label: LoweredLabel, { node }: LoweredStep): Finding {
  return {
    code: "WF4004",
    span,
    label_id: label.id,
    node_id: node?.id ?? null,
    words: { name, when },
    fix: { title: `write $${name}`, edits: [{ span, new_text: `$${name}` }] },
  };
}

/** The labels in which a step sets an input. */
function labelsThatWrite(
  labels: readonly LoweredLabel[],
  inputs: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly LoweredLabel[]> {
  const writers = new Map<string, LoweredLabel[]>();
  if (inputs.size === 0) return writers;
  for (const label of labels) {
    for (const step of label.steps) {
      for (const name of writtenBy(step)) {
        if (!inputs.has(name)) continue;
        const known = writers.get(name) ?? [];
        if (known.at(-1) !== label) writers.set(name, [...known, label]);
      }
    }
  }
  return writers;
}

/** Bare names of the step that are compared with null, or of which the truth or the type is asked. */
function testedNames({ step, node }: LoweredStep): readonly Name[] {
  if (node === null || step.faulty) return [];
  const found: Name[] = [];
  if (step.op === "X" && step.first.k === "name") found.push(...testedIn(step.first.v, step.args));
  if (step.op === "R" && step.adapter.text === "core") found.push(...testedIn(step.verb.text, step.args));
  walkOperands(step, (operand) => {
    if (operand.k === "call") found.push(...testedIn(operand.fn.text, operand.args));
  });
  const condition = conditionOf(step);
  // On the left an unset name is null, on the right it is text.
  if (condition !== null && "left" in condition && condition.left.k === "null" && condition.right.k === "name")
    found.push(condition.right);
  return found;
}

function testedIn(word: string, args: readonly Operand[]): readonly Name[] {
  const name = findFunction(word)?.name ?? "";
  const [left, right] = args;
  const comparesNull = (name === "eq" || name === "ne") && (left?.k === "null" || right?.k === "null");
  const tested = comparesNull
    ? args
    : args.slice(0, Object.hasOwn(TESTED_ARGUMENTS, name) ? TESTED_ARGUMENTS[name] : 0);
  return tested.filter((operand) => operand.k === "name");
}
