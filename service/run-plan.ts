/**
 * From an admitted request to a program that is ready to run: compiled or read, checked against the effective policy, its adapters
 * linked, its entry found. Everything that can be refused is refused here, before anything runs; jobs are planned the same way
 * when they are accepted and once more when they start.
 */
import { createHash } from "node:crypto";
import { diagnosticDocument } from "../compiler/diagnostic-document.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import { type NormalizeResult, normalize } from "../compiler/ir/normalize.ts";
import type { JsonObject } from "../compiler/json.ts";
import type { Violation } from "../compiler/policy/validate.ts";
import type { Diagnostic } from "../grammar/diagnostic.ts";
import { counted } from "../grammar/english.ts";
import type { Admission } from "../vm/admission.ts";
import { RUNTIME_CODES } from "../vm/error-codes.ts";
import { FatalFailure } from "../vm/errors.ts";
import type { Gateway } from "../vm/gateway.ts";
import type { Host, TraceOptions } from "../vm/host.ts";
import type { Prepared, PrepareRefused } from "../vm/preparation.ts";
import { ReplayLogInvalid, readReplayLog } from "../vm/replay-log.ts";
import { type Clock, NO_USAGE } from "../vm/run.ts";
import { missingLabelDetail, missingLabelHint, nearTarget } from "../vm/words/missing-label.ts";
import { type RequestIssue, ServiceFault } from "./errors.ts";
import type { Metrics } from "./metrics.ts";
import { isGiven, type ProgramRequest } from "./run-request.ts";
import { LEGACY_MEMBERS } from "./schemas/run.ts";

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
 * `inputs`: names that the frame will have; null: the frames are not known yet, so any name may be one. A plan whose parts are all known
 * is given at once. Throws ServiceFault, or rejects with it.
 */
export function planRun(
  deps: PlanDeps,
  request: ProgramRequest,
  admission: Admission,
  inputs: readonly string[] | null,
): RunPlan | Promise<RunPlan> {
  const program = loadProgram(deps, request, inputs);
  const known = deps.gateway.prepare(program.ir, admission);
  if ("ok" in known) return planOf(deps, request, admission, program, known);
  return known.then((prepared) => planOf(deps, request, admission, program, prepared));
}

function planOf(
  deps: PlanDeps,
  request: ProgramRequest,
  admission: Admission,
  program: LoadedProgram,
  prepared: Prepared | PrepareRefused,
): RunPlan {
  if (!prepared.ok) {
    if (prepared.error === "policy_violation") throw policyFault(prepared.policy_errors, admission);
    const { issues } = prepared;
    throw new ServiceFault("adapter_config_error", firstOf(issues, "an adapter cannot be used"), { issues });
  }
  return {
    prepared,
    entry: findEntry(deps.gateway, program.ir, request),
    compileMs: program.compileMs,
    cached: program.cached,
    sourceHash: program.sourceHash,
    policyPresent: isGiven(request.policy) || Object.keys(admission.policy).length > 0,
    trace: request.trace === true ? traceOptions(request) : false,
    record: request.record_calls === true,
    warnings: warningsOf(deps, program, request),
  };
}

const NO_WARNINGS: readonly string[] = [];

function warningsOf({ dryRun }: PlanDeps, { warnings }: LoadedProgram, request: ProgramRequest): readonly string[] {
  const ignored = LEGACY_MEMBERS.filter((name) => isGiven(request[name])).map(
    (name) => `legacy_field_ignored: ${name} has no meaning here`,
  );
  if (!dryRun && warnings.length === 0 && ignored.length === 0) return NO_WARNINGS;
  return [...(dryRun ? [DRY_RUN] : []), ...warnings, ...ignored];
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

function loadProgram(
  { gateway: { host }, metrics, clock }: PlanDeps,
  request: ProgramRequest,
  inputs: readonly string[] | null,
): LoadedProgram {
  const started = clock.now();
  if (typeof request.code !== "string") {
    const { ir, warnings } = readIr(request.ir, host.catalog);
    const ignored = isGiven(request.strict) ? ["strict_ignored: strict has no effect on IR"] : [];
    const compileMs = clock.now() - started;
    return { ir, compileMs, cached: false, sourceHash: null, warnings: [...warnings, ...ignored] };
  }
  const strict = request.strict ?? true;
  const { ir, diagnostics, cached } = compileFor(host, request.code, strict, inputs);
  const compileMs = clock.now() - started;
  metrics.compiled(cached, compileMs);
  if (ir === null) throw compileFault(diagnostics);
  const warnings = diagnostics
    .filter(({ severity }) => severity === "warning")
    .map(({ message, span }) => `compile_warning: ${span === null ? "" : `line ${span.line}: `}${message}`);
  return { ir, compileMs, cached, sourceHash: sourceHashOf(ir, request.code), warnings };
}

/** Without known inputs, every name that the program reads and does not set may come with a frame. */
function compileFor(host: Host, code: string, strict: boolean, inputs: readonly string[] | null) {
  if (inputs !== null) return host.compile(code, { strict, inputs });
  const first = host.compile(code, { strict });
  const reads = first.undeclared_reads.map(({ name }) => name);
  return first.ir !== null || reads.length === 0 ? first : host.compile(code, { strict, inputs: reads });
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

function readIr(given: unknown, catalog: Gateway["host"]["catalog"]): ReadIr {
  const isObject = typeof given === "object" && given !== null;
  const known = isObject ? readIrs.get(given) : undefined;
  if (known !== undefined) return known;
  const read = normalize(given, catalog);
  if (read.ok) {
    if (isObject) readIrs.set(given, read);
    return read;
  }
  const issues = read.issues.map((issue) => ({ ...issue, path: `/ir${issue.path}` }));
  throw new ServiceFault(read.status, firstOf(issues, "the IR cannot be used"), { issues });
}

/** What is wrong, with its place. */
function firstOf([first]: readonly RequestIssue[], otherwise: string): string {
  return first === undefined ? otherwise : `${first.path}: ${first.message}`;
}

function compileFault(diagnostics: readonly Diagnostic[]): ServiceFault {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const message = `${counted(errors, "error")} in the program`;
  return new ServiceFault("compile_error", message, { diagnostics: diagnostics.map(diagnosticDocument) });
}

function policyFault(policy_errors: readonly Violation[], { limits, warnings }: Admission): ServiceFault {
  const [first] = policy_errors;
  const what = first?.message.replace(/ is forbidden by policy$/, "") ?? "";
  const place = first === undefined ? "" : ` at label ${first.data.label_id} node ${first.data.node_id}`;
  const message = `${counted(policy_errors.length, "policy violation")}: ${what.charAt(0).toLowerCase()}${what.slice(1)}${place}`;
  return new ServiceFault("policy_violation", message, {
    policy_errors,
    limits,
    usage: NO_USAGE,
    ...(warnings.length === 0 ? {} : { warnings }),
  });
}

/** The entry as an id, with its bytecode made: what cannot be loaded is refused now. */
function findEntry({ host }: Gateway, ir: Ir, request: ProgramRequest): string {
  const label = request.label ?? undefined;
  const found = host.resolveLabel(ir, label);
  if (found.id === null) {
    if (label === undefined) throw new ServiceFault("invalid_ir", "the program has no label to run");
    const said = "the requested label does not exist";
    throw unknownLabel("/label", said + missingLabelHint(ir, found.near), said + missingLabelDetail(ir, found.near));
  }
  try {
    host.program(ir, found.id);
    return found.id;
  } catch (cause) {
    if (!(cause instanceof FatalFailure) || RUNTIME_CODES[cause.code].class !== "load") throw cause;
    throw loadFault(host, ir, cause, typeof request.code === "string");
  }
}

function unknownLabel(path: string, message: string, detail = message): ServiceFault {
  return new ServiceFault("unknown_label", message, { issues: [{ path, code: "unknown_label", message: detail }] });
}

/** A program without strict checks may compile and still not be one that can run. */
function loadFault(host: Host, ir: Ir, { code, message, data }: FatalFailure, fromSource: boolean): ServiceFault {
  if (code === "RUNTIME_UNKNOWN_LABEL") {
    const near = nearTarget(host, ir, data);
    const [hint, detail] = [missingLabelHint(ir, near), missingLabelDetail(ir, near)];
    return unknownLabel(fromSource ? "/code" : "/ir", message + hint, message + detail);
  }
  if (code === "RUNTIME_UNSUPPORTED_IR_VERSION") return new ServiceFault("unsupported_ir_version", message);
  if (!fromSource) return new ServiceFault("invalid_ir", message, { issues: [{ path: "/ir", code, message }] });
  const diagnostic: Diagnostic = {
    code,
    name: code.replace("RUNTIME_", "").toLowerCase(),
    severity: "error",
    message,
    span: null,
    label_id: null,
    node_id: null,
    expected: [],
    suggestion: RUNTIME_CODES[code].fix,
    fix: null,
    related: [],
  };
  return compileFault([diagnostic]);
}

function traceOptions({ trace_options }: ProgramRequest): boolean | TraceOptions {
  if (!isGiven(trace_options)) return true;
  return Object.fromEntries(Object.entries(trace_options ?? {}).filter(([, value]) => isGiven(value)));
}
