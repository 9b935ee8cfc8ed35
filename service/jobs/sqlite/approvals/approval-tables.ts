/** Approvals in SQLite. Each is one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`). */
import type { ApprovalAnswer } from "../../../../vm/durable/approvals.ts";
import {
  type ApprovalRow,
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
  DueNotice,
  NewApproval,
} from "../../approvals/approvals.ts";
import { packed } from "../../durable/journal-rows.ts";
import { isTerminal, type Job } from "../../job.ts";
import { jobAt, type Sql } from "../tables/job-rows.ts";
import type { Writing } from "../tables/journal-tables.ts";

/** `job`: its number. */
export type KeptApproval = ApprovalRow & { readonly job: number };

type Deps = {
  readonly held: (writing: Writing) => object | undefined;
  /** Wakes the job that waits for the approval. */
  readonly wakeApproval: (row: KeptApproval, now: number) => Job | null;
};

type Timed = Writing & { readonly now: number };

const STATE = stateSql("$now");
const FROM = "FROM approvals a JOIN jobs j ON j.number = a.job";
const OPEN = `a.state = 'open' AND ${STATE} = 'open'`;

export function approvalRow(sql: Sql, id: string): KeptApproval | null {
  return (sql("SELECT * FROM approvals WHERE id = ?").get(id) as KeptApproval | undefined) ?? null;
}

export function approvalTables(sql: Sql, { held, wakeApproval }: Deps) {
  /** Null: its job is gone. */
  const found = (row: KeptApproval, now: number): Approval | null => {
    const id = sql("SELECT id FROM jobs WHERE number = ?").pluck().get(row.job) as string | undefined;
    const job = id === undefined ? null : jobAt(sql, id);
    return job === null ? null : approvalOf(row, job, now);
  };
  const read = (row: KeptApproval, now: number): Approval => found(row, now) as Approval;
  /** A job that took over the records of another one, which is over, asks anew what that one asked. */
  const leftByOther = (row: KeptApproval, job: number, now: number): boolean => {
    if (row.job === job) return false;
    const before = found(row, now);
    return before === null || isTerminal(before.job.status);
  };
  const spend = (hash: string | null, now: number): void =>
    void sql("UPDATE tokens SET used_ms = ? WHERE hash = ?").run(now, hash);
  const isSpent = (hash: string | null, now: number): boolean =>
    hash !== null &&
    sql("SELECT 1 FROM tokens WHERE hash = ? AND used_ms IS NULL AND expires_ms > ?").get(hash, now) === undefined;

  const isTold = (job: number): boolean =>
    (sql("SELECT count(*) FROM approvals WHERE job = ?").pluck().get(job) as number) < MAX_NOTICES;

  return {
    openApproval({ approval, asked, most, tell, now, ...writing }: NewApproval & Timed): ApprovalOpened {
      if (held(writing) === undefined) return "stale";
      const job = writing.number;
      const row = approvalRow(sql, approval);
      if (row !== null && !leftByOther(row, job, now)) return "open";
      const open = sql(`SELECT count(*) ${FROM} WHERE a.job = $job AND ${OPEN}`).pluck().get({ job, now });
      if ((open as number) >= most) return "full";
      if (row !== null) {
        sql("DELETE FROM approvals WHERE id = ?").run(approval);
        sql("DELETE FROM tokens WHERE kind = 'approval' AND name = ?").run(approval);
      }
      sql(
        `INSERT INTO approvals (id, job, state, opened_ms, expires_ms, people, asked, notice_ms)
         VALUES (?, ?, 'open', ?, ?, ?, ?, ?)`,
      ).run(
        approval,
        job,
        now,
        asked.expiresMs,
        JSON.stringify(asked.to),
        packed(JSON.stringify(asked)),
        tell && isTold(job) ? now : null,
      );
      return "open";
    },

    isApprovalOf: ({ approval, number }: { readonly approval: string; readonly number: number }): boolean =>
      sql("SELECT 1 FROM approvals WHERE id = ? AND job = ?").get(approval, number) !== undefined,

    /** False: it was decided or is over. */
    cancelApproval({ approval, now, ...writing }: Timed & { readonly approval: string }): boolean {
      if (held(writing) === undefined) return false;
      const row = approvalRow(sql, approval);
      if (row === null || row.job !== writing.number || decisionOf(row, row.id, null, now) !== null) return false;
      sql("UPDATE approvals SET state = 'cancelled', ended_ms = ?, notice_ms = NULL WHERE id = ?").run(now, row.id);
      return true;
    },

    decideApproval({
      id,
      answer,
      link,
      now,
    }: {
      readonly id: string;
      readonly answer: ApprovalAnswer;
      readonly link: string | null;
      readonly now: number;
    }): ApprovalDecided {
      const row = approvalRow(sql, id);
      const approval = row === null ? null : found(row, now);
      if (row === null || approval === null) return { state: "unknown" };
      if (isSpent(link, now)) return { state: "link_spent" };
      if (approval.state !== "open") return { state: "not_open", approval };
      const answered = withAnswer(row, answer);
      if (answered === null) return { state: "same_person" };
      const { answers, isDecided } = answered;
      spend(link, now);
      sql("UPDATE approvals SET answers = ? WHERE id = ?").run(answers, id);
      if (isDecided)
        sql("UPDATE approvals SET state = 'decided', ended_ms = ?, notice_ms = NULL WHERE id = ?").run(now, id);
      const next = approvalRow(sql, id) as KeptApproval;
      const woken = isDecided ? wakeApproval(next, now) : null;
      return { state: "answered", approval: read(next, now), woken };
    },

    approvals({ state, to, job, before, most, now }: ApprovalFilter & { readonly now: number }): readonly Approval[] {
      const rows = sql(
        `SELECT a.* ${FROM} WHERE ($state IS NULL OR ${STATE} = $state) AND ($job IS NULL OR j.id = $job)
         AND ($to IS NULL OR a.people = '[]' OR EXISTS (SELECT 1 FROM json_each(a.people) p, json_each($to) t WHERE p.value = t.value))
         AND ($openedMs IS NULL OR (a.opened_ms, a.id) < ($openedMs, $id)) ORDER BY a.opened_ms DESC, a.id DESC LIMIT $most`,
      ).all({
        state,
        job,
        to: to === null ? null : JSON.stringify(to),
        openedMs: before?.openedMs ?? null,
        id: before?.id ?? null,
        most,
        now,
      });
      return (rows as KeptApproval[]).map((row) => read(row, now));
    },

    approval({ id, now }: { readonly id: string; readonly now: number }): Approval | null {
      const row = approvalRow(sql, id);
      return row === null ? null : found(row, now);
    },

    dueNotices({ most, now }: { readonly most: number; readonly now: number }): readonly DueNotice[] {
      const due = sql(`SELECT a.* ${FROM} WHERE a.notice_ms <= $now ORDER BY a.notice_ms LIMIT $most`).all({
        now,
        most,
      });
      return (due as KeptApproval[]).flatMap((row) => {
        const approval = read(row, now);
        const isOpen = approval.state === "open";
        sql("UPDATE approvals SET notice_ms = ?, notice_tries = notice_tries + 1 WHERE id = ?").run(
          isOpen ? now + NOTICE_TAKEN_MS : null,
          row.id,
        );
        return isOpen ? [{ approval, tries: row.notice_tries }] : [];
      });
    },

    noticed: ({ id, again }: { readonly id: string; readonly again: number | null }): void =>
      void sql("UPDATE approvals SET notice_ms = ? WHERE id = ?").run(again, id),

    countOpenApprovals: ({ now }: { readonly now: number }): number =>
      sql(`SELECT count(*) ${FROM} WHERE ${OPEN}`).pluck().get({ now }) as number,
  };
}
