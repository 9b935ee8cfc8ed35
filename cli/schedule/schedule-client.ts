/** The schedules of a runner service, as `wf schedule` talks to it. What it refuses is a fault with its own word and sentence. */
import * as z from "zod/mini";
import { asking } from "../session/asking.ts";

const Schedule = z.looseObject({
  id: z.string(),
  cron: z.string(),
  tz: z.string(),
  label: z.string(),
  version: z.number(),
  paused: z.boolean(),
  enabled: z.boolean(),
  next_at: z.nullable(z.string()),
  paused_because: z.optional(z.string()),
  /** Of one schedule alone: what came of its last times, the newest first. */
  fires: z.optional(
    z.array(
      z.looseObject({
        due_at: z.string(),
        outcome: z.string(),
        job_id: z.optional(z.string()),
        error: z.optional(z.string()),
      }),
    ),
  ),
});
const Listing = z.looseObject({ schedules: z.array(Schedule), next_cursor: z.nullable(z.string()) });
const Next = z.looseObject({ id: z.string(), next: z.array(z.looseObject({ due_at: z.string(), at: z.string() })) });
const Ran = z.looseObject({ job_id: z.string() });
const Filled = z.looseObject({
  count: z.number(),
  job_ids: z.array(z.string()),
  already_fired: z.number(),
  more_from: z.nullable(z.string()),
});

export type RemoteSchedule = z.output<typeof Schedule>;

export interface ScheduleService {
  list(program: string | undefined): Promise<readonly RemoteSchedule[]>;
  get(id: string): Promise<RemoteSchedule>;
  next(id: string, count: number): Promise<z.output<typeof Next>>;
  pause(id: string, paused: boolean): Promise<RemoteSchedule>;
  run(id: string): Promise<z.output<typeof Ran>>;
  backfill(id: string, from: string, to: string): Promise<z.output<typeof Filled>>;
}

/** Throws CliFault for an invalid address. */
export function scheduleService(server: string, signal: AbortSignal): ScheduleService {
  const ask = asking(server, signal);
  const at = (id: string): string => `/schedules/${id.split("/").map(encodeURIComponent).join("/")}`;
  return {
    async list(program) {
      const all: RemoteSchedule[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const query = new URLSearchParams({ limit: "200", ...(program === undefined ? {} : { program }) });
        if (cursor !== "") query.set("cursor", cursor);
        const page: z.output<typeof Listing> = await ask(Listing, "GET", `/schedules?${query.toString()}`);
        all.push(...page.schedules);
        cursor = page.next_cursor;
      }
      return all;
    },
    get: (id) => ask(Schedule, "GET", at(id)),
    next: (id, count) => ask(Next, "GET", `${at(id)}/next?count=${count}`),
    pause: (id, paused) => ask(Schedule, "PATCH", at(id), { body: { paused } }),
    run: (id) => ask(Ran, "POST", `${at(id)}/run`),
    backfill: (id, from, to) => ask(Filled, "POST", `${at(id)}/backfill`, { body: { from, to } }),
  };
}
