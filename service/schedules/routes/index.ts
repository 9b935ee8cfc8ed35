/** The routes of schedules. The id of a schedule has a slash in it: `digest/nightly`, or `digest/nightly/2`. */
import type * as z from "zod";
import type { Clock } from "../../../vm/run.ts";
import { inTurns } from "../../../vm/tasks/task.ts";
import { isStorable } from "../../../vm/values/storable-text.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import {
  Backfilled,
  BackfillRequest,
  NextQuery,
  NextTimes,
  ScheduleChange,
  ScheduleDocument,
  ScheduleList,
  ScheduleListQuery,
  ScheduleRun,
} from "../../schemas/schedules.ts";
import type { Services } from "../../services.ts";
import { exactAnswer, jsonAnswer, send } from "../../wire/answers.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { SIGNATURE_REFUSALS } from "../../wire/signature-refusals.ts";
import { nextAtOf, nextTime, nextTimes } from "../next-times.ts";
import { type Fire, frameOf, type Schedule } from "../schedule.ts";
import type { Scheduler } from "../scheduler.ts";
import type { ScheduleStore } from "../store.ts";

type Context = {
  readonly services: Services;
  readonly store: ScheduleStore;
  readonly scheduler: Scheduler;
  readonly clock: Pick<Clock, "wall" | "now">;
};

const SHOWN_FIRES = 20;
/** Jobs of one backfill. */
const MAX_BACKFILL = 100;
const PATHS = ["/schedules/:program/:label", "/schedules/:program/:label/:number"] as const;
type IdParts = { readonly program: string; readonly label: string; readonly number?: string };

export function scheduleRoutes(app: ServiceApp, context: Context): void {
  listRoute(app, context);
  for (const path of PATHS) {
    const operation = path === PATHS[0] ? "" : "Numbered";
    oneRoute(app, context, path, operation);
    nextRoute(app, context, path, operation);
    pauseRoute(app, context, path, operation);
    runRoute(app, context, path, operation);
    backfillRoute(app, context, path, operation);
  }
}

async function found(store: ScheduleStore, params: unknown): Promise<Schedule> {
  const { program, label, number } = params as IdParts;
  const id = `${program}/${label}${number === undefined ? "" : `/${number}`}`;
  const schedule = isStorable(id) ? await store.find(id) : null;
  if (schedule === null)
    throw new ServiceFault("schedule_not_found", "no schedule has this id; GET /schedules lists them");
  return schedule;
}

function listRoute(app: ServiceApp, { store }: Context): void {
  app.route({
    method: "GET",
    url: "/schedules",
    schema: {
      operationId: "listSchedules",
      summary: "Schedules of deployments, by id",
      querystring: ScheduleListQuery,
      response: responses({ 200: ScheduleList }, ["store_unavailable"]),
    },
    handler: async ({ query: { limit, cursor, program } }, reply) => {
      const after = cursor === undefined ? null : Buffer.from(cursor, "base64url").toString("utf8");
      if (after !== null && !isStorable(after))
        throw faults.invalidRequest(
          [{ path: "/cursor", code: "format", message: "must be the next_cursor of an answer" }],
          "query",
        );
      const schedules = await store.list({ limit: limit + 1, after, program: program ?? null });
      const page = schedules.slice(0, limit);
      const last = schedules.length > limit ? page.at(-1) : undefined;
      const next_cursor = last === undefined ? null : Buffer.from(last.id, "utf8").toString("base64url");
      return send(reply, exactAnswer(200, { schedules: page.map((one) => documentOf(one)), next_cursor }));
    },
  });
}

function oneRoute(app: ServiceApp, { store }: Context, url: string, operation: string): void {
  app.route({
    method: "GET",
    url,
    schema: {
      operationId: `get${operation}Schedule`,
      summary: "One schedule with what came of its last due times",
      response: responses({ 200: ScheduleDocument }, ["schedule_not_found", "store_unavailable"]),
    },
    handler: async ({ params }, reply) => {
      const schedule = await found(store, params);
      const fires = await store.fires(schedule.id, SHOWN_FIRES);
      return send(reply, exactAnswer(200, documentOf(schedule, fires)));
    },
  });
}

function nextRoute(app: ServiceApp, { store, clock }: Context, url: string, operation: string): void {
  app.route({
    method: "GET",
    url: `${url}/next`,
    schema: {
      operationId: `next${operation}Times`,
      summary: "The next times of a schedule",
      querystring: NextQuery,
      response: responses({ 200: NextTimes }, ["schedule_not_found", "store_unavailable"]),
    },
    handler: async ({ params, query }, reply) => {
      const { count } = query as z.output<typeof NextQuery>;
      const { id, spec } = await found(store, params);
      const times = await inTurns(nextTimes(spec, clock.wall(), count), clock, setImmediate);
      const next = times.map(({ dueMs, atMs }) => ({ due_at: iso(dueMs), at: iso(atMs) }));
      return send(reply, jsonAnswer(200, { id, next }));
    },
  });
}

function pauseRoute(app: ServiceApp, { store }: Context, url: string, operation: string): void {
  app.route({
    method: "PATCH",
    url,
    config: { work: true },
    schema: {
      operationId: `change${operation}Schedule`,
      summary: "Pauses or resumes a schedule",
      body: ScheduleChange,
      response: responses({ 200: ScheduleDocument }, [...refusalsOfBodies, "schedule_not_found", "store_unavailable"]),
    },
    handler: async ({ params, body, validationError }, reply) => {
      if (validationError !== undefined) throw validationError;
      const { id } = await found(store, params);
      const changed = await store.pause(id, (body as z.output<typeof ScheduleChange>).paused);
      if (changed === null) throw new ServiceFault("schedule_not_found", "no schedule has this id");
      return send(reply, exactAnswer(200, documentOf(changed)));
    },
  });
}

function runRoute(app: ServiceApp, { store, scheduler, clock }: Context, url: string, operation: string): void {
  app.route({
    method: "POST",
    url: `${url}/run`,
    config: { work: true, bodyOptional: true },
    schema: {
      operationId: `run${operation}Schedule`,
      summary: "Queues a job of a schedule now, whatever its next time is",
      response: responses({ 202: ScheduleRun }, [
        "schedule_not_found",
        "queue_full",
        "store_unavailable",
        "program_not_found",
        "policy_violation",
        ...SIGNATURE_REFUSALS,
        "input_invalid",
        "unknown_label",
        "adapter_config_error",
      ]),
    },
    handler: async ({ params }, reply) => {
      const schedule = await found(store, params);
      const job_id = await scheduler.fireExtra(schedule, clock.wall());
      if (job_id === null) throw faults.busy("the schedule changed; try again");
      return send(reply, jsonAnswer(202, { ok: true, job_id }));
    },
  });
}

function backfillRoute(app: ServiceApp, { store, scheduler, clock }: Context, url: string, operation: string): void {
  app.route({
    method: "POST",
    url: `${url}/backfill`,
    config: { work: true },
    schema: {
      operationId: `backfill${operation}Schedule`,
      summary: "Queues a job for each past due time of a schedule that has not fired",
      body: BackfillRequest,
      response: responses({ 202: Backfilled }, [
        ...refusalsOfBodies,
        "schedule_not_found",
        "queue_full",
        "store_unavailable",
        "program_not_found",
        "policy_violation",
        ...SIGNATURE_REFUSALS,
        "input_invalid",
        "unknown_label",
        "adapter_config_error",
      ]),
    },
    handler: async ({ params, body, validationError }, reply) => {
      if (validationError !== undefined) throw validationError;
      const schedule = await found(store, params);
      const { from, to } = body as z.output<typeof BackfillRequest>;
      const end = Math.min(Date.parse(to), clock.wall());
      if (Date.parse(to) <= Date.parse(from))
        throw faults.invalidRequest([{ path: "/to", code: "range", message: "must be after from" }]);
      const job_ids: string[] = [];
      let already_fired = 0;
      let more_from: string | null = null;
      for (let after = Date.parse(from) - 1; ; ) {
        const next = nextTime(schedule.spec, after);
        if (next === null || next.dueMs >= end) break;
        if (job_ids.length + already_fired >= MAX_BACKFILL) {
          more_from = iso(next.dueMs);
          break;
        }
        const id = await scheduler.fireExtra(schedule, next.dueMs);
        if (id === null) already_fired += 1;
        else job_ids.push(id);
        after = next.dueMs;
      }
      return send(reply, jsonAnswer(202, { ok: true, count: job_ids.length, job_ids, already_fired, more_from }));
    },
  });
}

function documentOf(schedule: Schedule, fires?: readonly Fire[]) {
  const { id, program, version, spec, enabled, paused, pausedBecause } = schedule;
  const nextAtMs = nextAtOf(schedule);
  return {
    id,
    program,
    version,
    cron: spec.cron,
    tz: spec.tz,
    label: spec.label,
    frame: frameOf(spec),
    jitter_s: spec.jitterS,
    overlap: spec.overlap,
    catch_up: spec.catchUp,
    catch_up_window_s: spec.catchUpWindowS,
    ...(spec.from === null ? {} : { from: iso(spec.from) }),
    ...(spec.until === null ? {} : { until: iso(spec.until) }),
    enabled,
    paused,
    ...(pausedBecause === null ? {} : { paused_because: pausedBecause }),
    next_at: nextAtMs === null ? null : iso(nextAtMs),
    ...(fires === undefined ? {} : { fires: fires.map(fireDocument) }),
  };
}

function fireDocument({ dueMs, outcome, jobId, atMs, error }: Fire) {
  return {
    due_at: iso(dueMs),
    outcome,
    at: iso(atMs),
    ...(jobId === null ? {} : { job_id: jobId }),
    ...(error === null ? {} : { error }),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
