import type { ServiceApp } from "../http/service-app.ts";
import { RecentRunList, RecentRunsQuery } from "../schemas/run.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, send } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";

/** GET /runs: the last runs of POST /run, newest first. */
export function runsRoute(app: ServiceApp, { recentRuns }: Services): void {
  app.route({
    method: "GET",
    url: "/runs",
    schema: {
      operationId: "listRecentRuns",
      summary: "The last runs of POST /run, newest first, without values",
      querystring: RecentRunsQuery,
      response: responses({ 200: RecentRunList }, []),
    },
    handler: async ({ query: { limit, status, program, name } }, reply) => {
      const runs = recentRuns.list(
        limit,
        (run) =>
          (status === undefined || run.ok === (status === "ok")) &&
          (program === undefined || run.program === program) &&
          (name === undefined || run.name === name),
      );
      const shown = runs.map(({ ended_ms, ...run }) => ({ ...run, ended_at: new Date(ended_ms).toISOString() }));
      return send(reply, jsonAnswer(200, { runs: shown }));
    },
  });
}
