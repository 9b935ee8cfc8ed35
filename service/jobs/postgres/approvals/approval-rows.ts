/**
 * Rows of questions in PostgreSQL. What changes a question first locks the row of its job, as parking does: so one of many decisions counts,
 * whichever replica it reaches, and a job finds the decision when it parks, or is found by it.
 */
import { type ApprovalRow, decisionOf } from "../../approvals/approval-rows.ts";
import type { Arrival } from "../../durable/wait-rows.ts";
import type { Row, Statements } from "../database.ts";

/** `job`: its id. */
export type KeptApproval = ApprovalRow & { readonly job: string };

export function keptApproval(row: Row): KeptApproval {
  return row as unknown as KeptApproval;
}

export async function approvalRow(on: Statements, id: string): Promise<KeptApproval | null> {
  const [row] = await on.query("SELECT * FROM weft.approvals WHERE id = $1", [id]);
  return row === undefined ? null : keptApproval(row);
}

/** What a wait for a question of a locked job finds; null: it is not decided. A question that is answered with its time is over for everybody. */
export async function decisionFor(
  on: Statements,
  id: string,
  until: number | null,
  now: number,
): Promise<Arrival | null> {
  const row = await approvalRow(on, id);
  const decision = decisionOf(row, id, until, now);
  if (decision?.why === "expired") await endQuestions(on, [id], now);
  return decision;
}

/**
 * Ends those whose time has come. Clocks of replicas differ by milliseconds: without this, one replica could tell a job that no decision came,
 * and the next one a person that the decision counts.
 */
export async function endQuestions(on: Statements, ids: readonly string[], now: number): Promise<void> {
  await on.query(
    `UPDATE weft.approvals SET state = 'expired', ended_ms = expires_ms, notice_ms = NULL
     WHERE id = ANY ($1) AND state = 'open' AND expires_ms <= $2`,
    [ids, now],
  );
}
