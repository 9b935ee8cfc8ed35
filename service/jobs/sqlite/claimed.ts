/** The jobs of a claim, put together from what the thread of the database tells of them: rows, and once what several of them share. */
import type { ClaimedJob } from "../job.ts";
import type { Claimed, ClaimedSubmission } from "./job-tables.ts";

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
    };
  });
}
