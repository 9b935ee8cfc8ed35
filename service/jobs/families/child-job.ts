/** The job of a call of `job.start`: planned as POST /enqueue plans a request for the deployment, and allowed no more than the job that starts it. */
import { isObject, type JsonObject } from "../../../compiler/json.ts";
import type { CallerRequest } from "../../../vm/admission/caller-request.ts";
import type { Sharing } from "../../../vm/durable/families.ts";
import { jsonOf } from "../../../vm/inputs/exact-text.ts";
import { deployedPlan, withDefaults } from "../../programs/run-program.ts";
import { checkedFrame } from "../../run/frame-check.ts";
import { planRun, type RunPlan } from "../../run/plan.ts";
import { readAdmitted } from "../../run/read-request.ts";
import type { Services } from "../../services.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import { SIGNATURE_REFUSALS } from "../../wire/signature-refusals.ts";
import type { Submission } from "../job.ts";
import { jobId } from "../job-id.ts";
import { searchedIn } from "../job-search.ts";
import { changedRequest, type ReadJob } from "../run/job-request.ts";
import { withFlow } from "../run/queue-job.ts";
import { sharedSubmission } from "../run/submission.ts";
import { askedWithin, modelsLeft, sharedFrom } from "./shared-budget.ts";

const NOT_DURABLE = "its deployment says durable: false, and what it uses of a shared budget must survive its process";
const NO_TRACE = { traceparent: () => "", tracestate: () => null };

export type ChildWanted = {
  readonly program: string;
  readonly inputs: JsonObject;
  /** Id and request of the job that starts it. */
  readonly parent: string;
  readonly read: Pick<ReadJob, "kept">;
  readonly plan: RunPlan;
  /** It shares the budget of the job that starts it. */
  readonly share?: Sharing | undefined;
};

/** `now`: by the clock of the jobs. Rejects with ServiceFault for what an enqueue would refuse. */
export async function childJob(
  services: Services,
  { program: name, inputs, parent, read, plan: around, share }: ChildWanted,
  now: number,
): Promise<Submission> {
  const found = await services.programs?.current(name);
  if (found === undefined) throw new ServiceFault("program_not_found", "this service keeps no programs");
  if (!found.enabled) throw new ServiceFault("policy_violation", `the program ${name} is disabled`);
  const within: CallerRequest = { ...found.program.within, around: allowedTo(read) };
  const program = { ...found.program, within };
  const { settings, ir } = program;
  const own = {
    ir: ir as unknown as JsonObject,
    label: settings.label,
    // A family survives its process as a whole, unless a program says that it does not.
    durable: settings.durable ?? true,
  };
  if (share !== undefined && !own.durable) throw new ServiceFault("not_durable", NOT_DURABLE);
  const admitted = <Asked extends typeof own>(body: Asked) =>
    readAdmitted({ body, fault: undefined }, services.gateway, within);
  // It may ask models only where both may.
  const asksModels = share !== undefined && admitted(own).admission.enabled.includes("llm");
  const models = asksModels ? modelsLeft(around.prepared, share.llm) : null;
  const asked = share === undefined ? own : { ...own, ...askedWithin(share.left, models) };
  const { request, admission } = admitted(asked);
  const given = withDefaults(settings.frame ?? {}, inputs);
  const planned = deployedPlan(await planRun(services, request, admission, Object.keys(given)), program);
  const plan = checkedFrame(planned, { strict: settings.strict }, given);
  const trace_id = services.freshId();
  const call = { context: { trace_id }, trace: NO_TRACE, user: read.kept.submittedBy ?? null };
  const { searches, ...common } = sharedSubmission(services, call as never, asked, plan, program);
  const shared =
    share === undefined
      ? common
      : { ...common, request: changedRequest(common.request, { share: sharedFrom(plan.prepared) }) };
  const about = { ...shared.about, parent };
  const job = { id: jobId(now, services.freshId()), traceId: trace_id, frame: jsonOf(given) };
  const search = searchedIn([job.frame], searches);
  return withFlow({ ...shared, traceparent: null, about, queuedMs: now, bulk: false, jobs: [job], search });
}

/** What a job may do: by its own request, its deployment's, and those of the jobs that started it. */
function allowedTo({ kept: { asked, within } }: Pick<ReadJob, "kept">): CallerRequest {
  const { allowed_adapters, policy, adapters } = asked;
  const own: CallerRequest = { allowed_adapters, policy, adapters };
  if (within === undefined) return own;
  // A request narrows its deployment, which alone says what is enabled.
  const { enable } = isObject(within.adapters) ? within.adapters : { enable: undefined };
  const settings = isObject(adapters) ? adapters : {};
  return { ...own, adapters: enable === undefined ? without(settings) : { ...settings, enable }, around: within };
}

function without({ enable: _, ...settings }: JsonObject): JsonObject {
  return settings;
}

/** As an adapter reports what was refused. Throws what is not a refusal. */
export function refusalOf(
  thrown: unknown,
  what = "the job was not started",
): {
  readonly code: string;
  readonly message: string;
  readonly later: boolean;
} {
  if (!(thrown instanceof ServiceFault)) throw thrown;
  const { error } = thrown;
  const message = `${what}: ${thrown.message}`;
  const { message: internal } = faults.internal();
  if (error === "internal_error") return { code: "ADAPTER_FAILED", message: internal, later: false };
  return { code: CODES[error] ?? "ADAPTER_BAD_ARGS", message, later: LATER.includes(error) };
}

const CODES: Readonly<Record<string, string>> = {
  program_not_found: "ADAPTER_NOT_FOUND",
  policy_violation: "ADAPTER_NOT_ALLOWED",
  ...Object.fromEntries(SIGNATURE_REFUSALS.map((error) => [error, "ADAPTER_NOT_ALLOWED"])),
  adapter_config_error: "ADAPTER_NOT_ALLOWED",
  adapter_not_available: "ADAPTER_NOT_ALLOWED",
  not_durable: "ADAPTER_NOT_CONFIGURED",
  store_unavailable: "ADAPTER_UNAVAILABLE",
  draining: "ADAPTER_UNAVAILABLE",
};
const LATER: readonly string[] = ["store_unavailable", "draining"];
