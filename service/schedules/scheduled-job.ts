/** The job of a due time: planned as POST /enqueue plans a request for the deployment, with the label and frame of the schedule. */

import { inputsByRun } from "../../compiler/ir/frame-inputs.ts";
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { jsonOf, keepComposed, memberTexts } from "../../vm/inputs/exact-text.ts";
import { inputWarnings, isBatch, isGathered } from "../jobs/flow/gathered.ts";
import { ITEMS } from "../jobs/flow/gathered-text.ts";
import type { Submission } from "../jobs/job.ts";
import { jobId } from "../jobs/job-id.ts";
import { searchedIn } from "../jobs/job-search.ts";
import { withFlow } from "../jobs/run/queue-job.ts";
import { sharedSubmission } from "../jobs/run/submission.ts";
import type { LoadedProgram } from "../programs/loaded-programs.ts";
import { deployedPlan, withDefaults } from "../programs/run-program.ts";
import { planRun, warnedPlan } from "../run/plan.ts";
import { readAdmitted } from "../run/read-request.ts";
import type { Services } from "../services.ts";
import { frameOf, type Schedule } from "./schedule.ts";

const NO_TRACE = { traceparent: () => "", tracestate: () => null };

/** `now`: by the clock of the jobs. Rejects with ServiceFault for what an enqueue would refuse. */
export async function scheduledJob(
  services: Services,
  program: LoadedProgram,
  { id, spec }: Pick<Schedule, "id" | "spec">,
  dueMs: number,
  now: number,
): Promise<Submission> {
  const asked = { ir: program.ir as unknown as JsonObject, label: spec.label };
  const { request, admission } = readAdmitted({ body: asked, fault: undefined }, services.gateway, program.within);
  const given = withDefaults(program.settings.frame ?? {}, frameOf(spec));
  const said = [spec.flow ?? {}, program.settings];
  const names = isBatch(said) ? [ITEMS] : Object.keys(given);
  const planned = deployedPlan(await planRun(services, request, admission, names), program);
  const frame = withTimes(program, planned.entry, given, id, dueMs);
  const gathered = isGathered(planned, said);
  const plan = warnedPlan(planned, inputWarnings(planned, { strict: program.settings.strict }, frame, { gathered }));
  const trace_id = services.freshId();
  const { searches, ...shared } = sharedSubmission(
    services,
    { context: { trace_id }, trace: NO_TRACE, user: null } as never,
    { label: spec.label, ...spec.flow },
    plan,
    program,
  );
  const about = { ...shared.about, schedule: id, dueMs };
  const job = { id: jobId(now, services.freshId()), traceId: trace_id, frame: jsonOf(frame) };
  const search = searchedIn([job.frame], searches);
  return withFlow({ ...shared, traceparent: null, about, queuedMs: now, bulk: false, jobs: [job], search });
}

/** `_due_at` and `_schedule` are there only where the program declares them. */
function withTimes(
  { ir }: LoadedProgram,
  entry: string | null,
  given: JsonObject,
  id: string,
  dueMs: number,
): JsonObject {
  const frame: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(given)) setMember(frame, name, value);
  for (const { name } of inputsByRun(ir)(entry)) {
    if (name === "_due_at") frame[name] = new Date(dueMs).toISOString();
    if (name === "_schedule") frame[name] = id;
  }
  keepComposed(frame, memberTexts(given));
  return frame;
}
