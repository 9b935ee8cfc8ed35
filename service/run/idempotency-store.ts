import type { TextAnswer } from "../wire/answer.ts";

/** An answer as it was sent. */
export type StoredAnswer = TextAnswer & { readonly traceId: string };

/** An answer as a claim returns it. `body` null: it is large and must be fetched separately. */
export type KeptAnswer = Omit<StoredAnswer, "body"> & { readonly body: string | null };

/** Method and path, and the caller's key. */
export type KeyOfRequest = { readonly scope: string; readonly key: string };

/** A key under which a request runs first, told by the trace of that request. */
export type HeldKey = KeyOfRequest & { readonly traceId: string };

type Claim =
  /** This request runs. Exactly one of the two ends the claim. */
  | { readonly state: "first"; finish(answer: TextAnswer): Promise<void>; release(): Promise<void> }
  | { readonly state: "running" }
  | { readonly state: "finished"; readonly answer: KeptAnswer }
  | { readonly state: "other_body" };

export interface IdempotencyStore {
  /**
   * Atomic: of two claims of one key exactly one is first. `bodyHash`: of the canonical JSON of the body; `traceId`: of the
   * request.
   */
  claim(of: KeyOfRequest, bodyHash: string, traceId: string): Promise<Claim>;
  /** The body of an answer of any size; null when it does not exist or has expired. */
  body(of: KeyOfRequest): Promise<string | null>;
}
