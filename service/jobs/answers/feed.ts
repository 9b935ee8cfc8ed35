/** The changes of all jobs, for those who watch the list: who misses some reads the list again. */
import type { Clock } from "../../../vm/run.ts";
import type { FoundJob, JobStore } from "../../state/store.ts";
import { isTerminal, type JobStatus } from "../job.ts";

/** Of one job, or how many changes were left out. */
export type FeedEvent =
  | { readonly job_id: string; readonly status: JobStatus; readonly name: string | null; readonly at: string }
  | { readonly skipped: number };
type Listener = { readonly told: (events: readonly FeedEvent[]) => void; readonly ended: () => void };

const MAX_A_SECOND = 50;
const SECOND_MS = 1000;
/** Changes that come together are read together. */
const GATHER_MS = 20;
/** Jobs whose last state is remembered, so that progress is not told as a change. */
const MAX_REMEMBERED = 1000;

export class JobFeed {
  readonly #store: Pick<JobStore, "find" | "signals" | "now">;
  readonly #clock: Pick<Clock, "wait">;
  readonly #listeners = new Set<Listener>();
  readonly #last = new Map<string, JobStatus>();
  #changed = new Set<string>();
  #left = MAX_A_SECOND;
  #skipped = 0;
  #hasSecond = false;
  #forget = (): void => {};

  constructor(store: Pick<JobStore, "find" | "signals" | "now">, clock: Pick<Clock, "wait">) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `ended`: the service stops. Returns the way to stop listening. */
  listen(told: Listener["told"], ended: Listener["ended"]): () => void {
    const listener = { told, ended };
    if (this.#listeners.size === 0) this.#forget = this.#store.signals.listenToAll((id) => this.#noticed(id));
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#forget();
      this.#last.clear();
    };
  }

  stop(): void {
    for (const { ended } of [...this.#listeners]) ended();
  }

  /** null: how many changes were missed is not known. */
  #noticed(id: string | null): void {
    if (id !== null && this.#changed.has(id)) return;
    if (id === null || this.#left === 0) {
      this.#leftOut(1);
      return;
    }
    this.#beginSecond();
    this.#left -= 1;
    if (this.#changed.size === 0) this.#clock.wait(GATHER_MS, () => void this.#read());
    this.#changed.add(id);
  }

  #beginSecond(): void {
    if (this.#hasSecond) return;
    this.#hasSecond = true;
    this.#clock.wait(SECOND_MS, () => this.#nextSecond());
  }

  /** Told at the end of the second. */
  #leftOut(changes: number): void {
    this.#skipped += changes;
    this.#beginSecond();
  }

  #nextSecond(): void {
    this.#hasSecond = false;
    this.#left = MAX_A_SECOND;
    if (this.#skipped > 0) this.#tell([{ skipped: this.#skipped }]);
    this.#skipped = 0;
  }

  async #read(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed = new Set();
    try {
      const jobs = await Promise.all(ids.map((id) => this.#store.find(id)));
      this.#tell(jobs.flatMap((job) => this.#eventOf(job) ?? []));
    } catch {
      // The store is not available: what was missed counts as left out.
      this.#leftOut(ids.length);
    }
  }

  #eventOf(job: FoundJob | null): FeedEvent | null {
    if (job === null || this.#last.get(job.id) === job.status) return null;
    const { id, status, about } = job;
    this.#last.delete(id);
    if (!isTerminal(status)) this.#last.set(id, status);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
    return { job_id: id, status, name: about.name, at: new Date(this.#store.now()).toISOString() };
  }

  #tell(events: readonly FeedEvent[]): void {
    if (events.length > 0) for (const { told } of [...this.#listeners]) told(events);
  }
}
