/** The answer of a run in the shapes of docs/http.md: success, or the failure of a program that was started. */

import { type Redaction, redactedTrace } from "../adapters/redaction.ts";
import { withBoundedResult } from "../vm/bounded-result.ts";
import { surfaceWord } from "../vm/error-codes.ts";
import type { RunAnswer } from "../vm/host.ts";
import { placedMessage } from "../vm/placed-message.ts";
import type { RecordLog } from "../vm/record.ts";
import type { Outcome, RunError } from "../vm/run.ts";
import { RUNTIME_VERSION } from "../vm/version.ts";
import { type ErrorCode, isErrorCode } from "./errors.ts";
import { thousandths } from "./events.ts";
import type { RunPlan } from "./run-plan.ts";

export type RunReport = {
  readonly plan: RunPlan;
  readonly answer: RunAnswer;
  readonly traceId: string;
  /** From the parsed body to the result. */
  readonly durationMs: number;
  readonly artifactId: string | undefined;
  readonly redaction: Redaction;
  readonly maxResultBytes: number;
};

export type FailedRun = { readonly error: ErrorCode; readonly message: string; readonly error_structured: RunError };
export type RunBody = (
  | { readonly ok: true; readonly trace_id: string; readonly out: unknown }
  | ({ readonly ok: false; readonly trace_id: string } & FailedRun)
) &
  ReturnType<typeof ranMembers> &
  ReturnType<typeof askedMembers>;

export function runBody(report: RunReport): RunBody {
  const { answer, traceId } = report;
  const ended = outcomeOf(report);
  const ran = ranMembers(report);
  const asked = askedMembers(report);
  if (!("out" in ended)) {
    const { label, runtime_version, ir_version, duration_ms, adapter_p95_ms, limits, ...rest } = ran;
    const figures = { label, runtime_version, ir_version, duration_ms, adapter_p95_ms, limits, ...rest };
    return { ok: false, trace_id: answer.trace_id, ...ended, ...figures, ...asked };
  }
  // Spelled out: spreading takes longer than a short run.
  const body = {
    ok: true as const,
    trace_id: traceId,
    label: ran.label,
    out: ended.out,
    runtime_version: ran.runtime_version,
    ir_version: ran.ir_version,
    duration_ms: ran.duration_ms,
    adapter_p95_ms: ran.adapter_p95_ms,
    usage: ran.usage,
    limits: ran.limits,
    stats: ran.stats,
    warnings: ran.warnings,
  };
  return asked === NOTHING_ASKED ? body : { ...body, ...asked };
}

/** The result, unless it is too large to send, or the failure in the words of the service. */
export function outcomeOf({
  answer,
  plan,
  redaction,
  maxResultBytes,
}: Pick<RunReport, "plan" | "redaction" | "maxResultBytes"> & { readonly answer: Outcome }):
  | { readonly out: unknown }
  | FailedRun {
  const bounded = withBoundedResult(answer, maxResultBytes);
  return bounded.ok ? { out: bounded.out } : failedRun(bounded.error, plan, redaction);
}

function failedRun(error: RunError, { prepared }: RunPlan, redaction: Redaction): FailedRun {
  const { code, message, data, ...place } = error;
  const word = surfaceWord(code, data);
  const cause = redaction.text(causeOf(error, prepared.admission.enabled));
  return {
    error: isErrorCode(word) ? word : "runtime_error",
    message: placedMessage(error, cause),
    error_structured: {
      code,
      message: redaction.text(message),
      ...place,
      data: redaction.data(data) as RunError["data"],
    },
  };
}

function causeOf({ message, data }: RunError, enabled: readonly string[]): string {
  const { adapter, adapter_code } = data;
  if (adapter_code !== "ADAPTER_NOT_CONFIGURED" || typeof adapter !== "string") return message;
  if (!enabled.includes(adapter)) return `Adapter '${adapter}' is not enabled; add it to adapters.enable`;
  return `Adapter '${adapter}' is enabled, but this service does not provide it`;
}

/** Of every run that was started. */
function ranMembers({ answer, plan, durationMs }: RunReport) {
  return {
    label: answer.label_written,
    runtime_version: RUNTIME_VERSION,
    ir_version: plan.prepared.ir.ir_version,
    duration_ms: thousandths(durationMs),
    adapter_p95_ms: answer.adapter_p95_ms,
    usage: answer.usage,
    limits: answer.limits,
    stats: {
      compile_ms: thousandths(plan.compileMs),
      run_ms: answer.duration_ms,
      cache_hit: plan.cached,
      checksum: plan.prepared.ir.checksum,
    },
    warnings: joined(plan.warnings, answer.warnings),
  };
}

type AskedMembers = Partial<ReturnType<typeof recordMembers>> & {
  readonly trace?: ReturnType<typeof redactedTrace>;
  readonly replay?: NonNullable<RunAnswer["replay"]>;
  readonly replay_artifact_id?: string;
};
const NOTHING_ASKED: AskedMembers = {};

/** Of runs that were asked to tell more. */
function askedMembers({ answer, artifactId, redaction }: RunReport): AskedMembers {
  const { trace, record, replay } = answer;
  if (trace === undefined && record === undefined && replay === undefined && artifactId === undefined)
    return NOTHING_ASKED;
  return {
    ...(trace === undefined ? {} : { trace: redactedTrace(trace, redaction) }),
    ...(record === undefined ? {} : recordMembers(record)),
    ...(replay === undefined ? {} : { replay }),
    ...(artifactId === undefined ? {} : { replay_artifact_id: artifactId }),
  };
}

/** Each once. */
function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.length === 0 ? second : [...new Set([...first, ...second])];
}

/** The log, marked as what it is, and its calls under the name that older readers look for. */
export function recordMembers({ calls, dropped, ...head }: RecordLog) {
  const lost = dropped === undefined ? {} : { dropped };
  return { record: { ...head, sensitive: true as const, ...lost, calls }, adapter_calls: calls };
}
