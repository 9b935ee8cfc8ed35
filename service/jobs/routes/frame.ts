/** GET /result/{id}/frame: the variables that a job began with, or is to begin with. */
import * as z from "zod";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobFrame, ValuesQuery } from "../../schemas/durable.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { responses } from "../../wire/responses.ts";
import { existing, jobExpired, jobIdIn } from "../answers/documents.ts";
import { shapesOf } from "../answers/shapes.ts";
import { ValueViews } from "../answers/value-views.ts";
import type { JobWork } from "../job.ts";
import type { Jobs } from "../jobs.ts";
import type { JobRequest } from "../run/job-request.ts";

/** Values of a larger one are not shown. */
const MAX_SHOWN_BYTES = 64 * 1024;

export function frameRoute(app: ServiceApp, services: Services, { store }: Jobs): void {
  const views = new ValueViews(services);
  app.route({
    method: "GET",
    url: "/result/:id/frame",
    schema: {
      operationId: "jobFrame",
      summary: "The variables that a job begins with",
      params: z.object({ id: z.string() }),
      querystring: ValuesQuery,
      response: responses({ 200: JobFrame }, ["job_not_found", "job_expired", "values_hidden", "store_unavailable"]),
    },
    handler: async ({ params, query, ip, call }, reply) => {
      const job = existing(await store.find(jobIdIn(params)));
      const withValues = views.asked(query, job.id, ip, call.context);
      const work = await store.work(job.id);
      // It expired meanwhile.
      if (work === null) throw jobExpired(job.id);
      const text = frameText(work);
      const bytes = Buffer.byteLength(text);
      const isShown = withValues && bytes <= MAX_SHOWN_BYTES;
      const head = { job_id: job.id, bytes, shown: isShown ? "values" : "shapes" };
      if (!isShown) return send(reply, jsonAnswer(200, { ...head, frame: shapesOf(JSON.parse(text)) }));
      // As it was written: a number may have more digits than JavaScript keeps.
      const body = `${JSON.stringify(head).slice(0, -1)},"frame":${text}}`;
      return send(reply, { ...jsonAnswer(200, {}), body });
    },
  });
}

/** Those of earlier versions stand in the request. */
function frameText({ frame, request }: Pick<JobWork, "frame" | "request">): string {
  return frame ?? JSON.stringify((JSON.parse(request) as JobRequest).asked["frame"] ?? {});
}
