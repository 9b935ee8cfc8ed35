/** POST /jobs/cancel and POST /jobs/retry: what the routes of one job do, for all jobs that a filter finds, one after the other. */
import type { RequestCall } from "../../http/request-context.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { retry } from "../../routes/result-retry.ts";
import { checked } from "../../run/read-request.ts";
import { BulkAction, type BulkActionMembers, BulkDone, BulkMeaning, BulkRetry } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { FAILED } from "../answers/dead-letters.ts";
import { type Job, type JobStatus, PARKED } from "../job.ts";
import type { Jobs } from "../jobs.ts";
import { checkSearched, filterOf } from "./jobs-query.ts";

const CANCELLABLE: readonly JobStatus[] = ["queued", "running", ...PARKED];
const RETRYABLE: readonly JobStatus[] = [...FAILED, "cancelled"];

type Left = { readonly job_id: string; readonly error: string; readonly message: string };
/** What came of one job: the id of its new job, null where it has no new job. */
type Act = (job: Job) => Promise<string | null>;

export function jobsBulkRoutes(app: ServiceApp, services: Services, jobs: Jobs): void {
  const { store, log } = jobs;
  const act = async (asked: BulkActionMembers, may: readonly JobStatus[], each: Act) => {
    const { limit, dry_run, current: _current, ...filters } = asked;
    checkSearched(filters, services);
    const wanted = { ...filterOf(filters, may), limit: limit + 1, order: "oldest" as const, after: null };
    const found = await store.list({ ...wanted, statuses: wanted.statuses.filter((status) => may.includes(status)) });
    const done: string[] = [];
    const made: string[] = [];
    const left: Left[] = [];
    for (const job of found.slice(0, limit)) {
      try {
        const id = dry_run ? null : await each(job);
        done.push(job.id);
        if (id !== null) made.push(id);
      } catch (cause) {
        if (!(cause instanceof ServiceFault)) throw cause;
        left.push({ job_id: job.id, error: cause.error, message: cause.message });
        // The others would meet the same.
        if (cause.error === "queue_full" || cause.error === "store_unavailable") break;
      }
    }
    const more = found.length > limit;
    return { ok: true as const, count: done.length, job_ids: done, made, left, more, dry_run };
  };

  app.route({
    method: "POST",
    url: "/jobs/cancel",
    config: { work: "settles" },
    schema: {
      operationId: "cancelJobs",
      summary: "Cancels the jobs that a filter finds",
      body: BulkAction,
      response: responses({ 200: BulkDone }, [...refusalsOfBodies, "values_hidden", "store_unavailable"]),
    },
    handler: async ({ body, validationError }, reply) => {
      if (validationError !== undefined) throw validationError;
      const { made: _made, ...answer } = await act(meant(body), CANCELLABLE, async ({ id }) => {
        const cancelled = await store.cancel(id);
        if (cancelled?.moved !== true) throw new ServiceFault("job_not_found", "the job has ended");
        if (cancelled.job.status === "cancelled") log.ended(cancelled.job);
        return null;
      });
      return send(reply, jsonAnswer(200, answer));
    },
  });

  app.route({
    method: "POST",
    url: "/jobs/discard",
    config: { work: "settles" },
    schema: {
      operationId: "discardJobs",
      summary: "Marks the dead letters that a filter finds as done, without a retry",
      body: BulkAction,
      response: responses({ 200: BulkDone }, [...refusalsOfBodies, "values_hidden", "store_unavailable"]),
    },
    handler: async ({ body, validationError }, reply) => {
      if (validationError !== undefined) throw validationError;
      const { made: _made, ...answer } = await act({ ...meant(body), dead: "1" }, FAILED, async ({ id }) => {
        if (!(await store.dead.discard(id))) throw new ServiceFault("job_not_found", "the job is not a dead letter");
        return null;
      });
      return send(reply, jsonAnswer(200, answer));
    },
  });

  app.route({
    method: "POST",
    url: "/jobs/retry",
    config: { work: true },
    schema: {
      operationId: "retryJobs",
      summary: "Queues a new job from the start for each job that a filter finds and that did not succeed",
      body: BulkRetry,
      response: responses({ 200: BulkDone }, [...refusalsOfBodies, "values_hidden", "store_unavailable"]),
    },
    handler: async ({ body, validationError, call }, reply) => {
      if (validationError !== undefined) throw validationError;
      const asked = meant(body);
      const { current } = asked;
      const { made, ...answer } = await act(asked, RETRYABLE, ({ id }) =>
        retried(services, jobs, { id, current, call }),
      );
      return send(reply, jsonAnswer(200, { ...answer, new_job_ids: made }));
    },
  });
}

/** Throws ServiceFault invalid_request. */
function meant(body: unknown): BulkActionMembers {
  const read = checked(BulkMeaning, body);
  if ("error" in read) throw read.error;
  return read.value;
}

type Retried = { readonly id: string; readonly current: boolean; readonly call: RequestCall };

async function retried(services: Services, jobs: Jobs, { id, current, call }: Retried): Promise<string> {
  const { body } = await retry(services, jobs, { id, from: "start", current, call }, null);
  return (JSON.parse(String(body)) as { readonly job_id: string }).job_id;
}
