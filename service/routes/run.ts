/** POST /run: compile or read, check, execute, answer (docs/http.md, POST /run). */
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import { type Answer, runAnswer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { single } from "../call.ts";
import { executeRun } from "../execute.ts";
import { checkReplayLog, planRun, type RunInputs } from "../run-plan.ts";
import { readAdmitted } from "../run-request.ts";
import { ErrorBody } from "../schemas/common.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import { RunRequest, RunSuccess } from "../schemas/run.ts";
import type { Services } from "../services.ts";
import { answerWork } from "../work.ts";

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
        [
          ...refusalsOfPrograms,
          "idempotency_in_progress",
          "idempotency_key_reused",
          "replay_log_invalid",
          "store_unavailable",
        ],
        { failures: true },
      ),
    },
    handler: async (request, reply) => {
      send(reply, await answerWork(services, request, (body) => run(services, request, body)));
    },
  });
}

async function run(services: Services, request: FastifyRequest, body: JsonObject): Promise<Answer> {
  const { call, headers } = request;
  const startedAt = services.clock.now();
  const { request: asked, admission } = readAdmitted(RunRequest, body, services.gateway);
  const replay = asked.replay_log ?? undefined;
  if (replay !== undefined) checkReplayLog(replay);
  const stays = single(headers["wf-on-disconnect"])?.toLowerCase() === "continue";
  const caller = stays ? undefined : call.caller;
  const slot = services.slots.tryEnter(caller) ?? (await services.slots.enter(caller));
  try {
    const frame = (asked.frame ?? {}) as JsonObject;
    const known = planRun(services, asked, admission, Object.keys(frame));
    const plan = known instanceof Promise ? await known : known;
    const artifactId = asked.replay_artifact_id ?? undefined;
    const inputs: RunInputs = { frame, replay, artifactId };
    const { trace, context } = call;
    const answered = await executeRun(services, plan, inputs, { trace, context, signal: slot.signal, startedAt });
    return runAnswer(answered, headers);
  } finally {
    slot.leave();
  }
}
