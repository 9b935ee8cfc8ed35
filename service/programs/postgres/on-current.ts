/**
 * What else changes with the current version of a deployment, inside the same transaction: here the part for schedules carries them over. A
 * failure takes the deployment back.
 */
import type { Statements } from "../../jobs/postgres/database.ts";
import { carrySchedules } from "../../schedules/postgres/carry-over.ts";
import type { CurrentChange } from "../deployment.ts";

export async function onCurrent(on: Statements, change: CurrentChange): Promise<void> {
  await carrySchedules(on, change);
}
