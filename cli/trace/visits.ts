/** How often the steps of a program were visited and its edges taken, counted from traces: for diagrams and for coverage. */
import { edgeKey, stepKey, type Visits } from "../../compiler/diagram/model.ts";
import type { Ir, Port } from "../../compiler/ir/graph.ts";
import { type IrIndex, indexIr } from "../../compiler/ir/ir-index.ts";
import type { FailureEvent, RetryEvent, StepEvent, Trace } from "./trace-events.ts";

type Counts = {
  readonly steps: Map<string, { count: number; ms: number; errors: number }>;
  readonly edges: Map<string, number>;
};

/** The visits of all these runs together. */
export function countVisits(traces: readonly Pick<Trace, "events">[], ir: Ir): Visits {
  const index = indexIr(ir);
  const counts: Counts = { steps: new Map(), edges: new Map() };
  for (const { events } of traces) {
    for (const [at, event] of events.entries()) {
      if (event.kind === "retry") countRetry(counts, event);
      else countVisit(counts, index, event, events[at - 1]);
    }
  }
  return counts;
}

function countVisit(
  counts: Counts,
  index: IrIndex,
  event: StepEvent | FailureEvent,
  before: Trace["events"][number] | undefined,
): void {
  const { label, node_id, duration_ms } = event;
  const key = stepKey(label, node_id);
  const visit = counts.steps.get(key) ?? { count: 0, ms: 0, errors: 0 };
  visit.count += 1;
  visit.ms += duration_ms;
  if (event.kind === "error") visit.errors += 1;
  counts.steps.set(key, visit);
  if (event.op === "Call") take(counts, label, node_id, "call");
  if (event.kind === "error") countFailure(counts, index, event, before);
  else {
    const { port_taken, iterations = 0, branches = 0 } = event;
    if (iterations > 0) take(counts, label, node_id, "body", iterations);
    if (branches > 0 && event.op === "Each") take(counts, label, node_id, "body", branches);
    if (branches > 0 && event.op === "Par") take(counts, label, node_id, "branch");
    if (port_taken !== undefined) take(counts, label, node_id, port_taken as Port);
  }
}

function countFailure(
  counts: Counts,
  index: IrIndex,
  { label, node_id, handler, op }: FailureEvent,
  before: Trace["events"][number] | undefined,
): void {
  // A step that failed does not say where it led; the failure inside it, which was reported just before, does.
  if (before?.kind === "error" && before.handler === null && op !== "Call") {
    const inner = before.label;
    const way = index.edgesFrom(label, node_id).find((edge) => edge.to_kind === "label" && edge.to === inner);
    if (way !== undefined) take(counts, label, node_id, way.port);
  }
  if (handler === null) return;
  const err = index.targetOf(label, node_id, "err");
  if (err !== undefined) take(counts, label, node_id, "err");
  // Without an Err of its own the step was protected by one that was passed before.
  const handlers = index.nodesOf(label).filter((node) => index.targetOf(label, node.id, "handler") === handler);
  const routed = handlers.find((node) => node.id === err) ?? handlers[0];
  if (routed !== undefined) take(counts, label, routed.id, "handler");
}

function countRetry(counts: Counts, { label, node_id }: RetryEvent): void {
  take(counts, label, node_id, "retry");
}

function take({ edges }: Counts, label: string, node: string, port: Port, times = 1): void {
  const key = edgeKey(label, node, port);
  edges.set(key, (edges.get(key) ?? 0) + times);
}
