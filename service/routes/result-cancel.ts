/** DELETE /result/{id}: a queued job is over at once, a running one is asked to end; a job that is over stays as it is. */
import * as z from "zod";
import type { ServiceApp } from "../http/service-app.ts";
import { existing, jobIdIn } from "../jobs/answers/documents.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { JobChanged } from "../schemas/jobs.ts";
import { jsonAnswer, send } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";

export function resultCancelRoute(app: ServiceApp, { store, log }: Jobs): void {
  app.route({
    method: "DELETE",
    url: "/result/:id",
    schema: {
      operationId: "cancelJob",
      summary: "Cancels a job",
      params: z.object({ id: z.string() }),
      response: responses({ 200: JobChanged, 202: JobChanged }, ["job_not_found", "job_expired", "store_unavailable"]),
    },
    handler: async ({ params }, reply) => {
      const id = jobIdIn(params);
      const cancelled = await store.cancel(id);
      const job = existing(cancelled?.job ?? null);
      if (cancelled?.moved === true && job.status === "cancelled") log.ended(job);
      // One that waited is in line to clean up.
      const state = cancelled?.moved === true && job.status === "queued" ? "cancelling" : job.status;
      return send(reply, jsonAnswer(state === "cancelling" ? 202 : 200, { job_id: job.id, status: state }));
    },
  });
}
