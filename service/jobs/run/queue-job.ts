/** Putting checked jobs in line: the one way for new jobs and for retries. */

import { inProgress } from "../../run/answer-once.ts";
import type { HeldKey } from "../../run/idempotency-store.ts";
import type { Services } from "../../services.ts";
import type { Answer } from "../../wire/answer.ts";
import { acceptedAnswer } from "../answers/bodies.ts";
import { existing, queueFull } from "../answers/documents.ts";
import type { Submission, SubmittedJob } from "../job.ts";
import { jobId, jobIds } from "../job-id.ts";
import { searchedIn } from "../job-search.ts";
import type { Jobs } from "../jobs.ts";

/** `searches`: inputs by which the jobs are found. */
type Wanted = Omit<Submission, "queuedMs" | "bulk" | "jobs" | "search"> & { readonly searches?: readonly string[] };

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
  const submission: Submission = { ...wanted, ...own, search };
  const { queueMax } = config.jobs;
  const queued = await store.enqueue(submission, { most: queueMax, key });
  if (queued.state === "full") throw queueFull(queueMax, submission.jobs.length, queued);
  if (queued.state === "key_lost") throw inProgress();
  if (queued.state === "no_journal") throw existing(null);
  log.queued(submission);
  return acceptedAnswer(submission, queued.position);
}
