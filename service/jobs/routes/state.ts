/** GET /jobs/{id}/state: what a job shows of itself, with `progress` and `set_state` in its program. */
import * as z from "zod";
import type { Json } from "../../../compiler/json.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobState, ValuesQuery } from "../../schemas/durable.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { responses } from "../../wire/responses.ts";
import { existing, jobIdIn } from "../answers/documents.ts";
import { shapeOf, shapesOf } from "../answers/shapes.ts";
import { ValueViews } from "../answers/value-views.ts";
import type { Jobs } from "../jobs.ts";

/** As it is stored. */
type Shown = {
  readonly progress: { readonly value: Json; readonly text: string | null } | null;
  readonly state: Readonly<Record<string, Json>>;
};

const NOTHING = '{"progress":null,"state":{}}';

export function stateRoute(app: ServiceApp, services: Services, { store }: Jobs): void {
  const views = new ValueViews(services);
  app.route({
    method: "GET",
    url: "/jobs/:id/state",
    schema: {
      operationId: "jobState",
      summary: "What a job shows of itself",
      params: z.object({ id: z.string() }),
      querystring: ValuesQuery,
      response: responses({ 200: JobState }, ["job_not_found", "job_expired", "values_hidden", "store_unavailable"]),
    },
    handler: async ({ params, query, ip, call }, reply) => {
      const job = existing(await store.find(jobIdIn(params)));
      const withValues = views.asked(query, job.id, ip, call.context);
      const found = await store.states.find(job.id);
      const at = found === null ? null : new Date(found.atMs).toISOString();
      const head = { job_id: job.id, at, shown: withValues ? "values" : "shapes" };
      const text = found?.text ?? NOTHING;
      // As it was written: a number may have more digits than JavaScript keeps.
      if (withValues)
        return send(reply, { ...jsonAnswer(200, {}), body: `${JSON.stringify(head).slice(0, -1)},${text.slice(1)}` });
      const { progress, state } = JSON.parse(text) as Shown;
      const shapes = progress === null ? null : { value: shapeOf(progress.value), text: shapeOf(progress.text) };
      return send(reply, jsonAnswer(200, { ...head, progress: shapes, state: shapesOf(state) }));
    },
  });
}
