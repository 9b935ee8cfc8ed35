/** POST /enqueue: everything that POST /run checks before it runs, then the program waits as a job, or as one for each frame (docs/jobs.md). */
import * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import { copyText, jsonOf } from "../../vm/inputs/exact-text.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { inputWarnings, isBatch, isGathered } from "../jobs/flow/gathered.ts";
import { ITEMS } from "../jobs/flow/gathered-text.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { queueJob, queueJobs } from "../jobs/run/queue-job.ts";
import { sharedSubmission } from "../jobs/run/submission.ts";
import { deployedPlan, resolved } from "../programs/run-program.ts";
import { answerWork } from "../run/answer-work.ts";
import { copyNumbers, precisionWarnings } from "../run/exact-body.ts";
import { declaresInputs } from "../run/frame-check.ts";
import { checkFrameCount, namesIn } from "../run/frame-lists.ts";
import type { HeldKey } from "../run/idempotency-store.ts";
import { checkReplayLog, planRun, type RunPlan, warnedPlan } from "../run/plan.ts";
import { checked, isGiven, readAdmitted, type ValidatedBody, validatorOf } from "../run/read-request.ts";
import {
  BulkEnqueueRequest,
  type BulkEnqueueRequestMembers,
  EnqueueRequest,
  type EnqueueRequestMembers,
  JobAccepted,
  JobsAccepted,
} from "../schemas/jobs.ts";
import type { Services } from "../services.ts";
import type { Answer } from "../wire/answer.ts";
import { send } from "../wire/answers.ts";
import { faults } from "../wire/errors.ts";
import { KeyedHeaders } from "../wire/headers.ts";
import { refusalsOfPrograms, responses } from "../wire/responses.ts";

export function enqueueRoute(app: ServiceApp, services: Services, jobs: Jobs): void {
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
        "job_dropped",
        "job_exists",
        "flow_invalid",
        "flow_key_invalid",
        "program_not_found",
        "store_unavailable",
      ]),
    },
    validatorCompiler: ({ schema, httpPart }) =>
      httpPart === "body" ? readEither : validatorOf(schema as unknown as z.ZodType, httpPart),
    handler: async (request, reply) => {
      const { body, validationError: fault, call } = request;
      const make = (key: HeldKey | null) => enqueue({ services, jobs, call, key }, { body, fault });
      return send(reply, await answerWork(services, request, make));
    },
  });
}

/** A request for one job or for many, by the member that says which. The one that the other kind has is absent here when it is null. */
function readEither(data: unknown) {
  const body = data as JsonObject;
  return isGiven(body["frames"])
    ? checked(BulkEnqueueRequest, withoutNull(body, "frame"))
    : checked(EnqueueRequest, withoutNull(body, "frames"));
}

/** Who asks, and what takes the jobs. `key`: of the request, which runs first under it. */
type Enqueuing = {
  readonly services: Services;
  readonly jobs: Jobs;
  readonly call: RequestCall;
  readonly key: HeldKey | null;
};

type EnqueueBody = EnqueueRequestMembers | BulkEnqueueRequestMembers;

async function enqueue(by: Enqueuing, { body, fault }: ValidatedBody<EnqueueBody>): Promise<Answer> {
  if ("frames" in body && isGiven(body.frames)) return enqueueMany(by, { body, fault });
  const { services, jobs, call, key } = by;
  const { asked: whole, program } = await resolved<EnqueueRequestMembers>(services, { body, fault });
  const { request: asked, admission } = readAdmitted(whole, services.gateway, program?.within);
  const replay = asked.replay_log ?? undefined;
  if (replay !== undefined) checkReplayLog(replay);
  const frame = asked.frame ?? {};
  const precision = precisionWarnings(body, asked);
  const said = [asked, program?.settings ?? {}];
  const names = isBatch(said) ? [ITEMS] : Object.keys(frame);
  const planned = deployedPlan(await planRun(services, asked, admission, names), program);
  const gathered = isGathered(planned, said);
  const about = inputWarnings(planned, asked, frame as JsonObject, { gathered });
  const plan = warnedPlan(planned, [...precision, ...about]);
  return queueJob(
    services,
    jobs,
    sharedSubmission(services, call, asked, plan, program),
    { frame: jsonOf(frame) },
    key,
  );
}

/** The program is checked once for all frames: a name that one of them has may be a variable of any. */
async function enqueueMany(
  { services, jobs, call, key }: Enqueuing,
  { body, fault }: ValidatedBody<BulkEnqueueRequestMembers>,
): Promise<Answer> {
  if ("frame" in body && isGiven(body.frame))
    throw faults.invalidRequest([{ path: "", code: "exclusive", message: "give either frame or frames" }]);
  checkFrameCount(body.frames, 1, services.config.batchMaxFrames);
  const { asked: whole, program } = await resolved(services, { body, fault });
  const { request: asked, admission } = readAdmitted(whole, services.gateway, program?.within);
  const precision = precisionWarnings(body, asked);
  const said = [asked, program?.settings ?? {}];
  const names = isBatch(said) ? [ITEMS] : namesIn(asked.frames);
  const plan = deployedPlan(await planRun(services, asked, admission, names), program);
  const inputs = warningsOfFrames(plan, asked, isGathered(plan, said));
  const frames = asked.frames.map(jsonOf);
  const shared = sharedSubmission(services, call, asked, plan, program);
  // They belong to single frames, so they are reported with the request, not with every job.
  return queueJobs(services, jobs, { ...shared, warnings: [...precision, ...inputs, ...shared.warnings] }, frames, key);
}

/** Maximum number of warnings about inputs in one answer; a frame that is refused refuses all. */
const MAX_INPUT_WARNINGS = 20;

function warningsOfFrames(plan: RunPlan, asked: BulkEnqueueRequestMembers, gathered: boolean): readonly string[] {
  if (!declaresInputs(plan)) return [];
  const warnings: string[] = [];
  for (const [at, frame] of asked.frames.entries()) {
    const about = inputWarnings(plan, asked, frame as JsonObject, { gathered, root: `/frames/${at}` });
    warnings.push(...about.slice(0, MAX_INPUT_WARNINGS - warnings.length));
  }
  return warnings;
}

function withoutNull(body: JsonObject, name: "frame" | "frames"): JsonObject {
  if (body[name] !== null) return body;
  const { [name]: _absent, ...rest } = body;
  copyNumbers(body, rest);
  copyText(body, rest);
  return rest;
}
