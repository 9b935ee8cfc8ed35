/** Putting a checked job in line: the one way for new jobs and for retries. */
import type { Answer } from "../answers.ts";
import type { KeyOfRequest } from "../idempotency.ts";
import type { Services } from "../services.ts";
import { acceptedAnswer } from "./bodies.ts";
import { queueFull } from "./documents.ts";
import type { NewJob } from "./job.ts";
import { jobId } from "./job-id.ts";
import type { Jobs } from "./part.ts";

/** Answers when the job is durable. Throws ServiceFault queue_full and store_unavailable. */
export async function queueJob(
  { config, freshId }: Services,
  { store, log, now }: Jobs,
  wanted: Omit<NewJob, "id" | "queuedMs">,
  key: KeyOfRequest | null,
): Promise<Answer> {
  const queuedMs = now();
  const job: NewJob = { id: jobId(queuedMs, freshId()), queuedMs, ...wanted };
  const { queueMax } = config.jobs;
  const queued = await store.enqueue(job, { most: queueMax, key });
  if (queued.state === "full") throw queueFull(queueMax);
  log.queued({ status: "queued", attempt: 0, startedMs: null, finishedMs: null, ...job });
  return acceptedAnswer(job, queued.position);
}
