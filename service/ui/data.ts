/** Shapes of the API that the pages show (docs/jobs.md, docs/programs.md, docs/http.md). */
import type { Json, JsonObject } from "./api.ts";

export type ListedJob = {
  readonly job_id: string;
  readonly status: string;
  readonly label: string;
  readonly program?: string;
  readonly version?: number | null;
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly schedule?: string;
  readonly due_at?: string;
  readonly attempt: number;
  readonly queued_at: string;
  readonly started_at?: string;
  readonly finished_at?: string;
  readonly duration_ms?: number;
  readonly error?: string;
};

export type Meters = Readonly<Record<string, number | null>>;

export type RunResult = {
  readonly ok: boolean;
  readonly out?: Json;
  readonly error?: string;
  readonly message?: string;
  readonly error_structured?: {
    readonly code: string;
    readonly message: string;
    readonly label?: string;
    readonly node?: string;
    readonly line?: number;
    readonly stack?: readonly string[];
  };
  readonly usage?: Meters;
  readonly limits?: Meters;
  readonly warnings?: readonly string[];
};

export type Job = ListedJob & {
  readonly trace_id: string;
  readonly durable?: boolean;
  /** How often it was continued, after a wait or an interruption. */
  readonly resumes?: number;
  readonly position?: number;
  readonly retry_of?: string;
  readonly expires_at?: string;
  readonly result?: RunResult;
};

export type JobWait = {
  readonly wait: string;
  readonly kind: "timer" | "signal" | "approval" | "outcome";
  readonly names?: readonly string[];
  readonly keyed?: boolean;
  readonly of?: number;
  readonly approval?: string;
  readonly label?: string;
  readonly node?: string;
  readonly since: string;
  readonly until: string | null;
  readonly ended_at: string | null;
};
export type Approval = {
  readonly approval_id: string;
  readonly job_id: string;
  readonly state: string;
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
  readonly decision: string | null;
  readonly answers: readonly {
    readonly choice: string;
    readonly by: string | null;
    readonly via: string;
    readonly comment?: string | null;
    readonly at: string;
  }[];
};
export type ApprovalPage = { readonly approvals: readonly Approval[] };

export type JobWaits = { readonly waits: readonly JobWait[]; readonly unread: Readonly<Record<string, number>> };

/** `kind` says which of the members a record has (docs/durable.md). */
export type JournalRecord = {
  readonly seq: number;
  readonly kind: string;
  readonly at: string;
  readonly branch?: string;
  readonly label?: string;
  readonly node?: string;
  readonly visit?: number;
  readonly attempt?: number;
  readonly adapter?: string;
  readonly verb?: string;
  readonly ok?: boolean;
  readonly ms?: number;
  readonly until?: number;
  readonly why?: string;
  readonly of?: number;
  readonly decision?: string;
  readonly wait_kind?: string;
  readonly error_code?: string;
  /** With values only. */
  readonly spec?: { readonly kind: string };
  readonly result?: Json;
  readonly error?: JsonObject;
};
export type JournalPage = { readonly records: readonly JournalRecord[]; readonly next_after: number | null };

export type JobPage = { readonly jobs: readonly ListedJob[]; readonly next_cursor: string | null };

export type ListedProgram = {
  readonly name: string;
  readonly version: number;
  readonly checksum: string;
  readonly enabled: boolean;
  readonly source: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly deployed_at: string;
};

type Endpoint = {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly label: string;
  readonly mode: string;
};
export type Program = ListedProgram & {
  readonly endpoints: readonly Endpoint[];
  readonly schedules: readonly {
    readonly id: string;
    readonly cron: string;
    readonly tz: string;
    readonly label: string;
    readonly next: readonly string[];
  }[];
  readonly warnings: readonly string[];
};
export type Version = {
  readonly version: number;
  readonly current: boolean;
  readonly checksum: string;
  readonly compiler: string;
  readonly created_at: string;
  readonly code?: string;
  readonly settings?: JsonObject;
};

export type Schedule = {
  readonly id: string;
  readonly program: string;
  readonly version: number;
  readonly cron: string;
  readonly tz: string;
  readonly label: string;
  readonly overlap: string;
  readonly catch_up: string;
  readonly enabled: boolean;
  readonly paused: boolean;
  readonly paused_because?: string | null;
  readonly next_at: string | null;
  readonly fires?: readonly { readonly due_at: string; readonly outcome: string; readonly job_id?: string | null }[];
};

export type Figures = {
  readonly runs_total: number;
  readonly failures_total: number;
  readonly queue_depth: number;
  readonly runs_in_flight: number;
  readonly p95_duration_ms: number | null;
  readonly adapter_p95_duration_ms: Readonly<Record<string, number>>;
  readonly jobs_by_state: Readonly<Record<string, number>>;
  readonly oldest_queued_age_ms: number | null;
  readonly workers_busy: number;
  readonly workers: number;
  readonly memory_rss_bytes: number;
  readonly event_loop_lag_ms_p99: number | null;
};
