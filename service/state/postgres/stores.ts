/** Deployments and schedules in PostgreSQL, shared by all replicas. */
import type { PostgresDatabase } from "../../../adapters/engine/postgres/postgres.ts";
import type { EventStore } from "../../events/event.ts";
import type { FlowQueued } from "../../jobs/flow/flow-watch.ts";
import type { Job } from "../../jobs/job.ts";
import type { Database } from "../../jobs/postgres/database.ts";
import { ALONE } from "../../jobs/postgres/enqueue.ts";
import { NOTICES_LOCK } from "../../jobs/postgres/schema.ts";
import type { NoticeStore } from "../../notices/notice.ts";
import { ProgramSignals } from "../../programs/signals.ts";
import type { ProgramStore } from "../../programs/store.ts";
import type { ScheduleAlarm, ScheduleStore } from "../../schedules/store.ts";
import { eventStore } from "../event-store.ts";
import { noticeStore } from "../notice-store.ts";
import type { Port } from "../port.ts";
import { programStore } from "../program-store.ts";
import { eventChanges, eventReads } from "../rules/events/all.ts";
import { noticeChanges, noticeReads } from "../rules/notices.ts";
import { programChanges } from "../rules/programs/changes.ts";
import { channelChanges } from "../rules/programs/channels.ts";
import { proposalChanges, proposalReads } from "../rules/programs/proposals.ts";
import { programReads } from "../rules/programs/reads.ts";
import { scheduleReads } from "../rules/schedule-reads.ts";
import { scheduleChanges } from "../rules/schedules.ts";
import { scheduleStore } from "../schedule-store.ts";
import { DEPLOYMENTS_LOCK } from "./deployments-schema.ts";
import { asking, reading } from "./perform.ts";
import { PROGRAMS_CHANNEL } from "./port.ts";

/** `shared`: hears of the changes of other replicas; while its connection is down they are missed, and then anything may have changed. */
export function postgresPrograms(database: Database, shared: PostgresDatabase, port: Port): ProgramStore {
  const signals = new ProgramSignals();
  shared.listen(PROGRAMS_CHANNEL, (name) => signals.changed(name));
  const read = reading(database, { ...programReads, ...proposalReads }, port);
  const changes = { ...programChanges, ...channelChanges, ...proposalChanges };
  const change = asking(database, changes, port, `SELECT pg_advisory_xact_lock(${DEPLOYMENTS_LOCK})`);
  return programStore({ read, change }, signals);
}

export function postgresNotices(database: Database, port: Port): NoticeStore {
  const change = asking(database, noticeChanges, port, `SELECT pg_advisory_xact_lock(${NOTICES_LOCK})`);
  // Of several statements, which are to see the same.
  return noticeStore({ read: asking(database, noticeReads, port), change });
}

/** `flowed`: hears what rules did when a job was queued. */
export function postgresSchedules(
  database: Database,
  port: Port,
  alarm: ScheduleAlarm,
  flowed: (queued: FlowQueued) => void,
): ScheduleStore {
  const change = asking(database, scheduleChanges, port);
  // The lock of the queue comes first, as it does for every request that queues jobs.
  const alone = asking(database, scheduleChanges, port, ALONE.lock);
  const fire: ScheduleStore["fire"] = async (request) => {
    if (request.submission === null) return change("fireSchedule", request);
    const fired = await alone("fireSchedule", request);
    if (fired.state === "done") flowed(fired);
    return fired;
  };
  return scheduleStore({ read: reading(database, scheduleReads, port), change, fire }, alarm);
}

/** `told`: hears of runs that were woken. */
export function postgresEvents(
  database: Database,
  port: Port,
  flowed: (queued: FlowQueued) => void,
  told: (job: Job) => void,
): EventStore {
  // The lock of the queue comes first, as it does for every request that queues jobs.
  const alone = asking(database, eventChanges, port, ALONE.lock);
  return eventStore({
    // Of several statements, which are to see the same.
    read: asking(database, eventReads, port),
    change: asking(database, eventChanges, port),
    deliver: (delivery) => alone("deliverEvent", delivery),
    // Other replicas hear of it with the commit.
    queued: () => {},
    ...{ flowed, told },
  });
}
