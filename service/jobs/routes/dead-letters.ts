/** GET /dead-letters: jobs that failed and that were neither retried nor discarded, by program and reason. */
import * as z from "zod";
import type { ServiceApp } from "../../http/service-app.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { responses } from "../../wire/responses.ts";
import type { Jobs } from "../jobs.ts";

const MOST = 200;

const DeadLetterList = z
  .object({
    /** Of all groups that are shown. */
    count: z.int(),
    groups: z.array(
      z.object({
        /** Null: jobs of no deployment. */
        program: z.string().nullable(),
        error: z.string(),
        count: z.int(),
        first_at: z.string(),
        last_at: z.string(),
        /** The newest. */
        job_id: z.string(),
      }),
    ),
    /** More groups are there. */
    more: z.boolean(),
  })
  .meta({
    id: "DeadLetterList",
    examples: [
      {
        count: 12,
        groups: [
          {
            program: "digest",
            error: "runtime_error",
            count: 12,
            first_at: "2030-01-01T00:00:00.000Z",
            last_at: "2030-01-01T00:04:00.000Z",
            job_id: "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d",
          },
        ],
        more: false,
      },
    ],
  });

export function deadLettersRoute(app: ServiceApp, { store }: Jobs): void {
  app.route({
    method: "GET",
    url: "/dead-letters",
    schema: {
      operationId: "listDeadLetters",
      summary: "Jobs that failed and were neither retried nor discarded, by program and reason",
      response: responses({ 200: DeadLetterList }, ["store_unavailable"]),
    },
    handler: async (_request, reply) => {
      const found = await store.dead.list(MOST + 1);
      const groups = found.slice(0, MOST).map(({ program, error, count, firstMs, lastMs, job }) => ({
        ...{ program, error, count },
        ...{ first_at: new Date(firstMs).toISOString(), last_at: new Date(lastMs).toISOString(), job_id: job },
      }));
      const count = groups.reduce((sum, group) => sum + group.count, 0);
      return send(reply, jsonAnswer(200, { count, groups, more: found.length > MOST }));
    },
  });
}
