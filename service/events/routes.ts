/** POST /events, GET /events and GET /events/{id}: what happened, and what it started (docs/events.md). */
import type * as z from "zod";
import { readExactly } from "../../vm/inputs/exact-text.ts";
import { isStorable } from "../../vm/values/storable-text.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { signalData } from "../jobs/durable/first-signals.ts";
import { answerWork } from "../run/answer-work.ts";
import type { Services } from "../services.ts";
import { asText, exactAnswer, jsonAnswer, send } from "../wire/answers.ts";
import { ServiceFault } from "../wire/errors.ts";
import { KeyedHeaders } from "../wire/headers.ts";
import { refusalsOfBodies, responses } from "../wire/responses.ts";
import { type EventStart, type EventStore, MAX_FAN_OUT, type StoredEvent } from "./event.ts";
import { TOO_MANY } from "./run-events.ts";
import { EventAccepted, EventDocument, EventList, EventListQuery, EventParams, EventRequest } from "./schemas.ts";

type Context = {
  readonly services: Services;
  readonly store: EventStore;
  /** There is an event to deliver. */
  readonly emitted: () => void;
};

const SHOWN_SUBSCRIBERS = 1000;

export function eventRoutes(app: ServiceApp, { services, store, emitted }: Context): void {
  const { config, metrics, events } = services;
  app.route({
    method: "POST",
    url: "/events",
    config: { work: "settles" },
    schema: {
      operationId: "emitEvent",
      summary: "Takes an event in: each program that is deployed for it gets a job",
      headers: KeyedHeaders,
      body: EventRequest,
      response: responses({ 202: EventAccepted }, [
        ...refusalsOfBodies,
        "idempotency_in_progress",
        "idempotency_key_reused",
        "events_full",
        "store_unavailable",
      ]),
    },
    handler: async (request, reply) => {
      const { body, validationError } = request;
      const make = async () => {
        if (validationError !== undefined) throw validationError;
        const { name, key = null, at, id } = body;
        const data = signalData("", body, config.jobs, { path: "", of: "body" });
        const asked = { id: id ?? services.freshId(), isGiven: id != null };
        const atMs = at == null ? null : Date.parse(at);
        const done = await store.emit({ ...asked, name, key, data, atMs, from: null, mostKept: config.jobs.eventsMax });
        if (done.state !== "kept") throw new ServiceFault("events_full", TOO_MANY);
        const { event, isNew } = done;
        metrics.programEvents.taken(isNew ? "request" : "duplicate");
        if (isNew) {
          events.note("info", "event_emitted", { event_id: event.id });
          emitted();
        }
        return asText(jsonAnswer(202, { ok: true, id: event.id, at: time(event.atMs), duplicate: !isNew }));
      };
      return send(reply, await answerWork(services, request, make, "/events"));
    },
  });

  app.route({
    method: "GET",
    url: "/events",
    schema: {
      operationId: "listEvents",
      summary: "Recent events, newest first, and the programs that hear of some",
      querystring: EventListQuery,
      response: responses({ 200: EventList }, ["store_unavailable"]),
    },
    handler: async ({ query: { limit, cursor, name } }, reply) => {
      const before = cursor === undefined ? null : Number(cursor);
      const found = await store.list({ limit: limit + 1, before, name: name ?? null });
      const page = found.slice(0, limit);
      const next_cursor = found.length > limit ? String(page.at(-1)?.number) : null;
      const subscribers = await store.names(SHOWN_SUBSCRIBERS);
      return send(reply, jsonAnswer(200, { events: page.map(factsOf), next_cursor, subscribers }));
    },
  });

  app.route({
    method: "GET",
    url: "/events/:id",
    schema: {
      operationId: "getEvent",
      summary: "One event with what it started",
      params: EventParams,
      response: responses({ 200: EventDocument }, ["event_not_found", "store_unavailable"]),
    },
    handler: async ({ params: { id } }, reply) => {
      const found = isStorable(id) ? await store.find(id, MAX_FAN_OUT + 1) : null;
      if (found === null) throw new ServiceFault("event_not_found", "no event has this id; GET /events lists them");
      const { event, data, starts } = found;
      const shown = starts.slice(0, MAX_FAN_OUT).map(startOf);
      const values = config.console.values && data !== null ? { key: event.key, data: readExactly(data) } : {};
      const document = { ...factsOf(event), ...values, starts: shown, truncated: starts.length > MAX_FAN_OUT };
      return send(reply, exactAnswer(200, document));
    },
  });
}

function factsOf({ id, name, key, state, atMs, createdMs, hops, job, started, woken, failed, cut }: StoredEvent) {
  const times = { at: time(atMs), created_at: time(createdMs) };
  return { id, name, keyed: key !== null, state, ...times, hops, emitted_by: job, started, woken, failed, cut };
}

function startOf({
  program,
  version,
  label,
  outcome,
  job,
  error,
  atMs,
}: EventStart): z.output<typeof EventDocument>["starts"][number] {
  const own = program === "" ? { program: null, version: null, label: null } : { program, version, label };
  return { ...own, outcome, job_id: job, error, at: time(atMs) };
}

const time = (ms: number): string => new Date(ms).toISOString();
