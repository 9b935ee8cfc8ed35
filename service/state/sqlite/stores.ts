/** Deployments and schedules in SQLite, or in memory: in the file of the jobs, through its thread. */

import type { FlowQueued } from "../../jobs/flow/flow-watch.ts";
import type { SqliteLine } from "../../jobs/sqlite/call-batching.ts";
import type { ProgramStore } from "../../programs/store.ts";
import type { ScheduleStore } from "../../schedules/store.ts";
import type { Ask, Clocks } from "../port.ts";
import { programStore } from "../program-store.ts";
import type { scheduleChanges } from "../rules/schedules.ts";
import { scheduleStore } from "../schedule-store.ts";
import { asking } from "./asking.ts";

export function sqlitePrograms(line: SqliteLine, clocks: Clocks): ProgramStore {
  return programStore({ read: asking(line, clocks), change: asking(line, clocks) });
}

/** `queued`: jobs were queued, and may be claimed. `flowed`: hears what rules did then. */
export function sqliteSchedules(
  line: SqliteLine,
  clocks: Clocks,
  queued: (ids: readonly string[]) => void,
  flowed: (queued: FlowQueued) => void,
): ScheduleStore {
  const change: Ask<typeof scheduleChanges> = asking(line, clocks);
  const fire: ScheduleStore["fire"] = async (request) => {
    const fired = await change("fireSchedule", request);
    if (fired.state === "done" && fired.outcome === "fired") {
      queued(request.submission?.jobs.map(({ id }) => id) ?? []);
      flowed(fired);
    }
    return fired;
  };
  return scheduleStore({ read: asking(line, clocks), change, fire }, null);
}
