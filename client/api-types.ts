/**
 * The bodies of the service, made from its OpenAPI document by test/client/types.test.ts (WEFT_DOCS=write). Do not edit.
 */

/** Any JSON value. */
export type Json = unknown;

export type AcceptRequest = {
  readonly checksum: string;
  readonly base: number | null;
  readonly comment: string;
  readonly attestation?: Attestation | null;
  readonly next?: boolean | null;
};

export type Approval = {
  readonly id: string;
  readonly approval_id: string;
  readonly job_id: string;
  readonly state: "open" | "decided" | "expired" | "cancelled";
  readonly program?: string;
  readonly version?: number | null;
  readonly name?: string;
  readonly asked_by?: string;
  readonly values_hidden?: true;
  readonly title?: string;
  readonly details?: Json;
  readonly choices: readonly string[];
  readonly to: readonly string[];
  readonly need: number;
  readonly form: Readonly<Record<string, string | readonly string[]>> | null;
  readonly opened_at: string;
  readonly expires_at: string | null;
  readonly ended_at: string | null;
  readonly decision: string | null;
  readonly answers: readonly {
    readonly choice: string;
    readonly by: string | null;
    readonly via: "proxy" | "api" | "cli" | "link" | "terminal" | "elicitation";
    readonly comment?: string | null;
    readonly data?: Json;
    readonly at: string;
  }[];
};

export type ApprovalPage = { readonly approvals: readonly Approval[]; readonly next_cursor: string | null };

export type Attestation = {
  readonly type: "weft.attestation/1";
  readonly kind: "source" | "ir";
  readonly name: string;
  readonly source: string;
  readonly checksum: string;
  readonly settings: string;
  readonly report: string;
  readonly compiler: string | null;
  readonly who: string;
  readonly when: string;
  readonly key: string;
  readonly signature: string;
};

export type BackfillRequest = { readonly from: string; readonly to: string };

export type Backfilled = {
  readonly ok: true;
  readonly count: number;
  readonly job_ids: readonly string[];
  readonly already_fired: number;
  readonly more_from: string | null;
};

export type BatchAnswer = {
  readonly ok: boolean;
  readonly trace_id: string;
  readonly count: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: readonly Json[];
  readonly warnings?: readonly string[];
  readonly error?: string;
  readonly message?: string;
};

export type BatchLine = {
  readonly index: number;
  readonly ok: boolean;
  readonly out?: Json;
  readonly error?: string;
  readonly message?: string;
  readonly error_structured?: {
    readonly code: string;
    readonly exception?: string;
    readonly message: string;
    readonly label: string | null;
    readonly node: string | null;
    readonly op: string | null;
    readonly line: number | null;
    readonly file?: string;
    readonly step_index: number | null;
    readonly stack: readonly string[];
    readonly data: Readonly<Record<string, Json>>;
  };
  readonly usage?: Usage;
  readonly duration_ms?: number;
  readonly warnings?: readonly string[];
  readonly printed?: string;
  readonly printed_dropped?: number;
  readonly trace?: readonly {
    readonly seq: number;
    readonly kind: "step" | "retry" | "error" | "end";
    readonly [name: string]: Json;
  }[];
  readonly record?: RecordLog;
  readonly adapter_calls?: readonly {
    readonly seq: number;
    readonly label_id: string;
    readonly node_id: string;
    readonly attempt: number;
    readonly adapter: string;
    readonly verb: string;
    readonly ok: boolean;
    readonly [name: string]: Json;
  }[];
  readonly replay?: { readonly matched: number; readonly remaining: number };
  readonly replay_artifact_id?: string;
};

export type BatchRequest = {
  readonly code?: string | null;
  readonly ir?: Readonly<Record<string, Json>> | null;
  readonly files?: Readonly<Record<string, string>> | null;
  readonly program?: string | null;
  readonly strict?: boolean | null;
  readonly label?: string | null;
  readonly limits?: {
    readonly max_steps?: number;
    readonly max_depth?: number;
    readonly max_adapter_calls?: number;
    readonly max_time_ms?: number;
    readonly max_frame_bytes?: number;
    readonly max_loop_iters?: number;
    readonly cleanup_calls?: number;
    readonly cleanup_ms?: number;
  } | null;
  readonly allowed_adapters?: readonly string[] | null;
  readonly adapters?: { readonly enable?: readonly string[]; readonly [name: string]: Json } | null;
  readonly policy?: Policy | null;
  readonly trace?: boolean | null;
  readonly trace_options?: {
    readonly max_events?: number | null;
    readonly max_value_bytes?: number | null;
    readonly frame_keys?: boolean | null;
    readonly variables?: boolean | null;
  } | null;
  readonly record_calls?: boolean | null;
  readonly execution_mode?: Json;
  readonly step_fallback?: Json;
  readonly unknown_op_policy?: Json;
  readonly name?: string | null;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly concurrency?: number | null;
  readonly on_error?: "continue" | "stop" | null;
  readonly order?: "completion" | "input" | null;
  readonly frames: readonly Readonly<Record<string, Json>>[];
};

export type BatchRow = { readonly ok: true; readonly out: Json };

export type BulkAction = {
  readonly status?: string;
  readonly waits?: string;
  readonly program?: string;
  readonly name?: string;
  readonly tag?: string;
  readonly label?: string;
  readonly checksum?: string;
  readonly schedule?: string;
  readonly parent?: string;
  readonly queued_after?: string;
  readonly queued_before?: string;
  readonly ended_after?: string;
  readonly ended_before?: string;
  readonly search?: string;
  readonly error?: string;
  readonly dead?: string;
  readonly message?: string;
  readonly q?: string;
  readonly limit?: number;
  readonly dry_run?: boolean;
};

export type BulkDone = {
  readonly ok: true;
  readonly count: number;
  readonly job_ids: readonly string[];
  readonly new_job_ids?: readonly string[];
  readonly left: readonly { readonly job_id: string; readonly error: string; readonly message: string }[];
  readonly more: boolean;
  readonly dry_run: boolean;
};

export type BulkEnqueueRequest = {
  readonly code?: string | null;
  readonly ir?: Readonly<Record<string, Json>> | null;
  readonly files?: Readonly<Record<string, string>> | null;
  readonly program?: string | null;
  readonly strict?: boolean | null;
  readonly label?: string | null;
  readonly limits?: {
    readonly max_steps?: number;
    readonly max_depth?: number;
    readonly max_adapter_calls?: number;
    readonly max_time_ms?: number;
    readonly max_frame_bytes?: number;
    readonly max_loop_iters?: number;
    readonly cleanup_calls?: number;
    readonly cleanup_ms?: number;
  } | null;
  readonly allowed_adapters?: readonly string[] | null;
  readonly adapters?: { readonly enable?: readonly string[]; readonly [name: string]: Json } | null;
  readonly policy?: Policy | null;
  readonly trace?: boolean | null;
  readonly trace_options?: {
    readonly max_events?: number | null;
    readonly max_value_bytes?: number | null;
    readonly frame_keys?: boolean | null;
    readonly variables?: boolean | null;
  } | null;
  readonly record_calls?: boolean | null;
  readonly execution_mode?: Json;
  readonly step_fallback?: Json;
  readonly unknown_op_policy?: Json;
  readonly name?: string | null;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly durable?: boolean | null;
  readonly on_unknown?: "fail" | "ask" | "retry" | Readonly<Record<string, "fail" | "ask" | "retry">> | null;
  readonly lifetime_s?: number | null;
  readonly concurrency?:
    | {
        readonly limit: number;
        readonly key?: string | readonly string[] | null;
        readonly scope?: "program" | "all" | null;
        readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
        readonly hold?: boolean | null;
      }
    | readonly {
        readonly limit: number;
        readonly key?: string | readonly string[] | null;
        readonly scope?: "program" | "all" | null;
        readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
        readonly hold?: boolean | null;
      }[]
    | null;
  readonly rate?:
    | { readonly limit: number; readonly per_s: number; readonly key?: string | readonly string[] | null }
    | readonly { readonly limit: number; readonly per_s: number; readonly key?: string | readonly string[] | null }[]
    | null;
  readonly priority?: number | string | null;
  readonly fair?: string | readonly string[] | null;
  readonly unique?: {
    readonly key: string | readonly string[];
    readonly for_s?: number | null;
    readonly on_conflict?: "return" | "reject" | "replace" | null;
  } | null;
  readonly debounce?: {
    readonly key: string | readonly string[];
    readonly wait_s: number;
    readonly max_s: number;
  } | null;
  readonly batch?: {
    readonly max: number;
    readonly wait_s: number;
    readonly key?: string | readonly string[] | null;
  } | null;
  readonly delay_s?: number | null;
  readonly timeout_s?: number | null;
  readonly start_by_s?: number | null;
  readonly run_at?: string | null;
  readonly signals?: readonly { readonly name: string; readonly data?: Json; readonly id?: string | null }[] | null;
  readonly retry?: boolean | null;
  readonly keep_s?: number | null;
  readonly frames: readonly Readonly<Record<string, Json>>[];
};

export type BulkRetry = {
  readonly status?: string;
  readonly waits?: string;
  readonly program?: string;
  readonly name?: string;
  readonly tag?: string;
  readonly label?: string;
  readonly checksum?: string;
  readonly schedule?: string;
  readonly parent?: string;
  readonly queued_after?: string;
  readonly queued_before?: string;
  readonly ended_after?: string;
  readonly ended_before?: string;
  readonly search?: string;
  readonly error?: string;
  readonly dead?: string;
  readonly message?: string;
  readonly q?: string;
  readonly limit?: number;
  readonly dry_run?: boolean;
  readonly current?: boolean;
};

export type Capabilities = {
  readonly schema_version: "1.0";
  readonly runtime_version: string;
  readonly policy_support: true;
  readonly adapters: Readonly<
    Record<
      string,
      {
        readonly support_tier: "core" | "compatibility" | "extension_ecosystem";
        readonly verbs: readonly string[];
        readonly effect_default: "pure" | "io";
        readonly recommended_lane: "canonical" | "noncanonical";
        readonly privilege_tier: "pure" | "local_state" | "network" | "operator_sensitive";
        readonly destructive: boolean;
        readonly network_facing: boolean;
        readonly sandbox_safe: boolean;
        readonly available: boolean;
        readonly enabled_by_default: boolean;
        readonly allowed: boolean;
        readonly settings: Readonly<Record<string, { readonly type: string; readonly kind: string }>>;
        readonly verb_effects: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly limits: Limits;
  readonly profile: string | null;
  readonly ir_versions: readonly string[];
  readonly tier: "generated" | "none";
  readonly features: readonly string[];
  readonly time_zone_data: string | null;
};

export type DeadLetterList = {
  readonly count: number;
  readonly groups: readonly {
    readonly program: string | null;
    readonly error: string;
    readonly count: number;
    readonly first_at: string;
    readonly last_at: string;
    readonly job_id: string;
  }[];
  readonly more: boolean;
};

export type DecisionRequest = {
  readonly decision: string;
  readonly comment?: string | null;
  readonly data?: Readonly<Record<string, Json>> | null;
  readonly via?: "cli" | "elicitation";
};

export type DeclineRequest = { readonly comment: string };

export type DeployRequest = {
  readonly code?: string | null;
  readonly ir?: Readonly<Record<string, Json>> | null;
  readonly files?: Readonly<Record<string, string>> | null;
  readonly main?: string | null;
  readonly strict?: boolean | null;
  readonly label?: string | null;
  readonly frame?: Readonly<Record<string, Json>> | null;
  readonly limits?: {
    readonly max_steps?: number;
    readonly max_depth?: number;
    readonly max_adapter_calls?: number;
    readonly max_time_ms?: number;
    readonly max_frame_bytes?: number;
    readonly max_loop_iters?: number;
    readonly cleanup_calls?: number;
    readonly cleanup_ms?: number;
  } | null;
  readonly allowed_adapters?: readonly string[] | null;
  readonly adapters?: { readonly enable?: readonly string[]; readonly [name: string]: Json } | null;
  readonly policy?: Policy | null;
  readonly durable?: boolean | null;
  readonly on_unknown?: "fail" | "ask" | "retry" | Readonly<Record<string, "fail" | "ask" | "retry">> | null;
  readonly lifetime_s?: number | null;
  readonly again_lifetime?: boolean | null;
  readonly concurrency?:
    | {
        readonly limit: number;
        readonly key?: string | readonly string[] | null;
        readonly scope?: "program" | "all" | null;
        readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
        readonly hold?: boolean | null;
      }
    | readonly {
        readonly limit: number;
        readonly key?: string | readonly string[] | null;
        readonly scope?: "program" | "all" | null;
        readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
        readonly hold?: boolean | null;
      }[]
    | null;
  readonly rate?:
    | { readonly limit: number; readonly per_s: number; readonly key?: string | readonly string[] | null }
    | readonly { readonly limit: number; readonly per_s: number; readonly key?: string | readonly string[] | null }[]
    | null;
  readonly priority?: number | string | null;
  readonly fair?: string | readonly string[] | null;
  readonly unique?: {
    readonly key: string | readonly string[];
    readonly for_s?: number | null;
    readonly on_conflict?: "return" | "reject" | "replace" | null;
  } | null;
  readonly debounce?: {
    readonly key: string | readonly string[];
    readonly wait_s: number;
    readonly max_s: number;
  } | null;
  readonly batch?: {
    readonly max: number;
    readonly wait_s: number;
    readonly key?: string | readonly string[] | null;
  } | null;
  readonly delay_s?: number | null;
  readonly timeout_s?: number | null;
  readonly start_by_s?: number | null;
  readonly tz?: string | null;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly description?: string | null;
  readonly endpoints?: Readonly<
    Record<
      string,
      {
        readonly verify?:
          | { readonly kind: "standard"; readonly secrets: string | readonly string[] }
          | { readonly kind: "svix"; readonly secrets: string | readonly string[] }
          | { readonly kind: "github"; readonly secrets: string | readonly string[] }
          | { readonly kind: "stripe"; readonly secrets: string | readonly string[] }
          | { readonly kind: "slack"; readonly secrets: string | readonly string[] }
          | { readonly kind: "shopify"; readonly secrets: string | readonly string[] }
          | { readonly kind: "twilio"; readonly secrets: string | readonly string[] }
          | { readonly kind: "twitch"; readonly secrets: string | readonly string[] }
          | { readonly kind: "gitlab"; readonly secrets: string | readonly string[] }
          | { readonly kind: "bearer"; readonly secrets: string | readonly string[] }
          | { readonly kind: "basic"; readonly secrets: string | readonly string[]; readonly user: string }
          | {
              readonly kind: "token";
              readonly secrets: string | readonly string[];
              readonly header: string;
              readonly prefix?: string;
            }
          | {
              readonly kind: "hmac";
              readonly secrets: string | readonly string[];
              readonly header: string;
              readonly prefix?: string;
              readonly encoding?: "hex" | "base64";
              readonly timestamp_header?: string;
              readonly signed?: string;
              readonly algorithm?: "sha1" | "sha256" | "sha512";
            }
          | {
              readonly kind: "ed25519";
              readonly secrets: string | readonly string[];
              readonly header: string;
              readonly prefix?: string;
              readonly encoding?: "hex" | "base64";
              readonly timestamp_header?: string;
              readonly signed?: string;
            };
        readonly mode?: "run" | "job";
        readonly dedupe?: string;
        readonly body?: "whole" | "form" | "text";
        readonly files?: boolean;
        readonly headers?: readonly string[];
        readonly cors?: {
          readonly origins: readonly ("*" | string)[];
          readonly credentials?: boolean;
          readonly headers?: readonly string[];
          readonly max_age_s?: number;
        };
        readonly challenge?:
          | { readonly kind: "slack" }
          | { readonly kind: "twitch" }
          | { readonly kind: "discord" }
          | { readonly kind: "meta"; readonly secrets: string | readonly string[] };
        readonly concurrency?:
          | {
              readonly limit: number;
              readonly key?: string | readonly string[] | null;
              readonly scope?: "program" | "all" | null;
              readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
              readonly hold?: boolean | null;
            }
          | readonly {
              readonly limit: number;
              readonly key?: string | readonly string[] | null;
              readonly scope?: "program" | "all" | null;
              readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
              readonly hold?: boolean | null;
            }[]
          | null;
        readonly rate?:
          | { readonly limit: number; readonly per_s: number; readonly key?: string | readonly string[] | null }
          | readonly {
              readonly limit: number;
              readonly per_s: number;
              readonly key?: string | readonly string[] | null;
            }[]
          | null;
        readonly priority?: number | string | null;
        readonly fair?: string | readonly string[] | null;
        readonly unique?: {
          readonly key: string | readonly string[];
          readonly for_s?: number | null;
          readonly on_conflict?: "return" | "reject" | "replace" | null;
        } | null;
        readonly debounce?: {
          readonly key: string | readonly string[];
          readonly wait_s: number;
          readonly max_s: number;
        } | null;
        readonly batch?: {
          readonly max: number;
          readonly wait_s: number;
          readonly key?: string | readonly string[] | null;
        } | null;
        readonly delay_s?: number | null;
        readonly timeout_s?: number | null;
        readonly start_by_s?: number | null;
      }
    >
  > | null;
  readonly schedules?: readonly Readonly<Record<string, Json>>[] | null;
  readonly keep_s?: number | null;
  readonly notices?: {
    readonly on_failure?: string;
    readonly on_unknown?: string;
    readonly on_waiting_long?: { readonly to: string; readonly after_s: number };
    readonly on_dead_letter?: { readonly to: string; readonly after_s: number };
  } | null;
  readonly comment?: string | null;
  readonly tests?: readonly ProposalTest[] | null;
  readonly attestation?: Attestation | null;
  readonly search?: readonly string[] | null;
};

export type Deployed = {
  readonly ok: true;
  readonly trace_id: string;
  readonly name: string;
  readonly version: number;
  readonly checksum: string;
  readonly unchanged: boolean;
  readonly dry_run: boolean;
  readonly difference: ProgramDifference | null;
  readonly endpoints: readonly {
    readonly method: string;
    readonly path: string;
    readonly url: string;
    readonly label: string;
    readonly mode: "run" | "job";
    readonly verify?: string;
    readonly dedupe?: string;
    readonly type?: string;
    readonly description?: string;
  }[];
  readonly schedules: readonly {
    readonly id: string;
    readonly cron: string;
    readonly tz: string;
    readonly label: string;
    readonly next: readonly string[];
    readonly [name: string]: Json;
  }[];
  readonly emits: ProgramEmits | null;
  readonly report: Readonly<Record<string, Json>>;
  readonly warnings: readonly string[];
};

export type Diagnostic = {
  readonly code: string;
  readonly name: string;
  readonly severity: "error" | "warning" | "hint";
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly span: {
    readonly file: string | null;
    readonly line: number;
    readonly column: number;
    readonly end_line: number;
    readonly end_column: number;
    readonly start: number;
    readonly end: number;
  } | null;
  readonly label_id: string | null;
  readonly node_id: string | null;
  readonly expected: readonly string[];
  readonly suggestion: string | null;
  readonly fix: {
    readonly title: string;
    readonly edits: readonly {
      readonly span: {
        readonly file: string | null;
        readonly line: number;
        readonly column: number;
        readonly end_line: number;
        readonly end_column: number;
        readonly start: number;
        readonly end: number;
      };
      readonly new_text: string;
    }[];
  } | null;
  readonly related: readonly {
    readonly message: string;
    readonly span: {
      readonly file: string | null;
      readonly line: number;
      readonly column: number;
      readonly end_line: number;
      readonly end_column: number;
      readonly start: number;
      readonly end: number;
    };
  }[];
};

export type EnqueueRequest = {
  readonly code?: string | null;
  readonly ir?: Readonly<Record<string, Json>> | null;
  readonly files?: Readonly<Record<string, string>> | null;
  readonly program?: string | null;
  readonly strict?: boolean | null;
  readonly label?: string | null;
  readonly limits?: {
    readonly max_steps?: number;
    readonly max_depth?: number;
    readonly max_adapter_calls?: number;
    readonly max_time_ms?: number;
    readonly max_frame_bytes?: number;
    readonly max_loop_iters?: number;
    readonly cleanup_calls?: number;
    readonly cleanup_ms?: number;
  } | null;
  readonly allowed_adapters?: readonly string[] | null;
  readonly adapters?: { readonly enable?: readonly string[]; readonly [name: string]: Json } | null;
  readonly policy?: Policy | null;
  readonly trace?: boolean | null;
  readonly trace_options?: {
    readonly max_events?: number | null;
    readonly max_value_bytes?: number | null;
    readonly frame_keys?: boolean | null;
    readonly variables?: boolean | null;
  } | null;
  readonly record_calls?: boolean | null;
  readonly execution_mode?: Json;
  readonly step_fallback?: Json;
  readonly unknown_op_policy?: Json;
  readonly name?: string | null;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly frame?: Readonly<Record<string, Json>> | null;
  readonly replay_log?: readonly Json[] | Readonly<Record<string, Json>> | null;
  readonly replay_artifact_id?: string | null;
  readonly durable?: boolean | null;
  readonly on_unknown?: "fail" | "ask" | "retry" | Readonly<Record<string, "fail" | "ask" | "retry">> | null;
  readonly lifetime_s?: number | null;
  readonly concurrency?:
    | {
        readonly limit: number;
        readonly key?: string | readonly string[] | null;
        readonly scope?: "program" | "all" | null;
        readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
        readonly hold?: boolean | null;
      }
    | readonly {
        readonly limit: number;
        readonly key?: string | readonly string[] | null;
        readonly scope?: "program" | "all" | null;
        readonly on_full?: "queue" | "drop" | "replace_waiting" | null;
        readonly hold?: boolean | null;
      }[]
    | null;
  readonly rate?:
    | { readonly limit: number; readonly per_s: number; readonly key?: string | readonly string[] | null }
    | readonly { readonly limit: number; readonly per_s: number; readonly key?: string | readonly string[] | null }[]
    | null;
  readonly priority?: number | string | null;
  readonly fair?: string | readonly string[] | null;
  readonly unique?: {
    readonly key: string | readonly string[];
    readonly for_s?: number | null;
    readonly on_conflict?: "return" | "reject" | "replace" | null;
  } | null;
  readonly debounce?: {
    readonly key: string | readonly string[];
    readonly wait_s: number;
    readonly max_s: number;
  } | null;
  readonly batch?: {
    readonly max: number;
    readonly wait_s: number;
    readonly key?: string | readonly string[] | null;
  } | null;
  readonly delay_s?: number | null;
  readonly timeout_s?: number | null;
  readonly start_by_s?: number | null;
  readonly run_at?: string | null;
  readonly signals?: readonly { readonly name: string; readonly data?: Json; readonly id?: string | null }[] | null;
  readonly retry?: boolean | null;
  readonly keep_s?: number | null;
};

export type ErrorBody = {
  readonly ok: false;
  readonly trace_id: string;
  readonly error:
    | "invalid_json"
    | "invalid_request"
    | "policy_violation"
    | "signature_invalid"
    | "code_not_taken"
    | "deploy_disabled"
    | "attestation_missing"
    | "attestation_invalid"
    | "attestation_differs"
    | "key_unknown"
    | "key_expired"
    | "key_revoked"
    | "proposals_only"
    | "proposal_not_yours"
    | "values_hidden"
    | "approval_not_yours"
    | "ui_read_only"
    | "forbidden_origin"
    | "forbidden_host"
    | "not_found"
    | "job_not_found"
    | "approval_not_found"
    | "event_not_found"
    | "schedule_not_found"
    | "program_not_found"
    | "proposal_not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "idempotency_in_progress"
    | "job_dropped"
    | "job_exists"
    | "job_not_finished"
    | "outcome_not_asked"
    | "approval_not_open"
    | "signal_not_wanted"
    | "signals_full"
    | "managed_by_files"
    | "programs_full"
    | "proposals_full"
    | "next_invalid"
    | "proposal_not_open"
    | "events_full"
    | "schedules_full"
    | "link_expired"
    | "job_expired"
    | "version_conflict"
    | "proposal_stale"
    | "payload_too_large"
    | "unsupported_media_type"
    | "compile_error"
    | "endpoint_invalid"
    | "event_invalid"
    | "schedule_invalid"
    | "flow_invalid"
    | "flow_key_invalid"
    | "input_invalid"
    | "invalid_ir"
    | "unsupported_ir_version"
    | "unknown_label"
    | "adapter_config_error"
    | "idempotency_key_reused"
    | "links_not_configured"
    | "not_durable"
    | "job_not_retryable"
    | "program_cannot_run"
    | "replay_log_invalid"
    | "rate_limited"
    | "header_fields_too_large"
    | "internal_error"
    | "response_type"
    | "program_disabled"
    | "server_busy"
    | "answer_dropped"
    | "queue_full"
    | "draining"
    | "store_unavailable"
    | "max_steps_exceeded"
    | "max_depth_exceeded"
    | "max_adapter_calls_exceeded"
    | "max_time_ms_exceeded"
    | "max_frame_bytes_exceeded"
    | "max_loop_iters_exceeded"
    | "adapter_not_allowed"
    | "adapter_not_available"
    | "adapter_error"
    | "runtime_error"
    | "replay_mismatch"
    | "replay_exhausted"
    | "replay_leftover"
    | "not_exact"
    | "cancelled"
    | "interrupted"
    | "journal_full"
    | "lifetime_exceeded"
    | "expired"
    | "timeout_exceeded";
  readonly message: string;
  readonly reason?: string;
  readonly replaced_by?: string;
  readonly ran?: boolean;
  readonly issues?: readonly {
    readonly path: string;
    readonly code: string;
    readonly message: string;
    readonly label_id?: string;
    readonly node_id?: string;
  }[];
  readonly diagnostics?: readonly Diagnostic[];
  readonly policy_errors?: readonly Violation[];
  readonly error_structured?: {
    readonly code: string;
    readonly exception?: string;
    readonly message: string;
    readonly label: string | null;
    readonly node: string | null;
    readonly op: string | null;
    readonly line: number | null;
    readonly file?: string;
    readonly step_index: number | null;
    readonly stack: readonly string[];
    readonly data: Readonly<Record<string, Json>>;
  };
  readonly label?: string;
  readonly runtime_version?: string;
  readonly ir_version?: string;
  readonly duration_ms?: number;
  readonly adapter_p95_ms?: Readonly<Record<string, number>>;
  readonly usage?: Usage;
  readonly limits?: Limits;
  readonly stats?: {
    readonly compile_ms: number;
    readonly run_ms: number;
    readonly cache_hit: boolean;
    readonly checksum: string;
  };
  readonly warnings?: readonly string[];
  readonly printed?: string;
  readonly printed_dropped?: number;
  readonly trace?: readonly {
    readonly seq: number;
    readonly kind: "step" | "retry" | "error" | "end";
    readonly [name: string]: Json;
  }[];
  readonly record?: RecordLog;
  readonly adapter_calls?: readonly {
    readonly seq: number;
    readonly label_id: string;
    readonly node_id: string;
    readonly attempt: number;
    readonly adapter: string;
    readonly verb: string;
    readonly ok: boolean;
    readonly [name: string]: Json;
  }[];
  readonly replay?: { readonly matched: number; readonly remaining: number };
  readonly replay_artifact_id?: string;
  readonly retry_after_s?: number;
  readonly job_id?: string;
};

export type EventAccepted = {
  readonly ok: true;
  readonly id: string;
  readonly at: string;
  readonly duplicate: boolean;
};

export type EventDetail = {
  readonly id: string;
  readonly name: string;
  readonly keyed: boolean;
  readonly state: "due" | "waking" | "done";
  readonly at: string;
  readonly created_at: string;
  readonly hops: number;
  readonly emitted_by: string | null;
  readonly started: number;
  readonly woken: number;
  readonly failed: number;
  readonly cut: boolean;
  readonly key?: string | null;
  readonly data?: Json;
  readonly starts: readonly {
    readonly program: string | null;
    readonly version: number | null;
    readonly label: string | null;
    readonly outcome: "started" | "woken" | "when_failed" | "key_failed" | "refused" | "dropped";
    readonly job_id: string | null;
    readonly error: string | null;
    readonly at: string;
  }[];
  readonly truncated: boolean;
};

export type EventList = {
  readonly events: readonly {
    readonly id: string;
    readonly name: string;
    readonly keyed: boolean;
    readonly state: "due" | "waking" | "done";
    readonly at: string;
    readonly created_at: string;
    readonly hops: number;
    readonly emitted_by: string | null;
    readonly started: number;
    readonly woken: number;
    readonly failed: number;
    readonly cut: boolean;
  }[];
  readonly next_cursor: string | null;
  readonly subscribers: readonly { readonly name: string; readonly program: string; readonly version: number }[];
};

export type EventRequest = {
  readonly name: string;
  readonly data: Json;
  readonly id?: string | null;
  readonly key?: string | null;
  readonly at?: string | null;
};

export type FamilyTree = {
  readonly job_id: string;
  readonly jobs: readonly {
    readonly job_id: string;
    readonly parent: string | null;
    readonly depth: number;
    readonly detached: boolean;
    readonly share?: "budget";
    readonly status: string;
    readonly program: string | null;
    readonly version: number | null;
    readonly error: string | null;
    readonly round?: number;
    readonly queued_at?: string;
    readonly finished_at?: string;
  }[];
  readonly truncated: boolean;
};

export type Job = {
  readonly job_id: string;
  readonly status:
    | "queued"
    | "running"
    | "waiting"
    | "sleeping"
    | "cancelling"
    | "succeeded"
    | "failed"
    | "timed_out"
    | "cancelled"
    | "interrupted"
    | "rejected"
    | "expired";
  readonly trace_id: string;
  readonly label: string;
  readonly program?: string;
  readonly version?: number | null;
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly schedule?: string;
  readonly parent?: string;
  readonly due_at?: string;
  readonly index?: number;
  readonly attempt: number;
  readonly queued_at: string;
  readonly started_at?: string;
  readonly finished_at?: string;
  readonly duration_ms?: number;
  readonly error?: string;
  readonly held?: boolean;
  readonly durable?: boolean;
  readonly resumes?: number;
  readonly running_ms?: number;
  readonly waiting_ms?: number;
  readonly lifetime_ends_at?: string;
  readonly checksum: string;
  readonly expires_at?: string;
  readonly position?: number;
  readonly held_by?: { readonly kind: "time" | "unique" | "concurrency" | "rate"; readonly until?: string };
  readonly retry_of?: string;
  readonly round?: number;
  readonly rounds?: readonly {
    readonly round: number;
    readonly trace_id: string;
    readonly began_at: string;
    readonly ended_at: string;
    readonly waited: boolean;
  }[];
  readonly result?: RunSuccess | ErrorBody;
  readonly summary?: ResultSummary;
};

export type JobAccepted = {
  readonly ok: true;
  readonly job_id: string;
  readonly id: string;
  readonly status:
    | "queued"
    | "running"
    | "waiting"
    | "sleeping"
    | "cancelling"
    | "succeeded"
    | "failed"
    | "timed_out"
    | "cancelled"
    | "interrupted"
    | "rejected"
    | "expired";
  readonly trace_id: string;
  readonly position?: number;
  readonly existing?: true;
  readonly queued_at: string;
  readonly retry_of?: string;
  readonly warnings: readonly string[];
};

export type JobCalls = {
  readonly job_id: string;
  readonly seq: number | null;
  readonly why?: "not_durable" | "too_long" | "program_refused" | "journal_differs";
  readonly calls: readonly { readonly seq: number; readonly arguments: string }[];
  readonly branches: readonly { readonly branch: string; readonly function: string; readonly arguments: string }[];
};

export type JobChanged = {
  readonly job_id: string;
  readonly status:
    | "queued"
    | "running"
    | "waiting"
    | "sleeping"
    | "cancelling"
    | "succeeded"
    | "failed"
    | "timed_out"
    | "cancelled"
    | "interrupted"
    | "rejected"
    | "expired";
};

export type JobFrame = {
  readonly job_id: string;
  readonly bytes: number;
  readonly shown: "values" | "shapes";
  readonly frame: Readonly<Record<string, Json>>;
};

export type JobList = {
  readonly jobs: readonly {
    readonly job_id: string;
    readonly status:
      | "queued"
      | "running"
      | "waiting"
      | "sleeping"
      | "cancelling"
      | "succeeded"
      | "failed"
      | "timed_out"
      | "cancelled"
      | "interrupted"
      | "rejected"
      | "expired";
    readonly trace_id: string;
    readonly label: string;
    readonly program?: string;
    readonly version?: number | null;
    readonly name?: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly schedule?: string;
    readonly parent?: string;
    readonly due_at?: string;
    readonly index?: number;
    readonly attempt: number;
    readonly queued_at: string;
    readonly started_at?: string;
    readonly finished_at?: string;
    readonly duration_ms?: number;
    readonly error?: string;
    readonly held?: boolean;
    readonly durable?: boolean;
    readonly resumes?: number;
    readonly running_ms?: number;
    readonly waiting_ms?: number;
    readonly lifetime_ends_at?: string;
    readonly message?: string;
    readonly waits_for?: {
      readonly kind: "signal" | "approval" | "timer" | "outcome" | "job" | "event";
      readonly names?: readonly string[];
    };
  }[];
  readonly next_cursor: string | null;
};

export type JobResults = {
  readonly results: readonly (
    | {
        readonly job_id: string;
        readonly status:
          | "queued"
          | "running"
          | "waiting"
          | "sleeping"
          | "cancelling"
          | "succeeded"
          | "failed"
          | "timed_out"
          | "cancelled"
          | "interrupted"
          | "rejected"
          | "expired";
        readonly duration_ms?: number;
        readonly result: RunSuccess | ErrorBody;
      }
    | { readonly job_id: string; readonly error: "job_not_found" | "job_expired"; readonly message: string }
  )[];
};

export type JobSignalRequest = { readonly data?: Json; readonly id?: string | null };

export type JobState = {
  readonly job_id: string;
  readonly at: string | null;
  readonly shown: "values" | "shapes";
  readonly progress: { readonly value: Json; readonly text: string | null } | null;
  readonly state: Readonly<Record<string, Json>>;
};

export type JobStats = {
  readonly from: string;
  readonly to: string;
  readonly counts: readonly {
    readonly hour: string;
    readonly program: string | null;
    readonly status:
      | "queued"
      | "running"
      | "waiting"
      | "sleeping"
      | "cancelling"
      | "succeeded"
      | "failed"
      | "timed_out"
      | "cancelled"
      | "interrupted"
      | "rejected"
      | "expired";
    readonly count: number;
    readonly running_ms: number;
  }[];
};

export type JobVariables = {
  readonly job_id: string;
  readonly seq: number | null;
  readonly why?: "not_durable" | "too_long" | "program_refused" | "journal_differs" | "succeeded";
  readonly function: string | null;
  readonly line: number | null;
  readonly file?: string;
  readonly variables: Readonly<Record<string, Json>>;
  readonly callers: readonly {
    readonly function: string | null;
    readonly line: number | null;
    readonly file?: string;
    readonly variables: Readonly<Record<string, Json>>;
  }[];
};

export type JobWaits = {
  readonly job_id: string;
  readonly status: string;
  readonly waits: readonly {
    readonly wait: string;
    readonly kind: "timer" | "signal" | "approval" | "outcome" | "job" | "event";
    readonly names?: readonly string[];
    readonly keyed?: boolean;
    readonly approval?: string;
    readonly jobs?: readonly string[];
    readonly of?: number;
    readonly label?: string;
    readonly node?: string;
    readonly branch?: string;
    readonly since: string;
    readonly until: string | null;
    readonly ended_at: string | null;
  }[];
  readonly unread: Readonly<Record<string, number>>;
};

export type JobsAccepted = {
  readonly ok: true;
  readonly count: number;
  readonly job_ids: readonly (string | null)[];
  readonly existing?: readonly string[];
  readonly status: "queued";
  readonly trace_id: string;
  readonly position: number;
  readonly queued_at: string;
  readonly warnings: readonly string[];
};

export type JournalPage = {
  readonly job_id: string;
  readonly records: readonly {
    readonly seq: number;
    readonly kind: string;
    readonly at: string;
    readonly active_ms: number;
    readonly branch?: string;
    readonly label?: string;
    readonly node?: string;
    readonly visit?: number;
    readonly attempt?: number;
    readonly adapter?: string;
    readonly verb?: string;
    readonly ok?: boolean;
    readonly ms?: number;
    readonly until?: number | null;
    readonly why?: string;
    readonly wait?: string;
    readonly wait_kind?: string;
    readonly of?: number;
    readonly decision?: string;
    readonly error_code?: string;
    readonly [name: string]: Json;
  }[];
  readonly next_after: number | null;
  readonly last_seq: number;
};

export type Limits = {
  readonly max_steps?: number;
  readonly max_depth?: number;
  readonly max_adapter_calls?: number;
  readonly max_time_ms?: number;
  readonly max_frame_bytes?: number;
  readonly max_loop_iters?: number;
  readonly cleanup_calls?: number;
  readonly cleanup_ms?: number;
};

export type LinkMade = { readonly ok: true; readonly url: string; readonly for: string; readonly expires_at: string };

export type LinkRequest = { readonly for: string; readonly expires_s?: number | null };

export type Metrics = {
  readonly runs_total: number;
  readonly runs_ok_total: number;
  readonly failures_total: number;
  readonly runs_per_sec_est: number;
  readonly p95_duration_ms: number;
  readonly adapter_calls_total: number;
  readonly adapter_counts: Readonly<Record<string, number>>;
  readonly adapter_p95_duration_ms: Readonly<Record<string, number>>;
  readonly compile_cache_hits: number;
  readonly compile_cache_misses: number;
  readonly queue_depth: number;
  readonly adapter_capability_blocks_total: number;
  readonly adapter_capability_blocks_by_adapter: Readonly<Record<string, number>>;
  readonly uptime_s: number;
  readonly started_at: string;
  readonly runs_in_flight: number;
  readonly workers: number;
  readonly workers_busy: number;
  readonly compile_errors_total: number;
  readonly cancelled_total: number;
  readonly policy_rejections_total: Readonly<Record<string, number>>;
  readonly failures_by_error: Readonly<Record<string, number>>;
  readonly jobs_by_state: Readonly<Record<string, number>>;
  readonly oldest_queued_age_ms: number | null;
  readonly open_approvals: number;
  readonly oldest_approval_age_ms: number | null;
  readonly schedules_refused_total: number;
  readonly signals_kept: number;
  readonly signals_kept_bytes: number;
  readonly http_requests_total: Readonly<Record<string, number>>;
  readonly run_duration_ms_histogram: { readonly le: readonly number[]; readonly counts: readonly number[] };
  readonly llm: {
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number;
    readonly models: Readonly<
      Record<
        string,
        { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number; readonly cost: number }
      >
    >;
  } | null;
  readonly dropped_logs_total: number;
  readonly memory_rss_bytes: number;
  readonly event_loop_lag_ms_p99: number;
  readonly journal_commit_ms_p95: number | null;
  readonly wake_lag_ms_p95: number | null;
};

export type NextRequest = {
  readonly version: number;
  readonly weight: number;
  readonly key?: { readonly header: string } | { readonly query: string } | null;
  readonly abort?: { readonly failures_percent: number; readonly of: number } | null;
};

export type NextTimes = {
  readonly id: string;
  readonly next: readonly { readonly due_at: string; readonly at: string }[];
};

export type NoticeList = {
  readonly notices: readonly {
    readonly id: string;
    readonly kind: "failure" | "unknown" | "waiting_long" | "dead_letter";
    readonly target: string;
    readonly state: "due" | "sent" | "failed";
    readonly program: string | null;
    readonly version: number | null;
    readonly cause: {
      readonly code: string;
      readonly exception?: string;
      readonly at?: string;
      readonly line?: number;
    };
    readonly job_id: string;
    readonly count: number;
    readonly first_at: string;
    readonly last_at: string;
    readonly tries: number;
    readonly due_at?: string;
    readonly sent_at?: string;
    readonly error?: string;
  }[];
};

export type OutcomeDecided = { readonly ok: true; readonly job_id: string; readonly status: string };

export type OutcomeRequest = {
  readonly seq: number;
  readonly decision: "done" | "make" | "fail";
  readonly result?: Json;
  readonly by?: string | null;
};

export type Policy = {
  readonly forbidden_adapters?: readonly string[];
  readonly forbidden_effects?: readonly string[];
  readonly forbidden_effect_tiers?: readonly string[];
  readonly forbidden_privilege_tiers?: readonly string[];
  readonly forbidden_destructive?: boolean;
};

export type ProblemBody = {
  readonly ok: false;
  readonly trace_id: string;
  readonly error:
    | "invalid_json"
    | "invalid_request"
    | "policy_violation"
    | "signature_invalid"
    | "code_not_taken"
    | "deploy_disabled"
    | "attestation_missing"
    | "attestation_invalid"
    | "attestation_differs"
    | "key_unknown"
    | "key_expired"
    | "key_revoked"
    | "proposals_only"
    | "proposal_not_yours"
    | "values_hidden"
    | "approval_not_yours"
    | "ui_read_only"
    | "forbidden_origin"
    | "forbidden_host"
    | "not_found"
    | "job_not_found"
    | "approval_not_found"
    | "event_not_found"
    | "schedule_not_found"
    | "program_not_found"
    | "proposal_not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "idempotency_in_progress"
    | "job_dropped"
    | "job_exists"
    | "job_not_finished"
    | "outcome_not_asked"
    | "approval_not_open"
    | "signal_not_wanted"
    | "signals_full"
    | "managed_by_files"
    | "programs_full"
    | "proposals_full"
    | "next_invalid"
    | "proposal_not_open"
    | "events_full"
    | "schedules_full"
    | "link_expired"
    | "job_expired"
    | "version_conflict"
    | "proposal_stale"
    | "payload_too_large"
    | "unsupported_media_type"
    | "compile_error"
    | "endpoint_invalid"
    | "event_invalid"
    | "schedule_invalid"
    | "flow_invalid"
    | "flow_key_invalid"
    | "input_invalid"
    | "invalid_ir"
    | "unsupported_ir_version"
    | "unknown_label"
    | "adapter_config_error"
    | "idempotency_key_reused"
    | "links_not_configured"
    | "not_durable"
    | "job_not_retryable"
    | "program_cannot_run"
    | "replay_log_invalid"
    | "rate_limited"
    | "header_fields_too_large"
    | "internal_error"
    | "response_type"
    | "program_disabled"
    | "server_busy"
    | "answer_dropped"
    | "queue_full"
    | "draining"
    | "store_unavailable"
    | "max_steps_exceeded"
    | "max_depth_exceeded"
    | "max_adapter_calls_exceeded"
    | "max_time_ms_exceeded"
    | "max_frame_bytes_exceeded"
    | "max_loop_iters_exceeded"
    | "adapter_not_allowed"
    | "adapter_not_available"
    | "adapter_error"
    | "runtime_error"
    | "replay_mismatch"
    | "replay_exhausted"
    | "replay_leftover"
    | "not_exact"
    | "cancelled"
    | "interrupted"
    | "journal_full"
    | "lifetime_exceeded"
    | "expired"
    | "timeout_exceeded";
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly [name: string]: Json;
};

export type Program = {
  readonly name: string;
  readonly version: number;
  readonly checksum: string;
  readonly enabled: boolean;
  readonly source: "api" | "file";
  readonly tags: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deployed_at: string;
  readonly accepted: {
    readonly by: string | null;
    readonly via: "proxy" | "api" | "file";
    readonly at: string;
    readonly comment: string;
    readonly proposal: string;
    readonly proposed_by: string | null;
  } | null;
  readonly signed: { readonly by: string; readonly key: string; readonly at: string; readonly trusted: boolean } | null;
  readonly next: {
    readonly version: number;
    readonly weight: number;
    readonly key: { readonly header: string } | { readonly query: string } | null;
    readonly abort: { readonly failures_percent: number; readonly of: number } | null;
    readonly since: string;
  } | null;
  readonly endpoints: readonly {
    readonly method: string;
    readonly path: string;
    readonly url: string;
    readonly label: string;
    readonly mode: "run" | "job";
    readonly verify?: string;
    readonly dedupe?: string;
    readonly type?: string;
    readonly description?: string;
  }[];
  readonly schedules: readonly {
    readonly id: string;
    readonly cron: string;
    readonly tz: string;
    readonly label: string;
    readonly next: readonly string[];
    readonly [name: string]: Json;
  }[];
  readonly emits: ProgramEmits | null;
  readonly warnings: readonly string[];
};

export type ProgramChange = {
  readonly enabled?: boolean | null;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly description?: string | null;
};

export type ProgramDifference = {
  readonly from: number;
  readonly newly_reaches: readonly {
    readonly change: string;
    readonly kind: string;
    readonly value: string;
    readonly [name: string]: Json;
  }[];
  readonly same: boolean;
  readonly settings: readonly string[];
  readonly powers: readonly {
    readonly change: string;
    readonly kind: string;
    readonly value: string;
    readonly [name: string]: Json;
  }[];
  readonly entry: Json;
  readonly labels: readonly Readonly<Record<string, Json>>[];
  readonly endpoints: readonly Readonly<Record<string, Json>>[];
  readonly declarations: readonly Readonly<Record<string, Json>>[];
  readonly functions: readonly Readonly<Record<string, Json>>[] | null;
};

export type ProgramEmits = {
  readonly names: readonly string[];
  readonly subscribers: readonly {
    readonly event: string;
    readonly program: string;
    readonly version: number;
    readonly adapters: Readonly<
      Record<string, { readonly verbs: readonly string[]; readonly privilege_tiers: readonly string[] }>
    >;
  }[];
  readonly more: number;
};

export type ProgramList = {
  readonly programs: readonly {
    readonly name: string;
    readonly version: number;
    readonly checksum: string;
    readonly enabled: boolean;
    readonly source: "api" | "file";
    readonly tags: Readonly<Record<string, string>>;
    readonly description: string | null;
    readonly created_at: string;
    readonly updated_at: string;
    readonly deployed_at: string;
    readonly accepted: {
      readonly by: string | null;
      readonly via: "proxy" | "api" | "file";
      readonly at: string;
      readonly comment: string;
      readonly proposal: string;
      readonly proposed_by: string | null;
    } | null;
    readonly signed: {
      readonly by: string;
      readonly key: string;
      readonly at: string;
      readonly trusted: boolean;
    } | null;
    readonly next: {
      readonly version: number;
      readonly weight: number;
      readonly key: { readonly header: string } | { readonly query: string } | null;
      readonly abort: { readonly failures_percent: number; readonly of: number } | null;
      readonly since: string;
    } | null;
    readonly last_job: {
      readonly job_id: string;
      readonly status:
        | "queued"
        | "running"
        | "waiting"
        | "sleeping"
        | "cancelling"
        | "succeeded"
        | "failed"
        | "timed_out"
        | "cancelled"
        | "interrupted"
        | "rejected"
        | "expired";
      readonly queued_at: string;
      readonly finished_at: string | null;
    } | null;
    readonly next_fire_at: string | null;
  }[];
  readonly next_cursor: string | null;
};

export type ProgramRemoved = { readonly ok: true; readonly name: string };

export type ProgramVersion = {
  readonly name: string;
  readonly version: number;
  readonly current: boolean;
  readonly checksum: string;
  readonly source_hash: string | null;
  readonly compiler: string;
  readonly semantics: number;
  readonly created_at: string;
  readonly accepted: {
    readonly by: string | null;
    readonly via: "proxy" | "api" | "file";
    readonly at: string;
    readonly comment: string;
    readonly proposal: string;
    readonly proposed_by: string | null;
  } | null;
  readonly signed: { readonly by: string; readonly key: string; readonly at: string; readonly trusted: boolean } | null;
  readonly code?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly main?: string;
  readonly attestation: Attestation | null;
  readonly settings: Readonly<Record<string, Json>>;
  readonly warnings: readonly string[];
  readonly ir: Readonly<Record<string, Json>>;
};

export type ProgramVersionList = {
  readonly name: string;
  readonly versions: readonly {
    readonly version: number;
    readonly current: boolean;
    readonly checksum: string;
    readonly source_hash: string | null;
    readonly compiler: string;
    readonly semantics: number;
    readonly created_at: string;
    readonly accepted: {
      readonly by: string | null;
      readonly via: "proxy" | "api" | "file";
      readonly at: string;
      readonly comment: string;
      readonly proposal: string;
      readonly proposed_by: string | null;
    } | null;
    readonly signed: {
      readonly by: string;
      readonly key: string;
      readonly at: string;
      readonly trusted: boolean;
    } | null;
  }[];
  readonly next_cursor: string | null;
};

export type PromoteRequest = { readonly version: number };

export type Proposal = {
  readonly id: string;
  readonly name: string;
  readonly state: "open" | "accepted" | "declined" | "expired";
  readonly base: number | null;
  readonly current: number | null;
  readonly stale: boolean;
  readonly checksum: string;
  readonly source: "api" | "file";
  readonly proposed_by: string | null;
  readonly proposed_via: "proxy" | "api" | "file";
  readonly comment: string | null;
  readonly proposed_at: string;
  readonly expires_at: string;
  readonly decision: {
    readonly by: string | null;
    readonly via: "proxy" | "api" | "file";
    readonly comment: string;
    readonly at: string;
  } | null;
  readonly version: number | null;
  readonly signed: { readonly by: string; readonly key: string; readonly at: string; readonly trusted: boolean } | null;
  readonly newly_reaches:
    | readonly {
        readonly change: string;
        readonly kind: string;
        readonly value: string;
        readonly [name: string]: Json;
      }[]
    | null;
  readonly settings_changes: readonly { readonly name: string; readonly before: Json; readonly after: Json }[];
  readonly source_difference: string;
  readonly difference: Readonly<Record<string, Json>> | null;
  readonly report: Readonly<Record<string, Json>>;
  readonly tests: {
    readonly total: number;
    readonly passed: number;
    readonly fault: string | null;
    readonly results: readonly { readonly name: string; readonly ok: boolean; readonly problems: readonly string[] }[];
  };
  readonly endpoints: readonly Readonly<Record<string, Json>>[];
  readonly schedules: readonly Readonly<Record<string, Json>>[];
  readonly emits: ProgramEmits | null;
  readonly warnings: readonly string[];
  readonly code?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly main?: string;
  readonly settings: Readonly<Record<string, Json>>;
};

export type ProposalList = {
  readonly proposals: readonly {
    readonly id: string;
    readonly name: string;
    readonly state: "open" | "accepted" | "declined" | "expired";
    readonly base: number | null;
    readonly current: number | null;
    readonly stale: boolean;
    readonly checksum: string;
    readonly source: "api" | "file";
    readonly proposed_by: string | null;
    readonly proposed_via: "proxy" | "api" | "file";
    readonly comment: string | null;
    readonly proposed_at: string;
    readonly expires_at: string;
    readonly decision: {
      readonly by: string | null;
      readonly via: "proxy" | "api" | "file";
      readonly comment: string;
      readonly at: string;
    } | null;
    readonly version: number | null;
    readonly signed: {
      readonly by: string;
      readonly key: string;
      readonly at: string;
      readonly trusted: boolean;
    } | null;
  }[];
  readonly next_cursor: string | null;
};

export type ProposalTest = {
  readonly name?: string;
  readonly label?: string;
  readonly frame?: Readonly<Record<string, Json>>;
  readonly limits?: {
    readonly max_steps?: number;
    readonly max_depth?: number;
    readonly max_adapter_calls?: number;
    readonly max_time_ms?: number;
    readonly max_frame_bytes?: number;
    readonly max_loop_iters?: number;
    readonly cleanup_calls?: number;
    readonly cleanup_ms?: number;
  };
  readonly mocks?: Readonly<
    Record<
      string,
      | { readonly args?: readonly Json[]; readonly result: Json }
      | {
          readonly args?: readonly Json[];
          readonly error: {
            readonly code: string;
            readonly message?: string;
            readonly retryable?: boolean;
            readonly retry_after_ms?: number;
          };
        }
      | readonly (
          | { readonly args?: readonly Json[]; readonly result: Json }
          | {
              readonly args?: readonly Json[];
              readonly error: {
                readonly code: string;
                readonly message?: string;
                readonly retryable?: boolean;
                readonly retry_after_ms?: number;
              };
            }
        )[]
    >
  >;
  readonly clock?: string;
  readonly random_seed?: number;
  readonly expect: {
    readonly ok?: boolean;
    readonly result?: Json;
    readonly error?: null | string | Readonly<Record<string, Json>>;
  };
};

export type RecentRunList = {
  readonly runs: readonly {
    readonly trace_id: string;
    readonly ok: boolean;
    readonly error?: string;
    readonly program?: string;
    readonly version?: number;
    readonly name?: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly label: string;
    readonly checksum: string;
    readonly ended_at: string;
    readonly duration_ms: number;
    readonly usage: Usage;
  }[];
};

export type RecordLog = {
  readonly format: "weft-record";
  readonly version: 1;
  readonly program_checksum: string;
  readonly label: string;
  readonly complete: boolean;
  readonly sensitive?: true;
  readonly dropped?: number;
  readonly calls: readonly {
    readonly seq: number;
    readonly label_id: string;
    readonly node_id: string;
    readonly attempt: number;
    readonly adapter: string;
    readonly verb: string;
    readonly ok: boolean;
    readonly [name: string]: Json;
  }[];
};

export type ResultSummary = {
  readonly task_id: string | null;
  readonly status: "ok" | "policy_violation" | "validation_error" | "runtime_error";
  readonly summary: string;
  readonly result: RunSuccess | ErrorBody;
  readonly trace_id: string | null;
  readonly policy_errors: readonly Json[];
  readonly artifacts: readonly { readonly kind: string; readonly uri: string }[];
  readonly review_hint: string | null;
};

export type ResultsRequest = { readonly job_ids: readonly string[]; readonly wait_s?: number | null };

export type RetryRehearsed = {
  readonly ok: true;
  readonly job_id: string;
  readonly dry_run: true;
  readonly records: number;
  readonly next: {
    readonly label: string;
    readonly node: string;
    readonly adapter: string;
    readonly verb: string;
  } | null;
  readonly warnings: readonly string[];
};

export type RetryRequest = {
  readonly from?: "start" | "failure" | { readonly seq: number } | null;
  readonly code?: string | null;
  readonly ir?: Readonly<Record<string, Json>> | null;
  readonly strict?: boolean | null;
  readonly current?: boolean | null;
  readonly dry_run?: boolean | null;
};

export type RollbackRequest = { readonly version: number };

export type RunRequest = {
  readonly code?: string | null;
  readonly ir?: Readonly<Record<string, Json>> | null;
  readonly files?: Readonly<Record<string, string>> | null;
  readonly program?: string | null;
  readonly strict?: boolean | null;
  readonly label?: string | null;
  readonly limits?: {
    readonly max_steps?: number;
    readonly max_depth?: number;
    readonly max_adapter_calls?: number;
    readonly max_time_ms?: number;
    readonly max_frame_bytes?: number;
    readonly max_loop_iters?: number;
    readonly cleanup_calls?: number;
    readonly cleanup_ms?: number;
  } | null;
  readonly allowed_adapters?: readonly string[] | null;
  readonly adapters?: { readonly enable?: readonly string[]; readonly [name: string]: Json } | null;
  readonly policy?: Policy | null;
  readonly trace?: boolean | null;
  readonly trace_options?: {
    readonly max_events?: number | null;
    readonly max_value_bytes?: number | null;
    readonly frame_keys?: boolean | null;
    readonly variables?: boolean | null;
  } | null;
  readonly record_calls?: boolean | null;
  readonly execution_mode?: Json;
  readonly step_fallback?: Json;
  readonly unknown_op_policy?: Json;
  readonly name?: string | null;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly frame?: Readonly<Record<string, Json>> | null;
  readonly replay_log?: readonly Json[] | Readonly<Record<string, Json>> | null;
  readonly replay_artifact_id?: string | null;
};

export type RunSuccess = {
  readonly ok: true;
  readonly trace_id: string;
  readonly label: string;
  readonly out: Json;
  readonly runtime_version: string;
  readonly ir_version: string;
  readonly duration_ms: number;
  readonly adapter_p95_ms: Readonly<Record<string, number>>;
  readonly usage: Usage;
  readonly limits: Limits;
  readonly stats: {
    readonly compile_ms: number;
    readonly run_ms: number;
    readonly cache_hit: boolean;
    readonly checksum: string;
  };
  readonly warnings: readonly string[];
  readonly printed?: string;
  readonly printed_dropped?: number;
  readonly trace?: readonly {
    readonly seq: number;
    readonly kind: "step" | "retry" | "error" | "end";
    readonly [name: string]: Json;
  }[];
  readonly record?: RecordLog;
  readonly adapter_calls?: readonly {
    readonly seq: number;
    readonly label_id: string;
    readonly node_id: string;
    readonly attempt: number;
    readonly adapter: string;
    readonly verb: string;
    readonly ok: boolean;
    readonly [name: string]: Json;
  }[];
  readonly replay?: { readonly matched: number; readonly remaining: number };
  readonly replay_artifact_id?: string;
};

export type Schedule = {
  readonly id: string;
  readonly program: string;
  readonly version: number;
  readonly cron: string;
  readonly tz: string;
  readonly label: string;
  readonly frame: Readonly<Record<string, Json>>;
  readonly jitter_s: number;
  readonly overlap: "skip" | "queue" | "replace" | "allow";
  readonly catch_up: "none" | "last" | "all";
  readonly catch_up_window_s: number;
  readonly from?: string;
  readonly until?: string;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly paused_because?: string;
  readonly next_at: string | null;
  readonly fires?: readonly {
    readonly due_at: string;
    readonly outcome: "fired" | "waiting" | "skipped_overlap" | "missed" | "paused" | "refused";
    readonly at: string;
    readonly job_id?: string;
    readonly error?: string;
  }[];
};

export type ScheduleChange = { readonly paused: boolean };

export type ScheduleList = { readonly schedules: readonly Schedule[]; readonly next_cursor: string | null };

export type ScheduleRun = { readonly ok: true; readonly job_id: string };

export type SignalAccepted = {
  readonly ok: true;
  readonly id: string;
  readonly delivered: "now" | "kept";
  readonly jobs: number;
  readonly warnings?: readonly string[];
};

export type SignalRequest = {
  readonly data?: Json;
  readonly id?: string | null;
  readonly key: string;
  readonly keep_s?: number | null;
};

export type Usage = {
  readonly steps: number;
  readonly depth: number;
  readonly adapter_calls: number;
  readonly time_ms: number;
  readonly frame_bytes: number | null;
  readonly loop_iters: number;
  readonly parked_ms?: number;
  readonly resumes?: number;
  readonly llm?: {
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number;
    readonly models: Readonly<
      Record<
        string,
        { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number; readonly cost: number }
      >
    >;
  };
  readonly shared?: {
    readonly steps: number;
    readonly adapter_calls: number;
    readonly llm?: {
      readonly calls: number;
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly cost: number;
      readonly models: Readonly<
        Record<
          string,
          {
            readonly calls: number;
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly cost: number;
          }
        >
      >;
    };
  };
  readonly charged?: {
    readonly steps: number;
    readonly adapter_calls: number;
    readonly llm?: {
      readonly calls: number;
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly cost: number;
      readonly models: Readonly<
        Record<
          string,
          {
            readonly calls: number;
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly cost: number;
          }
        >
      >;
    };
  };
};

export type Violation = {
  readonly code: string;
  readonly message: string;
  readonly data: {
    readonly label_id: string;
    readonly node_id: string;
    readonly adapter?: string;
    readonly verb?: string;
    readonly effect?: string;
    readonly effect_tier?: string;
    readonly privilege_tier?: string;
    readonly matched?: readonly string[];
    readonly lineno?: number;
    readonly file?: string;
    readonly rule?: {
      readonly member: string;
      readonly value: string | boolean;
      readonly source: string;
      readonly sources?: readonly string[];
    };
  };
};
