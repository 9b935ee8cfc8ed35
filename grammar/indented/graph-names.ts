/**
 * What the statements of one graph need to know of the whole file: variables, labels of graphs, numbers of hidden variables.
 */
import type { Ref, Slot, Step } from "../ast.ts";

/** What the statements of a graph need to know of the file. */
export type GraphNames = {
  /** Names that hold variables: `a.b` alone is a path when `a` is one. */
  readonly variables: ReadonlySet<string>;
  /** The label that a written graph name means; null, with a finding, when there is none. */
  readonly labelOf: (target: Slot) => string | null;
  /** A reference of a step; graphs may be named as they are. */
  readonly reference: (ref: Ref) => Ref;
  /** The next number for a hidden variable of this file. */
  readonly nextHidden: () => number;
};

/** Steps with the references of the file. */
export function withReferences(step: Step, { reference }: GraphNames): Step {
  switch (step.op) {
    case "Err":
      return step.handler === null ? step : { ...step, handler: reference(step.handler) };
    case "Call":
      return { ...step, label: reference(step.label) };
    case "If":
      return { ...step, then: reference(step.then), else: step.else === null ? null : reference(step.else) };
    case "Loop":
    case "While":
      return { ...step, body: reference(step.body), after: reference(step.after) };
    default:
      return step;
  }
}

/** Labels of blocks: nobody writes them, and no written label has the mark. */
export function isBlockLabel(id: string): boolean {
  return id.includes("~");
}
