/** Bodies of the routes of schedules. */
import * as z from "zod";
import { CATCH_UPS, OVERLAPS } from "../schedules/schedule.ts";
import { anyObject, isoTime, pageLimit, stored, wholeNumber } from "../wire/common.ts";
import { EXAMPLES } from "./schedule-examples.ts";

const FireDocument = z.object({
  due_at: z.string(),
  outcome: z.enum(["fired", "waiting", "skipped_overlap", "missed", "paused", "refused"]),
  at: z.string(),
  job_id: z.string().optional(),
  error: z.string().optional(),
});

export const ScheduleDocument = z
  .object({
    id: z.string(),
    program: z.string(),
    version: z.int(),
    cron: z.string(),
    tz: z.string(),
    label: z.string(),
    frame: anyObject,
    jitter_s: z.int(),
    overlap: z.enum(OVERLAPS),
    catch_up: z.enum(CATCH_UPS),
    catch_up_window_s: z.int(),
    from: z.string().optional(),
    until: z.string().optional(),
    enabled: z.boolean(),
    paused: z.boolean(),
    /** Why the service paused it by itself. */
    paused_because: z.string().optional(),
    /** When it fires next, with its jitter; null: never, or it is not computed yet. */
    next_at: z.string().nullable(),
    /** What came of the last due times, newest first. */
    fires: z.array(FireDocument).optional(),
  })
  .meta({ id: "Schedule", examples: EXAMPLES.Schedule });

export const ScheduleList = z
  .object({ schedules: z.array(ScheduleDocument), next_cursor: z.string().nullable() })
  .meta({ id: "ScheduleList", examples: EXAMPLES.ScheduleList });

export const ScheduleListQuery = z.strictObject({
  program: stored(z.string().max(63)).optional(),
  limit: pageLimit,
  cursor: z.string().max(600).optional(),
});

export const NextTimes = z
  .object({ id: z.string(), next: z.array(z.object({ due_at: z.string(), at: z.string() })) })
  .meta({ id: "NextTimes", examples: EXAMPLES.NextTimes });

export const NextQuery = z.strictObject({ count: wholeNumber(1, 100).default(5) });

export const ScheduleChange = z
  .strictObject({ paused: z.boolean() })
  .meta({ id: "ScheduleChange", examples: EXAMPLES.ScheduleChange });

export const ScheduleRun = z
  .object({ ok: z.literal(true), job_id: z.string() })
  .meta({ id: "ScheduleRun", examples: EXAMPLES.ScheduleRun });

const time = isoTime;

export const BackfillRequest = z
  .strictObject({ from: time, to: time })
  .meta({ id: "BackfillRequest", examples: EXAMPLES.BackfillRequest });

export const Backfilled = z
  .object({
    ok: z.literal(true),
    /** Jobs that were queued. */
    count: z.int(),
    job_ids: z.array(z.string()),
    /** Due times that had fired before. */
    already_fired: z.int(),
    /** Further due times are there than one request takes: continue from here. */
    more_from: z.string().nullable(),
  })
  .meta({ id: "Backfilled", examples: EXAMPLES.Backfilled });
