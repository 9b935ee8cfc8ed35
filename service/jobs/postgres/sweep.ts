/** One round of retention in PostgreSQL. One replica at a time; rows that somebody works with are left for the next round. */

import { ANY_JOB } from "../../state/postgres/job-port.ts";
import { forgetDurable } from "../../state/postgres/journal.ts";
import { performed } from "../../state/postgres/perform.ts";
import { JOB_VERSIONS } from "../../state/postgres/port.ts";
import { forgetLinks } from "../../state/rules/links.ts";
import { forgetPrograms } from "../../state/rules/programs/changes.ts";
import { forgetJobState } from "../../state/rules/shown-states.ts";
import { type Job, moved, TERMINAL_STATUSES } from "../job.ts";
import { isAskedByNone, PROGRAM_KEPT_MS, ROWS_A_ROUND, TOMBSTONE_KEPT_MS } from "../retention/retention.ts";
import type { Statements } from "./database.ts";
import { COLUMNS, jobOf, moveLocked } from "./job-rows.ts";
import { LOCKS } from "./schema.ts";

/** `only`: the jobs that may expire; null: all that are due. */
export async function sweepRows(
  on: Statements,
  now: number,
  mostResults: number,
  only: readonly string[] | null,
): Promise<readonly Job[]> {
  const [lock] = await on.query("SELECT pg_try_advisory_xact_lock($1) AS mine", [LOCKS.sweep]);
  if (lock?.["mine"] !== true) return [];
  const expired: Job[] = [];
  for (const row of await dueRows(on, only ?? (await dueIds(on, now, mostResults)))) {
    const job = jobOf(row);
    await on.query("UPDATE weft.jobs SET request = NULL, frame = NULL WHERE id = $1", [job.id]);
    await on.query("DELETE FROM weft.job_events WHERE job_id = $1", [job.id]);
    await performed(on, forgetJobState(job.id));
    if (job.deployment !== null) await on.query("DELETE FROM weft.job_search WHERE job = $1", [job.id]);
    expired.push(await performed(on, moveLocked(job, moved(job, "expired", now), null, now)));
  }
  const durable = expired.filter((job) => job.durable).map(({ id }) => id);
  if (durable.length > 0) await performed(on, forgetDurable(durable));
  await on.query(
    `WITH gone AS (DELETE FROM weft.signals WHERE expires_ms <= $1 AND job IS NULL RETURNING number)
     DELETE FROM weft.signal_reads WHERE job = $2 AND signal IN (SELECT number FROM gone)`,
    [now, ANY_JOB],
  );
  await performed(on, forgetLinks(now));
  await on.query(
    `DELETE FROM weft.jobs WHERE id IN (
       SELECT id FROM weft.jobs WHERE status = 'expired' AND expires_ms <= $1 ORDER BY expires_ms LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [now - TOMBSTONE_KEPT_MS, ROWS_A_ROUND],
  );
  await on.query(
    `DELETE FROM weft.idempotency WHERE (scope, key) IN (
       SELECT scope, key FROM weft.idempotency WHERE expires_ms <= $1 AND owner IS NULL LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [now, ROWS_A_ROUND],
  );
  await on.query(
    `DELETE FROM weft.programs p WHERE used_ms <= $1 AND NOT EXISTS (SELECT 1 FROM weft.jobs j WHERE j.checksum = p.checksum)`,
    [now - PROGRAM_KEPT_MS],
  );
  await performed(on, forgetPrograms({ jobVersions: JOB_VERSIONS }));
  return expired;
}

const UNASKED = isAskedByNone("j.id", "weft.");

/** At most 500 that are due by their time, and as many that exceed `mostResults`. */
export async function dueIds(on: Statements, now: number, mostResults: number): Promise<readonly string[]> {
  const [counted] = await on.query("SELECT count(*) AS kept FROM weft.jobs WHERE status = ANY ($1)", [
    TERMINAL_STATUSES,
  ]);
  const surplus = Math.min(ROWS_A_ROUND, Math.max(0, Number(counted?.["kept"]) - mostResults));
  const rows = await on.query(
    `(SELECT id FROM weft.jobs j WHERE status = ANY ($1) AND expires_ms <= $2 AND ${UNASKED} ORDER BY expires_ms LIMIT $3)
     UNION (SELECT id FROM weft.jobs j WHERE status = ANY ($1) AND ${UNASKED} ORDER BY finished_ms, id LIMIT $4)`,
    [TERMINAL_STATUSES, now, ROWS_A_ROUND, surplus],
  );
  return rows.map(({ id }) => id as string);
}

function dueRows(on: Statements, ids: readonly string[]) {
  return on.query(
    `SELECT ${COLUMNS} FROM weft.jobs WHERE id = ANY ($1) AND status = ANY ($2) ORDER BY id FOR UPDATE SKIP LOCKED`,
    [ids, TERMINAL_STATUSES],
  );
}
