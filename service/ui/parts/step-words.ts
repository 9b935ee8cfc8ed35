/** Steps of a program in its own words: the function or label, the line, and what stands there in the source. */

import { labelNames } from "../../../compiler/diagram/label-names.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { resolveReference } from "../../../compiler/ir/references.ts";
import { shownLabel } from "../../../grammar/text/written-label.ts";
import type { ProgramVersion } from "../data.ts";

/** `visit` and the like of a journal are left out. */
type Step = { readonly label?: string | undefined; readonly node?: string | undefined };

export type StepWords = {
  /** `share`; `L1` in the opcode form. */
  readonly name: (label: string) => string;
  /** The id of a label by its written form. */
  readonly id: (written: string) => string;
  /** `share, line 18`; "" for what is not a step. */
  readonly place: (step: Step) => string;
  /** The line of the source, without its indentation; null: it is not known. */
  readonly source: (step: Step) => string | null;
};

/** A line may be a megabyte. */
const MAX_SOURCE = 200;

/**
 * `version`: null for a program that is not deployed. `entry`: the label that the program begins with, as the job and as its run name it:
 * functions have the same name in both, labels of the opcode form do not.
 */
export function stepWords(
  version: ProgramVersion | null,
  entry: { readonly written: string; readonly id: string | undefined },
): StepWords {
  const ir = version === null ? null : (version.ir as unknown as Ir);
  const lines = version?.code?.split("\n") ?? [];
  const byStep = new Map((ir?.nodes ?? []).map((node) => [`${node.label}\n${node.id}`, node.line]));
  const nameOf = ir === null ? null : labelNames(ir);
  const isNamed = entry.id !== undefined && entry.written === entry.id;
  const name = (label: string): string => {
    if (nameOf !== null) return nameOf(label);
    return isNamed ? label : shownLabel(label);
  };
  const lineOf = ({ label, node }: Step): number | null => byStep.get(`${label}\n${node}`) ?? null;
  return {
    name,
    id: (written) =>
      ir === null && isNamed ? written : resolveReference(written, (id) => ir !== null && Object.hasOwn(ir.labels, id)),
    place: (step) => {
      if (step.label === undefined) return "";
      const line = lineOf(step);
      if (line !== null) return `${name(step.label)}, line ${line}`;
      return step.node === undefined || isNamed ? name(step.label) : `${name(step.label)}/${step.node}`;
    },
    source: (step) => {
      const text = lines[(lineOf(step) ?? 0) - 1]?.trim() ?? "";
      return text === "" ? null : text.slice(0, MAX_SOURCE);
    },
  };
}
