/**
 * One run of a plan with everything around it: events, figures, spans, cancellation. Routes and the job queue run programs through this
 * and nothing else.
 */

import type { Redaction } from "../adapters/redaction.ts";
import { writtenLabel } from "../grammar/written-label.ts";
import type { RunAnswer } from "../vm/host.ts";
import { wasPlaceLost } from "../vm/moved/away.ts";
import type { CallEvent, Cancellation, Usage } from "../vm/run.ts";
import { faults, ThreadLost } from "./errors.ts";
import { type EventContext, type Events, type RunStart, thousandths } from "./events.ts";
import { type LabelSpanDeps, runWithLabels } from "./label-spans.ts";
import type { Metrics } from "./metrics.ts";
import { type RunBody, runBody } from "./run-body.ts";
import type { PlanDeps, RunInputs, RunPlan } from "./run-plan.ts";
import type { RequestTrace, RunTrace } from "./tracing.ts";

export type ExecuteDeps = PlanDeps &
  Pick<LabelSpanDeps, "labelSpans"> & {
    readonly events: Events;
    readonly redaction: Redaction;
    readonly maxResultBytes: number;
  };

export type RunScope = {
  readonly trace: RequestTrace;
  readonly context: EventContext;
  readonly signal: Cancellation;
  /** When the body was parsed, by the clock of the service. */
  readonly startedAt: number;
  /** Told of each call besides the log, for the event stream of a job. */
  readonly onCall?: (seq: number, call: CallEvent) => void;
  /** Told what was used so far whenever the run pauses. */
  readonly onProgress?: (usage: Usage) => void;
};

/**
 * A run that is over within its first slice is answered at once. Throws ServiceFault internal_error for a defect of the executor; every
 * other failure is an answer.
 */
export function executeRun(
  deps: ExecuteDeps,
  plan: RunPlan,
  inputs: RunInputs,
  scope: RunScope,
): RunBody | Promise<RunBody> {
  const { clock } = deps;
  const { trace, context, signal, onProgress } = scope;
  const { prepared } = plan;
  const label = writtenLabel(plan.entry);
  announce(deps, plan, context, label, inputs.replay !== undefined);
  return trace.run({ label, checksum: prepared.ir.checksum }, (span) => {
    const observer = observerOf(deps, scope, (call) => span.adapterCall(call, clock.wall()));
    const { replay, continues = false } = inputs;
    const answer = runWithLabels(deps, span, prepared, {
      label: plan.entry,
      frame: inputs.frame,
      trace: plan.trace,
      record: plan.record,
      dryRun: deps.dryRun,
      signal,
      observer,
      traceId: context.trace_id,
      replay,
      replayContinues: replay !== undefined && continues,
      progress: onProgress,
    });
    if (answer instanceof Promise) return answer.then((later) => concluded(deps, plan, inputs, scope, span, later));
    return concluded(deps, plan, inputs, scope, span, answer);
  });
}

/** The answer of a run that is over, told to log, figures and span. */
function concluded(
  { clock, events, metrics, redaction, maxResultBytes }: ExecuteDeps,
  plan: RunPlan,
  { artifactId }: RunInputs,
  { context, startedAt }: RunScope,
  span: RunTrace,
  answer: RunAnswer,
): RunBody {
  const durationMs = clock.now() - startedAt;
  const body = runBody({ plan, answer, traceId: context.trace_id, durationMs, artifactId, redaction, maxResultBytes });
  const outcome = body.ok ? "ok" : body.error;
  span.ended(outcome, answer.usage.steps);
  metrics.runEnded(outcome, durationMs);
  tellEnd(events, context, body);
  if (!body.ok && body.error === "internal_error")
    throw wasPlaceLost(body.error_structured) ? new ThreadLost() : faults.internal();
  return body;
}

/** Tells log and figures of every call. */
export function observerOf(
  { events, metrics }: { readonly events: Events; readonly metrics: Metrics },
  { context, onCall }: Pick<RunScope, "context" | "onCall">,
  traced: (call: CallEvent) => void,
): (call: CallEvent) => void {
  let seq = 0;
  return (call) => {
    seq += 1;
    events.adapterCall(context, seq, call);
    metrics.adapterCall(call);
    traced(call);
    onCall?.(seq, call);
  };
}

export function announce(
  { events }: Pick<ExecuteDeps, "events">,
  plan: RunPlan,
  context: EventContext,
  label: string,
  replay: boolean,
  frames?: number | null,
): void {
  const start = startOf(plan, label);
  events.runStart(context, replay ? { ...start, replay } : start, frames);
}

/** What was told last of a prepared program: nearly always what is told the next time. */
const lastStarts = new WeakMap<RunPlan["prepared"], RunStart>();

function startOf({ prepared, sourceHash, policyPresent }: RunPlan, label: string): RunStart {
  const last = lastStarts.get(prepared);
  if (last?.label === label && last.sourceHash === sourceHash && last.policyPresent === policyPresent) return last;
  const { ir, admission } = prepared;
  const start: RunStart = {
    limits: admission.limits,
    policyPresent,
    label,
    checksum: ir.checksum,
    sourceHash,
    allowed: admission.allowed,
    replay: false,
  };
  lastStarts.set(prepared, start);
  return start;
}

function tellEnd(events: Events, context: EventContext, body: RunBody): void {
  const { label, usage, duration_ms } = body;
  if (body.ok) {
    events.runComplete(context, { label, duration_ms, usage });
    return;
  }
  const { error, message, error_structured } = body;
  events.runFailed(context, { error, message, duration_ms: thousandths(duration_ms), usage, place: error_structured });
}
