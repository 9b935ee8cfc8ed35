/**
 * GET /result/{id}: the state of a job, and its result when it is over; `wait` answers as soon as that is so, with `until=parked` also as soon as it
 * waits, and `summary` puts it into an envelope.
 */
import * as z from "zod";
import type { ServiceApp } from "../http/service-app.ts";
import { existing, jobAnswer, jobIdIn, withResult } from "../jobs/answers/documents.ts";
import { JobSummaries } from "../jobs/answers/summaries.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { JobDocument, ResultQuery } from "../schemas/jobs.ts";
import type { Services } from "../services.ts";
import type { Answer } from "../wire/answer.ts";
import { send } from "../wire/answers.ts";
import { TaggedHeaders } from "../wire/headers.ts";
import { responses } from "../wire/responses.ts";
import { matchesTag } from "./capabilities-etag.ts";

export function resultRoute(app: ServiceApp, { unsent }: Services, { store, watching }: Jobs): void {
  const summaries = new JobSummaries();
  app.route({
    method: "GET",
    url: "/result/:id",
    schema: {
      operationId: "getResult",
      summary: "State and result of a job",
      params: z.object({ id: z.string() }),
      headers: TaggedHeaders,
      querystring: ResultQuery,
      response: responses({ 200: JobDocument, 304: null }, [
        "job_not_found",
        "job_expired",
        "server_busy",
        "store_unavailable",
      ]),
    },
    handler: async ({ params, query, headers, call }, reply) => {
      unsent.checkRoom();
      const id = jobIdIn(params);
      const job = existing(await watching.reached(id, query.until ?? "over", (query.wait ?? 0) * 1000, call.caller));
      const summarized = query.summary === "1";
      const tag = `"${job.status}-${job.attempt}-${job.resumes}${summarized ? "-summary" : ""}"`;
      const unchanged: Answer = { status: 304, headers: { etag: tag }, body: "" };
      if (matchesTag(headers["if-none-match"], tag)) return send(reply, unchanged);
      const whole = await withResult(job, (id) => unsent.inTurn(() => store.result(id), call.caller));
      // Each round is another attempt.
      const mayHave = job.durable && (job.attempt > 1 || (job.attempt === 1 && job.startedMs === null));
      const rounds = mayHave ? await store.families.rounds(id) : [];
      return send(reply, jobAnswer(whole, { etag: tag }, summarized ? summaries : null, rounds));
    },
  });
}
