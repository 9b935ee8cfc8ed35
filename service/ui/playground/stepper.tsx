/** A run, stepped forwards and backwards: over the source, over the graph where it is drawn, and as values. */

import type { Ir } from "../../../compiler/ir/graph.ts";
import { writtenLabel } from "../../../grammar/text/written-label.ts";
import type { Layout } from "../../console/layout/shapes.ts";
import { Graph } from "../parts/graph/graph.tsx";
import { type GraphMarks, placeKey, type StepVisits } from "../parts/graph/graph-marks.ts";
import { Value } from "../parts/value.tsx";
import { duration } from "../words.ts";

export type TraceStep = {
  readonly seq: number;
  readonly kind: string;
  readonly label?: string;
  readonly node_id?: string;
  readonly op?: string;
  readonly lineno?: number;
  readonly duration_ms?: number;
  readonly out?: unknown;
  readonly port_taken?: string;
  readonly error?: unknown;
};

type StepperOf = {
  readonly steps: readonly TraceStep[];
  readonly at: number;
  readonly move: (to: number) => void;
  /** null: the graph is not drawn. */
  readonly layout: Layout | null;
  /** Of the program; null: it is not known, or cannot be read. */
  readonly ir: Ir | null;
};

export function Stepper({ steps, at, move, layout, ir }: StepperOf) {
  const step = steps[at];
  if (step === undefined) return <p class="quiet">The run had no step.</p>;
  return (
    <div>
      <label>
        Step {at + 1} of {steps.length}
        <input
          type="range"
          min={0}
          max={steps.length - 1}
          value={at}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
      </label>
      <p class="actions">
        <button type="button" disabled={at === 0} onClick={() => move(at - 1)}>
          Back
        </button>
        <button type="button" disabled={at >= steps.length - 1} onClick={() => move(at + 1)}>
          Forward
        </button>
      </p>
      <p>
        {step.label === undefined ? "" : writtenLabel(labelIn(ir, step.label))} {step.node_id}
        {step.lineno === undefined ? "" : `, line ${step.lineno}`}: <strong>{step.op}</strong>
        {step.port_taken === undefined ? "" : `, leaves by ${step.port_taken}`}
        {step.duration_ms === undefined ? "" : `, ${duration(step.duration_ms)}`}
      </p>
      <Value value={step.error ?? step.out} />
      {layout === null ? null : (
        <Graph layout={layout} marks={marksAt(steps, at, ir)} isCollapsed={false} collapse={() => {}} />
      )}
    </div>
  );
}

/** Labels of traces are written as in programs: those of the opcode form with an L. */
function labelIn(ir: Ir | null, label: string): string {
  return ir !== null && Object.hasOwn(ir.labels, label) ? label : label.replace(/^L/, "");
}

/** What the run did up to a step, and that step as the present one. */
function marksAt(steps: readonly TraceStep[], at: number, ir: Ir | null): GraphMarks {
  const visits = new Map<string, StepVisits>();
  for (const { label, node_id: node, duration_ms: took = 0, error } of steps.slice(0, at + 1)) {
    if (label === undefined || node === undefined) continue;
    const key = placeKey({ label: labelIn(ir, label), node });
    const { count, ms, failures } = visits.get(key) ?? { count: 0, ms: 0, failures: 0 };
    visits.set(key, { count: count + 1, ms: ms + took, failures: failures + (error === undefined ? 0 : 1) });
  }
  const { label, node_id: node } = steps[at] ?? {};
  return {
    visits,
    present: label === undefined || node === undefined ? null : { label: labelIn(ir, label), node },
    failed: null,
  };
}

/** Line of a step: its own, or that of its node in the program. */
export function lineOf({ lineno, label, node_id: node }: TraceStep, ir: Ir | null): number | null {
  if (lineno !== undefined) return lineno;
  if (label === undefined || node === undefined) return null;
  return ir?.nodes.find((one) => one.label === labelIn(ir, label) && one.id === node)?.line ?? null;
}
