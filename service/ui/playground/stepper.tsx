/** The trace of a run, stepped forwards and backwards. */
import { useState } from "preact/hooks";
import type { Json } from "../api.ts";
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
  readonly out?: Json;
  readonly port_taken?: string;
  readonly error?: Json;
};

export function Stepper({
  trace,
  showLine,
}: {
  readonly trace: readonly TraceStep[];
  readonly showLine: (line: number) => void;
}) {
  const steps = trace.filter(({ kind }) => kind === "step");
  const [at, setAt] = useState(0);
  const step = steps[Math.min(at, steps.length - 1)];
  if (step === undefined) return <p class="quiet">The run had no step.</p>;
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, steps.length - 1));
    setAt(next);
    const line = steps[next]?.lineno;
    if (line !== undefined) showLine(line);
  };
  return (
    <div>
      <label>
        Step {Math.min(at, steps.length - 1) + 1} of {steps.length}
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
        {step.label} {step.node_id}, line {step.lineno}: <strong>{step.op}</strong>
        {step.port_taken === undefined ? "" : `, leaves by ${step.port_taken}`}
        {step.duration_ms === undefined ? "" : `, ${duration(step.duration_ms)}`}
      </p>
      <Value value={step.error ?? step.out} />
    </div>
  );
}
