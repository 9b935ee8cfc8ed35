/** Schedules in PostgreSQL, shared by all replicas. A fire locks the row of its schedule, so that one replica fires and the others find it done. */
import type { Database, Row, Statements } from "../../jobs/postgres/database.ts";
import { ALONE, insertJobs } from "../../jobs/postgres/enqueue.ts";
import { FIRES_KEPT, type Fire, MAX_REFUSALS, type Schedule } from "../schedule.ts";
import type { Fired, FireRequest, ScheduleAlarm, ScheduleStore } from "../store.ts";

function scheduleOf(row: Row): Schedule {
  return {
    id: row["id"],
    program: row["program"],
    version: row["version"],
    spec: JSON.parse(row["spec"]),
    enabled: row["enabled"],
    paused: row["paused"],
    pausedBecause: row["paused_because"],
    isPromised: row["computed"],
    nextDueMs: row["next_due_ms"],
    nextAtMs: row["next_at_ms"],
    baseMs: row["base_ms"],
    waitingMs: row["waiting_ms"],
    revision: row["revision"],
  };
}

const PUT_FIRE = `INSERT INTO weft.fires (schedule, due_ms, outcome, job_id, at_ms, error) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (schedule, due_ms) DO UPDATE SET outcome = excluded.outcome, job_id = excluded.job_id, at_ms = excluded.at_ms,
    error = excluded.error`;
const PRUNE = `DELETE FROM weft.fires WHERE schedule = $1 AND due_ms <= (
  SELECT due_ms FROM weft.fires WHERE schedule = $1 ORDER BY due_ms DESC LIMIT 1 OFFSET ${FIRES_KEPT})`;
const UNFINISHED = `SELECT j.id FROM (
    SELECT job_id FROM weft.fires WHERE schedule = $1 AND job_id IS NOT NULL ORDER BY due_ms DESC LIMIT 100
  ) f JOIN weft.jobs j ON j.id = f.job_id WHERE j.status IN ('queued', 'running', 'waiting', 'sleeping', 'cancelling')`;
const LAST_OUTCOMES = `SELECT outcome, status FROM (
    SELECT outcome, job_id FROM weft.fires WHERE schedule = $1 AND outcome IN ('fired', 'refused') ORDER BY due_ms DESC LIMIT $2
  ) f LEFT JOIN weft.jobs j ON j.id = f.job_id`;

export function postgresSchedules(database: Database, alarm: ScheduleAlarm): ScheduleStore {
  const find = async (id: string): Promise<Schedule | null> => {
    const [row] = await database.query("SELECT * FROM weft.schedules WHERE id = $1", [id]);
    return row === undefined ? null : scheduleOf(row);
  };
  return {
    alarm,
    async list({ limit, after, program }) {
      const rows = await database.query(
        "SELECT * FROM weft.schedules WHERE id > $1 AND ($2::text IS NULL OR program = $2) ORDER BY id LIMIT $3",
        [after ?? "", program, limit],
      );
      return rows.map(scheduleOf);
    },
    find,
    async due(now, limit) {
      const rows = await database.query(
        `SELECT * FROM weft.schedules WHERE NOT computed OR next_at_ms <= $1 OR waiting_ms IS NOT NULL
         ORDER BY coalesce(next_at_ms, 0), id LIMIT $2`,
        [now, limit],
      );
      return rows.map(scheduleOf);
    },
    async earliest() {
      const [row] = await database.query("SELECT min(next_at_ms) AS earliest FROM weft.schedules");
      return row?.["earliest"] ?? null;
    },
    async promise(id, revision, next) {
      const rows = await database.query(
        `UPDATE weft.schedules SET next_due_ms = $3, next_at_ms = $4, computed = true
         WHERE id = $1 AND revision = $2 AND NOT computed RETURNING id`,
        [id, revision, next?.dueMs ?? null, next?.atMs ?? null],
      );
      return rows.length === 1;
    },
    // The lock of the queue comes first, as it does for every request that queues jobs.
    fire: (request) => database.transaction((on) => fire(on, request), request.submission === null ? "" : ALONE.lock),
    async pause(id, paused) {
      await database.transaction(async (on) => {
        await on.query("UPDATE weft.schedules SET paused = $2, paused_because = NULL WHERE id = $1", [id, paused]);
        if (!paused)
          await on.query("UPDATE weft.fires SET outcome = 'missed' WHERE schedule = $1 AND outcome = 'refused'", [id]);
      });
      return find(id);
    },
    async fires(id, limit) {
      const rows = await database.query(
        `SELECT due_ms AS "dueMs", outcome, job_id AS "jobId", at_ms AS "atMs", error FROM weft.fires
         WHERE schedule = $1 ORDER BY due_ms DESC LIMIT $2`,
        [id, limit],
      );
      return rows as unknown as readonly Fire[];
    },
    async pausedThemselves() {
      const rows = await database.query(
        "SELECT id || ': ' || paused_because AS text FROM weft.schedules WHERE paused_because IS NOT NULL ORDER BY id LIMIT 20",
      );
      return rows.map((row) => row["text"]);
    },
  };
}

/** The rules of `sqlite/schedule-calls.ts`, in statements of PostgreSQL. */
async function fire(on: Statements, request: FireRequest): Promise<Fired> {
  const { id, revision, dueMs, kind, submission, maxQueued, next, atMs } = request;
  const [row] = await on.query("SELECT * FROM weft.schedules WHERE id = $1 FOR UPDATE", [id]);
  const schedule = row === undefined ? null : scheduleOf(row);
  if (schedule === null || schedule.revision !== revision) return { state: "lost" };
  if (kind === "due" && schedule.nextDueMs !== dueMs) return { state: "lost" };
  if (kind === "waiting" && schedule.waitingMs !== dueMs) return { state: "lost" };
  const [known] = await on.query("SELECT outcome FROM weft.fires WHERE schedule = $1 AND due_ms = $2", [id, dueMs]);
  const advance = async (): Promise<void> => {
    if (kind !== "due") return;
    const values = [id, next?.dueMs ?? null, next?.atMs ?? null];
    await on.query("UPDATE weft.schedules SET next_due_ms = $2, next_at_ms = $3 WHERE id = $1", values);
  };
  const clearWaiting = () => on.query("UPDATE weft.schedules SET waiting_ms = NULL WHERE id = $1", [id]);
  if (known?.["outcome"] === "fired" || (known !== undefined && kind === "due")) {
    await advance();
    if (kind === "waiting") await clearWaiting();
    return { state: "lost" };
  }
  const done = async (
    outcome: Fire["outcome"],
    error: string | null,
    more: { readonly jobId?: string; readonly replaced?: readonly string[]; readonly pausedNow?: boolean } = {},
  ): Promise<Fired> => {
    await on.query(PUT_FIRE, [id, dueMs, outcome, more.jobId ?? null, atMs, error]);
    await on.query(PRUNE, [id]);
    await advance();
    return { state: "done", outcome, error, pausedNow: more.pausedNow ?? false, replaced: more.replaced ?? [] };
  };
  const isWanted = request.outcome === "fired" || request.outcome === "refused";
  if (isWanted && kind === "due" && (await isRefusedAgain(on, id))) {
    const because = `nothing could run ${MAX_REFUSALS} times in a row`;
    await on.query("UPDATE weft.schedules SET paused = true, paused_because = $2 WHERE id = $1", [id, because]);
    return done("paused", request.error, { pausedNow: true });
  }
  if (request.outcome !== "fired" || submission === null) return done(request.outcome, request.error);
  const { overlap } = schedule.spec;
  const rows = kind === "extra" || overlap === "allow" ? [] : await on.query(UNFINISHED, [id]);
  const unfinished = rows.map((one) => one["id"] as string);
  if (unfinished.length > 0 && overlap !== "replace") {
    if (kind === "waiting") return { state: "lost" };
    if (overlap === "skip" || schedule.waitingMs !== null) return done("skipped_overlap", null);
    await on.query("UPDATE weft.schedules SET waiting_ms = $2 WHERE id = $1", [id, dueMs]);
    return done("waiting", null);
  }
  if (kind === "due" && overlap === "queue" && schedule.waitingMs !== null) return done("skipped_overlap", null);
  const { placed } = await insertJobs(on, submission, maxQueued, ALONE.unseen);
  if (kind === "waiting") await clearWaiting();
  if (!placed) return done("missed", "queue_full");
  return done("fired", null, { jobId: submission.jobs[0]?.id ?? "", replaced: unfinished });
}

async function isRefusedAgain(on: Statements, id: string): Promise<boolean> {
  const last = await on.query(LAST_OUTCOMES, [id, MAX_REFUSALS]);
  return (
    last.length === MAX_REFUSALS && last.every((row) => row["outcome"] === "refused" || row["status"] === "rejected")
  );
}
