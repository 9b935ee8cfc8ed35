/**
 * The ratios of an earlier run, and how those of this run differ. Only differences above noise are reported: worse by more than a seventh,
 * and in every round of processes. It is a hint to look again, never a failure.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Comparison, ratioOf } from "./comparison.ts";
import type { SideName } from "./sides.ts";

/** Weft's time against a peer's, by workload and peer. */
export type Baseline = {
  readonly measured: string;
  readonly ratios: Readonly<Record<string, Readonly<Partial<Record<SideName, number>>>>>;
};

const FILE = "benchmarks/baseline.json";
const LOSS = 1.15;
/** Peers whose times are steady enough to be compared with. */
const AGAINST: readonly SideName[] = ["native", "quickjs", "lua"];

export function baselineOf(comparisons: readonly Comparison[], measured: string): Baseline {
  const ratios = comparisons.map((comparison): [string, Partial<Record<SideName, number>>] => {
    const found = AGAINST.flatMap((peer): [SideName, number][] => {
      const ratio = ratioOf(comparison, "weft", peer);
      return ratio === null ? [] : [[peer, Math.round(ratio.value * 1000) / 1000]];
    });
    return [comparison.workload, Object.fromEntries(found)];
  });
  return { measured, ratios: Object.fromEntries(ratios) };
}

/** Null before the first run. */
export function readBaseline(root: string): Baseline | null {
  const path = join(root, FILE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Baseline) : null;
}

export function writeBaseline(root: string, baseline: Baseline): void {
  writeFileSync(join(root, FILE), `${JSON.stringify(baseline, null, 2)}\n`);
}

/** A line for each ratio that got worse against every peer of the baseline: a peer alone may have got faster. */
export function losses(comparisons: readonly Comparison[], { ratios }: Baseline): string[] {
  return comparisons.flatMap((comparison) => {
    const known = Object.entries(ratios[comparison.workload] ?? {}) as [SideName, number][];
    const worse = known.flatMap(([peer, before]) => {
      const now = ratioOf(comparison, "weft", peer);
      return now !== null && Math.min(now.value, now.low) > before * LOSS ? [{ peer, before, now: now.value }] : [];
    });
    if (known.length === 0 || worse.length < known.length) return [];
    const said = worse.map(({ peer, before, now }) => `${peer} ${before.toFixed(2)}× → ${now.toFixed(2)}×`);
    return [`${comparison.workload} takes longer than in the baseline: ${said.join(", ")}`];
  });
}
