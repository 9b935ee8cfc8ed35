/**
 * This process as one of several: it shows that it lives, and finds those that do not. A replica is silent when its counter has not moved
 * for a while by the observer's own monotonic clock, so no clock has to agree with another. One that was declared dead while it
 * lived, after a long pause, comes back under a new name; what it was running belongs to others.
 */
import type { Clock } from "../../../vm/run.ts";
import type { Database, Statements } from "./database.ts";

/** Beats within the time after which a replica counts as dead: some may be late, or lost. */
const BEATS = 6;

type Seen = { readonly beat: number; readonly at: number };

export class Replica {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #silentMs: number;
  readonly #version: string;
  readonly #name: string;
  readonly #seen = new Map<string, Seen>();
  readonly #lives: string[] = [];
  readonly #workers: string[] = [];
  #stop: () => void = () => {};
  #closed = false;
  #beating: Promise<void> | null = null;
  /** When the last beat that was acknowledged was sent, by the clock of this process. */
  #heardMs = 0;
  /** Told when this replica was declared dead. */
  onDeclaredDead: () => void = () => {};

  constructor(database: Database, clock: Clock, silentMs: number, name: string, version: string) {
    this.#database = database;
    this.#clock = clock;
    this.#silentMs = silentMs;
    this.#name = name;
    this.#version = version;
  }

  /** Owner of what this process runs. */
  get id(): string {
    return this.#lives.at(-1) ?? this.#name;
  }

  /**
   * False: for half of the time after which it counts as dead, no beat was acknowledged. The process may have been stopped in between, and the others
   * may be about to take what it runs, or have done so.
   */
  get isHeard(): boolean {
    return this.#clock.now() - this.#heardMs < this.#silentMs / 2;
  }

  async join(): Promise<void> {
    const id = this.#lives.length === 0 ? this.#name : `${this.#name}.${this.#lives.length + 1}`;
    const asked = this.#clock.now();
    // It may be there already: joined before, without an answer.
    await this.#database.query(
      `INSERT INTO weft.replicas (id, version, workers, journals) VALUES ($1, $2, $3, true)
       ON CONFLICT (id) DO UPDATE SET workers = excluded.workers`,
      [id, this.#version, this.#workers],
    );
    this.#lives.push(id);
    this.#heardMs = asked;
    this.#schedule();
  }

  /** A worker of the task queue that belongs to this process; its locks are freed when the process is found dead. */
  async has(worker: string): Promise<void> {
    this.#workers.push(worker);
    await this.#database.query("UPDATE weft.replicas SET workers = $2 WHERE id = $1", [this.id, this.#workers]);
  }

  /** Ids of replicas that are silent now. Asked now and then, because silence needs two looks. */
  async silent(on: Statements): Promise<readonly Silent[]> {
    const rows = await on.query("SELECT id, beat, workers FROM weft.replicas WHERE id <> $1", [this.id]);
    const now = this.#clock.now();
    const silent: Silent[] = [];
    for (const { id, beat, workers } of rows) {
      const known = this.#seen.get(id);
      if (known === undefined || known.beat !== beat) this.#seen.set(id, { beat, at: now });
      else if (now - known.at >= this.#silentMs) silent.push({ id, beat, workers });
    }
    for (const id of this.#seen.keys()) if (!rows.some((row) => row["id"] === id)) this.#seen.delete(id);
    return silent;
  }

  async leave(): Promise<void> {
    this.#closed = true;
    this.#stop();
    await this.#database.query("DELETE FROM weft.replicas WHERE id = $1", [this.id]);
    await this.#database.query("SELECT graphile_worker.force_unlock_workers($1)", [this.#workers]);
  }

  /**
   * Before it takes a job: one that was silent looks whether it was declared dead, and joins under another name then. What it took under the
   * old one, the others would take from it at once.
   */
  async heard(): Promise<void> {
    if (!this.isHeard) await this.#beat();
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#beaten().finally(() => {
      this.#beating = null;
    });
    return this.#beating;
  }

  async #beaten(): Promise<void> {
    const asked = this.#clock.now();
    const rows = await this.#database.query("UPDATE weft.replicas SET beat = beat + 1 WHERE id = $1 RETURNING id", [
      this.id,
    ]);
    if (rows.length > 0) this.#heardMs = asked;
    if (rows.length > 0 || this.#closed) return;
    this.onDeclaredDead();
    await this.join();
  }

  #schedule(): void {
    this.#stop();
    if (this.#closed) return;
    this.#stop = this.#clock.wait(this.#silentMs / BEATS, () => {
      // A beat that failed is made up for by the next one.
      void this.#beat()
        .catch(() => {})
        .then(() => this.#schedule());
    });
  }
}

export type Silent = { readonly id: string; readonly beat: number; readonly workers: readonly string[] };
