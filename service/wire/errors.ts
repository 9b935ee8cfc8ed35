/**
 * Every error code of the service with its status and whether the same request may succeed later; titles come from the tables of words.
 * The one table for answers, the OpenAPI document and docs/http.md. A fault that a route throws carries its code; one place makes the answer.
 */
import type { DiagnosticDocument } from "../../compiler/diagnostic-document.ts";
import type { Violation } from "../../compiler/policy/validate.ts";
import { counted } from "../../grammar/text/english.ts";
import { RUNTIME_CODES } from "../../vm/errors/error-codes.ts";
import type { Limits, Usage } from "../../vm/run.ts";
import { ERROR_WORDS } from "../../vm/words/errors.ts";

export type ErrorRow = {
  readonly status: number;
  readonly title: string;
  /** `later`: after Retry-After; `once`: a second try may help; `no`: the request must change. */
  readonly retry: "no" | "later" | "once" | "depends";
  /** Status under `Prefer: failure-status`; only of runs that were started and failed. */
  readonly preferred?: number;
};

type Titled = { readonly title: string };

const sentence = ({ title }: Titled): string => `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
const refusal = (status: number, word: Titled, retry: ErrorRow["retry"] = "no"): ErrorRow => ({
  status,
  title: sentence(word),
  retry,
});
/** The program was accepted and started, but failed. */
const failure = (word: Titled, preferred = 422): ErrorRow => ({
  status: 200,
  title: sentence(word),
  retry: "depends",
  preferred,
});

export const ERRORS = {
  invalid_json: refusal(400, ERROR_WORDS.invalid_json),
  invalid_request: refusal(400, ERROR_WORDS.invalid_request),
  policy_violation: refusal(403, ERROR_WORDS.policy_violation),
  signature_invalid: refusal(401, ERROR_WORDS.signature_invalid),
  code_not_taken: refusal(403, ERROR_WORDS.code_not_taken),
  deploy_disabled: refusal(403, ERROR_WORDS.deploy_disabled),
  attestation_missing: refusal(403, ERROR_WORDS.attestation_missing),
  attestation_invalid: refusal(403, ERROR_WORDS.attestation_invalid),
  attestation_differs: refusal(403, ERROR_WORDS.attestation_differs),
  key_unknown: refusal(403, ERROR_WORDS.key_unknown),
  key_expired: refusal(403, ERROR_WORDS.key_expired),
  key_revoked: refusal(403, ERROR_WORDS.key_revoked),
  proposals_only: refusal(403, ERROR_WORDS.proposals_only),
  proposal_not_yours: refusal(403, ERROR_WORDS.proposal_not_yours),
  values_hidden: refusal(403, ERROR_WORDS.values_hidden),
  approval_not_yours: refusal(403, ERROR_WORDS.approval_not_yours),
  ui_read_only: refusal(403, ERROR_WORDS.ui_read_only),
  forbidden_origin: refusal(403, ERROR_WORDS.forbidden_origin),
  forbidden_host: refusal(403, ERROR_WORDS.forbidden_host),
  not_found: refusal(404, ERROR_WORDS.not_found),
  job_not_found: refusal(404, ERROR_WORDS.job_not_found),
  approval_not_found: refusal(404, ERROR_WORDS.approval_not_found),
  event_not_found: refusal(404, ERROR_WORDS.event_not_found),
  schedule_not_found: refusal(404, ERROR_WORDS.schedule_not_found),
  program_not_found: refusal(404, ERROR_WORDS.program_not_found),
  proposal_not_found: refusal(404, ERROR_WORDS.proposal_not_found),
  method_not_allowed: refusal(405, ERROR_WORDS.method_not_allowed),
  request_timeout: refusal(408, ERROR_WORDS.request_timeout, "once"),
  idempotency_in_progress: refusal(409, ERROR_WORDS.idempotency_in_progress, "later"),
  job_dropped: refusal(409, ERROR_WORDS.job_dropped),
  job_exists: refusal(409, ERROR_WORDS.job_exists),
  job_not_finished: refusal(409, ERROR_WORDS.job_not_finished, "later"),
  outcome_not_asked: refusal(409, ERROR_WORDS.outcome_not_asked),
  approval_not_open: refusal(409, ERROR_WORDS.approval_not_open),
  signal_not_wanted: refusal(409, ERROR_WORDS.signal_not_wanted),
  signals_full: refusal(409, ERROR_WORDS.signals_full),
  managed_by_files: refusal(409, ERROR_WORDS.managed_by_files),
  programs_full: refusal(409, ERROR_WORDS.programs_full),
  proposals_full: refusal(409, ERROR_WORDS.proposals_full),
  next_invalid: refusal(409, ERROR_WORDS.next_invalid),
  proposal_not_open: refusal(409, ERROR_WORDS.proposal_not_open),
  events_full: refusal(409, ERROR_WORDS.events_full, "later"),
  schedules_full: refusal(409, ERROR_WORDS.schedules_full),
  link_expired: refusal(410, ERROR_WORDS.link_expired),
  job_expired: refusal(410, ERROR_WORDS.job_expired),
  version_conflict: refusal(412, ERROR_WORDS.version_conflict),
  proposal_stale: refusal(412, ERROR_WORDS.proposal_stale),
  payload_too_large: refusal(413, ERROR_WORDS.payload_too_large),
  unsupported_media_type: refusal(415, ERROR_WORDS.unsupported_media_type),
  compile_error: refusal(422, ERROR_WORDS.compile_error),
  endpoint_invalid: refusal(422, ERROR_WORDS.endpoint_invalid),
  event_invalid: refusal(422, ERROR_WORDS.event_invalid),
  schedule_invalid: refusal(422, ERROR_WORDS.schedule_invalid),
  flow_invalid: refusal(422, ERROR_WORDS.flow_invalid),
  flow_key_invalid: refusal(422, ERROR_WORDS.flow_key_invalid),
  input_invalid: refusal(422, ERROR_WORDS.input_invalid),
  invalid_ir: refusal(422, ERROR_WORDS.invalid_ir),
  unsupported_ir_version: refusal(422, RUNTIME_CODES.RUNTIME_UNSUPPORTED_IR_VERSION),
  unknown_label: refusal(422, RUNTIME_CODES.RUNTIME_UNKNOWN_LABEL),
  adapter_config_error: refusal(422, ERROR_WORDS.adapter_config_error),
  idempotency_key_reused: refusal(422, ERROR_WORDS.idempotency_key_reused),
  links_not_configured: refusal(422, ERROR_WORDS.links_not_configured),
  not_durable: refusal(422, ERROR_WORDS.not_durable),
  job_not_retryable: refusal(422, ERROR_WORDS.job_not_retryable),
  program_cannot_run: refusal(422, ERROR_WORDS.program_cannot_run),
  replay_log_invalid: refusal(422, ERROR_WORDS.replay_log_invalid),
  rate_limited: refusal(429, ERROR_WORDS.rate_limited, "later"),
  header_fields_too_large: refusal(431, ERROR_WORDS.header_fields_too_large),
  internal_error: refusal(500, RUNTIME_CODES.RUNTIME_INTERNAL, "once"),
  response_type: refusal(500, ERROR_WORDS.response_type),
  program_disabled: refusal(503, ERROR_WORDS.program_disabled),
  server_busy: refusal(503, ERROR_WORDS.server_busy, "later"),
  answer_dropped: refusal(503, ERROR_WORDS.answer_dropped, "depends"),
  queue_full: refusal(503, ERROR_WORDS.queue_full, "later"),
  draining: refusal(503, ERROR_WORDS.draining, "later"),
  store_unavailable: refusal(503, ERROR_WORDS.store_unavailable, "later"),
  max_steps_exceeded: failure(RUNTIME_CODES.RUNTIME_MAX_STEPS),
  max_depth_exceeded: failure(RUNTIME_CODES.RUNTIME_MAX_DEPTH),
  max_adapter_calls_exceeded: failure(RUNTIME_CODES.RUNTIME_MAX_ADAPTER_CALLS),
  max_time_ms_exceeded: failure(RUNTIME_CODES.RUNTIME_MAX_TIME, 504),
  max_frame_bytes_exceeded: failure(RUNTIME_CODES.RUNTIME_MAX_FRAME_BYTES),
  max_loop_iters_exceeded: failure(RUNTIME_CODES.RUNTIME_MAX_LOOP_ITERS),
  adapter_not_allowed: failure(RUNTIME_CODES.RUNTIME_ADAPTER_NOT_ALLOWED),
  adapter_not_available: failure({ title: "the adapter is not enabled, or not provided" }),
  adapter_error: failure(RUNTIME_CODES.RUNTIME_ADAPTER_ERROR),
  runtime_error: failure({ title: "the program failed" }),
  replay_mismatch: failure(RUNTIME_CODES.RUNTIME_REPLAY_MISMATCH),
  replay_exhausted: failure(RUNTIME_CODES.RUNTIME_REPLAY_EXHAUSTED),
  replay_leftover: failure(RUNTIME_CODES.RUNTIME_REPLAY_LEFTOVER),
  not_exact: failure(RUNTIME_CODES.RUNTIME_NOT_EXACT),
  cancelled: failure(RUNTIME_CODES.RUNTIME_CANCELLED, 499),
  interrupted: failure(ERROR_WORDS.interrupted),
  journal_full: failure(RUNTIME_CODES.RUNTIME_JOURNAL_FULL),
  lifetime_exceeded: failure(ERROR_WORDS.lifetime_exceeded),
  expired: failure(ERROR_WORDS.expired),
  timeout_exceeded: failure(ERROR_WORDS.timeout_exceeded, 504),
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

/** The worker thread of a run ended during the run; how far the run came is unknown. */
export class ThreadLost extends ServiceFault {
  constructor() {
    super("internal_error", "the worker thread of the run ended; what the run did until then is not known");
  }
}

/** Faults with the same sentence wherever they come from. */
export const faults = {
  invalidRequest: (issues: readonly RequestIssue[], what = "body"): ServiceFault =>
    new ServiceFault("invalid_request", `${counted(issues.length, "problem")} in the request ${what}`, { issues }),
  notJson: (): ServiceFault =>
    new ServiceFault(
      "unsupported_media_type",
      "send the body as JSON and say so in a header: curl -H 'content-type: application/json'",
    ),
  busy: (why: string): ServiceFault => later("server_busy", `the service is busy: ${why}`, 1),
  draining: (): ServiceFault => {
    const { error, message, members, headers } = later("draining", "the service is shutting down", 5);
    return new ServiceFault(error, message, members, { ...headers, connection: "close" });
  },
  internal: (): ServiceFault =>
    new ServiceFault("internal_error", "the service has a defect; give the trace id when you report it"),
} as const;

export function nothingThere(): ServiceFault {
  return new ServiceFault("not_found", "there is nothing at this path; GET / lists the endpoints");
}

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
