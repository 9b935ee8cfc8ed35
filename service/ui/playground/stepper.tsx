/** A run, stepped forwards and backwards: over the source, over the graph where it is drawn, and as values. */

import type { Ir } from "../../../compiler/ir/graph.ts";
import { resolveReference } from "../../../compiler/ir/references.ts";
import { shownLabel } from "../../../grammar/text/written-label.ts";
import type { Layout } from "../../console/layout/shapes.ts";
import { Graph } from "../parts/graph/graph.tsx";
import { type GraphMarks, placeKey, type StepVisits } from "../parts/graph/graph-marks.ts";
import { Value } from "../parts/value.tsx";
import { duration } from "../words.ts";
import type { Compiled } from "./compiler.ts";
import type { RunLine } from "./run-lines.ts";
import { StepVariables } from "./step-variables.tsx";
import type { TraceStep } from "./trace-step.ts";

type StepperOf = {
  readonly steps: readonly TraceStep[];
  /** What a person follows of them. */
  readonly lines: readonly RunLine[];
  /** Which of the lines. */
  readonly at: number;
  readonly move: (to: number) => void;
  /** null: the graph is not drawn. */
  readonly layout: Layout | null;
  /** Of the program; null: it is not known, or cannot be read. */
  readonly program: Compiled | null;
};

export function Stepper({ steps, lines, at, move, layout, program }: StepperOf) {
  const line = lines[at];
  const step = line === undefined ? undefined : steps[line.at];
  if (line === undefined || step === undefined) return <p class="quiet">The run had no step.</p>;
  const ir = program?.ir ?? null;
  return (
    <div>
      <label>
        Step {at + 1} of {lines.length}
        <input
          type="range"
          min={0}
          max={lines.length - 1}
          value={at}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
      </label>
      <p class="actions">
        <button type="button" disabled={at === 0} onClick={() => move(at - 1)}>
          Back
        </button>
        <button type="button" disabled={at >= lines.length - 1} onClick={() => move(at + 1)}>
          Forward
        </button>
      </p>
      {line.name === null ? (
        <MachineStep step={step} ir={ir} />
      ) : (
        <LineStep line={line} name={line.name} source={program?.source ?? ""} />
      )}
      {layout === null ? null : (
        <Graph layout={layout} marks={marksAt(steps, line.at, ir)} isCollapsed={false} collapse={null} />
      )}
    </div>
  );
}

/** A line may be a megabyte. */
const MAX_SHOWN = 200;

function LineStep({ line, name, source }: { readonly line: RunLine; readonly name: string; readonly source: string }) {
  const text = source.split("\n")[(line.line ?? 0) - 1]?.trim().slice(0, MAX_SHOWN) ?? "";
  return (
    <>
      <p>
        <strong>{name}</strong>
        {line.line === null ? "" : `, line ${line.line}`}, {duration(line.ms)}
      </p>
      {text === "" ? null : (
        <p class="stepped">
          <code>{text}</code>
        </p>
      )}
      {line.error === null ? null : <p class="notice bad">{line.error}</p>}
      {line.returned === undefined ? null : (
        <p>
          returns <Value value={line.returned} isBrief />
        </p>
      )}
      <StepVariables name={name} variables={line.variables} changed={line.changed} />
    </>
  );
}

/** A step of the opcode form, or of a file that does not hold its program. */
function MachineStep({ step, ir }: { readonly step: TraceStep; readonly ir: Ir | null }) {
  return (
    <>
      <p>
        {step.label === undefined ? "" : shownLabel(labelIn(ir, step.label))} {step.node_id}
        {step.lineno === undefined ? "" : `, line ${step.lineno}`}: <strong>{step.op}</strong>
        {step.port_taken === undefined ? "" : `, leaves by ${step.port_taken}`}
        {step.duration_ms === undefined ? "" : `, ${duration(step.duration_ms)}`}
      </p>
      {step.message === undefined ? <Value value={step.error ?? step.out} /> : <p class="notice bad">{step.message}</p>}
    </>
  );
}

/** Labels of traces are written as in programs: those of the opcode form with an L. */
function labelIn(ir: Ir | null, label: string): string {
  return resolveReference(label, (id) => ir !== null && Object.hasOwn(ir.labels, id));
}

/** What the run did up to a step, and that step as the present one. */
function marksAt(steps: readonly TraceStep[], at: number, ir: Ir | null): GraphMarks {
  const visits = new Map<string, StepVisits>();
  for (const { label, node_id: node, duration_ms: took = 0, error, message } of steps.slice(0, at + 1)) {
    if (label === undefined || node === undefined) continue;
    const key = placeKey({ label: labelIn(ir, label), node });
    const { count, ms, failures } = visits.get(key) ?? { count: 0, ms: 0, failures: 0 };
    visits.set(key, {
      count: count + 1,
      ms: ms + took,
      failures: failures + (error === undefined && message === undefined ? 0 : 1),
    });
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
