/** GET /result/{id}/family: the jobs that belong together with one, because one of them started the others. */
import * as z from "zod";
import type { ServiceApp } from "../../http/service-app.ts";
import { FamilyTree } from "../../schemas/durable.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { responses } from "../../wire/responses.ts";
import { jobIdIn, jobNotFound } from "../answers/documents.ts";
import type { TreeJob } from "../families/families.ts";
import type { Jobs } from "../jobs.ts";

/** Jobs that one answer shows. */
const MAX_SHOWN = 1000;

export function familyRoute(app: ServiceApp, { store }: Jobs): void {
  app.route({
    method: "GET",
    url: "/result/:id/family",
    schema: {
      operationId: "jobFamily",
      summary: "The jobs that belong together with a job, as a tree",
      params: z.object({ id: z.string() }),
      response: responses({ 200: FamilyTree }, ["job_not_found", "store_unavailable"]),
    },
    handler: async ({ params }, reply) => {
      const id = jobIdIn(params);
      const found = await store.families.tree(id, MAX_SHOWN + 1);
      if (found === null) throw jobNotFound();
      const jobs = found.slice(0, MAX_SHOWN).map(shown);
      return send(reply, jsonAnswer(200, { job_id: id, jobs, truncated: found.length > MAX_SHOWN }));
    },
  });
}

function shown({ id, parent, depth, detached, shares, job, round }: TreeJob): object {
  const share = shares ? { share: "budget" } : {};
  const place = { job_id: id, parent, depth, detached, ...share, ...(round === 1 ? {} : { round }) };
  if (job === null) return { ...place, status: "expired", program: null, version: null, error: null };
  const { status, deployment, version, error, queuedMs, finishedMs } = job;
  return {
    ...{ ...place, status, program: deployment, version, error },
    queued_at: new Date(queuedMs).toISOString(),
    ...(finishedMs === null ? {} : { finished_at: new Date(finishedMs).toISOString() }),
  };
}
