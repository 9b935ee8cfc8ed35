/** One request to an endpoint of a deployment: verified, read, run or queued, answered (docs/programs.md). */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { labelName } from "../../../compiler/ir/references.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { heldOutText, jsonOf } from "../../../vm/inputs/exact-text.ts";
import type { RequestCall } from "../../http/request-context.ts";
import { inputWarnings } from "../../jobs/flow/gathered.ts";
import { flowIn } from "../../jobs/flow/members.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { queueJob } from "../../jobs/run/queue-job.ts";
import { sharedSubmission } from "../../jobs/run/submission.ts";
import { answerWork } from "../../run/answer-work.ts";
import { copyNumbers } from "../../run/exact-body.ts";
import { executeRun } from "../../run/execute.ts";
import type { HeldKey } from "../../run/idempotency-store.ts";
import { outlivesCaller } from "../../run/outlives-caller.ts";
import { planRun, type RunPlan, warnedPlan } from "../../run/plan.ts";
import { readAdmitted } from "../../run/read-request.ts";
import type { Services } from "../../services.ts";
import type { Answer } from "../../wire/answer.ts";
import { JSON_HEADERS, runAnswer } from "../../wire/answers.ts";
import { jsonInTurns } from "../../wire/long-answers.ts";
import type { LoadedProgram } from "../loaded-programs.ts";
import { deployedPlan, withDefaults } from "../run-program.ts";
import { challengeAnswer } from "./challenges.ts";
import { answerDelivery } from "./deliveries.ts";
import { type EndpointCall, frameOf } from "./endpoint-request.ts";
import { inputReading } from "./endpoint-types.ts";
import type { ReadyEndpoint } from "./program-api.ts";
import { readEndpointBody } from "./read-body.ts";
import { checkResponse } from "./response-type.ts";

export type EndpointRequest = {
  readonly services: Services;
  readonly jobs: Jobs;
  readonly program: LoadedProgram;
  readonly endpoint: ReadyEndpoint;
  /** `written`: the query as it was sent. */
  readonly asked: Omit<EndpointCall, "body" | "fields" | "headers"> & { readonly written: string };
  readonly headers: IncomingHttpHeaders;
  readonly raw: IncomingMessage;
  /** With the context of the program. */
  readonly call: RequestCall;
  /** Called when a run at once ended, and not when its caller gave it up. */
  readonly ended: (failed: boolean) => void;
};

/** Rejects with ServiceFault. */
export async function answerEndpoint(request: EndpointRequest): Promise<Answer> {
  const { services, program, endpoint, asked, headers, raw, call } = request;
  const { settings } = endpoint;
  const { value: body, fields } = await readEndpointBody({
    services,
    settings,
    program: program.name,
    asked,
    headers,
    raw,
    call,
  });
  const challenged = challengeAnswer(settings.challenge, headers, body);
  if (challenged !== null) {
    services.events.note("info", "challenge_answered", { kind: settings.challenge?.kind ?? "" }, call.context);
    return challenged;
  }
  const read: EndpointCall = { ...asked, headers, body, fields };
  const given = frameOf(endpoint, read, inputReading(program.ir, endpoint.endpoint.label));
  if (typeof body === "object" && body !== null) copyNumbers(body, given);
  const { frame: defaults } = program.settings;
  const frame = defaults === undefined ? given : withDefaults(defaults, given);
  const { mode = "run", dedupe } = settings;
  if (mode === "run") {
    const path = `/app/${program.name}${asked.path}`;
    return answerWork(services, { headers, body: given, call }, (key) => run(request, frame, key !== null), path);
  }
  if (dedupe !== undefined)
    return answerDelivery(services, program, endpoint, read, call, (key) => queue(request, frame, key));
  const path = `job /app/${program.name}${asked.path}`;
  return answerWork(services, { headers, body: given, call }, (key) => queue(request, frame, key), path);
}

async function run(request: EndpointRequest, frame: JsonObject, isKept: boolean): Promise<Answer> {
  const { services, endpoint, headers, call } = request;
  const startedAt = services.clock.now();
  const stays = outlivesCaller(headers);
  const slot = await services.slots.enter(stays ? undefined : call.caller, stays ? "detached" : "caller");
  try {
    const plan = await planned(request, frame);
    const { trace, context } = call;
    const body = await executeRun(services, plan, { frame }, { trace, context, signal: slot.signal, startedAt });
    if (!body.ok) {
      if (body.error !== "cancelled") request.ended(true);
      return runAnswer(body, { ...headers, prefer: "failure-status" });
    }
    try {
      checkResponse(services, request.program.ir, endpoint, body.out, context);
    } catch (cause) {
      request.ended(true);
      throw cause;
    }
    request.ended(false);
    const out = heldOutText(body) ?? (await jsonInTurns(body.out ?? null, { clock: services.clock, call, isKept }));
    return { status: 200, headers: JSON_HEADERS, body: `${out}\n` };
  } finally {
    slot.leave();
  }
}

async function queue(request: EndpointRequest, frame: JsonObject, key: HeldKey | null): Promise<Answer> {
  const { services, jobs, program, call } = request;
  const plan = await planned(request, frame);
  const asked = { label: labelName(plan.prepared.ir, plan.entry), ...flowIn(request.endpoint.settings) };
  const shared = sharedSubmission(services, call, asked, plan, program);
  return queueJob(services, jobs, shared, { frame: jsonOf(frame) }, key);
}

/** Inputs are checked like those of any run; problems point to the members of a body. */
async function planned({ services, program, endpoint }: EndpointRequest, frame: JsonObject): Promise<RunPlan> {
  const asked = { ir: program.ir as unknown as JsonObject, label: labelName(program.ir, endpoint.endpoint.label) };
  const { request, admission } = readAdmitted({ body: asked, fault: undefined }, services.gateway, program.within);
  const plan = deployedPlan(await planRun(services, request, admission, null), program);
  const checks = { gathered: endpoint.isGathered, root: "" };
  return warnedPlan(plan, inputWarnings(plan, { strict: program.settings.strict }, frame, checks));
}
