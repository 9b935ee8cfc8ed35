/**
 * The events of a trace as a tree: a label's visit holds its steps, a step the visits of the labels it ran. Events come children
 * first, so a step that can run labels takes the events since it began.
 */
import type { FailureEvent, RetryEvent, StepEvent, Trace } from "./trace-events.ts";

export type TracedStep = {
  readonly event: StepEvent | FailureEvent;
  /** The failure was tried again. */
  retry: RetryEvent | null;
  readonly visits: LabelVisit[];
};
export type LabelVisit = {
  readonly label: string;
  /** The branch that it belongs to, `1/n2/1#3`; null outside of branches. */
  readonly branch: string | null;
  /** It was entered because the step failed. */
  readonly handler: boolean;
  readonly steps: TracedStep[];
};

const RUNS_LABELS: ReadonlySet<string> = new Set(["Call", "If", "Loop", "While", "Each", "Par", "Py"]);

export function traceTree({ events }: Pick<Trace, "events">): LabelVisit[] {
  const pending: TracedStep[] = [];
  for (const event of events) {
    if (event.kind === "retry") {
      const failed = pending.at(-1);
      if (failed !== undefined) failed.retry = event;
      continue;
    }
    const visits = RUNS_LABELS.has(event.op) ? visitsOf(takeInner(pending, event)) : [];
    pending.push({ event, retry: null, visits });
  }
  return visitsOf(pending);
}

/** Takes from the end what happened inside a step. */
function takeInner(pending: TracedStep[], outer: StepEvent | FailureEvent): TracedStep[] {
  let from = pending.length;
  while (from > 0 && isInside(pending[from - 1]?.event, outer)) from -= 1;
  return pending.splice(from);
}

/** Failures tell no depth. They are placed by time: what began after the outer step did is inside, and at the same moment, what has another label. */
function isInside(event: StepEvent | FailureEvent | undefined, outer: StepEvent | FailureEvent): boolean {
  if (event === undefined) return false;
  if (event.kind === "step" && outer.kind === "step") return event.depth > outer.depth;
  if (event.start_ms !== outer.start_ms) return event.start_ms > outer.start_ms;
  return event.label !== outer.label;
}

/** Steps in order of their end, as visits of labels: a handler's steps follow the failure that it handles. */
function visitsOf(steps: readonly TracedStep[]): LabelVisit[] {
  const found: LabelVisit[] = [];
  const open: LabelVisit[] = [];
  for (const step of steps) {
    const { label, in_branch: branch = null } = step.event;
    const handled = open.at(-1)?.steps.at(-1);
    if (handled?.event.kind === "error" && handled.retry === null && isHandler(handled.event, label)) {
      const visit: LabelVisit = { label, branch, handler: true, steps: [step] };
      handled.visits.push(visit);
      open.push(visit);
      continue;
    }
    while (open.length > 0 && !continues(open.at(-1), step)) open.pop();
    const current = open.at(-1);
    if (current !== undefined) current.steps.push(step);
    else {
      const visit: LabelVisit = { label, branch, handler: false, steps: [step] };
      found.push(visit);
      open.push(visit);
    }
  }
  return found;
}

/** A function of Python handles what it raised itself. */
function isHandler(failed: FailureEvent, label: string): boolean {
  return failed.handler === label && failed.label !== label;
}

/** The next step of the same visit: a visit counts its steps. */
function continues(visit: LabelVisit | undefined, { event }: TracedStep): boolean {
  const last = visit?.steps.at(-1)?.event;
  return (
    last !== undefined && last.label === event.label && last.in_branch === event.in_branch && last.step < event.step
  );
}

/** Visits inside visits that are shown. A run may be far deeper than the host's stack. */
export const MAX_SHOWN_DEPTH = 250;

/** The tree without what is deeper. */
export function shownDepth(visits: readonly LabelVisit[], levels = MAX_SHOWN_DEPTH): LabelVisit[] {
  const inner = (step: TracedStep): LabelVisit[] => (levels === 1 ? [] : shownDepth(step.visits, levels - 1));
  return visits.map((visit) => ({ ...visit, steps: visit.steps.map((step) => ({ ...step, visits: inner(step) })) }));
}

/** Every step of a tree, parents first. */
export function* stepsOf(visits: readonly LabelVisit[]): Generator<TracedStep> {
  const waiting = visits.flatMap(({ steps }) => steps).reverse();
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    yield step;
    for (const inner of step.visits.flatMap(({ steps }) => steps).reverse()) waiting.push(inner);
  }
}

/** Milliseconds of a step without those of the labels it ran. A handler runs after its step is over. */
export function ownTime({ event, visits }: TracedStep): number {
  const inner = visits.filter(({ handler }) => !handler).flatMap(({ steps }) => steps);
  return Math.max(
    0,
    inner.reduce((left, { event }) => left - event.duration_ms, event.duration_ms),
  );
}

export function visitTime({ steps }: LabelVisit): number {
  const start = steps.reduce((first, { event }) => Math.min(first, event.start_ms), Number.POSITIVE_INFINITY);
  return steps.reduce((last, step) => Math.max(last, endOf(step)), start) - start || 0;
}

/** A handler runs after its step is over. */
function endOf({ event, visits }: TracedStep): number {
  let end = event.start_ms + event.duration_ms;
  for (const { steps } of visits) for (const step of steps) end = Math.max(end, endOf(step));
  return end;
}

/** The visits of one label, wherever they happened. */
export function visitsTo(visits: readonly LabelVisit[], label: string): LabelVisit[] {
  return visits.flatMap((visit) =>
    visit.label === label ? [visit] : visit.steps.flatMap((step) => visitsTo(step.visits, label)),
  );
}

/** Only what leads to failures. */
export function failuresOnly(visits: readonly LabelVisit[]): LabelVisit[] {
  return visits.flatMap((visit) => {
    const steps = visit.steps
      .map((step) => ({ ...step, visits: failuresOnly(step.visits) }))
      .filter(({ event, visits }) => event.kind === "error" || visits.length > 0);
    return steps.length === 0 ? [] : [{ ...visit, steps }];
  });
}
