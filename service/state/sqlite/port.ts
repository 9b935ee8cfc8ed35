/** What rules need of SQLite (`../port.ts`). Only this process uses the file, so others need not hear of a change. */
import { type SubmissionRows, submittedRows } from "../../jobs/sqlite/tables/submission-rows.ts";
import type { StorePort } from "../port.ts";
import { direct } from "../step.ts";
import type { Enqueued, EnqueueOptions } from "../store.ts";
import { type FlowPortDeps, sqliteFlow } from "./flow-port.ts";
import { type JobPortDeps, sqliteJobs } from "./job-port.ts";

export type PortDeps = JobPortDeps &
  FlowPortDeps & {
    /** Of the jobs, inside the same transaction. */
    readonly enqueue: (request: SubmissionRows & EnqueueOptions) => Enqueued;
  };

export function sqlitePort({ files, room, enqueue, ...jobs }: PortDeps): StorePort {
  return {
    ...sqliteJobs(jobs),
    jobVersions: "submissions",
    newestJob: `(SELECT j.id FROM submissions s CROSS JOIN jobs j ON j.number = s.last_job
      WHERE s.deployment = v.name AND s.version = v.version ORDER BY s.number DESC LIMIT 1)`,
    programOf: "(SELECT deployment FROM submissions s WHERE s.number = jobs.submission)",
    hasTag: "EXISTS (SELECT 1 FROM json_each(d.tags) WHERE key = $2 AND ($3 IS NULL OR value = $3))",
    position: "instr",
    seal: (text, of) => files.seal(text, of),
    open: (stored, of) => files.open(stored, of),
    ...sqliteFlow({ sql: jobs.sql, files, room }),
    enqueue: (submission, most) =>
      direct(() => {
        const done = enqueue({ ...submittedRows(submission), most, key: null });
        if (done.state === "queued") return { queued: done.position, state: "queued" };
        return { queued: 0, state: done.state === "no_journal" ? "no_journal" : "full" };
      }),
    deploymentChanged: () => direct(() => {}),
    alarm: () => direct(() => {}),
  };
}
