/** POST /enqueue: everything that POST /run checks before it runs, then the program waits as a job, or as one for each frame (docs/jobs.md). */
import * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import { writtenLabel } from "../../grammar/written-label.ts";
import type { Answer } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import type { RequestCall } from "../call.ts";
import { faults } from "../errors.ts";
import { checkFrameCount, namesIn } from "../frames.ts";
import type { HeldKey } from "../idempotency.ts";
import { jobWork } from "../jobs/job-request.ts";
import type { Jobs } from "../jobs/part.ts";
import { queueJob, queueJobs } from "../jobs/queue-job.ts";
import { checkReplayLog, planRun, type RunPlan } from "../run-plan.ts";
import { isGiven, readAdmitted } from "../run-request.ts";
import { KeyedHeaders } from "../schemas/headers.ts";
import {
  BulkEnqueueRequest,
  type BulkEnqueueRequestMembers,
  EnqueueRequest,
  type EnqueueRequestMembers,
  JobAccepted,
  JobsAccepted,
} from "../schemas/jobs.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import type { Services } from "../services.ts";
import { routed, type WorkRoute } from "../shortcuts.ts";
import { answerWork } from "../work.ts";

export function enqueueRoute(app: ServiceApp, services: Services, jobs: Jobs): void {
  const answer: WorkRoute = (exchange) =>
    answerWork(services, exchange, (body, key) => enqueue({ services, jobs, call: exchange.call, key }, body));
  app.shortcuts.add("/enqueue", answer);
  app.route({
    method: "POST",
    url: "/enqueue",
    config: { work: true },
    schema: {
      operationId: "enqueue",
      summary: "Checks a program and queues it as a job, or as a job for each of many frames",
      headers: KeyedHeaders,
      body: z.union([EnqueueRequest, BulkEnqueueRequest]),
      response: responses({ 202: z.union([JobAccepted, JobsAccepted]) }, [
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

/** Who asks, and what takes the jobs. `key`: of the request, which runs first under it. */
type Enqueuing = {
  readonly services: Services;
  readonly jobs: Jobs;
  readonly call: RequestCall;
  readonly key: HeldKey | null;
};

async function enqueue(by: Enqueuing, body: JsonObject): Promise<Answer> {
  if (isGiven(body["frames"])) return enqueueMany(by, body);
  const { services, jobs, call, key } = by;
  const { request: asked, admission } = readAdmitted(EnqueueRequest, withoutNull(body, "frames"), services.gateway);
  const replay = asked.replay_log ?? undefined;
  if (replay !== undefined) checkReplayLog(replay);
  const frame = asked.frame ?? {};
  const plan = await planRun(services, asked, admission, Object.keys(frame));
  return queueJob(services, jobs, wanted(services, call, asked, plan), JSON.stringify(frame), key);
}

/** The program is checked once for all frames: a name that one of them has may be a variable of any. */
async function enqueueMany({ services, jobs, call, key }: Enqueuing, body: JsonObject): Promise<Answer> {
  if (isGiven(body["frame"]))
    throw faults.invalidRequest([{ path: "", code: "exclusive", message: "give either frame or frames" }]);
  checkFrameCount(body, 1, services.config.batchMaxFrames);
  const { request: asked, admission } = readAdmitted(BulkEnqueueRequest, withoutNull(body, "frame"), services.gateway);
  const plan = await planRun(services, asked, admission, namesIn(asked.frames));
  const frames = asked.frames.map((frame) => JSON.stringify(frame));
  return queueJobs(services, jobs, wanted(services, call, asked, plan), frames, key);
}

/** The member that the other kind of request has is absent here when it is null. */
function withoutNull(body: JsonObject, name: "frame" | "frames"): JsonObject {
  if (body[name] !== null) return body;
  const { [name]: _absent, ...rest } = body;
  return rest;
}

/** What the jobs of a request share. */
function wanted(
  { config }: Services,
  { context, trace }: RequestCall,
  asked: EnqueueRequestMembers | BulkEnqueueRequestMembers,
  plan: RunPlan,
) {
  return {
    traceId: context.trace_id,
    label: writtenLabel(plan.entry),
    retry: asked.retry === true,
    keepMs: (asked.keep_s ?? config.jobs.resultTtlS) * 1000,
    retryOf: null,
    warnings: [...new Set([...plan.warnings, ...plan.prepared.warnings])],
    ...jobWork(asked, plan, trace),
  };
}
