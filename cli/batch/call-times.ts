/** How long adapter calls took: the 95th percentile of the last ones of each adapter, in bounded memory. */
import { thousandths } from "../output/run.ts";
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
    const figures = [...this.#times].map(([adapter, values]): [string, number] => {
      const sorted = values.slice(-KEPT).sort((a, b) => a - b);
      return [adapter, thousandths(sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0)];
    });
    return Object.fromEntries(figures);
  }
}
