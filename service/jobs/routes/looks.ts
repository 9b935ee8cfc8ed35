/** GET /result/{id}/variables and /calls: what a durable run holds where it stands, and what it called with which arguments, from its journal. */
import * as z from "zod";
import { isObject, type JsonObject } from "../../../compiler/json.ts";
import type { RunPlace } from "../../../vm/run.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobCalls, JobVariables, ValuesQuery } from "../../schemas/durable.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { responses } from "../../wire/responses.ts";
import { existing, jobIdIn } from "../answers/documents.ts";
import { shapeOf } from "../answers/shapes.ts";
import { ValueViews } from "../answers/value-views.ts";
import type { Jobs } from "../jobs.ts";
import { type ShortCall, StandingJobs } from "../rehearsals/standing-job.ts";

const REFUSALS = ["job_not_found", "job_expired", "values_hidden", "server_busy", "store_unavailable"] as const;

export function lookRoutes(app: ServiceApp, services: Services, jobs: Jobs): void {
  const views = new ValueViews(services);
  const standing = new StandingJobs(services, jobs);
  app.route({
    method: "GET",
    url: "/result/:id/variables",
    schema: {
      operationId: "jobVariables",
      summary: "Variables of a durable job where it stands",
      params: z.object({ id: z.string() }),
      querystring: ValuesQuery,
      response: responses({ 200: JobVariables }, REFUSALS),
    },
    handler: async ({ params, query, ip, call }, reply) => {
      const job = existing(await jobs.store.find(jobIdIn(params)));
      const withValues = views.asked(query, job.id, ip, call.context);
      const found =
        job.durable && job.status === "succeeded" ? ({ seq: null, why: "succeeded" } as const) : await standing.of(job);
      if (found.seq === null) return send(reply, jsonAnswer(200, { job_id: job.id, ...found, ...NOWHERE }));
      const places = found.places.map((place) => shownPlace(place, withValues));
      const innermost = places.pop() ?? { ...NOWHERE };
      return send(reply, jsonAnswer(200, { job_id: job.id, seq: found.seq, ...innermost, callers: places }));
    },
  });

  app.route({
    method: "GET",
    url: "/result/:id/calls",
    schema: {
      operationId: "jobCalls",
      summary: "Arguments of the calls and branches of a durable job, in short",
      params: z.object({ id: z.string() }),
      querystring: ValuesQuery,
      response: responses({ 200: JobCalls }, REFUSALS),
    },
    handler: async ({ params, query, ip, call }, reply) => {
      const job = existing(await jobs.store.find(jobIdIn(params)));
      const withValues = views.asked(query, job.id, ip, call.context);
      const found = await standing.of(job);
      if (found.seq === null)
        return send(reply, jsonAnswer(200, { job_id: job.id, ...found, calls: [], branches: [] }));
      const shown = ({ values, shapes }: ShortCall) => ({ arguments: withValues ? values : shapes });
      const calls = found.calls.map(([seq, of]) => ({ seq, ...shown(of) }));
      const branches = found.branches.map((of) => ({ branch: of.branch, function: of.begun, ...shown(of) }));
      return send(reply, jsonAnswer(200, { job_id: job.id, seq: found.seq, calls, branches }));
    },
  });
}

const NOWHERE = { function: null, line: null, variables: {}, callers: [] };

function shownPlace({ name, line, file, variables }: RunPlace, withValues: boolean) {
  return {
    function: name,
    line,
    ...(file === null ? {} : { file }),
    variables: withValues ? variables : hidden(variables),
  };
}

function hidden(variables: JsonObject): Readonly<Record<string, string>> {
  const shapes: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(variables))
    shapes[name] = isWritten(value) ? "a value of Python" : shapeOf(value);
  return shapes;
}

/** What has no form in JSON is shown as Python writes it. */
function isWritten(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 1 && typeof value["$python"] === "string";
}
