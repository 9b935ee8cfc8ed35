/** What rules need of PostgreSQL (`../port.ts`). */
import { ALONE, insertJobs } from "../../jobs/postgres/enqueue.ts";
import type { Clocks, Port } from "../port.ts";
import { run } from "../step.ts";
import { alarmNow } from "./alarm.ts";
import { postgresFlow } from "./flow-port.ts";
import { postgresJobs } from "./job-port.ts";

export const PROGRAMS_CHANNEL = "weft_programs";
export const JOB_VERSIONS = "weft.jobs";

export function postgresPort(clocks: Clocks): Port {
  return {
    ...clocks,
    ...postgresJobs,
    jobVersions: JOB_VERSIONS,
    newestJob: "(SELECT max(j.id) FROM weft.jobs j WHERE j.deployment = v.name AND j.version = v.version)",
    programOf: "deployment",
    hasTag: "(d.tags::jsonb ? $2::text AND ($3::text IS NULL OR d.tags::jsonb ->> $2::text = $3::text))",
    position: "strpos",
    seal: (text) => text,
    open: (stored) => stored,
    // Heard by replicas when it is committed.
    deploymentChanged: (name) => run("SELECT pg_notify($1, $2)", PROGRAMS_CHANNEL, name),
    ...postgresFlow,
    enqueue: (submission, most) => insertJobs(submission, most, ALONE.unseen),
    alarm: alarmNow,
  };
}
