/** Results and answers that stores write themselves: for runs whose process died, and for requests that queued a job. */
import { type Limits, NO_USAGE, type Usage } from "../../../vm/run.ts";
import { INTERRUPTION_REASONS } from "../../../vm/words/reasons.ts";
import type { TextAnswer } from "../../wire/answer.ts";
import { asText, jsonAnswer } from "../../wire/answers.ts";
import type { Job, JobStatus, Submission } from "../job.ts";

const MESSAGES = {
  lifetime_exceeded: "the lifetime of the job is over",
  interrupted: "the process ended during the run; its effects may have happened",
  cancelled: "the job was cancelled",
  expired: "the job was not begun in time",
  timeout_exceeded: "the job ran for longer than its timeout",
} as const;

/** What is known of a run whose process died. `usage`: the last that the run sent; the real usage may be higher. */
export type RunSoFar = { readonly limits: Limits | undefined; readonly usage: Usage };

/** JSON of the result of a job, or the answer of a request, whose run did not come to its end. */
export function endedBody(
  traceId: string,
  error: keyof typeof MESSAGES,
  known?: RunSoFar,
  reason?: InterruptedBecause,
): string {
  const because = reason === undefined ? {} : { reason };
  const message = reason === undefined ? MESSAGES[error] : INTERRUPTION_REASONS[reason].title;
  return JSON.stringify({ ok: false, trace_id: traceId, error, message, ...because, ...known });
}

/** A job that a rule answers with, in place of a new one. */
export type ThereJob = Pick<Job, "id" | "status">;

/**
 * `position`: queued jobs ahead of the first. `ids`: where rules decided about jobs, of each that was asked for; null: it was not queued. `there`: which of
 * those were there before.
 */
export type QueuedAnswer = {
  readonly position: number;
  readonly ids?: readonly (string | null)[];
  readonly there?: readonly ThereJob[];
};

/** Why a durable job does not continue. */
export type InterruptedBecause = keyof typeof INTERRUPTION_REASONS;

/** Of a durable job whose lifetime is over. `usage`: of its run, where that came to its end with it. */
export function lifetimeResult(traceId: string, request: string, usage?: Usage): string {
  return endedBody(traceId, "lifetime_exceeded", soFarOf(request, null, usage));
}

/** Of a job whose time to begin is over (`start_by_s`). */
export function notBegunResult(traceId: string, request: string): string {
  return endedBody(traceId, "expired", toldSoFar(request, null));
}

/** The result that a store gives to a job it moves by itself; null: the job has none. */
export function ownResult(
  status: JobStatus,
  traceId: string,
  known: RunSoFar,
  reason?: InterruptedBecause,
): string | null {
  return status === "cancelled" || status === "interrupted" ? endedBody(traceId, status, known, reason) : null;
}

/**
 * The result of a job that is cancelled before it starts; null for other moves. `request`: the stored part of its request. `replacedBy`: id of the job that
 * rules queued in its place.
 */
export function unbegunResult(
  status: JobStatus,
  traceId: string,
  request: string,
  replacedBy: string | null = null,
): string | null {
  if (status !== "cancelled") return null;
  const known = toldSoFar(request, null);
  if (replacedBy === null) return endedBody(traceId, "cancelled", known);
  const cancelled = { ok: false, trace_id: traceId, error: "cancelled", message: "a later job takes its place" };
  return JSON.stringify({ ...cancelled, replaced_by: replacedBy, ...known });
}

/** `request`: what is kept of it. `progress`: data of the last event that told what its run used; null: there was none. */
export function toldSoFar(request: string, progress: string | null): RunSoFar {
  // Those of earlier versions did not keep their limits.
  const { limits } = JSON.parse(request) as Pick<RunSoFar, "limits">;
  return { limits, usage: progress === null ? NO_USAGE : (JSON.parse(progress) as { readonly usage: Usage }).usage };
}

/** `known`: of its run; null: nothing. `usage`: what the run used that came to its end. */
export function soFarOf(request: string, known: RunSoFar | null, usage?: Usage): RunSoFar {
  const soFar = known ?? toldSoFar(request, null);
  return usage === undefined ? soFar : { ...soFar, usage };
}

/** The answer to a request whose process died while it ran. */
export function interruptedAnswer(traceId: string): TextAnswer {
  return { ...jsonAnswer(200, {}), body: `${endedBody(traceId, "interrupted")}\n` };
}

/** The answer to the request that queued jobs: `position` of the first, and what rules decided about them. */
export function acceptedAnswer(submission: Submission, { position, ids, there = [] }: QueuedAnswer): TextAnswer {
  const { bulk, traceId, queuedMs, retryOf, warnings } = submission;
  const all = ids ?? submission.jobs.map(({ id }) => id);
  const [first] = all;
  const [existing] = there;
  const named = bulk
    ? { count: all.filter((id) => id !== null).length, job_ids: all, status: "queued" }
    : { job_id: first, id: first, status: existing?.status ?? "queued" };
  const known = bulk ? { existing: there.map(({ id }) => id) } : { existing: true };
  const body = {
    ok: true,
    ...named,
    trace_id: traceId,
    ...(!bulk && existing !== undefined ? {} : { position }),
    ...(existing === undefined ? {} : known),
    queued_at: new Date(queuedMs).toISOString(),
    ...(retryOf === null ? {} : { retry_of: retryOf }),
    warnings,
  };
  const place = bulk ? {} : { location: `/result/${first}` };
  return asText(jsonAnswer(202, body, { ...place, "retry-after": "1" }));
}
