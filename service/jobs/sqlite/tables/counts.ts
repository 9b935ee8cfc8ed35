/**
 * How many jobs are in each state, counted along with what is written: counting rows takes longer the more there are. Only the one
 * process that has the database writes it, so the count holds; after a change that was taken back it is made anew.
 */
import type { Database, Statement } from "better-sqlite3";
import type { JobStatus } from "../../job.ts";

export class Tally {
  readonly #count: Statement;
  #jobs: Map<JobStatus, number> | null = null;

  constructor(db: Database) {
    this.#count = db.prepare("SELECT status, count(*) FROM jobs GROUP BY status").raw();
  }

  of(status: JobStatus): number {
    return this.#counted().get(status) ?? 0;
  }

  /** Only states that some job is in. */
  all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counted()].filter(([, jobs]) => jobs > 0));
  }

  /** Called with each write. `from` null: new jobs; `to` null: deleted rows. */
  moved(from: JobStatus | null, to: JobStatus | null, jobs = 1): void {
    this.#add(from, -jobs);
    this.#add(to, jobs);
  }

  /** Changes were taken back. */
  forget(): void {
    this.#jobs = null;
  }

  #counted(): Map<JobStatus, number> {
    this.#jobs ??= new Map(this.#count.all() as [JobStatus, number][]);
    return this.#jobs;
  }

  /** What was not counted yet is counted with its change. */
  #add(status: JobStatus | null, jobs: number): void {
    if (this.#jobs === null || status === null) return;
    this.#jobs.set(status, (this.#jobs.get(status) ?? 0) + jobs);
  }
}
