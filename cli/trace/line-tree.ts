/** The tree of a run of a program in Python by the lines of its source: what the compiler made of a line is one step, and definitions are left out. */
import { functionName } from "../../compiler/diagram/label-names.ts";
import { type LogicalLine, logicalLines } from "../../compiler/diagram/logical-lines.ts";
import { isDefinition } from "../../compiler/diagram/written-steps.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { type IrIndex, indexIr } from "../../compiler/ir/ir-index.ts";
import { MODULE_LABEL } from "../../compiler/python/imports/python-file.ts";
import type { StepWords } from "./trace-text.ts";
import type { LabelVisit, TracedStep } from "./tree.ts";

/** `ir` null: of a saved trace. `textOf`: the source of a file of the program, null for its own. */
type Traced = { readonly ir: Ir | null; readonly textOf: (file: string | null) => string | null };

export function lineTree(visits: readonly LabelVisit[], { ir }: Pick<Traced, "ir">): LabelVisit[] {
  return treeOf(visits, ir === null ? null : indexIr(ir));
}

function treeOf(visits: readonly LabelVisit[], index: IrIndex | null): LabelVisit[] {
  return visits.flatMap((visit) => {
    const isFile = index?.label(visit.label)?.python?.kind === "module";
    const lines: TracedStep[] = [];
    for (const step of visit.steps) {
      if (isFile && index !== null && isSetUp(step, index)) continue;
      const last = lines.at(-1);
      const inner = treeOf(step.visits, index);
      if (last !== undefined && isSameLine(last, step)) lines[lines.length - 1] = merged(last, step, inner);
      else lines.push({ ...step, visits: inner });
    }
    return lines.length === 0 ? [] : [{ ...visit, steps: lines }];
  });
}

/** What a file does before its functions are called, and its end. */
function isSetUp({ event: { label, node_id } }: TracedStep, index: IrIndex): boolean {
  const node = index.node(label, node_id);
  return node?.op === "Py" && (node.data.do === "return" || isDefinition(node));
}

/** A line that failed is over, unless it is tried again. */
function isSameLine(one: TracedStep, other: TracedStep): boolean {
  return one.event.lineno === other.event.lineno && one.event.kind === "step" && one.retry === null;
}

/** What it returned or raised is what its last step did. */
function merged(one: TracedStep, { event, retry }: TracedStep, inner: readonly LabelVisit[]): TracedStep {
  const times = { start_ms: one.event.start_ms, duration_ms: one.event.duration_ms + event.duration_ms };
  return { event: { ...event, ...times }, retry, visits: [...one.visits, ...inner] };
}

/** `line 4  total += item["price"]`, in functions that are called by their names. */
export function lineWords({ ir, textOf }: Traced): StepWords {
  const index = ir === null ? null : indexIr(ir);
  const files = new Map<string | null, ReadonlyMap<number, LogicalLine>>();
  const linesOf = (file: string | null) => {
    const known = files.get(file);
    if (known !== undefined) return known;
    const text = textOf(file);
    const lines: ReadonlyMap<number, LogicalLine> = text === null ? new Map() : logicalLines(text);
    files.set(file, lines);
    return lines;
  };
  return {
    titles: ["function", "line"],
    label: (label) => (ir === null ? null : functionName(ir, label)) ?? (label === MODULE_LABEL ? "the file" : label),
    place: ({ lineno }) => (lineno == null ? "" : `line ${lineno}`),
    text: ({ label, node_id, lineno }) => {
      const line = linesOf(index?.node(label, node_id)?.file ?? null).get(lineno ?? 0);
      return line?.text ?? "";
    },
  };
}
