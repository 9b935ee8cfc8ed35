/** Schedules in SQLite, or in memory: in the file of the jobs, through its thread. */
import type { SqliteLine } from "../../jobs/sqlite/call-batching.ts";
import { submittedRows } from "../../jobs/sqlite/tables/submission-rows.ts";
import type { ScheduleStore } from "../store.ts";

/** `queued`: jobs were queued, and may be claimed. */
export function sqliteSchedules(line: SqliteLine, queued: (ids: readonly string[]) => void): ScheduleStore {
  return {
    alarm: null,
    list: (listing) => line.call("listSchedules", listing),
    find: (id) => line.call("findSchedule", { id }),
    due: (now, limit) => line.call("dueSchedules", { now, limit }),
    earliest: () => line.call("earliestSchedule", undefined),
    promise: (id, revision, next) => line.call("promiseSchedule", { id, revision, next }),
    async fire({ submission, ...request }) {
      const rows = submission === null ? null : submittedRows(submission);
      const fired = await line.call("fireSchedule", { ...request, submission: rows });
      if (fired.state === "done" && fired.outcome === "fired") queued(submission?.jobs.map(({ id }) => id) ?? []);
      return fired;
    },
    pause: (id, paused) => line.call("pauseSchedule", { id, paused }),
    fires: (id, limit) => line.call("scheduleFires", { id, limit }),
    pausedThemselves: () => line.call("pausedSchedules", undefined),
  };
}
