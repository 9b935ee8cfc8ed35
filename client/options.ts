/** What may be said along with a request. */
import type { BulkAction, ErrorBody, RunSuccess } from "./api-types.ts";
import type { Until } from "./job-states.ts";
import type { Call } from "./wire.ts";

/** What came of a run: its value, or its error. */
export type RunAnswer = RunSuccess | ErrorBody;

/** `key`: the request has one effect however often it is sent under this key. Default: a fresh one. */
export type Keyed = Call & { readonly key?: string };
/** `ifVersion`: fail with `version_conflict` when another version is current. */
export type Guarded = Call & { readonly ifVersion?: number };
/** `dryRun`: change nothing. `next`: the current version stays, and the new one is next to it, with no share of calls. */
export type DeployOptions = Guarded & { readonly dryRun?: boolean; readonly next?: boolean };

/** Of a journal. */
export type Records = { readonly after?: number; readonly limit?: number };
/** `values`: with values, where the service shows them. */
export type Shown = { readonly values?: boolean };

/** How the frames of a batch are sent. */
export type BatchOptions = Call & {
  /** Frames of one request. Default 1,000; a service takes 100,000 unless it was set up otherwise. */
  readonly chunk?: number;
  /** Frames whose results a broken stream has lost run again. Default false: the batch fails with `stream_cut`. */
  readonly repeatCut?: boolean;
  /** What a result says: `full` (default) everything, as they are made; `lean` its value, in the order of the frames; `out` the value alone. */
  readonly rows?: "full" | "lean" | "out";
};

/** How long a job is waited for. */
export type WaitOptions = Call &
  Until & {
    /** Fails with `wait_timeout` when the job is not over by then. Default: no bound. */
    readonly timeoutMs?: number;
  };

/** Parameters of GET /jobs (docs/jobs.md, find jobs). */
export type JobFilter = Readonly<Partial<Record<keyof BulkAction | "q" | "order" | "cursor", string | number>>>;

/** Parameters of GET /approvals (docs/approvals.md, decide). `to`: names with commas between them. */
export type ApprovalFilter = Readonly<Partial<Record<"state" | "to" | "job" | "limit" | "cursor", string | number>>>;

/** Parameters of GET /proposals (docs/proposals.md, deciding). */
export type ProposalFilter = Readonly<Partial<Record<"state" | "program" | "limit" | "cursor", string | number>>>;

/** Not `randomUUID`, which browsers offer on secure pages only. */
function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The header of a request that has one effect under its key. */
export function keyed(key: string = freshKey()): Readonly<Record<string, string>> {
  return { "idempotency-key": key };
}

/** The header of a request that is refused when another version is current; undefined: none is meant. */
export function guarded(version: number | undefined): Readonly<Record<string, string>> {
  return version === undefined ? {} : { "if-match": `"${version}"` };
}

export type EventFilter = { readonly name?: string; readonly limit?: number; readonly cursor?: string };

type Query = Readonly<Record<string, number | undefined>>;

/** Asks for something that is shown as shapes, or with values. */
export function shownWith(values: boolean, signal: AbortSignal | undefined, query: Query = {}) {
  return { query: { ...query, values: values ? 1 : undefined }, signal, repeatable: true };
}
