/** Schedules in either database: next to the jobs. */
import type { Fired, FireRequest, ScheduleAlarm, ScheduleStore } from "../schedules/store.ts";
import type { Ask } from "./port.ts";
import type { scheduleReads } from "./rules/schedule-reads.ts";
import type { scheduleChanges } from "./rules/schedules.ts";

type Asks = {
  readonly read: Ask<typeof scheduleReads>;
  readonly change: Ask<typeof scheduleChanges>;
  readonly fire: (request: FireRequest) => Promise<Fired>;
};

export function scheduleStore({ read, change, fire }: Asks, alarm: ScheduleAlarm | null): ScheduleStore {
  return {
    alarm,
    list: (listing) => read("listSchedules", listing),
    find: (id) => read("findSchedule", id),
    due: (now, limit) => read("dueSchedules", { now, limit }),
    earliest: () => read("earliestSchedule", null),
    promise: (id, revision, next) => change("promiseSchedule", { id, revision, next }),
    fire,
    pause: (id, paused) => change("pauseSchedule", { id, paused }),
    fires: (id, limit) => read("scheduleFires", { id, limit }),
    pausedThemselves: () => read("pausedSchedules", null),
  };
}
