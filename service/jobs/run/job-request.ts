/**
 * What is kept of a request so that its program can run later, or again: everything the caller asked for, with the program itself as
 * checked IR, so that no later source and no later compiler changes what was accepted. Read back, it passes the same
 * door as a request that just arrived: the server's grant of today decides.
 */
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { Admission } from "../../../vm/admission/admit.ts";
import type { CallerRequest } from "../../../vm/admission/caller-request.ts";
import type { Gateway } from "../../../vm/gateway.ts";
import { keepText } from "../../../vm/inputs/exact-text.ts";
import type { RecordLog } from "../../../vm/recording/record-log.ts";
import type { Limits } from "../../../vm/run.ts";
import type { RunInputs, RunPlan } from "../../run/plan.ts";
import { checked, readAdmitted } from "../../run/read-request.ts";
import { type BulkEnqueueRequestMembers, EnqueueRequest, type EnqueueRequestMembers } from "../../schemas/jobs.ts";
import type { RequestTrace } from "../../telemetry/tracing.ts";
import type { SharedBudget } from "../families/shared-budget.ts";
import type { FlowAsked } from "../flow/flow-of.ts";
import { FLOW_MEMBERS } from "../flow/members.ts";
import type { ClaimedJob, JobWork } from "../job.ts";
import type { JobPrograms } from "./job-programs.ts";

export type JobRequest = {
  /** Members of the request without program and frames. */
  readonly asked: JsonObject;
  readonly sourceHash: string | null;
  /** Who queued it, where a trusted proxy names people. */
  readonly submittedBy?: string;
  /** Under which it was accepted: told with the result of one that never begins. */
  readonly limits: Limits;
  /** Of compiling and checking, told with the result. */
  readonly warnings: readonly string[];
  /** What its deployment asked for, which the request only narrowed. */
  readonly within?: CallerRequest;
  /** Rules about when it begins, and how long it may run. */
  readonly flow?: FlowAsked;
  /** Calls that a retry does not make again. */
  readonly resume?: RecordLog;
  /** The job shares the budget of the one that started it. Absent: it has one of its own. */
  readonly share?: SharedBudget;
};

export type ReadJob = {
  readonly request: EnqueueRequestMembers;
  readonly admission: Admission;
  readonly kept: JobRequest;
};

/** Of a request for one job, or for many. The frames are the jobs' own. `within`: what the deployment asked for that they run. */
export function jobWork(
  asked: EnqueueRequestMembers | BulkEnqueueRequestMembers,
  { prepared, sourceHash, warnings }: RunPlan,
  trace: Pick<RequestTrace, "traceparent" | "tracestate">,
  within?: CallerRequest,
  { submittedBy = null, flow = null }: { readonly submittedBy?: string | null; readonly flow?: FlowAsked | null } = {},
): Omit<JobWork, "frame"> {
  const {
    code: _code,
    ir: _ir,
    files: _files,
    program: _program,
    strict: _strict,
    ...more
  } = { ...NO_FRAMES, ...asked };
  const {
    frame: _frame,
    frames: _frames,
    name: _name,
    tags: _tags,
    ...rest
  } = { name: undefined, tags: undefined, ...more };
  const { limits } = prepared.admission;
  const bounds = within === undefined ? {} : { within };
  const by = submittedBy === null ? {} : { submittedBy };
  const rules = flow === null ? {} : { flow };
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !ABOUT_FLOW.has(name)));
  const kept: JobRequest = { asked: own as JsonObject, sourceHash, limits, warnings, ...bounds, ...by, ...rules };
  return {
    request: JSON.stringify(kept),
    program: programText(prepared.ir),
    traceparent: trace.traceparent(),
    tracestate: trace.tracestate(),
    checksum: prepared.ir.checksum,
  };
}

/** Kept as what they mean together with those of the deployment. */
const ABOUT_FLOW: ReadonlySet<string> = new Set([...FLOW_MEMBERS, "run_at"]);
const NO_FRAMES = { frame: undefined, frames: undefined };

/** By compiled program: writing it takes longer than running many. */
const programTexts = new WeakMap<Ir, string>();

function programText(ir: Ir): string {
  const known = programTexts.get(ir);
  if (known !== undefined) return known;
  const text = canonicalJson(ir as unknown as Json);
  programTexts.set(ir, text);
  return text;
}

/** The same work, to begin where `record` ends. */
export function resumedWork(work: JobWork, record: RecordLog): JobWork {
  return keptWith(work, { resume: record });
}

/**
 * The same work, accepted under these limits. `submittedBy`: who queues it now. It shares no budget any more, because no run waits for it: its limits
 * stay those that it was given.
 */
export function limitedWork(work: JobWork, limits: Limits, submittedBy: string | null): JobWork {
  const { share: _, ...kept } = JSON.parse(work.request) as JobRequest;
  const by = submittedBy === null ? {} : { submittedBy };
  return { ...work, request: JSON.stringify({ ...kept, limits, ...by } satisfies JobRequest) };
}

function keptWith({ request, ...rest }: JobWork, changes: Partial<JobRequest>): JobWork {
  return { ...rest, request: changedRequest(request, changes) };
}

/** What is kept of a request, with some of it changed. */
export function changedRequest(request: string, changes: Partial<JobRequest>): string {
  return JSON.stringify({ ...(JSON.parse(request) as JobRequest), ...changes } satisfies JobRequest);
}

/** The same work with the program of a plan. */
export function movedWork(work: JobWork, { prepared: { ir }, sourceHash, warnings }: RunPlan): JobWork {
  return { ...keptWith(work, { sourceHash, warnings }), program: programText(ir), checksum: ir.checksum };
}

/** What a job asked for, with another program. Throws ServiceFault. */
export function readMovedWork(
  { request }: JobWork,
  { code, ir, strict }: Pick<EnqueueRequestMembers, "code" | "ir" | "strict">,
  gateway: Gateway,
): ReadJob {
  const kept = JSON.parse(request) as JobRequest;
  const program = {
    ...(code == null ? {} : { code }),
    ...(ir == null ? {} : { ir }),
    ...(strict == null ? {} : { strict }),
  };
  const body = { ...kept.asked, ...program };
  const read = checked(EnqueueRequest, body);
  const fault = "error" in read ? read.error : undefined;
  return { kept, ...readAdmitted({ body: body as EnqueueRequestMembers, fault }, gateway, kept.within) };
}

/** Throws ServiceFault. */
export function readJobWork(work: Omit<JobWork, "frame">, gateway: Gateway, programs: JobPrograms): ReadJob {
  const kept = JSON.parse(work.request) as JobRequest;
  const body = { ir: programs.read(work), ...kept.asked };
  const read = checked(EnqueueRequest, body);
  const fault = "error" in read ? read.error : undefined;
  // As it is, not as the schema copies it: programs are known again by their IR.
  return { kept, ...readAdmitted({ body: body as EnqueueRequestMembers, fault }, gateway, kept.within) };
}

/** The first variables of a job. */
export function jobFrame({ frame }: Pick<JobWork, "frame">, { request }: ReadJob): JsonObject {
  if (frame === null) return (request.frame ?? {}) as JsonObject;
  const first = JSON.parse(frame) as JsonObject;
  keepText(first, frame);
  return first;
}

/** What a run of the job begins with. */
export function inputsOf(job: ClaimedJob, read: ReadJob): RunInputs {
  const frame = jobFrame(job, read);
  const { resume } = read.kept;
  const { replay_log, replay_artifact_id } = read.request;
  if (resume !== undefined) return { frame, replay: resume, continues: true };
  return { frame, replay: replay_log ?? undefined, artifactId: replay_artifact_id ?? undefined };
}
