/** Median and quartiles, which a few disturbed repetitions do not move. */

export type Summary = {
  readonly median: number;
  /** First and third quartile. */
  readonly low: number;
  readonly high: number;
  readonly least: number;
};

export function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    least: quantile(sorted, 0),
  };
}

export const median = (values: readonly number[]): number => summary(values).median;

/** Linear between neighbours. */
function quantile(sorted: readonly number[], part: number): number {
  if (sorted.length === 0) throw new Error("nothing was measured");
  const at = part * (sorted.length - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}
