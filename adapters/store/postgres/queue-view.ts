/** Looking at queues in the shared database: which there are and what they hold. Nothing is written or locked. */
import {
  ANSWER_BYTES,
  deadLettersOf,
  MAX_ATTEMPTS,
  type MessagePlace,
  type MessageState,
  type PeekedMessages,
  type PeekRequest,
  type QueuedMessage,
} from "../queue.ts";
import { storedJson } from "../stored-json.ts";
import { type Row, type Sql, sql, text, whole, wholeOrNull } from "./sql.ts";

/** Goes from one name to the next along the index, whatever number of messages lies between. */
export function namesAfter(after: string, max: number): Sql {
  return sql`WITH RECURSIVE names AS (
      (SELECT queue FROM weft.queue_messages WHERE queue > ${after} ORDER BY queue LIMIT 1)
      UNION ALL
      SELECT (SELECT m.queue FROM weft.queue_messages AS m WHERE m.queue > names.queue ORDER BY m.queue LIMIT 1)
      FROM names WHERE names.queue IS NOT NULL)
    SELECT queue FROM names WHERE queue IS NOT NULL LIMIT ${max}`;
}

/** Rows for `peekedFrom`. One more than asked for is looked at, which tells whether there are more. */
export function messagesAfter({ queue, max, after }: PeekRequest, now: Sql): Sql {
  const { priority, visibleMs, seq } = after;
  return sql`
    WITH clock AS MATERIALIZED (SELECT ${now} AS now),
    found AS (
      SELECT seq, id, body, priority, attempts, created_ms, visible_ms, expires_ms, ${stateOf(queue)} AS state
      FROM weft.queue_messages CROSS JOIN clock
      WHERE queue = ${queue} AND (expires_ms IS NULL OR expires_ms > now OR lease_ms > now)
        AND priority <= ${priority}::integer
        AND (priority < ${priority}::integer OR (visible_ms, seq) > (${visibleMs}::bigint, ${seq}::bigint))
      ORDER BY priority DESC, visible_ms, seq LIMIT ${max + 1}),
    placed AS (
      SELECT *, count(*) OVER () AS total, row_number() OVER delivery AS place,
        sum(octet_length(body::text)) OVER delivery AS bytes
      FROM found WINDOW delivery AS (ORDER BY priority DESC, visible_ms, seq))
    SELECT total, seq, id, body, priority, attempts, created_ms, visible_ms, expires_ms, state FROM placed
    WHERE place = 1 OR (place <= ${max} AND bytes <= ${ANSWER_BYTES}) ORDER BY place`;
}

/** The same distinction as `length` makes. */
function stateOf(queue: string): Sql {
  const isOverdue =
    deadLettersOf(queue) === queue ? sql`false` : sql`lease_ms IS NOT NULL AND attempts >= ${MAX_ATTEMPTS}`;
  return sql`CASE WHEN lease_ms > now THEN 'leased' WHEN lease_ms IS NULL AND visible_ms > now THEN 'delayed'
    WHEN ${isOverdue} THEN 'dead' ELSE 'ready' END`;
}

export function peekedFrom(rows: readonly Row[]): PeekedMessages {
  const seen = rows.map(seenMessage);
  const last = seen.at(-1);
  const isWhole = last === undefined || last.total === seen.length;
  return { messages: seen.map(({ message }) => message), next: isWhole ? null : last.place };
}

function seenMessage(row: Row): {
  readonly total: number;
  readonly place: MessagePlace;
  readonly message: QueuedMessage;
} {
  const [total, seq, id, body, priority, attempts, createdMs, visibleMs, expiresMs, state] = row;
  const place = { priority: whole(priority), visibleMs: whole(visibleMs), seq: whole(seq) };
  const message = {
    id: text(id),
    payload: storedJson(text(body)),
    // One of the four that the statement names.
    state: text(state) as MessageState,
    priority: place.priority,
    attempts: whole(attempts),
    createdMs: whole(createdMs),
    visibleMs: place.visibleMs,
    expiresMs: wholeOrNull(expiresMs),
  };
  return { total: whole(total), place, message };
}
