/**
 * From an admitted request to a program that is ready to run: compiled or read, checked against the effective policy, its adapters
 * linked, its entry found. Everything that can be refused is refused here, before anything runs; jobs are planned the same way
 * when they are accepted and once more when they start.
 */
import { createHash } from "node:crypto";
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { NormalizeResult } from "../../compiler/ir/supplied/normalize.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { CompileOptions, IncludeReader } from "../../compiler/options.ts";
import type { Admission } from "../../vm/admission/admit.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import { compileRefusal, issuesRefusal, loadRefusal, type Refusal } from "../../vm/admission/refusal.ts";
import { RUNTIME_CODES } from "../../vm/errors/error-codes.ts";
import { FatalFailure } from "../../vm/errors/failures.ts";
import type { Gateway } from "../../vm/gateway.ts";
import type { Host } from "../../vm/host.ts";
import { includesIn, withCode } from "../../vm/inputs/program-files.ts";
import { ReplayLogInvalid, readReplayLog } from "../../vm/recording/replay-log.ts";
import type { TraceOptions } from "../../vm/run.ts";
import { type Clock, NO_USAGE } from "../../vm/run.ts";
import { LEGACY_MEMBERS } from "../schemas/run.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { ServiceFault } from "../wire/errors.ts";
import { isGiven, type ProgramRequest } from "./read-request.ts";

export type PlanDeps = {
  readonly gateway: Gateway;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Verbs that write check their arguments and do nothing. */
  readonly dryRun: boolean;
};

/** A program that may run, any number of times. */
export type RunPlan = {
  readonly prepared: Prepared;
  /** Id of the entry label. */
  readonly entry: string;
  readonly compileMs: number;
  readonly cached: boolean;
  /** Of the source; null for supplied IR. */
  readonly sourceHash: string | null;
  /** The request carries a policy, or the server forbids something. */
  readonly policyPresent: boolean;
  readonly trace: boolean | TraceOptions;
  readonly record: boolean;
  readonly warnings: readonly string[];
};

/** What one run of a plan brings along. */
export type RunInputs = {
  readonly frame: JsonObject;
  /** Checked; undefined: none. */
  readonly replay?: unknown;
  /** The log's last failure is made anew, and what is beyond the log is called. */
  readonly continues?: boolean;
  readonly artifactId?: string | undefined;
};

const DRY_RUN = "dry_run: verbs that write check their arguments and do nothing";

/**
 * `inputs`: names that the frame will have; null: the frames are not known yet, so any name may be one. `includes`: where files that the
 * source includes come from; without it they are refused. Rejects with ServiceFault.
 */
export async function planRun(
  deps: PlanDeps,
  request: ProgramRequest,
  admission: Admission,
  inputs: readonly string[] | null,
  includes?: IncludeReader,
): Promise<RunPlan> {
  const { gateway } = deps;
  const program = await loadProgram(deps, request, inputs, includes ?? includesOf(request));
  const isLarge = program.ir.nodes.length > LARGE_PROGRAM;
  if (isLarge) await nextTurn();
  const planned = await gateway.plan(program.ir, admission, request.label ?? undefined);
  if (isLarge) await nextTurn();
  if (!planned.ok) throw refusalFault(planned, admission);
  const { prepared, entry } = planned;
  checkLoads(gateway.host, program.ir, entry, typeof request.code === "string" ? "/code" : "/ir");
  const trace = request.trace === true ? traceOptions(request) : false;
  if (isLarge) {
    await nextTurn();
    await gateway.host.programInTurns(program.ir, entry, trace !== false);
    await nextTurn();
  }
  return {
    prepared,
    entry,
    compileMs: program.compileMs,
    cached: program.cached,
    sourceHash: program.sourceHash,
    policyPresent: isGiven(request.policy) || Object.keys(admission.policy).length > 0,
    trace,
    record: request.record_calls === true,
    warnings: warningsOf(deps, program, request),
  };
}

/** Nodes of a program from which on other requests are served between the stages of making it ready. */
const LARGE_PROGRAM = 2000;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What is refused, in the words of the service. */
function refusalFault(refusal: Refusal, { limits, warnings }: Pick<Admission, "limits" | "warnings">): ServiceFault {
  const { error, message } = refusal;
  if (error === "compile_error")
    return new ServiceFault(error, message, { diagnostics: refusal.diagnostics.map(diagnosticDocument) });
  if (error !== "policy_violation")
    return new ServiceFault(error, message, refusal.issues.length === 0 ? {} : { issues: refusal.issues });
  const { policy_errors } = refusal;
  const warned = warnings.length === 0 ? {} : { warnings };
  return new ServiceFault(error, message, { policy_errors, limits, usage: NO_USAGE, ...warned });
}

/** Makes the bytecode of the entry: what cannot be loaded is refused now. */
function checkLoads(host: Host, ir: Ir, entry: string, path: "/code" | "/ir"): void {
  try {
    host.program(ir, entry);
  } catch (cause) {
    if (!(cause instanceof FatalFailure) || RUNTIME_CODES[cause.code].class !== "load") throw cause;
    throw refusalFault(loadRefusal(host, ir, cause, path), NOTHING_ADMITTED);
  }
}

/** Only a refusal by policy says more. */
const NOTHING_ADMITTED = { limits: {}, warnings: [] };

const NO_WARNINGS: readonly string[] = [];

function warningsOf({ dryRun }: PlanDeps, { warnings }: LoadedProgram, request: ProgramRequest): readonly string[] {
  const ignored = LEGACY_MEMBERS.filter((name) => isGiven(request[name])).map(
    (name) => `legacy_field_ignored: ${name} has no meaning here`,
  );
  if (!dryRun && warnings.length === 0 && ignored.length === 0) return NO_WARNINGS;
  return [...(dryRun ? [DRY_RUN] : []), ...warnings, ...ignored];
}

/** The same plan with further warnings. */
export function warnedPlan(plan: RunPlan, warnings: readonly string[]): RunPlan {
  return warnings.length === 0 ? plan : { ...plan, warnings: [...warnings, ...plan.warnings] };
}

/** Throws ServiceFault replay_log_invalid. */
export function checkReplayLog(log: unknown): void {
  try {
    readReplayLog(log);
  } catch (cause) {
    if (!(cause instanceof ReplayLogInvalid)) throw cause;
    const issue = { path: `/replay_log${cause.path}`, code: "replay_log", message: cause.expected };
    throw new ServiceFault("replay_log_invalid", cause.message, { issues: [issue] });
  }
}

type LoadedProgram = {
  readonly ir: Ir;
  readonly compileMs: number;
  readonly cached: boolean;
  readonly sourceHash: string | null;
  readonly warnings: readonly string[];
};

async function loadProgram(
  { gateway: { host }, metrics, clock }: PlanDeps,
  request: ProgramRequest,
  inputs: readonly string[] | null,
  includes: IncludeReader | undefined,
): Promise<LoadedProgram> {
  const { code, strict } = request;
  const started = clock.now();
  if (typeof code !== "string") {
    const { ir, warnings } = await readIr(request.ir, host);
    const ignored = strict === true ? ["strict_ignored: strict has no effect on IR"] : [];
    const compileMs = clock.now() - started;
    return { ir, compileMs, cached: false, sourceHash: null, warnings: [...warnings, ...ignored] };
  }
  const { ir, diagnostics, cached } = await compileFor(host, code, { strict: strict ?? true, includes, inputs });
  const compileMs = clock.now() - started;
  metrics.compiled(cached, compileMs);
  if (ir === null) throw refusalFault(compileRefusal(diagnostics), NOTHING_ADMITTED);
  const warnings =
    diagnostics.length === 0
      ? NO_WARNINGS
      : diagnostics
          .filter(({ severity }) => severity === "warning")
          .map(({ message, span }) => `compile_warning: ${span === null ? "" : `line ${span.line}: `}${message}`);
  return { ir, compileMs, cached, sourceHash: sourceHashOf(ir, code), warnings };
}

function includesOf({ code, files }: ProgramRequest): IncludeReader | undefined {
  return typeof code === "string" && files != null ? includesIn(withCode(code, files)) : undefined;
}

type ProgramOptions = {
  readonly strict: boolean;
  readonly includes: CompileOptions["includes"];
  readonly inputs: readonly string[] | null;
};

/** Without known inputs, every name that the program reads and does not set may come with a frame. */
async function compileFor(host: Host, code: string, { strict, includes, inputs }: ProgramOptions) {
  if (inputs !== null) return host.compileInTurns(code, { strict, includes, inputs });
  const first = await host.compileInTurns(code, { strict, includes });
  const reads = first.undeclared_reads.map(({ name }) => name);
  if (first.ir !== null || reads.length === 0) return first;
  return host.compileInTurns(code, { strict, includes, inputs: reads });
}

/** By compiled program, which belongs to one source. */
const sourceHashes = new WeakMap<Ir, string>();

function sourceHashOf(ir: Ir, source: string): string {
  const known = sourceHashes.get(ir);
  if (known !== undefined) return known;
  const hash = `sha256:${createHash("sha256").update(source, "utf8").digest("hex")}`;
  sourceHashes.set(ir, hash);
  return hash;
}

type ReadIr = NormalizeResult & { readonly ok: true };
/** By what was given: the jobs of one program give the same object (`jobs/job-programs.ts`). */
const readIrs = new WeakMap<object, ReadIr>();

async function readIr(given: unknown, host: Host): Promise<ReadIr> {
  const isObject = typeof given === "object" && given !== null;
  const known = isObject ? readIrs.get(given) : undefined;
  if (known !== undefined) return known;
  const read = await host.normalizeInTurns(given);
  if (read.ok) {
    if (isObject) readIrs.set(given, read);
    return read;
  }
  const issues = read.issues.map((issue) => ({ ...issue, path: `/ir${issue.path}` }));
  throw refusalFault(issuesRefusal(read.status, issues, "the IR cannot be used"), NOTHING_ADMITTED);
}

function traceOptions({ trace_options }: ProgramRequest): boolean | TraceOptions {
  if (!isGiven(trace_options)) return true;
  return Object.fromEntries(Object.entries(trace_options ?? {}).filter(([, value]) => isGiven(value)));
}
