/** How long adapter calls took: the 95th percentile of the last ones of each adapter, in bounded memory. */
import { p95 } from "../../vm/values/durations.ts";
import type { CallTimes } from "./part.ts";

const KEPT = 4096;

export class RecentCalls {
  readonly #times = new Map<string, number[]>();

  add(times: CallTimes): void {
    for (const [adapter, values] of times) {
      const known = this.#times.get(adapter) ?? [];
      known.push(...values.slice(-KEPT));
      this.#times.set(adapter, known.length > 2 * KEPT ? known.slice(-KEPT) : known);
    }
  }

  /** In milliseconds. */
  p95(): Record<string, number> {
    return Object.fromEntries([...this.#times].map(([adapter, values]) => [adapter, p95(values.slice(-KEPT))]));
  }
}
