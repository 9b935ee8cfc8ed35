/**
 * What the service and its helper process say to each other: JSON over the channel of `fork`, one request at a time. Both ends are built
 * from this file, so messages are trusted.
 */
import type { Json } from "../../../compiler/json.ts";
import type { SqlitePlace, TransactionMode } from "./sqlite.ts";

export type HelperAction =
  | { readonly kind: "call"; readonly operation: string; readonly input: Json }
  | { readonly kind: "begin"; readonly mode: TransactionMode }
  | { readonly kind: "commit" }
  | { readonly kind: "rollback" };
/** `busyMs`: how long a lock may be waited for. */
export type HelperRequest = { readonly id: number; readonly busyMs: number; readonly action: HelperAction };

export type HelperFailure = {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly data: Json;
  /** For the operator's log. */
  readonly cause: string | null;
};
export type HelperAnswer =
  | { readonly id: number; readonly ok: true; readonly result: Json }
  | { readonly id: number; readonly ok: false; readonly failure: HelperFailure };

/** First message to the helper, which then says that it is ready. */
type HelperStart = { readonly start: SqlitePlace };
export type ToHelper = HelperStart | HelperRequest;
export type FromHelper = "ready" | HelperAnswer;
