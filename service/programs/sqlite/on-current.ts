/**
 * What else changes with the current version of a deployment, inside the same transaction: here the part for schedules carries them over.
 * Runs in the thread of the database, so it knows no clock; a failure takes the deployment back.
 */
import type { Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import { carrySchedules } from "../../schedules/sqlite/carry-over.ts";
import type { CurrentChange } from "../deployment.ts";

export function onCurrent(sql: Sql, change: CurrentChange): void {
  carrySchedules(sql, change);
}
