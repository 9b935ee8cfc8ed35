/** The jobs of a claim, put together from what the thread of the database tells of them: rows, and once what several of them share. */
import type { ClaimedJob, JobWork } from "../job.ts";
import type { Row } from "./job-rows.ts";

/** A job that was claimed. */
export type ClaimedRow = readonly [
  id: string,
  submission: number,
  traceId: string,
  /** Before this claim. */
  attempt: number,
  startedMs: number | null,
  frame: string | null,
  number: number,
];
export type ClaimedSubmission = Pick<Row, "label" | "retry" | "queued_ms" | "keep_ms" | "retry_of"> &
  Pick<JobWork, "request" | "traceparent" | "tracestate" | "checksum">;
/** What several jobs have in common is told once. */
export type Claimed = {
  readonly rows: readonly ClaimedRow[];
  /** By number. */
  readonly submissions: ReadonlyMap<number, ClaimedSubmission>;
  /** By checksum. */
  readonly programs: ReadonlyMap<string, string>;
};

export function claimedJobs(
  { rows, submissions, programs }: Claimed,
  owner: string,
  now: number,
): readonly ClaimedJob[] {
  return rows.map(([id, number, traceId, attempt, startedMs, frame]): ClaimedJob => {
    const shared = submissions.get(number) as ClaimedSubmission;
    return {
      id,
      status: "running",
      traceId,
      label: shared.label,
      attempt: attempt + 1,
      retry: shared.retry === 1,
      queuedMs: shared.queued_ms,
      startedMs: startedMs ?? now,
      finishedMs: null,
      expiresMs: null,
      retryOf: shared.retry_of,
      owner,
      keepMs: shared.keep_ms,
      request: shared.request,
      frame,
      program: programs.get(shared.checksum) ?? "",
      checksum: shared.checksum,
      traceparent: shared.traceparent,
      tracestate: shared.tracestate,
    };
  });
}
