/**
 * A retry with the version of the program that is current now: after a correction was deployed, or an older version made current. What the
 * caller asked for and the inputs stay those of the old job; everything else is that of a request that names the program today.
 */
import type { JsonObject } from "../../../compiler/json.ts";
import { isObject } from "../../../compiler/json.ts";
import { keepText } from "../../../vm/inputs/exact-text.ts";
import type { RequestCall } from "../../http/request-context.ts";
import { deployedPlan, resolved } from "../../programs/run-program.ts";
import { checkedFrame } from "../../run/frame-check.ts";
import type { HeldKey } from "../../run/idempotency-store.ts";
import { planRun } from "../../run/plan.ts";
import { checked, readAdmitted } from "../../run/read-request.ts";
import { EnqueueRequest, type EnqueueRequestMembers } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import type { FoundJob } from "../../state/store.ts";
import type { Answer } from "../../wire/answer.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { flowAgain } from "../flow/flow-of.ts";
import type { JobWork } from "../job.ts";
import type { Jobs } from "../jobs.ts";
import type { JobRequest } from "../run/job-request.ts";
import { queueJob } from "../run/queue-job.ts";
import { sharedSubmission } from "../run/submission.ts";

type Retried = {
  readonly source: FoundJob;
  readonly stored: JobWork;
  /** The deployment of the job. */
  readonly deployment: string;
  readonly call: RequestCall;
};

/** Queues the new job, which begins at the start. Rejects with ServiceFault. */
export async function retryCurrent(
  services: Services,
  jobs: Jobs,
  { source, stored, deployment, call }: Retried,
  key: HeldKey | null,
): Promise<Answer> {
  const now = await services.programs?.current(deployment);
  if (now === undefined) throw new ServiceFault("program_not_found", "this service keeps no programs");
  const kept = JSON.parse(stored.request) as JobRequest;
  const frame = frameOf(stored, kept);
  const body = { ...kept.asked, program: `${deployment}@${now.program.version}`, frame } as EnqueueRequestMembers;
  const read = checked(EnqueueRequest, body);
  const { asked: whole, program: current } = await resolved<EnqueueRequestMembers>(services, {
    body,
    fault: "error" in read ? read.error : undefined,
  });
  // What the jobs above it may do bounds it for as long as it lives.
  const around = kept.within?.around;
  const program =
    current === null || around === undefined ? current : { ...current, within: { ...current.within, around } };
  const { request: asked, admission } = readAdmitted(whole, services.gateway, program?.within);
  const planned = await planRun(services, asked, admission, Object.keys(frame));
  const plan = checkedFrame(deployedPlan(planned, program), asked, frame);
  const shared = sharedSubmission(services, call, asked, plan, program);
  const { about, id: retryOf } = source;
  const wanted = { ...shared, about, retryOf, rules: shared.rules === null ? null : flowAgain(shared.rules) };
  return queueJob(services, jobs, wanted, { frame: stored.frame ?? JSON.stringify(frame) }, key);
}

function frameOf({ frame }: Pick<JobWork, "frame">, { asked }: JobRequest): JsonObject {
  if (frame === null) return isObject(asked["frame"]) ? asked["frame"] : {};
  const first = JSON.parse(frame) as JsonObject;
  keepText(first, frame);
  return first;
}
