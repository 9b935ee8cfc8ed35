/** Looking at queues in an SQLite file: which there are and what they hold. Nothing is written, so no message is claimed or lost by it. */
import type { Database } from "better-sqlite3";
import {
  ANSWER_BYTES,
  deadLettersOf,
  MAX_ATTEMPTS,
  type MessagePlace,
  type MessageState,
  type PeekRequest,
  type QueuedMessage,
} from "../queue.ts";
import { statement } from "./program.ts";

/** A message with its payload as JSON text. */
type SeenMessage = Omit<QueuedMessage, "payload"> & { readonly text: string };
export type SeenMessages = { readonly messages: readonly SeenMessage[]; readonly next: MessagePlace | null };

type Row = {
  readonly seq: number;
  readonly id: string;
  readonly body: string;
  readonly priority: number;
  readonly created_ms: number;
  readonly visible_ms: number;
  readonly expires_ms: number | null;
  readonly attempts: number;
  readonly lease_ms: number | null;
};

export function names(db: Database, { after, max }: { readonly after: string; readonly max: number }): string[] {
  const rows = statement<{ queue: string }>(
    db,
    "SELECT queue FROM queue_depths WHERE queue > ? ORDER BY queue LIMIT ?",
  );
  return rows.all(after, max).map(({ queue }) => queue);
}

export function peek(db: Database, { queue, max, after, now }: PeekRequest & { readonly now: number }): SeenMessages {
  const rows = statement<Row>(
    db,
    `SELECT seq, id, body, priority, created_ms, visible_ms, expires_ms, attempts, lease_ms FROM messages
     WHERE queue = @queue AND (expires_ms IS NULL OR expires_ms > @now OR lease_ms > @now)
       AND priority <= @priority AND (priority < @priority OR (visible_ms, seq) > (@visibleMs, @seq))
     ORDER BY priority DESC, visible_ms, seq`,
  ).iterate({ queue, now, ...after });
  const messages: SeenMessage[] = [];
  let last: MessagePlace | null = null;
  let bytes = 0;
  for (const row of rows) {
    bytes += Buffer.byteLength(row.body);
    if (messages.length === max || (messages.length > 0 && bytes > ANSWER_BYTES)) return { messages, next: last };
    messages.push(seen(row, queue, now));
    last = { priority: row.priority, visibleMs: row.visible_ms, seq: row.seq };
  }
  return { messages, next: null };
}

function seen(row: Row, queue: string, now: number): SeenMessage {
  const { id, priority, attempts } = row;
  const times = { createdMs: row.created_ms, visibleMs: row.visible_ms, expiresMs: row.expires_ms };
  return { id, text: row.body, state: stateOf(row, queue, now), priority, attempts, ...times };
}

/** The same distinction as `length` makes. */
function stateOf({ lease_ms, visible_ms, attempts }: Row, queue: string, now: number): MessageState {
  if (lease_ms !== null && lease_ms > now) return "leased";
  if (lease_ms === null && visible_ms > now) return "delayed";
  const isOverdue = lease_ms !== null && attempts >= MAX_ATTEMPTS && deadLettersOf(queue) !== queue;
  return isOverdue ? "dead" : "ready";
}
