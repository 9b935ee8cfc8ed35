/** Results and answers that stores write themselves: of runs that nobody is left to report, and of requests that queued a job. */
import { type Limits, NO_USAGE, type Usage } from "../../vm/run.ts";
import { type Answer, jsonAnswer } from "../answers.ts";
import type { JobStatus, Submission } from "./job.ts";
import type { JobRequest } from "./job-request.ts";

const MESSAGES = {
  interrupted: "the process ended during the run; its effects may have happened",
  cancelled: "the job was cancelled",
} as const;

/** What is known of a run that nobody reports the end of. `usage`: as it told it last, so it may have used more. */
export type RunSoFar = { readonly limits: Limits | undefined; readonly usage: Usage };

/** JSON of the result of a job, or the answer of a request, whose run did not come to its end. */
export function endedBody(traceId: string, error: keyof typeof MESSAGES, known?: RunSoFar): string {
  return JSON.stringify({ ok: false, trace_id: traceId, error, message: MESSAGES[error], ...known });
}

/** The result that a store gives to a job it moves by itself; null: the job has none. */
export function ownResult(status: JobStatus, traceId: string, known: RunSoFar): string | null {
  return status === "cancelled" || status === "interrupted" ? endedBody(traceId, status, known) : null;
}

/** The result of a job that is cancelled before it begins; null for one that goes on. `request`: what is kept of its request. */
export function unbegunResult(status: JobStatus, traceId: string, request: string): string | null {
  return status === "cancelled" ? endedBody(traceId, "cancelled", toldSoFar(request, null)) : null;
}

/** `request`: what is kept of it. `progress`: data of the last event that told what its run used; null: there was none. */
export function toldSoFar(request: string, progress: string | null): RunSoFar {
  // Those of earlier versions did not keep their limits.
  const { limits } = JSON.parse(request) as Partial<JobRequest>;
  return { limits, usage: progress === null ? NO_USAGE : (JSON.parse(progress) as { readonly usage: Usage }).usage };
}

/** The answer to a request whose process died while it ran. */
export function interruptedAnswer(traceId: string): Answer {
  return { ...jsonAnswer(200, {}), body: `${endedBody(traceId, "interrupted")}\n` };
}

/** The answer to the request that queued jobs. `position`: jobs ahead of the first. */
export function acceptedAnswer(submission: Submission, position: number): Answer {
  const { jobs, bulk, traceId, queuedMs, retryOf, warnings } = submission;
  const [first] = jobs;
  const named = bulk ? { count: jobs.length, job_ids: jobs.map(({ id }) => id) } : { job_id: first?.id, id: first?.id };
  const body = {
    ok: true,
    ...named,
    status: "queued",
    trace_id: traceId,
    position,
    queued_at: new Date(queuedMs).toISOString(),
    ...(retryOf === null ? {} : { retry_of: retryOf }),
    warnings,
  };
  const place = bulk ? {} : { location: `/result/${first?.id}` };
  return jsonAnswer(202, body, { ...place, "retry-after": "1" });
}
