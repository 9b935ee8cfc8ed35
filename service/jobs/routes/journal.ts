/** GET /result/{id}/journal and /waits, POST /result/{id}/outcome: what a durable job learned, what it waits for, and a person's word on a call. */

import * as z from "zod";
import { EVENT_PREFIX } from "../../../compiler/events.ts";
import type { Json } from "../../../compiler/json.ts";
import type { JournalRecord } from "../../../vm/durable/records.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobWaits, JournalPage, JournalQuery, OutcomeDecided, OutcomeRequest } from "../../schemas/durable.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { existing, jobIdIn } from "../answers/documents.ts";
import { ValueViews } from "../answers/value-views.ts";
import type { DurableJobs } from "../durable/durable-store.ts";
import type { JobWait } from "../durable/waits.ts";
import type { Job } from "../job.ts";
import type { Jobs } from "../jobs.ts";

const params = z.object({ id: z.string() });

/** Also said of a job whose branches do not all wait yet. */
const NOT_ASKED = "the job does not wait for the outcome of this call now";

export function journalRoutes(
  app: ServiceApp,
  services: Pick<Services, "config" | "events" | "clock">,
  { store, log }: Jobs,
): void {
  const views = new ValueViews(services);
  app.route({
    method: "GET",
    url: "/result/:id/journal",
    schema: {
      operationId: "jobJournal",
      summary: "The journal of a durable job",
      params,
      querystring: JournalQuery,
      response: responses({ 200: JournalPage }, ["job_not_found", "job_expired", "values_hidden", "store_unavailable"]),
    },
    handler: async ({ params, query, ip, call }, reply) => {
      const { durable, job } = await found(store, params);
      const withValues = views.asked(query, job.id, ip, call.context);
      const records = (await durable?.page(job.id, query.after, query.limit + 1)) ?? [];
      const page = records.slice(0, query.limit);
      const next_after = records.length > query.limit ? (page.at(-1)?.seq ?? null) : null;
      const known = next_after === null ? page.at(-1)?.seq : undefined;
      const last_seq = known ?? (await durable?.lastSeq(job.id)) ?? 0;
      const shown = page.map((record) => shownRecord(record, withValues));
      return send(reply, jsonAnswer(200, { job_id: job.id, records: shown, next_after, last_seq }));
    },
  });

  app.route({
    method: "GET",
    url: "/result/:id/waits",
    schema: {
      operationId: "jobWaits",
      summary: "What a job waits for, and what it waited for",
      params,
      response: responses({ 200: JobWaits }, ["job_not_found", "job_expired", "store_unavailable"]),
    },
    handler: async ({ params }, reply) => {
      const { durable, job } = await found(store, params);
      const waits = (await durable?.waits(job.id)) ?? [];
      const unread = (await durable?.unread(job.id)) ?? {};
      return send(reply, jsonAnswer(200, { job_id: job.id, status: job.status, waits: waits.map(shownWait), unread }));
    },
  });

  app.route({
    method: "POST",
    url: "/result/:id/outcome",
    config: { work: "settles" },
    schema: {
      operationId: "decideOutcome",
      summary: "Says whether a call happened of unknown outcome",
      params,
      body: OutcomeRequest,
      response: responses({ 200: OutcomeDecided }, [
        ...refusalsOfBodies,
        "job_not_found",
        "job_expired",
        "outcome_not_asked",
        "store_unavailable",
      ]),
    },
    handler: async ({ params, body, validationError }, reply) => {
      if (validationError !== undefined) throw validationError;
      const { durable, job } = await found(store, params);
      const { seq: of, decision, by = null, result = null } = body;
      const next = (await durable?.decide(job.id, { of, decision, by, result: result as Json })) ?? null;
      if (next === null)
        throw new ServiceFault("outcome_not_asked", NOT_ASKED, {
          job_id: job.id,
        });
      log.woken(next, "decision");
      return send(reply, jsonAnswer(200, { ok: true, job_id: next.id, status: next.status }));
    },
  });
}

async function found(
  store: Jobs["store"],
  params: { readonly id: string },
): Promise<{ readonly durable: DurableJobs | null; readonly job: Job }> {
  const job = existing(await store.find(jobIdIn(params)));
  return { durable: job.durable ? store.durable : null, job };
}

/** Values of the program, and what stands for them, only where they were asked for. */
function shownRecord(record: JournalRecord, withValues: boolean): object {
  const at = new Date(record.at).toISOString();
  const { branch, ...rest } = { ...record, at } as Omit<JournalRecord, "at"> & { readonly at: string };
  const whole = { ...rest, ...(branch === "" ? {} : { branch }) } as { readonly [member: string]: unknown };
  const { result: _result, result_text: _text, args: _args, error, spec, ...shown } = whole;
  const code = (error as { readonly adapter_code?: string } | undefined)?.adapter_code;
  return {
    ...(withValues ? whole : shown),
    ...(error === undefined ? {} : { error_code: code ?? "RUNTIME_OP_ERROR" }),
    ...(spec === undefined ? {} : { wait_kind: (spec as JobWait["spec"]).kind }),
  };
}

/** A key of signals may be a person's number: it is not told. */
function shownWait({ wait, spec, place, beganMs, endedMs }: JobWait) {
  return {
    wait,
    kind: spec.kind,
    ...(spec.kind === "signal" ? { names: spec.names, keyed: spec.key !== null } : {}),
    ...(spec.kind === "event" ? { names: [`${EVENT_PREFIX}${spec.name}`], keyed: spec.key !== null } : {}),
    ...(spec.kind === "approval" ? { approval: spec.approval } : {}),
    ...(spec.kind === "job" ? { jobs: spec.jobs } : {}),
    ...(spec.kind === "outcome" ? { of: spec.of } : {}),
    ...(place.label === undefined ? {} : { label: place.label }),
    ...(place.node === undefined ? {} : { node: place.node }),
    ...(place.branch === undefined ? {} : { branch: place.branch }),
    since: time(beganMs),
    until: spec.until === null ? null : time(spec.until),
    ended_at: endedMs === null ? null : time(endedMs),
  };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
