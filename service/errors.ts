/**
 * Every error code of the service with its status, title and whether the same request may succeed later. The one table behind
 * answers, the OpenAPI document and docs/http.md. A fault that a route throws carries its code; one place makes the answer.
 */
import type { DiagnosticDocument } from "../compiler/diagnostic-document.ts";
import type { Violation } from "../compiler/policy/validate.ts";
import type { Limits, Usage } from "../vm/run.ts";

export type ErrorRow = {
  readonly status: number;
  readonly title: string;
  /** `later`: after Retry-After; `once`: a second try may help; `no`: the request must change. */
  readonly retry: "no" | "later" | "once" | "depends";
  /** Status under `Prefer: failure-status`; only of runs that were started and failed. */
  readonly preferred?: number;
};

const refusal = (status: number, title: string, retry: ErrorRow["retry"] = "no"): ErrorRow => ({
  status,
  title,
  retry,
});
/** The program was accepted and started, but failed. */
const failure = (title: string, preferred = 422): ErrorRow => ({ status: 200, title, retry: "depends", preferred });

export const ERRORS = {
  invalid_json: refusal(400, "The body is not JSON"),
  invalid_request: refusal(400, "The request is not valid"),
  policy_violation: refusal(403, "The program violates the policy"),
  forbidden_origin: refusal(403, "Requests of this origin are refused"),
  forbidden_host: refusal(403, "Requests for this host name are refused"),
  not_found: refusal(404, "There is nothing at this path"),
  job_not_found: refusal(404, "There is no job of this id"),
  method_not_allowed: refusal(405, "The path has no such method"),
  request_timeout: refusal(408, "The request took too long to arrive", "once"),
  idempotency_in_progress: refusal(409, "The first request of this key is still running", "later"),
  job_not_finished: refusal(409, "The job has not ended", "later"),
  job_expired: refusal(410, "The result of the job is past its retention"),
  payload_too_large: refusal(413, "The body is too large"),
  unsupported_media_type: refusal(415, "The body has a type that is not read here"),
  compile_error: refusal(422, "The program does not compile"),
  invalid_ir: refusal(422, "The IR cannot be run"),
  unsupported_ir_version: refusal(422, "The IR is of another major version"),
  unknown_label: refusal(422, "The entry label does not exist"),
  adapter_config_error: refusal(422, "The settings of an adapter cannot be used"),
  idempotency_key_reused: refusal(422, "The key belongs to another request"),
  job_not_retryable: refusal(422, "The job cannot be retried"),
  replay_log_invalid: refusal(422, "The replay log has another shape"),
  rate_limited: refusal(429, "Too many requests", "later"),
  header_fields_too_large: refusal(431, "The headers are too large"),
  internal_error: refusal(500, "The service has a defect", "once"),
  server_busy: refusal(503, "The service is busy", "later"),
  queue_full: refusal(503, "The queue of jobs is full", "later"),
  draining: refusal(503, "The service is shutting down", "later"),
  store_unavailable: refusal(503, "The store is not available", "later"),
  max_steps_exceeded: failure("max_steps is used up"),
  max_depth_exceeded: failure("max_depth is used up"),
  max_adapter_calls_exceeded: failure("max_adapter_calls is used up"),
  max_time_ms_exceeded: failure("max_time_ms is used up", 504),
  max_frame_bytes_exceeded: failure("max_frame_bytes is used up"),
  max_loop_iters_exceeded: failure("max_loop_iters is used up"),
  adapter_not_allowed: failure("The adapter is outside the allowlist"),
  adapter_not_available: failure("The adapter is not enabled, or not provided"),
  adapter_error: failure("An adapter reported an error"),
  runtime_error: failure("The program failed"),
  replay_mismatch: failure("A call differs from the replay log"),
  replay_exhausted: failure("The replay log has no further entry"),
  replay_leftover: failure("The run ended before the replay log"),
  cancelled: failure("The run was cancelled", 499),
  interrupted: failure("The process died during the run"),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(ERRORS, word);
}

export function errorRow(code: ErrorCode): ErrorRow {
  return ERRORS[code];
}

/** One problem of a request. `path` is a JSON pointer into the body; values are never echoed. */
export type RequestIssue = { readonly path: string; readonly code: string; readonly message: string };

export type FaultMembers = {
  readonly issues?: readonly RequestIssue[];
  readonly diagnostics?: readonly DiagnosticDocument[];
  readonly policy_errors?: readonly Violation[];
  readonly limits?: Limits;
  readonly usage?: Usage;
  readonly warnings?: readonly string[];
  readonly retry_after_s?: number;
  readonly job_id?: string;
};

/** Ends a request before anything ran. */
export class ServiceFault extends Error {
  readonly error: ErrorCode;
  readonly members: FaultMembers;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    error: ErrorCode,
    message: string,
    members: FaultMembers = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "ServiceFault";
    this.error = error;
    this.members = members;
    this.headers = headers;
  }
}

/** The worker thread of a run ended in the middle of it: nobody knows how far it came. */
export class ThreadLost extends ServiceFault {
  constructor() {
    super("internal_error", "the worker thread of the run ended; what the run did until then is not known");
  }
}

/** Faults with the same sentence wherever they come from. */
export const faults = {
  invalidRequest: (issues: readonly RequestIssue[], what = "body"): ServiceFault =>
    new ServiceFault(
      "invalid_request",
      `${issues.length} problem${issues.length === 1 ? "" : "s"} in the request ${what}`,
      { issues },
    ),
  busy: (why: string): ServiceFault => later("server_busy", `the service is busy: ${why}`, 1),
  draining: (): ServiceFault => {
    const { error, message, members, headers } = later("draining", "the service is shutting down", 5);
    return new ServiceFault(error, message, members, { ...headers, connection: "close" });
  },
  internal: (): ServiceFault =>
    new ServiceFault("internal_error", "the service has a defect; give the trace id when you report it"),
} as const;

/** A fault after which the same request may be sent again in `seconds`. */
export function later(error: ErrorCode, message: string, seconds: number): ServiceFault {
  return new ServiceFault(error, message, { retry_after_s: seconds }, { "retry-after": String(seconds) });
}

export type ErrorBody = {
  readonly ok: false;
  readonly trace_id: string;
  readonly error: ErrorCode;
  readonly message: string;
} & FaultMembers;

export function faultBody(fault: ServiceFault, trace_id: string): ErrorBody {
  return { ok: false, trace_id, error: fault.error, message: fault.message, ...fault.members };
}

/** The members that `application/problem+json` adds (RFC 9457). */
export function problemMembers(
  body: { readonly error: ErrorCode; readonly message: string; readonly trace_id: string },
  status: number,
) {
  return {
    type: `about:blank#${body.error}`,
    title: errorRow(body.error).title,
    status,
    detail: body.message,
    instance: `urn:trace:${body.trace_id}`,
  };
}
