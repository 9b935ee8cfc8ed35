/** Runs that tell their labels as spans (WF_OTEL_LABEL_SPANS), by way of a trace that their caller may not have asked for. */

import { labelNames } from "../../compiler/diagram/label-names.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import type { Gateway, GatewayRun } from "../../vm/gateway.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { Clock, TraceOptions } from "../../vm/run.ts";
import { labelVisits } from "./label-visits.ts";
import type { RunTrace } from "./tracing.ts";

export type LabelSpanDeps = {
  readonly gateway: Gateway;
  readonly clock: Pick<Clock, "wall">;
  /** The operator wants spans of labels. */
  readonly labelSpans: boolean;
};

/** No value gets into a span. */
const LABELS_ONLY: TraceOptions = { max_value_bytes: 0 };

/** Whether runs within this span tell their labels: each has a trace then, and stays on this thread. */
export function tellsLabels({ labelSpans }: Pick<LabelSpanDeps, "labelSpans">, span: RunTrace): boolean {
  return labelSpans && span.isKept;
}

/** Runs a prepared program; the answer is the same with and without spans. */
export function runWithLabels(
  deps: LabelSpanDeps,
  span: RunTrace,
  prepared: Prepared,
  request: GatewayRun,
): Promise<RunAnswer> {
  return tellsLabels(deps, span) ? tellingLabels(deps, span, prepared, request) : deps.gateway.run(prepared, request);
}

async function tellingLabels(
  { gateway, clock }: LabelSpanDeps,
  span: RunTrace,
  prepared: Prepared,
  request: GatewayRun,
): Promise<RunAnswer> {
  const asked = request.trace !== undefined && request.trace !== false;
  const began = clock.wall();
  // A trace that the caller does not get takes nothing of its answer.
  const bounds = request.record === true ? request.answerBounds : undefined;
  const own = { ...request, trace: LABELS_ONLY, answerBounds: bounds };
  const answer = await gateway.run(prepared, asked ? request : own);
  span.labels(labelVisits(answer.trace ?? []), began, labelNames(prepared.ir));
  if (asked) return answer;
  const { trace, ...rest } = answer;
  return rest;
}
