/** POST /result/{id}/retry: a new job from one that did not succeed, from its start or from the call that failed. */
import * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import type { RecordLog } from "../../vm/record.ts";
import { type Answer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import type { RequestCall } from "../call.ts";
import { faults, later, ServiceFault } from "../errors.ts";
import { exchangeOf } from "../exchange.ts";
import type { HeldKey } from "../idempotency.ts";
import { existing, jobIdIn, withResult } from "../jobs/documents.ts";
import { isTerminal } from "../jobs/job.ts";
import { limitedWork, readJobWork, resumedWork } from "../jobs/job-request.ts";
import type { Jobs } from "../jobs/part.ts";
import { queueJob } from "../jobs/queue-job.ts";
import type { FoundJob } from "../jobs/store.ts";
import { readOptionalJsonBody } from "../json-body.ts";
import { planRun } from "../run-plan.ts";
import { schemaIssues } from "../run-request.ts";
import { KeyedHeaders } from "../schemas/headers.ts";
import { JobAccepted, RetryRequest } from "../schemas/jobs.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import type { Services } from "../services.ts";
import { answerWork } from "../work.ts";

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
      const { params, call } = request;
      const id = jobIdIn(params);
      const make = (body: JsonObject, key: HeldKey | null): Promise<Answer> =>
        retry(services, jobs, { id, call }, body, key);
      const path = call.route.replace(":id", id);
      return send(
        reply,
        await answerWork(services, exchangeOf(request, reply), make, { path, readBody: readOptionalJsonBody }),
      );
    },
  });
}

type Asked = { readonly id: string; readonly call: RequestCall };

async function retry(
  services: Services,
  jobs: Jobs,
  { id, call: { caller, context, trace } }: Asked,
  body: JsonObject,
  key: HeldKey | null,
): Promise<Answer> {
  const asked = RetryRequest.safeParse(body);
  if (!asked.success) throw faults.invalidRequest(schemaIssues(RetryRequest, asked.error));
  const source = existing(await jobs.store.find(id));
  if (!isTerminal(source.status)) throw later("job_not_finished", "the job has not ended; cancel it or wait for it", 1);
  if (source.status === "succeeded") throw notRetryable(source, "succeeded", "the job succeeded");
  const stored = await jobs.store.work(id);
  if (stored === null) throw existing(null);
  const whole = (): Promise<FoundJob> =>
    withResult(source, (of) => services.unsent.inTurn(() => jobs.store.result(of), caller));
  const work = asked.data.from === "failure" ? resumedWork(stored, recordOf(await whole())) : stored;
  const { request, admission, kept } = readJobWork(work, services.gateway, jobs.programs);
  const { prepared } = await planRun(services, request, admission, null);
  const { label, retry: again } = source;
  const wanted = {
    request: limitedWork(work, prepared.admission.limits).request,
    program: work.program,
    traceparent: trace.traceparent(),
    tracestate: trace.tracestate(),
    traceId: context.trace_id,
    label,
    checksum: prepared.ir.checksum,
    retry: again,
    keepMs: (request.keep_s ?? services.config.jobs.resultTtlS) * 1000,
    retryOf: id,
    warnings: [...new Set([...kept.warnings, ...prepared.warnings])],
  };
  return queueJob(services, jobs, wanted, work.frame, key);
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
