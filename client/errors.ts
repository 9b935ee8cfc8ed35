/** What can go wrong between a client and its service, by one code each. */
import type { ErrorBody } from "./api-types.ts";

/**
 * Codes of the client itself. `unreachable`: no answer, or a connection that broke; `bad_answer`: an answer that is not what a service
 * says; `stream_cut`: a stream ended before its last line; `wait_timeout`: a job was not over in time.
 */
export type ClientCode = "unreachable" | "bad_answer" | "stream_cut" | "wait_timeout";
/** A word of the service (docs/http.md, error codes), or of the client. */
export type WeftErrorCode = ErrorBody["error"] | ClientCode;

/** One place that is wrong. */
export type Issue = NonNullable<ErrorBody["issues"]>[number];

type Details = {
  /** Of the answer; null: there was none. */
  readonly status?: number | null;
  /** All that the service said. */
  readonly body?: ErrorBody | null;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
};

/** A request that the service refused, or that got no answer. */
export class WeftError extends Error {
  override readonly name: string = "WeftError";
  readonly code: WeftErrorCode;
  readonly status: number | null;
  readonly traceId: string | null;
  /** Each place that is wrong, as JSON pointers into the request. */
  readonly issues: readonly Issue[];
  readonly retryAfterMs: number | null;
  readonly body: ErrorBody | null;

  constructor(code: WeftErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? null;
    this.body = details.body ?? null;
    this.traceId = details.body?.trace_id ?? null;
    this.issues = details.body?.issues ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** A program that ran and failed, where only its value was asked for. */
export class RunFailed extends WeftError {
  override readonly name = "RunFailed";
}

/** Codes after which the same request may be sent again, and how often at most. */
export function retriesOf(code: WeftErrorCode, most: number): number {
  switch (code) {
    case "unreachable":
    case "rate_limited":
    case "server_busy":
    case "queue_full":
    case "draining":
    case "store_unavailable":
    case "idempotency_in_progress":
      return most;
    case "request_timeout":
    case "internal_error":
      return Math.min(1, most);
    default:
      return 0;
  }
}
