/** What wakes parked jobs, whose rows are locked: what all rules about it share. */
import { waitToClean } from "../../jobs/durable/cleanup-rows.ts";
import type { Arrival, WaitRow } from "../../jobs/durable/wait-rows.ts";
import { type KeptJob, PARKED } from "../../jobs/job.ts";
import type { Found, JobKey, JobPort, Wake } from "../job-port.ts";
import { rows, run, type Step } from "../step.ts";

const OPEN = "SELECT * FROM weft.waits WHERE job = ANY ($1) AND ended_ms IS NULL ORDER BY began_ms, length(id), id";

/** The oldest first. */
export function openWaits(jobs: readonly JobKey[]): Step<readonly WaitRow[]> {
  return rows<WaitRow>(OPEN, jobs);
}

export function endWait({ key }: Found, wait: string, now: number): Step<void> {
  return run("UPDATE weft.waits SET ended_ms = $3 WHERE job = $1 AND id = $2 AND ended_ms IS NULL", key, wait, now);
}

export function wakeOf(found: Found, wait: string, arrival: Arrival): Wake {
  return { ...found, wait, why: arrival.why, record: { kind: "woken", wait, ...arrival } };
}

export function* wakeOne(port: JobPort, wake: Wake, now: number): Step<KeptJob | null> {
  const [woken] = yield* port.wake([wake], now);
  return woken ?? null;
}

/** Gives the decision of a question to its job. Null: the job does not wait for it. */
export function* wakeDecided(
  port: JobPort,
  found: Found,
  approval: string,
  decision: Arrival,
  now: number,
): Step<KeptJob | null> {
  if (!PARKED.includes(found.job.status)) return null;
  const waits = yield* openWaits([found.key]);
  const wait = waits.find(({ kind, key }) => kind === "approval" && key === approval);
  return wait === undefined ? null : yield* wakeOne(port, wakeOf(found, wait.id, decision), now);
}

/** Ends a wait of a job so that its run is cancelled there and cleans up. Null: it does not wait, or has nothing to clean up. */
export function* wakeToClean(port: JobPort, found: Found, by: string, now: number): Step<KeptJob | null> {
  if (!PARKED.includes(found.job.status)) return null;
  const wait = waitToClean(yield* openWaits([found.key]));
  if (wait === undefined) return null;
  return yield* wakeOne(port, wakeOf(found, wait.id, { why: "cancelled", result: by }), now);
}
