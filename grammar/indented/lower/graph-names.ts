/**
 * What the statements of one graph need to know of the whole file: variables, labels of graphs, numbers of hidden variables.
 */
import type { Ref, Slot, Step } from "../../ast.ts";

/** What the statements of a graph need to know of the file. */
export type GraphNames = {
  /** Names that hold variables: `a.b` alone is a path when `a` is one. */
  readonly variables: ReadonlySet<string>;
  /** The label of the graph with this name; null, with a finding, when the graph does not exist. */
  readonly labelOf: (target: Slot) => string | null;
  /** A reference of a step with the label of the graph that it names. */
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
    case "Each":
      return { ...step, body: reference(step.body) };
    case "Par":
      return { ...step, bodies: step.bodies.map(reference) };
    case "Loop":
    case "While":
      return { ...step, body: reference(step.body), after: reference(step.after) };
    default:
      return step;
  }
}

/** Whether a label was made for a block. Labels in source cannot contain the mark. */
export function isBlockLabel(id: string): boolean {
  return id.includes("~");
}
