/** One run of a prepared program with everything around it: events, progress, cancellation, and the answer in the words of the tools. */
import { createHash } from "node:crypto";
import {
  adapterCallFields,
  runCompleteFields,
  runFailedFields,
  runStartFields,
  thousandths,
} from "../../adapters/run-events.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { withBoundedResult } from "../../vm/bounded-result.ts";
import { surfaceWord } from "../../vm/error-codes.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { Prepared } from "../../vm/preparation.ts";
import type { CallEvent, Usage } from "../../vm/run.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { throttled } from "../progress.ts";
import { repairOf } from "../repair.ts";
import { failed, succeeded, type ToolResult } from "../results.ts";
import type { CallContext } from "../sdk.ts";
import type { McpServices } from "../services.ts";

export type RunPlan = {
  readonly prepared: Prepared;
  /** Id of the entry label. */
  readonly entry: string;
  readonly source: string;
  readonly frame: JsonObject;
  readonly strict: boolean;
  readonly traceId: string;
  /** When the call was taken up, by the clock of the server. */
  readonly started: number;
  /** Known before the run. */
  readonly warnings: readonly string[];
  readonly trace: boolean;
  readonly record: boolean;
  /** Checked; undefined: none. */
  readonly replay: unknown;
  readonly policyPresent: boolean;
};

/** Half of them from the beginning, half from the end; the last one says how many there were. */
const TRACE = { max_events: 199, max_value_bytes: 1024 } as const;
const OMITTABLE = ["trace", "record"];

export async function executeRun(services: McpServices, context: CallContext, plan: RunPlan): Promise<ToolResult> {
  const { runtime, clock, config, dryRun } = services;
  const { prepared, entry, frame, traceId, trace, record, replay } = plan;
  announce(services, plan);
  const observer = observerOf(services, plan);
  const answer = await runtime.gateway.run(prepared, {
    label: entry,
    frame,
    trace: trace ? TRACE : false,
    record,
    dryRun,
    signal: context.signal,
    traceId,
    ...(observer === undefined ? {} : { observer }),
    ...(context.progress === null ? {} : { progress: progressOf(context.progress, services, plan) }),
    ...(replay === undefined ? {} : { replay }),
  });
  const durationMs = thousandths(clock.now() - plan.started);
  const bounded = withBoundedResult(answer, config.maxResultBytes);
  conclude(services, plan, bounded, durationMs);
  return { ...resultOf(services, plan, bounded, durationMs), omittable: OMITTABLE };
}

function resultOf(
  { redaction }: McpServices,
  { prepared, strict, warnings }: RunPlan,
  answer: RunAnswer,
  durationMs: number,
): ToolResult {
  const { label_written: label, trace, record, replay, adapter_p95_ms, usage, limits } = answer;
  const said = [...new Set([...warnings, ...answer.warnings])];
  const asked = {
    ...(trace === undefined ? {} : { trace }),
    ...(record === undefined ? {} : { record: { ...record, sensitive: true } }),
    ...(replay === undefined ? {} : { replay }),
  };
  if (answer.ok) {
    const versions = { runtime_version: RUNTIME_VERSION, ir_version: prepared.ir.ir_version, strict };
    const figures = { duration_ms: durationMs, adapter_p95_ms, usage, limits };
    return succeeded({ label, out: answer.out, ...versions, ...figures, warnings: said, ...asked });
  }
  const { error } = answer;
  const message = redaction.text(error.message);
  const error_structured = { ...error, message, data: redaction.data(error.data) };
  const word = surfaceWord(error.code, error.data);
  const figures = { label, duration_ms: durationMs, adapter_p95_ms, usage, limits };
  return failed(word, { message, error_structured, ...figures, repair: repairOf(error), warnings: said, ...asked });
}

function announce({ log }: McpServices, plan: RunPlan): void {
  if (!log.enabled("info")) return;
  const { ir, admission } = plan.prepared;
  const fields = runStartFields({
    limits: admission.limits,
    policyPresent: plan.policyPresent,
    label: plan.entry,
    checksum: ir.checksum,
    sourceHash: `sha256:${createHash("sha256").update(plan.source, "utf8").digest("hex")}`,
    allowed: admission.allowed,
    replay: plan.replay !== undefined,
  });
  log.write("info", "run_start", { trace_id: plan.traceId, ...fields });
}

/** undefined: nobody would read it. */
function observerOf({ log, valueHash }: McpServices, { traceId }: RunPlan): ((call: CallEvent) => void) | undefined {
  if (!log.enabled("info")) return undefined;
  let seq = 0;
  return (call) => {
    seq += 1;
    log.write("info", "adapter_call", { trace_id: traceId, ...adapterCallFields(seq, call, valueHash) });
  };
}

function conclude({ log, redaction }: McpServices, { traceId }: RunPlan, answer: RunAnswer, duration_ms: number): void {
  const { usage, label_written: label } = answer;
  if (answer.ok) {
    log.write("info", "run_complete", { trace_id: traceId, ...runCompleteFields({ label, duration_ms, usage }) });
    return;
  }
  const { error } = answer;
  const word = surfaceWord(error.code, error.data);
  const fields = runFailedFields({
    error: word,
    message: redaction.text(error.message),
    duration_ms,
    usage,
    place: error,
  });
  // Programs that fail are their authors' affair; defects are the operator's.
  const level = error.code === "RUNTIME_INTERNAL" ? "error" : "info";
  const details: { readonly [name: string]: Json } = level === "error" ? { data: redaction.data(error.data) } : {};
  log.write(level, "run_failed", { trace_id: traceId, ...fields, ...details });
}

function progressOf(
  send: NonNullable<CallContext["progress"]>,
  { clock }: McpServices,
  { prepared }: RunPlan,
): (usage: Usage) => void {
  const tell = throttled(send, clock);
  const { max_steps: total } = prepared.admission.limits;
  return ({ steps, adapter_calls }) =>
    tell({
      progress: steps,
      ...(total === undefined ? {} : { total }),
      message: `${steps} steps, ${adapter_calls} adapter calls`,
    });
}
