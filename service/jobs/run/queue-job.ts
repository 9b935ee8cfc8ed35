/** Putting checked jobs in line: the one way for new jobs and for retries. */

import { inProgress } from "../../run/answer-once.ts";
import type { HeldKey } from "../../run/idempotency-store.ts";
import type { Services } from "../../services.ts";
import type { Answer } from "../../wire/answer.ts";
import { acceptedAnswer } from "../answers/bodies.ts";
import { dropped, existing, keyTaken, queueFull } from "../answers/documents.ts";
import { type FlowAsked, jobFlow, needsInputs } from "../flow/flow-of.ts";
import { gatheredText } from "../flow/gathered-text.ts";
import type { Submission, SubmittedJob } from "../job.ts";
import { jobId, jobIds } from "../job-id.ts";
import { searchedIn } from "../job-search.ts";
import type { Jobs } from "../jobs.ts";

/** `searches`: inputs by which the jobs are found. `rules`: what is said about when they begin; null: nothing. */
type Wanted = Omit<Submission, "queuedMs" | "bulk" | "jobs" | "search" | "flow"> & {
  readonly searches?: readonly string[];
  readonly rules: FlowAsked | null;
};

/**
 * One job. Its trace is that of its request, or the one given: call ids, and the keys of writes with them, begin with it. Answers when
 * the job is durable. Throws ServiceFault queue_full, store_unavailable and idempotency_in_progress.
 */
export function queueJob(
  services: Services,
  jobs: Jobs,
  wanted: Wanted,
  { frame, traceId = wanted.traceId }: { readonly frame: SubmittedJob["frame"]; readonly traceId?: string },
  key: HeldKey | null,
): Promise<Answer> {
  const queuedMs = jobs.now();
  const job = { id: jobId(queuedMs, services.freshId()), traceId, frame };
  return submit(services, jobs, wanted, { queuedMs, bulk: false, jobs: [job] }, key);
}

/** A job for each frame, each with a trace of its own; all are queued, or none. As `queueJob`. */
export function queueJobs(
  services: Services,
  jobs: Jobs,
  wanted: Wanted,
  frames: readonly string[],
  key: HeldKey | null,
): Promise<Answer> {
  const queuedMs = jobs.now();
  const { freshId } = services;
  // In order: they are listed, and run, in the order of the frames.
  const ids = jobIds(queuedMs, frames.length, freshId);
  const each = frames.map((frame, at): SubmittedJob => ({ id: ids[at] ?? "", traceId: freshId(), frame }));
  return submit(services, jobs, wanted, { queuedMs, bulk: true, jobs: each }, key);
}

/** With what holds each of the jobs back. Throws ServiceFault flow_key_invalid. */
export function withFlow({ rules, ...submission }: Submission & Pick<Wanted, "rules">): Submission {
  if (rules === null) return submission;
  const { queuedMs, checksum } = submission;
  const needs = needsInputs(rules);
  const flow = submission.jobs.map(({ frame }) =>
    jobFlow(rules, needs && frame !== null ? JSON.parse(frame) : {}, queuedMs, checksum),
  );
  const isList = rules.batch != null;
  const jobs = isList ? submission.jobs.map((job) => ({ ...job, frame: gatheredText(job.frame) })) : submission.jobs;
  if (flow.every((one) => one === null)) return submission;
  const latest = Math.max(...flow.map((one) => one?.afterMs ?? queuedMs));
  const { durable } = submission;
  // Its life begins when it may.
  const lives = durable == null ? durable : { ...durable, lifetimeMs: durable.lifetimeMs + latest - queuedMs };
  return { ...submission, jobs, ...(lives === undefined ? {} : { durable: lives }), flow };
}

async function submit(
  { config }: Services,
  { store, log }: Jobs,
  { searches = [], ...wanted }: Wanted,
  own: Pick<Submission, "queuedMs" | "bulk" | "jobs">,
  key: HeldKey | null,
): Promise<Answer> {
  const search = searchedIn(
    own.jobs.map(({ frame }) => frame),
    searches,
  );
  const submission = withFlow({ ...wanted, ...own, search });
  const { queueMax } = config.jobs;
  const queued = await store.enqueue(submission, { most: queueMax, key });
  if (queued.state === "full") throw queueFull(queueMax, submission.jobs.length, queued);
  if (queued.state === "key_lost") throw inProgress();
  if (queued.state === "no_journal") throw existing(null);
  if (queued.state === "dropped") throw dropped();
  if (queued.state === "taken") throw keyTaken(queued.by);
  const queuedIds = queued.ids === undefined ? null : new Set(queued.ids);
  log.queued({ ...submission, jobs: submission.jobs.filter(({ id }) => queuedIds?.has(id) ?? true) });
  return acceptedAnswer(submission, queued);
}
