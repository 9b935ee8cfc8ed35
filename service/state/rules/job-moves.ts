/** Moves of a job that somebody else than its run makes: cancelled, interrupted, over with its lifetime (docs/jobs.md, docs/durable.md). */
import { lifetimeResult, ownResult, type RunSoFar, unbegunResult } from "../../jobs/answers/bodies.ts";
import { CANCELLED_BY_REQUEST, hasCleanup, LIFETIME_OVER } from "../../jobs/durable/cleanup-rows.ts";
import { afterInterruption, type Claim, type Job, type KeptJob, mayMove, moved, PARKED } from "../../jobs/job.ts";
import type { Found, JobPort } from "../job-port.ts";
import type { Port } from "../port.ts";
import { any, run, type Step, value } from "../step.ts";
import { heldJob } from "./held-job.ts";
import { wakeToClean } from "./wakes.ts";

type Cancelled = { readonly job: Job; readonly moved: boolean };
type Interruption = { readonly writer: Claim; readonly known: RunSoFar | null };

export const jobChanges = {
  *cancelJob(port: Port, id: string): Step<Cancelled | null> {
    const found = yield* port.lockedJob(id);
    if (found === null) return null;
    if (found.job.status === "cancelling") yield* port.insist(id);
    return yield* cancelFound(port, found, port.now());
  },

  /** Its process gives it up. Null: another claim has the job. */
  *interruptJob(port: Port, { writer, known }: Interruption): Step<KeptJob | null> {
    const held = yield* heldJob(port, writer);
    return held === null ? null : yield* interrupted(port, held, known, port.now(), null);
  },

  /** Durable jobs in the line or parked whose lifetime is over. Those that run are ended by their worker. */
  *endLifetimes(port: Port, most: number): Step<readonly Job[]> {
    const now = port.now();
    const ended: KeptJob[] = [];
    for (const found of yield* port.lifetimesOver(now, most)) {
      const { job } = found;
      if (!mayMove(job.status, "timed_out") || job.owner !== null) continue;
      const woken = yield* wakeToClean(port, found, LIFETIME_OVER, now);
      if (woken !== null) ended.push(woken);
      else {
        const result = lifetimeResult(job.traceId, yield* port.requestOf(found));
        ended.push(yield* port.move(found, moved(job, "timed_out", now), result, now, null));
      }
    }
    return ended;
  },
};

/** Ends a locked job, or has its run end. `replacedBy`: the job that rules queue in its place. */
export function* cancelFound(
  port: JobPort,
  found: Found,
  now: number,
  replacedBy: string | null = null,
): Step<Cancelled> {
  const woken = yield* wakeToClean(port, found, CANCELLED_BY_REQUEST, now);
  if (woken !== null) return { job: woken, moved: true };
  const { job } = found;
  if (replacedBy === null && job.status === "queued" && (yield* tellsEnd(job))) {
    yield* run(`UPDATE weft.jobs SET why = 'cancel' WHERE ${port.jobKey} = $1`, found.key);
    return { job, moved: true };
  }
  // One that does not run is over at once.
  const to = job.status === "queued" || PARKED.includes(job.status) ? "cancelled" : "cancelling";
  if (!mayMove(job.status, to)) return { job, moved: false };
  const result = unbegunResult(to, job.traceId, yield* port.requestOf(found), replacedBy);
  return { job: yield* port.move(found, moved(job, to, now), result, now, null), moved: true };
}

/** A job in line that has begun, and whose run is to say what it used: another one pays for it. */
function* tellsEnd({ id, durable, startedMs }: KeptJob): Step<boolean> {
  return durable && startedMs !== null && (yield* any("SELECT 1 FROM weft.families WHERE job = $1 AND shares", id));
}

/**
 * Moves a locked job whose process is gone, or gives it up. `known`: of its run; null: what its events told is all that is known. `maxCrashes`:
 * resumes in a row without a new record; null: the process did not die.
 */
export function* interrupted(
  port: JobPort,
  found: Found,
  known: RunSoFar | null,
  now: number,
  maxCrashes: number | null,
): Step<KeptJob> {
  const { job } = found;
  // Such a run may have ended its process, and would do so again.
  const isStuck = job.durable && maxCrashes !== null && (yield* resumedInVain(port, found)) > maxCrashes;
  const cleansUp = !isStuck && (yield* mayCleanUp(found));
  const to = isStuck && job.status === "running" ? "interrupted" : cleansUp ? "queued" : afterInterruption(job);
  const soFar = to === "queued" ? null : (known ?? (yield* port.toldSoFar(found)));
  const result = soFar === null ? null : ownResult(to, job.traceId, soFar, isStuck ? "crash_loop" : undefined);
  const resumed = cleansUp ? "cancel" : maxCrashes === null ? "stop" : port.afterCrash;
  const why = job.durable && to === "queued" ? resumed : null;
  return yield* port.move(found, moved(job, to, now), result, now, why);
}

/** How often in a row the job is resumed without a new record of its run, this time included. */
function* resumedInVain({ jobKey }: JobPort, { key }: Found): Step<number> {
  const count = `UPDATE weft.jobs SET stuck = stuck + 1 WHERE ${jobKey} = $1 RETURNING stuck`;
  return (yield* value<number>(count, key)) ?? 0;
}

/** Whether the run of a job that is being cancelled has a cleanup, which another process continues. */
function* mayCleanUp({ job, key }: Found): Step<boolean> {
  if (!job.durable || job.status !== "cancelling") return false;
  return hasCleanup(yield* value<Uint8Array>("SELECT data FROM weft.job_journal WHERE job = $1 AND seq = 1", key));
}
