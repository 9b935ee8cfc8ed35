import type { ServiceApp } from "../../http/service-app.ts";
import { JobList, ListQuery } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { faults } from "../../wire/errors.ts";
import { responses } from "../../wire/responses.ts";
import { listedJob, noteMembers } from "../answers/documents.ts";
import type { JobListing } from "../filter.ts";
import { JOB_STATUSES, type Job } from "../job.ts";
import { readJobId } from "../job-id.ts";
import type { Jobs } from "../jobs.ts";
import { checkSearched, filterOf } from "./jobs-query.ts";

export function jobsRoute(app: ServiceApp, services: Services, { store }: Jobs): void {
  app.route({
    method: "GET",
    url: "/jobs",
    schema: {
      operationId: "listJobs",
      summary: "Jobs, newest first",
      querystring: ListQuery,
      response: responses({ 200: JobList }, ["values_hidden", "store_unavailable"]),
    },
    handler: async ({ query }, reply) => {
      const { limit, cursor, order, ...asked } = query;
      checkSearched(asked, services);
      const after = cursor === undefined ? null : readCursor(cursor);
      // One more than asked for tells whether there is a next page.
      const jobs = await store.list({ ...filterOf(asked, JOB_STATUSES), limit: limit + 1, order, after });
      const page = jobs.slice(0, limit);
      const last = jobs.length > limit ? page.at(-1) : undefined;
      const next_cursor = last === undefined ? null : cursorAt(last);
      const notes = new Map((await store.notes(page.map(({ id }) => id))).map((note) => [note.id, note]));
      const { values } = services.config.console;
      const listed = page.map((job) => ({ ...listedJob(job), ...noteMembers(notes.get(job.id), values) }));
      return send(reply, jsonAnswer(200, { jobs: listed, next_cursor }));
    },
  });
}

function cursorAt({ queuedMs, id }: Job): string {
  return Buffer.from(`${queuedMs}/${id}`, "utf8").toString("base64url");
}

function readCursor(cursor: string): NonNullable<JobListing["after"]> {
  const [ms = "", text = ""] = Buffer.from(cursor, "base64url").toString("utf8").split("/");
  const id = readJobId(text);
  if (id !== null && /^[0-9]{1,15}$/.test(ms)) return { queuedMs: Number(ms), id };
  const issue = { path: "/cursor", code: "format", message: "must be the next_cursor of an answer" };
  throw faults.invalidRequest([issue], "query");
}
