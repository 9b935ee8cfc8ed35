/** What is asked of schedules in SQLite and what changes them, each as one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`). */
import type { Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import type { SubmissionRows } from "../../jobs/sqlite/tables/submission-rows.ts";
import type { Enqueued, EnqueueOptions } from "../../jobs/store.ts";
import type { NextTime } from "../next-times.ts";
import { FIRES_KEPT, type Fire, MAX_REFUSALS, type Schedule } from "../schedule.ts";
import type { Fired, FireRequest } from "../store.ts";

type Row = {
  readonly id: string;
  readonly program: string;
  readonly version: number;
  readonly spec: string;
  readonly enabled: number;
  readonly paused: number;
  readonly paused_because: string | null;
  readonly next_due_ms: number | null;
  readonly next_at_ms: number | null;
  readonly base_ms: number;
  readonly waiting_ms: number | null;
  readonly revision: number;
  readonly computed: number;
};

/** On its way to the thread of the database. */
export type FireRows = Omit<FireRequest, "submission"> & { readonly submission: SubmissionRows | null };

const DUE = `SELECT * FROM schedules WHERE computed = 0 OR next_at_ms <= ? OR waiting_ms IS NOT NULL
  ORDER BY coalesce(next_at_ms, 0), id LIMIT ?`;
/** Jobs of the last fires that have not ended. */
const UNFINISHED = `SELECT jobs.id FROM (
    SELECT job_id FROM fires WHERE schedule = ? AND job_id IS NOT NULL ORDER BY due_ms DESC LIMIT 100
  ) JOIN jobs ON jobs.id = job_id WHERE status IN ('queued', 'running', 'waiting', 'sleeping', 'cancelling')`;
const LAST_OUTCOMES = `SELECT outcome, status FROM (
    SELECT outcome, job_id FROM fires WHERE schedule = ? AND outcome IN ('fired', 'refused') ORDER BY due_ms DESC LIMIT ?
  ) LEFT JOIN jobs ON jobs.id = job_id`;
const PUT_FIRE = `INSERT INTO fires (schedule, due_ms, outcome, job_id, at_ms, error) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (schedule, due_ms) DO UPDATE SET outcome = excluded.outcome, job_id = excluded.job_id, at_ms = excluded.at_ms,
    error = excluded.error`;
const PRUNE = `DELETE FROM fires WHERE schedule = ? AND due_ms <= (
  SELECT due_ms FROM fires WHERE schedule = ? ORDER BY due_ms DESC LIMIT 1 OFFSET ${FIRES_KEPT})`;

function scheduleOf(row: Row): Schedule {
  return {
    id: row.id,
    program: row.program,
    version: row.version,
    spec: JSON.parse(row.spec),
    enabled: row.enabled === 1,
    paused: row.paused === 1,
    pausedBecause: row.paused_because,
    isPromised: row.computed === 1,
    nextDueMs: row.next_due_ms,
    nextAtMs: row.next_at_ms,
    baseMs: row.base_ms,
    waitingMs: row.waiting_ms,
    revision: row.revision,
  };
}

/** `enqueue`: of the jobs, inside the same transaction. */
export function scheduleCalls(sql: Sql, enqueue: (request: SubmissionRows & EnqueueOptions) => Enqueued) {
  const find = (id: string): Schedule | null => {
    const row = sql("SELECT * FROM schedules WHERE id = ?").get(id) as Row | undefined;
    return row === undefined ? null : scheduleOf(row);
  };
  const keep = (
    { id, dueMs, atMs }: FireRows,
    outcome: Fire["outcome"],
    jobId: string | null,
    error: string | null,
  ): void => {
    sql(PUT_FIRE).run(id, dueMs, outcome, jobId, atMs, error);
    sql(PRUNE).run(id, id);
  };
  const isRefusedAgain = (id: string): boolean => {
    const last = sql(LAST_OUTCOMES).all(id, MAX_REFUSALS) as { outcome: string; status: string | null }[];
    return (
      last.length === MAX_REFUSALS &&
      last.every(({ outcome, status }) => outcome === "refused" || status === "rejected")
    );
  };
  return {
    listSchedules({
      limit,
      after,
      program,
    }: {
      readonly limit: number;
      readonly after: string | null;
      readonly program: string | null;
    }): readonly Schedule[] {
      const rows = sql("SELECT * FROM schedules WHERE id > ? AND (? IS NULL OR program = ?) ORDER BY id LIMIT ?");
      return (rows.all(after ?? "", program, program, limit) as Row[]).map(scheduleOf);
    },

    findSchedule: ({ id }: { readonly id: string }): Schedule | null => find(id),

    dueSchedules: ({ now, limit }: { readonly now: number; readonly limit: number }): readonly Schedule[] =>
      (sql(DUE).all(now, limit) as Row[]).map(scheduleOf),

    earliestSchedule: (): number | null => sql("SELECT min(next_at_ms) FROM schedules").pluck().get() as number | null,

    promiseSchedule({
      id,
      revision,
      next,
    }: {
      readonly id: string;
      readonly revision: number;
      readonly next: NextTime | null;
    }): boolean {
      const promise = sql(
        "UPDATE schedules SET next_due_ms = ?, next_at_ms = ?, computed = 1 WHERE id = ? AND revision = ? AND computed = 0",
      );
      return promise.run(next?.dueMs ?? null, next?.atMs ?? null, id, revision).changes === 1;
    },

    fireSchedule(request: FireRows): Fired {
      const { id, revision, dueMs, kind, submission, maxQueued, next } = request;
      const schedule = find(id);
      if (schedule === null || schedule.revision !== revision) return { state: "lost" };
      if (kind === "due" && schedule.nextDueMs !== dueMs) return { state: "lost" };
      if (kind === "waiting" && schedule.waitingMs !== dueMs) return { state: "lost" };
      const known = sql("SELECT outcome FROM fires WHERE schedule = ? AND due_ms = ?").pluck().get(id, dueMs) as
        | string
        | undefined;
      const advance = (): void => {
        if (kind !== "due") return;
        sql("UPDATE schedules SET next_due_ms = ?, next_at_ms = ? WHERE id = ?").run(
          next?.dueMs ?? null,
          next?.atMs ?? null,
          id,
        );
      };
      // The fence: a due time that fired, fires never again.
      if (known === "fired" || (known !== undefined && kind === "due")) {
        advance();
        if (kind === "waiting") sql("UPDATE schedules SET waiting_ms = NULL WHERE id = ?").run(id);
        return { state: "lost" };
      }
      const done = (
        outcome: Fire["outcome"],
        error: string | null,
        jobId: string | null = null,
        replaced: readonly string[] = [],
      ): Fired => {
        keep(request, outcome, jobId, error);
        advance();
        return { state: "done", outcome, error, pausedNow: false, replaced };
      };
      const isWanted = request.outcome === "fired" || request.outcome === "refused";
      if (isWanted && kind === "due" && isRefusedAgain(id)) {
        const because = `nothing could run ${MAX_REFUSALS} times in a row`;
        sql("UPDATE schedules SET paused = 1, paused_because = ? WHERE id = ?").run(because, id);
        return { ...done("paused", request.error), pausedNow: true } as Fired;
      }
      if (request.outcome !== "fired" || submission === null) return done(request.outcome, request.error);
      const { overlap } = schedule.spec;
      const unfinished = kind === "extra" || overlap === "allow" ? [] : (sql(UNFINISHED).pluck().all(id) as string[]);
      if (unfinished.length > 0 && overlap !== "replace") {
        if (kind === "waiting") return { state: "lost" };
        if (overlap === "skip" || schedule.waitingMs !== null) return done("skipped_overlap", null);
        sql("UPDATE schedules SET waiting_ms = ? WHERE id = ?").run(dueMs, id);
        return done("waiting", null);
      }
      if (kind === "due" && overlap === "queue" && schedule.waitingMs !== null) return done("skipped_overlap", null);
      const queued = enqueue({ ...submission, most: maxQueued, key: null });
      if (kind === "waiting") sql("UPDATE schedules SET waiting_ms = NULL WHERE id = ?").run(id);
      if (queued.state !== "queued") return done("missed", "queue_full");
      return done("fired", null, submission.rows[0] as string, unfinished);
    },

    pauseSchedule({ id, paused }: { readonly id: string; readonly paused: boolean }): Schedule | null {
      sql("UPDATE schedules SET paused = ?, paused_because = NULL WHERE id = ?").run(paused ? 1 : 0, id);
      // A new start: what was refused before counts no longer.
      if (!paused) sql("UPDATE fires SET outcome = 'missed' WHERE schedule = ? AND outcome = 'refused'").run(id);
      return find(id);
    },

    scheduleFires({ id, limit }: { readonly id: string; readonly limit: number }): readonly Fire[] {
      const rows = sql(`SELECT due_ms AS dueMs, outcome, job_id AS jobId, at_ms AS atMs, error FROM fires
        WHERE schedule = ? ORDER BY due_ms DESC LIMIT ?`);
      return rows.all(id, limit) as Fire[];
    },

    pausedSchedules: (): readonly string[] =>
      sql("SELECT id || ': ' || paused_because FROM schedules WHERE paused_because IS NOT NULL ORDER BY id LIMIT 20")
        .pluck()
        .all() as string[],
  };
}
