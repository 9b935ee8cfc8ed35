/** POST /run: compile or read, check, execute, answer (docs/http.md, POST /run). */
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import { type Answer, runAnswer } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { type AtOnce, lastly, whenThere } from "../at-once.ts";
import { single } from "../call.ts";
import { faults } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { executeRun } from "../execute.ts";
import { checkReplayLog, planRun, type RunInputs } from "../run-plan.ts";
import { readAdmitted } from "../run-request.ts";
import type { RunSlot } from "../run-slots.ts";
import { ErrorBody } from "../schemas/common.ts";
import { RunHeaders } from "../schemas/headers.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import { RunRequest, RunSuccess } from "../schemas/run.ts";
import type { Services } from "../services.ts";
import { routed, type WorkRoute } from "../shortcuts.ts";
import { answerWork } from "../work.ts";

export function runRoute(app: ServiceApp, services: Services): void {
  const answer: WorkRoute = (exchange) => answerWork(services, exchange, (body) => run(services, exchange, body));
  app.shortcuts.add("/run", answer);
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
          "store_unavailable",
        ],
        { failures: true },
      ),
    },
    handler: routed(answer),
  });
}

function run(services: Services, { incoming: { headers }, call }: Exchange, body: JsonObject): AtOnce<Answer> {
  const startedAt = services.clock.now();
  const stays = outlivesCaller(headers);
  const { request: asked, admission } = readAdmitted(RunRequest, body, services.gateway);
  const replay = asked.replay_log ?? undefined;
  if (replay !== undefined) checkReplayLog(replay);
  const caller = stays ? undefined : call.caller;
  const frame = (asked.frame ?? {}) as JsonObject;
  const inputs: RunInputs = { frame, replay, artifactId: asked.replay_artifact_id ?? undefined };
  const { trace, context } = call;
  const runIn = (slot: RunSlot): AtOnce<Answer> =>
    lastly(
      () => {
        const plan = planRun(services, asked, admission, Object.keys(frame));
        const scope = { trace, context, signal: slot.signal, startedAt };
        const ran = whenThere(plan, (known) => executeRun(services, known, inputs, scope));
        return whenThere(ran, (answered) => runAnswer(answered, headers));
      },
      () => slot.leave(),
    );
  return whenThere(services.slots.tryEnter(caller) ?? services.slots.enter(caller), runIn);
}

/** Whether the run goes on when its caller goes away. A misspelt word would cancel what was to be kept: throws ServiceFault. */
function outlivesCaller(headers: IncomingHttpHeaders): boolean {
  const word = single(headers["wf-on-disconnect"])?.toLowerCase() ?? "cancel";
  if (word === "continue" || word === "cancel") return word === "continue";
  const message = "WF-On-Disconnect must be continue or cancel";
  throw faults.invalidRequest([{ path: "", code: "value", message }], "headers");
}
