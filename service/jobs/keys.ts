/** Idempotency keys on a store that may be away: an answer that was made is given, and told to the store as soon as it listens. */
import type { Clock } from "../../vm/run.ts";
import type { HeldKey, IdempotencyStore, KeptAnswer, KeyOfRequest } from "../run/idempotency-store.ts";
import type { TextAnswer } from "../wire/answer.ts";
import { DELIVERY_KEPT_MS, KEY_KEPT_MS } from "./retention/retention.ts";
import { untilDone } from "./run/until-done.ts";

/** A request with an Idempotency-Key, as a store receives it. */
export type KeyClaim = KeyOfRequest & {
  readonly bodyHash: string;
  readonly traceId: string;
  readonly owner: string;
  readonly now: number;
  readonly keepMs: number;
};

/** Scopes of deliveries begin with it. */
export const DELIVERIES = "delivery ";

export type KeyState =
  | { readonly state: "first" | "running" | "other_body" }
  | { readonly state: "finished"; readonly answer: KeptAnswer };

/**
 * The meaning of a key whose process died. A run may have had effects, so it is not repeated. A job is queued in the same transaction
 * as the end of its key; without that end the job does not exist, and the request counts as new.
 */
export function mayHaveActed({ scope }: KeyOfRequest): boolean {
  return scope === "POST /run" || /^[A-Z]+ \/app\//.test(scope);
}

/** How long a key is known, in milliseconds: senders repeat deliveries that are identified by their content for days. */
export function keyKeptMs({ scope }: KeyOfRequest): number {
  return scope.startsWith(DELIVERIES) ? DELIVERY_KEPT_MS : KEY_KEPT_MS;
}

export interface KeyRows {
  claim(of: KeyOfRequest, bodyHash: string, traceId: string): Promise<KeyState>;
  /** Nothing happens when the key is finished already, or another request's by now. */
  finish(held: HeldKey, answer: TextAnswer): Promise<void>;
  /** As `finish`. */
  release(held: HeldKey): Promise<void>;
  body: IdempotencyStore["body"];
}

/** What is not told after so long is not told: the key's process is gone before its answer expires. */
const GIVE_UP_MS = 60_000;

export function idempotencyOn(rows: KeyRows, clock: Pick<Clock, "wait">): IdempotencyStore {
  const persist = (act: () => Promise<void>): Promise<void> =>
    act().catch(() => {
      const givenUp = new AbortController();
      const stop = clock.wait(GIVE_UP_MS, () => givenUp.abort());
      void untilDone(act, (ms, then) => clock.wait(ms, then), givenUp.signal)
        .catch(() => {})
        .finally(stop);
    });
  return {
    async claim(of, bodyHash, traceId) {
      const claimed = await rows.claim(of, bodyHash, traceId);
      if (claimed.state === "finished") return claimed;
      if (claimed.state !== "first") return { state: claimed.state };
      const held = { ...of, traceId };
      return {
        state: "first",
        finish: (answer) => persist(() => rows.finish(held, answer)),
        release: () => persist(() => rows.release(held)),
      };
    },
    body: (of) => rows.body(of),
  };
}
