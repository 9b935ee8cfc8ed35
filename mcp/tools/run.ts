/**
 * wf_run: compiles a program, checks it against what the server grants and the caller tightened, and executes it. Everything that can be
 * refused is refused before the first step.
 */
import * as z from "zod/mini";
import type { Ir } from "../../compiler/ir/graph.ts";
import { isObject, type Json, type JsonObject, type Members } from "../../compiler/json.ts";
import { type InputIssue, POLICY_LISTS } from "../../compiler/policy/policy.ts";
import type { Violation } from "../../compiler/policy/validate.ts";
import { counted } from "../../grammar/english.ts";
import { OperationFailure } from "../../vm/errors.ts";
import { suggestedAdapters } from "../../vm/grant/suggest.ts";
import { type Prepared, usedAdapters } from "../../vm/preparation.ts";
import { ReplayLogInvalid, readReplayLog } from "../../vm/replay-log.ts";
import { LIMIT_KEYS, NO_USAGE } from "../../vm/run.ts";
import { checkDepth, checkedJson } from "../../vm/values.ts";
import { missingLabelDetail, missingLabelHint } from "../../vm/words/missing-label.ts";
import { argumentsFault } from "../arguments.ts";
import { type CompiledProgram, compileProgram, reportOf, warningsOf } from "../check-program.ts";
import { executeRun } from "../execute.ts";
import { reach } from "../reach.ts";
import { repairMissing } from "../repair.ts";
import { failed, type ToolResult } from "../results.ts";
import { anyNames, described, optionalFlag, optionalText, output, readByGateway, sourceMembers } from "../schemas.ts";
import type { CallContext } from "../sdk.ts";
import type { McpServices } from "../services.ts";
import { readSource, type SourceArguments } from "../source.ts";
import { defineTool } from "../tool.ts";

const MAX_VIOLATIONS = 50;

const runMembers = {
  strict: optionalFlag,
  policy: readByGateway(
    POLICY_LISTS,
    { type: "array", items: { type: "string" } },
    { forbidden_destructive: { type: "boolean" } },
  ),
  limits: readByGateway(LIMIT_KEYS, { type: "integer" }),
  frame: anyNames("initial variables"),
  label: described(optionalText, "entry"),
  adapters: anyNames('{"enable":["http"],"http":{"allow_hosts":["h"]}}'),
  trace: optionalFlag,
  record_calls: optionalFlag,
  replay_log: z.optional(z.union([z.array(z.unknown()), z.looseObject({})])),
};
const runArguments = z.strictObject(runMembers);
type RunArguments = z.output<typeof runArguments> & SourceArguments;

export const runTool = defineTool({
  name: "wf_run",
  title: "Run a program",
  description:
    "Compile, policy-check and execute a Weft program under this server's grant. policy and limits can only tighten it. Nothing runs when the policy is violated.",
  hints: ({ runtime }) => {
    const { destructive, networkFacing } = reach(runtime.gateway.grant, runtime.catalog);
    return { readOnlyHint: false, destructiveHint: destructive, idempotentHint: false, openWorldHint: networkFacing };
  },
  input: (options) => z.strictObject({ ...sourceMembers(options), ...runMembers }),
  aliases: { source: "code" },
  output: output({ trace_id: "text", label: "text", out: "any", usage: "object", error: "text", repair: "list" }),
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
  const all = [...issues, ...(admission.ok ? [] : admission.issues), ...replayIssues(args.replay_log)];
  if (!admission.ok || all.length > 0) return invalid(all);
  const source = await readSource(args, services, context.signal);
  if (!source.ok) return source.refusal;
  const program = compileProgram(source.code, { strict, inputs: Object.keys(frame) }, services);
  const { ir } = program;
  if (ir === null) return notCompiled(program, services);
  const prepared = await gateway.prepare(ir, admission);
  if (!prepared.ok) {
    if (prepared.error === "policy_violation")
      return failed("policy_violation", {
        message: `${counted(prepared.policy_errors.length, "policy violation")}; nothing was executed`,
        ...firstViolations(prepared.policy_errors),
        limits: admission.limits,
        usage: NO_USAGE,
      });
    const { issues } = prepared;
    return failed("adapter_config_error", { message: argumentsFault(issues), issues });
  }
  const missing = args.replay_log === undefined ? missingAdapters(ir, prepared, services) : [];
  if (missing.length > 0) return notAvailable(ir, missing, services);
  const found = gateway.host.resolveLabel(ir, args.label);
  if (found.id === null) return unknownLabel(ir, found.near);
  return executeRun(services, context, {
    prepared,
    entry: found.id,
    source: source.code,
    frame,
    strict,
    traceId,
    started,
    warnings: warningsOf(program).map((text) => `compile_warning: ${text}`),
    trace: args.trace === true,
    record: args.record_calls === true,
    replay: args.replay_log,
    policyPresent: policy !== undefined || Object.keys(admission.policy).length > 0,
  });
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

function unknownLabel(ir: Ir, near: readonly string[]): ToolResult {
  const said = "the requested label does not exist";
  const issue = { path: "/label", code: "unknown_label", message: said + missingLabelDetail(ir, near) };
  return failed("unknown_label", { message: said + missingLabelHint(ir, near), issues: [issue] });
}

function invalid(issues: readonly InputIssue[]): ToolResult {
  return failed("invalid_request", { message: argumentsFault(issues), issues });
}

function notCompiled(program: CompiledProgram, services: McpServices): ToolResult {
  const { ok: _ok, ...report } = reportOf(program, services);
  const errors = program.diagnostics.filter(({ severity }) => severity === "error").length;
  return failed("compile_error", {
    message: `${counted(errors, "error")} in the program; nothing was executed`,
    ...report,
  });
}

/** Runs that were refused are told as the runner tells them. */
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
