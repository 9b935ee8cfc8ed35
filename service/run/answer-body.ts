/** The answer of a run as the service sends it: the common shape (`vm/answer.ts`) without secrets, and what only the service adds. */

import { type Redaction, redactedTrace } from "../../adapters/run-log/redaction.ts";
import type { Json } from "../../compiler/json.ts";
import { withBoundedResult } from "../../vm/admission/bounded-result.ts";
import { answerOf, type FailedMembers, failedMembers, sensitiveRecord } from "../../vm/answer.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { RecordLog } from "../../vm/recording/record-log.ts";
import type { Outcome, RunError } from "../../vm/run.ts";
import { type ErrorCode, isErrorCode } from "../wire/errors.ts";
import type { RunBody } from "../wire/run-body.ts";
import type { RunPlan } from "./plan.ts";

export type RunReport = {
  readonly plan: RunPlan;
  readonly answer: RunAnswer;
  /** From the parsed body to the result. */
  readonly durationMs: number;
  readonly artifactId: string | undefined;
  readonly redaction: Redaction;
  readonly maxResultBytes: number;
};

export function runBody({ plan, answer, durationMs, artifactId, redaction, maxResultBytes }: RunReport): RunBody {
  const { compileMs, cached, warnings } = plan;
  const { ir } = plan.prepared;
  const traced = answer.trace === undefined ? answer : { ...answer, trace: redactedTrace(answer.trace, redaction) };
  const shown = traced.printed === undefined ? traced : { ...traced, printed: redaction.text(traced.printed) };
  const bounded = withBoundedResult(shown, maxResultBytes);
  const body = answerOf({ answer: bounded, ir, compileMs, cached, durationMs, warnings });
  const own = {
    ...(answer.record === undefined ? undefined : { adapter_calls: answer.record.calls }),
    ...(artifactId === undefined ? undefined : { replay_artifact_id: artifactId }),
  };
  if (body.ok) return answer.record === undefined && artifactId === undefined ? body : { ...body, ...own };
  return { ...body, ...failedRun(body.error_structured, plan, redaction), ...own };
}

export type FailedRun = Omit<FailedMembers, "error"> & { readonly error: ErrorCode };

/** What became of a frame: its result, unless it is too large to send, or the failure. */
export function outcomeOf({
  answer,
  plan,
  redaction,
  maxResultBytes,
}: Pick<RunReport, "plan" | "redaction" | "maxResultBytes"> & { readonly answer: Outcome }):
  | { readonly out: Json; readonly out_text?: string }
  | FailedRun {
  const bounded = withBoundedResult(answer, maxResultBytes);
  if (bounded.ok && bounded.out_text !== undefined) return { out: bounded.out, out_text: bounded.out_text };
  return bounded.ok ? { out: bounded.out } : failedRun(bounded.error, plan, redaction);
}

/** A failure without secrets, in a word that the service documents. */
function failedRun(error: RunError, { prepared }: RunPlan, redaction: Redaction): FailedRun {
  const message = redaction.text(error.message);
  const data = redaction.data(error.data) as RunError["data"];
  const failed = failedMembers(error, redaction.text(causeOf(error, prepared)));
  return {
    error: isErrorCode(failed.error) ? failed.error : "runtime_error",
    message: failed.message,
    error_structured: { ...error, message, data },
  };
}

function causeOf({ message, data }: RunError, { admission, adapters }: RunPlan["prepared"]): string {
  const { adapter, adapter_code } = data;
  if (adapter_code !== "ADAPTER_NOT_CONFIGURED" || typeof adapter !== "string" || adapters.has(adapter)) return message;
  if (!admission.enabled.includes(adapter))
    return admission.isDeployed
      ? `Adapter '${adapter}' is not enabled for this program: deploy it again with '${adapter}' in adapters.enable`
      : `Adapter '${adapter}' is not enabled for this run: add it to adapters.enable of the request`;
  return `Adapter '${adapter}' is enabled, but this service does not provide it`;
}

/** As `record.calls` and as `adapter_calls`. */
export const RECORD_COPIES = 2;

/** The log, and its calls under the name that older readers look for. */
export function recordMembers(record: RecordLog) {
  return { record: sensitiveRecord(record), adapter_calls: record.calls };
}
