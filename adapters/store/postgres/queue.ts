/**
 * Queue messages in the shared database. Takers skip messages that others take at this moment, so any number of replicas
 * can take in parallel. Puts and releases are sent to all replicas on a channel; waiting takers without a notification poll
 * again every two seconds.
 */
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { adapterError } from "../../errors.ts";
import type { StoreCall } from "../call.ts";
import { argsHash } from "../ledger.ts";
import {
  ANSWER_BYTES,
  type Delivery,
  deadLettersOf,
  fullQueue,
  type LeasedMessage,
  MAX_ATTEMPTS,
  type PeekedMessages,
  type PeekRequest,
  type PutMessage,
  type QueueLength,
  type QueueStore,
  type RequeueRequest,
  SETTLED_MS,
  type TakeRequest,
} from "../queue.ts";
import { storedJson } from "../stored-json.ts";
import { type Asked, WaitingTakers } from "../waiting-takers.ts";
import { type Lock, lockOf, type SharedDatabase, type Transaction } from "./database.ts";
import { keyedTransaction } from "./ledger.ts";
import { messagesAfter, namesAfter, peekedFrom } from "./queue-view.ts";
import { arrayOf, type Sql, sql, text, whole, wholeOrNull } from "./sql.ts";

/** The payload is the queue's name. */
const CHANNEL = "weft_queue";
/** Expired rows that one call removes at most, so that no call takes long because of them. */
const SWEEP_AT_ONCE = 1_000;
/** Room below which puts are counted one after the other: more than are ever under way at once. */
const LITTLE_ROOM = 1_000;

export class PostgresQueueStore implements QueueStore {
  readonly #database: SharedDatabase;
  readonly #takers = new WaitingTakers();
  #listens = false;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  async put({ once, ...message }: PutMessage, call: StoreCall): Promise<string> {
    const { queue, dedupe } = message;
    const locks = dedupe === null ? [] : [lockOf("queue key", queue, dedupe.key)];
    const options = { keyed: { ...once, scope: "queue.put" }, locks };
    await this.#dropExpired(call);
    const id = await keyedTransaction(this.#database, options, call, (tx) => put(tx, message));
    this.#takers.wake(queue);
    return id;
  }

  async length(queue: string, call: StoreCall): Promise<QueueLength> {
    const { rows } = await this.#database.query(lengthOf(queue, this.#database.now), call);
    const [ready, delayed, leased, dead] = rows[0] ?? [];
    return { ready: whole(ready), delayed: whole(delayed), leased: whole(leased), dead: whole(dead) };
  }

  async names({ after, max }: { readonly after: string; readonly max: number }, call: StoreCall) {
    const { rows } = await this.#database.query(namesAfter(after, max), call);
    return rows.map(([queue]) => text(queue));
  }

  async peek(request: PeekRequest, call: StoreCall): Promise<PeekedMessages> {
    const { rows } = await this.#database.query(messagesAfter(request, this.#database.now), call);
    return peekedFrom(rows);
  }

  async requeue(request: RequeueRequest, call: StoreCall): Promise<number> {
    await this.#dropExpired(call);
    const moved = await this.#database.transaction([], call, (tx) => requeue(tx, request));
    if (moved > 0) this.#takers.wake(request.queue);
    return moved;
  }

  take({ waitMs, ...request }: TakeRequest, call: StoreCall): Promise<readonly Delivery[]> {
    if (waitMs > 0) this.#listen();
    return this.#takers.take({ queue: request.queue, waitMs }, call, async () => {
      await this.#dropExpired(call);
      return this.#database.transaction([], call, (tx) => take(tx, request));
    });
  }

  acknowledge(message: LeasedMessage, call: StoreCall): Promise<void> {
    return this.#settle("queue.ack", message, call, async (tx) => {
      const { seq } = await leased(tx, message);
      await tx.query(sql`DELETE FROM weft.queue_messages WHERE seq = ${seq}`);
    });
  }

  async release(message: LeasedMessage & { readonly delayMs: number }, call: StoreCall): Promise<void> {
    await this.#settle("queue.nack", message, call, (tx) => release(tx, message));
    this.#takers.wake(message.queue);
  }

  /** Ends a lease once, however often it is said. */
  async #settle(
    scope: string,
    { queue, id, lease }: LeasedMessage,
    call: StoreCall,
    act: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const keyed = { scope, key: `${id} ${lease}`, argsHash: argsHash([queue]) };
    await keyedTransaction(this.#database, { keyed, locks: [], lifetimeMs: SETTLED_MS }, call, async (tx) => {
      await act(tx);
      return true;
    });
  }

  /** A statement by itself: within a transaction what it removed would hold up others until the transaction's end. */
  async #dropExpired(call: StoreCall): Promise<void> {
    const { now } = this.#database;
    await this.#database.query(
      sql`WITH dropped AS (DELETE FROM weft.queue_messages WHERE seq IN
          (SELECT seq FROM weft.queue_messages
           WHERE expires_ms <= ${now} AND (lease_ms IS NULL OR lease_ms <= ${now})
           LIMIT ${SWEEP_AT_ONCE} FOR UPDATE SKIP LOCKED))
        DELETE FROM weft.queue_keys WHERE (queue, dedupe) IN
          (SELECT queue, dedupe FROM weft.queue_keys WHERE expires_ms <= ${now}
           ORDER BY expires_ms LIMIT ${SWEEP_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
      call,
    );
  }

  #listen(): void {
    if (this.#listens) return;
    this.#listens = true;
    this.#database.listen(CHANNEL, (queue) => {
      if (queue === null) this.#takers.wakeAll();
      else this.#takers.wake(queue);
    });
  }
}

async function put(tx: Transaction, message: Omit<PutMessage, "once">): Promise<string> {
  const { queue, id, dedupe } = message;
  const first = dedupe === null ? null : await firstOf(tx, queue, dedupe.key);
  if (first !== null) return first;
  if (dedupe !== null) {
    await tx.query(sql`INSERT INTO weft.queue_keys(queue, dedupe, id, expires_ms)
      VALUES (${queue}, ${dedupe.key}, ${id}, ${tx.now + dedupe.windowMs})
      ON CONFLICT (queue, dedupe) DO UPDATE SET id = excluded.id, expires_ms = excluded.expires_ms`);
  }
  await refuseFull(tx, message);
  const expiresMs = message.ttlMs === null ? null : tx.now + message.ttlMs;
  await tx.query(sql`WITH put AS (INSERT INTO
      weft.queue_messages(id, queue, body, priority, created_ms, visible_ms, expires_ms, attempts)
      VALUES (${id}, ${queue}, ${exactJson(message.payload)}, ${message.priority}, ${tx.now},
        ${tx.now + message.delayMs}, ${expiresMs}, 0))
    SELECT pg_notify(${CHANNEL}, ${queue})`);
  return id;
}

async function firstOf(tx: Transaction, queue: string, dedupe: string): Promise<string | null> {
  const { rows } = await tx.query(sql`SELECT id FROM weft.queue_keys
    WHERE queue = ${queue} AND dedupe = ${dedupe} AND expires_ms > ${tx.now}`);
  return rows[0]?.[0] ?? null;
}

/** Throws ADAPTER_QUOTA. Far below the bound no put waits for another. */
async function refuseFull(tx: Transaction, { queue, maxDepth }: Omit<PutMessage, "once">): Promise<void> {
  const depth = async () => {
    const { rows } = await tx.query(sql`SELECT count(*) FROM (SELECT FROM weft.queue_messages
      WHERE queue IN (${queue}, ${deadLettersOf(queue)}) LIMIT ${maxDepth}) AS counted`);
    return whole(rows[0]?.[0]);
  };
  if ((await depth()) < maxDepth - LITTLE_ROOM) return;
  await tx.query(sql`SELECT pg_advisory_xact_lock(${String(lockOfDepth(queue))}::bigint)`);
  if ((await depth()) >= maxDepth) {
    throw fullQueue(maxDepth);
  }
}

function lockOfDepth(queue: string): Lock {
  return lockOf("queue depth", queue);
}

function burial(queue: string, now: number): Sql {
  return sql`queue = ${deadLettersOf(queue)}, lease = NULL, lease_ms = NULL, visible_ms = ${now}, expires_ms = NULL`;
}

/** Moves messages to the dead letters whose last lease ran out. */
async function buryOverdue(tx: Transaction, queue: string): Promise<void> {
  if (deadLettersOf(queue) === queue) return;
  await tx.query(sql`UPDATE weft.queue_messages SET ${burial(queue, tx.now)} WHERE seq IN
    (SELECT seq FROM weft.queue_messages
     WHERE queue = ${queue} AND lease_ms <= ${tx.now} AND attempts >= ${MAX_ATTEMPTS} FOR UPDATE SKIP LOCKED)`);
}

async function take(tx: Transaction, { queue, max, leaseMs, lease }: Omit<TakeRequest, "waitMs">): Promise<Asked> {
  await buryOverdue(tx, queue);
  const until = tx.now + leaseMs;
  const { rows } = await tx.query(sql`
    WITH ready AS MATERIALIZED (
      SELECT seq, priority, visible_ms, octet_length(body::text) AS bytes FROM weft.queue_messages
      WHERE queue = ${queue} AND visible_ms <= ${tx.now} AND (expires_ms IS NULL OR expires_ms > ${tx.now})
      ORDER BY priority DESC, visible_ms, seq LIMIT ${max} FOR UPDATE SKIP LOCKED),
    placed AS (
      SELECT seq, row_number() OVER delivery AS place, sum(bytes) OVER delivery AS bytes FROM ready
      WINDOW delivery AS (ORDER BY priority DESC, visible_ms, seq))
    UPDATE weft.queue_messages AS m
    SET lease = ${lease}, lease_ms = ${until}, visible_ms = ${until}, attempts = m.attempts + 1
    FROM placed WHERE m.seq = placed.seq AND (placed.place = 1 OR placed.bytes <= ${ANSWER_BYTES})
    RETURNING placed.place, m.id, m.body, m.attempts`);
  const messages = rows
    .map(([place, id, body, attempts]) => ({
      place: whole(place),
      message: { id: text(id), payload: storedJson(text(body)), attempts: whole(attempts), lease },
    }))
    .sort((a, b) => a.place - b.place)
    .map(({ message }) => message);
  return { messages, visibleInMs: messages.length > 0 ? null : await nextVisible(tx, queue) };
}

async function nextVisible(tx: Transaction, queue: string): Promise<number | null> {
  const { rows } = await tx.query(sql`SELECT min(visible_ms) - ${tx.now} FROM weft.queue_messages
    WHERE queue = ${queue} AND visible_ms > ${tx.now}`);
  return wholeOrNull(rows[0]?.[0]);
}

type Leased = { readonly seq: string; readonly attempts: number };

/** The message under this lease, locked. Throws ADAPTER_CONFLICT when the lease is over. */
async function leased(tx: Transaction, { queue, id, lease }: LeasedMessage): Promise<Leased> {
  // No id or lease that was given out holds U+0000, which PostgreSQL refuses to look for.
  const { rows } = [id, lease].some((word) => word.includes("\0"))
    ? { rows: [] }
    : await tx.query(sql`SELECT seq, attempts FROM weft.queue_messages
        WHERE id = ${id} AND queue = ${queue} AND lease = ${lease} AND lease_ms > ${tx.now} FOR UPDATE`);
  const [row] = rows;
  if (row === undefined) throw adapterError("ADAPTER_CONFLICT", "the lease of the message is over");
  return { seq: text(row[0]), attempts: whole(row[1]) };
}

async function release(tx: Transaction, message: LeasedMessage & { readonly delayMs: number }): Promise<void> {
  const { queue, delayMs } = message;
  const { seq, attempts } = await leased(tx, message);
  const dies = attempts >= MAX_ATTEMPTS && deadLettersOf(queue) !== queue;
  const change = dies ? burial(queue, tx.now) : sql`lease = NULL, lease_ms = NULL, visible_ms = ${tx.now + delayMs}`;
  await tx.query(sql`WITH released AS (UPDATE weft.queue_messages SET ${change} WHERE seq = ${seq})
    SELECT pg_notify(${CHANNEL}, ${dies ? deadLettersOf(queue) : queue})`);
}

async function requeue(tx: Transaction, { queue, ids, max }: RequeueRequest): Promise<number> {
  await buryOverdue(tx, queue);
  const isWanted = ids === null ? sql`true` : sql`id = ANY(${arrayOf(ids)}::text[])`;
  const { rows } = await tx.query(sql`WITH moved AS (
      UPDATE weft.queue_messages
      SET queue = ${queue}, attempts = 0, lease = NULL, lease_ms = NULL, visible_ms = ${tx.now} WHERE seq IN
        (SELECT seq FROM weft.queue_messages
         WHERE queue = ${deadLettersOf(queue)} AND (lease_ms IS NULL OR lease_ms <= ${tx.now}) AND ${isWanted}
         ORDER BY priority DESC, visible_ms, seq LIMIT ${max} FOR UPDATE SKIP LOCKED)
      RETURNING seq)
    SELECT count(*), pg_notify(${CHANNEL}, ${queue}) FROM moved`);
  return whole(rows[0]?.[0]);
}

/** Ready, delayed, leased and dead, in this order. */
function lengthOf(queue: string, now: Sql): Sql {
  const dead = deadLettersOf(queue);
  const isOverdue = dead === queue ? sql`false` : sql`lease_ms <= now AND attempts >= ${MAX_ATTEMPTS}`;
  return sql`SELECT total - leased - delayed - overdue, delayed, leased,
      overdue + (SELECT count(*) FROM weft.queue_messages WHERE queue = ${dead})
    FROM (SELECT count(*) AS total,
        count(*) FILTER (WHERE lease_ms > now) AS leased,
        count(*) FILTER (WHERE lease_ms IS NULL AND visible_ms > now) AS delayed,
        count(*) FILTER (WHERE ${isOverdue}) AS overdue
      FROM weft.queue_messages CROSS JOIN (SELECT ${now} AS now) AS clock
      WHERE queue = ${queue} AND (expires_ms IS NULL OR expires_ms > now OR lease_ms > now)) AS counts`;
}
