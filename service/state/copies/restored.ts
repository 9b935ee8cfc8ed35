/**
 * What becomes of a store that was restored from a copy. Jobs that were open then may have come to their end since, schedules may have fired, and
 * notices may have been sent: nothing continues by itself, and a person decides about each.
 */
import { ownResult } from "../../jobs/answers/bodies.ts";
import { afterInterruption, type Job, type JobStatus, moved } from "../../jobs/job.ts";
import type { JobKey } from "../job-port.ts";
import type { Port } from "../port.ts";
import { rows, type Step } from "../step.ts";

const OPEN: readonly JobStatus[] = ["queued", "running", "waiting", "sleeping", "cancelling"];

export type RestoredJob = Pick<Job, "id" | "status" | "durable" | "deployment" | "version" | "label" | "queuedMs">;
export type RestoredSchedule = { readonly id: string; readonly next_due_ms: number | null };

export const restoreChanges = {
  /** Up to `most` open jobs, as they were; none are left when there are fewer. */
  *endRestored(port: Port, most: number): Step<readonly RestoredJob[]> {
    const found = yield* rows<{ readonly key: JobKey }>(
      `SELECT ${port.jobKey} AS key FROM weft.jobs WHERE status = ANY ($1) ORDER BY ${port.jobKey} LIMIT $2`,
      OPEN,
      most,
    );
    const now = port.now();
    const ended: RestoredJob[] = [];
    for (const { key } of found) {
      const open = yield* port.lockedJobOf(key);
      if (open === null) continue;
      const { job } = open;
      const to = job.status === "cancelling" ? afterInterruption({ ...job, durable: false }) : "interrupted";
      const result = ownResult(
        to,
        job.traceId,
        yield* port.toldSoFar(open),
        to === "interrupted" ? "restored" : undefined,
      );
      yield* port.move(open, moved(job, to, now), result, now, null);
      const { id, status, durable, deployment, version, label, queuedMs } = job;
      ended.push({ id, status, durable, deployment, version, label, queuedMs });
    }
    return ended;
  },

  /** Those that were not paused, as they were. */
  *pauseRestored(): Step<readonly RestoredSchedule[]> {
    yield* rows("UPDATE weft.notices SET state = 'failed', due_ms = NULL, code = 'restored' WHERE state = 'due'");
    yield* rows("UPDATE weft.approvals SET notice_ms = NULL WHERE notice_ms IS NOT NULL");
    const found = yield* rows<RestoredSchedule>(
      "SELECT id, next_due_ms FROM weft.schedules WHERE enabled AND NOT paused ORDER BY id",
    );
    yield* rows("UPDATE weft.schedules SET paused = true, paused_because = 'restored' WHERE enabled AND NOT paused");
    return found;
  },
};
