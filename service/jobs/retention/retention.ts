/** Default retention times of the store (docs/jobs.md, retention). */

const HOUR_MS = 3_600_000;

export const KEY_KEPT_MS = 24 * HOUR_MS;
/** Deliveries to endpoints with `dedupe`. */
export const DELIVERY_KEPT_MS = 7 * 24 * HOUR_MS;
/** Ids of expired jobs. */
export const TOMBSTONE_KEPT_MS = 7 * 24 * HOUR_MS;
/** Programs that no job names. */
export const PROGRAM_KEPT_MS = 24 * HOUR_MS;
/** Links after their time, to show what became of them. */
export const LINK_KEPT_MS = 24 * HOUR_MS;
/** Of a program in use, so often is written when it was used last. */
export const PROGRAM_MARKED_MS = 60_000;
/** Rows that one transaction of a sweep may touch. */
export const ROWS_A_ROUND = 500;
/** Jobs of processes that died, moved by one transaction: a start waits for the first of them. */
export const RECOVERED_A_ROUND = 100;

const OPEN = "('queued', 'running', 'waiting', 'sleeping', 'cancelling')";

/** Condition: the row `f` of a family was added in the present round of the job that began it. `schema`: of the tables. */
export function isOfThisRound(schema: string): string {
  return `f.started_ms >= coalesce((SELECT max(n.ended_ms) FROM ${schema}job_rounds n WHERE n.job = f.root), 0)`;
}

/**
 * Condition: the job `id` is not one whose result another job may still ask for: the one that began their family is over, or in a later round than that
 * in which the job was started.
 */
export function isAskedByNone(id: string, schema = ""): string {
  return `NOT EXISTS (SELECT 1 FROM ${schema}families f JOIN ${schema}jobs r ON r.id = f.root
    WHERE f.job = ${id} AND r.status IN ${OPEN} AND ${isOfThisRound(schema)})`;
}
