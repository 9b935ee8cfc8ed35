/** What every request for work has in common: its Idempotency-Key, and that a refusal is logged and kept like any answer. */
import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../../compiler/json.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { Services } from "../services.ts";
import { logRefusal } from "../telemetry/log-refusal.ts";
import type { Answer } from "../wire/answer.ts";
import { faultAnswer } from "../wire/answers.ts";
import { ServiceFault } from "../wire/errors.ts";
import { answerOnce } from "./answer-once.ts";
import { bodyHash } from "./exact-body.ts";
import type { HeldKey } from "./idempotency-store.ts";

export type WorkRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly call: RequestCall;
};

/**
 * `make` rejects with ServiceFault for a refusal; `key`: of this request, which runs first under it. `path`: what a key holds for, in one
 * spelling. That of the request may differ each time: escaped, with a host, with a fragment.
 */
export async function answerWork(
  services: Services,
  request: WorkRequest,
  make: (key: HeldKey | null) => Promise<Answer>,
  path = request.call.route,
): Promise<Answer> {
  const { headers, body, call } = request;
  const key = headers["idempotency-key"];
  if (key === undefined) return make(null);
  const { idempotency, unsent, clock } = services;
  return answerOnce(
    idempotency,
    (fetch) => unsent.inTurn(fetch, call.caller),
    {
      method: call.method,
      path,
      key,
      bodyHash: () => bodyHash(body as JsonObject, clock),
      traceId: call.context.trace_id,
    },
    (claimed) => orRefusal(services, request, () => make(claimed)),
  );
}

/** A refusal is an answer too, and kept as such. */
async function orRefusal(
  services: Services,
  { headers, call }: WorkRequest,
  make: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await make();
  } catch (cause) {
    if (!(cause instanceof ServiceFault)) throw cause;
    logRefusal(services, call.context, call.receivedAt, cause);
    return faultAnswer(cause, call.context.trace_id, headers);
  }
}
