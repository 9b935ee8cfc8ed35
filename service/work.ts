/** What every request for work has in common: its body, its Idempotency-Key, and that a refusal is told and kept like any answer. */
import type { JsonObject } from "../compiler/json.ts";
import { type Answer, faultAnswer } from "./answers.ts";
import type { AtOnce } from "./at-once.ts";
import { ServiceFault } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { HeldKey } from "./idempotency.ts";
import { answerOnce } from "./idempotent.ts";
import { readJsonBody } from "./json-body.ts";
import { logRefusal } from "./refusals.ts";
import type { Services } from "./services.ts";

/** May throw, or reject with, ServiceFault. `key`: of this request, which runs first under it. */
export type MakeAnswer = (body: JsonObject, key: HeldKey | null) => AtOnce<Answer>;

export type WorkOptions = {
  /** What a key holds for, in one spelling. That of the request may differ each time: escaped, with a host, with a fragment. */
  readonly path?: string;
  /** Another way where a body may be left out. */
  readonly readBody?: typeof readJsonBody;
};

export async function answerWork(
  services: Services,
  exchange: Exchange,
  make: MakeAnswer,
  { path = exchange.call.route, readBody = readJsonBody }: WorkOptions = {},
): Promise<Answer> {
  const body = await readBody(services, exchange.incoming);
  const { method, headers } = exchange.incoming;
  const key = headers["idempotency-key"];
  if (key === undefined) return make(body, null);
  const traceId = exchange.call.context.trace_id;
  const { idempotency, unsent } = services;
  return answerOnce(
    idempotency,
    (fetch) => unsent.inTurn(fetch, exchange.call.caller),
    { method: method ?? "", path, key, body, traceId },
    (claimed) => orRefusal(services, exchange, () => make(body, claimed)),
  );
}

/** A refusal is an answer too, and kept as such. */
async function orRefusal(
  services: Services,
  { incoming, call }: Exchange,
  make: () => AtOnce<Answer>,
): Promise<Answer> {
  try {
    return await make();
  } catch (cause) {
    if (!(cause instanceof ServiceFault)) throw cause;
    logRefusal(services, call.context, call.receivedAt, cause);
    return faultAnswer(cause, call.context.trace_id, incoming.headers);
  }
}
