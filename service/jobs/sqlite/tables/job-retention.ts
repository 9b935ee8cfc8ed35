/**
 * How long jobs are kept: a result that has expired, or that exceeds the space, is deleted and leaves the id of an expired job; later that is
 * deleted as well. Each is one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`); times and bounds come with the calls.
 */
import { forgetJobState } from "../../../state/rules/shown-states.ts";
import { performed } from "../../../state/sqlite/perform.ts";
import { type Job, type KeptJob, moved, TERMINAL_STATUSES } from "../../job.ts";
import { isAskedByNone } from "../../retention/retention.ts";
import type { Tally } from "./counts.ts";
import { jobAt, type Sql } from "./job-rows.ts";
import { forgetDurable } from "./journal-tables.ts";
import type { MemoryRoom } from "./memory-bound.ts";
import type { TextFiles } from "./text-files.ts";

const UNASKED = isAskedByNone("jobs.id");
const ENDED = "expires_ms IS NOT NULL AND status <> 'expired'";
const EXPIRE = "UPDATE jobs SET status = ?, expires_ms = ?, moves = '', frame = NULL WHERE id = ?";
/** Jobs of a submission. Its numbers may have been given anew, to jobs of another one, when its last jobs were forgotten before its first. */
const ITS_JOBS = "jobs WHERE jobs.number BETWEEN first_job AND last_job AND submission = submissions.number";
/** Drops the request of a submission whose jobs have all expired. The last one is looked at first: it mostly has not. */
const RELEASE = `UPDATE submissions SET request = NULL WHERE number = (SELECT submission FROM jobs WHERE id = ?) AND request IS NOT NULL
  AND CASE (SELECT status FROM ${ITS_JOBS} ORDER BY jobs.number DESC LIMIT 1) WHEN 'expired'
    THEN NOT EXISTS (SELECT 1 FROM ${ITS_JOBS} AND status <> 'expired') ELSE 0 END`;

/** `most`: jobs that are due by their time, and as many that exceed `mostResults`. */
type DueBounds = { readonly now: number; readonly most: number; readonly mostResults: number };

type Forgetting = {
  readonly now: number;
  readonly most: number;
  /** How long ids of expired jobs are known. */
  readonly tombstoneMs: number;
  /** How long programs without jobs are kept. */
  readonly programMs: number;
};

/** `room`: of a database in memory. */
export function jobRetention(sql: Sql, files: TextFiles, tally: Tally, room: MemoryRoom | null) {
  const expire = (job: KeptJob, now: number): KeptJob => {
    const next = moved(job, "expired", now);
    tally.moved(job.status, next.status);
    sql(EXPIRE).run(next.status, next.expiresMs, job.id);
    sql("DELETE FROM job_events WHERE job_id = ?").run(job.id);
    const dropped = sql("DELETE FROM results WHERE job = (SELECT number FROM jobs WHERE id = ?) RETURNING file");
    files.drop((dropped.pluck().get(job.id) ?? null) as string | null);
    if (job.deployment !== null)
      sql("DELETE FROM job_search WHERE job = (SELECT number FROM jobs WHERE id = ?)").run(job.id);
    performed(sql, forgetJobState(job.id));
    if (job.durable) forgetDurable(sql, sql("SELECT number FROM jobs WHERE id = ?").pluck().get(job.id) as number);
    room?.left(job.id);
    return next;
  };
  const due = ({ now, most, mostResults }: DueBounds): readonly string[] => {
    const kept = TERMINAL_STATUSES.reduce((sum, status) => sum + tally.of(status), 0);
    const surplus = Math.min(most, Math.max(0, kept - mostResults));
    const late = sql(
      `SELECT id FROM jobs WHERE ${ENDED} AND expires_ms <= ? AND ${UNASKED} ORDER BY expires_ms LIMIT ?`,
    );
    const oldest = sql(`SELECT id FROM jobs WHERE ${ENDED} AND ${UNASKED} ORDER BY finished_ms, number LIMIT ?`);
    return [...new Set([...late.pluck().all(now, most), ...oldest.pluck().all(surplus)] as string[])];
  };
  /** Jobs that expired for lack of space and are not reported yet. */
  const crowdedOut: string[] = [];
  return {
    /** Told after a job is over: those that came first make room for it. */
    ended(id: string, now: number): void {
      if (room === null) return;
      room.entered(id);
      for (let oldest = room.surplus(); oldest !== null; oldest = room.surplus()) {
        expire(jobAt(sql, oldest) as KeptJob, now);
        sql(RELEASE).run(oldest);
        crowdedOut.push(oldest);
      }
    },

    due,

    expire({ now, only, ...bounds }: DueBounds & { readonly only: readonly string[] | null }): readonly Job[] {
      const ids = only ?? due({ now, ...bounds });
      const jobs = ids
        .map((id) => jobAt(sql, id))
        .filter((job) => job !== null && TERMINAL_STATUSES.includes(job.status));
      // A change that was taken back has expired none.
      const before = crowdedOut
        .splice(0)
        .map((id) => jobAt(sql, id))
        .filter((job) => job?.status === "expired") as KeptJob[];
      const expired = [...before, ...jobs.map((job) => expire(job as KeptJob, now))];
      for (const { id } of expired) sql(RELEASE).run(id);
      return expired;
    },

    forget({ now, most, tombstoneMs, programMs }: Forgetting): void {
      const gone = sql(
        `DELETE FROM jobs WHERE number IN (
           SELECT number FROM jobs WHERE status = 'expired' AND expires_ms <= ? ORDER BY expires_ms LIMIT ?
         ) RETURNING submission`,
      );
      const submissions = gone.pluck().all(now - tombstoneMs, most) as number[];
      tally.moved("expired", null, submissions.length);
      const remove = sql(`DELETE FROM submissions WHERE number = ? AND NOT EXISTS (SELECT 1 FROM ${ITS_JOBS})`);
      for (const number of new Set(submissions)) remove.run(number);
      sql(
        `DELETE FROM programs WHERE used_ms <= ?
         AND NOT EXISTS (SELECT 1 FROM submissions s WHERE s.checksum = programs.checksum AND s.request IS NOT NULL)`,
      ).run(now - programMs);
    },
  };
}
