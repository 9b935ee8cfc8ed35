/**
 * Queue messages in an SQLite file. While a message is leased it is invisible until the lease ends, so one that was not acknowledged is
 * delivered again by itself. Depths are kept by triggers, so that no put has to count.
 */
import type { Database } from "better-sqlite3";
import { adapterError } from "../../errors.ts";
import {
  ANSWER_BYTES,
  deadLettersOf,
  fullQueue,
  type LeasedMessage,
  MAX_ATTEMPTS,
  type PutMessage,
  type QueueLength,
  type RequeueRequest,
  SETTLED_MS,
} from "../queue.ts";
import { type KeyedInput, LEDGER_SCHEMA, once } from "./ledger-program.ts";
import { program, reading, statement, writing } from "./program.ts";
import { names, peek } from "./queue-view.ts";
import { keepTime, STEADY_TIME_SCHEMA } from "./steady-time.ts";

/** Rows are found in the order in which they are delivered: priority, then time, then as they were put. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS messages(
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, queue TEXT NOT NULL, body TEXT NOT NULL, priority INTEGER NOT NULL,
  created_ms INTEGER NOT NULL, visible_ms INTEGER NOT NULL, expires_ms INTEGER,
  attempts INTEGER NOT NULL, lease TEXT, lease_ms INTEGER);
CREATE INDEX IF NOT EXISTS messages_order ON messages(queue, priority DESC, visible_ms, seq);
CREATE INDEX IF NOT EXISTS messages_leased ON messages(queue, lease_ms) WHERE lease_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS messages_expires ON messages(expires_ms) WHERE expires_ms IS NOT NULL;
CREATE TABLE IF NOT EXISTS message_keys(
  queue TEXT NOT NULL, dedupe TEXT NOT NULL, id TEXT NOT NULL, expires_ms INTEGER NOT NULL,
  PRIMARY KEY(queue, dedupe)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS message_keys_expires ON message_keys(expires_ms);
CREATE TABLE IF NOT EXISTS queue_depths(queue TEXT PRIMARY KEY, messages INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS message_added AFTER INSERT ON messages BEGIN
  INSERT INTO queue_depths VALUES (new.queue, 1) ON CONFLICT(queue) DO UPDATE SET messages = messages + 1;
END;
CREATE TRIGGER IF NOT EXISTS message_removed AFTER DELETE ON messages BEGIN
  UPDATE queue_depths SET messages = messages - 1 WHERE queue = old.queue;
  DELETE FROM queue_depths WHERE queue = old.queue AND messages = 0;
END;
CREATE TRIGGER IF NOT EXISTS message_moved AFTER UPDATE OF queue ON messages BEGIN
  UPDATE queue_depths SET messages = messages - 1 WHERE queue = old.queue;
  DELETE FROM queue_depths WHERE queue = old.queue AND messages = 0;
  INSERT INTO queue_depths VALUES (new.queue, 1) ON CONFLICT(queue) DO UPDATE SET messages = messages + 1;
END;
${LEDGER_SCHEMA}${STEADY_TIME_SCHEMA}`;

/** Expired rows that one call removes at most, so that no call takes long because of them. */
const SWEEP_AT_ONCE = 1_000;

type Timed = { readonly now: number };
type Input<T> = Omit<T, "payload" | "once"> & Timed & { readonly once: KeyedInput };
type TakeInput = Timed & {
  readonly queue: string;
  readonly max: number;
  readonly leaseMs: number;
  readonly lease: string;
};

/** A delivery with its payload as JSON text. */
type TakenMessage = {
  readonly id: string;
  readonly text: string;
  readonly attempts: number;
  readonly lease: string;
};
export type Taken = {
  readonly messages: readonly TakenMessage[];
  /** When none was ready: the time at which one will be, if any is there. */
  readonly nextMs: number | null;
};

/** The clock went back: delays, leases and lifetimes end when they were to. */
function moveBack(db: Database, ms: number): void {
  statement(
    db,
    "UPDATE messages SET visible_ms = visible_ms - @ms, lease_ms = lease_ms - @ms, expires_ms = expires_ms - @ms",
  ).run({ ms });
  statement(db, "UPDATE message_keys SET expires_ms = expires_ms - ?").run(ms);
}

/** What every write begins with. */
function dropExpired(db: Database, now: number): void {
  keepTime(db, now, (ms) => moveBack(db, ms));
  statement(
    db,
    `DELETE FROM messages WHERE seq IN (SELECT seq FROM messages
       WHERE expires_ms <= @now AND (lease_ms IS NULL OR lease_ms <= @now) LIMIT ${SWEEP_AT_ONCE})`,
  ).run({ now });
  statement(
    db,
    `DELETE FROM message_keys WHERE (queue, dedupe) IN
       (SELECT queue, dedupe FROM message_keys WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ${SWEEP_AT_ONCE})`,
  ).run(now);
}

const BURIAL = "queue = @dead, lease = NULL, lease_ms = NULL, visible_ms = @now, expires_ms = NULL";

/** Moves messages to the dead letters whose last lease ran out. */
function buryOverdue(db: Database, queue: string, now: number): void {
  const dead = deadLettersOf(queue);
  if (dead === queue) return;
  statement(
    db,
    `UPDATE messages SET ${BURIAL} WHERE queue = @queue AND lease_ms <= @now AND attempts >= ${MAX_ATTEMPTS}`,
  ).run({ dead, queue, now });
}

function depthOf(db: Database, queue: string): number {
  const row = statement<{ messages: number }>(db, "SELECT messages FROM queue_depths WHERE queue = ?").get(queue);
  return row?.messages ?? 0;
}

function put(db: Database, input: Input<PutMessage> & { readonly text: string }): string {
  const { queue, dedupe, now, id } = input;
  dropExpired(db, now);
  if (dedupe !== null) {
    const first = statement<{ id: string }>(
      db,
      "SELECT id FROM message_keys WHERE queue = ? AND dedupe = ? AND expires_ms > ?",
    ).get(queue, dedupe.key, now);
    if (first !== undefined) return first.id;
    statement(db, "INSERT OR REPLACE INTO message_keys(queue, dedupe, id, expires_ms) VALUES (?, ?, ?, ?)").run(
      queue,
      dedupe.key,
      id,
      now + dedupe.windowMs,
    );
  }
  const counted = new Set([queue, deadLettersOf(queue)]);
  if ([...counted].reduce((sum, name) => sum + depthOf(db, name), 0) >= input.maxDepth) {
    throw fullQueue(input.maxDepth);
  }
  statement(
    db,
    `INSERT INTO messages(id, queue, body, priority, created_ms, visible_ms, expires_ms, attempts)
     VALUES (@id, @queue, @text, @priority, @now, @visible, @expires, 0)`,
  ).run({
    id,
    queue,
    text: input.text,
    priority: input.priority,
    now,
    visible: now + input.delayMs,
    expires: input.ttlMs === null ? null : now + input.ttlMs,
  });
  return id;
}

function take(db: Database, { queue, max, leaseMs, lease, now }: TakeInput): Taken {
  dropExpired(db, now);
  buryOverdue(db, queue, now);
  const ready = statement<{ seq: number; id: string; body: string; attempts: number }>(
    db,
    `SELECT seq, id, body, attempts FROM messages
     WHERE queue = @queue AND visible_ms <= @now AND (expires_ms IS NULL OR expires_ms > @now)
     ORDER BY priority DESC, visible_ms, seq LIMIT @max`,
  ).all({ queue, now, max });
  const until = now + leaseMs;
  const leaseOne = statement(
    db,
    "UPDATE messages SET lease = ?, lease_ms = ?, visible_ms = ?, attempts = attempts + 1 WHERE seq = ?",
  );
  const messages: TakenMessage[] = [];
  let bytes = 0;
  for (const { seq, id, body, attempts } of ready) {
    bytes += Buffer.byteLength(body);
    if (messages.length > 0 && bytes > ANSWER_BYTES) break;
    leaseOne.run(lease, until, until, seq);
    messages.push({ id, text: body, attempts: attempts + 1, lease });
  }
  return { messages, nextMs: ready.length > 0 ? null : nextVisible(db, queue) };
}

function nextVisible(db: Database, queue: string): number | null {
  const row = statement<{ ms: number | null }>(db, "SELECT min(visible_ms) AS ms FROM messages WHERE queue = ?").get(
    queue,
  );
  return row?.ms ?? null;
}

type Leased = { readonly seq: number; readonly attempts: number };

/** The message under this lease. Throws ADAPTER_CONFLICT when the lease is over. */
function leased(db: Database, { queue, id, lease, now }: LeasedMessage & Timed): Leased {
  const row = statement<Leased>(
    db,
    "SELECT seq, attempts FROM messages WHERE id = ? AND queue = ? AND lease = ? AND lease_ms > ?",
  ).get(id, queue, lease, now);
  if (row === undefined) throw adapterError("ADAPTER_CONFLICT", "the lease of the message is over");
  return row;
}

function release(db: Database, input: LeasedMessage & Timed & { readonly delayMs: number }): null {
  const { seq, attempts } = leased(db, input);
  const dead = deadLettersOf(input.queue);
  if (attempts >= MAX_ATTEMPTS && dead !== input.queue) {
    statement(db, `UPDATE messages SET ${BURIAL} WHERE seq = @seq`).run({ dead, now: input.now, seq });
  } else {
    const visible = input.now + input.delayMs;
    statement(db, "UPDATE messages SET lease = NULL, lease_ms = NULL, visible_ms = ? WHERE seq = ?").run(visible, seq);
  }
  return null;
}

function length(db: Database, { queue, now }: Timed & { readonly queue: string }): QueueLength {
  const dead = deadLettersOf(queue);
  const row = statement<{ total: number; leased: number; delayed: number; overdue: number }>(
    db,
    `SELECT count(*) AS total,
       count(*) FILTER (WHERE lease_ms > @now) AS leased,
       count(*) FILTER (WHERE lease_ms IS NULL AND visible_ms > @now) AS delayed,
       count(*) FILTER (WHERE lease_ms <= @now AND attempts >= ${MAX_ATTEMPTS}) AS overdue
     FROM messages WHERE queue = @queue AND (expires_ms IS NULL OR expires_ms > @now OR lease_ms > @now)`,
  ).get({ queue, now }) ?? { total: 0, leased: 0, delayed: 0, overdue: 0 };
  const overdue = dead === queue ? 0 : row.overdue;
  return {
    ready: row.total - row.leased - row.delayed - overdue,
    delayed: row.delayed,
    leased: row.leased,
    dead: depthOf(db, dead) + overdue,
  };
}

function requeue(db: Database, { queue, ids, max, now }: RequeueRequest & Timed): number {
  dropExpired(db, now);
  buryOverdue(db, queue, now);
  return statement(
    db,
    `UPDATE messages SET queue = @queue, attempts = 0, lease = NULL, lease_ms = NULL, visible_ms = @now WHERE seq IN
       (SELECT seq FROM messages
        WHERE queue = @dead AND (lease_ms IS NULL OR lease_ms <= @now)
          AND (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids)))
        ORDER BY priority DESC, visible_ms, seq LIMIT @max)`,
  ).run({ queue, dead: deadLettersOf(queue), now, max, ids: ids === null ? null : JSON.stringify(ids) }).changes;
}

export const queueOperations = {
  put: writing((db, input: Input<PutMessage> & { readonly text: string }): string =>
    once(db, input.once, () => put(db, input)),
  ),
  length: reading(length),
  names: reading(names),
  peek: reading(peek),
  requeue: writing(requeue),
  take: writing(take),
  acknowledge: writing((db, input: LeasedMessage & Timed & { readonly once: KeyedInput }): null =>
    settled(db, input.once, () => statement(db, "DELETE FROM messages WHERE seq = ?").run(leased(db, input).seq)),
  ),
  release: writing((db, input: LeasedMessage & Timed & { readonly delayMs: number; readonly once: KeyedInput }): null =>
    settled(db, input.once, () => release(db, input)),
  ),
};

/** Ends a lease once, however often it is said. */
function settled(db: Database, keyed: KeyedInput, act: () => unknown): null {
  once(
    db,
    keyed,
    () => {
      act();
      return true;
    },
    SETTLED_MS,
  );
  return null;
}

export const queueProgram = program(SCHEMA, queueOperations);
