/** One run of a prepared program with everything around it: events, progress, cancellation, and the answer in the words of the tools. */

import { logRun } from "../../adapters/run-log/lines.ts";
import { redactedTrace } from "../../adapters/run-log/redaction.ts";
import { inputsNotGiven } from "../../compiler/ir/frame-inputs.ts";
import { labelName } from "../../compiler/ir/references.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { counted } from "../../grammar/text/english.ts";
import { withBoundedResult } from "../../vm/admission/bounded-result.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import { answerOf, failedMembers } from "../../vm/answer.ts";
import type { Host, RunAnswer } from "../../vm/host.ts";
import { NO_USAGE, type RunError, type Usage } from "../../vm/run.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { missingLabelHint, nearTarget } from "../../vm/words/missing-label.ts";
import type { McpServices } from "../services.ts";
import { type Beating, beating, partOfStep } from "../tool/progress.ts";
import { failed, succeeded, type ToolResult } from "../tool/results.ts";
import type { CallContext, Progress } from "../tool/sdk.ts";
import { askingBy } from "./asking.ts";
import { repairOf } from "./repair.ts";

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
  const { prepared, entry, source, frame, traceId, trace, record, replay, policyPresent } = plan;
  const label = labelName(prepared.ir, entry);
  const logged = logRun(services, { traceId, prepared, label, source, policyPresent, replay: replay !== undefined });
  const progress = context.progress === null ? null : progressOf(context.progress, context.signal, services, plan);
  // What is still asked when the run ends is not asked any more.
  const over = new AbortController();
  const running = runtime.gateway.run(prepared, {
    ...askingBy(context.elicit, clock, over.signal),
    label: entry,
    frame,
    outText: true,
    inputs: "checked",
    trace: trace ? TRACE : false,
    record,
    dryRun,
    signal: context.signal,
    traceId,
    observer: logged.observer,
    ...(progress === null ? {} : { progress: progress.used }),
    ...(replay === undefined ? {} : { replay }),
  });
  const answer = await running.finally(() => {
    progress?.stop();
    over.abort();
  });
  const durationMs = thousandths(clock.now() - plan.started);
  const bounded = withBoundedResult(answer, config.maxResultBytes);
  logged.ended(bounded, durationMs);
  return { ...resultOf(services, plan, bounded, durationMs), omittable: OMITTABLE };
}

function resultOf(
  { redaction, runtime }: McpServices,
  { prepared, entry, strict, warnings, frame }: RunPlan,
  answer: RunAnswer,
  durationMs: number,
): ToolResult {
  const { ir } = prepared;
  const trace = answer.trace === undefined ? {} : { trace: redactedTrace(answer.trace, redaction) };
  const printed = answer.printed === undefined ? {} : { printed: redaction.text(answer.printed) };
  const shown = { answer: { ...answer, ...trace, ...printed }, ir, durationMs, compileMs: 0, cached: false, warnings };
  const { ok: _ok, trace_id: _id, stats: _stats, ...members } = answerOf(shown);
  if (answer.ok) return succeeded({ ...members, strict });
  const { runtime_version: _runtime, ir_version: _ir, warnings: said, ...figures } = members;
  const { error } = answer;
  const message = redaction.text(error.message);
  const failure = failedMembers(error, message);
  return failed(failure.error, {
    ...figures,
    message: operandOf(error.data) + failure.message + labelHint(error, prepared, runtime.gateway.host),
    error_structured: { ...error, message, data: redaction.data(saidOf(error)) },
    repair: repairOf(error, inputsNotGiven(ir, entry, frame)),
    warnings: said,
  });
}

/** What a program raises itself comes again when it is run again. */
function saidOf({ data }: RunError): RunError["data"] {
  return data["cause_type"] === "program" ? { ...data, retryable: false } : data;
}

/** `o.price is null: `, for a failure that one operand is due to. */
function operandOf({ operand, operand_type: type }: RunError["data"]): string {
  return typeof operand === "string" && typeof type === "string" ? `${operand} is ${type}: ` : "";
}

/** Of a program, not checked strictly, that goes to a label which does not exist. */
function labelHint({ code, data }: RunError, { ir }: Prepared, host: Host): string {
  if (code !== "RUNTIME_UNKNOWN_LABEL") return "";
  return missingLabelHint(ir, nearTarget(host, ir, data));
}

/** `used`: receives the run's usage whenever it pauses. During a long call the run does not pause, so elapsed time is reported instead. */
function progressOf(
  send: NonNullable<CallContext["progress"]>,
  signal: AbortSignal,
  { clock }: McpServices,
  { prepared }: RunPlan,
): { readonly used: (usage: Usage) => void } & Pick<Beating, "stop"> {
  const { max_steps: total } = prepared.admission.limits;
  let last: Usage = NO_USAGE;
  let since = clock.now();
  const progress = (steps: number, more: string): Progress => ({
    progress: steps,
    ...(total === undefined ? {} : { total }),
    message: `${counted(last.steps, "step")}, ${counted(last.adapter_calls, "adapter call")}${more}`,
  });
  const { tell, stop } = beating(
    (one) => {
      if (!signal.aborted) send(one);
    },
    clock,
    (now) => progress(last.steps + partOfStep(now - since), `, waiting for ${Math.floor((now - since) / 1000)} s`),
  );
  const used = (usage: Usage): void => {
    if (usage.steps !== last.steps) since = clock.now();
    last = usage;
    tell(progress(usage.steps, ""));
  };
  return { used, stop };
}
