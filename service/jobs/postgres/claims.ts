/**
 * The jobs that this process has claimed. A claim may be made without its answer coming back: such a job would run nowhere, since its owner
 * lives, so it is put back into the line as soon as the database can be asked.
 */
import { performed } from "../../state/postgres/perform.ts";
import { type ClaimedJob, claimName, isHeldBy, type JobWork, type KeptJob } from "../job.ts";
import type { Database } from "./database.ts";
import { type Claiming, claimings, works } from "./gathered/claims.ts";
import type { Gathering } from "./gathered/gathering.ts";
import { claimed, type JobRow, lockedJob, releaseLocked } from "./job-rows.ts";
import { takeTurn } from "./turns.ts";

export type ClaimsDeps = {
  readonly database: Database;
  /** Owner of what is claimed now. */
  readonly owner: () => string;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
};

export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #works: Gathering<string, (JobRow & JobWork) | null>;
  readonly #claims: Gathering<Claiming, KeptJob | null>;
  /** Claims by ids of their jobs: a job that was woken may be claimed once more before its parking is acknowledged. */
  readonly #held = new Map<string, string>();
  /** Asked for at this moment. */
  readonly #asked = new Set<string>();
  /** Perhaps made. */
  readonly #unanswered = new Set<string>();

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
    this.#works = works(deps.database);
    this.#claims = claimings(deps.database, deps.now);
  }

  /** Ids of the jobs that run here. */
  get held(): Iterable<string> {
    return this.#held.keys();
  }

  /** Null: the job is not queued, or another replica was faster. */
  async claim(id: string, group: number | null = null): Promise<ClaimedJob | null> {
    const { owner, now } = this.#deps;
    const found = await this.#claimable(id, group);
    if (found === null) return null;
    this.#asked.add(found.id);
    try {
      const job = await this.#claims.add({ read: found, next: claimed(found, owner(), now()) });
      if (job === null) return null;
      this.#held.set(job.id, claimName(job));
      return { ...found, ...job };
    } catch (thrown) {
      this.#unanswered.add(found.id);
      throw thrown;
    } finally {
      this.#asked.delete(found.id);
    }
  }

  /** The job; of a group, the one whose turn it is. Null: it cannot be claimed. */
  async #claimable(id: string, group: number | null): Promise<(JobRow & JobWork) | null> {
    const { database } = this.#deps;
    const named = await this.#works.add(id);
    const turn = named?.flow === true || group !== null ? await takeTurn(database, id, group) : null;
    const found = turn === null || turn === id ? named : await this.#works.add(turn);
    return found?.status === "queued" && !found.held ? found : null;
  }

  /** What ends a job comes through, or the job is still held. It may have been taken away, and been claimed once more. */
  async ended<T>(job: KeptJob, ending: Promise<T>): Promise<T> {
    const done = await ending;
    this.released(job);
    return done;
  }

  /** The job is no longer run here, in this claim of it. */
  released(job: KeptJob): void {
    if (this.#held.get(job.id) === claimName(job)) this.#held.delete(job.id);
  }

  /** Looks after claims without an answer. */
  async putBack(): Promise<void> {
    const { database, owner, now } = this.#deps;
    for (const id of this.#unanswered) {
      const isOver = await database.transaction(async (on) => {
        const job = await performed(on, lockedJob(id));
        if (job === null || !isHeldBy(job, { ...job, owner: owner() })) return true;
        // It may have been claimed once more meanwhile, with an answer that came, or is about to come.
        if (this.#held.get(id) === claimName(job)) return true;
        if (this.#asked.has(id)) return false;
        await performed(on, releaseLocked(job, now()));
        return true;
      });
      if (isOver) this.#unanswered.delete(id);
    }
  }
}
