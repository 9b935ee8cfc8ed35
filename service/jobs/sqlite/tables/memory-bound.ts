/**
 * What is kept in a database that is in memory, and must not fill it. Counted along with what is written, the oldest first, and made anew
 * after a change that was taken back.
 */
import type { Database, Statement } from "better-sqlite3";
import { TERMINAL_STATUSES } from "../../job.ts";
import { QueueRoom } from "../queue-room.ts";

/** Results, and the requests and frames that a retry would repeat. */
const BYTES = "coalesce(octet_length(text), 0) + coalesce(octet_length(frame), 0) + coalesce(octet_length(request), 0)";
const JOBS =
  "jobs JOIN submissions ON submissions.number = jobs.submission LEFT JOIN results ON results.job = jobs.number";
/** Answers, and about what a row takes besides. */
const ANSWER = "coalesce(octet_length(body), 0) + 512";
const ENDED = `status IN (${TERMINAL_STATUSES.map((status) => `'${status}'`).join(", ")})`;

/** Names of what is kept, with its bytes. */
type Kept = { readonly all: Statement; readonly one: Statement };

export class MemoryRoom {
  readonly #most: number;
  readonly #kept: Kept;
  /** Bytes by name, the oldest first; null: to be counted. */
  #held: Map<string, number> | null = null;
  #bytes = 0;

  /** `most`: bytes of all together. */
  constructor(most: number, kept: Kept) {
    this.#most = most;
    this.#kept = kept;
  }

  /** Told after the write that keeps it. */
  entered(name: string): void {
    const held = this.#counted();
    const bytes = this.#kept.one.get(name) as number;
    this.#bytes += bytes - (held.get(name) ?? 0);
    held.set(name, bytes);
  }

  /** Told after the write that lets it go. */
  left(name: string): void {
    const held = this.#counted();
    this.#bytes -= held.get(name) ?? 0;
    held.delete(name);
  }

  /** What came first when all together are too much. The newest stays, however large it is. */
  surplus(): string | null {
    const held = this.#counted();
    if (this.#bytes <= this.#most || held.size < 2) return null;
    const [first = null] = held.keys();
    return first;
  }

  /** Changes were taken back. */
  forget(): void {
    this.#held = null;
  }

  #counted(): Map<string, number> {
    if (this.#held !== null) return this.#held;
    this.#held = new Map(this.#kept.all.all() as [string, number][]);
    this.#bytes = 0;
    for (const bytes of this.#held.values()) this.#bytes += bytes;
    return this.#held;
  }
}

export type MemoryRooms = { readonly jobs: MemoryRoom; readonly keys: MemoryRoom; readonly queue: QueueRoom };

/** Room for `most` bytes of jobs that are over, by id, and as many of answers under keys; and for `queueBytes` of queued jobs. */
export function memoryRooms(db: Database, most: number, queueBytes: number): MemoryRooms {
  return {
    queue: new QueueRoom(db, queueBytes),
    jobs: new MemoryRoom(most, {
      all: db.prepare(`SELECT id, ${BYTES} FROM ${JOBS} WHERE ${ENDED} ORDER BY finished_ms, jobs.number`).raw(),
      one: db.prepare(`SELECT ${BYTES} FROM ${JOBS} WHERE id = ?`).pluck(),
    }),
    keys: new MemoryRoom(most, {
      all: db
        .prepare(`SELECT json_array(scope, key), ${ANSWER} FROM idempotency WHERE owner IS NULL ORDER BY expires_ms`)
        .raw(),
      one: db
        .prepare(
          `SELECT ${ANSWER} FROM idempotency JOIN (SELECT ? AS name) WHERE scope = name ->> 0 AND key = name ->> 1`,
        )
        .pluck(),
    }),
  };
}
