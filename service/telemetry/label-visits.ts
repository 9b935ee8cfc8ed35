/**
 * Which labels a run was in, when, and from where, as its trace tells it: for spans of labels. A trace has steps in the order in which they
 * ended, so what a step entered comes before the step itself. Knows no spans and no clock.
 */
import type { TraceEvent } from "../../vm/run.ts";

/** Milliseconds since the run began. */
export type LabelVisit = {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  /** A step failed, and nothing in the label caught it. */
  readonly failed: boolean;
  /** Labels that were entered from it, in order. */
  readonly entered: readonly LabelVisit[];
};

type Open = {
  readonly label: string;
  readonly start: number;
  end: number;
  failed: boolean;
  readonly entered: Open[];
  /** null: only a failure was seen of it, which does not say. */
  depth: number | null;
  /** Position of its last step. */
  step: number;
};

type Step = Pick<Open, "label" | "start" | "end" | "failed" | "depth" | "step">;

/** Of a trace that was cut, what is left of it tells. */
export function labelVisits(trace: readonly TraceEvent[]): readonly LabelVisit[] {
  // Visits whose entering step has not ended yet; of one label entered from another, the inner comes later.
  const open: Open[] = [];
  for (const event of trace) {
    if (event.kind !== "step" && event.kind !== "error") continue;
    const step = stepOf(event);
    const entered: Open[] = [];
    for (let last = open.at(-1); last !== undefined && isWithin(last, step); last = open.at(-1)) {
      open.pop();
      entered.unshift(last);
    }
    const last = open.at(-1);
    const visit = last !== undefined && isNextOf(last, step) ? last : { ...step, entered: [] };
    if (visit !== last) open.push(visit);
    visit.entered.push(...entered);
    visit.end = step.end;
    visit.step = step.step;
    visit.depth ??= step.depth;
    visit.failed ||= step.failed;
  }
  return open;
}

function stepOf({ kind, label, start_ms, duration_ms, depth, step, handler }: TraceEvent): Step {
  const start = Number(start_ms);
  return {
    label: String(label),
    start,
    end: start + Number(duration_ms),
    failed: kind === "error" && handler === null,
    depth: typeof depth === "number" ? depth : null,
    step: Number(step),
  };
}

/** Whether a visit was entered from a step that ends now. Depth says so, whatever the clock can tell apart. */
function isWithin(visit: Open, step: Step): boolean {
  if (visit.depth !== null && step.depth !== null) return visit.depth > step.depth;
  return visit.start >= step.start && !isNextOf(visit, step);
}

function isNextOf(visit: Open, step: Step): boolean {
  const isSameDepth = visit.depth === null || step.depth === null || visit.depth === step.depth;
  return visit.label === step.label && visit.step < step.step && isSameDepth;
}
