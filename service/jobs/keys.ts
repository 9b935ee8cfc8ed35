/** Idempotency keys on a store that may be away: an answer that was made is given, and told to the store as soon as it listens. */
import type { Clock } from "../../vm/run.ts";
import type { Answer } from "../answers.ts";
import type { HeldKey, IdempotencyStore, KeptAnswer, KeyOfRequest } from "../idempotency.ts";
import { untilDone } from "./until-done.ts";

/** A request with a key, as a store is told of it. */
export type KeyClaim = KeyOfRequest & {
  readonly bodyHash: string;
  readonly traceId: string;
  readonly owner: string;
  readonly now: number;
  readonly keepMs: number;
};

export type KeyState =
  | { readonly state: "first" | "running" | "other_body" }
  | { readonly state: "finished"; readonly answer: KeptAnswer };

/**
 * What a key means whose process is gone. A run may have had effects, so it is not made again; a job was queued together with the end
 * of its key, so without that end there is no job, and the request is the first again.
 */
export function mayHaveActed({ scope }: KeyOfRequest): boolean {
  return scope === "POST /run";
}

export interface KeyRows {
  claim(of: KeyOfRequest, bodyHash: string, traceId: string): Promise<KeyState>;
  /** Nothing happens when the key is finished already, or another request's by now. */
  finish(held: HeldKey, answer: Answer): Promise<void>;
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
