/** Deliveries that may come again: each is queued once, and a repeated one gets the id of its job. */
import { createHash } from "node:crypto";
import type { RequestCall } from "../../http/request-context.ts";
import { DELIVERIES } from "../../jobs/keys.ts";
import { inProgress } from "../../run/answer-once.ts";
import type { HeldKey } from "../../run/idempotency-store.ts";
import type { Services } from "../../services.ts";
import type { Answer } from "../../wire/answer.ts";
import { asText, jsonAnswer } from "../../wire/answers.ts";
import type { LoadedProgram } from "../loaded-programs.ts";
import { deliveryKey, type EndpointCall } from "./endpoint-request.ts";
import type { ReadyEndpoint } from "./program-api.ts";

/** Other keys are hashed: databases do not keep every text as it is. */
const PLAIN_KEY = /^[\x20-\x7e]{1,200}$/;

/** `queue`: ends the key in the transaction that queues the job. Rejects with ServiceFault. */
export async function answerDelivery(
  { idempotency }: Pick<Services, "idempotency">,
  program: LoadedProgram,
  { endpoint, settings }: ReadyEndpoint,
  asked: EndpointCall,
  call: RequestCall,
  queue: (key: HeldKey) => Promise<Answer>,
): Promise<Answer> {
  const written = deliveryKey(settings.dedupe ?? "", asked);
  const key = PLAIN_KEY.test(written)
    ? written
    : `sha256:${createHash("sha256").update(Buffer.from(written, "utf16le")).digest("hex")}`;
  const of = { scope: `${DELIVERIES}${endpoint.method} /app/${program.name}${endpoint.path}`, key };
  const claim = await idempotency.claim(of, "delivery", call.context.trace_id);
  switch (claim.state) {
    case "finished": {
      const body = claim.answer.body ?? (await idempotency.body(of));
      const job = body === null ? null : (JSON.parse(body) as { readonly job_id?: string }).job_id;
      if (typeof job !== "string") throw inProgress();
      const headers = { location: `/result/${job}` };
      return jsonAnswer(200, { ok: true, job_id: job, duplicate: true, trace_id: call.context.trace_id }, headers);
    }
    case "first":
      try {
        const answer = await queue({ ...of, traceId: call.context.trace_id });
        await claim.finish(asText(answer));
        return answer;
      } catch (cause) {
        await claim.release();
        throw cause;
      }
    default:
      throw inProgress();
  }
}
