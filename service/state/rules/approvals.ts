/**
 * Questions to people (docs/approvals.md). What changes a question first locks the row of its job, as parking does: so one of many decisions
 * counts, whichever process it reaches, and a job finds the decision when it parks, or is found by it.
 */
import type { ApprovalAnswer } from "../../../vm/durable/approvals.ts";
import {
  type ApprovalRow,
  approvalOf,
  decisionOf,
  MAX_NOTICES,
  NOTICE_TAKEN_MS,
  stateSql,
  withAnswer,
} from "../../jobs/approvals/approval-rows.ts";
import type {
  Approval,
  ApprovalDecided,
  ApprovalFilter,
  ApprovalOpened,
  DueNotice,
  NewApproval,
  OpenQuestions,
} from "../../jobs/approvals/approvals.ts";
import { packed } from "../../jobs/durable/journal-rows.ts";
import type { Arrival } from "../../jobs/durable/wait-rows.ts";
import { type Claim, isTerminal } from "../../jobs/job.ts";
import type { JobKey, JobPort } from "../job-port.ts";
import type { Port } from "../port.ts";
import { any, row, rows, run, type Step } from "../step.ts";
import { heldJob } from "./held-job.ts";
import { isGood, spend } from "./link-rows.ts";
import { wakeDecided } from "./wakes.ts";

type KeptApproval = ApprovalRow & { readonly job: JobKey };
type Decision = { readonly id: string; readonly answer: ApprovalAnswer; readonly link: string | null };

const from = ({ jobKey }: JobPort): string => `FROM weft.approvals a JOIN weft.jobs j ON j.${jobKey} = a.job`;
const isOpen = (now: string): string => `a.state = 'open' AND ${stateSql(now)} = 'open'`;
const ANSWER = `UPDATE weft.approvals SET answers = $2, state = CASE WHEN $3 THEN 'decided' ELSE state END,
    ended_ms = CASE WHEN $3 THEN $4::bigint END, notice_ms = CASE WHEN $3 THEN NULL ELSE notice_ms END
  WHERE id = $1 RETURNING *`;
/** Two processes never take the same notice: rows that one is taking are left out by the others. */
const TAKE_NOTICES = `WITH due AS (
    SELECT id FROM weft.approvals WHERE notice_ms <= $1 ORDER BY notice_ms LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  UPDATE weft.approvals AS a SET notice_ms = $3, notice_tries = notice_tries + 1 FROM due WHERE a.id = due.id RETURNING *`;

export const approvalChanges = {
  *openApproval(port: Port, { writer, ...given }: NewApproval & { readonly writer: Claim }): Step<ApprovalOpened> {
    const { approval, asked, most, tell } = given;
    const held = yield* heldJob(port, writer);
    if (held === null) return "stale";
    const now = port.now();
    const before = yield* approvalRow(approval);
    if (before !== undefined && !(yield* isLeftByOther(port, before.job, held.key))) return "open";
    const known = yield* row<{ readonly asked: number; readonly open: number }>(
      `SELECT count(*) AS asked, count(*) FILTER (WHERE ${isOpen("$2::bigint")}) AS open ${from(port)} WHERE a.job = $1`,
      ...[held.key, now],
    );
    const counts = known ?? { asked: 0, open: 0 };
    if (counts.open >= most) return "full";
    if (before !== undefined) {
      yield* run("DELETE FROM weft.approvals WHERE id = $1", approval);
      yield* run("DELETE FROM weft.tokens WHERE kind = 'approval' AND name = $1", approval);
    }
    const noticeMs = tell && counts.asked < MAX_NOTICES ? now : null;
    yield* run(
      `INSERT INTO weft.approvals (id, job, state, opened_ms, expires_ms, people, asked, notice_ms)
       VALUES ($1, $2, 'open', $3, $4, $5, $6, $7)`,
      ...[approval, held.key, now, asked.expiresMs, asked.to, packed(JSON.stringify(asked)), noticeMs],
    );
    return "open";
  },

  /** False: it was decided or is over. */
  *cancelApproval(port: Port, { id, writer }: { readonly id: string; readonly writer: Claim }): Step<boolean> {
    const held = yield* heldJob(port, writer);
    if (held === null) return false;
    const now = port.now();
    const asked = yield* approvalRow(id);
    if (asked === undefined || asked.job !== held.key || decisionOf(asked, id, null, now) !== null) return false;
    const end = "UPDATE weft.approvals SET state = 'cancelled', ended_ms = $2, notice_ms = NULL WHERE id = $1";
    yield* run(end, id, now);
    return true;
  },

  *decideApproval(port: Port, { id, answer, link }: Decision): Step<ApprovalDecided> {
    const asked = yield* approvalRow(id);
    const locked = asked === undefined ? null : yield* port.lockedJobOf(asked.job);
    const before = locked === null ? undefined : yield* approvalRow(id);
    if (locked === null || before === undefined) return { state: "unknown" };
    const now = port.now();
    const approval = approvalOf(before, locked.job, now);
    if (link !== null && !(yield* isGood(link, now))) return { state: "link_spent" };
    if (approval.state !== "open") return { state: "not_open", approval };
    const answered = withAnswer(before, answer);
    if (answered === null) return { state: "same_person" };
    const { answers, isDecided } = answered;
    if (link !== null) yield* spend(link, now);
    const next = (yield* row<KeptApproval>(ANSWER, id, answers, isDecided, now)) ?? before;
    const decision = isDecided ? decisionOf(next, id, null, now) : null;
    const woken = decision === null ? null : yield* wakeDecided(port, locked, id, decision, now);
    return { state: "answered", approval: approvalOf(next, woken ?? locked.job, now), woken };
  },

  *dueNotices(port: Port, most: number): Step<readonly DueNotice[]> {
    const now = port.now();
    const taken = yield* rows<KeptApproval>(TAKE_NOTICES, now, most, now + NOTICE_TAKEN_MS);
    const approvals = yield* withJobs(port, taken, now);
    const over = approvals.filter(({ state }) => state !== "open").map(({ id }) => id);
    if (over.length > 0) yield* run("UPDATE weft.approvals SET notice_ms = NULL WHERE id = ANY ($1)", over);
    const tries = new Map(taken.map(({ id, notice_tries }) => [id, notice_tries - 1]));
    return approvals
      .filter(({ state }) => state === "open")
      .map((approval) => ({ approval, tries: tries.get(approval.id) ?? 0 }));
  },

  *noticed(_: Port, { id, again }: { readonly id: string; readonly again: number | null }): Step<void> {
    yield* run("UPDATE weft.approvals SET notice_ms = $2 WHERE id = $1", id, again);
  },
};

export const approvalReads = {
  *isApprovalOf({ jobKey }: Port, { id, job }: { readonly id: string; readonly job: string }): Step<boolean> {
    const own = `SELECT 1 AS own FROM weft.approvals WHERE id = $1 AND job = (SELECT ${jobKey} FROM weft.jobs WHERE id = $2)`;
    return yield* any(own, id, job);
  },

  /** The newest first. */
  *approvals(port: Port, { state, to, job, before, most }: ApprovalFilter): Step<readonly Approval[]> {
    const now = port.now();
    const found = yield* rows<KeptApproval>(
      `SELECT a.* ${from(port)} WHERE ($2::text IS NULL OR ${stateSql("$1::bigint")} = $2) AND ($3::text IS NULL OR j.id = $3)
       AND ${port.isForPeople}
       AND ($5::bigint IS NULL OR (a.opened_ms, a.id) < ($5, $6::text)) ORDER BY a.opened_ms DESC, a.id DESC LIMIT $7`,
      ...[now, state, job, to, before?.openedMs ?? null, before?.id ?? null, most],
    );
    return yield* withJobs(port, found, now);
  },

  *approval(port: Port, id: string): Step<Approval | null> {
    const found = yield* approvalRow(id);
    const [approval] = found === undefined ? [] : yield* withJobs(port, [found], port.now());
    return approval ?? null;
  },

  *countOpenApprovals(port: Port, _input: null): Step<OpenQuestions> {
    const counted = `SELECT count(*) AS open, min(a.opened_ms) AS oldest ${from(port)} WHERE ${isOpen("$1::bigint")}`;
    const now = port.now();
    const found = yield* row<{ readonly open: number; readonly oldest: number | null }>(counted, now);
    const oldest = found?.oldest ?? null;
    return { open: found?.open ?? 0, oldestAgeMs: oldest === null ? null : Math.max(0, now - oldest) };
  },
};

export function approvalRow(id: string): Step<KeptApproval | undefined> {
  return row<KeptApproval>("SELECT * FROM weft.approvals WHERE id = $1", id);
}

/** What a wait for a question of a locked job finds; null: it is not decided. */
export function* decisionFor(id: string, until: number | null, now: number): Step<Arrival | null> {
  const decision = decisionOf((yield* approvalRow(id)) ?? null, id, until, now);
  if (decision?.why === "expired") yield* endQuestions([id], now);
  return decision;
}

/**
 * Ends those whose time has come: for everybody. Clocks of replicas differ by milliseconds: without this, one replica could tell a job that
 * no decision came, and the next one a person that the decision counts.
 */
export function* endQuestions(ids: readonly string[], now: number): Step<void> {
  const end = `UPDATE weft.approvals SET state = 'expired', ended_ms = expires_ms, notice_ms = NULL
    WHERE id = ANY ($1) AND state = 'open' AND expires_ms <= $2`;
  yield* run(end, ids, now);
}

function* withJobs(port: Port, found: readonly KeptApproval[], now: number): Step<readonly Approval[]> {
  const jobs = yield* port.jobsOf(found.map(({ job }) => job));
  return found.flatMap((approval) => {
    const job = jobs.get(approval.job);
    return job === undefined ? [] : [approvalOf(approval, job, now)];
  });
}

/** A job that took over the records of another one, which is over, asks anew what that one asked. */
function* isLeftByOther(port: Port, other: JobKey, job: JobKey): Step<boolean> {
  if (other === job) return false;
  const before = (yield* port.jobsOf([other])).get(other);
  return before === undefined || isTerminal(before.status);
}
