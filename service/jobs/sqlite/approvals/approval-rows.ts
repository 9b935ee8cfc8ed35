/** Rows of approvals in SQLite, and how they are read. An approval whose job is over, or whose time is over, counts as such at once. */
import type { Json } from "../../../../compiler/json.ts";
import { type ApprovalAnswer, type ApprovalAsked, approvalResult, noChoice } from "../../../../vm/durable/approvals.ts";
import type { WokenBy } from "../../../../vm/durable/records.ts";
import type { Approval, ApprovalState } from "../../approvals/approvals.ts";
import { unpacked } from "../../durable/journal-rows.ts";
import { isTerminal, type KeptJob } from "../../job.ts";
import { jobAt, type Sql } from "../tables/job-rows.ts";

export type ApprovalRow = {
  readonly id: string;
  readonly job: number;
  readonly state: ApprovalState;
  readonly opened_ms: number;
  readonly ended_ms: number | null;
  readonly expires_ms: number | null;
  readonly asked: Uint8Array;
  readonly answers: Uint8Array | null;
  readonly notice_tries: number;
};

export function approvalRow(sql: Sql, id: string): ApprovalRow | null {
  return (sql("SELECT * FROM approvals WHERE id = ?").get(id) as ApprovalRow | undefined) ?? null;
}

function askedOf(row: ApprovalRow): ApprovalAsked {
  return JSON.parse(unpacked(row.asked)) as ApprovalAsked;
}

export function answersOf({ answers }: ApprovalRow): readonly ApprovalAnswer[] {
  return answers === null ? [] : (JSON.parse(unpacked(answers)) as readonly ApprovalAnswer[]);
}

export function approvalOf(sql: Sql, row: ApprovalRow, now: number): Approval | null {
  const id = sql("SELECT id FROM jobs WHERE number = ?").pluck().get(row.job) as string | undefined;
  const job = id === undefined ? null : jobAt(sql, id);
  if (job === null) return null;
  const { state, endedMs } = standing(row, job, now);
  return { id: row.id, job, state, openedMs: row.opened_ms, endedMs, asked: askedOf(row), answers: answersOf(row) };
}

/** What has become of it by now. */
function standing(
  { state, ended_ms, expires_ms }: ApprovalRow,
  job: KeptJob,
  now: number,
): Pick<Approval, "state" | "endedMs"> {
  if (state !== "open") return { state, endedMs: ended_ms };
  const isOver = isTerminal(job.status);
  if (expires_ms !== null && expires_ms <= (isOver ? (job.finishedMs ?? now) : now))
    return { state: "expired", endedMs: expires_ms };
  if (isOver) return { state: "cancelled", endedMs: job.finishedMs };
  return { state, endedMs: null };
}

/** What a wait for it answers; null: it is not decided yet. `until`: of the wait. */
export function decisionOf(
  row: ApprovalRow | null,
  id: string,
  until: number | null,
  now: number,
): { readonly why: WokenBy; readonly result: Json } | null {
  if (row === null || row.state === "cancelled")
    return { why: "decision", result: noChoice(id, "cancelled", row?.ended_ms ?? null) };
  if (row.state === "decided") {
    const last = answersOf(row).at(-1) as ApprovalAnswer;
    return { why: "decision", result: approvalResult(id, askedOf(row), last) };
  }
  const end = earlier(until, row.expires_ms);
  return end !== null && end <= now ? { why: "expired", result: noChoice(id, "expired", end) } : null;
}

export function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
