/** POST /run: compile or read, check, execute, answer (docs/http.md, POST /run). */
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { ServiceApp } from "../http/service-app.ts";
import type { LoadedProgram } from "../programs/loaded-programs.ts";
import { deployedPlan, programContext, resolved } from "../programs/run-program.ts";
import { answerWork } from "../run/answer-work.ts";
import { precisionWarnings } from "../run/exact-body.ts";
import { executeRun } from "../run/execute.ts";
import { checkedFrame } from "../run/frame-check.ts";
import { outlivesCaller } from "../run/outlives-caller.ts";
import { checkReplayLog, planRun, warnedPlan } from "../run/plan.ts";
import { readAdmitted, type ValidatedBody } from "../run/read-request.ts";
import type { RecentRun } from "../run/recent-runs.ts";
import { RunRequest, RunSuccess } from "../schemas/run.ts";
import type { Services } from "../services.ts";
import type { Answer } from "../wire/answer.ts";
import { runAnswer, send } from "../wire/answers.ts";
import { ErrorBody } from "../wire/common.ts";
import { RunHeaders } from "../wire/headers.ts";
import { writtenInTurns } from "../wire/long-answers.ts";
import { refusalsOfPrograms, responses } from "../wire/responses.ts";
import type { RunBody } from "../wire/run-body.ts";

export function runRoute(app: ServiceApp, services: Services): void {
  app.route({
    method: "POST",
    url: "/run",
    config: { work: true },
    schema: {
      operationId: "run",
      summary: "Compiles, checks and runs a program",
      headers: RunHeaders,
      body: RunRequest,
      response: responses(
        { 200: z.union([RunSuccess, ErrorBody]) },
        [
          ...refusalsOfPrograms,
          "idempotency_in_progress",
          "idempotency_key_reused",
          "replay_log_invalid",
          "program_not_found",
          "store_unavailable",
        ],
        { failures: true },
      ),
    },
    handler: async (request, reply) => {
      const { body, validationError: fault, headers, call } = request;
      const answer = await answerWork(services, request, (key) =>
        run(services, { body, fault }, headers, call, key !== null),
      );
      return send(reply, answer);
    },
  });
}

async function run(
  services: Services,
  asked: ValidatedBody<z.output<typeof RunRequest>>,
  headers: IncomingHttpHeaders,
  call: RequestCall,
  isKept: boolean,
): Promise<Answer> {
  const { clock } = services;
  const startedAt = clock.now();
  const stays = outlivesCaller(headers);
  const { asked: whole, program } = await resolved(services, asked);
  const { request, admission } = readAdmitted(whole, services.gateway, program?.within);
  const precision = precisionWarnings(asked.body, request);
  const replay = request.replay_log ?? undefined;
  if (replay !== undefined) checkReplayLog(replay);
  const frame = (request.frame ?? {}) as JsonObject;
  const slot = await services.slots.enter(stays ? undefined : call.caller, stays ? "detached" : "caller");
  try {
    const planned = deployedPlan(await planRun(services, request, admission, Object.keys(frame)), program);
    const plan = checkedFrame(warnedPlan(planned, precision), request, frame);
    const inputs = { frame, replay, artifactId: request.replay_artifact_id ?? undefined };
    const { trace } = call;
    const context = programContext(call.context, program);
    const body = await executeRun(services, plan, inputs, { trace, context, signal: slot.signal, startedAt });
    services.recentRuns.add(recentRun(body, request, clock.wall(), program));
    return await writtenInTurns(runAnswer(body, headers), body.ok ? body.out : undefined, { clock, call, isKept });
  } finally {
    slot.leave();
  }
}

/** In one literal: putting it together from parts took a fiftieth of a request. */
function recentRun(
  body: RunBody,
  { name, tags }: Pick<z.output<typeof RunRequest>, "name" | "tags">,
  ended_ms: number,
  program: LoadedProgram | null,
): RecentRun {
  return {
    trace_id: body.trace_id,
    ok: body.ok,
    error: body.ok ? undefined : body.error,
    program: program?.name,
    version: program?.version,
    name: name ?? undefined,
    tags: tags ?? undefined,
    label: body.label,
    checksum: body.stats.checksum,
    ended_ms,
    duration_ms: body.duration_ms,
    usage: body.usage,
  };
}
