/** POST /result/{id}/retry: a new job from one that did not succeed, from its start or from the call that failed. */
import * as z from "zod";
import type { RecordLog } from "../../vm/recording/record-log.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { existing, jobIdIn, withResult } from "../jobs/answers/documents.ts";
import { isTerminal } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { limitedWork, readJobWork, resumedWork } from "../jobs/run/job-request.ts";
import { queueJob } from "../jobs/run/queue-job.ts";
import type { FoundJob } from "../jobs/store.ts";
import { answerWork } from "../run/answer-work.ts";
import type { HeldKey } from "../run/idempotency-store.ts";
import { planRun } from "../run/plan.ts";
import { KeyedHeaders } from "../schemas/headers.ts";
import { JobAccepted, RetryRequest } from "../schemas/jobs.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import type { Services } from "../services.ts";
import type { Answer } from "../wire/answer.ts";
import { send } from "../wire/answers.ts";
import { later, ServiceFault } from "../wire/errors.ts";

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
      response: responses({ 202: JobAccepted }, [
        ...refusalsOfPrograms,
        "job_not_found",
        "job_not_finished",
        "job_expired",
        "job_not_retryable",
        "idempotency_in_progress",
        "idempotency_key_reused",
        "queue_full",
        "store_unavailable",
      ]),
    },
    handler: async (request, reply) => {
      const { params, body, validationError, call } = request;
      const id = jobIdIn(params);
      const make = async (key: HeldKey | null): Promise<Answer> => {
        if (validationError !== undefined) throw validationError;
        return retry(services, jobs, { id, from: body.from, call }, key);
      };
      return send(reply, await answerWork(services, request, make, call.route.replace(":id", id)));
    },
  });
}

export type RetryAsked = {
  readonly id: string;
  readonly from: z.output<typeof RetryRequest>["from"];
  readonly call: RequestCall;
};

/** Queues the new job. Rejects with ServiceFault. */
export async function retry(
  services: Services,
  jobs: Jobs,
  { id, from, call: { caller, context, trace, user } }: RetryAsked,
  key: HeldKey | null,
): Promise<Answer> {
  const source = existing(await jobs.store.find(id));
  if (!isTerminal(source.status)) throw later("job_not_finished", "the job has not ended; cancel it or wait for it", 1);
  if (source.status === "succeeded") throw notRetryable(source, "succeeded", "the job succeeded");
  const stored = await jobs.store.work(id);
  if (stored === null) throw existing(null);
  const whole = (): Promise<FoundJob> =>
    withResult(source, (of) => services.unsent.inTurn(() => jobs.store.result(of), caller));
  const work = from === "failure" ? resumedWork(stored, recordOf(await whole())) : stored;
  const { request, admission, kept } = readJobWork(work, services.gateway, jobs.programs);
  const { prepared } = await planRun(services, request, admission, null);
  const { label, retry: again } = source;
  const wanted = {
    request: limitedWork(work, prepared.admission.limits, user).request,
    program: work.program,
    traceparent: trace.traceparent(),
    tracestate: trace.tracestate(),
    traceId: context.trace_id,
    label,
    checksum: prepared.ir.checksum,
    retry: again,
    durable: source.endsMs === null && !source.durable ? null : { lifetimeMs: lifetimeOf(source, services) },
    keepMs: (request.keep_s ?? services.config.jobs.resultTtlS) * 1000,
    retryOf: id,
    about: source.about,
    deployment: source.deployment,
    version: source.version,
    warnings: [...new Set([...kept.warnings, ...prepared.warnings])],
  };
  const { frame } = work;
  // A run that continues keeps its call ids, so that a keyed write whose answer was lost is not done twice.
  const job = from === "failure" ? { frame, traceId: source.traceId } : { frame };
  return queueJob(services, jobs, wanted, job, key);
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
