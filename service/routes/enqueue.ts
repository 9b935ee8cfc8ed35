/** POST /enqueue: everything that POST /run checks before it runs, then the program waits as a job (docs/jobs.md). */
import type { JsonObject } from "../../compiler/json.ts";
import { writtenLabel } from "../../grammar/written-label.ts";
import type { Answer } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import type { Exchange } from "../exchange.ts";
import type { KeyOfRequest } from "../idempotency.ts";
import { jobWork } from "../jobs/job-request.ts";
import type { Jobs } from "../jobs/part.ts";
import { queueJob } from "../jobs/queue-job.ts";
import { checkReplayLog, planRun } from "../run-plan.ts";
import { readAdmitted } from "../run-request.ts";
import { EnqueueRequest, JobAccepted } from "../schemas/jobs.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import type { Services } from "../services.ts";
import { routed, type WorkRoute } from "../shortcuts.ts";
import { answerWork } from "../work.ts";

export function enqueueRoute(app: ServiceApp, services: Services, jobs: Jobs): void {
  const answer: WorkRoute = (exchange) =>
    answerWork(services, exchange, (body, key) => enqueue(services, jobs, exchange, body, key));
  app.shortcuts.add("/enqueue", answer);
  app.route({
    method: "POST",
    url: "/enqueue",
    config: { work: true },
    schema: {
      operationId: "enqueue",
      summary: "Checks a program and queues it as a job",
      body: EnqueueRequest,
      response: responses({ 202: JobAccepted }, [
        ...refusalsOfPrograms,
        "idempotency_in_progress",
        "idempotency_key_reused",
        "replay_log_invalid",
        "queue_full",
        "store_unavailable",
      ]),
    },
    handler: routed(answer),
  });
}

async function enqueue(
  services: Services,
  jobs: Jobs,
  { call }: Exchange,
  body: JsonObject,
  key: KeyOfRequest | null,
): Promise<Answer> {
  const { request: asked, admission } = readAdmitted(EnqueueRequest, body, services.gateway);
  const replay = asked.replay_log ?? undefined;
  if (replay !== undefined) checkReplayLog(replay);
  const plan = await planRun(services, asked, admission, Object.keys(asked.frame ?? {}));
  const { prepared, warnings } = plan;
  const job = {
    traceId: call.context.trace_id,
    label: writtenLabel(plan.entry),
    retry: asked.retry === true,
    keepMs: (asked.keep_s ?? services.config.jobs.resultTtlS) * 1000,
    retryOf: null,
    warnings: [...new Set([...warnings, ...prepared.warnings])],
    ...jobWork(asked, plan, call.trace.traceparent()),
  };
  return queueJob(services, jobs, job, key);
}
