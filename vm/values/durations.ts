/** Durations as answers, traces and logs write them. */

/** Whole milliseconds with three decimals. */
export function thousandths(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The 95th percentile, 0 of nothing. */
export function p95(durations: readonly number[]): number {
  const sorted = Float64Array.from(durations).sort();
  return thousandths(sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0);
}
