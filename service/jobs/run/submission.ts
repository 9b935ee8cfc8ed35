/** What the jobs of a request share, by its plan. */

import { labelName } from "../../../compiler/ir/references.ts";
import type { RequestCall } from "../../http/request-context.ts";
import type { LoadedProgram } from "../../programs/loaded-programs.ts";
import type { RunPlan } from "../../run/plan.ts";
import type { BulkEnqueueRequestMembers, EnqueueRequestMembers } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { ABOUT_NOTHING } from "../../wire/about.ts";
import { durabilityOf } from "../durable/durability.ts";
import { flowOf, writtenFlow } from "../flow/flow-of.ts";
import { flowIn } from "../flow/members.ts";
import { keptFor } from "../retention/kept-times.ts";
import { jobWork } from "./job-request.ts";

/** `program`: the deployment that they run. */
export function sharedSubmission(
  services: Pick<Services, "config" | "durableJobs" | "gateway" | "freshId" | "clock">,
  { context, trace, user }: Pick<RequestCall, "context" | "trace" | "user">,
  asked: EnqueueRequestMembers | BulkEnqueueRequestMembers,
  plan: RunPlan,
  program: LoadedProgram | null,
) {
  const { config } = services;
  const now = services.clock.wall();
  const { durable, members, warnings } = durabilityOf(services, asked, program?.settings ?? {}, plan, now);
  const keepS = asked.keep_s ?? program?.settings.keep_s;
  const { ir } = plan.prepared;
  const flow = flowOf({
    program: program === null ? `checksum ${ir.checksum}` : `program ${program.name}`,
    layers: [flowIn(program?.settings ?? {}), writtenFlow(ir, plan.entry), flowIn(asked)],
    runAtMs: asked.run_at == null ? null : Date.parse(asked.run_at),
    ageMs: config.jobs.priorityAgeS * 1000,
  });
  return {
    durable,
    rules: flow,
    traceId: context.trace_id,
    label: labelName(plan.prepared.ir, plan.entry),
    retry: asked.retry === true,
    ...keptFor(config.jobs, program?.name ?? null, keepS),
    retryOf: null,
    about: { ...ABOUT_NOTHING, name: asked.name ?? null, tags: asked.tags ?? {} },
    deployment: program?.name ?? null,
    version: program?.version ?? null,
    searches: program?.settings.search ?? [],
    warnings: [...new Set([...plan.warnings, ...plan.prepared.warnings, ...warnings])],
    // A retry reads it from the request that is kept.
    ...jobWork(
      { ...asked, ...members, ...(keepS === undefined ? {} : { keep_s: keepS }) },
      plan,
      trace,
      program?.within,
      { submittedBy: user, flow },
    ),
  };
}
