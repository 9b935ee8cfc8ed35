/**
 * wf_run: compiles a program, checks it against what the server grants and the caller tightened, and executes it. Everything that can be
 * refused is refused before the first step.
 */

import * as z from "zod/mini";
import type { Ir } from "../../compiler/ir/graph.ts";
import { isObject, type Json, type JsonObject, type Members } from "../../compiler/json.ts";
import { type InputIssue, POLICY_LISTS } from "../../compiler/policy/policy.ts";
import type { Violation } from "../../compiler/policy/validate.ts";
import { isPython } from "../../grammar/surface.ts";
import { counted } from "../../grammar/text/english.ts";
import { type Prepared, usedAdapters } from "../../vm/admission/prepare.ts";
import type { PlanRefused } from "../../vm/admission/refusal.ts";
import { OperationFailure } from "../../vm/errors/failures.ts";
import { suggestedAdapters } from "../../vm/grant/suggest.ts";
import { checkInputs, InputInvalid } from "../../vm/inputs/check-inputs.ts";
import { keepText } from "../../vm/inputs/exact-text.ts";
import { ReplayLogInvalid, readReplayLog } from "../../vm/recording/replay-log.ts";
import { LIMIT_KEYS, type Limits, NO_USAGE } from "../../vm/run.ts";
import { type LostDigits, precisionMessage, precisionWarning } from "../../vm/values/exact-numbers.ts";
import { checkDepth, checkedJson } from "../../vm/values/values.ts";
import { type CompiledProgram, compileProgram, reportOf, warningsOf } from "../programs/check-program.ts";
import { executeRun } from "../programs/execute.ts";
import { reach } from "../programs/reach.ts";
import { repairMissing, repairViolations } from "../programs/repair.ts";
import { readSource, type SourceArguments } from "../programs/source.ts";
import type { McpServices } from "../services.ts";
import { argumentsFault } from "../tool/arguments.ts";
import { failed, type ToolResult } from "../tool/results.ts";
import {
  anyNames,
  described,
  optionalFlag,
  optionalText,
  output,
  readByGateway,
  sourceMembers,
} from "../tool/schemas.ts";
import type { CallContext } from "../tool/sdk.ts";
import { defineTool } from "../tool/tool.ts";

const MAX_VIOLATIONS = 50;

const runMembers = {
  strict: optionalFlag,
  policy: readByGateway(
    POLICY_LISTS,
    { type: "array", items: { type: "string" } },
    { forbidden_destructive: { type: "boolean" } },
  ),
  limits: readByGateway(LIMIT_KEYS, { type: "integer" }),
  frame: anyNames("inputs by name"),
  label: described(optionalText, "entry"),
  adapters: anyNames('{"enable":["http"],"http":{"allow_hosts":["h"]}}'),
  trace: optionalFlag,
  record_calls: optionalFlag,
  replay_log: z.optional(z.union([z.array(z.unknown().check(z.meta({ type: "object" }))), z.looseObject({})])),
};
const runArguments = z.strictObject(runMembers);
type RunArguments = z.output<typeof runArguments> & SourceArguments;

export const runTool = defineTool({
  name: "wf_run",
  title: "Run a program",
  description:
    "Execute a Python program under this server's grant; policy and limits can only tighten it. Nothing runs when the program has an error or violates the policy. Inputs go into frame and are the parameters, as in def main(a, b):.",
  hints: ({ runtime }) => {
    const { destructive, networkFacing } = reach(runtime.gateway.grant, runtime.catalog);
    return { readOnlyHint: false, destructiveHint: destructive, idempotentHint: false, openWorldHint: networkFacing };
  },
  input: (options) => z.strictObject({ ...sourceMembers(options), ...runMembers }),
  aliases: { source: "code" },
  output: output({ trace_id: "text", label: "text", out: "any", usage: "object", error: "text", repair: "texts" }),
  async call(args, services, context) {
    const traceId = services.freshId();
    const result = await run(args, services, context, traceId);
    const { ok, ...members } = result.payload;
    const told: ToolResult = { ...result, payload: { ok, trace_id: traceId, ...members }, traceId };
    if (!ok && context.signal.aborted !== true && !("error_structured" in members))
      logRefusal(services, traceId, members);
    return told;
  },
});

async function run(
  args: RunArguments,
  services: McpServices,
  context: CallContext,
  traceId: string,
): Promise<ToolResult> {
  const started = services.clock.now();
  const { gateway } = services.runtime;
  const { policy, limits, adapters, strict = true } = args;
  const deep = nestingIssues({ policy, limits, adapters });
  if (deep.length > 0) return invalid(deep);
  const admission = gateway.admit({ policy, limits, adapters });
  const { frame, issues } = readFrame(args.frame);
  if (context.frameText !== undefined) keepText(frame, context.frameText);
  // A program of the Python form takes whole numbers of any length.
  const isExact = typeof args.code === "string" && isPython(args.code);
  const lost = isExact ? [] : (context.lostDigits ?? []);
  // On by default, so only a call that names it is refused.
  const refused = args.strict === true ? lost.map(precisionIssue) : [];
  const all: readonly Issue[] = [
    ...issues,
    ...refused,
    ...(admission.ok ? [] : admission.issues),
    ...replayIssues(args.replay_log),
  ];
  if (!admission.ok || all.length > 0) return invalid(all);
  const source = await readSource(args, services, context.signal);
  if (!source.ok) return source.refusal;
  const program = compileProgram(source, { strict, inputs: Object.keys(frame) }, services);
  const { ir } = program;
  if (ir === null) return notCompiled(program, services);
  const planned = await gateway.plan(ir, admission, args.label);
  if (!planned.ok) return refusal(planned, admission.limits);
  const { prepared, entry } = planned;
  const missing = args.replay_log === undefined ? missingAdapters(ir, prepared, services) : [];
  if (missing.length > 0) return notAvailable(ir, missing, services);
  const inputs = inputWarningsOf(ir, entry, frame, strict);
  if (!inputs.ok) return inputs.refusal;
  return executeRun(services, context, {
    prepared,
    entry,
    source: source.code,
    frame,
    strict,
    traceId,
    started,
    warnings: [
      ...lost.map((one) => precisionWarning(one.path, one)),
      ...inputs.warnings,
      ...warningsOf(program).map((text) => `compile_warning: ${text}`),
    ],
    trace: args.trace === true,
    record: args.record_calls === true,
    replay: args.replay_log,
    policyPresent: policy !== undefined || Object.keys(admission.policy).length > 0,
  });
}

/** What is refused, in the words of the tools. */
function refusal(refused: PlanRefused, limits: Limits): ToolResult {
  const { error, message } = refused;
  if (error === "policy_violation")
    return failed(error, {
      message: `${counted(refused.policy_errors.length, "policy violation")}; nothing was executed`,
      ...firstViolations(refused.policy_errors),
      repair: repairViolations(refused.policy_errors),
      limits,
      usage: NO_USAGE,
    });
  const { issues } = refused;
  return failed(error, { message: error === "adapter_config_error" ? argumentsFault(issues) : message, issues });
}

function precisionIssue(lost: LostDigits) {
  return { path: lost.path, code: "number_precision" as const, message: precisionMessage(lost) };
}

function firstViolations(errors: readonly Violation[]) {
  const hidden = errors.length - MAX_VIOLATIONS;
  const policy_errors = errors.slice(0, MAX_VIOLATIONS);
  return { policy_errors, ...(hidden > 0 ? { policy_errors_truncated: hidden } : {}) };
}

/** What the gateway reads, it reads by recursion. */
function nestingIssues(members: Readonly<Record<string, unknown>>): readonly InputIssue[] {
  return Object.entries(members).flatMap(([name, value]) => {
    try {
      checkDepth((value ?? null) as Json);
      return [];
    } catch (cause) {
      if (!(cause instanceof OperationFailure)) throw cause;
      return [{ path: `/${name}`, code: "too_large" as const, message: cause.message }];
    }
  });
}

/** A copy within the bounds of values. */
function readFrame(given: unknown): { readonly frame: JsonObject; readonly issues: readonly InputIssue[] } {
  try {
    const frame = checkedJson(given ?? {});
    if (isObject(frame)) return { frame, issues: [] };
    return { frame: {}, issues: [{ path: "/frame", code: "type", message: "expected an object" }] };
  } catch (cause) {
    if (!(cause instanceof OperationFailure)) throw cause;
    return { frame: {}, issues: [{ path: "/frame", code: "too_large", message: cause.message }] };
  }
}

function replayIssues(log: unknown): readonly InputIssue[] {
  if (log === undefined) return [];
  try {
    readReplayLog(log);
    return [];
  } catch (cause) {
    if (!(cause instanceof ReplayLogInvalid)) throw cause;
    return [{ path: `/replay_log${cause.path}`, code: "type", message: cause.expected }];
  }
}

/** Adapters that the program names, that may be called, and that no run would find. */
function missingAdapters(ir: Ir, { adapters, gate }: Prepared, { runtime }: McpServices): readonly string[] {
  const used = [...(usedAdapters(ir, runtime.gateway.host) ?? [])];
  return used.filter((name) => name !== "core" && !adapters.has(name) && gate.has(name));
}

function notAvailable(ir: Ir, missing: readonly string[], { runtime }: McpServices): ToolResult {
  const provided = missing.filter((name) => runtime.registry.provided.includes(name));
  const suggested = suggestedAdapters(ir, provided, runtime.catalog, runtime.registry.settings);
  const absent = missing.filter((name) => !provided.includes(name));
  const message =
    absent.length === 0
      ? `the program needs adapters that are not enabled: ${missing.join(", ")}`
      : `this server does not provide: ${absent.join(", ")}`;
  return failed("adapter_not_available", {
    error_kind: "adapter_registration",
    message,
    required_adapters: missing,
    suggested_adapters: suggested,
    repair:
      provided.length === 0 ? ["Ask the operator for a server that provides the adapter."] : repairMissing(suggested),
  });
}

type Issue = Omit<InputIssue, "code"> & { readonly code: string };

function invalid(issues: readonly Issue[]): ToolResult {
  return failed("invalid_request", { message: argumentsFault(issues), issues });
}

/** A frame that the program does not take is refused before the run, or warned about when the call is not strict. */
function inputWarningsOf(
  ir: Ir,
  entry: string,
  frame: JsonObject,
  strict: boolean,
): { readonly ok: true; readonly warnings: readonly string[] } | { readonly ok: false; readonly refusal: ToolResult } {
  try {
    return { ok: true, warnings: checkInputs(ir, entry, frame, strict ? "strict" : "loose") };
  } catch (cause) {
    if (!(cause instanceof InputInvalid)) throw cause;
    const { message, issues } = cause;
    return { ok: false, refusal: failed("input_invalid", { message, issues }) };
  }
}

function notCompiled(program: CompiledProgram, services: McpServices): ToolResult {
  const { ok: _ok, ...report } = reportOf(program, services);
  const errors = program.diagnostics.filter(({ severity }) => severity === "error").length;
  return failed("compile_error", {
    message: `${counted(errors, "error")} in the program; nothing was executed`,
    ...report,
  });
}

/** Reports refused runs in the runner's own words. */
function logRefusal(
  { log, redaction }: McpServices,
  trace_id: string,
  { error, message, policy_errors }: Members,
): void {
  if (error === "policy_violation" && Array.isArray(policy_errors)) {
    const codes = [...new Set(policy_errors.map(({ code }: { code: string }) => code))];
    log.write("info", "policy_rejected", { trace_id, codes, violations: policy_errors.length });
    return;
  }
  log.write("info", "run_failed", {
    trace_id,
    ok: false,
    error: String(error),
    message: redaction.text(String(message)),
  });
}
