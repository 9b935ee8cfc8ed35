/** How people read of steps: of a function in Python by its name and line, of a label by its id and that of the step. */
import { functionName } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";

export type StepNames = {
  /** `check`, `L1` */
  readonly label: (label: string) => string;
  /** Next to a column of lines: `check`, `L1 n2`. `node` null: no step of it. */
  readonly nextToLine: (label: string, node: string | null) => string;
  /** `check line 3`, `L1 n2` */
  readonly step: (label: string, node: string | null) => string;
};

export function stepNames(ir: Pick<Ir, "labels" | "nodes">): StepNames {
  const lines = new Map(ir.nodes.map(({ label, id, line }) => [`${label}\n${id}`, line]));
  const ofLabel = (label: string, node: string | null) =>
    node === null ? writtenLabel(label) : `${writtenLabel(label)} ${node}`;
  return {
    label: (label) => functionName(ir, label) ?? writtenLabel(label),
    nextToLine: (label, node) => functionName(ir, label) ?? ofLabel(label, node),
    step: (label, node) => {
      const name = functionName(ir, label);
      if (name === null) return ofLabel(label, node);
      const line = node === null ? undefined : lines.get(`${label}\n${node}`);
      return line === undefined ? name : `${name} line ${line}`;
    },
  };
}
