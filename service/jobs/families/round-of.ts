/** What the next round of a job begins with (`job.again`): the same work with other inputs, checked as those of a request are. */
import type { JsonObject } from "../../../compiler/json.ts";
import { jsonOf } from "../../../vm/inputs/exact-text.ts";
import type { BudgetUse } from "../../../vm/usage.ts";
import type { DeploymentSettings } from "../../programs/deployment-settings.ts";
import { withDefaults } from "../../programs/run-program.ts";
import { checkedFrame } from "../../run/frame-check.ts";
import type { RunPlan } from "../../run/plan.ts";
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { ClaimedJob } from "../job.ts";
import { searchedIn } from "../job-search.ts";
import { changedRequest, type ReadJob } from "../run/job-request.ts";
import type { NextRound } from "./families.ts";
import { afterRound } from "./shared-budget.ts";

type Present = { readonly job: ClaimedJob; readonly read: Pick<ReadJob, "kept">; readonly plan: RunPlan };

/** Rejects with ServiceFault. */
export async function roundOf(
  services: Pick<Services, "programs" | "config" | "freshId">,
  { job, read, plan }: Present,
  inputs: JsonObject,
  used: BudgetUse,
): Promise<NextRound> {
  const settings = await settingsOf(services, job);
  const { frame: defaults = {}, strict, search = [], again_lifetime, lifetime_s } = settings;
  const given = withDefaults(defaults, inputs);
  checkedFrame(plan, { strict }, given);
  const frame = jsonOf(given);
  const asked = read.kept.asked["lifetime_s"];
  const seconds = typeof asked === "number" ? asked : (lifetime_s ?? services.config.jobs.durableLifetimeS);
  const { asked: before, share } = read.kept;
  const request = share === undefined ? null : changedRequest(job.request, afterRound({ asked: before, share }, used));
  const lifetimeMs = again_lifetime === true ? seconds * 1000 : null;
  return { frame, request, search: searchedIn([frame], search), traceId: services.freshId(), lifetimeMs };
}

/** Of the version that the job runs; none where that is gone, or the program came with its request. */
async function settingsOf(
  { programs }: Pick<Services, "programs">,
  { deployment, version }: Pick<ClaimedJob, "deployment" | "version">,
): Promise<DeploymentSettings> {
  if (programs === null || deployment === null || version === null) return {};
  try {
    return (await programs.version(deployment, version)).settings;
  } catch (cause) {
    if (cause instanceof ServiceFault && cause.error === "program_not_found") return {};
    throw cause;
  }
}
