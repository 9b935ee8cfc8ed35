/** What every request for work has in common: its body, its Idempotency-Key, and that a refusal is told and kept like any answer. */
import type { FastifyRequest } from "fastify";
import type { JsonObject } from "../compiler/json.ts";
import { type Answer, faultAnswer } from "./answers.ts";
import { ServiceFault } from "./errors.ts";
import type { KeyOfRequest } from "./idempotency.ts";
import { answerOnce } from "./idempotent.ts";
import { readJsonBody } from "./json-body.ts";
import { logRefusal } from "./refusals.ts";
import type { Services } from "./services.ts";

/** `make` may throw ServiceFault. `key`: of this request, which runs first under it. */
export async function answerWork(
  services: Services,
  request: FastifyRequest,
  make: (body: JsonObject, key: KeyOfRequest | null) => Promise<Answer>,
): Promise<Answer> {
  const body = await readJsonBody(services, request);
  const { headers, call, method } = request;
  const traceId = call.context.trace_id;
  const answerFor = async (claimed: KeyOfRequest | null): Promise<Answer> => {
    try {
      return await make(body, claimed);
    } catch (cause) {
      if (!(cause instanceof ServiceFault)) throw cause;
      logRefusal(services, call.context, call.receivedAt, cause);
      return faultAnswer(cause, traceId, headers);
    }
  };
  const key = headers["idempotency-key"];
  if (key === undefined) return answerFor(null);
  const path = request.url.split("?")[0] ?? "";
  return answerOnce(services.idempotency, { method, path, key, body, traceId }, answerFor);
}
