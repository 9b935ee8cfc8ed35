/**
 * Questions to people as rows of a store, what they say by now, and what an answer makes of them: the same in every store. A question whose
 * time or whose job is over counts as over at once, whatever its row says.
 */
import { type ApprovalAnswer, type ApprovalAsked, approvalResult, noChoice } from "../../../vm/durable/approvals.ts";
import { keptResult } from "../../../vm/inputs/exact-text.ts";
import { packed, unpacked } from "../durable/journal-rows.ts";
import type { Arrival } from "../durable/wait-rows.ts";
import { isTerminal, type KeptJob, TERMINAL_STATUSES } from "../job.ts";
import type { Approval, ApprovalState } from "./approvals.ts";

/** Times are milliseconds since 1970. */
export type ApprovalRow = {
  readonly id: string;
  readonly state: ApprovalState;
  readonly opened_ms: number;
  readonly ended_ms: number | null;
  readonly expires_ms: number | null;
  readonly asked: Uint8Array;
  readonly answers: Uint8Array | null;
  readonly notice_tries: number;
};

/** Who takes a notice has this long to tell people. */
export const NOTICE_TAKEN_MS = 60_000;
/** Of one job. */
export const MAX_NOTICES = 20;

const OVER = [...TERMINAL_STATUSES, "expired"].map((status) => `'${status}'`).join(", ");

/** SQL for the state of a question `a` of the job `j` by now, as `approvalOf` tells it. */
export function stateSql(now: string): string {
  return `CASE WHEN a.state <> 'open' THEN a.state WHEN a.expires_ms <= coalesce(j.finished_ms, ${now}) THEN 'expired'
    WHEN j.status IN (${OVER}) THEN 'cancelled' ELSE 'open' END`;
}

export function approvalOf(row: ApprovalRow, job: KeptJob, now: number): Approval {
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

/** An open question with one more answer. Null: the same person has answered already. */
export function withAnswer(
  row: ApprovalRow,
  answer: ApprovalAnswer,
): { readonly answers: Uint8Array; readonly isDecided: boolean } | null {
  const { choices, need } = askedOf(row);
  const earlier = answersOf(row);
  if (earlier.some(({ by }) => by === answer.by)) return null;
  const answers = [...earlier, answer];
  const isDecided = answer.choice !== choices[0] || answers.length >= need;
  return { answers: packed(JSON.stringify(answers)), isDecided };
}

/** What a wait for it answers; null: it is not decided yet. `until`: of the wait. */
export function decisionOf(row: ApprovalRow | null, id: string, until: number | null, now: number): Arrival | null {
  if (row === null || row.state === "cancelled")
    return { why: "decision", result: noChoice(id, "cancelled", row?.ended_ms ?? null) };
  if (row.state === "decided") {
    const last = answersOf(row).at(-1) as ApprovalAnswer;
    return { why: "decision", ...keptResult(approvalResult(id, askedOf(row), last)) };
  }
  const end = earlier(until, row.expires_ms);
  return end !== null && end <= now ? { why: "expired", result: noChoice(id, "expired", end) } : null;
}

function askedOf(row: ApprovalRow): ApprovalAsked {
  return JSON.parse(unpacked(row.asked)) as ApprovalAsked;
}

function answersOf({ answers }: ApprovalRow): readonly ApprovalAnswer[] {
  return answers === null ? [] : (JSON.parse(unpacked(answers)) as readonly ApprovalAnswer[]);
}

/** The earlier of two times; null: never. */
export function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
