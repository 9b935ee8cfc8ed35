/** The last runs of POST /run, with figures only: what an operator looks at to see what just failed. Kept in memory. */
import type { Usage } from "../../vm/run.ts";
import type { Tags } from "../wire/about.ts";

export type RecentRun = {
  readonly trace_id: string;
  readonly ok: boolean;
  /** Error word of a run that failed. */
  readonly error: string | undefined;
  readonly program: string | undefined;
  readonly version: number | undefined;
  readonly name: string | undefined;
  readonly tags: Tags | undefined;
  readonly label: string;
  readonly checksum: string;
  /** Milliseconds since 1970. */
  readonly ended_ms: number;
  readonly duration_ms: number;
  readonly usage: Usage;
};

export class RecentRuns {
  readonly #max: number;
  #runs: RecentRun[] = [];
  /** Place of the oldest, once there are as many as are kept. */
  #oldest = 0;

  /** `max` 0: none is kept. */
  constructor(max: number) {
    this.#max = max;
  }

  add(run: RecentRun): void {
    if (this.#max === 0) return;
    if (this.#runs.length < this.#max) {
      this.#runs.push(run);
      return;
    }
    this.#runs[this.#oldest] = run;
    this.#oldest = (this.#oldest + 1) % this.#max;
  }

  /** Newest first. */
  list(limit: number, wanted: (run: RecentRun) => boolean): readonly RecentRun[] {
    const found: RecentRun[] = [];
    const count = this.#runs.length;
    for (let back = 1; back <= count && found.length < limit; back++) {
      const run = this.#runs[(this.#oldest - back + 2 * count) % count] as RecentRun;
      if (wanted(run)) found.push(run);
    }
    return found;
  }
}
