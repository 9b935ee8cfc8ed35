/** Idempotency keys in PostgreSQL: whichever replica is asked, one request of a key runs. */

import type { HeldKey, KeptAnswer, KeyOfRequest } from "../../run/idempotency-store.ts";
import { MAX_INLINE_BYTES } from "../../state/store.ts";
import type { TextAnswer } from "../../wire/answer.ts";
import { interruptedAnswer } from "../answers/bodies.ts";
import { type KeyClaim, type KeyState, mayHaveActed } from "../keys.ts";
import type { Row, Statements } from "./database.ts";

export async function claimKey(on: Statements, claim: KeyClaim): Promise<KeyState> {
  const { scope, key, bodyHash, traceId, owner, now, keepMs } = claim;
  await on.query("DELETE FROM weft.idempotency WHERE scope = $1 AND key = $2 AND expires_ms <= $3 AND owner IS NULL", [
    scope,
    key,
    now,
  ]);
  const inserted = await on.query(
    `INSERT INTO weft.idempotency (scope, key, body_hash, trace_id, owner, expires_ms) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [scope, key, bodyHash, traceId, owner, now + keepMs],
  );
  if (inserted.length > 0) return { state: "first" };
  const [row] = await on.query(
    `SELECT body_hash, owner, trace_id, status, headers, CASE WHEN octet_length(body) <= ${MAX_INLINE_BYTES} THEN body END AS body, EXISTS (SELECT 1 FROM weft.replicas r WHERE r.id = i.owner) AS held
     FROM weft.idempotency i WHERE scope = $1 AND key = $2 FOR UPDATE`,
    [scope, key],
  );
  // It was released a moment ago: the caller comes again.
  if (row === undefined) return { state: "running" };
  if (row["body_hash"] !== bodyHash) return { state: "other_body" };
  if (row["owner"] === null) return { state: "finished", answer: keptAnswer(row) };
  if (row["held"]) return { state: "running" };
  if (!mayHaveActed({ scope, key })) {
    await on.query("UPDATE weft.idempotency SET owner = $3, trace_id = $4 WHERE scope = $1 AND key = $2", [
      scope,
      key,
      owner,
      traceId,
    ]);
    return { state: "first" };
  }
  const held = { scope, key, traceId: row["trace_id"] };
  const answer = interruptedAnswer(held.traceId);
  await finishKey(on, held, answer);
  return { state: "finished", answer: { ...answer, traceId: held.traceId } };
}

/** Of a request that has not ended; the name of its replica may have changed since it began. */
const HELD = "scope = $1 AND key = $2 AND trace_id = $3 AND owner IS NOT NULL";

/** False: the key is finished, or another request's by now. */
export async function finishKey(
  on: Statements,
  { scope, key, traceId }: HeldKey,
  answer: TextAnswer,
): Promise<boolean> {
  const finished = await on.query(
    `UPDATE weft.idempotency SET owner = NULL, status = $4, headers = $5, body = $6 WHERE ${HELD} RETURNING 1`,
    [scope, key, traceId, answer.status, JSON.stringify(answer.headers), answer.body],
  );
  return finished.length > 0;
}

export async function releaseKey(on: Statements, { scope, key, traceId }: HeldKey): Promise<void> {
  await on.query(`DELETE FROM weft.idempotency WHERE ${HELD}`, [scope, key, traceId]);
}

/** Null when the answer does not exist or has expired. */
export async function keyBody(on: Statements, { scope, key }: KeyOfRequest): Promise<string | null> {
  const [row] = await on.query("SELECT body FROM weft.idempotency WHERE scope = $1 AND key = $2 AND owner IS NULL", [
    scope,
    key,
  ]);
  return row === undefined ? null : row["body"];
}

function keptAnswer(row: Row): KeptAnswer {
  return { status: row["status"], headers: JSON.parse(row["headers"]), body: row["body"], traceId: row["trace_id"] };
}
