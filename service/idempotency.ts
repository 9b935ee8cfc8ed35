/**
 * Idempotency keys: the first request of a key runs, its answer is kept, and later ones get that answer. The store is an interface,
 * so that those who answer need not know where keys are kept: beside the jobs (`jobs/keys.ts`).
 */
import type { Answer } from "./answers.ts";

/** An answer as it was sent, so that a repetition is the same byte for byte. */
export type StoredAnswer = Answer & { readonly traceId: string };

/** As a claim tells of it. `body` null: it is large, and asked for by itself. */
export type KeptAnswer = Omit<StoredAnswer, "body"> & { readonly body: string | null };

/** Method and path, and the caller's key. */
export type KeyOfRequest = { readonly scope: string; readonly key: string };

/** A key under which a request runs first, told by the trace of that request. */
export type HeldKey = KeyOfRequest & { readonly traceId: string };

type Claim =
  /** This request runs. Exactly one of the two ends the claim. */
  | { readonly state: "first"; finish(answer: Answer): Promise<void>; release(): Promise<void> }
  | { readonly state: "running" }
  | { readonly state: "finished"; readonly answer: KeptAnswer }
  | { readonly state: "other_body" };

export interface IdempotencyStore {
  /**
   * Atomic: of two claims of one key exactly one is first. `bodyHash`: of the canonical JSON of the body; `traceId`: of the
   * request.
   */
  claim(of: KeyOfRequest, bodyHash: string, traceId: string): Promise<Claim>;
  /** The body of an answer, however large; null: there is no answer, or no longer. */
  body(of: KeyOfRequest): Promise<string | null>;
}
