/**
 * POST /result/{id}/retry: a new job from one that did not succeed, from its start or from the call that failed. One with a journal may also
 * begin after any of its records, and with another program, where that makes the same calls until then.
 */

import * as z from "zod";
import { labelName } from "../../compiler/ir/references.ts";
import type { RecordLog } from "../../vm/recording/record-log.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { existing, jobIdIn, withResult } from "../jobs/answers/documents.ts";
import { flowAgain } from "../jobs/flow/flow-of.ts";
import { isTerminal, type JobWork } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { rehearsed, shownCall, type TakeOver, takenRecords } from "../jobs/rehearsals/moved-job.ts";
import { keptFor } from "../jobs/retention/kept-times.ts";
import { retryCurrent } from "../jobs/routes/retry-current.ts";
import {
  type JobRequest,
  jobFrame,
  limitedWork,
  movedWork,
  type ReadJob,
  readJobWork,
  readMovedWork,
  resumedWork,
} from "../jobs/run/job-request.ts";
import { queueJob } from "../jobs/run/queue-job.ts";
import { checkCodeTaken } from "../programs/run-program.ts";
import { checkJobSigned } from "../programs/signing/check-job.ts";
import { answerWork } from "../run/answer-work.ts";
import { checkedFrame } from "../run/frame-check.ts";
import type { HeldKey } from "../run/idempotency-store.ts";
import { planRun, type RunPlan } from "../run/plan.ts";
import { isGiven } from "../run/read-request.ts";
import { JobAccepted, RetryRehearsed, RetryRequest } from "../schemas/jobs.ts";
import type { Services } from "../services.ts";
import type { FoundJob } from "../state/store.ts";
import type { Answer } from "../wire/answer.ts";
import { asText, jsonAnswer, send } from "../wire/answers.ts";
import { faults, later, ServiceFault } from "../wire/errors.ts";
import { KeyedHeaders } from "../wire/headers.ts";
import { refusalsOfPrograms, responses } from "../wire/responses.ts";

export function resultRetryRoute(app: ServiceApp, services: Services, jobs: Jobs): void {
  app.route({
    method: "POST",
    url: "/result/:id/retry",
    config: { work: true, bodyOptional: true },
    schema: {
      operationId: "retryJob",
      summary: "Queues a new job from one that did not succeed",
      params: z.object({ id: z.string() }),
      headers: KeyedHeaders,
      body: RetryRequest,
      response: responses({ 200: RetryRehearsed, 202: JobAccepted }, [
        ...refusalsOfPrograms,
        "job_not_found",
        "job_not_finished",
        "job_expired",
        "job_not_retryable",
        "idempotency_in_progress",
        "idempotency_key_reused",
        "queue_full",
        "job_dropped",
        "job_exists",
        "flow_invalid",
        "flow_key_invalid",
        "program_not_found",
        "store_unavailable",
      ]),
    },
    handler: async (request, reply) => {
      const { params, body, validationError, call } = request;
      const id = jobIdIn(params);
      const make = async (key: HeldKey | null): Promise<Answer> => {
        if (validationError !== undefined) throw validationError;
        return retry(services, jobs, { id, ...body, call }, key);
      };
      return send(reply, await answerWork(services, request, make, call.route.replace(":id", id)));
    },
  });
}

export type RetryAsked = z.output<typeof RetryRequest> & { readonly id: string; readonly call: RequestCall };

/** Queues the new job. Rejects with ServiceFault. */
export async function retry(
  services: Services,
  jobs: Jobs,
  { id, call, ...asked }: RetryAsked,
  key: HeldKey | null,
): Promise<Answer> {
  const source = existing(await jobs.store.find(id));
  if (!isTerminal(source.status)) throw later("job_not_finished", "the job has not ended; cancel it or wait for it", 1);
  if (source.status === "succeeded") throw notRetryable(source, "succeeded", "the job succeeded");
  const stored = await jobs.store.work(id);
  if (stored === null) throw existing(null);
  if (asked.current === true) {
    const { deployment } = source;
    if (deployment === null) throw notRetryable(source, "not_deployed", "the job does not run a deployed program");
    if (
      ["code", "ir", "strict", "dry_run", "from"].some(
        (name) => isGiven(asked[name as "from"]) && asked[name as "from"] !== "start",
      )
    )
      throw faults.invalidRequest([
        { path: "/current", code: "exclusive", message: "the current version begins at the start: give current alone" },
      ]);
    return retryCurrent(services, jobs, { source, stored, deployment, call }, key);
  }
  if (!isGiven(asked.code) && !isGiven(asked.ir)) await checkJobSigned(services, source);
  if (source.deployment === null || isGiven(asked.code) || isGiven(asked.ir)) checkCodeTaken(services.config);
  const { from = "start" } = asked;
  if (source.durable && from !== null && from !== "start")
    return takeOver(services, jobs, { source, stored, from, asked, call }, key);
  refuseWithoutJournal(source, asked);
  const whole = (): Promise<FoundJob> =>
    withResult(source, (of) => services.unsent.inTurn(() => jobs.store.result(of), call.caller));
  const work = from === "failure" ? resumedWork(stored, recordOf(await whole())) : stored;
  const { request, admission, kept } = readJobWork(work, services.gateway, jobs.programs);
  const plan = await planRun(services, request, admission, null);
  const durable = source.endsMs === null && !source.durable ? null : { lifetimeMs: lifetimeOf(source, services) };
  const wanted = { ...wantedOf(services, source, { work, plan, request, kept }, call), durable };
  // A run that continues keeps its call ids, so that a keyed write whose answer was lost is not done twice.
  const job = from === "failure" ? { frame: work.frame, traceId: source.traceId } : { frame: work.frame };
  return queueJob(services, jobs, wanted, job, key);
}

type TakingOver = {
  readonly source: FoundJob;
  readonly stored: JobWork;
  readonly from: TakeOver;
  readonly asked: z.output<typeof RetryRequest>;
  readonly call: RequestCall;
};

/** A new job that begins with records of the old one. */
async function takeOver(
  services: Services,
  jobs: Jobs,
  { source, stored, from, asked, call }: TakingOver,
  key: HeldKey | null,
): Promise<Answer> {
  const records = await takenRecords(jobs, source, from);
  const isMoved = isGiven(asked.code) || isGiven(asked.ir);
  const read = isMoved
    ? readMovedWork(stored, asked, services.gateway)
    : readJobWork(stored, services.gateway, jobs.programs);
  const frame = jobFrame(stored, read);
  const planned = await planRun(services, read.request, read.admission, isMoved ? Object.keys(frame) : null);
  const plan = isMoved ? checkedFrame(planned, asked, frame) : planned;
  const work = isMoved ? { ...movedWork(stored, plan), frame: stored.frame } : stored;
  const kept = isMoved ? { ...read.kept, warnings: plan.warnings } : read.kept;
  const wanted = {
    ...wantedOf(services, source, { work, plan, request: read.request, kept }, call),
    ...(isMoved ? { label: labelName(plan.prepared.ir, plan.entry), deployment: null, version: null } : {}),
    durable: { lifetimeMs: lifetimeOf(source, services), takes: { job: source.id, seq: records.length } },
  };
  if (isMoved || asked.dry_run === true) {
    const tried = { source, frame, signal: call.caller };
    const { next } = await rehearsed(services, plan, records, tried);
    if (asked.dry_run === true)
      return asText(
        jsonAnswer(200, {
          ok: true,
          job_id: source.id,
          dry_run: true,
          records: records.length,
          next: next === null ? null : shownCall(plan.prepared.ir, next),
          warnings: wanted.warnings,
        }),
      );
  }
  return queueJob(services, jobs, wanted, { frame: work.frame, traceId: source.traceId }, key);
}

/** Only a job with a journal can begin elsewhere than at its start, or with another program. */
function refuseWithoutJournal(source: FoundJob, { from, code, ir, dry_run }: z.output<typeof RetryRequest>): void {
  const isFrom = typeof from === "object" && from !== null;
  if (!isFrom && !isGiven(code) && !isGiven(ir) && dry_run !== true) return;
  if (!source.durable) throw notRetryable(source, "no_journal", "the job is not durable, so it has no journal");
  const message = 'say where the new job begins: from failure, or from {"seq": n} of the journal';
  throw faults.invalidRequest([{ path: "/from", code: "required", message }]);
}

type Planned = {
  readonly work: JobWork;
  readonly plan: RunPlan;
  readonly request: ReadJob["request"];
  readonly kept: JobRequest;
};

function wantedOf(
  services: Services,
  source: FoundJob,
  { work, plan: { prepared }, request, kept }: Planned,
  { context, trace, user }: RequestCall,
) {
  return {
    request: limitedWork(work, prepared.admission.limits, user).request,
    program: work.program,
    traceparent: trace.traceparent(),
    tracestate: trace.tracestate(),
    traceId: context.trace_id,
    label: source.label,
    checksum: prepared.ir.checksum,
    retry: source.retry,
    ...keptFor(services.config.jobs, source.deployment, request.keep_s),
    retryOf: source.id,
    about: source.about,
    deployment: source.deployment,
    version: source.version,
    warnings: [...new Set([...kept.warnings, ...prepared.warnings])],
    rules: kept.flow === undefined ? null : flowAgain(kept.flow),
  };
}

/** As long as the old one had. */
function lifetimeOf({ endsMs, queuedMs }: FoundJob, { config }: Services): number {
  return endsMs === null ? config.jobs.durableLifetimeS * 1000 : endsMs - queuedMs;
}

/** The calls that were made. */
function recordOf(source: FoundJob): RecordLog {
  const result = JSON.parse(source.result ?? "{}") as { readonly record?: RecordLog };
  if (result.record === undefined)
    throw notRetryable(source, "no_record", "the job was not recorded; send record_calls, or retry from the start");
  return result.record;
}

function notRetryable({ id }: FoundJob, code: string, message: string): ServiceFault {
  return new ServiceFault("job_not_retryable", message, { issues: [{ path: "", code, message }], job_id: id });
}
