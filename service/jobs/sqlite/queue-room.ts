/**
 * Bytes of queued jobs in an in-memory database: their number alone does not bound memory, because each may be as large as a request. Counted
 * with every write, and computed again after a rollback.
 */
import type { Database, Statement } from "better-sqlite3";

/** Frames, and a part of what the jobs of a submission share; about what the rows take besides. */
const BYTES = `coalesce(octet_length(frame), 0) + 512 +
  (octet_length(request) + octet_length(ir)) / (last_job - first_job + 1)`;
const JOBS =
  "jobs JOIN submissions ON submissions.number = jobs.submission JOIN programs ON programs.checksum = submissions.checksum";

export class QueueRoom {
  readonly maxBytes: number;
  readonly #all: Statement;
  readonly #one: Statement;
  /** Bytes by id; null: to be counted. */
  #held: Map<string, number> | null = null;
  #bytes = 0;

  constructor(db: Database, maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#all = db.prepare(`SELECT id, ${BYTES} FROM ${JOBS} WHERE status = 'queued'`).raw();
    this.#one = db.prepare(`SELECT ${BYTES} FROM ${JOBS} WHERE id = ?`).pluck();
  }

  /** Bytes of all queued jobs. */
  bytes(): number {
    this.#counted();
    return this.#bytes;
  }

  /** To be called after the write that queues the job. */
  entered(id: string): void {
    const held = this.#counted();
    const bytes = this.#one.get(id) as number;
    this.#bytes += bytes - (held.get(id) ?? 0);
    held.set(id, bytes);
  }

  /** To be called for a job that is no longer queued. */
  left(id: string): void {
    const held = this.#counted();
    this.#bytes -= held.get(id) ?? 0;
    held.delete(id);
  }

  /** Changes were taken back. */
  forget(): void {
    this.#held = null;
  }

  #counted(): Map<string, number> {
    if (this.#held !== null) return this.#held;
    this.#held = new Map(this.#all.all() as [string, number][]);
    this.#bytes = 0;
    for (const bytes of this.#held.values()) this.#bytes += bytes;
    return this.#held;
  }
}
