/** POST /run: compile or read, check, execute, answer (docs/http.md, POST /run). */
import type { FastifyRequest } from "fastify";
import { type Answer, faultAnswer, runAnswer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { bodyKind, readBody } from "../body-stream.ts";
import { single } from "../call.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { ServiceFault } from "../errors.ts";
import { executeRun } from "../execute.ts";
import { answerOnce } from "../idempotent.ts";
import { readJsonObject } from "../json-body.ts";
import { checkReplayLog, planRun, type RunInputs } from "../run-plan.ts";
import { readAdmitted } from "../run-request.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import { RunRequest, RunSuccess } from "../schemas/run.ts";
import { ErrorBody } from "../schemas/common.ts";
import type { Services } from "../services.ts";
import * as z from "zod";

export const BODY_TIMEOUT_MS = 30_000;

export function runRoute(app: ServiceApp, services: Services): void {
  app.route({
    method: "POST",
    url: "/run",
    config: { work: true },
    schema: {
      operationId: "run",
      summary: "Compiles, checks and runs a program",
      body: RunRequest,
      response: responses(
        { 200: z.union([RunSuccess, ErrorBody]) },
        [...refusalsOfPrograms, "idempotency_in_progress", "idempotency_key_reused", "replay_log_invalid"],
        { failures: true },
      ),
    },
    handler: async (request, reply) => send(reply, await handle(services, request)),
  });
}

async function handle(services: Services, request: FastifyRequest): Promise<Answer> {
  const body = await readJsonBody(services, request);
  const { headers, call } = request;
  const keyed = {
    method: "POST",
    path: "/run",
    key: headers["idempotency-key"],
    body,
    traceId: call.context.trace_id,
  };
  return answerOnce(services.idempotency, keyed, async () => {
    try {
      return await run(services, request, body);
    } catch (cause) {
      if (!(cause instanceof ServiceFault)) throw cause;
      refused(services, request, cause);
      return faultAnswer(cause, call.context.trace_id, headers);
    }
  });
}

async function run(services: Services, request: FastifyRequest, body: JsonObject): Promise<Answer> {
  const { call, headers } = request;
  const startedAt = services.clock.now();
  const { request: asked, admission } = readAdmitted(RunRequest, body, services.gateway);
  const replay = asked.replay_log ?? undefined;
  if (replay !== undefined) checkReplayLog(replay);
  const stays = single(headers["wf-on-disconnect"])?.toLowerCase() === "continue";
  const slot = await services.slots.enter(stays ? undefined : call.caller);
  try {
    const frame = (asked.frame ?? {}) as JsonObject;
    const plan = await planRun(services, asked, admission, Object.keys(frame));
    const artifactId = asked.replay_artifact_id ?? undefined;
    const inputs: RunInputs = {
      frame,
      ...(replay === undefined ? {} : { replay }),
      ...(artifactId === undefined ? {} : { artifactId }),
    };
    const { trace, context } = call;
    const answered = await executeRun(services, plan, inputs, { trace, context, signal: slot.signal, startedAt });
    return runAnswer(answered, headers);
  } finally {
    slot.leave();
  }
}

/** The body of a request as one JSON object. Throws ServiceFault. */
export async function readJsonBody(services: Services, request: FastifyRequest): Promise<JsonObject> {
  if (bodyKind(request.headers) !== "json")
    throw new ServiceFault("unsupported_media_type", "send the body as application/json");
  const { maxBodyBytes } = services.config;
  const bounds = { maxBytes: maxBodyBytes, timeoutMs: BODY_TIMEOUT_MS, clock: services.clock };
  return readJsonObject(await readBody(request.raw, request.headers, bounds));
}

/** Tells log and figures of a program that was refused before it ran. */
export function refused(
  { events, metrics, clock }: Services,
  { call }: FastifyRequest,
  { error, message, members }: ServiceFault,
): void {
  // A defect ended a run that was counted when it ended.
  if (error === "internal_error") return;
  metrics.runRefused(error);
  const codes = (members.policy_errors ?? []).map(({ code }) => code);
  if (error === "policy_violation") {
    metrics.policyRejected(codes);
    events.policyRejected(call.context, codes);
    return;
  }
  events.runFailed(call.context, { error, message, duration_ms: Math.max(0, clock.now() - call.receivedAt) });
}
