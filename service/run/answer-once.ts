/** Answering a request once per Idempotency-Key (docs/http.md, POST /run), with any store. */

import { isStorable, STORABLE } from "../../vm/values/storable-text.ts";
import type { Answer, TextAnswer } from "../wire/answer.ts";
import { asText } from "../wire/answers.ts";
import { faults, later, ServiceFault } from "../wire/errors.ts";
import type { HeldKey, IdempotencyStore, KeyOfRequest } from "./idempotency-store.ts";

const KEY = /^[\x20-\x7e]{1,255}$/;
/** Answers that say "later": their causes are outside the request. */
const LATER: readonly number[] = [408, 409, 429];

/** Answers to causes outside the request are not kept: it may succeed the next time. 504 is a run that was made. */
function isKept(status: number): boolean {
  return status === 504 || (status < 500 && !LATER.includes(status));
}

export type KeyedRequest = {
  readonly method: string;
  readonly path: string;
  readonly key: string | string[];
  /** The hash of its body (`exact-body.ts`). */
  readonly bodyHash: () => Promise<string>;
  readonly traceId: string;
};

/**
 * `make` gives every answer of the request, refusals included; it throws defects only. It receives the key, for a store that ends it.
 * `fetched`: when a large answer may be fetched.
 */
export async function answerOnce(
  store: IdempotencyStore,
  fetched: <T>(fetch: () => Promise<T>) => Promise<T>,
  { method, path, key, bodyHash, traceId }: KeyedRequest,
  make: (key: HeldKey) => Promise<Answer>,
): Promise<Answer> {
  if (typeof key !== "string" || !KEY.test(key))
    throw faults.invalidRequest(
      [{ path: "", code: "idempotency_key", message: "Idempotency-Key must be 1 to 255 printable ASCII characters" }],
      "headers",
    );
  if (!isStorable(path)) throw faults.invalidRequest([{ path: "", code: "format", message: STORABLE }], "path");
  const of: KeyOfRequest = { scope: `${method} ${path}`, key };
  const claim = await store.claim(of, await bodyHash(), traceId);
  switch (claim.state) {
    case "running":
      throw inProgress();
    case "other_body":
      throw new ServiceFault("idempotency_key_reused", "this Idempotency-Key belongs to a request with another body");
    case "finished": {
      const { answer } = claim;
      const body = answer.body ?? (await fetched(() => store.body(of)));
      // It was forgotten just now: the next request is the first again.
      if (body === null) throw inProgress();
      const headers = { ...answer.headers, "x-trace-id": answer.traceId, "idempotent-replayed": "true" };
      return { status: answer.status, headers, body };
    }
    case "first": {
      let answer: TextAnswer;
      try {
        answer = asText(await make({ ...of, traceId }));
      } catch (cause) {
        await claim.release();
        throw cause;
      }
      if (isKept(answer.status)) await claim.finish(answer);
      else await claim.release();
      return answer;
    }
  }
}

export function inProgress(): ServiceFault {
  return later("idempotency_in_progress", "the first request with this Idempotency-Key is still running", 1);
}
