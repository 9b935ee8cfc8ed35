/** The job of an event: planned as POST /enqueue plans a request for the deployment, with the function that hears of the event. */
import { admitsEvent, isEventName } from "../../compiler/events.ts";
import { labelName } from "../../compiler/ir/references.ts";
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { type Admission, passes } from "../../vm/admission/admit.ts";
import { constraintsOf } from "../../vm/grant/normalize-grant.ts";
import { jsonOf, readExactly } from "../../vm/inputs/exact-text.ts";
import { readFlow } from "../jobs/flow/flow-of.ts";
import { inputWarnings, isBatch, isGathered } from "../jobs/flow/gathered.ts";
import { ITEMS } from "../jobs/flow/gathered-text.ts";
import { type FlowMembers, flowIn } from "../jobs/flow/members.ts";
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
import { ServiceFault } from "../wire/errors.ts";
import type { DueEvent } from "./event.ts";
import type { Subscription } from "./subscriptions.ts";

const NO_TRACE = { traceparent: () => "", tracestate: () => null };

/** What a function is given of an event. `key`: as the function names it. */
function eventDocument({ id, name, data, atMs }: DueEvent, key: string | null): JsonObject {
  return { id, name, data: readExactly(data), key, at: new Date(atMs).toISOString() };
}

/** `now`: by the clock of the jobs. Rejects with ServiceFault for what an enqueue would refuse. */
export async function eventJob(
  services: Services,
  program: LoadedProgram,
  subscription: Subscription,
  event: DueEvent,
  { key, now }: { readonly key: string | null; readonly now: number },
): Promise<Submission> {
  const { ir, settings, within } = program;
  const label = labelName(ir, subscription.label);
  const flow = rulesOf(subscription);
  // What an event began is to be finished, unless the deployment says that it need not.
  const durable = settings.durable ?? (services.durableJobs || undefined);
  const asked = { ir: ir as unknown as JsonObject, label, durable };
  const { request, admission } = readAdmitted({ body: asked, fault: undefined }, services.gateway, within);
  if (!acceptsEvent(admission, event.name))
    throw new ServiceFault("policy_violation", `the deployment does not accept the event ${event.name} (event.accept)`);
  const own: { [name: string]: Json } = {};
  setMember(own, subscription.parameter, eventDocument(event, key));
  const frame = withDefaults(settings.frame ?? {}, own);
  const said = [flow, settings];
  const names = isBatch(said) ? [ITEMS] : Object.keys(frame);
  const planned = deployedPlan(await planRun(services, request, admission, names), program);
  const gathered = isGathered(planned, said);
  const plan = warnedPlan(planned, inputWarnings(planned, { strict: settings.strict }, frame, { gathered }));
  const trace_id = services.freshId();
  const call = { context: { trace_id }, trace: NO_TRACE, user: null };
  const { searches, ...shared } = sharedSubmission(services, call as never, { label, durable, ...flow }, plan, program);
  const job = { id: jobId(now, services.freshId()), traceId: trace_id, frame: jsonOf(frame) };
  const search = searchedIn([job.frame], searches);
  return withFlow({ ...shared, traceparent: null, queuedMs: now, bulk: false, jobs: [job], search });
}

/** Jobs of one key run one after the other, unless the function says otherwise. Throws ServiceFault flow_invalid. */
export function rulesOf({ key, flow, line, parameter }: Subscription): FlowMembers {
  const written = flowIn(readFlow(flow, line, "@on"));
  if (key === null || written.concurrency != null) return written;
  return { ...written, concurrency: [{ limit: 1, key: `${parameter}.key`, scope: "program", hold: true }] };
}

/** Whether jobs under the admission may begin with events of this name, or wait for them. */
export function acceptsEvent(admission: Admission, name: string): boolean {
  return isEventName(name) && eventPatterns(admission, "accept").some((pattern) => admitsEvent(pattern, name));
}

/** Names of events, and patterns of such, that runs under the admission may emit, or hear of. */
export function eventPatterns(admission: Admission, what: "emit" | "accept"): readonly string[] {
  if (!admission.enabled.includes("event") || !passes(admission, "event")) return [];
  const patterns = constraintsOf(admission.grant, "event")[what];
  return Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string") : [];
}
