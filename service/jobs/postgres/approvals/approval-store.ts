/** Questions to people in PostgreSQL: any replica lists them, takes decisions and sends notices. */
import type { ApprovalAnswer } from "../../../../vm/durable/approvals.ts";
import {
  approvalOf,
  decisionOf,
  MAX_NOTICES,
  NOTICE_TAKEN_MS,
  stateSql,
  withAnswer,
} from "../../approvals/approval-rows.ts";
import type {
  Approval,
  ApprovalDecided,
  ApprovalFilter,
  ApprovalOpened,
  ApprovalStore,
  DueNotice,
  NewApproval,
} from "../../approvals/approvals.ts";
import { packed } from "../../durable/journal-rows.ts";
import { type Claim, isHeldBy, isTerminal } from "../../job.ts";
import type { Database, Row, Statements } from "../database.ts";
import { wakeDecided } from "../durable/waking.ts";
import { COLUMNS, jobOf, lockedJob } from "../job-rows.ts";
import { approvalRow, keptApproval } from "./approval-rows.ts";
import { isGood, spend } from "./link-store.ts";

/** Milliseconds since 1970, steady. It is asked when the rows are locked: waiting for them takes time. */
type Now = () => number;

const FROM = "FROM weft.approvals a JOIN weft.jobs j ON j.id = a.job";
const isOpen = (now: string): string => `a.state = 'open' AND ${stateSql(now)} = 'open'`;

export function postgresApprovals(database: Database, now: Now): ApprovalStore {
  return {
    open: (job, approval) => database.transaction((on) => open(on, job, approval, now)),
    async isOf(job, id) {
      const rows = await database.query("SELECT 1 FROM weft.approvals WHERE id = $1 AND job = $2", [id, job.id]);
      return rows.length > 0;
    },
    cancel: (job, id) => database.transaction((on) => cancel(on, job, id, now)),
    list: (filter) => list(database, filter, now()),
    async find(id) {
      const row = await approvalRow(database, id);
      const [approval] = row === null ? [] : await withJobs(database, [row as unknown as Row], now());
      return approval ?? null;
    },
    decide: (id, answer, link) => database.transaction((on) => decide(on, id, answer, link, now)),
    dueNotices: (most) => dueNotices(database, most, now()),
    async noticed(id, again) {
      await database.query("UPDATE weft.approvals SET notice_ms = $2 WHERE id = $1", [id, again]);
    },
    async countOpen() {
      const [row] = await database.query(`SELECT count(*) AS open ${FROM} WHERE ${isOpen("$1::bigint")}`, [now()]);
      return row?.["open"];
    },
  };
}

async function open(
  on: Statements,
  writer: Claim,
  { approval, asked, most, tell }: NewApproval,
  clock: Now,
): Promise<ApprovalOpened> {
  const job = await lockedJob(on, writer.id);
  if (job === null || !isHeldBy(job, writer)) return "stale";
  const now = clock();
  const row = await approvalRow(on, approval);
  if (row !== null && !(await isLeftByOther(on, row.job, job.id))) return "open";
  const [known] = await on.query(
    `SELECT count(*) AS asked, count(*) FILTER (WHERE ${isOpen("$2::bigint")}) AS open ${FROM} WHERE a.job = $1`,
    [job.id, now],
  );
  if (known?.["open"] >= most) return "full";
  if (row !== null) {
    await on.query("DELETE FROM weft.approvals WHERE id = $1", [approval]);
    await on.query("DELETE FROM weft.tokens WHERE kind = 'approval' AND name = $1", [approval]);
  }
  const noticeMs = tell && known?.["asked"] < MAX_NOTICES ? now : null;
  await on.query(
    `INSERT INTO weft.approvals (id, job, state, opened_ms, expires_ms, people, asked, notice_ms)
     VALUES ($1, $2, 'open', $3, $4, $5, $6, $7)`,
    [approval, job.id, now, asked.expiresMs, asked.to, packed(JSON.stringify(asked)), noticeMs],
  );
  return "open";
}

/** A job that took over the records of another one, which is over, asks anew what that one asked. */
async function isLeftByOther(on: Statements, other: string, job: string): Promise<boolean> {
  if (other === job) return false;
  const [row] = await on.query(`SELECT ${COLUMNS} FROM weft.jobs WHERE id = $1`, [other]);
  return row === undefined || isTerminal(jobOf(row).status);
}

async function cancel(on: Statements, writer: Claim, id: string, clock: Now): Promise<boolean> {
  const job = await lockedJob(on, writer.id);
  if (job === null || !isHeldBy(job, writer)) return false;
  const now = clock();
  const row = await approvalRow(on, id);
  if (row === null || row.job !== job.id || decisionOf(row, id, null, now) !== null) return false;
  await on.query("UPDATE weft.approvals SET state = 'cancelled', ended_ms = $2, notice_ms = NULL WHERE id = $1", [
    id,
    now,
  ]);
  return true;
}

const ANSWER = `UPDATE weft.approvals SET answers = $2, state = CASE WHEN $3 THEN 'decided' ELSE state END,
    ended_ms = CASE WHEN $3 THEN $4::bigint END, notice_ms = CASE WHEN $3 THEN NULL ELSE notice_ms END
  WHERE id = $1 RETURNING *`;

async function decide(
  on: Statements,
  id: string,
  answer: ApprovalAnswer,
  link: string | null,
  clock: Now,
): Promise<ApprovalDecided> {
  const [locked] = await on.query(
    `SELECT ${COLUMNS} FROM weft.jobs WHERE id = (SELECT job FROM weft.approvals WHERE id = $1) FOR UPDATE`,
    [id],
  );
  const row = locked === undefined ? null : await approvalRow(on, id);
  if (locked === undefined || row === null) return { state: "unknown" };
  const job = jobOf(locked);
  const now = clock();
  const approval = approvalOf(row, job, now);
  if (link !== null && !(await isGood(on, link, now))) return { state: "link_spent" };
  if (approval.state !== "open") return { state: "not_open", approval };
  const answered = withAnswer(row, answer);
  if (answered === null) return { state: "same_person" };
  const { answers, isDecided } = answered;
  if (link !== null) await spend(on, link, now);
  const [next] = (await on.query(ANSWER, [id, answers, isDecided, now])).map(keptApproval);
  const decision = next === undefined || !isDecided ? null : decisionOf(next, id, null, now);
  const woken = decision === null ? null : await wakeDecided(on, job, id, decision, now);
  return { state: "answered", approval: approvalOf(next ?? row, woken ?? job, now), woken };
}

async function list(on: Statements, { state, to, job, before, most }: ApprovalFilter, now: number) {
  const rows = await on.query(
    `SELECT a.* ${FROM} WHERE ($2::text IS NULL OR ${stateSql("$1::bigint")} = $2) AND ($3::text IS NULL OR a.job = $3)
     AND ($4::text[] IS NULL OR a.people = '{}' OR a.people && $4)
     AND ($5::bigint IS NULL OR (a.opened_ms, a.id) < ($5, $6::text)) ORDER BY a.opened_ms DESC, a.id DESC LIMIT $7`,
    [now, state, job, to, before?.openedMs ?? null, before?.id ?? null, most],
  );
  return withJobs(on, rows, now);
}

async function withJobs(on: Statements, found: readonly Row[], now: number): Promise<readonly Approval[]> {
  const rows = found.map(keptApproval);
  const jobs = await on.query(`SELECT ${COLUMNS} FROM weft.jobs WHERE id = ANY ($1)`, [rows.map(({ job }) => job)]);
  const byId = new Map(jobs.map(jobOf).map((job) => [job.id, job]));
  return rows.flatMap((row) => {
    const job = byId.get(row.job);
    return job === undefined ? [] : [approvalOf(row, job, now)];
  });
}

/** Two replicas never take the same notice: rows that one is taking are left out by the others. */
async function dueNotices(on: Statements, most: number, now: number): Promise<readonly DueNotice[]> {
  const rows = await on.query(
    `WITH due AS (
       SELECT id FROM weft.approvals WHERE notice_ms <= $1 ORDER BY notice_ms LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE weft.approvals a SET notice_ms = $3, notice_tries = notice_tries + 1 FROM due WHERE a.id = due.id RETURNING a.*`,
    [now, most, now + NOTICE_TAKEN_MS],
  );
  const tries = new Map(rows.map(keptApproval).map((row) => [row.id, row.notice_tries - 1]));
  const approvals = await withJobs(on, rows, now);
  const over = approvals.filter(({ state }) => state !== "open").map(({ id }) => id);
  if (over.length > 0) await on.query("UPDATE weft.approvals SET notice_ms = NULL WHERE id = ANY ($1)", [over]);
  return approvals
    .filter(({ state }) => state === "open")
    .map((approval) => ({ approval, tries: tries.get(approval.id) ?? 0 }));
}
