/** Ending jobs whose lifetime is over in PostgreSQL. */
import type { StorePort } from "../../../state/port.ts";
import { performed } from "../../../state/postgres/perform.ts";
import { wakeToClean } from "../../../state/rules/wakes.ts";
import { lifetimeResult } from "../../answers/bodies.ts";
import { CLEANUP_GRACE_MS, LIFETIME_OVER } from "../../durable/cleanup-rows.ts";
import { type Job, type KeptJob, mayMove, moved, PARKED } from "../../job.ts";
import type { Statements } from "../database.ts";
import { COLUMNS, jobOf, moveLocked } from "../job-rows.ts";

/** Durable jobs in the line or parked whose lifetime is over. Those that run are ended by their worker. */
export async function endLifetimes(
  on: Statements,
  port: StorePort,
  now: number,
  most: number,
): Promise<readonly Job[]> {
  const rows = await on.query(
    `SELECT ${COLUMNS}, request FROM weft.jobs WHERE ends_ms <= $1 AND status = ANY ($2)
       AND (status <> 'queued' OR why IS NULL OR ends_ms <= $4) ORDER BY ends_ms LIMIT $3
     FOR UPDATE SKIP LOCKED`,
    [now, ["queued", ...PARKED], most, now - CLEANUP_GRACE_MS],
  );
  const ended: KeptJob[] = [];
  for (const row of rows) {
    const job = jobOf(row);
    if (!mayMove(job.status, "timed_out")) continue;
    if ((await performed(on, wakeToClean(port, { job, key: job.id }, LIFETIME_OVER, now))) !== null) continue;
    const result = lifetimeResult(job.traceId, row["request"]);
    ended.push(await moveLocked(on, job, moved(job, "timed_out", now), result, now));
  }
  return ended;
}
