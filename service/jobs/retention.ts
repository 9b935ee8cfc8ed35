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
