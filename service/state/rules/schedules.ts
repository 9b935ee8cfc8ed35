/**
 * When schedules fire (docs/programs.md): the row of a due time is the fence, and the job and the next time are in the same transaction.
 * Replicas that look at the same moment lock the row of the schedule, so that one fires and the others find it done.
 */
import { FIRES_KEPT, type Fire, MAX_REFUSALS, type Schedule } from "../../schedules/schedule.ts";
import type { Fired, FireRequest, SchedulePromise } from "../../schedules/store.ts";
import type { Port } from "../port.ts";
import { any, row, rows, run, type Step, value } from "../step.ts";
import { type QueuedJobs, queueJobs } from "./flow/enqueue.ts";
import { FOUND, type ScheduleRow, scheduleOf } from "./schedule-reads.ts";

const PUT_FIRE = `INSERT INTO weft.fires (schedule, due_ms, outcome, job_id, at_ms, error) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (schedule, due_ms) DO UPDATE SET outcome = excluded.outcome, job_id = excluded.job_id, at_ms = excluded.at_ms,
    error = excluded.error`;
const PRUNE = `DELETE FROM weft.fires WHERE schedule = $1 AND due_ms <= (
  SELECT due_ms FROM weft.fires WHERE schedule = $1 ORDER BY due_ms DESC LIMIT 1 OFFSET ${FIRES_KEPT})`;
/** Jobs of the last fires that have not ended. */
const UNFINISHED = `SELECT j.id FROM (
    SELECT job_id FROM weft.fires WHERE schedule = $1 AND job_id IS NOT NULL ORDER BY due_ms DESC LIMIT 100
  ) f JOIN weft.jobs j ON j.id = f.job_id WHERE j.status IN ('queued', 'running', 'waiting', 'sleeping', 'cancelling')`;
const LAST_OUTCOMES = `SELECT outcome, status FROM (
    SELECT outcome, job_id FROM weft.fires WHERE schedule = $1 AND outcome IN ('fired', 'refused') ORDER BY due_ms DESC LIMIT $2
  ) f LEFT JOIN weft.jobs j ON j.id = f.job_id`;

export const scheduleChanges = {
  *promiseSchedule(_: Port, { id, revision, next }: SchedulePromise): Step<boolean> {
    return yield* any(
      `UPDATE weft.schedules SET next_due_ms = $3, next_at_ms = $4, computed = true
       WHERE id = $1 AND revision = $2 AND NOT computed RETURNING id`,
      ...[id, revision, next?.dueMs ?? null, next?.atMs ?? null],
    );
  },

  *fireSchedule(port: Port, request: FireRequest): Step<Fired> {
    const { id, revision, dueMs, kind, submission } = request;
    const found = yield* row<ScheduleRow>(`${FOUND} FOR UPDATE`, id);
    const schedule = found === undefined ? null : scheduleOf(found);
    if (schedule === null || schedule.revision !== revision) return { state: "lost" };
    if (kind === "due" && schedule.nextDueMs !== dueMs) return { state: "lost" };
    if (kind === "waiting" && schedule.waitingMs !== dueMs) return { state: "lost" };
    const known = yield* value<string>("SELECT outcome FROM weft.fires WHERE schedule = $1 AND due_ms = $2", id, dueMs);
    // The fence: a due time that fired, fires never again.
    if (known === "fired" || (known !== undefined && kind === "due")) {
      yield* advance(request);
      if (kind === "waiting") yield* setWaiting(id, null);
      return { state: "lost" };
    }
    const isWanted = request.outcome === "fired" || request.outcome === "refused";
    if (isWanted && kind === "due" && (yield* isRefusedAgain(id))) {
      const because = `nothing could run ${MAX_REFUSALS} times in a row`;
      yield* run("UPDATE weft.schedules SET paused = true, paused_because = $2 WHERE id = $1", id, because);
      return yield* done(request, "paused", request.error, { pausedNow: true });
    }
    if (request.outcome !== "fired" || submission === null) return yield* done(request, request.outcome, request.error);
    const { overlap } = schedule.spec;
    const isAlone = kind === "extra" || overlap === "allow";
    const unfinished = isAlone ? [] : (yield* rows<{ readonly id: string }>(UNFINISHED, id)).map((job) => job.id);
    if (unfinished.length > 0 && overlap !== "replace") {
      if (kind === "waiting") return { state: "lost" };
      if (overlap === "skip" || schedule.waitingMs !== null) return yield* done(request, "skipped_overlap", null);
      yield* setWaiting(id, dueMs);
      return yield* done(request, "waiting", null);
    }
    if (kind === "due" && overlap === "queue" && schedule.waitingMs !== null)
      return yield* done(request, "skipped_overlap", null);
    const queued = yield* queueJobs(port, submission, request.maxQueued);
    if (kind === "waiting") yield* setWaiting(id, null);
    const { answer } = queued;
    if (answer.state === "full" || answer.state === "no_journal") return yield* done(request, "missed", "queue_full");
    if (answer.state === "dropped") return yield* done(request, "skipped_overlap", "job_dropped");
    const [there] = answer.state === "taken" ? [{ id: answer.by }] : (answer.there ?? []);
    if (there !== undefined) return yield* done(request, "skipped_overlap", "job_exists", { jobId: there.id });
    return yield* done(request, "fired", null, { jobId: submission.jobs[0]?.id ?? "", replaced: unfinished, queued });
  },

  *pauseSchedule(_: Port, { id, paused }: { readonly id: string; readonly paused: boolean }): Step<Schedule | null> {
    yield* run("UPDATE weft.schedules SET paused = $2, paused_because = NULL WHERE id = $1", id, paused);
    // A new start: what was refused before counts no longer.
    if (!paused) yield* run("UPDATE weft.fires SET outcome = 'missed' WHERE schedule = $1 AND outcome = 'refused'", id);
    const found = yield* row<ScheduleRow>(FOUND, id);
    return found === undefined ? null : scheduleOf(found);
  },
};

type More = {
  readonly jobId?: string;
  readonly replaced?: readonly string[];
  readonly pausedNow?: boolean;
  readonly queued?: QueuedJobs;
};

function* done(
  request: FireRequest,
  outcome: Fire["outcome"],
  error: string | null,
  { jobId, replaced = [], pausedNow = false, queued }: More = {},
): Step<Fired> {
  const { id, dueMs, atMs } = request;
  yield* run(PUT_FIRE, id, dueMs, outcome, jobId ?? null, atMs, error);
  yield* run(PRUNE, id);
  yield* advance(request);
  const { ended = [], nextMs = null } = queued ?? {};
  return { state: "done", outcome, error, pausedNow, replaced, ended, nextMs };
}

function* advance({ id, kind, next }: FireRequest): Step<void> {
  const to = "UPDATE weft.schedules SET next_due_ms = $2, next_at_ms = $3 WHERE id = $1";
  if (kind === "due") yield* run(to, id, next?.dueMs ?? null, next?.atMs ?? null);
}

function setWaiting(id: string, dueMs: number | null): Step<void> {
  return run("UPDATE weft.schedules SET waiting_ms = $2 WHERE id = $1", id, dueMs);
}

function* isRefusedAgain(id: string): Step<boolean> {
  const last = yield* rows<{ readonly outcome: string; readonly status: string | null }>(
    LAST_OUTCOMES,
    ...[id, MAX_REFUSALS],
  );
  const isRefused = last.every(({ outcome, status }) => outcome === "refused" || status === "rejected");
  return last.length === MAX_REFUSALS && isRefused;
}
