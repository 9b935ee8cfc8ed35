/** How people read of steps: of a function by its name and line, of a label of the opcode form by its id and that of the step. */
import { functionName, isIndented, labelNames } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";

export type StepNames = {
  /** `check`, `L1` */
  readonly label: (label: string) => string;
  /** Next to a column of lines: `check`, `L1 n2`. `node` null: no step of it. */
  readonly nextToLine: (label: string, node: string | null) => string;
  /** `check line 3`, `L1 n2` */
  readonly step: (label: string, node: string | null) => string;
};

export function stepNames(ir: Pick<Ir, "labels" | "nodes" | "entry" | "declarations">): StepNames {
  const lines = new Map(ir.nodes.map(({ label, id, line }) => [`${label}\n${id}`, line]));
  const nameOf = labelNames(ir);
  const isOld = isIndented(ir);
  const hasName = (label: string): boolean => isOld || functionName(ir, label) !== null;
  const ofLabel = (label: string, node: string | null) => (node === null ? nameOf(label) : `${nameOf(label)} ${node}`);
  return {
    label: nameOf,
    nextToLine: (label, node) => (hasName(label) ? nameOf(label) : ofLabel(label, node)),
    step: (label, node) => {
      if (!hasName(label)) return ofLabel(label, node);
      const line = node === null ? undefined : lines.get(`${label}\n${node}`);
      return line === undefined ? nameOf(label) : `${nameOf(label)} line ${line}`;
    },
  };
}
