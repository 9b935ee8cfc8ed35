/**
 * One workload's figures: what the processes of all sides measured, and what follows from it. Times are processor time; a ratio is a
 * peer's time against Weft's, and each round of processes gives one more, to show how far it can be trusted.
 */
import type { Measured } from "./measure.ts";
import type { SideName } from "./sides.ts";
import { median, type Summary, summary } from "./statistics.ts";
import type { Workload } from "./workloads.ts";

type SideFigures = {
  readonly ns_per_step: number;
  /** Processor milliseconds of one warm run. */
  readonly cpu_ms: Summary;
  readonly wall_ms: Summary;
  /** Cold, in processor milliseconds: compiling (native: nothing), then the first run. */
  readonly compile_ms: number;
  readonly first_ms: number;
  /** Median of each process. */
  readonly by_process_ms: readonly number[];
};

export type Comparison = {
  readonly workload: string;
  readonly title: string;
  readonly steps: number;
  /** A run so short that starting it counts. */
  readonly short: boolean;
  readonly sides: Readonly<Partial<Record<SideName, SideFigures>>>;
};

export type MeasuredSides = Readonly<Partial<Record<SideName, readonly Measured[]>>>;

export function compare({ name, title, steps, short }: Workload, measured: MeasuredSides): Comparison {
  const sides = Object.entries(measured)
    .filter(([, processes]) => processes.length > 0)
    .map(([side, processes]) => [side, figures(processes, steps)]);
  return { workload: name, title, steps, short, sides: Object.fromEntries(sides) };
}

export type Ratio = { readonly value: number; readonly low: number; readonly high: number };

/** How many times as long `side` takes as `against`; null when either was not measured. */
export function ratioOf({ sides }: Comparison, side: SideName, against: SideName): Ratio | null {
  const [above, below] = [sides[side], sides[against]];
  if (above === undefined || below === undefined) return null;
  const pairs = above.by_process_ms.map((ms, round) => ms / (below.by_process_ms[round] ?? below.cpu_ms.median));
  return { value: above.cpu_ms.median / below.cpu_ms.median, low: Math.min(...pairs), high: Math.max(...pairs) };
}

function figures(processes: readonly Measured[], steps: number): SideFigures {
  const samples = processes.flatMap((process) => process.samples);
  const cpu_ms = summary(samples.map(({ cpu_ms }) => cpu_ms));
  return {
    ns_per_step: (cpu_ms.median * 1e6) / steps,
    cpu_ms,
    wall_ms: summary(samples.map(({ wall_ms }) => wall_ms)),
    compile_ms: median(processes.map(({ compile }) => compile.cpu_ms)),
    first_ms: median(processes.map(({ first }) => first.cpu_ms)),
    by_process_ms: processes.map((process) => median(process.samples.map(({ cpu_ms }) => cpu_ms))),
  };
}
