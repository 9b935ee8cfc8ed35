/** Receives changes of jobs from all replicas. Notifications sent while the connection is down are lost; waiting requests then poll. */
import type { PostgresDatabase } from "../../../adapters/engine/postgres/postgres.ts";
import { JOB_STATUSES } from "../job.ts";
import type { JobSignals } from "../signals.ts";
import { CHANNEL, INSISTING } from "./job-rows.ts";

/** Resolves when it listens; from then on the connection is made anew whenever it is lost. */
export function listenForJobs(database: PostgresDatabase, signals: JobSignals): Promise<void> {
  return new Promise((resolve) => {
    database.listen(CHANNEL, (payload) => {
      if (payload === null) {
        signals.changedAll();
        return resolve();
      }
      const [id = "", status = ""] = payload.split(" ");
      if (status === "cancelling") signals.cancelling(id);
      if (status === INSISTING) signals.insisting(id);
      signals.changed(id, JOB_STATUSES.find((one) => one === status) ?? null);
    });
  });
}
