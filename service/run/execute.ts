/**
 * One run of a plan with everything around it: events, figures, spans, cancellation. Routes and the job queue run programs through this
 * and nothing else.
 */

import { RunCallLog } from "../../adapters/run-log/fields.ts";
import type { Redaction } from "../../adapters/run-log/redaction.ts";
import { labelName } from "../../compiler/ir/references.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { wasPlaceLost } from "../../vm/offload/away.ts";
import type { ShownState } from "../../vm/recording/shown-state.ts";
import type { CallEvent, Cancellation, Usage } from "../../vm/run.ts";
import { ownModelUsage } from "../../vm/usage.ts";
import type { EventContext, Events, RunStart } from "../telemetry/events.ts";
import { type LabelSpanDeps, runWithLabels } from "../telemetry/label-spans.ts";
import type { RequestTrace, RunTrace } from "../telemetry/tracing.ts";
import { faults, ThreadLost } from "../wire/errors.ts";
import type { RunBody } from "../wire/run-body.ts";
import { RECORD_COPIES, runBody } from "./answer-body.ts";
import type { PlanDeps, RunInputs, RunPlan } from "./plan.ts";

export type ExecuteDeps = PlanDeps &
  Pick<LabelSpanDeps, "labelSpans"> & {
    readonly events: Events;
    readonly redaction: Redaction;
    readonly maxResultBytes: number;
    /** Bytes of the log's lines about the calls of one run. */
    readonly runLogMaxBytes: number;
  };

export type RunScope = {
  readonly trace: RequestTrace;
  readonly context: EventContext;
  readonly signal: Cancellation;
  /** Ends the run without its cleanup. */
  readonly halt?: Cancellation;
  /** Called when the cleanup of the cancelled run begins, with the milliseconds it may take. */
  readonly cleans?: (ms: number) => void;
  /** When the body was parsed, by the clock of the service. */
  readonly startedAt: number;
  /** Called for each adapter call in addition to the log, for the event stream of a job. */
  readonly onCall?: (seq: number, call: CallEvent) => void;
  /** Told what was used so far whenever the run pauses. */
  readonly onProgress?: (usage: Usage) => void;
  /** Filled with what the run shows of itself. */
  readonly shown?: ShownState;
};

/** Throws ServiceFault internal_error for a defect of the executor; every other failure is an answer. */
export async function executeRun(
  deps: ExecuteDeps,
  plan: RunPlan,
  inputs: RunInputs,
  scope: RunScope,
): Promise<RunBody> {
  const { clock } = deps;
  const { trace, context, signal, onProgress } = scope;
  const { prepared } = plan;
  const label = labelName(plan.prepared.ir, plan.entry);
  announce(deps, plan, context, label, inputs.replay !== undefined);
  return trace.run({ label, checksum: prepared.ir.checksum }, async (span) => {
    const { calls, observer } = callsOf(deps, scope, (call) => span.adapterCall(call, clock.wall()));
    const { replay, continues = false } = inputs;
    const answer = await runWithLabels(deps, span, prepared, {
      label: plan.entry,
      frame: inputs.frame,
      outText: true,
      inputs: "checked",
      trace: plan.trace,
      record: plan.record,
      answerBounds: { maxBytes: deps.maxResultBytes, recordCopies: RECORD_COPIES },
      dryRun: deps.dryRun,
      signal,
      halt: scope.halt,
      cleans: scope.cleans,
      observer,
      traceId: context.trace_id,
      replay,
      replayContinues: replay !== undefined && continues,
      progress: onProgress,
      shown: scope.shown,
    });
    return concluded(deps, plan, inputs, scope, span, calls, answer);
  });
}

/** The answer of a run that is over, told to log, figures and span. */
export function concluded(
  { clock, events, metrics, redaction, maxResultBytes }: ExecuteDeps,
  plan: RunPlan,
  { artifactId }: RunInputs,
  { context, startedAt }: RunScope,
  span: RunTrace,
  calls: RunCallLog,
  answer: RunAnswer,
): RunBody {
  const durationMs = clock.now() - startedAt;
  const body = runBody({ plan, answer, durationMs, artifactId, redaction, maxResultBytes });
  const outcome = body.ok ? "ok" : body.error;
  span.ended(outcome, answer.usage.steps);
  metrics.runEnded(outcome, durationMs);
  // Jobs that shared the budget have told what they asked.
  metrics.modelsAsked(ownModelUsage(answer.usage));
  logEnd(events, context, body, calls.unlogged);
  if (!body.ok && body.error === "internal_error")
    throw wasPlaceLost(body.error_structured) ? new ThreadLost() : faults.internal();
  return body;
}

/** Log and metrics of the calls of one run, or of one batch. */
export function callsOf(
  { events, metrics, runLogMaxBytes }: Pick<ExecuteDeps, "events" | "metrics" | "runLogMaxBytes">,
  { context, onCall }: Pick<RunScope, "context" | "onCall">,
  traced: (call: CallEvent) => void,
): { readonly calls: RunCallLog; readonly observer: (call: CallEvent) => void } {
  const calls = new RunCallLog(runLogMaxBytes, (seq, call) => events.adapterCall(context, seq, call));
  const observer = (call: CallEvent): void => {
    const seq = calls.called(call);
    metrics.adapterCall(call);
    traced(call);
    onCall?.(seq, call);
  };
  return { calls, observer };
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

/** The last log text of a prepared program, cached because it rarely changes. */
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

function logEnd(events: Events, context: EventContext, body: RunBody, unlogged: number): void {
  const { label, usage, duration_ms } = body;
  if (body.ok) {
    events.runComplete(context, { label, duration_ms, usage, unlogged });
    return;
  }
  const { error, message, error_structured: place } = body;
  events.runFailed(context, { error, message, duration_ms, usage, unlogged, place });
}
